"""The rooms of this node: the tables that it holds folded in memory."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Container, Iterator

from protocol.codec import ProtocolError
from server.store import keys
from server.store.table_channel import TableChannel
from server.store.table_log import TableLog
from server.tables.rooms.commands import FunctionCommand
from server.tables.rooms.room import Room
from server.tables.rooms.room_observer import RoomObserver
from server.tables.rooms.service_clock import ServiceClock
from server.tables.rooms.viewers import Viewers
from server.tables.state.decisions import Decision
from server.tables.state.entries import Entry, Opened
from server.tables.state.table import EntryWithEvents, Table

MAX_IDLE_ROOMS = 2_000  # rooms without viewers; the longest unused ones are dropped first
OVER_MS = 2_000  # how long the room of a table that is over stays when it is idle: a page may be loaded again
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
ID_LENGTH = 13  # whoever has the id of a private table can open it, so it must not be guessed; see also keys.shard


class Rooms:
    """Finds and makes rooms. A room is a cache of a log, so any idle room may be dropped."""

    def __init__(
        self,
        log: TableLog,
        make_channel: Callable[[str], TableChannel],
        make_viewers: Callable[[], Viewers],
        clock: ServiceClock,
        observer: RoomObserver[Room],
        is_home: Callable[[str], bool],
    ) -> None:
        self._log = log
        self._make_channel = make_channel
        self._make_viewers = make_viewers
        self._clock = clock
        self._observer = observer
        self._rooms: dict[str, Room] = {}
        self._watched = 0  # rooms that were not idle at the last trim
        self._is_home = is_home

    def __len__(self) -> int:
        return len(self._rooms)

    def __iter__(self) -> Iterator[Room]:
        return iter(tuple(self._rooms.values()))

    def find(self, table: str) -> Room | None:
        """The room of this table, if this node has it in memory."""
        return self._rooms.get(table)

    def watchers(self, table: str) -> int:
        """How many watch this table on this node."""
        room = self._rooms.get(table)
        return 0 if room is None else room.viewers.spectators

    def get(self, table: str) -> Room:
        """The room of this table; its log is read when it is first needed."""
        room = self._rooms.get(table)
        if room is None:
            if len(self._rooms) >= MAX_IDLE_ROOMS + self._watched:
                self._trim()
            channel, viewers = self._make_channel(table), self._make_viewers()
            room = self._rooms[table] = Room(table, self._log, channel, self._clock, self._observer, viewers)
        room.used_at = self._clock.now()
        return room

    def _trim(self) -> None:
        """Drop a tenth of the idle rooms, if there are too many."""
        idle = sorted((room for room in self._rooms.values() if room.idle), key=lambda room: room.used_at)
        self._watched = len(self._rooms) - len(idle)
        if len(idle) >= MAX_IDLE_ROOMS:
            for room in idle[: max(1, MAX_IDLE_ROOMS // 10)]:
                del self._rooms[room.id]

    def drop_over(self) -> None:
        """Drop the rooms of tables that are over and of which nobody has wanted anything for a while."""
        before = self._clock.now() - OVER_MS
        for room in self:
            table = room.table
            if room.idle and room.used_at < before and table is not None and table.status in ("ended", "closed"):
                del self._rooms[room.id]

    def new_id(self) -> str:
        """The id of a new table. Its home is this node, because its host is connected here."""
        while True:
            table = "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))
            if self._is_home(table):
                return table

    def open(
        self,
        table: str,
        entries: tuple[Entry, ...],
        done: Callable[[int, Entry | None, bool], object],
        failed: Callable[[ProtocolError], object],
    ) -> Room:
        """Open a new table with these entries, the first of which is Opened; they are appended together."""
        assert isinstance(entries[0], Opened)
        room = self.get(table)
        decision = tuple(EntryWithEvents(n, entry) for n, entry in enumerate(entries, 1))
        room.open(decision, FunctionCommand(_refuse_taken_id, done, failed, entries[0].at))
        return room

    def mark_unverified(self, shards: Container[int]) -> None:
        """The store may have lost entries: the tables of these shards are compared with their logs before the next
        append."""
        for room in self._rooms.values():
            if keys.shard(room.id) in shards:
                room.sync.mark_unverified()

    def reload_watched(self, shards: Container[int]) -> None:
        """Read what was missed at the tables of these shards that have viewers here."""
        for room in self:
            if room.viewers and keys.shard(room.id) in shards:
                room.sync.catch_up()

    async def settle(self) -> None:
        """Wait until nothing is under way at any table, but no longer than two seconds."""
        for _ in range(200):
            if not any(room.working for room in self._rooms.values()):
                return
            await asyncio.sleep(0.01)


def _refuse_taken_id(table: Table, at: int) -> Decision:
    """Judge of an opening that lost against another table with the same id."""
    raise ProtocolError("busy", "this table could not be opened: try again", retry_after_ms=100)
