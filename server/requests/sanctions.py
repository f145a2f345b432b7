"""Bans and mutes by the operator, of users or network addresses. They take effect at once on every node."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Coroutine
from typing import Any, Literal

import msgspec

from protocol.codec import ProtocolError
from protocol.messages import Say
from server.requests.connected_users import ConnectedUsers
from server.requests.connection import Connection
from server.requests.handlers import Handler, HandlerGroup
from server.store import keys
from server.store.answers import Answer
from server.store.pubsub import PubSub
from server.store.store import Store
from server.tables.rooms.service_clock import ServiceClock, utc_text

log = logging.getLogger("cheeseboard.sanctions")

USER = re.compile("[a-z0-9-]{2,40}")
MAX_SANCTIONS = 10_000  # the operator has to lift some before adding more
RETRY_S = 0.5  # between the attempts to read the sanctions
CHANGED = b"changed"  # the message on the channel

Kind = Literal["ban", "mute"]


class Sanction(msgspec.Struct, frozen=True):
    """A ban or a mute of a user or an address, until a time in ms since 1970 or for good."""

    kind: Kind
    subject: str
    at: int
    until: int | None = None

    @property
    def field(self) -> str:
        """The field of the hash."""
        return f"{self.kind} {self.subject}"

    @property
    def end(self) -> str:
        """When it ends, for people."""
        return "for good" if self.until is None else f"until {utc_text(self.until)}"

    def holds(self, now: int) -> bool:
        """Whether it has not ended."""
        return self.until is None or now < self.until


encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(Sanction).decode


class SanctionList:
    """The sanctions in the store, as the operator changes them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def all(self, now: int) -> list[Sanction]:
        """The sanctions that hold, the oldest first; those that have ended are removed."""
        found = sanctions_in(await self._store.call("HGETALL", keys.SANCTIONS))
        ended = [one.field for one in found if not one.holds(now)]
        if ended:
            await self._store.call("HDEL", keys.SANCTIONS, *ended)
        return sorted((one for one in found if one.holds(now)), key=lambda one: one.at)

    async def add(self, sanction: Sanction) -> list[str]:
        """Add or change a sanction of a user and of their bots, or of an address; returns whom it concerns."""
        if len(await self.all(sanction.at)) >= MAX_SANCTIONS:
            raise ProtocolError("busy", f"there are {MAX_SANCTIONS} sanctions already: lift some first")
        subjects = await self._with_bots(sanction.subject)
        for subject in subjects:
            one = msgspec.structs.replace(sanction, subject=subject)
            await self._store.call("HSET", keys.SANCTIONS, one.field, encode(one))
        await self._store.call("SPUBLISH", keys.SANCTIONS, CHANGED)
        return subjects

    async def lift(self, kind: Kind, subject: str) -> bool:
        """Lift a sanction of a user and of their bots, or of an address; returns whether there was one."""
        fields = [Sanction(kind, one, 0).field for one in await self._with_bots(subject)]
        lifted = await self._store.call("HDEL", keys.SANCTIONS, *fields)
        await self._store.call("SPUBLISH", keys.SANCTIONS, CHANGED)
        return bool(lifted)

    async def _with_bots(self, subject: str) -> list[str]:
        bots = await self._store.call("SMEMBERS", keys.user_bots(subject))
        return [subject, *sorted(bot.decode() for bot in bots)]


def sanctions_in(answer: list[bytes]) -> list[Sanction]:
    """The sanctions in the answer to HGETALL."""
    return [decode(payload) for payload in answer[1::2]]


class Sanctions:
    """The sanctions as this node knows them, and the guard of the requests that they forbid."""

    def __init__(
        self, store: Store, pubsub: PubSub, users: ConnectedUsers, clock: ServiceClock, *guarded: HandlerGroup
    ) -> None:
        self._store = store
        self._pubsub = pubsub
        self._users = users
        self._clock = clock
        self._sanctions: dict[str, Sanction] = {}
        self._loaded = asyncio.Event()
        self._guarded: dict[type, Handler] = {}
        for group in guarded:
            self._guarded.update(group.handlers())

    async def start(self) -> None:
        """Subscribe to changes, then read the whole list."""
        self._pubsub.subscribe(keys.SANCTIONS, lambda message: self._load(), self._load)
        await self._loaded.wait()

    def _load(self) -> None:
        self._store.send(self._read, "HGETALL", keys.SANCTIONS)

    def _read(self, answer: Answer) -> None:
        if isinstance(answer, Exception):  # a node serves nobody before it knows who is banned
            log.warning("reading the sanctions failed, will be retried: %s", answer)
            asyncio.get_running_loop().call_later(RETRY_S, self._load)
            return
        self._loaded.set()
        before, self._sanctions = self._sanctions, {one.field: one for one in sanctions_in(answer)}
        for one in self._sanctions.keys() - before.keys():
            log.warning("sanction applied", extra={"sanction": one, "until": self._sanctions[one].until})
        for one in before.keys() - self._sanctions.keys():
            log.warning("sanction lifted", extra={"sanction": one})
        for connection in self._users.connections():
            if self._find("ban", connection, connection.account.id) is not None:
                who = {"user": connection.account.id, "address": connection.address}
                log.warning("a banned user is disconnected", extra=who)
                cut_banned(connection)

    def _find(self, kind: Kind, connection: Connection, user: str) -> Sanction | None:
        return self.find(kind, user, connection.address, connection.client_address.origin)

    def find(self, kind: Kind, user: str, address: str, origin: str = "") -> Sanction | None:
        """The sanction of this kind that holds for the user or the address; `origin` is the hashed address."""
        now = self._clock.now()
        for subject in (user, address, origin):
            found = self._sanctions.get(f"{kind} {subject}")
            if subject and found is not None and found.holds(now):
                return found
        return None

    def require_not_banned(self, connection: Connection, user: str) -> None:
        """Refuse the hello of a user or an address that is banned."""
        found = self._find("ban", connection, user)
        if found is not None:
            wait = None if found.until is None else found.until - self._clock.now()
            raise ProtocolError("banned", f"the operator has banned you {found.end}", retry_after_ms=wait)

    def handlers(self) -> dict[type, Any]:
        """The requests that are guarded here."""
        return {Say: self.say}

    def say(self, connection: Connection, message: Say) -> Coroutine[Any, Any, None] | None:
        """Pass a chat text on, unless the user is muted."""
        self.require_not_muted(connection)
        return self._guarded[Say](connection, message)

    def is_muted(self, connection: Connection) -> bool:
        """Whether nobody may read what this user or address writes."""
        return self._find("mute", connection, connection.account.id) is not None

    def is_silenced(self, user: str) -> bool:
        """Whether what this user has written before is not shown, because they are muted or banned."""
        return self.find("mute", user, "") is not None or self.find("ban", user, "") is not None

    def require_not_muted(self, connection: Connection) -> None:
        """Refuse what a user or an address that is muted wants to say."""
        found = self._find("mute", connection, connection.account.id)
        if found is not None:
            raise ProtocolError("muted", f"the operator has muted you {found.end}")


def cut_banned(connection: Connection) -> None:
    """Disconnect a user who is banned."""
    connection.cut(4005, "banned", "banned")
