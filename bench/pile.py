"""Pile: the workload of the peers' benchmark as a game. For measuring only; it never ends.

Q1  Four seats have ten hidden cards each, which never change.
Q2  Seats play in turn: a card with any number onto the pile.
Q3  Everybody sees the last twenty cards of the pile.
"""

from __future__ import annotations

from msgspec.structs import replace

from games.chance import Chance
from games.core import Outcome, Seat, Value
from games.offers import Offer, Range, offer
from games.refusals import Tried

TITLE = "Pile"
BLURB = "A benchmark's workload."
PREFIX = "Q"
SEATS = range(4, 5)

SEEN = 20  # Q3
HIGHEST = 0x3FFF


class Options(Value, frozen=True):
    """This game has no options."""


class Play(Value, frozen=True):
    """Put this card onto the pile."""

    card: int


class Dealt(Value, frozen=True):
    """The hidden hands."""

    hands: tuple[tuple[int, ...], ...]


class Played(Value, frozen=True):
    """A card was put onto the pile."""

    card: int


class State(Value, frozen=True):
    """The hands and the pile. When the pile has twice as many cards as everybody sees, it is cut to that number."""

    hands: tuple[tuple[int, ...], ...]
    turn: Seat = 0
    pile: tuple[int, ...] = ()


class View(Value, frozen=True):
    """What a seat sees. The turn is not part of it: the update has it in `acting`."""

    hand: tuple[int, ...] | None
    pile: tuple[int, ...]


Move = Play
Event = Dealt | Played


def setup(seats: int, options: Options, chance: Chance) -> tuple[Dealt, ...]:
    return (Dealt(tuple(tuple(range(seat * 1000, seat * 1000 + 10)) for seat in range(seats))),)


def to_act(state: State) -> tuple[Seat, ...]:
    return (state.turn,)


OFFERS = (offer(Play, card=Range(0, HIGHEST)),)


def offers(state: State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    if seat != state.turn:
        if tried:
            tried.refuse("Q2", "it is not your turn")
        return ()
    if tried:
        tried.among(Play, OFFERS, "Q2", "there is no such card")
    return OFFERS


def play(state: State, seat: Seat, move: Play, chance: Chance) -> tuple[Played, ...]:
    return (Played(move.card),)


def apply(state: State | None, event: Event) -> State:
    if isinstance(event, Dealt):
        return State(event.hands)
    assert state
    pile = state.pile if len(state.pile) < 2 * SEEN else state.pile[1 - SEEN :]
    return replace(state, turn=(state.turn + 1) % len(state.hands), pile=(*pile, event.card))


def view(state: State, seat: Seat | None) -> View:
    return View(None if seat is None else state.hands[seat], state.pile)


def show(event: Event, seat: Seat | None) -> None:
    """Show no events: the view has everything, as with the peers."""


def absent(state: State, seat: Seat) -> Play:
    return Play(0)


def outcome(state: State) -> Outcome | None:
    return None


def imagine(view: View, seat: Seat, chance: Chance) -> State:
    raise NotImplementedError("no house bot plays this game")
