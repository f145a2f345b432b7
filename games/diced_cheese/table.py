"""The options, the state and the view of Diced Cheese."""

from __future__ import annotations

from typing import Literal

import msgspec

from games.core import Outcome, Seat, Value
from games.diced_cheese.dice import Dice, Throws

Variant = Literal["classic", "speed", "towers"]
Phase = Literal["start", "roll", "fetch", "race", "over"]

ROUNDS = 3  # DIC-11
FETCH_MS = 5000  # DIC-12
PAUSE_MS = 400  # DIC-15
ROUND_WON_MS = 2000  # how long the win of a round of Speed Cheese is shown before the next countdown
RACE_START_MS = 3000  # before the first roll of a round in Speed Cheese: three, two, one


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Mishaps happen in the classic game only: in a variant the option has no effect."""

    variant: Variant = "classic"
    mishaps: bool = True


class LastRoll(msgspec.Struct, frozen=True, gc=False):
    """The seat that threw last, and the dice that it threw."""

    seat: Seat
    dice: tuple[int, ...]


class State(Value, frozen=True):
    """The whole table. There is one set of dice for all seats; in a variant, one for each seat."""

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
    """Everything (DIC-14). `wheels` has the number of dice in the wheel of each set; see State for the rest."""

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
    """Return the next seat clockwise."""
    return (seat + 1) % len(state.wins)
