"""What is counted, for Prometheus. Several nodes on one machine add up through files in a folder of their own.

A Prometheus counter costs a system call for every move, so what a move counts is kept in plain numbers that
`publish` hands on a few times a second.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections import Counter as Tally

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, multiprocess

BUCKETS_S = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5)


class Metrics:
    """The figures of this node."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        of = self.registry
        self.updates = 0
        self.conflicts = 0
        self.loads = 0
        self.moves: Tally[tuple[str, str]] = Tally()
        self._took = [0] * (len(BUCKETS_S) + 1)
        self._took_s = 0.0
        self._moves = Counter("cheeseboard_moves", "Moves in the log", ["game", "by"], registry=of)
        self._updates = Counter("cheeseboard_updates", "Updates encoded, one for each viewpoint", registry=of)
        self._conflicts = Counter("cheeseboard_conflicts", "Appends that another node was faster with", registry=of)
        self._loads = Counter("cheeseboard_loads", "Tables folded from their whole log", registry=of)
        self._commit = Histogram(
            "cheeseboard_move_seconds", "From a move's arrival to its acknowledgement", buckets=BUCKETS_S, registry=of
        )
        self.ended = Counter("cheeseboard_tables_ended", "Tables that ended", ["game", "how"], registry=of)
        self.errors = Counter("cheeseboard_errors", "Requests refused", ["code"], registry=of)
        self.cut = Counter("cheeseboard_connections_cut", "Connections closed by the server", ["why"], registry=of)
        self.connections = Gauge("cheeseboard_connections", "Open websockets", registry=of, multiprocess_mode="livesum")
        self.rooms = Gauge("cheeseboard_rooms", "Tables held in memory", registry=of, multiprocess_mode="livesum")
        self.lag = Gauge(
            "cheeseboard_loop_lag_seconds", "How late the event loop is", registry=of, multiprocess_mode="livemax"
        )

    def took(self, seconds: float) -> None:
        """A move was acknowledged so long after it came."""
        self._took[bisect_left(BUCKETS_S, seconds)] += 1
        self._took_s += seconds

    def publish(self) -> None:
        """Hand on what was counted since the last time."""
        if self._took_s:
            _add(self._commit, self._took, self._took_s)
            self._took, self._took_s = [0] * len(self._took), 0.0
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

    def text(self) -> bytes:
        """The figures of all nodes of this machine, or of this one where it is alone."""
        self.publish()
        if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
            return generate_latest(self.registry)
        together = CollectorRegistry()
        multiprocess.MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)


def _add(to: Histogram, counts: list[int], total_s: float) -> None:
    """So many more observations in each bucket of a histogram, and how long they took together."""
    to._sum.inc(total_s)
    for bucket, count in zip(to._buckets, counts, strict=True):
        if count:
            bucket.inc(count)
