"""Situations, and the list of all of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bots.conform.server import KitServer

Play = Callable[[KitServer], Awaitable[None]]
SITUATIONS: list[Situation] = []


@dataclass(frozen=True)
class Situation:
    """Something that can happen to a bot. `see` names the places in the documents that explain it."""

    name: str
    title: str
    see: str
    required: bool
    play: Play
    game: str | None = None


def situation(title: str, see: str, *, required: bool = True) -> Callable[[Play], Play]:
    """Add the function to the list, under its own name."""

    def listed(play: Play) -> Play:
        name = getattr(play, "__name__").replace("_", "-")  # noqa: B009
        SITUATIONS.append(Situation(name, title, see, required, play))
        return play

    return listed
