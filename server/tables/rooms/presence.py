"""Reports who is at the tables of this node to the other nodes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from itertools import islice

import msgspec

from server.store import keys
from server.store.answers import Answer, log_failure
from server.store.store import Store
from server.store.table_channel import PRESENCE
from server.tables.rooms.commands import FunctionCommand
from server.tables.rooms.room import Room
from server.tables.rooms.service_clock import ServiceClock
from server.tables.state.decisions import Decision
from server.tables.state.presence_reports import FRESH_MS, Report, read_report
from server.tables.state.table import Table
from server.tables.state.time_decisions import give_back

REPORT_S = 0.5  # changes are gathered for so long before they are reported
AT_ONCE = 50  # tables that are reported together
PAUSE_S = 0.02  # between them and the next ones
# Shorter losses are given back only when the deadline passes, so that a brief stall does not append to every table.
GIVE_BACK_MS = 1_000
KEPT_S = 60  # how long the store keeps the reports about a table

encode = msgspec.msgpack.Encoder().encode


class Presence:
    """Writes and publishes this node's reports, and reads those of all nodes."""

    def __init__(self, store: Store, clock: ServiceClock, node: str) -> None:
        self._store = store
        self._clock = clock
        self._node = node
        self._changed: dict[str, Room] = {}

    def report_soon(self, room: Room) -> None:
        """Report who is at this table, together with other changes of the next half second."""
        if not self._changed:
            asyncio.get_running_loop().call_later(REPORT_S, self._report_changed)
        self._changed[room.id] = room

    def _report_changed(self) -> None:
        """Report some of the changed tables: moves must not wait behind the reports of thousands of tables."""
        now = self._clock.now()
        for table in tuple(islice(self._changed, AT_ONCE)):
            room = self._changed.pop(table)
            if room.table is None:
                room.sync.catch_up()
            elif self._clock.was_at_fault(now - FRESH_MS, now):
                self.read(room, partial(self._report_after_fault, room))
            else:
                self.report(room)
        if self._changed:
            asyncio.get_running_loop().call_later(PAUSE_S, self._report_changed)

    def _report_after_fault(self, room: Room, known: bool) -> None:
        """Give lost time back while the reports still say where the players were during the fault."""

        def judge(table: Table, at: int) -> Decision:
            return give_back(table, at, room.faults(at), GIVE_BACK_MS)

        def report(*_: object) -> None:
            self.report(room)

        if known:
            room.submit(FunctionCommand(judge, report, report, self._clock.now()))
        else:
            self.report(room)

    def stop(self) -> None:
        """Report nothing more."""
        self._changed.clear()

    def report(self, room: Room) -> None:
        """Report who is at this table now, and compare the table with the length of its log, all by one command."""
        viewers = room.viewers
        seats = viewers.seats_here(room.table)
        payload = encode(Report(self._node, self._clock.now(), viewers.watchers, seats, viewers.named))
        used = keys.table_presence(room.id), keys.table_channel(room.id), keys.table_log(room.id)

        def reported(answer: Answer) -> None:
            log_failure("reporting who is at a table", answer)
            if room.viewers:
                room.sync.check_length(answer)

        self._store.send(reported, "FCALL", "report_presence", 3, *used, self._node, payload, KEPT_S, PRESENCE)

    def read(self, room: Room, then: Callable[[bool], None]) -> None:
        """Read what all nodes have reported about this table; `then` gets whether the store has answered."""

        def answered(answer: Answer) -> None:
            known = not isinstance(answer, Exception)
            if known:
                room.presence_reports.read(map(read_report, answer[1::2]), self._clock.now())
            then(known)

        self._store.send(answered, "HGETALL", keys.table_presence(room.id))

    async def load(self, room: Room) -> None:
        """Read what all nodes have reported about this table."""
        answer = await self._store.call("HGETALL", keys.table_presence(room.id))
        room.presence_reports.read(map(read_report, answer[1::2]), self._clock.now())
