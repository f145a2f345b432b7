"""When the passing of time next changes something at a table, as far as this node knows."""

from __future__ import annotations

from server.tables.rooms.service_clock import ServiceClock
from server.tables.state.deadlines import next_deadline_ms, seat_deadlines
from server.tables.state.decisions import NOTHING, Decision
from server.tables.state.faults import SeatFaults
from server.tables.state.table import Table
from server.tables.state.time_decisions import overdue


class RoomDeadline:
    """The next deadline of one table. Time changes nothing at the table before `at`, unless there was a fault."""

    __slots__ = ("_clock", "_heartbeats", "_table", "at")

    def __init__(self, table: str, clock: ServiceClock) -> None:
        self.at = 0  # not known
        self._table = table
        self._clock = clock
        self._heartbeats = clock.heartbeats  # what `at` takes into account

    def is_ahead(self, now: int) -> bool:
        """Whether time has changed nothing at the table so far."""
        return now < self.at and self._clock.heartbeats is self._heartbeats

    def overdue(self, table: Table, now: int, faults: SeatFaults) -> Decision:
        """What the passing of time has led to before this moment."""
        heartbeats = self._clock.heartbeats
        if table.status != "running" or not self._clock.is_known(now):
            return NOTHING
        decision = overdue(table, now, faults)
        if not decision:
            self.set(next_deadline_ms(table, seat_deadlines(table)))
            self._heartbeats = heartbeats
        return decision

    def set(self, deadline: int) -> bool:
        """Record the next deadline. Returns True if the stored deadline is already no later: nothing needs writing.

        A table that is checked too early is postponed. So after every entry the stored deadline is no later than the
        table's own.
        """
        before, self.at = self.at, deadline
        if 0 < before <= deadline:
            return True
        self._clock.schedule(deadline, self._table)
        return False

    def forget(self) -> None:
        """The table has changed without this node: compute its deadline when it is needed."""
        self.at = 0
