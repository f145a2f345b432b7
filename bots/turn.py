"""What a decision has besides the view and the offers, for bots that keep track of what they believe."""

from __future__ import annotations

import inspect
import random
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from bots.offers import Choose, Chosen, Offer, View

ChooseWithTurn = Callable[[View, list[Offer], random.Random, "Turn"], Chosen | Awaitable[Chosen]]
AnyChoose = Choose | ChooseWithTurn


@dataclass(frozen=True)
class Turn:
    """The circumstances of a decision.

    `events` has what the seat saw since `choose` was last called for this table, in order, as docs/views.md describes
    events. `complete` is False if some of it may be missing, for instance because the bot came later than the start.
    `left_ms` is the time left for the decision, None for no limit. `asides` has what the seat may say now, in the form
    of offers: if `choose` returns a move that fills one of them, that is said, and `choose` is called again.
    """

    game: str
    table: str
    seat: int
    options: dict[str, Any]
    ask: int
    events: list[dict[str, Any]]
    complete: bool = True
    left_ms: int | None = None
    asides: list[Offer] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """The fields, for a line of JSON."""
        return asdict(self)


def taking_turn(choose: AnyChoose) -> ChooseWithTurn:
    """This function, or one around it that leaves the turn out if the function takes only three arguments."""
    parameters = inspect.signature(choose).parameters.values()
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    places = sum(one.kind in positional for one in parameters)
    if places > 3 or any(one.kind == inspect.Parameter.VAR_POSITIONAL for one in parameters):
        return choose  # type: ignore[return-value]
    return lambda view, offers, chance, turn: choose(view, offers, chance)  # type: ignore[call-arg]
