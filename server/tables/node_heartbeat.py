"""The heartbeat of this node, and what it learns from the answer: the faults of all nodes, and whether clocks agree."""

from __future__ import annotations

from server.store.heartbeats import Heartbeats, NodeFault
from server.tables.clock_skew import ClockSkew
from server.tables.service_clock import ServiceClock, wall_clock_ms


class NodeHeartbeat:
    """Sends heartbeats and records what the store answers."""

    def __init__(self, heartbeats: Heartbeats, clock: ServiceClock, skew: ClockSkew) -> None:
        self._heartbeats = heartbeats
        self._clock = clock
        self._skew = skew

    async def beat(self, now: int) -> None:
        """Record that this node is alive, and learn of faults."""
        sent = wall_clock_ms()
        known = await self._heartbeats.beat(now)
        self._skew.measure(sent, known.store_ms, wall_clock_ms())
        self._clock.record_heartbeat(now, known)

    def stalled(self, seconds: float) -> None:
        """The store has not answered this node for so long, which may be too short for a heartbeat to be missed."""
        now = self._clock.now()
        fault = NodeFault(now - round(seconds * 1000), now, self._clock.node)
        self._clock.record_fault(fault)
        self._heartbeats.report(fault)

    async def end(self) -> None:
        """The node stops on purpose."""
        await self._heartbeats.end()
