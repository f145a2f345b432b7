"""What the house bots count, for Prometheus. The supervisor serves it with the metrics of the nodes."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter

HOW = ("full", "short", "quick")


class HouseMetrics:
    """Decisions of masters, by how much they could think."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        text = "Decisions of bots that search: with a full or a short search, or quick ones without any"
        self._decisions = Counter("cheeseboard_bot_searches", text, ["how"], registry=self.registry)
        for how in HOW:
            self._decisions.labels(how)

    def decided(self, how: str) -> None:
        """Count a decision."""
        self._decisions.labels(how).inc()
