"""The phases of Chesterfield, each with the part of the state that only it has."""

from __future__ import annotations

from games.chesterfield.deck import Cheese, Cheeses
from games.core import Outcome, Value
from games.kit import Auction


class AuctioneerAuction(Value, frozen=True):
    """Seats bid to be Auctioneer of the block."""

    auction: Auction


class Choosing(Value, frozen=True):
    """The Auctioneer chooses a card of the block and its starting price."""


class CheeseAuction(Value, frozen=True):
    """A card is being auctioned, with these actions in force."""

    card: Cheese
    price: int
    auction: Auction
    actions: Cheeses = ()


class SilentAuction(Value, frozen=True):
    """After an Emmental: seats still in make secret bids. None: the seat has not bid yet, or dropped out before."""

    card: Cheese
    price: int
    auction: Auction
    actions: Cheeses
    secrets: tuple[int | None, ...]


class Paying(Value, frozen=True):
    """The winner owes more than its bank holds."""

    card: Cheese
    price: int
    auction: Auction
    actions: Cheeses
    owed: int


class LayingDown(Value, frozen=True):
    """Seats lay down sets, each until it is done."""

    done: tuple[bool, ...]


class Upkeep(Value, frozen=True):
    """Seats with too many cards choose what to discard. None: the seat has not chosen, or has nothing to choose."""

    choices: tuple[Cheeses | None, ...]


class Merging(Value, frozen=True):
    """Seats merge cards into their own sets, each until it is done."""

    done: tuple[bool, ...]


class Over(Value, frozen=True):
    """The game is over."""

    result: Outcome


Bidding = CheeseAuction | AuctioneerAuction
Selling = CheeseAuction | SilentAuction | Paying
Auctions = Bidding | Choosing | SilentAuction | Paying
Laying = LayingDown | Merging
SetPhase = LayingDown | Upkeep | Merging
Phase = Auctions | SetPhase | Over
