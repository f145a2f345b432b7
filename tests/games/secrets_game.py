"""A minimal game of secret decisions: three times all seats name a number at once, and the highest sum wins.

It is not in the catalogue. Broken variants of it show that the tests of the contract can fail.
"""

from __future__ import annotations

import msgspec

from games.chance import Chance
from games.core import Outcome, Seat, Value
from games.kit import put, replace
from games.offers import Offer, Range, offer
from games.refusals import Tried

TITLE = "Secrets"
BLURB = "Name the highest numbers."
PREFIX = "SEC"
SEATS = range(2, 4)
ROUNDS = 3


class Options(msgspec.Struct, frozen=True):
    """There are no options."""


class State(Value, frozen=True):
    named: tuple[int | None, ...]
    sums: tuple[int, ...]
    rounds: int = 0
    first: Seat | None = None


class Name(Value, frozen=True):
    number: int


Move = Name


class Began(Value, frozen=True):
    seats: int


class Named(Value, frozen=True):
    seat: Seat
    number: int | None


class Revealed(Value, frozen=True):
    numbers: tuple[int, ...]


Event = Began | Named | Revealed


class View(Value, frozen=True):
    own: int | None
    done: tuple[bool, ...]
    sums: tuple[int, ...]
    rounds: int


def setup(seats: int, options: Options, chance: Chance) -> tuple[Event, ...]:
    return (Began(seats),)


def to_act(state: State) -> tuple[Seat, ...]:
    return tuple(seat for seat, number in enumerate(state.named) if number is None and state.rounds < ROUNDS)


def offers(state: State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    if tried:
        tried.refuse("SEC-1", "you cannot name that now")
    return (offer(Name, number=Range(1, 200)),) if seat in to_act(state) else ()


def play(state: State, seat: Seat, move: Name, chance: Chance) -> tuple[Event, ...]:
    named = put(state.named, seat, move.number)
    numbers = tuple(number for number in named if number is not None)
    own = Named(seat, move.number)
    return (own, Revealed(numbers)) if len(numbers) == len(named) else (own,)


def apply(state: State | None, event: Event, /) -> State:
    if isinstance(event, Began):
        return State((None,) * event.seats, (0,) * event.seats)
    assert state
    if isinstance(event, Named):
        return replace(state, named=put(state.named, event.seat, event.number))
    sums = tuple(a + b for a, b in zip(state.sums, event.numbers, strict=True))
    return replace(state, named=(None,) * len(sums), sums=sums, rounds=state.rounds + 1)


def view(state: State, seat: Seat | None) -> View:
    done = tuple(number is not None for number in state.named)
    return View(None if seat is None else state.named[seat], done, state.sums, state.rounds)


def show(event: Event, seat: Seat | None) -> Event | None:
    return Named(event.seat, None) if isinstance(event, Named) and event.seat != seat else event


def imagine(view: View, seat: Seat, chance: Chance) -> State:
    others = tuple(1 + chance.below(200) if done else None for done in view.done)
    return State(put(others, seat, view.own), view.sums, view.rounds)


def absent(state: State, seat: Seat) -> Name:
    return Name(1)


def outcome(state: State) -> Outcome | None:
    if state.rounds < ROUNDS:
        return None
    return Outcome(tuple(1 + sum(other > own for other in state.sums) for own in state.sums), "SEC-1")
