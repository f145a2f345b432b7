"""Compares the clock of this machine with that of the store. Deadlines are times of day, so all clocks must agree."""

from __future__ import annotations

import logging
from collections.abc import Callable

log = logging.getLogger("cheeseboard.clock")

MAX_SKEW_MS = 200  # how far clocks may differ; heartbeats leave 250 ms before a node counts as silent
MAX_ROUND_TRIP_MS = 100  # a slower answer says too little


class ClockSkew:
    """Measures the difference, and warns when it becomes too large; `publish` gets it in seconds."""

    def __init__(self, publish: Callable[[float], object]) -> None:
        self._publish = publish
        self._too_large = False

    def measure(self, sent_ms: int, store_ms: int, received_ms: int) -> None:
        """The store answered a command with its own time; `sent_ms` and `received_ms` are this machine's."""
        if received_ms - sent_ms > MAX_ROUND_TRIP_MS:
            return
        skew_ms = (sent_ms + received_ms) // 2 - store_ms
        self._publish(skew_ms / 1000)
        too_large = abs(skew_ms) > MAX_SKEW_MS
        if too_large and not self._too_large:
            text = "the clocks of this machine and of the store differ by %d ms, and %d are allowed: players lose time"
            log.warning(text, skew_ms, MAX_SKEW_MS)
        elif self._too_large and not too_large:
            log.warning("the clocks of this machine and of the store agree again")
        self._too_large = too_large
