"""The cards, the state, the moves, the events and the view of Cheesedog."""

from __future__ import annotations

import msgspec

from games.core import Outcome, Seat, Value
from games.offers import Range, offer

Card = str  # rank and suit: "7h", "Td"
Cards = tuple[Card, ...]

PACK: Cards = tuple(rank + suit for suit in "cdhs" for rank in "23456789TJQKA")
DECK: Cards = PACK + PACK  # DOG-1
RANK = {card: "23456789TJQKA".index(card[0]) + 2 for card in PACK}
NAMES = {8: "an 8", 11: "a jack", 12: "a queen", 13: "a king", 14: "an ace"}
ROW = 4  # cards in each face-down and face-up row
MOST_TURNS = 1500  # DOG-18 [R]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cheesedog has no options."""


class State(Value, frozen=True):
    """The whole table. A face-down card that is gone leaves None in its place."""

    dealer: Seat
    hands: tuple[Cards, ...]
    ups: tuple[Cards, ...]
    downs: tuple[tuple[Card | None, ...], ...]
    turn: Seat
    direction: int = 1
    pile: Cards = ()
    discard: Cards = ()
    low: bool = False  # DOG-8: the seat to act must play 8 or lower
    turns: int = 0
    escaped: tuple[Seat, ...] = ()
    result: Outcome | None = None


class Play(Value, frozen=True):
    """Play `count` cards of a rank, 2 to 14 (11 jack, 12 queen, 13 king, 14 ace)."""

    rank: int
    count: int


class PickUp(Value, frozen=True):
    """Pick up the pile."""


class TurnOver(Value, frozen=True):
    """Turn over the face-down card at this place, 0 to 3."""

    place: int


Move = Play | PickUp | TurnOver

# Every play that can be offered: a rank, and the largest count of the eight cards that it has.
PLAYS = {(rank, most): offer(Play, rank=rank, count=Range(1, most)) for rank in range(2, 15) for most in range(1, 9)}


class Dealt(Value, frozen=True):
    """The deal. A card that the viewer may not see is None."""

    dealer: Seat
    hands: tuple[tuple[Card | None, ...], ...]
    ups: tuple[Cards, ...]
    downs: tuple[tuple[Card | None, ...], ...]


class Played(Value, frozen=True):
    """Cards went from a hand to the pile."""

    seat: Seat
    cards: Cards


class TurnedOver(Value, frozen=True):
    """A face-down card was turned over on to the pile. If it does not fit, it is picked up with the pile.

    `by_itself`: it was the last one of its seat, which was not asked.
    """

    seat: Seat
    place: int
    card: Card
    by_itself: bool = False


class PickedUp(Value, frozen=True):
    """The whole pile went into a hand."""

    seat: Seat
    cards: Cards


class Cleared(Value, frozen=True):
    """The pile went to the discard; `rule` is DOG-10 or DOG-11."""

    seat: Seat
    rule: str


class Demanded(Value, frozen=True):
    """The next seat must play 8 or lower."""


class Reversed(Value, frozen=True):
    """The direction of play was reversed."""


class Skipped(Value, frozen=True):
    """This seat was skipped."""

    seat: Seat


class TookUp(Value, frozen=True):
    """A seat took up its face-up cards as its hand."""

    seat: Seat
    cards: Cards


class Escaped(Value, frozen=True):
    """A seat has no cards left."""

    seat: Seat


class TurnCame(Value, frozen=True):
    """One turn is over and it is this seat's turn."""

    seat: Seat


class Ended(Value, frozen=True):
    """The game is over."""

    result: Outcome


Event = (
    Dealt
    | Played
    | TurnedOver
    | PickedUp
    | Cleared
    | Demanded
    | Reversed
    | Skipped
    | TookUp
    | Escaped
    | TurnCame
    | Ended
)


class View(Value, frozen=True):
    """What a seat may know; `me` and `hand` are None for a spectator."""

    me: Seat | None
    hand: Cards | None
    hands: tuple[int, ...]
    ups: tuple[Cards, ...]
    downs: tuple[tuple[bool, ...], ...]
    pile: Cards
    discard: Cards
    dealer: Seat
    turn: Seat | None
    direction: int
    low: bool
    turns: int
    escaped: tuple[Seat, ...]
    result: Outcome | None
