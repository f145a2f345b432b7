"""The moves of Cheesonomics."""

from __future__ import annotations

from games.cheesonomics.pieces import MarketWedge, Side, Trait, Wedge, Wedges
from games.core import Seat, Value


class Churn(Value, frozen=True):
    """Ask every opponent for a wedge of this colour or animal."""

    trait: Trait


class Give(Value, frozen=True):
    """Give the churner this wedge."""

    wedge: Wedge


class TakeShown(Value, frozen=True):
    """Take this wedge from the hand that this seat shows."""

    seat: Seat
    wedge: Wedge


class GiveBack(Value, frozen=True):
    """Give this wedge to a seat that gave one."""

    seat: Seat
    wedge: Wedge


class Produce(Value, frozen=True):
    """Lay all wedges of this colour or animal into your wheels."""

    trait: Trait


class Sell(Value, frozen=True):
    """Sell these wedges, all of this colour or animal, from your wheels."""

    trait: Trait
    wedges: Wedges


class Replace(Value, frozen=True):
    """Put this market wedge of yours at this place of the market, with this side up."""

    place: int
    wedge: MarketWedge
    up: Side


class Flip(Value, frozen=True):
    """Turn over the market wedge at this place."""

    place: int


class Take(Value, frozen=True):
    """Take this market wedge from the discard."""

    wedge: MarketWedge


class SwapDiscard(Value, frozen=True):
    """Put this market wedge on the discard, to take another."""

    wedge: MarketWedge


class SwapSeat(Value, frozen=True):
    """Swap a market wedge with this seat, after a look at its supply."""

    seat: Seat


class Exchange(Value, frozen=True):
    """Give the seat that was named a market wedge of yours, and take one of its own."""

    give: MarketWedge
    take: MarketWedge


class Decline(Value, frozen=True):
    """Make no swap, or no last sale."""


Move = (
    Churn
    | Give
    | TakeShown
    | GiveBack
    | Produce
    | Sell
    | Replace
    | Flip
    | Take
    | SwapDiscard
    | SwapSeat
    | Exchange
    | Decline
)
