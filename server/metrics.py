"""What is counted, for Prometheus. Several nodes on one machine add up through files in a folder of their own."""

from __future__ import annotations

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, multiprocess


class Metrics:
    """The figures of this node."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        of = self.registry
        self.moves = Counter("cheeseboard_moves", "Moves in the log", ["game", "by"], registry=of)
        self.ended = Counter("cheeseboard_tables_ended", "Tables that ended", ["game", "how"], registry=of)
        self.updates = Counter("cheeseboard_updates", "Updates encoded, one for each viewpoint", registry=of)
        self.errors = Counter("cheeseboard_errors", "Requests refused", ["code"], registry=of)
        self.conflicts = Counter("cheeseboard_conflicts", "Appends that another node was faster with", registry=of)
        self.loads = Counter("cheeseboard_loads", "Tables folded from their whole log", registry=of)
        self.cut = Counter("cheeseboard_connections_cut", "Connections closed by the server", ["why"], registry=of)
        self.commit = Histogram(
            "cheeseboard_move_seconds",
            "From a move's arrival to its acknowledgement",
            buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5),
            registry=of,
        )
        self.connections = Gauge("cheeseboard_connections", "Open websockets", registry=of, multiprocess_mode="livesum")
        self.rooms = Gauge("cheeseboard_rooms", "Tables held in memory", registry=of, multiprocess_mode="livesum")
        self.lag = Gauge(
            "cheeseboard_loop_lag_seconds", "How late the event loop is", registry=of, multiprocess_mode="livemax"
        )

    def text(self) -> bytes:
        """The figures of all nodes of this machine, or of this one where it is alone."""
        if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
            return generate_latest(self.registry)
        together = CollectorRegistry()
        multiprocess.MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)
