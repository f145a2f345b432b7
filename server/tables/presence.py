"""Who is at which table, on which node."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

import msgspec

from server.log import channel, log_key, table_key

if TYPE_CHECKING:
    from server.hub import Hub
    from server.room import Room

log = logging.getLogger("cheeseboard.presence")
encode = msgspec.msgpack.Encoder().encode


class Report(msgspec.Struct, frozen=True, array_like=True):
    """Whom a node has at the table, and when it said so."""

    node: str
    at: int
    watchers: int
    seats: tuple[int, ...]


read_report = msgspec.msgpack.Decoder(Report).decode


class Presence:
    """Who is at which table, told to the other nodes: at most twice a second for a table, and every ten seconds."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._changed: set[str] = set()

    def changed(self, room: Room) -> None:
        """Somebody came or went."""
        if not self._changed:
            asyncio.get_running_loop().call_later(0.5, self._tell_changed)
        self._changed.add(room.id)

    def _tell_changed(self) -> None:
        changed, self._changed = self._changed, set()
        for table in changed:
            room = self._hub.rooms.get(table)
            if room is not None and room.table is not None:
                self._tell(room)

    def stop(self) -> None:
        """Tell nothing more."""
        self._changed.clear()

    async def run(self) -> None:
        """Look round every ten seconds, for ever."""
        while True:
            await asyncio.sleep(10)
            self.look_round()

    def look_round(self) -> None:
        """Tell of every table and bot that is here, and see whether a table's log is longer than was heard."""
        for room in self._hub.rooms.values():
            if room.viewers:
                self.changed(room)
                self._hub.store.send(room.compare, "XLEN", log_key(room.id))
        for bots in self._hub.bots.values():
            for bot in bots:
                bot.say_online()

    def _tell(self, room: Room) -> None:
        hub = self._hub
        points = room.viewers.points
        watchers = points[None].size if None in points else 0
        seats = tuple(seat for seat in points if seat is not None)
        report = Report(hub.node, hub.now(), watchers, seats)
        word, key = encode(report), table_key(room.id, "here")
        hub.store.send(_ignore, "HSET", key, hub.node, word)
        hub.store.send(_ignore, "EXPIRE", key, 60)
        hub.store.send(_ignore, "SPUBLISH", channel(room.id), b"here " + word)

    async def load(self, room: Room) -> None:
        """What the nodes have said of this table."""
        answer = await self._hub.store.call("HGETALL", table_key(room.id, "here"))
        for word in answer[1::2]:
            report = read_report(word)
            room.reports[report.node] = report


def _ignore(answer: Any) -> None:
    if isinstance(answer, Exception):
        log.warning("the store was not told who is at a table: %s", answer)
