"""The rate limit of one connection."""

from __future__ import annotations

from time import monotonic


class ConnectionRate:
    """A rate limit: `capacity` at once, and `rate` per second after that."""

    __slots__ = ("_at", "_capacity", "_level", "_rate")

    def __init__(self, capacity: float, rate: float) -> None:
        self._capacity = self._level = capacity
        self._rate = rate
        self._at = monotonic()

    def spend(self, amount: float) -> int:
        """Spend `amount` and return 0, or spend nothing and return the milliseconds until there is enough."""
        now = monotonic()
        self._level = min(self._capacity, self._level + (now - self._at) * self._rate)
        self._at = now
        if self._level >= amount:
            self._level -= amount
            return 0
        return max(1, int((amount - self._level) / self._rate * 1000))

    def charge(self, amount: float) -> None:
        """Spend `amount` even if the level falls below zero."""
        self.spend(0)
        self._level -= amount

    def exhaust(self, wait_ms: int) -> None:
        """Empty the bucket so that it stays below zero for this time."""
        self.spend(0)
        self._level = min(self._level, -wait_ms / 1000 * self._rate)

    def wait_ms(self) -> int:
        """The milliseconds until the level is no longer below zero."""
        return 0 if self._level >= 0 else self.spend(0)
