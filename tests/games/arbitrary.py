"""Moves that nobody offered: well-typed, made from what lies about on the table, and mostly nonsense."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import inspect

from games.chance import Chance
from games.core import AnyGame, Offer, fill

STRANGE_INTS = (-1, 0, 1, 2, 3, 7, 99, 2**31, -(2**40))
STRANGE_STRINGS = ("", "Zz", "pass", "none such")


def plain(value: Any) -> Any:
    """The value as somebody finds it who knows msgpack and nothing of ours."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(value))


class Rubble:
    """Arbitrary values of any type that a move may have, from the numbers and words of a table."""

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
        """About so many moves: some of any type, some that differ in one field from one that is offered."""
        for number in range(count):
            if offers and number % 3:
                raw = self._spoilt(plain(fill(self._chance.pick(offers), self._chance)))
            else:
                raw = self._of(self._chance.pick(list(self._structs.values())))
            try:
                yield msgspec.convert(raw, self._moves)
            except msgspec.ValidationError:
                continue  # the type itself forbids it, so it never reaches a game

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
        """The list with something doubled, lacking, or with something foreign in it."""
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
