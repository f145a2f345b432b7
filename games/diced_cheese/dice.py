"""The dice: how they land, and what a roll means."""

from __future__ import annotations

from typing import Literal

import msgspec

from games.chance import Chance
from games.core import Seat

Face = Literal["goat", "queso", "no_gouda", "tower"]
Where = Literal["available", "thrown", "fallen", "wheel", "queso", "standing", "out"]

# All probabilities of the game, in thousandths [R].
FACES: dict[Face, int] = {"goat": 300, "queso": 300, "no_gouda": 300, "tower": 100}  # DIC-2
FALLS = 5  # DIC-12, for each die
STACKS = 5  # DIC-13, for each roll of two or more

DICE = 8
TOWERS = 5  # DIC-7
TABLE = 1000  # places along each side of the table

DRAWN: tuple[Face, ...] = tuple(face for face, weight in FACES.items() for _ in range(weight))
GOES: dict[Face | None, Where] = {"goat": "wheel", "queso": "queso", "no_gouda": "out", "tower": "standing"}


class Die(msgspec.Struct, frozen=True, gc=False):
    """A die on the table. Its face is None before its first throw and after a fall.

    `where`: dice that are `available` or `queso` are rolled next; `thrown` and `fallen` dice belong to a roll that is
    not read yet.
    """

    face: Face | None
    heading: int
    x: int
    y: int
    where: Where


Dice = tuple[Die, ...]
FRESH: Dice = (Die(None, 0, 0, 0, "available"),) * DICE


class Throw(msgspec.Struct, frozen=True, gc=False):
    """How a die landed. If its face is None, it fell off the table."""

    die: int
    face: Face | None
    heading: int
    x: int
    y: int


Throws = tuple[Throw, ...]


def throw(number: int, falls: bool, chance: Chance) -> Throw:
    """Throw a die with two draws: DIC-1, DIC-2 and the fall of DIC-12."""
    drawn = chance.below(1000 * 1000)
    landed = chance.below(360 * TABLE * TABLE)
    face = None if falls and drawn // 1000 < FALLS else DRAWN[drawn % 1000]
    return Throw(number, face, landed // (TABLE * TABLE), landed // TABLE % TABLE, landed % TABLE)


def to_roll(dice: Dice) -> list[int]:
    """Return the numbers of the dice that are rolled next."""
    return [number for number, die in enumerate(dice) if die.where in ("available", "queso")]


def read(dice: Dice) -> tuple[tuple[Where, ...], str]:
    """Return where the dice go after a roll, and the rule that applies: the first of DIC-6 to DIC-10."""
    wheres = [GOES[die.face] if die.where == "thrown" else die.where for die in dice]
    if wheres.count("wheel") == DICE:
        return tuple(wheres), "DIC-6"
    if wheres.count("standing") >= TOWERS:
        return tuple(wheres), "DIC-7"
    if "queso" in wheres:
        return tuple(wheres), "DIC-8"
    rule = "DIC-9" if "standing" in wheres else "DIC-10"
    return tuple(["wheel" if where == "wheel" else "available" for where in wheres]), rule


def points_at(heading: int, seats: int) -> Seat:
    """DIC-10: return the seat at this heading. Seats are evenly spaced, clockwise, with seat 0 at heading 0."""
    return (heading * seats + 180) // 360 % seats
