"""The limit of requests that every connection of a bot must keep (P17)."""

from __future__ import annotations

from bots.conform.table import LIMITS


class RequestRate:
    """Counts requests as the server does: a burst at once, then so many each second. Moves do not count."""

    def __init__(self) -> None:
        self._burst, self._per_s = LIMITS["burst"], LIMITS["requests_per_second"]
        self._left = float(self._burst)
        self._at: float | None = None

    def exceeded_by(self, now: float) -> bool:
        """Count a request at this time in seconds; returns whether it is above the limit."""
        if self._at is not None:
            self._left = min(self._burst, self._left + (now - self._at) * self._per_s)
        self._at = now
        self._left -= 1
        return self._left < 0

    def __str__(self) -> str:
        return f"{self._per_s} requests a second, in bursts of up to {self._burst}"
