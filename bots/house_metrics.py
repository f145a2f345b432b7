"""What the house bots count, for Prometheus. The supervisor serves it with the metrics of the nodes."""

from __future__ import annotations

import time

from prometheus_client import CollectorRegistry, Counter, Histogram

from bots.seats import Decision, Seat

HOW = ("full", "short", "quick")
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.5, 5.0)


class HouseMetrics:
    """Decisions of masters, by how much they could think, and how long people wait for bots beyond their pauses."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        text = "Decisions of bots that search: with a full or a short search, or quick ones without any"
        self._decisions = Counter("cheeseboard_bot_searches", text, ["how"], registry=self.registry)
        for how in HOW:
            self._decisions.labels(how)
        text = "From the entry that led to an ask until a house bot's move was accepted, without the bot's pause"
        self._answers = Histogram(
            "cheeseboard_bot_answer_seconds", text, ["level"], registry=self.registry, buckets=SECONDS
        )

    def decided(self, how: str) -> None:
        """Count a decision."""
        self._decisions.labels(how).inc()

    def answered(self, seat: Seat, decision: Decision) -> None:
        """Count an accepted move. The server runs on this machine, so both clocks are the same."""
        if decision.at is not None and "you" in seat.info:
            level = seat.info["seats"][seat.info["you"]].get("level") or "rookie"
            self._answers.labels(level).observe(max(0.0, time.time() - decision.at / 1000 - decision.pause_s))
