"""How much a master may think about one decision: a number of imagined deals, CPU time, or time."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """The most that one search may use. With deals alone a seed chooses the same move on every machine.

    `wall_s` is time on the clock, in which a busy machine gives less CPU time. `depth` is the number of own decisions
    in the search tree, the one at hand included.
    """

    deals: int = 10_000
    cpu_s: float | None = None
    wall_s: float | None = None
    depth: int = 3

    def start(self) -> Meter:
        """Begin to measure."""
        return Meter(self)


class Meter:
    """What is left of a budget."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._until = None if budget.cpu_s is None else time.thread_time() + budget.cpu_s
        self._wall_until = None if budget.wall_s is None else time.monotonic() + budget.wall_s
        self.deals = 0

    def take_deal(self) -> bool:
        """Count one more deal; whether the budget allows it."""
        if self.deals >= self._budget.deals:
            return False
        if self._until is not None and time.thread_time() >= self._until:
            return False
        if self._wall_until is not None and time.monotonic() >= self._wall_until:
            return False
        self.deals += 1
        return True


def read_budget(text: str) -> Budget:
    """The budget that a text names: "200" is a number of deals, "0.05s" a CPU time."""
    try:
        found = Budget(cpu_s=float(text[:-1])) if text.endswith("s") else Budget(int(text))
    except ValueError:
        found = Budget(0)
    if found.deals < 1 or (found.cpu_s is not None and not found.cpu_s > 0):
        raise ValueError(f"{text!r} is no budget such as 200 (imagined deals) or 0.05s (CPU seconds)")
    return found
