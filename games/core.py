"""The contract between a game and everything that plays it.

A game is a module of pure functions over frozen values. It uses no clock, socket, file or global variable. Chance is
an argument, and what it decided is recorded in events. `offers` is the only source of legality: every way to fill the
blanks of an offer is a legal move, and every legal move fills an offer. So a generic bot or page can play any game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar, get_args

import msgspec
from msgspec import convert

from games.about import About
from games.chance import Chance
from games.offers import Offer, is_offered
from games.refusals import IllegalMove, Tried

Seat = int


def _tag(name: str) -> str:
    """Return the value of "type" on the wire: "pick_up" for PickUp."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Value(msgspec.Struct, frozen=True, tag=_tag, tag_field="type", forbid_unknown_fields=True, gc=False):
    """The base of moves, events, states and views: frozen, and with the name of its class on the wire."""


class Limit(msgspec.Struct, frozen=True):
    """Limits in real time that the rules themselves set, whatever the table's speed.

    `within_ms` is how long a seat has for its move, the last millisecond included, from the entry that asked it. After
    that its absent move is made. `pause_ms` is the shortest time between two moves of one seat.
    """

    within_ms: int | None = None
    pause_ms: int | None = None


class Beat(msgspec.Struct, frozen=True):
    """How long a page plays out what has happened: seats that are asked as a result get that much more time.

    With `hold` no seat may move before it is over, so that a race starts for all at once.
    """

    ms: int
    hold: bool = False


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended: the place of each seat (1 is best, tied seats share a place), the rule that ended it, and the
    points if the game has any."""

    places: tuple[int, ...]
    rule: str
    points: tuple[int, ...] | None = None


S = TypeVar("S", bound=Value)
M = TypeVar("M", bound=Value)
E = TypeVar("E", bound=Value)
V = TypeVar("V", bound=Value)
O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741


S_in = TypeVar("S_in", bound=Value, contravariant=True)
E_in = TypeVar("E_in", bound=Value, contravariant=True)


class Apply(Protocol[S, E_in]):
    """Return the state after an event. The first event of a table is applied to None."""

    def __call__(self, state: S | None, event: E_in, /) -> S: ...


class MakeOffers(Protocol[S_in]):
    """Return what a seat may do. If `tried` is given, also tell it why that move is not offered."""

    def __call__(self, state: S_in, seat: Seat, tried: Tried | None = None, /) -> tuple[Offer, ...]: ...


def no_limit(state: Any) -> Limit | None:
    """The `limit` of games whose rules set no limits in real time."""
    return None


def no_beat(state: Any, events: Any) -> Beat | None:
    """The `beat` of games that have none."""
    return None


def no_asides(state: Any, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    """The `asides` of games that have none."""
    return ()


class Rules(Protocol[S, M, E, V, O]):
    """What a game's module has to define. A type checker compares the module with this where `collect` is called.

    `Move` and `Event` are unions of classes. A module may also define `limit`, `asides` and `beat`.
    """

    __name__: str
    TITLE: str
    BLURB: str
    PREFIX: str
    SEATS: range

    @property
    def Options(self) -> type[O]: ...  # noqa: N802
    @property
    def State(self) -> type[S]: ...  # noqa: N802
    @property
    def Move(self) -> Any: ...  # noqa: N802
    @property
    def Event(self) -> Any: ...  # noqa: N802
    @property
    def View(self) -> type[V]: ...  # noqa: N802
    def setup(self, seats: int, options: O, chance: Chance, /) -> tuple[E, ...]: ...
    def to_act(self, state: S, /) -> tuple[Seat, ...]: ...
    def offers(self, state: S, seat: Seat, tried: Tried | None = None, /) -> tuple[Offer, ...]: ...
    def play(self, state: S, seat: Seat, move: M, chance: Chance, /) -> tuple[E, ...]: ...
    def apply(self, state: S | None, event: E, /) -> S: ...
    def view(self, state: S, seat: Seat | None, /) -> V: ...
    def show(self, event: E, seat: Seat | None, /) -> E | None: ...
    def absent(self, state: S, seat: Seat, /) -> M: ...
    def outcome(self, state: S, /) -> Outcome | None: ...
    def imagine(self, view: V, seat: Seat, chance: Chance, /) -> S: ...


@dataclass(frozen=True, kw_only=True)
class Game(Generic[S, M, E, V, O]):
    """A game: everything that its module defines, in one record.

    The types are needed to decode values from the wire and the log. `moves` and `events` are unions. `version` is the
    version of the rules. Events of all versions from `oldest_version` on can be applied.
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
    offers: MakeOffers[S]
    play: Callable[[S, Seat, M, Chance], tuple[E, ...]]
    apply: Apply[S, E]
    view: Callable[[S, Seat | None], V]
    show: Callable[[E, Seat | None], E | None]
    absent: Callable[[S, Seat], M]
    outcome: Callable[[S], Outcome | None]
    imagine: Callable[[V, Seat, Chance], S]
    limit: Callable[[S], Limit | None] = no_limit
    asides: MakeOffers[S] = no_asides
    beat: Callable[[S, tuple[E, ...]], Beat | None] = no_beat
    version: int = 1
    oldest_version: int = 1
    about: About | None = field(default=None, compare=False)

    @cached_property
    def moves_by_tag(self) -> dict[str, type[M]]:
        """The classes of moves by their tags. msgspec converts to a class faster than to a union."""
        return {kind.__struct_config__.tag: kind for kind in get_args(self.moves) or (self.moves,)}


