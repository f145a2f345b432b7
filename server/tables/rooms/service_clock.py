"""The time of the service: what time it is, when nodes were at fault, and which table must be checked when."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from heapq import heappop, heappush
from time import time

from server.store.heartbeats import FAULT_MS, GONE_MS, KnownHeartbeats, NodeFault
from server.tables.state.faults import union_ms

OWN_FAULTS = 100  # of this node that it remembers itself
REPORTED_MS = 30_000  # a report of who is at a table is repeated every ten seconds, so an older one is of a dead node


def wall_clock_ms() -> int:
    """Milliseconds since 1970."""
    return int(time() * 1000)


def utc_text(ms: int) -> str:
    """A time in milliseconds since 1970 for people, such as 2026-01-31 18:05 UTC."""
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


class ServiceClock:
    """The time, the known faults, and a timer for the next deadline of each table that this node has written to.

    The nodes check all deadlines of the store regularly; the timers only make a table's own node punctual.
    `heartbeats` is replaced only when faults become known, so a room that finds the same object knows of no new ones.
    """

    def __init__(self, node: str = "") -> None:
        self.node = node
        self.now: Callable[[], int] = wall_clock_ms
        self.heartbeats = KnownHeartbeats()
        self.heartbeat_at = 0
        self._beats: dict[str, int] = {}
        self._own: deque[NodeFault] = deque(maxlen=OWN_FAULTS)
        self._on_due: Callable[[list[str]], None] | None = None
        self._heap: list[tuple[int, str]] = []  # deadline, table
        self._next: dict[str, int] = {}  # a table's only valid deadline in the heap
        self._timer: asyncio.TimerHandle | None = None

    def is_known(self, at: int) -> bool:
        """Whether all outages before this time are known; until then nobody's time may run out."""
        return at - self.heartbeat_at < FAULT_MS

    def record_heartbeat(self, at: int, known: KnownHeartbeats) -> None:
        """The store has recorded a heartbeat of this node, and knows these heartbeats and faults."""
        self._beats = known.beats
        known = self._with_own(known)
        if known[:2] != self.heartbeats[:2]:
            self.heartbeats = known
        self.heartbeat_at = at

    def record_fault(self, fault: NodeFault) -> None:
        """This node itself has noticed that it was at fault; the store is told, and answers with it from then on."""
        self._own.append(fault)
        self.heartbeats = self._with_own(self.heartbeats)

    def has_just_stalled(self, now: int) -> bool:
        """Whether a long fault of this node ended a moment ago: others may have had it too and not reported it yet."""
        return any(fault.is_long and now - fault.end < FAULT_MS for fault in self._own)

    def _with_own(self, known: KnownHeartbeats) -> KnownHeartbeats:
        missing = tuple(fault for fault in self._own if fault not in known.faults)
        return known._replace(faults=known.faults + missing) if missing else known

    def lost_ms(self, nodes: Mapping[str, int], since: int, now: int) -> int:
        """How much time since then the service took from a player who was connected to these nodes.

        `nodes` has the time of each node's last report of the player. A silent node is at fault until now.
        """
        lost = list(self.heartbeats.outages)
        for begin, end, node in self.heartbeats.faults:
            if node in nodes and begin - nodes[node] < REPORTED_MS:
                lost.append((begin, end))
        for node in nodes:
            beat = self._beats.get(node, now)
            if self.is_silent(node, now) and beat - nodes[node] < REPORTED_MS:
                lost.append((beat, min(now, beat + GONE_MS)))
        return union_ms(lost, since)

    def is_silent(self, node: str, now: int) -> bool:
        """Whether the last heartbeat of another node is too long ago."""
        return node != self.node and now - self._beats.get(node, now) > FAULT_MS

    def was_alive(self, node: str, at: int) -> bool:
        """Whether `node` has sent a heartbeat at `at` or later; also True if none of its heartbeats is known."""
        return node == self.node or self._beats.get(node, at) >= at

    def last_fault_began(self, now: int) -> int:
        """When a node last became silent, as far as is known; 0 if none has."""
        began = [beat for node, beat in self._beats.items() if self.is_silent(node, now)]
        return max(began + [fault.begin for fault in self.heartbeats.faults if fault.is_long], default=0)

    def was_at_fault(self, since: int, now: int) -> bool:
        """Whether the service was away, or a node of it silent, at some time since then."""
        known = self.heartbeats
        ends = [end for _, end in known.outages] + [fault.end for fault in known.faults if fault.is_long]
        return max(ends, default=0) > since or any(self.is_silent(node, now) for node in self._beats)

    # Timers.

    def start(self, on_due: Callable[[list[str]], None]) -> None:
        """Call back with the tables whose deadline passes."""
        self._on_due = on_due

    def schedule(self, deadline: int, table: str) -> None:
        """Call back at this time, unless an earlier time is already scheduled for the table."""
        if self._next.get(table, deadline + 1) <= deadline:
            return
        self._next[table] = deadline
        heappush(self._heap, (deadline, table))
        if self._heap[0] == (deadline, table):
            self._set_timer()

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        wait_s = max(0, self._heap[0][0] - self.now()) / 1000
        self._timer = asyncio.get_running_loop().call_later(wait_s, self._ring)

    def _ring(self) -> None:
        now, heap = self.now(), self._heap
        due = []
        while heap and heap[0][0] <= now:
            deadline, table = heappop(heap)
            if self._next.get(table) == deadline:
                del self._next[table]
                due.append(table)
        if heap:
            self._set_timer()
        if due and self._on_due is not None:
            self._on_due(due)
