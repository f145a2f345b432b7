"""Counts what went wrong with the store in this process; the node adds the counts to its metrics."""

from __future__ import annotations

from collections import Counter
from typing import Literal

StoreFault = Literal["timeout", "lost", "rollback", "stall"]

FAULTS: Counter[str] = Counter()  # emptied twice a second


def count(fault: StoreFault) -> None:
    """Count a command without an answer, a late answer, a lost connection, or the loss of what was executed."""
    FAULTS[fault] += 1
