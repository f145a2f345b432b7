"""Views, offers and moves as maps, in the form that they have on the wire, and random moves."""

from __future__ import annotations

import asyncio
import inspect
import random
from collections.abc import Awaitable, Callable
from typing import Any

View = dict[str, Any]
Offer = dict[str, Any]
Move = dict[str, Any]
Info = dict[str, Any]
Chosen = Move | tuple[Move, str]  # a move, or a move with a note for the replay
Choose = Callable[[View, list[Offer], random.Random], Chosen | Awaitable[Chosen]]


def fill(offer: Offer, chance: random.Random) -> Move:
    """Fill the blanks of the offer at random; the result is a legal move."""
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


def finished(chosen: Chosen | Awaitable[Chosen]) -> tuple[Move, str | None]:
    """The move and the note of a `choose` that may be async and was called outside an event loop."""
    return parts(asyncio.run(_awaited(chosen)) if inspect.isawaitable(chosen) else chosen)


async def _awaited(chosen: Awaitable[Chosen]) -> Chosen:
    return await chosen


def parts(chosen: object) -> tuple[Move, str | None]:
    """Split what `choose` returned into the move and the note; raises TypeError if it is neither."""
    move, note = chosen if isinstance(chosen, tuple) and len(chosen) == 2 else (chosen, None)
    if not isinstance(move, dict) or not isinstance(note, str | None):
        raise TypeError(f"choose returned {chosen!r:.80}: expected a move, which is a dict, or a move and a note")
    return move, note
