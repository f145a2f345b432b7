"""Pile: the workload of the peers' benchmark as a game. For measuring only; nobody wins.

Q1  Four seats have ten hidden cards each, which stay where they are.
Q2  Seats play in turn: a card of any number onto the pile.
Q3  The last twenty cards of the pile can be seen by everybody.
"""

from __future__ import annotations

from msgspec.structs import replace

from games.chance import Chance
from games.core import Game, IllegalMove, Offer, Outcome, Range, Seat, Value, offer

SEEN = 20  # Q3
HIGHEST = 0x3FFF


class Options(Value, frozen=True):
    """Nothing can be chosen."""


class Play(Value, frozen=True):
    """Put this card onto the pile."""

    card: int


class Dealt(Value, frozen=True):
    """The hidden hands."""

    hands: tuple[tuple[int, ...], ...]


class Played(Value, frozen=True):
    """A card came onto the pile."""

    card: int


class State(Value, frozen=True):
    """The pile is cut back to what must be seen each time it is twice as long."""

    hands: tuple[tuple[int, ...], ...]
    turn: Seat = 0
    pile: tuple[int, ...] = ()


class View(Value, frozen=True):
    """Whose turn it is, the update says beside the view."""

    hand: tuple[int, ...] | None
    pile: tuple[int, ...]


def setup(seats: int, options: Options, chance: Chance) -> tuple[Dealt, ...]:
    return (Dealt(tuple(tuple(range(seat * 1000, seat * 1000 + 10)) for seat in range(seats))),)


def to_act(state: State) -> tuple[Seat, ...]:
    return (state.turn,)


OFFERS = (offer(Play, card=Range(0, HIGHEST)),)


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    return OFFERS if seat == state.turn else ()


def refuse(state: State, seat: Seat, move: Play) -> IllegalMove:
    return IllegalMove("Q2", "It is not your turn, or there is no such card.")


def play(state: State, seat: Seat, move: Play, chance: Chance) -> tuple[Played, ...]:
    return (Played(move.card),)


def apply(state: State | None, event: Dealt | Played) -> State:
    if isinstance(event, Dealt):
        return State(event.hands)
    assert state
    pile = state.pile if len(state.pile) < 2 * SEEN else state.pile[1 - SEEN :]
    return replace(state, turn=(state.turn + 1) % len(state.hands), pile=(*pile, event.card))


def view(state: State, seat: Seat | None) -> View:
    return View(None if seat is None else state.hands[seat], state.pile)


def show(event: Dealt | Played, seat: Seat | None) -> None:
    """Nothing: the view tells it all, as with the peers."""


def absent(state: State, seat: Seat) -> Play:
    return Play(0)


def outcome(state: State) -> Outcome | None:
    return None


def imagine(view: View, seat: Seat, chance: Chance) -> State:
    raise NotImplementedError("no bot plays this")


GAME = Game(
    name="pile",
    title="Pile",
    blurb="A benchmark's workload.",
    prefix="Q",
    seats=range(4, 5),
    options=Options,
    state=State,
    moves=Play,
    events=Dealt | Played,
    views=View,
    setup=setup,
    to_act=to_act,
    offers=offers,
    play=play,
    refuse=refuse,
    apply=apply,
    view=view,
    show=show,
    absent=absent,
    outcome=outcome,
    imagine=imagine,
)
