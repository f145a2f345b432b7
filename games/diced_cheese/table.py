"""The table: moves, events, the state and how it follows from the events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, assert_never

import msgspec

from games.core import Outcome, Seat, Value
from games.diced_cheese.dice import FRESH, Dice, Die, Throws, Where
from games.kit import Story, put, replace, without

Variant = Literal["classic", "speed", "towers"]
Phase = Literal["start", "roll", "fetch", "race", "over"]

ROUNDS = 3  # DIC-11
FETCH_MS = 5000  # DIC-12
PAUSE_MS = 400  # DIC-15


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Mishaps happen in the classic game only: in a variant the option has no effect."""

    variant: Variant = "classic"
    mishaps: bool = True


class Roll(Value, frozen=True):
    """Roll all available dice; in Speed Cheese, of this round."""

    round: int | None = None


class Fetch(Value, frozen=True):
    """Fetch the fallen dice and roll them again."""


class Late(Value, frozen=True):
    """The time to fetch is over: never offered, the house makes this move."""


Move = Roll | Fetch | Late


class Opened(Value, frozen=True):
    """The table was laid for so many seats."""

    seats: int
    variant: Variant
    mishaps: bool


class RolledToStart(Value, frozen=True):
    """Seats rolled a die each for the start; the number of a die is its seat's."""

    throws: Throws


class RoundBegan(Value, frozen=True):
    """All dice were reset and a round began, with this seat or, in a variant, with all at once."""

    round: int
    seat: Seat | None


class Rolled(Value, frozen=True):
    """A seat rolled all its available dice."""

    seat: Seat
    throws: Throws


class Fetched(Value, frozen=True):
    """A seat rolled the fallen dice again."""

    seat: Seat
    throws: Throws


class Stacked(Value, frozen=True):
    """One die ended on top of another and the round is void."""

    seat: Seat
    top: int
    under: int


class Fell(Value, frozen=True):
    """These dice fell off the table and the seat must fetch."""

    seat: Seat
    dice: tuple[int, ...]


class CameLate(Value, frozen=True):
    """The dice were not fetched in time: the roll does not count and the turn is lost."""

    seat: Seat


class Read(Value, frozen=True):
    """A roll was read: where each die went, and the rule that says what follows."""

    seat: Seat
    wheres: tuple[Where, ...]
    rule: str


class TurnPassed(Value, frozen=True):
    """The dice went on to this seat, because this die points at it or, if None, clockwise."""

    seat: Seat
    pointer: int | None


class RoundWon(Value, frozen=True):
    """A seat won the round, by a wheel (DIC-6) or by towers (DIC-7)."""

    seat: Seat
    rule: str


class StartedOver(Value, frozen=True):
    """In Speed Cheese a seat starts its wheel over with eight dice."""

    seat: Seat


class Finished(Value, frozen=True):
    """In Towers of Eight a seat has eight towers, after so many rolls."""

    seat: Seat
    rolls: int


class Stopped(Value, frozen=True):
    """In Towers of Eight a seat can no longer tie, and stops by itself."""

    seat: Seat


class Ended(Value, frozen=True):
    """The game is over."""

    result: Outcome


Event = (
    Opened
    | RolledToStart
    | RoundBegan
    | Rolled
    | Fetched
    | Stacked
    | Fell
    | CameLate
    | Read
    | TurnPassed
    | RoundWon
    | StartedOver
    | Finished
    | Stopped
    | Ended
)


class LastRoll(msgspec.Struct, frozen=True, gc=False):
    """Who threw last, and which dice."""

    seat: Seat
    dice: tuple[int, ...]


class State(Value, frozen=True):
    """The whole table. There is one set of dice that goes round, or in a variant one for each seat."""

    variant: Variant
    mishaps: bool
    wins: tuple[int, ...]
    dice: tuple[Dice, ...]
    rolls: tuple[int, ...]  # of each seat in this round
    needed: tuple[int | None, ...]  # DIC-16: rolls for eight towers
    last: tuple[LastRoll | None, ...]  # of each set
    phase: Phase = "start"
    round: int = 0
    turn: Seat | None = None  # in the classic game
    racing: tuple[Seat, ...] = ()  # in a variant: the seats that roll
    start: Throws = ()  # DIC-3: the latest die of each seat
    result: Outcome | None = None


