"""The moves of Diced Cheese."""

from __future__ import annotations

from games.core import Value


class Roll(Value, frozen=True):
    """Roll all available dice; in Speed Cheese, for this round."""

    round: int | None = None


class Fetch(Value, frozen=True):
    """Fetch the fallen dice and roll them again."""


class Late(Value, frozen=True):
    """The time to fetch is over. This move is never offered: the server makes it."""


Move = Roll | Fetch | Late
