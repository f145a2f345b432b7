"""The metrics of a node, for Prometheus. The nodes of one machine share a folder, and the supervisor serves the sum.

A Prometheus counter writes to a memory-mapped file, which costs too much for every move. So the counts of the hot path
are plain numbers here, and `publish` adds them to the Prometheus counters twice a second.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import Counter as Tally
from collections.abc import Callable
from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

PUBLISH_S = 0.5
SAMPLES = 5  # of the delay of timers, in that time
BUCKETS_S = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5)


class Metrics:
    """The counters and gauges of this node."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.updates = 0
        self.conflicts = 0
        self.loads = 0
        self.moves: Tally[tuple[str, str]] = Tally()
        self._move_seconds: list[float] = []  # of the moves since the last `publish`
        counter = partial(Counter, registry=self.registry)
        gauge = partial(Gauge, registry=self.registry)
        self._moves = counter("cheeseboard_moves", "Moves appended to logs, by game and by maker", ["game", "by"])
        self._updates = counter("cheeseboard_updates", "Updates encoded, one per entry and viewpoint")
        self._conflicts = counter("cheeseboard_conflicts", "Appends refused because another node was faster")
        self._loads = counter("cheeseboard_loads", "Tables folded from their whole log")
        name, text = "cheeseboard_move_seconds", "Seconds from the arrival of a move to its acknowledgement"
        self._acknowledgements = Histogram(name, text, buckets=BUCKETS_S, registry=self.registry)
        self.ended = counter("cheeseboard_tables_ended", "Tables that are over, by game and by how", ["game", "how"])
        text = "Faults of the store, by what: no answer, a late answer, a lost connection, lost entries"
        self._store_faults = counter("cheeseboard_store_faults", text, ["what"])
        for what in ("timeout", "stall", "lost", "rollback"):
            self._store_faults.labels(what)
        text = "Time that players got back because the service was at fault, summed over seats"
        self.given_back = counter("cheeseboard_given_back_seconds", text)
        text = "Logs found that cannot be folded to their end, whose tables are closed"
        self.broken_logs = counter("cheeseboard_broken_logs", text)
        self.errors = counter("cheeseboard_errors", "Requests refused, by error code", ["code"])
        self.cut = counter("cheeseboard_connections_cut", "Connections closed by the server, by reason", ["why"])
        self.connections = gauge("cheeseboard_connections", "Open websockets", multiprocess_mode="livesum")
        self.rooms = gauge("cheeseboard_rooms", "Tables held folded in memory", multiprocess_mode="livesum")
        text = "The part of the store's maxmemory that is used"
        self.store_memory = gauge("cheeseboard_store_memory_used", text, multiprocess_mode="livemax")
        text = "By how much the clock of this machine is ahead of that of the store, in seconds"
        self.clock_skew = gauge("cheeseboard_clock_skew_seconds", text, multiprocess_mode="livemostrecent")
        name, text = (
            "cheeseboard_timer_delay_seconds",
            "By how much the event loop runs a timer late, ten times a second",
        )
        self._timer_delays = Histogram(name, text, buckets=BUCKETS_S, registry=self.registry)
        self._delays: list[float] = []  # since the last `publish`
        text = "The longest delay of a timer of the event loop in the last half second, in seconds"
        self.lag = gauge("cheeseboard_loop_lag_seconds", text, multiprocess_mode="livemax")

    def move_acknowledged(self, seconds: float) -> None:
        """Record how long after its arrival a move was acknowledged."""
        self._move_seconds.append(seconds)

    def publish(self) -> None:
        """Add what was counted since the last call to the Prometheus counters."""
        if self._move_seconds:
            _add(self._acknowledgements, self._move_seconds)
            self._move_seconds = []
        if self._delays:
            _add(self._timer_delays, self._delays)
            self._delays = []
        for (game, by), count in self.moves.items():
            self._moves.labels(game, by).inc(count)
        self.moves.clear()
        for counter, count in (
            (self._updates, self.updates),
            (self._conflicts, self.conflicts),
            (self._loads, self.loads),
        ):
            if count:
                counter.inc(count)
        self.updates = self.conflicts = self.loads = 0

    def add_store_faults(self, faults: Tally[str]) -> None:
        """Move what was counted about the store to the Prometheus counters."""
        for what, count in faults.items():
            self._store_faults.labels(what).inc(count)
        faults.clear()

    async def run(self, rooms: Callable[[], int], store_faults: Tally[str]) -> None:
        """Publish twice a second, for ever; `rooms` counts the tables in memory."""
        loop = asyncio.get_running_loop()
        while True:
            for _ in range(SAMPLES):
                began = loop.time()
                await asyncio.sleep(PUBLISH_S / SAMPLES)
                self._delays.append(max(0.0, loop.time() - began - PUBLISH_S / SAMPLES))
            self.lag.set(max(self._delays))
            self.rooms.set(rooms())
            self.add_store_faults(store_faults)
            self.publish()


def _add(histogram: Histogram, seconds: list[float]) -> None:
    """Add observations to a histogram, each bucket once."""
    histogram._sum.inc(sum(seconds))
    seconds.sort()
    ends = [*(bisect_right(seconds, bound) for bound in BUCKETS_S), len(seconds)]
    before = 0
    for bucket, end in zip(histogram._buckets, ends, strict=True):
        if end > before:
            bucket.inc(end - before)
        before = end
