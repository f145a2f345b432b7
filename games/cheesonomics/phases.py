"""The phases of Cheesonomics. Everything in a phase is public."""

from __future__ import annotations

from games.cheesonomics.pieces import Trait
from games.core import Outcome, Seat, Value


class Score(Value, frozen=True):
    """The parts of a seat's curds. `sold` and `most` are in the order of ANIMALS; `most` has what ECO-18 brought."""

    sales: int
    unsold: int
    sold: tuple[int, ...]
    most: tuple[int, ...]
    colours: int
    total: int


class Turn(Value, frozen=True):
    """The seat whose turn it is may churn, produce or sell."""


class Gifts(Value, frozen=True):
    """Opponents with a match choose a gift; those in `showing` have none."""

    trait: Trait
    choosing: tuple[Seat, ...]
    showing: tuple[Seat, ...]


class Picking(Value, frozen=True):
    """The churner takes a wedge from each hand that it is shown."""

    trait: Trait
    showing: tuple[Seat, ...]


class GivingBack(Value, frozen=True):
    """The churner owes these seats a wedge."""

    trait: Trait
    owed: tuple[Seat, ...]


class Replacing(Value, frozen=True):
    """The seller replaces a market wedge of a colour that it sold. `swap`: it may swap at the end of its turn."""

    colours: tuple[str, ...]
    swap: bool


class Flipping(Value, frozen=True):
    """The seller flips a market wedge of a colour that it sold."""

    colours: tuple[str, ...]
    swap: bool


class Taking(Value, frozen=True):
    """The seller takes a market wedge from the discard."""

    swap: bool


class Swapping(Value, frozen=True):
    """The seller may swap a market wedge."""


class Exchanging(Value, frozen=True):
    """The seller has named a swap and completes it. If `other` is None, it swaps with the discard."""

    other: Seat | None


class LastSale(Value, frozen=True):
    """The seat may make a last sale."""


class Over(Value, frozen=True):
    """The game is over."""

    result: Outcome
    scores: tuple[Score, ...]


Phase = Turn | Gifts | Picking | GivingBack | Replacing | Flipping | Taking | Swapping | Exchanging | LastSale | Over
