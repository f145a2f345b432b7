"""Nibble: bite squares off a slab of cheese; whoever is left with the mouldy corner loses. 2 seats.

NIB-1  The cheese has four rows of six squares. The square in row 0, column 0 is mouldy.
NIB-2  The first seat is drawn by lot. The seats take turns. Everything is open.
NIB-3  A turn bites one square that is still there. All squares that are in its row or below, and in its column or
       to the right, go with it.
NIB-4  The mouldy square may be bitten only when no other square is left.
NIB-5  Whoever bites the mouldy square loses, and the game is over.
"""

from __future__ import annotations

from typing import assert_never

import msgspec

from games.about import About
from games.chance import Chance
from games.core import Outcome, Seat, Value
from games.kit import copied, put, replace
from games.offers import Offer, Range, offer
from games.refusals import Tried

TITLE = "Nibble"
BLURB = "Bite by bite, and leave the mouldy corner to the other."
PREFIX = "NIB"
SEATS = range(2, 3)
ABOUT = About((2, 5), "light", ("Bite off a corner of the cheese.", "Whoever gets the mouldy piece loses."))

ROWS, COLUMNS = 4, 6  # NIB-1


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nibble has no options."""


class State(Value, frozen=True):
    """The whole table: `rows` has the number of squares left in each row, `eaten` those that each seat has bitten."""

    rows: tuple[int, ...]
    eaten: tuple[int, ...]
    turn: Seat
    result: Outcome | None = None


class Bite(Value, frozen=True):
    """Bite the square at this row and column, both counted from 0."""

    row: int
    column: int


Move = Bite


class Served(Value, frozen=True):
    """The cheese is on the table for this many seats, and this one begins."""

    seats: int
    first: Seat


class Bitten(Value, frozen=True):
    """A seat bit a square, and this many squares went."""

    seat: Seat
    row: int
    column: int
    squares: int


class Ended(Value, frozen=True):
    """The game is over."""

    result: Outcome


Event = Served | Bitten | Ended


class View(Value, frozen=True):
    """What a viewer may know, which is everything; `me` is None for a spectator."""

    me: Seat | None
    rows: tuple[int, ...]
    eaten: tuple[int, ...]
    turn: Seat
    result: Outcome | None


def setup(seats: int, options: Options, chance: Chance) -> tuple[Event, ...]:
    return (Served(seats, chance.below(seats)),)


def to_act(state: State) -> tuple[Seat, ...]:
    return () if state.result else (state.turn,)


def offers(state: State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    if state.result or seat != state.turn:
        if tried:
            tried.refuse(*(("NIB-5", "the game is over") if state.result else ("NIB-2", "it is the other seat's turn")))
        return ()
    first = 0 if sum(state.rows) == 1 else 1  # NIB-4
    ranges = [(row, 0 if row else first, squares - 1) for row, squares in enumerate(state.rows)]
    bites = tuple(offer(Bite, row=row, column=Range(least, most)) for row, least, most in ranges if least <= most)
    if tried:
        squares = [offer(Bite, row=row, column=Range(0, squares - 1)) for row, squares in enumerate(state.rows)]
        tried.among(Bite, squares, "NIB-3", "there is no square at that place")
        tried.among(Bite, bites, "NIB-4", "the mouldy square is bitten last")
    return bites


def play(state: State, seat: Seat, move: Bite, chance: Chance) -> tuple[Event, ...]:
    squares = sum(max(0, length - move.column) for length in state.rows[move.row :])
    bitten = Bitten(seat, move.row, move.column, squares)
    if squares < sum(state.rows):
        return (bitten,)
    places = tuple(2 if eater == seat else 1 for eater in range(len(state.eaten)))  # NIB-5
    return bitten, Ended(Outcome(places, "NIB-5"))


def apply(state: State | None, event: Event) -> State:
    if state is None:
        assert isinstance(event, Served)
        return State((COLUMNS,) * ROWS, (0,) * event.seats, event.first)
    match event:
        case Bitten(seat, row, column, squares):
            rows = (*state.rows[:row], *(min(length, column) for length in state.rows[row:]))
            eaten = put(state.eaten, seat, state.eaten[seat] + squares)
            return replace(state, rows=rows, eaten=eaten, turn=(seat + 1) % len(eaten))
        case Ended(result):
            return replace(state, result=result)
        case Served():
            raise ValueError("the cheese is served once")
        case _:
            assert_never(event)


PUBLIC = ("rows", "eaten", "turn", "result")


def view(state: State, seat: Seat | None) -> View:
    return View(me=seat, **copied(state, PUBLIC))


def show(event: Event, seat: Seat | None) -> Event | None:
    match event:
        case Served() | Bitten() | Ended():
            return event
        case _:
            assert_never(event)


def absent(state: State, seat: Seat) -> Bite:
    """The smallest bite: the last square of the last row."""
    row = max(row for row, squares in enumerate(state.rows) if squares)
    return Bite(row, state.rows[row] - 1)


def outcome(state: State) -> Outcome | None:
    return state.result


def imagine(view: View, seat: Seat, chance: Chance) -> State:
    return State(**copied(view, PUBLIC))
