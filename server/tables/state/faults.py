"""How much time a player has lost because this service was at fault (P5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol


class SeatFaults(Protocol):
    """What is known at a table about faults of the service."""

    def lost_ms(self, seat: int, since: int, /) -> int:
        """How much time since then does not count for this seat."""

    def is_complete(self, seat: int, until: int, /) -> bool:
        """Whether all faults that concern this seat are known up to this time."""


class NoFaults:
    """A service that never fails."""

    def lost_ms(self, seat: int, since: int) -> int:
        return 0

    def is_complete(self, seat: int, until: int) -> bool:
        return True


def union_ms(intervals: Iterable[tuple[int, int]], since: int) -> int:
    """How many milliseconds after `since` are in at least one of these intervals."""
    total, counted = 0, since
    for begin, end in sorted(intervals):
        if end > counted:
            total += end - max(begin, counted)
            counted = end
    return total
