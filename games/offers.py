"""Offers: moves with blanks, and how they are filled."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from math import comb
from typing import Any

import msgspec

from games.chance import Chance


class Range(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A blank for a whole number from `least` to `most`, both included."""

    least: int
    most: int


ENDLESS = 2**63  # the upper end of a Range without a limit


class Choice(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A blank for exactly one of these values."""

    of: tuple[Any, ...]


class Subset(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A blank for `least` to `most` of these values, in any order.

    Each value may be used as often as it is listed.
    """

    of: tuple[Any, ...]
    least: int
    most: int


class Offer(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A move with blanks: every field of the move is a literal or a blank.

    A literal is a number, a string, a bool, None or a list. It is never a map, so every map on the wire is a blank.
    """

    move: str
    fill: dict[str, Any]


def offer(move: type[msgspec.Struct], /, **fill: object) -> Offer:
    """Return the offer of a move of this class with these literals and blanks."""
    return Offer(str(move.__struct_config__.tag), fill)


def is_offered(offers: Iterable[Offer], move: msgspec.Struct) -> bool:
    """Return whether the move fills one of the offers."""
    tag = move.__struct_config__.tag
    for one in offers:
        if one.move == tag:
            for name, blank in one.fill.items():
                if not _fits(blank, getattr(move, name)):
                    break
            else:
                return True
    return False


def _fits(blank: Any, value: Any) -> bool:
    kind = type(blank)
    if kind is Range:
        return isinstance(value, int) and bool(blank.least <= value <= blank.most)
    if kind is Choice:
        return value in blank.of
    if kind is Subset:
        return blank.least <= len(value) <= blank.most and all(value.count(x) <= blank.of.count(x) for x in value)
    return bool(blank == value)


def fill(one: Offer, chance: Chance) -> dict[str, Any]:
    """Fill the offer at random. Return the map that is sent as a move."""
    move: dict[str, Any] = {"type": one.move}
    for name, blank in one.fill.items():
        kind = type(blank)
        if kind is Range:
            move[name] = blank.least + chance.below(blank.most - blank.least + 1)
        elif kind is Choice:
            move[name] = chance.pick(blank.of)
        elif kind is Subset:
            count = blank.least + chance.below(blank.most - blank.least + 1)
            move[name] = chance.shuffled(blank.of)[:count]
        else:
            move[name] = blank
    return move


def fillings(one: Offer) -> Iterator[dict[str, Any]]:
    """Yield every filling of the offer. Subsets are in the order listed, equal ones once."""
    names = list(one.fill)
    for values in itertools.product(*(_values(one.fill[name]) for name in names)):
        yield {"type": one.move, **dict(zip(names, values, strict=True))}


def count_fillings(one: Offer) -> int:
    """Count the fillings of the offer; equal ones may be counted more than once."""
    total = 1
    for blank in one.fill.values():
        if isinstance(blank, Range):
            total *= blank.most - blank.least + 1
        elif isinstance(blank, Choice):
            total *= len(blank.of)
        elif isinstance(blank, Subset):
            total *= sum(comb(len(blank.of), k) for k in range(blank.least, blank.most + 1))
    return total


def _values(blank: Any) -> Iterable[Any]:
    if isinstance(blank, Range):
        return range(blank.least, blank.most + 1)
    if isinstance(blank, Choice):
        return blank.of
    if isinstance(blank, Subset):
        return dict.fromkeys(
            picked for count in range(blank.least, blank.most + 1) for picked in itertools.combinations(blank.of, count)
        )
    return (blank,)
