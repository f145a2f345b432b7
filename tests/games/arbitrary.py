"""Moves of the right types that are mostly illegal, made from the numbers and strings of a state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import inspect

from games.chance import Chance
from games.core import AnyGame
from games.offers import Offer, Range, Subset, fill

STRANGE_INTS = (-1, 0, 1, 2, 3, 7, 99, 2**31, -(2**40))
STRANGE_STRINGS = ("", "Zz", "pass", "none such")


def plain(value: Any) -> Any:
    """Return the value as a client decodes it that knows msgpack but not our types."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(value))


def just_outside(one: Offer, chance: Chance) -> Iterator[dict[str, Any]]:
    """Yield fillings of the offer that are random, except that one field is just outside the bound of its blank."""
    for name, blank in one.fill.items():
        beyond: list[Any] = []
        if isinstance(blank, Range):
            beyond = [blank.least - 1, blank.most + 1]
        elif isinstance(blank, Subset):
            mixed = chance.shuffled(blank.of)
            beyond = [mixed[:size] for size in (blank.least - 1, blank.most + 1) if 0 <= size <= len(mixed)]
        for value in beyond:
            yield fill(one, chance) | {name: value}


class ArbitraryMoves:
    """Moves with arbitrary values, from the numbers and strings of a state."""

    def __init__(self, game: AnyGame, state: Any, chance: Chance) -> None:
        self._chance = chance
        self._ints: list[int] = list(STRANGE_INTS)
        self._strings: list[str] = list(STRANGE_STRINGS)
        self._gather(plain(state))
        info = inspect.type_info(game.moves)
        kinds = info.types if isinstance(info, inspect.UnionType) else (info,)
        self._structs = {str(kind.tag): kind for kind in kinds if isinstance(kind, inspect.StructType)}
        self._moves = game.moves

    def _gather(self, value: Any) -> None:
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, list):
            for item in value:
                self._gather(item)
        elif isinstance(value, str):
            self._strings.append(value)
        elif isinstance(value, int):
            self._ints.append(value)

    def moves(self, offers: tuple[Offer, ...], count: int) -> Iterator[Any]:
        """Yield at most `count` moves: some arbitrary, some that differ in one field from an offered move."""
        for number in range(count):
            if offers and number % 3:
                raw = self._spoilt(plain(fill(self._chance.pick(offers), self._chance)))
            else:
                raw = self._of(self._chance.pick(list(self._structs.values())))
            try:
                yield msgspec.convert(raw, self._moves)
            except msgspec.ValidationError:
                continue  # it does not fit the type, so it would never reach the game

    def _spoilt(self, raw: dict[str, Any]) -> dict[str, Any]:
        fields = self._structs[raw["type"]].fields
        if not fields:
            return self._of(self._chance.pick(list(self._structs.values())))  # type: ignore[no-any-return]
        field = self._chance.pick(fields)
        old = raw[field.encode_name]
        if isinstance(old, int) and not isinstance(old, bool) and self._chance.below(2):
            new: Any = old + self._chance.pick((-1, 1, 2, -2, 1000))
        elif isinstance(old, list) and self._chance.below(3):
            new = self._stretched(old, self._of(field.type))
        else:
            new = self._of(field.type)
        return {**raw, field.encode_name: new}

    def _stretched(self, old: list[Any], other: Any) -> list[Any]:
        """Return the list with an item doubled, removed, or added from elsewhere."""
        kind = self._chance.below(3)
        if old and kind == 0:
            return [*old, self._chance.pick(old)]
        if old and kind == 1:
            return old[1:]
        return [*old, *(other if isinstance(other, list) else ())]

    def _of(self, kind: inspect.Type) -> Any:
        chance = self._chance
        match kind:
            case inspect.StructType():
                values = {field.encode_name: self._of(field.type) for field in kind.fields}
                return values if kind.tag_field is None else {kind.tag_field: kind.tag, **values}
            case inspect.UnionType():
                return self._of(chance.pick(kind.types))
            case inspect.IntType():
                return chance.pick(self._ints)
            case inspect.StrType():
                return chance.pick(self._strings)
            case inspect.BoolType():
                return bool(chance.below(2))
            case inspect.NoneType():
                return None
            case inspect.LiteralType():
                return chance.pick(kind.values)
            case inspect.TupleType():
                return [self._of(item) for item in kind.item_types]
            case inspect.VarTupleType() | inspect.FrozenSetType() | inspect.ListType():
                return [self._of(kind.item_type) for _ in range(chance.below(6))]
            case _:
                raise TypeError(f"a move has a field of a type that nobody expected: {kind}")
