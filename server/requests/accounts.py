"""Who somebody is: guests and bots by their secret token, of which only a hash is kept."""

from __future__ import annotations

import secrets
import time
import unicodedata
from hashlib import sha256

import msgspec

from protocol.codec import ProtocolError
from protocol.messages import OwnBot, User
from server import house
from server.store import Store

GUEST_S = 90 * 24 * 3600  # a guest who does not come back for so long is forgotten
NEW_GUEST_S = 2 * 24 * 3600  # and one who never came back at all, sooner
MOST_NAME = 24
SCOPES = ("play", "create", "talk")  # what a token may be for
MOST_BOTS = 20  # of one person

FIRST = ("Mellow", "Nutty", "Ripe", "Smoky", "Tangy", "Golden", "Crumbly", "Velvet", "Wild", "Sunny", "Bold", "Gentle")
SECOND = ("Cheddar", "Brie", "Comte", "Raclette", "Halloumi", "Asiago", "Mimolette", "Cantal", "Burrata", "Quark")


class Person(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody, as the store keeps them under the hash of their token."""

    id: str
    name: str
    bot: bool = False
    owner: str | None = None
    scopes: tuple[str, ...] = SCOPES

    def public(self) -> User:
        """What others may know."""
        return User(id=self.id, name=self.name, bot=self.bot, owner=self.owner)


def clean_name(name: str | None) -> str:
    """The name as it may be shown: no controls, no odd spaces, at most 24 characters."""
    if name is None:
        return f"{secrets.choice(FIRST)} {secrets.choice(SECOND)}"
    shown = "".join(" " if char.isspace() else char for char in unicodedata.normalize("NFC", name))
    shown = "".join(char for char in shown if unicodedata.category(char)[0] != "C")
    shown = " ".join(shown.split())
    if not 1 <= len(shown) <= MOST_NAME:
        raise ProtocolError("bad_name", f"a name has 1 to {MOST_NAME} visible characters", field="name")
    return shown


def token_key(token: str) -> str:
    """Where the store keeps whose token this is."""
    return f"token:{sha256(token.encode()).hexdigest()}"


class OwnedBot(msgspec.Struct, frozen=True):
    """What is kept of somebody's bot besides the token that it comes with."""

    name: str
    owner: str
    token: str
    scopes: tuple[str, ...]
    made: int


class People:
    """Finds and makes people."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def guest(self, name: str | None) -> tuple[Person, str]:
        """A new guest and their token, which is told once and never again."""
        person = Person("u" + secrets.token_hex(6), clean_name(name))
        token = secrets.token_urlsafe(32)
        await self._store.call("SET", token_key(token), msgspec.msgpack.encode(person), "EX", NEW_GUEST_S)
        return person, token

    async def keep(self, person: Person, token: str) -> None:
        """Keep somebody under their token: guests for a while, bots until they are taken back."""
        value = msgspec.msgpack.encode(person)
        expiry = () if person.bot else ("EX", GUEST_S)
        await self._store.call("SET", token_key(token), value, *expiry)

    async def find(self, token: str) -> Person:
        """Whose token this is."""
        value = await self._store.call("GET", token_key(token))
        if value is None:
            raise ProtocolError("bad_token", "this token is not known: say hello without it", field="token")
        person = msgspec.msgpack.decode(value, type=Person)
        if person.bot:
            await self._store.call("SET", f"bot:{person.id}:used", time.time_ns() // 1_000_000)
        else:
            await self._store.call("EXPIRE", token_key(token), GUEST_S)
        return person

    async def tables(self, user: str) -> tuple[str, ...]:
        """The tables at which this user has a seat in a game that is not over."""
        answer = await self._store.call("SMEMBERS", f"user:{user}:tables")
        return tuple(sorted(table.decode() for table in answer))

    async def make_bot(
        self, owner: str, shown: str, name: str, scopes: tuple[str, ...], now: int
    ) -> tuple[Person, str]:
        """A bot of somebody's and its token; `shown` is the owner as others see them."""
        if await self._store.call("SCARD", f"user:{owner}:bots") >= MOST_BOTS:
            raise ProtocolError("too_many_bots", f"one has at most {MOST_BOTS} bots: take a token back first")
        person = Person("b" + secrets.token_hex(6), clean_name(name), True, shown, scopes)
        token = secrets.token_urlsafe(32)
        kept = OwnedBot(person.name, owner, token_key(token), scopes, now)
        await self._store.call("SET", f"bot:{person.id}", msgspec.msgpack.encode(kept))
        await self._store.call("SADD", f"user:{owner}:bots", person.id)
        await self.keep(person, token)
        return person, token

    async def bots_of(self, owner: str) -> tuple[OwnBot, ...]:
        """Somebody's bots, the newest first."""
        bots = []
        for user in await self._store.call("SMEMBERS", f"user:{owner}:bots"):
            kept = await self._store.call("GET", f"bot:{user.decode()}")
            if kept is None:
                continue
            bot = msgspec.msgpack.decode(kept, type=OwnedBot)
            used = await self._store.call("GET", f"bot:{user.decode()}:used")
            last = None if used is None else int(used)
            bots.append(OwnBot(user=user.decode(), name=bot.name, scopes=bot.scopes, made=bot.made, used=last))
        return tuple(sorted(bots, key=lambda bot: -bot.made))

    async def revoke(self, owner: str | None, user: str) -> None:
        """Take a bot's token back; without an owner, whoever's it is."""
        kept = await self._store.call("GET", f"bot:{user}")
        bot = None if kept is None else msgspec.msgpack.decode(kept, type=OwnedBot)
        if bot is None or owner not in (None, bot.owner):
            raise ProtocolError("no_bot", "you have no such bot", field="bot")
        await self._store.call("DEL", bot.token, f"bot:{user}", f"bot:{user}:used")
        await self._store.call("SREM", f"user:{bot.owner}:bots", user)
        await self._store.call("SPUBLISH", f"user:{user}", msgspec.msgpack.encode({"type": "revoked"}))

    async def house_tokens(self) -> dict[str, str]:
        """Fresh tokens for the house's own bots; those of an earlier run are worth nothing any more."""
        old = await self._store.call("SMEMBERS", "house:tokens")
        if old:
            await self._store.call("DEL", "house:tokens", *old)
        tokens = {}
        for user, name in house.USERS.items():
            token = tokens[user] = secrets.token_urlsafe(32)
            await self.keep(Person(user, name, bot=True, owner="house"), token)
            await self._store.call("SADD", "house:tokens", token_key(token))
        return tokens
