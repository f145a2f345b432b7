"""Counts what went wrong with the store in this process; the node adds the counts to its metrics."""

from __future__ import annotations

from collections import Counter
from typing import Literal

StoreFault = Literal["timeout", "lost", "rollback"]

FAULTS: Counter[str] = Counter()  # emptied twice a second


def count(fault: StoreFault) -> None:
    """Count a command without an answer, a lost connection, or a store that has lost what it had executed."""
    FAULTS[fault] += 1
