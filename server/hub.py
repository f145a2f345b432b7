"""The tables of this node: which are held, who watches them, and what else has to know of an entry."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from server import house
from server.entries import Entry, Moved, Opened, Relayed, Sat
from server.feed import Feed, Telling
from server.lobby import Lobby
from server.log import Log, channel, table_key
from server.metrics import Metrics
from server.presence import Presence
from server.pulse import Pulse
from server.room import Room
from server.sockets import write_each
from server.store import Store

if TYPE_CHECKING:
    from server.connection import Connection

log = logging.getLogger("cheeseboard.hub")
encode = msgspec.msgpack.Encoder().encode

MOST_ROOMS = 2_000  # tables held folded though nobody watches them here; the longest unused go first
GAP_MS = 2_500  # so long without a beat of any node, and the service was away
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


class Hub:
    """Everything that the parts of a node share.

    `now` is milliseconds since 1970. `expect` is the clock's: look at a table at this moment.
    """

    now: Callable[[], int]
    expect: Callable[[int, str], None]

    def __init__(self, store: Store, feed: Feed, node: str, metrics: Metrics, is_home: Callable[[str], bool]) -> None:
        self.now = now
        self._is_home = is_home
        self.store = store
        self.feed = feed
        self.node = node
        self.metrics = metrics
        self.log = Log(store)
        self.telling = Telling(store)
        self.lobby = Lobby(self)
        self.presence = Presence(self)
        self.pulse = Pulse()
        self.rooms: dict[str, Room] = {}
        self.connections: set[Connection] = set()
        self.bots: dict[str, set[Connection]] = {}
        self.unsent: list[Connection] = []  # that have something to be written at the end of this turn of the loop
        self.outages: tuple[tuple[int, int], ...] = ()
        self.beat_at = 0

    def flush_soon(self) -> None:
        """At the end of this turn of the loop write what waits, in one piece for each connection."""
        asyncio.get_running_loop().call_soon(self.flush)

    def flush(self) -> None:
        """Write what waits now: by one call to all sockets that have nothing before it."""
        unsent, self.unsent = self.unsent, []
        writing: list[Connection] = []
        pieces: list[bytes] = []
        for connection in unsent:
            try:
                piece = connection.take()
            except Exception:
                self._give_up(connection)
                continue
            if piece is not None:
                writing.append(connection)
                pieces.append(piece)
        taken = write_each([connection.file for connection in writing], pieces)
        for connection, piece, sent in zip(writing, pieces, taken, strict=True):
            if sent != len(piece):
                try:
                    connection.wait(piece[sent:])
                except Exception:
                    self._give_up(connection)

    def _give_up(self, connection: Connection) -> None:
        """P6: what goes wrong with one connection is nobody else's."""
        log.exception("a connection could not be written to")
        connection.cut(1011, "this went wrong on our side", "internal")

    def doubt(self) -> None:
        """The store is away: what is in the logs is seen again before it is relied on."""
        for room in self.rooms.values():
            room.doubt()

    def knows_time(self, at: int) -> bool:
        """Whether all outages until then are known: otherwise nobody's time may run out yet."""
        return at - self.beat_at < GAP_MS

    def room(self, table: str) -> Room:
        """The table, held on this node from now on; it is read when it is first needed."""
        room = self.rooms.get(table)
        if room is None:
            self._trim()
            room = self.rooms[table] = Room(table, self)
        room.used_at = self.now()
        return room

    def forget(self, room: Room) -> None:
        """There is no such table, or nobody needs it here."""
        if room.idle:
            self.rooms.pop(room.id, None)

    def _trim(self) -> None:
        if len(self.rooms) > MOST_ROOMS + len(self.connections):
            idle = sorted((room for room in self.rooms.values() if room.idle), key=lambda room: room.used_at)
            for room in idle[: MOST_ROOMS // 10]:
                del self.rooms[room.id]

    def new_room(self, opening: Opened) -> Room:
        """A new table: its first entry is on its way to the log, and the rest follows as for any table."""
        table = _new_id()
        while not self._is_home(table):  # its host is here, so the others shall come here too
            table = _new_id()
        room = self.room(table)
        room.open(opening)
        self.store.send(_ignore, "SET", f"code:{opening.code}", table, "EX", 7 * 24 * 3600)
        return room

    def committed(self, room: Room, entry: Entry) -> None:
        """This node has put an entry in a log: it counts it, and tells the lobby and the bots that got a seat by it."""
        table = room.table
        assert table
        if isinstance(entry, Moved):
            self.metrics.moves[table.opened.game, entry.by] += 1
            if table.status != "ended" and entry.by != "clock":
                return
        if isinstance(entry, (Sat, Relayed)):
            self._tell_seat(room, entry.user, entry.seat)
        elif isinstance(entry, Moved) and entry.by == "clock" and table.status == "running":
            chair = table.chairs[entry.seat]
            if chair.bot or chair.stand_in:  # it may never have heard that it has a seat
                self._tell_seat(room, chair.stand_in or chair.user or "", entry.seat)
        self.lobby.note(room)
        if table.status in ("ended", "closed"):
            self.metrics.ended.labels(table.opened.game, table.status).inc()
            log.info("a table is over", extra={"table": table.id, "game": table.opened.game, "how": table.status})

    def _tell_seat(self, room: Room, user: str, seat: int) -> None:
        assert room.table
        self.store.send(_ignore, "SADD", f"user:{user}:tables", room.id)
        if user in house.USERS or room.table.chairs[seat].bot:
            word = encode({"type": "seated", "table": room.id, "seat": seat, "game": room.table.opened.game})
            self.store.send(_ignore, "SPUBLISH", f"user:{user}", word)

    def unseated(self, table: str, users: set[str]) -> None:
        """These have no seat there any more."""
        for user in users:
            self.store.send(_ignore, "SREM", f"user:{user}:tables", table)

    def plug(self, connection: Connection) -> None:
        """A bot is connected here: hear when it is given a seat, or its token is taken back."""
        user = connection.user.id
        self.bots.setdefault(user, set()).add(connection)

        def heard(word: bytes) -> None:
            for one in tuple(self.bots.get(user, ())):
                one.told(word)

        def ready() -> None:  # what was said before is lost
            for one in tuple(self.bots.get(user, ())):
                one.check_token()

        self.feed.listen(f"user:{user}", heard, ready)

    def unplug(self, connection: Connection) -> None:
        """A bot's connection is gone."""
        user = connection.user.id
        self.bots[user].discard(connection)
        if not self.bots[user]:
            del self.bots[user]
            self.feed.stop(f"user:{user}")

    def say(self, room: Room, chat: Any) -> None:
        """Tell everybody at the table, on every node."""
        word = encode(chat)
        self.store.send(_ignore, "RPUSH", table_key(room.id, "chat"), word)
        self.store.send(_ignore, "LTRIM", table_key(room.id, "chat"), -50, -1)
        self.store.send(_ignore, "EXPIRE", table_key(room.id, "chat"), 24 * 3600)
        self.store.send(_ignore, "SPUBLISH", channel(room.id), b"chat " + word)

    async def settle(self) -> None:
        """Wait until nothing is under way on any table."""
        for _ in range(200):
            if not any(room.working for room in self.rooms.values()):
                return
            await asyncio.sleep(0.01)


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def _new_id() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(10))


def _ignore(answer: Any) -> None:
    if isinstance(answer, Exception):
        log.warning("the store did not do what can be done again later: %s", answer)
