"""What a situation is, and the list of them all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bots.conform.stage import Stage

Play = Callable[[Stage], Awaitable[None]]
SITUATIONS: list[Situation] = []


@dataclass(frozen=True)
class Situation:
    """One thing that can happen to a bot, where the documents explain it, and whether a bot has to cope."""

    name: str
    title: str
    see: str
    required: bool
    play: Play
    game: str | None = None


def situation(title: str, see: str, *, required: bool = True) -> Callable[[Play], Play]:
    """Put a function on the list; its name is the situation's."""

    def listed(play: Play) -> Play:
        name = getattr(play, "__name__").replace("_", "-")  # noqa: B009
        SITUATIONS.append(Situation(name, title, see, required, play))
        return play

    return listed
