"""What a bot is asked and what it answers: offers with blanks, and moves that fill them."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from typing import Any

View = dict[str, Any]
Offer = dict[str, Any]
Move = dict[str, Any]
Info = dict[str, Any]
Chosen = Move | tuple[Move, str]  # a move, or a move and a note for the replay
Choose = Callable[[View, list[Offer], random.Random], Chosen | Awaitable[Chosen]]


def fill(offer: Offer, chance: random.Random) -> Move:
    """A filling of the offer by chance: a legal move."""
    move: Move = {"type": offer["move"]}
    for name, blank in offer["fill"].items():
        if not isinstance(blank, dict):
            move[name] = blank
        elif "of" not in blank:
            move[name] = chance.randint(blank["least"], blank["most"])
        elif "least" not in blank:
            move[name] = chance.choice(blank["of"])
        else:
            move[name] = chance.sample(blank["of"], chance.randint(blank["least"], blank["most"]))
    return move


def parts(chosen: Chosen) -> tuple[Move, str | None]:
    """The move and the note of what `choose` has answered."""
    return chosen if isinstance(chosen, tuple) else (chosen, None)
