"""Rates that one node counts by itself, by the generic cell rate algorithm as in limits.lua."""

from __future__ import annotations

from math import ceil

from server.requests.limits.limits import BY_NAME, Limits

MAX_KEPT = 50_000  # rates of which something is taken; if there are more, those that are unused soonest are forgotten


class NodeRates:
    """What has been taken of each rate, by the name of its limit and by whom it concerns."""

    def __init__(self, limits: Limits) -> None:
        self._numbers = limits.numbers
        self._unused_at: dict[tuple[str, str], float] = {}  # when nothing of the rate is taken any more, in ms

    def spend(self, name: str, subject: str, now: int, amount: int = 1) -> int:
        """Spend `amount` and return 0, or spend nothing and return the ms until there is enough."""
        window_s, number = BY_NAME[name].window_s, self._numbers[name]
        assert window_s
        window = window_s * 1000
        if number < amount:
            return window
        key = name, subject
        taken = max(self._unused_at.get(key, 0.0), now) + amount * window / number
        if taken > now + window + 0.001 and amount > 0:
            return ceil(taken - now - window)
        if len(self._unused_at) >= MAX_KEPT and key not in self._unused_at:
            self._trim(now)
        self._unused_at[key] = taken
        return 0

    def _trim(self, now: int) -> None:
        kept = sorted((at, key) for key, at in self._unused_at.items() if at > now)
        self._unused_at = {key: at for at, key in kept[-MAX_KEPT // 2 :]}
