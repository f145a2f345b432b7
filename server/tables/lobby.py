"""Public tables that seek players or can be watched, told live. Derived data: the logs are the truth."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

import msgspec

from protocol.messages import LobbyTable, Tables
from server.frames import framed
from server.store import Answer

if TYPE_CHECKING:
    from server.connection import Connection
    from server.hub import Hub
    from server.room import Room

log = logging.getLogger("cheeseboard.lobby")

KEY = "lobby"
encode = msgspec.msgpack.Encoder().encode
read = msgspec.msgpack.Decoder(LobbyTable).decode

TELL_S = 0.2  # how long changes are gathered before they are told
MOST_LISTED = 200  # tables sent to a watcher of the lobby at once; open ones first


class Lobby:
    """What is open and running, on all nodes."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._tables: dict[str, LobbyTable] = {}
        self._watchers: set[Connection] = set()
        self._changed: set[str] = set()
        self._asked = 0  # times that the list was asked for and has not come
        self._told: set[str] = set()  # tables that were told of meanwhile
        self._listed = asyncio.Event()

    async def start(self) -> None:
        """Hear of changes, then read what there is."""
        self._hub.feed.listen(KEY, self._heard, self.ask)
        await self._listed.wait()

    def ask(self) -> None:
        """Ask for the whole list, since something may have been missed."""
        self._asked += 1
        self._hub.store.send(self._answered, "HGETALL", KEY)

    def _answered(self, answer: Answer) -> None:
        self._asked -= 1
        self._listed.set()
        if isinstance(answer, Exception):
            log.warning("the lobby was not read: %s", answer)  # it is asked for again when the store is back
        else:
            self._list(answer)
        if not self._asked:
            self._told.clear()

    def _list(self, answer: list[bytes]) -> None:
        tables = {table.table: table for table in map(read, answer[1::2])}
        for table in (self._tables.keys() | tables.keys()) - self._told:  # of those told of since more is known
            if self._tables.get(table) != tables.get(table):
                if table in tables:
                    self._tables[table] = tables[table]
                else:
                    del self._tables[table]
                self._change(table)

    def watch(self, connection: Connection, on: bool) -> None:
        """Start or stop telling this connection."""
        if not on:
            self._watchers.discard(connection)
            return
        self._watchers.add(connection)
        self.refresh(connection)

    def refresh(self, connection: Connection) -> None:
        """Tell a watcher everything anew."""
        if connection not in self._watchers:
            return
        tables = sorted(self._tables.values(), key=lambda table: table.status != "open")
        connection.send(Tables(tables=tuple(tables[:MOST_LISTED]), whole=True))

    def note(self, room: Room) -> None:
        """A table changed in something that the lobby shows."""
        table = room.table
        assert table
        if not table.opened.public:
            return
        if table.status in ("ended", "closed"):
            self.drop(table.id)
            return
        now = self._hub.now()
        listed = LobbyTable(
            table=table.id,
            game=table.opened.game,
            speed=table.opened.speed,
            status=table.status,  # type: ignore[arg-type]  # the others are gone above
            seats=room.seats(now),
            options=table.opened.options,
            watchers=room.watchers(now),
        )
        word = encode(listed)
        self._hub.store.send(_ignore, "HSET", KEY, table.id, word)
        self._hub.store.send(_ignore, "SPUBLISH", KEY, word)

    def watch_count(self, room: Room) -> None:
        """Somebody began or stopped to watch: told by the node that lists it, if the number is another one."""
        listed = self._tables.get(room.id)
        if listed and room.table and listed.watchers != room.watchers(self._hub.now()):
            self.note(room)

    def drop(self, table: str) -> None:
        """The table is over."""
        self._hub.store.send(_ignore, "HDEL", KEY, table)
        self._hub.store.send(_ignore, "SPUBLISH", KEY, encode(table))

    def _heard(self, word: bytes) -> None:
        told = msgspec.msgpack.decode(word)
        if isinstance(told, str):
            self._tables.pop(told, None)
        else:
            self._tables[told["table"]] = read(word)
            told = told["table"]
        if self._asked:
            self._told.add(told)
        self._change(told)

    def _change(self, table: str) -> None:
        if not self._changed:
            asyncio.get_running_loop().call_later(TELL_S, self._tell)
        self._changed.add(table)

    def _tell(self) -> None:
        """Tell the watchers what changed since the last time."""
        changed, self._changed = self._changed, set()
        tables = tuple(self._tables[table] for table in changed if table in self._tables)
        gone = tuple(table for table in changed if table not in self._tables)
        frame = framed(Tables(tables=tables, gone=gone))
        for connection in self._watchers:
            connection.write(frame)

    def leave(self, connection: Connection) -> None:
        """The connection is gone."""
        self._watchers.discard(connection)


def _ignore(answer: Any) -> None:
    """Derived data: the next change tells it again."""
