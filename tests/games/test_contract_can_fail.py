"""The contract's tests find what they are there to find: Cheesedog, broken in one way at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace as but
from itertools import count
from typing import Any

import pytest

from games import cheesedog
from games.chance import Chance
from games.cheesedog import DECK, GAME, RANK, Event, Move, Options, Skipped, State, View
from games.core import AnyGame, IllegalMove, Offer, One, Range, Seat, offer
from games.kit import replace
from tests.games import secrets_game, test_contract
from tests.playout import Case


def telling_view(state: State, seat: Seat | None) -> View:
    """Lets slip what lies face down, in a number that looks harmless."""
    return replace(cheesedog.view(state, seat), turns=sum(RANK[card] for card in state.downs[0] if card))


def telling_refusal(state: State, seat: Seat, move: Move) -> IllegalMove:
    return IllegalMove("DOG-3", f"seat {state.turn} can beat you with {state.hands[state.turn]}")


def groundless_refusal(state: State, seat: Seat, move: Move) -> IllegalMove:
    return IllegalMove("CAT-1", "because")


def hasty_offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    """Lets a waiting seat pick up."""
    return cheesedog.offers(state, seat) or (offer(cheesedog.PickUp),)


def half_offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    """Leaves a field of the move open."""
    return tuple(Offer(one.move, dict(list(one.fill.items())[:1])) for one in cheesedog.offers(state, seat))


def long_offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    """Lists far more places than there can be."""
    if state.result or seat != state.turn:
        return ()
    return (*cheesedog.offers(state, seat), offer(cheesedog.TurnOver, place=One(tuple(range(500)))))


def generous_offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    """Offers a turn-over at places where there is nothing."""
    own = cheesedog.offers(state, seat)
    return own and (*own, offer(cheesedog.TurnOver, place=Range(0, 3)))


def careless_apply(state: State | None, event: Event, /) -> State:
    """Throws the discard away."""
    return replace(cheesedog.apply(state, event), discard=())


def moody_play() -> Callable[[State, Seat, Move, Chance], tuple[Event, ...]]:
    """Says something else every third time."""
    calls = count()

    def play(state: State, seat: Seat, move: Move, chance: Chance) -> tuple[Event, ...]:
        extra = () if next(calls) % 3 else (Skipped(seat),)
        return cheesedog.play(state, seat, move, chance) + extra

    return play


def false_imagining(view: View, seat: Seat, chance: Chance) -> State:
    """Fits the view, but deals cards that the seat sees elsewhere."""
    state = cheesedog.imagine(view, seat, chance)
    deck = iter(chance.shuffled(DECK))
    return replace(state, downs=tuple(tuple(next(deck) if card else None for card in row) for row in state.downs))


def late_to_act(state: State) -> tuple[Seat, ...]:
    return (state.turn,)


BROKEN: list[tuple[str, AnyGame, Callable[[Case], None]]] = [
    ("view", but(GAME, view=telling_view), test_contract.test_twin_tables_look_alike_to_whoever_cannot_tell_them_apart),
    (
        "refusal",
        but(GAME, refuse=telling_refusal),
        test_contract.test_twin_tables_look_alike_to_whoever_cannot_tell_them_apart,
    ),
    ("rule", but(GAME, refuse=groundless_refusal), test_contract.test_anything_else_is_refused_by_a_rule),
    (
        "waiting",
        but(GAME, offers=hasty_offers),
        test_contract.test_somebody_may_act_until_the_end_and_only_they_have_offers,
    ),
    (
        "to_act",
        but(GAME, to_act=late_to_act),
        test_contract.test_somebody_may_act_until_the_end_and_only_they_have_offers,
    ),
    ("pieces", but(GAME, apply=careless_apply), test_contract.test_pieces_are_conserved),
    (
        "verify",
        but(GAME, play=moody_play()),
        test_contract.test_the_same_moves_and_the_same_chance_give_the_same_events,
    ),
    (
        "imagine",
        but(GAME, imagine=false_imagining),
        test_contract.test_what_is_imagined_fits_the_view_and_can_be_played_to_an_end,
    ),
]


@pytest.mark.parametrize(("what", "game", "check"), BROKEN, ids=[what for what, _, _ in BROKEN])
def test_a_broken_game_is_found_out(what: str, game: AnyGame, check: Callable[[Case], None]) -> None:
    with pytest.raises(AssertionError):
        check(Case(game, 4, Options()))


# Offers that are wrong spoil a random game before it is over, so these games are played by the right ones.
@pytest.mark.parametrize(
    ("offers", "check"),
    [
        (half_offers, test_contract.test_offers_are_small_and_complete),
        (long_offers, test_contract.test_offers_are_small_and_complete),
        (generous_offers, test_contract.test_filled_offers_are_accepted),
    ],
)
def test_wrong_offers_are_found_out(
    offers: Callable[[State, Seat], tuple[Offer, ...]],
    check: Callable[[Case], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = Case(GAME, 4, Options())
    recorded, positions = test_contract.recorded, test_contract.positions
    monkeypatch.setattr(test_contract, "recorded", lambda _, number: recorded(right, number))
    monkeypatch.setattr(test_contract, "positions", lambda _, many: positions(right, many))
    broken: Any = but(GAME, offers=offers)
    with pytest.raises(AssertionError):
        check(Case(broken, 4, Options()))


def open_show(event: secrets_game.Event, seat: Seat | None) -> secrets_game.Event | None:
    """Shows numbers before the reveal."""
    return event


def chatty_show(event: secrets_game.Event, seat: Seat | None) -> secrets_game.Event | None:
    """Shows nothing of a decision for 1 to 127, which is a difference too."""
    shown = secrets_game.show(event, seat)
    low = isinstance(event, secrets_game.Named) and event.number is not None and event.number < 128
    return None if low and shown != event else shown


def rising_offers(state: secrets_game.State, seat: Seat) -> tuple[Offer, ...]:
    """Wants more than the others named."""
    least = 1 + max(number or 0 for number in state.named)
    return (offer(secrets_game.Name, number=Range(least, 1000)),) if seat in secrets_game.to_act(state) else ()


def remembering_apply(state: secrets_game.State | None, event: secrets_game.Event, /) -> secrets_game.State:
    """Keeps in mind who was first."""
    after = secrets_game.apply(state, event)
    if isinstance(event, secrets_game.Named) and after.first is None:
        return replace(after, first=event.seat)
    return after


SECRETS = secrets_game.GAME
AT_ONCE: list[tuple[str, AnyGame, Callable[[Case], None]]] = [
    (
        "shown",
        but(SECRETS, show=open_show),
        test_contract.test_a_secret_decision_looks_the_same_to_others_whatever_it_is,
    ),
    (
        "size",
        but(SECRETS, show=chatty_show),
        test_contract.test_a_secret_decision_looks_the_same_to_others_whatever_it_is,
    ),
    (
        "offers",
        but(SECRETS, offers=rising_offers),
        test_contract.test_seats_that_decide_at_once_do_not_change_what_others_may_do,
    ),
    (
        "order",
        but(SECRETS, apply=remembering_apply),
        test_contract.test_the_order_of_two_decisions_made_at_once_does_not_matter,
    ),
]


@pytest.mark.parametrize(("what", "game", "check"), AT_ONCE, ids=[what for what, _, _ in AT_ONCE])
def test_a_broken_game_of_secrets_is_found_out(
    what: str, game: AnyGame, check: Callable[[Case], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(test_contract, "tables", lambda _: None)
    check(Case(SECRETS, 3, secrets_game.Options()))
    with pytest.raises(AssertionError):
        check(Case(game, 3, secrets_game.Options()))