AnyGame = Game[Any, Any, Any, Any, Any]

COLLECTED = {  # fields of a Game, and the names that a module has for them
    "title": "TITLE",
    "blurb": "BLURB",
    "prefix": "PREFIX",
    "seats": "SEATS",
    "options": "Options",
    "state": "State",
    "moves": "Move",
    "events": "Event",
    "views": "View",
}
FUNCTIONS = ("setup", "to_act", "offers", "play", "apply", "view", "show", "absent", "outcome", "imagine")
OPTIONAL = {
    "limit": "limit",
    "asides": "asides",
    "beat": "beat",
    "version": "VERSION",
    "oldest_version": "OLDEST_VERSION",
    "about": "ABOUT",
}


def collect(module: Rules[S, M, E, V, O]) -> Game[S, M, E, V, O]:
    """Make the game of a module from the facts, types and functions that it defines under the agreed names."""
    names = COLLECTED | {name: name for name in FUNCTIONS}
    names |= {fact: name for fact, name in OPTIONAL.items() if hasattr(module, name)}
    missing = [name for name in names.values() if not hasattr(module, name)]
    if missing:
        raise TypeError(f"{module.__name__} is not a game: it lacks {', '.join(missing)}")
    found: dict[str, Any] = {field: getattr(module, name) for field, name in names.items()}
    return Game(name=module.__name__.rpartition(".")[2], **found)


class AppliedEvents(tuple[E, ...]):
    """Events with the function that applied them and the states before and after them, in `applied`."""

    applied: tuple[Apply[Any, E], Any, Any]


def judge(
    game: Game[S, M, E, V, O],
    state: S,
    seat: Seat,
    move: M,
    chance: Chance,
    offers: Sequence[Offer] | None = None,
) -> tuple[E, ...]:
    """Return the events of a move. Raise IllegalMove if the move is not offered to the seat.

    A caller that already has the offers and asides of the seat passes both together as `offers`.
    """
    if offers is None:
        offers = game.offers(state, seat) + game.asides(state, seat)
    if not is_offered(offers, move):
        raise refusal(game, state, seat, move)
    return game.play(state, seat, move, chance)


def refusal(game: Game[S, M, E, V, O], state: S, seat: Seat, move: M) -> IllegalMove:
    """Return the reason why this move is not offered to this seat."""
    tried = Tried(move)
    game.asides(state, seat, tried)
    game.offers(state, seat, tried)
    return tried.refusal or IllegalMove(game.prefix, "this is not what you were asked for")


def fold(game: Game[S, M, E, V, O], events: Iterable[E], state: S | None = None) -> S:
    """Return the state after these events. AppliedEvents that start from this very state are not applied again."""
    if isinstance(events, AppliedEvents):
        apply, before, after = events.applied
        if before is state and apply is game.apply:
            result: S = after
            return result
    for event in events:
        state = game.apply(state, event)
    if state is None:
        raise ValueError("a table has at least one event: its set-up")
    return state


def read_move(game: Game[S, M, E, V, O], raw: object) -> M:
    """Convert a map to a move. Raise msgspec.ValidationError, which names the field, if it is not one."""
    tag = raw.get("type") if isinstance(raw, dict) else None
    kind = game.moves_by_tag.get(tag) if isinstance(tag, str) else None
    move: M = convert(raw, kind or game.moves)
    return move


def option_choices(game: Game[S, M, E, V, O]) -> dict[str, tuple[Any, ...]]:
    """Return the values that each option of the game may have, the default first."""
    choices: dict[str, tuple[Any, ...]] = {}
    default = game.options()
    info = msgspec.inspect.type_info(game.options)
    assert isinstance(info, msgspec.inspect.StructType)
    for one in info.fields:
        if isinstance(one.type, msgspec.inspect.BoolType):
            values: tuple[Any, ...] = (True, False)
        elif isinstance(one.type, msgspec.inspect.LiteralType):
            values = tuple(one.type.values)
        else:
            raise TypeError(f"option {one.name} of {game.name} is neither a bool nor a Literal")
        first = getattr(default, one.name)
        choices[one.name] = (first, *(value for value in values if value != first))
    return choices
