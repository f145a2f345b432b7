"""The moves of Chesterfield."""

from __future__ import annotations

from games.chesterfield.deck import Cheese, Cheeses
from games.core import Value
from games.kit import Bid, Drop


class CashIn(Value, frozen=True):
    """Discard these cards for their trade value."""

    cards: Cheeses


class Present(Value, frozen=True):
    """Put a card of the block up for auction at a starting price."""

    card: Cheese
    price: int


class PlayAction(Value, frozen=True):
    """Play a card from your hand for its action."""

    card: Cheese


class BidSecretly(Value, frozen=True):
    """Make your one secret bid."""

    amount: int


class Default(Value, frozen=True):
    """Admit that you cannot or will not pay."""


class LayDown(Value, frozen=True):
    """Lay down a set of this many real cards, and a Cheddar to stand in if `cheddar`."""

    cheese: Cheese
    cards: int
    cheddar: bool


class Melt(Value, frozen=True):
    """Lay a Gruyere across your own set at this place."""

    onto: int


class Merge(Value, frozen=True):
    """Merge this many cards into your own set of that cheese at this place."""

    onto: int
    cards: int


class StandIn(Value, frozen=True):
    """Merge a Cheddar as stand-in into your own set at this place."""

    onto: int


class Finish(Value, frozen=True):
    """Say that you are done."""


class Keep(Value, frozen=True):
    """Discard these cards and pay for every other card above the fourth."""

    discard: Cheeses


Move = (
    CashIn
    | Bid
    | Drop
    | Present
    | PlayAction
    | BidSecretly
    | Default
    | LayDown
    | Melt
    | Merge
    | StandIn
    | Finish
    | Keep
)
