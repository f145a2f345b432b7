"""The contract between a game and everything that plays it.

A game is one record of plain functions over frozen values. It knows no clock, socket, file or
global; chance arrives as an argument and what it decided is recorded in events. `offers` is the
one source of legality: every way of filling an offer's blanks is a legal move, and every legal
move fills some offer, so that a generic bot or page can play a game it has never heard of.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Any, Generic, Protocol, TypeVar, get_args

import msgspec

from games.chance import Chance

Seat = int


def _tag(name: str) -> str:
    """PickUp becomes "pick_up": the value of "type" on the wire."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Value(msgspec.Struct, frozen=True, tag=_tag, tag_field="type", forbid_unknown_fields=True, gc=False):
    """A frozen value that knows its own name: moves, events, states and views are such values."""


class Range(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A blank for a whole number, both ends allowed."""

    least: int
    most: int


class One(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A blank for exactly one of these values."""

    of: tuple[Any, ...]


class Pick(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A blank for `least` to `most` of these values, in any order.

    A value may be used as often as it is listed: like things are listed once each.
    """

    of: tuple[Any, ...]
    least: int
    most: int


class Offer(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A move with blanks: every field of the move is a literal or a blank.

    A literal is a number, a string, a bool, None or a list, never a map: so on the wire a map is a blank.
    """

    move: str
    fill: dict[str, Any]


def offer(move: type[Value], /, **fill: object) -> Offer:
    """The offer of a move of this class with these literals and blanks."""
    return Offer(str(move.__struct_config__.tag), fill)


class IllegalMove(Exception):  # noqa: N818
    """Says that a move is refused, by which rule, and why in one sentence for the player."""

    def __init__(self, rule: str, why: str) -> None:
        super().__init__(f"{rule}: {why}")
        self.rule = rule
        self.why = why


class Limit(msgspec.Struct, frozen=True):
    """Real time that the rules themselves set, whatever the table's speed.

    `within_ms`: a seat that may act has this long, the last millisecond included, from the entry
    that gave it its present ask; then its absent move is made. `pause_ms`: a seat's next move comes
    no sooner than this after its own last one.
    """

    within_ms: int | None = None
    pause_ms: int | None = None


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended: the place of each seat (1 is best, ties share it), the rule that ended it,
    and points where the game has them."""

    places: tuple[int, ...]
    rule: str
    points: tuple[int, ...] | None = None


S = TypeVar("S", bound=Value)
M = TypeVar("M", bound=Value)
E = TypeVar("E", bound=Value)
V = TypeVar("V", bound=Value)
O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741


E_in = TypeVar("E_in", bound=Value, contravariant=True)


class Apply(Protocol[S, E_in]):
    """The fold: the first event of a table is applied to None."""

    def __call__(self, state: S | None, event: E_in, /) -> S: ...


def no_limit(state: Any) -> Limit | None:
    """For games whose rules set no real time."""
    return None


def no_asides(state: Any, seat: Seat) -> tuple[Offer, ...]:
    """For games in which a seat has nothing to say besides its moves."""
    return ()


@dataclass(frozen=True, kw_only=True)
class Game(Generic[S, M, E, V, O]):
    """Everything the house needs to know of a game.

    The types are given so that values can be read back from the wire and the log: `moves` and
    `events` are unions.
    """

    name: str
    title: str
    blurb: str
    prefix: str
    seats: range
    options: type[O]
    state: type[S]
    moves: Any
    events: Any
    views: type[V]

    setup: Callable[[int, O, Chance], tuple[E, ...]]
    to_act: Callable[[S], tuple[Seat, ...]]
    offers: Callable[[S, Seat], tuple[Offer, ...]]
    play: Callable[[S, Seat, M, Chance], tuple[E, ...]]
    refuse: Callable[[S, Seat, M], IllegalMove]
    apply: Apply[S, E]
    view: Callable[[S, Seat | None], V]
    show: Callable[[E, Seat | None], E | None]
    absent: Callable[[S, Seat], M]
    outcome: Callable[[S], Outcome | None]
    imagine: Callable[[V, Seat, Chance], S]
    limit: Callable[[S], Limit | None] = no_limit
    asides: Callable[[S, Seat], tuple[Offer, ...]] = no_asides

    @cached_property
    def moves_by_tag(self) -> dict[str, type[M]]:
        """The classes of moves: msgspec prepares a class once, but a union at every conversion."""
        return {kind.__struct_config__.tag: kind for kind in get_args(self.moves) or (self.moves,)}


AnyGame = Game[Any, Any, Any, Any, Any]


class Told(tuple[E, ...]):
    """Events that were applied as they happened: by what, and the states before and after them."""

    apply: Apply[Any, E]
    before: Any
    after: Any


def judge(
    game: Game[S, M, E, V, O],
    state: S,
    seat: Seat,
    move: M,
    chance: Chance,
    offers: Sequence[Offer] | None = None,
) -> tuple[E, ...]:
    """What the move does, or IllegalMove if nothing that the seat is offered allows it.

    `offers` may be given by a caller that has them already (offers and asides together).
    """
    if offers is None:
        offers = game.offers(state, seat) + game.asides(state, seat)
    if not offered(offers, move):
        raise game.refuse(state, seat, move)
    return game.play(state, seat, move, chance)


def fold(game: Game[S, M, E, V, O], events: Iterable[E], state: S | None = None) -> S:
    """The state after these events; what was told from this very state is not applied again."""
    if isinstance(events, Told) and events.before is state and events.apply is game.apply:
        after: S = events.after
        return after
    for event in events:
        state = game.apply(state, event)
    if state is None:
        raise ValueError("a table has at least one event, its set-up")
    return state


def offered(offers: Iterable[Offer], move: Value) -> bool:
    """Whether the move fills one of the offers."""
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
    if kind is One:
        return value in blank.of
    if kind is Pick:
        return blank.least <= len(value) <= blank.most and all(value.count(x) <= blank.of.count(x) for x in value)
    return bool(blank == value)


def fill(one: Offer, chance: Chance) -> dict[str, Any]:
    """A filling of the offer by chance, as the map that is sent as a move."""
    move: dict[str, Any] = {"type": one.move}
    for name, blank in one.fill.items():
        kind = type(blank)
        if kind is Range:
            move[name] = blank.least + chance.below(blank.most - blank.least + 1)
        elif kind is One:
            move[name] = chance.pick(blank.of)
        elif kind is Pick:
            count = blank.least + chance.below(blank.most - blank.least + 1)
            move[name] = chance.shuffled(blank.of)[:count]
        else:
            move[name] = blank
    return move


def fillings(one: Offer) -> Iterator[dict[str, Any]]:
    """Every filling of the offer; picks in the order listed, like ones once."""
    names = list(one.fill)
    for values in itertools.product(*(_values(one.fill[name]) for name in names)):
        yield {"type": one.move, **dict(zip(names, values, strict=True))}


def ways(one: Offer) -> int:
    """How many fillings there are at most, without making them."""
    total = 1
    for blank in one.fill.values():
        if isinstance(blank, Range):
            total *= blank.most - blank.least + 1
        elif isinstance(blank, One):
            total *= len(blank.of)
        elif isinstance(blank, Pick):
            total *= sum(comb(len(blank.of), k) for k in range(blank.least, blank.most + 1))
    return total


def _values(blank: Any) -> Iterable[Any]:
    if isinstance(blank, Range):
        return range(blank.least, blank.most + 1)
    if isinstance(blank, One):
        return blank.of
    if isinstance(blank, Pick):
        return dict.fromkeys(
            picked for count in range(blank.least, blank.most + 1) for picked in itertools.combinations(blank.of, count)
        )
    return (blank,)


def read_move(game: Game[S, M, E, V, O], raw: object) -> M:
    """A move from its map; msgspec.ValidationError names the field at fault."""
    tag = raw.get("type") if isinstance(raw, dict) else None
    kind = game.moves_by_tag.get(tag) if isinstance(tag, str) else None
    move: M = msgspec.convert(raw, kind or game.moves)
    return move


def option_choices(game: Game[S, M, E, V, O]) -> dict[str, tuple[Any, ...]]:
    """The values each option of the game may have, the default first."""
    choices: dict[str, tuple[Any, ...]] = {}
    default = game.options()
    info = msgspec.inspect.type_info(game.options)
    assert isinstance(info, msgspec.inspect.StructType)
    for field in info.fields:
        if isinstance(field.type, msgspec.inspect.BoolType):
            values: tuple[Any, ...] = (True, False)
        elif isinstance(field.type, msgspec.inspect.LiteralType):
            values = tuple(field.type.values)
        else:
            raise TypeError(f"option {field.name} of {game.name} is neither a bool nor a Literal")
        first = getattr(default, field.name)
        choices[field.name] = (first, *(value for value in values if value != first))
    return choices