class View(Value, frozen=True):
    """Everything, DIC-14. `wheels` counts the dice in the wheel of each set; the other fields are those of State."""

    me: Seat | None
    variant: Variant
    mishaps: bool
    phase: Phase
    round: int
    turn: Seat | None
    racing: tuple[Seat, ...]
    wins: tuple[int, ...]
    dice: tuple[Dice, ...]
    wheels: tuple[int, ...]
    rolls: tuple[int, ...]
    needed: tuple[int | None, ...]
    start: Throws
    last: tuple[LastRoll | None, ...]
    result: Outcome | None


def left_of(state: State, seat: Seat) -> Seat:
    """The next seat clockwise."""
    return (seat + 1) % len(state.wins)


def _set_of(state: State, seat: Seat) -> int:
    """Which set of dice this seat rolls."""
    return 0 if state.variant == "classic" else seat


Tale = Story[State, Event]


def apply(state: State | None, event: Event) -> State:
    if state is None:
        assert isinstance(event, Opened)
        n = event.seats
        sets = 1 if event.variant == "classic" else n
        return State(event.variant, event.mishaps, (0,) * n, (FRESH,) * sets, (0,) * n, (None,) * n, (None,) * sets)
    match event:
        case Rolled(seat, throws):
            dice, last = _landed(state, seat, throws)
            return replace(state, dice=dice, last=last, rolls=put(state.rolls, seat, state.rolls[seat] + 1))
        case Read(seat, wheres):
            return replace(state, dice=_moved(state, seat, wheres))
        case TurnPassed(seat):
            return replace(state, turn=seat)
        case RoundWon(seat):
            return replace(state, wins=put(state.wins, seat, state.wins[seat] + 1))
        case Fell(seat, numbers):
            wheres = tuple("fallen" if number in numbers else die.where for number, die in enumerate(state.dice[0]))
            return replace(state, dice=_moved(state, seat, wheres), phase="fetch")
        case Fetched(seat, throws):
            dice, last = _landed(state, seat, throws)
            return replace(state, dice=dice, last=last, phase="roll")
        case CameLate(seat):
            wheres = tuple("wheel" if die.where == "wheel" else "available" for die in state.dice[0])
            return replace(state, dice=_moved(state, seat, wheres), phase="roll")
        case Stacked():
            return state
        case StartedOver(seat):
            return replace(state, dice=put(state.dice, seat, _gathered(state.dice[seat])))
        case Opened():
            raise ValueError("a table is laid once")
        case _:
            return _apply_rounds(state, event)


def _apply_rounds(state: State, event: RolledToStart | RoundBegan | Finished | Stopped | Ended) -> State:
    match event:
        case RolledToStart(throws):
            rolled = {throw.die: throw for throw in (*state.start, *throws)}
            return replace(state, start=tuple(rolled.values()))
        case RoundBegan(number, seat):
            n = len(state.wins)
            return replace(
                state,
                phase="race" if seat is None else "roll",
                round=number,
                turn=seat,
                racing=tuple(range(n)) if seat is None else (),
                dice=tuple([_gathered(dice) for dice in state.dice]),
                rolls=(0,) * n,
            )
        case Finished(seat, rolls):
            return replace(state, needed=put(state.needed, seat, rolls), racing=without(state.racing, (seat,)))
        case Stopped(seat):
            return replace(state, racing=without(state.racing, (seat,)))
        case Ended(result):
            return replace(state, phase="over", turn=None, racing=(), result=result)
        case _:
            assert_never(event)


def _landed(state: State, seat: Seat, throws: Throws) -> tuple[tuple[Dice, ...], tuple[LastRoll | None, ...]]:
    """The dice and the last rolls after these throws, which are not read yet."""
    mine = _set_of(state, seat)
    dice = list(state.dice[mine])
    for throw in throws:
        dice[throw.die] = Die(throw.face, throw.heading, throw.x, throw.y, "thrown")
    last = LastRoll(seat, tuple([throw.die for throw in throws]))
    return put(state.dice, mine, tuple(dice)), put(state.last, mine, last)


def _gathered(dice: Dice) -> Dice:
    """The dice as they lie, all available."""
    return tuple([Die(die.face, die.heading, die.x, die.y, "available") for die in dice])


def _moved(state: State, seat: Seat, wheres: Sequence[Where]) -> tuple[Dice, ...]:
    """The sets of dice with those of this seat put there."""
    mine = _set_of(state, seat)
    moved = [
        die if die.where == where else Die(die.face, die.heading, die.x, die.y, where)
        for die, where in zip(state.dice[mine], wheres, strict=True)
    ]
    return put(state.dice, mine, tuple(moved))
