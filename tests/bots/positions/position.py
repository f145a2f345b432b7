"""A position, and whether a move in it is silly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bots.offers import Move

Pattern = dict[str, Any]


@dataclass(frozen=True)
class Position:
    """A decision of seat 0. A move is silly unless it is like one of `best`, and if it is like one of `bad`.

    A move is like a pattern that has the same fields; a pattern may leave fields out. `beginner`: a rookie sees it too.
    """

    name: str
    game: str
    state: Any
    best: Sequence[Pattern] = ()
    bad: Sequence[Pattern] = ()
    beginner: bool = False

    def is_silly(self, move: Move) -> bool:
        """Whether this move should never be made here."""
        missed = bool(self.best) and not any(like(move, one) for one in self.best)
        return missed or any(like(move, one) for one in self.bad)


def like(move: Move, pattern: Pattern) -> bool:
    """Whether the move has everything that the pattern has; lists may be in another order."""
    return all(_plain(move.get(name)) == _plain(value) for name, value in pattern.items())


def _plain(value: object) -> object:
    return sorted(value) if isinstance(value, list | tuple) else value
