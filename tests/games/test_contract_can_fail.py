"""The tests of the contract fail for games that are broken in one way at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace as but
from itertools import count
from types import ModuleType
from typing import Any

import pytest

from games import cheesedog, diced_cheese, do_my_bidding
from games.chance import Chance
from games.cheesedog import values
from games.cheesedog.values import DECK, RANK, Event, Move, Options, Skipped, State, View
from games.cheesonomics import churn, market
from games.chesterfield import auctions
from games.core import AnyGame, Seat, collect
from games.diced_cheese import moves as dice
from games.kit import Bid, replace
from games.offers import ENDLESS, Choice, Offer, Range, offer
from games.refusals import Tried
from tests.games import secrets_game, test_contract
from tests.playout import Case

GAME = collect(cheesedog)


def telling_view(state: State, seat: Seat | None) -> View:
    """Reveals face-down cards in a number that looks harmless."""
    return replace(cheesedog.view(state, seat), turns=sum(RANK[card] for card in state.downs[0] if card))


def telling_refusal(state: State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    if tried:
        tried.refuse("DOG-3", f"seat {state.turn} can beat you with {state.hands[state.turn]}")
    return cheesedog.offers(state, seat)


def groundless_refusal(state: State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    if tried:
        tried.refuse("CAT-1", "because")
    return cheesedog.offers(state, seat)


def hasty_offers(state: State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    """Lets a waiting seat pick up."""
    return cheesedog.offers(state, seat, tried) or (offer(values.PickUp),)


def half_offers(state: State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    """Leaves a field of the move open."""
    return tuple(Offer(one.move, dict(list(one.fill.items())[:1])) for one in cheesedog.offers(state, seat, tried))


def long_offers(state: State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    """Lists far more places than there can be."""
    if state.result or seat != state.turn:
        return ()
    return (*cheesedog.offers(state, seat, tried), offer(values.TurnOver, place=Choice(tuple(range(500)))))


def generous_offers(state: State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    """Offers to turn over a card where there is none."""
    own = cheesedog.offers(state, seat, tried)
    return own and (*own, offer(values.TurnOver, place=Range(0, 3)))


def strict_offers(state: State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    """Has 7 as the bound of DOG-8."""
    made = cheesedog.offers(state, seat, tried)
    if not state.low or seat != state.turn or not state.hands[seat]:
        return made
    plays = tuple(one for one in made if one.move == "play" and one.fill["rank"] < 8)
    if tried:
        tried.among(values.Play, plays, "DOG-8", "after an 8 you play a 7 or lower")
    return plays or (offer(values.PickUp),)


def misleading_offers(state: State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    """Says DOG-4 where DOG-8 forbids a play."""
    if tried and state.low and seat == state.turn:
        tried.needs(values.Play, "DOG-4", "that is too high", rank=Range(2, 8))
    return cheesedog.offers(state, seat, tried)


def up_to(offers: tuple[Offer, ...], change: int) -> tuple[tuple[Offer, ...], int | None]:
    """These offers of Do My Bidding with the highest bid changed, and that bid; None if no bid is offered."""
    bids = [one.fill["amount"] for one in offers if one.move == "bid"]
    if not bids:
        return offers, None
    most = max(bids[0].least, bids[0].most + change)
    bid = offer(Bid, amount=Range(bids[0].least, most))
    return (bid, *(one for one in offers if one.move != "bid")), most


def rash_offers(state: do_my_bidding.State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    """Has bounds of DMB-11 and DMB-12 that are a dollar too high."""
    return up_to(do_my_bidding.offers(state, seat, tried), 1)[0]


def timid_offers(state: do_my_bidding.State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    """Has a bound of DMB-12 that is a dollar too low."""
    made, most = up_to(do_my_bidding.offers(state, seat), -1)
    if tried and most is not None:
        tried.needs(Bid, "DMB-12", "nobody else can bid so much", amount=Range(-ENDLESS, most))
    do_my_bidding.offers(state, seat, tried)
    return made


def late_offers(state: diced_cheese.State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    """Says DIC-15 where DIC-12 forbids to fetch."""
    if tried:
        tried.refuse("DIC-15", "no die has fallen off the table", dice.Fetch)
    return diced_cheese.offers(state, seat, tried)


def restless_offers(state: diced_cheese.State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    """Lets a seat fetch when no die has fallen."""
    made = diced_cheese.offers(state, seat, tried)
    return made and (*made, offer(dice.Fetch))


def careless_apply(state: State | None, event: Event, /) -> State:
    """Throws the discard away."""
    return replace(cheesedog.apply(state, event), discard=())


def moody_play() -> Callable[[State, Seat, Move, Chance], tuple[Event, ...]]:
    """Adds another event every third time."""
    calls = count()

    def play(state: State, seat: Seat, move: Move, chance: Chance) -> tuple[Event, ...]:
        extra = () if next(calls) % 3 else (Skipped(seat),)
        return cheesedog.play(state, seat, move, chance) + extra

    return play


def false_imagining(view: View, seat: Seat, chance: Chance) -> State:
    """Fits the view, but has cards face down that the seat sees elsewhere."""
    state = cheesedog.imagine(view, seat, chance)
    deck = iter(chance.shuffled(DECK))
    return replace(state, downs=tuple(tuple(next(deck) if card else None for card in row) for row in state.downs))


def late_to_act(state: State) -> tuple[Seat, ...]:
    return (state.turn,)


REFUSALS = test_contract.test_a_refusal_names_a_rule_that_forbids_the_move_and_no_rule_forbids_an_accepted_one
BROKEN: list[tuple[str, AnyGame, Callable[[Case], None]]] = [
    ("view", but(GAME, view=telling_view), test_contract.test_twin_tables_look_alike_to_whoever_cannot_tell_them_apart),
    (
        "refusal",
        but(GAME, offers=telling_refusal),
        test_contract.test_twin_tables_look_alike_to_whoever_cannot_tell_them_apart,
    ),
    ("rule", but(GAME, offers=groundless_refusal), test_contract.test_anything_else_is_refused_by_a_rule),
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


# With wrong offers a random game would stop before its end, so these games are recorded with the right ones.
@pytest.mark.parametrize(
    ("name", "offers", "check", "found"),
    [
        ("cheesedog", half_offers, test_contract.test_offers_are_small_and_complete, "lacks a field"),
        ("cheesedog", long_offers, test_contract.test_offers_are_small_and_complete, "turn_over"),
        ("cheesedog", generous_offers, test_contract.test_filled_offers_are_accepted, None),  # the game itself fails
        ("cheesedog", strict_offers, REFUSALS, "not forbidden by DOG-8"),
        ("cheesedog", misleading_offers, REFUSALS, "not forbidden by DOG-4"),
        ("do_my_bidding", rash_offers, REFUSALS, r"accepted, although \['DMB-12'\] forbid it"),
        ("do_my_bidding", timid_offers, REFUSALS, "not forbidden by DMB-12"),
        ("diced_cheese", late_offers, REFUSALS, "not forbidden by DIC-15"),
        ("diced_cheese", restless_offers, REFUSALS, r"accepted, although \['DIC-12'\] forbid it"),
    ],
)
def test_wrong_offers_are_found_out(
    name: str, offers: Any, check: Callable[[Case], None], found: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = next(case for case in test_contract.CASES if case.game.name == name and case.seats == 4)
    recorded, positions = test_contract.recorded, test_contract.positions
    monkeypatch.setattr(test_contract, "recorded", lambda _, number: recorded(right, number))
    monkeypatch.setattr(test_contract, "positions", lambda _, many: positions(right, many))
    broken: Any = but(right.game, offers=offers)
    with pytest.raises(AssertionError, match=found):
        check(Case(broken, 4, right.options))


# Bounds of rules that are looked up in the module at every use, also where the rules are compiled.
@pytest.mark.parametrize(
    ("game", "module", "bound", "wrong"),
    [
        ("cheesonomics", market, "MOST_SOLD", 2),  # ECO-13: three wedges
        ("cheesonomics", market, "MOST_SOLD", 4),
        ("cheesonomics", churn, "CHURN_ROUNDS", 0),  # ECO-7: three rounds
        ("cheesonomics", churn, "TRAITS", ("red", "cow")),  # ECO-8: five colours and five animals
        ("chesterfield", auctions, "ACTIONS", frozenset({"Feta"})),  # CCA-14: five cheeses with actions
    ],
)
def test_a_wrong_bound_of_a_rule_is_found_out(
    game: str, module: ModuleType, bound: str, wrong: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = next(case for case in test_contract.CASES if case.game.name == game and case.seats == 4)
    REFUSALS(case)  # with the right bound; this also records the games for the second call
    monkeypatch.setattr(module, bound, wrong)
    with pytest.raises(AssertionError, match="forbid"):
        REFUSALS(case)


def open_show(event: secrets_game.Event, seat: Seat | None) -> secrets_game.Event | None:
    """Shows numbers before the reveal."""
    return event


def chatty_show(event: secrets_game.Event, seat: Seat | None) -> secrets_game.Event | None:
    """Hides the event of a decision from 1 to 127, which reveals something too."""
    shown = secrets_game.show(event, seat)
    low = isinstance(event, secrets_game.Named) and event.number is not None and event.number < 128
    return None if low and shown != event else shown


def jealous_show(event: secrets_game.Event, seat: Seat | None) -> secrets_game.Event | None:
    """Shows the public what it hides from seat 0."""
    return None if seat == 0 and isinstance(event, secrets_game.Revealed) else secrets_game.show(event, seat)


def rising_offers(state: secrets_game.State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    """Demands more than the others named."""
    least = 1 + max(number or 0 for number in state.named)
    return (offer(secrets_game.Name, number=Range(least, 1000)),) if seat in secrets_game.to_act(state) else ()


def remembering_apply(state: secrets_game.State | None, event: secrets_game.Event, /) -> secrets_game.State:
    """Remembers who was first."""
    after = secrets_game.apply(state, event)
    if isinstance(event, secrets_game.Named) and after.first is None:
        return replace(after, first=event.seat)
    return after


SECRETS = collect(secrets_game)
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
        "public",
        but(SECRETS, show=jealous_show),
        test_contract.test_an_event_that_the_public_sees_whole_is_seen_whole_by_every_seat,
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
