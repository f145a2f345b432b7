"""The table of Chesterfield: the deck (CCA-1, CCA-2), what lies where, and whom the table waits for."""

from __future__ import annotations

from typing import assert_never

import msgspec

from games.core import Outcome, Seat, Value
from games.kit import Auction

Cheese = str
Cheeses = tuple[Cheese, ...]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Chesterfield has no options."""


class Kind(msgspec.Struct, frozen=True):
    """A line of the deck."""

    cards: int
    points: int
    trade: int


KINDS = {  # CCA-2 [R]
    "Cheddar": Kind(7, 2, 2),
    "Gruyere": Kind(7, 3, 2),
    "Pecorino": Kind(6, 3, 3),
    "Feta": Kind(6, 4, 3),
    "Roquefort": Kind(5, 4, 3),
    "Emmental": Kind(5, 4, 4),
    "Camembert": Kind(4, 5, 5),
    "Bleu": Kind(4, 2, 1),
}
POINTS = {cheese: kind.points for cheese, kind in KINDS.items()}
TRADE = {cheese: kind.trade for cheese, kind in KINDS.items()}
DECK: Cheeses = tuple(cheese for cheese, kind in KINDS.items() for _ in range(kind.cards))
ACTIONS = frozenset(("Pecorino", "Feta", "Roquefort", "Emmental", "Bleu"))  # played in a cheese auction
ROQUEFORT_PRICE = 5  # CCA-22
BLEU_POINTS = -3  # CCA-24 [R]
GRUYERE_POINTS = 2  # CCA-32 [R]

BANK = 20  # CCA-4
HAND = 4  # CCA-4 and, at upkeep, CCA-28
RESERVED = 4  # CCA-3
BLOCK = 4  # CCA-5
UPKEEP = 4  # dollars for a card too many or too few: CCA-28, CCA-29


class Set(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A set that lies: its real cards, perhaps a Cheddar that stands in, perhaps a Gruyere across it."""

    cheese: Cheese
    cards: int
    cheddar: bool = False
    gruyere: bool = False


class AuctioneerAuction(Value, frozen=True):
    """The auction for who is Auctioneer of the block."""

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
    """After an Emmental: seats still in make their secret bids; None has not bid yet."""

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
    """Seats lay down sets; who is done is done."""

    done: tuple[bool, ...]


class Upkeep(Value, frozen=True):
    """Seats with too many cards choose what to discard; None has not chosen, or has nothing to choose."""

    choices: tuple[Cheeses | None, ...]


class Merging(Value, frozen=True):
    """Seats merge cards into their own sets; who is done is done."""

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


class State(Value, frozen=True):
    """The whole table. The charity holds what it took less what it gave."""

    first: Seat
    reserved: Cheeses
    hands: tuple[Cheeses, ...]
    block: Cheeses
    deck: Cheeses
    banks: tuple[int, ...]
    sets: tuple[tuple[Set, ...], ...]
    bleus: tuple[int, ...]
    phase: Phase
    auctioneer: Seat | None = None
    discard: Cheeses = ()
    charity: int = 0


def to_act(state: State) -> tuple[Seat, ...]:
    phase = state.phase
    match phase:
        case CheeseAuction() | AuctioneerAuction():
            return (phase.auction.turn,)
        case Choosing():
            assert state.auctioneer is not None
            return (state.auctioneer,)
        case LayingDown(done) | Merging(done):
            return tuple([seat for seat, is_done in enumerate(done) if not is_done])
        case SilentAuction(auction=auction, secrets=secrets):
            return tuple(s for s, secret in enumerate(secrets) if secret is None and not auction.dropped[s])
        case Paying(auction=auction):
            assert auction.bidder is not None
            return (auction.bidder,)
        case Upkeep(choices):
            return tuple(s for s, choice in enumerate(choices) if choice is None and len(state.hands[s]) > HAND)
        case Over():
            return ()
        case _:
            assert_never(phase)


def set_points(one: Set) -> int:
    """CCA-26, with CCA-31 and CCA-32."""
    return POINTS[one.cheese] * (one.cards + one.cheddar - 1) + GRUYERE_POINTS * one.gruyere


def scores(state: State) -> tuple[int, ...]:
    return tuple(
        sum(map(set_points, sets)) + BLEU_POINTS * bleus for sets, bleus in zip(state.sets, state.bleus, strict=True)
    )
