"""The paintings, the state, the moves, the events and the view of Do My Bidding."""

from __future__ import annotations

import msgspec

from games.core import Outcome, Seat, Value
from games.kit import Auction, Bid, BidMade, Drop, Dropped, TurnCame


class Art(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A painting."""

    artist: str
    colour: str
    value: int


Arts = tuple[Art, ...]

ARTISTS = ("Monet", "Cassatt", "Hokusai", "Kahlo", "O'Keeffe", "Van Gogh", "Vermeer")  # DMB-1 [R]
COLOURS = ("pink", "red", "orange", "yellow", "green", "blue", "violet")
ARTS: Arts = tuple(
    Art(artist, colour, 1 + (i + j + 5) % 7) for i, artist in enumerate(ARTISTS) for j, colour in enumerate(COLOURS)
)
STARTS: Arts = tuple(art for art in ARTS if art.value == 1)  # DMB-3
DECK: Arts = tuple(art for art in ARTS if art.value > 1)  # DMB-4
PURSE = 15
AGENT_PLACES = {  # how many places to the left the agent sits in each round: DMB-5, DMB-6, DMB-7
    3: (1, 2, 1, 2, 0),
    4: (1, 2, 3, 0),
    5: (2, 3, 4, 0),
}
LOT_SIZES = {3: (2, 2, 1, 1, 1), 4: (2, 2, 1, 1, 1, 1), 5: (2, 2, 1, 1, 1, 1)}  # DMB-8, DMB-9


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Do My Bidding has no options."""


class Sale(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """How a lot was sold: the patron paid `price` and scored `values` and `matches` (DMB-15)."""

    agent: Seat
    patron: Seat
    price: int
    values: int
    matches: int


class Lot(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One or two paintings for sale, or sold."""

    arts: Arts
    sale: Sale | None = None


class Advice(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The present suggestion of a patron: bid up to this much, or drop out if it is None."""

    up_to: int | None


class State(Value, frozen=True):
    """The whole table. `agents` has the agent of each seat. `bank` is what the bank took, less what it gave."""

    purses: tuple[int, ...]
    collections: tuple[Arts, ...]
    box: Arts  # DMB-3: the start cards that left the game
    deck: Arts
    token: Seat
    envelopes: tuple[int, ...]
    scores: tuple[int, ...]
    advice: tuple[Advice | None, ...]  # by patron
    bank: int = 0
    round: int = 0  # from 1
    agents: tuple[Seat, ...] = ()
    lots: tuple[Lot, ...] = ()
    lot: int = 0  # the index of the lot that is being sold
    auction: Auction | None = None
    result: Outcome | None = None


class Suggest(Value, frozen=True):
    """Suggest that your agent bids up to this much for the present lot, or drops out (None)."""

    up_to: int | None


Move = Bid | Drop | Suggest


class Dealt(Value, frozen=True):
    """The start cards and the deck. A painting that the viewer may not see is None."""

    token: Seat
    starts: Arts
    box: Arts
    deck: tuple[Art | None, ...]


class RoundBegan(Value, frozen=True):
    """The agents of the round took their places and its lots were dealt from the deck."""

    round: int
    agents: tuple[Seat, ...]
    lots: tuple[Arts, ...]


class LotCalled(Value, frozen=True):
    """A lot is up for sale, and the seat with the token opens."""

    lot: int
    token: Seat


class Suggested(Value, frozen=True):
    """A patron advised its agent."""

    patron: Seat
    agent: Seat
    up_to: int | None


class Sold(Value, frozen=True):
    """The lot was sold and the patron scored. The agent earned `earned`, and the token moved to this seat."""

    sale: Sale
    earned: int
    token: Seat


class RoundEnded(Value, frozen=True):
    """Each envelope was emptied into the purse of its seat. These are the purses now."""

    purses: tuple[int, ...]


class Ended(Value, frozen=True):
    """The game is over."""

    result: Outcome


Event = Dealt | RoundBegan | LotCalled | BidMade | Dropped | TurnCame | Suggested | Sold | RoundEnded | Ended


class View(Value, frozen=True):
    """What anybody may know; `deck` is the number of paintings left in it.

    A score is the sum of `values` and `matches` of the seat's sales (DMB-15).
    """

    me: Seat | None
    round: int
    rounds: int
    agents: tuple[Seat, ...]
    patrons: tuple[Seat, ...]
    purses: tuple[int, ...]
    envelopes: tuple[int, ...]
    scores: tuple[int, ...]
    collections: tuple[Arts, ...]
    lots: tuple[Lot, ...]
    lot: int
    token: Seat
    auction: Auction | None
    advice: tuple[Advice | None, ...]
    box: Arts
    deck: int
    bank: int
    result: Outcome | None
