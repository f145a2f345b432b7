"""The heartbeat of this node, and what it learns from the answer: the faults of all nodes, and whether clocks agree."""

from __future__ import annotations

from server.store.heartbeats import Heartbeats, NodeFault
from server.tables.rooms.clock_skew import ClockSkew
from server.tables.rooms.service_clock import ServiceClock, wall_clock_ms

REPORTED_MS = 250  # a shorter stall is reported together with the next ones, so that the list of faults stays short


class NodeHeartbeat:
    """Sends heartbeats and records what the store answers."""

    def __init__(self, heartbeats: Heartbeats, clock: ServiceClock, skew: ClockSkew) -> None:
        self._heartbeats = heartbeats
        self._clock = clock
        self._skew = skew
        self._short_ms = 0  # the time of short stalls that is not reported yet
        self._counted_until = 0

    async def beat(self, now: int) -> None:
        """Record that this node is alive, and learn of faults."""
        sent = wall_clock_ms()
        known = await self._heartbeats.beat(now)
        self._skew.measure(sent, known.store_ms, wall_clock_ms())
        self._clock.record_heartbeat(now, known)

    def stalled(self, seconds: float) -> None:
        """The store has not answered this node for so long, which may be too short for a heartbeat to be missed."""
        now, ms = self._clock.now(), round(seconds * 1000)
        if ms < REPORTED_MS:
            ms = self._add_short(now, ms)
        if ms >= REPORTED_MS:
            fault = NodeFault(now - ms, now, self._clock.node)
            self._clock.record_fault(fault)
            self._heartbeats.report(fault)

    def _add_short(self, now: int, ms: int) -> int:
        """Add a short stall to the ones before, and return what is to be reported of them now, or 0.

        A time in which several servers stalled counts once.
        """
        self._short_ms += now - min(now, max(now - ms, self._counted_until))
        self._counted_until = now
        if self._short_ms < REPORTED_MS:
            return 0
        reported, self._short_ms = self._short_ms, 0
        return reported

    async def end(self) -> None:
        """The node stops on purpose."""
        await self._heartbeats.end()
