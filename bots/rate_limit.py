"""The limit of requests that a bot keeps by itself."""

from __future__ import annotations

import asyncio
import time


class RateLimit:
    """A token bucket that keeps requests within the limits of `welcome`, so that none is refused as too many."""

    def __init__(self, limits: dict[str, int]) -> None:
        self._most = max(1.0, limits.get("burst", 60) - 6.0)
        self._rate = limits.get("requests_per_second", 20) * 0.95
        self._left, self._at = self._most, time.monotonic()

    async def wait(self, type: str) -> None:  # noqa: A002
        """Wait until a request of this type may be sent; moves are not limited (P17)."""
        if type == "move":
            return
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._at) * self._rate)
        self._at = now
        self._left -= 5 if type in ("create", "rematch") else 1
        if self._left < 0:
            await asyncio.sleep(-self._left / self._rate)
