"""Says what the house's master would do: reads questions from standard input, and answers each with a move.

A question is a line with a msgpack map in hex: {game, ask, view, offers, events}. So is the answer, which is the move.
The view, the offers and the events are those of one seat, so the master knows what the seat knows.
"""

from __future__ import annotations

import os
import random
import sys
from typing import Any

import msgspec

from bots.budget import Budget
from bots.generic import only_move
from bots.memory import recall
from bots.offers import Move
from bots.players import SearchTask, think

BUDGET = Budget(cpu_s=1.0, wall_s=2.5)  # more than a master at a table has, because only people ask


def advise(game: str, ask: int, view: dict[str, Any], offers: list[Any], events: list[dict[str, Any]]) -> Move:
    """The move of a master who sees this view and has seen these events."""
    only = only_move(offers)
    if only is not None:
        return only
    chance, memory = random.Random(ask), recall(game, events) if events else None
    return think(SearchTask(game, "master", view, offers, chance, BUDGET, memory)).move


def main() -> None:
    """Answer questions with a low priority, so that live games have the CPU first."""
    os.nice(10)
    for line in sys.stdin:
        move = advise(**msgspec.msgpack.decode(bytes.fromhex(line)))
        sys.stdout.write(msgspec.msgpack.encode(move).hex() + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
