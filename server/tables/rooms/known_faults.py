"""The faults of the service that concern the seats of one table, as far as this node knows them."""

from __future__ import annotations

from collections.abc import Container

from server.tables.rooms.service_clock import ServiceClock
from server.tables.state.presence_reports import PresenceReports


class KnownFaults:
    """The faults at the moment `now` (SeatFaults).

    A player is at the nodes that have reported them, and at this node if their seat is in `seats_here`.
    """

    def __init__(
        self, clock: ServiceClock, reports: PresenceReports, seats_here: Container[int | None], now: int
    ) -> None:
        self._clock = clock
        self._reports = reports
        self._seats_here = seats_here
        self._now = now

    def _nodes(self, seat: int) -> dict[str, int]:
        nodes = self._reports.nodes_of(seat)
        if seat in self._seats_here:
            nodes[self._clock.node] = self._now
        return nodes

    def lost_ms(self, seat: int, since: int) -> int:
        """How much time since then does not count for this seat."""
        return self._clock.lost_ms(self._nodes(seat), since, self._now)

    def is_complete(self, seat: int, until: int) -> bool:
        """Whether all faults that concern this seat are known up to this time.

        The nodes of a player must have been alive then, or be silent: in that case it is known since when. After a
        long stall of the store they need a moment to report it.
        """
        clock, now = self._clock, self._now
        if seat in self._seats_here:
            return True
        if clock.has_just_stalled(now) or self._reports.read_at < clock.last_fault_began(now):
            return False
        return all(clock.was_alive(node, until) or clock.is_silent(node, now) for node in self._nodes(seat))
