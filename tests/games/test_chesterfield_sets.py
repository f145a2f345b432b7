"""Chesterfield Charity Cheese Auction, rule by rule: sets, upkeep, the end, and what nobody may learn."""

from __future__ import annotations

from functools import cache
from typing import get_args

import msgspec
import pytest

from games.chance import Chance
from games.chesterfield import absent, offers, outcome, setup
from games.chesterfield.deck import Cheeses
from games.chesterfield.events import (
    Dealt,
    Ended,
    Event,
    Finished,
    Laid,
    MergingBegan,
    UpkeepBegan,
    UpkeepChosen,
    UpkeepRevealed,
)
from games.chesterfield.moves import (
    BidSecretly,
    CashIn,
    Default,
    Finish,
    Keep,
    LayDown,
    Melt,
    Merge,
    Move,
    Present,
    StandIn,
)
from games.chesterfield.phases import (
    Choosing,
    LayingDown,
    Merging,
    SilentAuction,
    Upkeep,
)
from games.chesterfield.table import Options, Set, State, scores, set_points, to_act
from games.chesterfield.visibility import imagine, show, view
from games.core import Outcome, Seat, fold, read_move, refusal
from games.kit import Bid, Drop, replace
from games.offers import Choice, Offer, Range, Subset, fill, offer
from tests.games.chesterfield_tables import (
    GAME,
    SEATS,
    begin,
    do,
    electing,
    laying,
    merging,
    one_offer,
    pieces,
    play_on,
    refused,
    run,
    selling,
    short,
    silent,
    table,
    twin,
    upkeep,
)


def test_cca_25_all_seats_lay_at_once_until_each_is_done() -> None:
    state = laying(("Feta", "Feta", "Feta", "Feta"), ("Bleu", "Bleu"), ("Cheddar", "Gruyere"))
    assert to_act(state) == (0, 1, 2)
    events, state = do(state, 2, Finish())
    assert events == (Finished(2),)
    refused(state, 2, Finish(), "CCA-25")
    events, state = do(state, 0, LayDown("Feta", 2, False))
    assert events == (Laid(0, "Feta", 2, False),)
    assert to_act(state) == (0, 1)
    state = run(state, (1, Finish()), (0, LayDown("Feta", 2, False)))
    assert state.phase == Choosing()
    refused(laying(("Feta", "Bleu"), ("Feta", "Bleu")), 0, Drop(), "CCA-25")


def test_cca_25_who_can_lay_nothing_as_all_can_see_is_done_by_itself() -> None:
    bare, melted = Set("Feta", 2), Set("Feta", 2, gruyere=True)
    hands = ((), ("Feta",), ("Feta",), ("Feta",), ("Feta", "Bleu"))
    state = selling(*hands, block=("Feta",))
    state = replace(state, sets=((bare,), (), (bare,), (melted,), ()))
    state = run(state, (0, Drop()), (1, Drop()), (2, Drop()), (3, Drop()))
    events, after = do(state, 4, Drop())
    assert events[-3:] == (Finished(0, True), Finished(1, True), Finished(3, True))
    assert to_act(after) == (2, 4)


def test_cca_25_done_by_itself_whenever_that_becomes_so() -> None:
    state = laying(("Feta", "Feta", "Gruyere"), ("Bleu", "Emmental"))
    state = run(state, (0, LayDown("Feta", 2, False)))
    assert to_act(state) == (0, 1)
    events, state = do(state, 0, Melt(0))
    assert Finished(0, by_itself=True) in events
    assert to_act(state) == (1,)


def test_cca_26_example_gruyere_sets_of_two_three_and_four() -> None:
    assert [set_points(Set("Gruyere", cards)) for cards in (2, 3, 4)] == [3, 6, 9]
    state = laying(("Gruyere",) * 4, ("Bleu", "Feta"))
    assert offers(state, 0) == (offer(LayDown, cheese="Gruyere", cards=Range(2, 4), cheddar=False), offer(Finish))
    for cards, points in ((2, 3), (3, 6), (4, 9)):
        assert scores(run(state, (0, LayDown("Gruyere", cards, False)))) == (points, 0)
    refused(state, 0, LayDown("Gruyere", 1, False), "CCA-26")
    refused(state, 0, LayDown("Gruyere", 5, False), "CCA-26")


def test_cca_27_a_set_that_lies_is_not_added_to_and_more_is_a_set_of_its_own() -> None:
    state = laying(("Feta", "Feta", "Cheddar"), ("Bleu", "Feta"), sets=((Set("Feta", 2),), ()))
    refused(state, 0, Merge(0, 1), "CCA-27")
    refused(state, 0, StandIn(0), "CCA-27")
    state = run(state, (0, LayDown("Feta", 2, False)))
    assert state.sets[0] == (Set("Feta", 2), Set("Feta", 2))


def test_cca_27_example_two_more_fetas_laid_or_kept_and_merged() -> None:
    lies = ((Set("Feta", 2),), ())
    assert set_points(Set("Feta", 2)) == 4
    laid = run(laying(("Feta", "Feta"), ("Bleu", "Feta"), sets=lies), (0, LayDown("Feta", 2, False)))
    assert scores(laid)[0] - 4 == 4
    merged = run(merging(("Feta", "Feta"), ("Bleu",), sets=lies), (0, Merge(0, 2)))
    assert scores(merged)[0] - 4 == 8


SIX = ("Feta", "Feta", "Bleu", "Emmental", "Bleu", "Camembert")


@pytest.mark.parametrize(("discard", "paid"), [((), 8), (("Bleu",), 4), (("Bleu", "Feta"), 0)])
def test_cca_28_example_six_cards_at_upkeep(discard: Cheeses, paid: int) -> None:
    state = upkeep(SIX, ("Feta",) * 4)
    assert to_act(state) == (0,)
    assert offers(state, 0) == (offer(Keep, discard=Subset(SIX, 0, 2)),)
    events, after = do(state, 0, Keep(discard))
    assert events[:2] == (UpkeepChosen(0, discard), UpkeepRevealed((discard, ()), (-paid, 0)))
    assert after.banks == (20 - paid, 20)
    assert len(after.hands[0]) == 6 - len(discard)
    assert after.discard == discard
    refused(state, 0, Keep(("Bleu", "Bleu", "Feta")), "CCA-28")
    refused(state, 0, Keep(("Cheddar",)), "CCA-28")
    refused(state, 1, Keep(()), "CCA-28")
    refused(state, 0, CashIn(("Bleu",)), "CCA-28")


@pytest.mark.parametrize(
    ("cards", "bank", "least", "most"),
    [(6, 3, 2, 2), (6, 4, 1, 2), (6, 7, 1, 2), (6, 8, 0, 2), (5, 0, 1, 1), (8, 9, 2, 4), (9, 100, 0, 5)],
)
def test_cca_28_a_seat_keeps_no_more_than_it_can_pay(cards: int, bank: int, least: int, most: int) -> None:
    hand = ("Feta",) * cards
    state = upkeep(hand, (), banks=(bank, 0))
    assert one_offer(state, 0, "keep") == {"discard": Subset(hand, least, most)}
    refused(state, 0, Keep(("Feta",) * (most + 1)), "CCA-28")
    assert f"discard {least} to {most} cards" in str(refusal(GAME, state, 0, Keep(hand)))
    if least:
        refused(state, 0, Keep(("Feta",) * (least - 1)), "CCA-28")
    assert len(run(state, (0, Keep(("Feta",) * most))).hands[0]) == 4


def test_cca_28_seats_decide_at_once_and_what_they_discard_is_revealed_together() -> None:
    state = upkeep(SIX, ("Feta",) * 5, ("Feta",) * 3)
    assert to_act(state) == (0, 1)
    (event,), after = do(state, 0, Keep(("Bleu", "Feta")))
    assert event == UpkeepChosen(0, ("Bleu", "Feta"))
    assert show(event, 0) == event
    for viewer in (None, 1, 2):
        assert show(event, viewer) == UpkeepChosen(0, None)
        assert view(after, viewer) == view(run(state, (0, Keep(()))), viewer)
    assert view(after, 0).discarding == ("Bleu", "Feta")
    assert after.banks == (20, 20, 20)
    assert view(after, None).hands == (6, 5, 3)
    assert offers(after, 1) == offers(state, 1)
    refused(after, 0, Keep(()), "CCA-28")
    events, after = do(after, 1, Keep(()))
    assert events[1] == UpkeepRevealed((("Bleu", "Feta"), (), ()), (0, -4, 4))
    assert show(events[1], None) == events[1]
    assert after.banks == (20, 16, 24)


def test_cca_29_example_three_cards_gain_four_and_four_cards_nothing() -> None:
    state = laying(("Feta",) * 3, ("Feta",) * 4, (), block=())
    state = replace(run(replace(state, deck=("Bleu",) * 4), (0, Finish())), phase=LayingDown((True, False, True)))
    events, after = do(state, 1, Finish())
    assert events[:3] == (Finished(1), UpkeepBegan(), UpkeepRevealed(((), (), ()), (4, 0, 16)))
    assert after.banks == (24, 20, 36)


def test_cca_7_there_is_an_auctioneer_from_the_first_to_the_last_auction_of_a_block() -> None:
    without: set[str] = set()
    with_one: set[str] = set()
    for seed in ("auctioneer 5", "auctioneer 23"):  # with upkeep that asks a seat, and a final merge
        for _, state in play_on(begin(3, seed), seed):
            seen = view(state, None)
            (without if seen.auctioneer is None else with_one).add(seen.phase)
    assert without == {"auctioneer_auction", "upkeep", "merging", "over"}
    assert with_one >= {"choosing", "cheese_auction", "laying_down"}
    assert not without & with_one


def test_cca_29_upkeep_follows_the_last_block_too() -> None:
    state = upkeep(SIX, ("Feta",) * 3, deck=())
    state = replace(state, sets=((Set("Feta", 2),), (Set("Feta", 2),)))
    events, after = do(state, 0, Keep(()))
    assert events[1:] == (UpkeepRevealed(((), ()), (-8, 4)), MergingBegan())
    assert to_act(after) == (0, 1)


def test_cca_30_cards_are_merged_into_own_sets_and_no_new_sets_laid() -> None:
    state = merging(("Feta", "Feta", "Bleu", "Bleu"), ("Feta",), sets=((Set("Feta", 3), Set("Emmental", 2)), ()))
    assert to_act(state) == (0, 1)
    assert offers(state, 0) == (offer(Merge, onto=0, cards=Range(1, 2)), offer(Finish))
    refused(state, 0, LayDown("Bleu", 2, False), "CCA-30")
    refused(state, 0, Merge(1, 1), "CCA-30")
    refused(state, 0, Merge(2, 1), "CCA-30")
    refused(state, 0, Merge(0, 3), "CCA-30")
    refused(state, 0, Drop(), "CCA-30")
    _, after = do(state, 0, Merge(0, 2))
    assert after.sets[0][0] == Set("Feta", 5)
    assert scores(after)[0] == scores(state)[0] + 8


def test_cca_30_who_has_no_card_or_no_set_is_done_by_itself_and_done_is_final() -> None:
    state = upkeep(("Feta",) * 5, (), ("Feta",), ("Feta",), deck=())
    state = replace(state, sets=((Set("Feta", 2),), (Set("Feta", 2),), (), (Set("Bleu", 2),)))
    events, state = do(state, 0, Keep(()))
    assert events[-2:] == (Finished(1, True), Finished(2, True))
    assert to_act(state) == (0, 3)
    state = run(state, (3, Finish()))
    refused(state, 3, Finish(), "CCA-30")
    events, _ = do(state, 0, Merge(0, 5))
    assert events[1] == Finished(0, True)
    assert isinstance(events[2], Ended)


def test_cca_30_hands_that_are_left_are_never_shown() -> None:
    events, after = do(merging(("Feta",), ("Camembert", "Bleu"), sets=((Set("Bleu", 2),), ())), 0, Finish())
    assert outcome(after)
    assert b"Camembert" not in msgspec.msgpack.encode([show(event, 0) for event in events])
    assert b"Camembert" not in msgspec.msgpack.encode([view(after, 0), view(after, None)])


def test_cca_31_one_cheddar_stands_in_when_a_set_is_laid() -> None:
    state = laying(("Camembert", "Feta", "Feta", "Cheddar", "Cheddar"), ("Bleu", "Feta"))
    assert set(map(repr, offers(state, 0))) == {
        repr(offer(LayDown, cheese="Camembert", cards=Range(1, 1), cheddar=True)),
        repr(offer(LayDown, cheese="Feta", cards=Range(2, 2), cheddar=False)),
        repr(offer(LayDown, cheese="Feta", cards=Range(1, 2), cheddar=True)),
        repr(offer(LayDown, cheese="Cheddar", cards=Range(2, 2), cheddar=False)),
        repr(offer(Finish)),
    }
    after = run(state, (0, LayDown("Camembert", 1, True)))
    assert after.sets[0] == (Set("Camembert", 1, cheddar=True),)
    assert scores(after)[0] == 5
    assert scores(run(after, (0, LayDown("Feta", 2, True))))[0] == 5 + 8
    refused(state, 0, LayDown("Cheddar", 1, True), "CCA-31")
    refused(state, 0, LayDown("Feta", 0, True), "CCA-31")
    refused(laying(("Feta", "Feta"), ("Bleu", "Feta")), 0, LayDown("Feta", 1, True), "CCA-31")


def test_cca_31_example_a_second_cheddar_is_refused_at_the_merge() -> None:
    state = merging(("Cheddar", "Bleu"), ("Feta",), sets=((Set("Camembert", 1, cheddar=True),), ()))
    refused(state, 0, StandIn(0), "CCA-31")
    assert offers(state, 0) == (offer(Finish),)


def test_cca_31_a_cheddar_is_merged_into_a_set_without_one() -> None:
    lies = (Set("Feta", 2), Set("Cheddar", 2))
    state = merging(("Cheddar", "Cheddar"), ("Feta",), sets=(lies, ()))
    assert offers(state, 0) == (
        offer(Merge, onto=1, cards=Range(1, 2)),
        offer(StandIn, onto=Choice((0,))),
        offer(Finish),
    )
    after = run(state, (0, StandIn(0)))
    assert after.sets[0][0] == Set("Feta", 2, cheddar=True)
    assert scores(after)[0] - scores(state)[0] == 4
    refused(state, 0, StandIn(1), "CCA-31")
    refused(state, 0, StandIn(2), "CCA-30")
    refused(merging(("Feta",), (), sets=(lies, ())), 0, StandIn(0), "CCA-31")


def test_cca_32_example_two_camembert_with_a_gruyere_across_them() -> None:
    state = laying(("Gruyere", "Gruyere", "Feta"), ("Bleu", "Feta"), sets=((Set("Camembert", 2),), (Set("Feta", 2),)))
    assert one_offer(state, 0, "melt") == {"onto": Choice((0,))}
    after = run(state, (0, Melt(0)))
    assert scores(after)[0] == 7
    assert after.sets[0] == (Set("Camembert", 2, gruyere=True),)
    refused(after, 0, Melt(0), "CCA-32")
    refused(state, 0, Melt(1), "CCA-32")  # only one's own sets
    refused(state, 1, Melt(0), "CCA-32")
    seen = view(after, 1).sets[0][0]
    assert (seen.cards, seen.gruyere, seen.points) == (2, True, 7)


def test_cca_32_a_gruyere_is_melted_at_the_final_merge_too_and_across_a_set_of_gruyere() -> None:
    state = merging(("Gruyere", "Gruyere"), ("Feta",), sets=((Set("Gruyere", 2),), ()))
    after = run(state, (0, Melt(0)), (0, Merge(0, 1)))
    assert after.sets[0] == (Set("Gruyere", 3, gruyere=True),)
    assert scores(after)[0] == 8


def ended(*sets: tuple[Set, ...], bleus: tuple[int, ...] | None = None) -> Outcome:
    state = merging(*((("Feta",),) + ((),) * (len(sets) - 1)), sets=sets)
    state = replace(state, bleus=bleus or (0,) * len(sets))
    _, after = do(replace(state, phase=Merging((False, *(True,) * (len(sets) - 1)))), 0, Finish())
    result = outcome(after)
    assert result
    assert view(after, None).result == result
    refused(after, 0, Finish(), "CCA-33")
    return result


def test_cca_33_most_points_win() -> None:
    result = ended((Set("Feta", 2),), (Set("Camembert", 2),), (), bleus=(0, 0, 1))
    assert (result.places, result.points, result.rule) == ((2, 1, 3), (4, 5, -3), "CCA-33")


def test_cca_33_example_a_tie_goes_to_the_best_single_set_and_is_then_shared() -> None:
    roquefort, camembert = Set("Roquefort", 3), Set("Camembert", 2)
    assert (set_points(roquefort), set_points(camembert)) == (8, 5)
    result = ended((camembert, Set("Gruyere", 2)), (roquefort,), (roquefort,))
    assert result.points == (8, 8, 8)
    assert result.places == (3, 1, 1)


def test_cca_33_what_cheddar_and_gruyere_added_counts_for_the_best_set() -> None:
    result = ended((Set("Camembert", 2, gruyere=True), Set("Gruyere", 2)), (Set("Camembert", 1, True, False),) * 2)
    assert result.points == (10, 10)
    assert result.places == (1, 2)


def test_absent_seats_spend_nothing() -> None:
    assert absent(electing(("Feta",), ()), 0) == Drop()
    assert absent(selling(("Feta",), ()), 0) == Drop()
    assert absent(table(Choosing(), ((), ()), block=("Bleu", "Feta")), 0) == Present("Bleu", 0)
    assert absent(silent((3, None)), 0) == BidSecretly(3)
    assert absent(short(("Feta",), (), actions=("Roquefort",))[1], 0) == Default()
    assert absent(laying((), ()), 0) == Finish()
    assert absent(upkeep(SIX, (), banks=(4, 0)), 0) == Keep(("Bleu",))


LIKELY = {
    "cash_in": 1,
    "play_action": 4,
    "bid": 24,
    "drop": 24,
    "lay_down": 1,
    "finish": 9,
    "merge": 20,
    "stand_in": 20,
}
SEED = "thrift"
GAMES_PLAYED = 2  # for every number of seats


def thrifty_move(state: State, seat: Seat, chance: Chance) -> Move:
    """Return a random move of a seat that keeps its cards and bids little, so that hands grow and money lasts."""
    found = offers(state, seat)
    one = found[chance.weighted([LIKELY.get(one.move, 4) for one in found])]
    raw = fill(one, chance)
    for name, blank in one.fill.items():
        if isinstance(blank, Range) and name in ("amount", "price"):
            raw[name] = min(blank.most, blank.least + chance.below(4))
    return read_move(GAME, raw)


@cache
def thrifty_game(seats: int, number: int) -> tuple[tuple[tuple[Event, ...], State], ...]:
    """Play a game of thrifty seats. Yield the events of every entry and the state after it."""
    seed = f"{SEED}/thrifty/{seats}/{number}".encode()
    state = fold(GAME, setup(seats, Options(), Chance(seed, 0)))
    entries: list[tuple[tuple[Event, ...], State]] = []
    while outcome(state) is None:
        chance = Chance(seed, len(entries) + 1)
        seat = chance.pick(to_act(state))
        events, state = do(state, seat, thrifty_move(state, seat, chance))
        entries.append((events, state))
    return tuple(entries)


def thrifty_states(seats: int) -> list[tuple[State, str]]:
    """Yield states of a few such games, each with a text that names it in messages."""
    return [
        (state, f"seed {SEED!r}, thrifty game {number} of {seats}, entry {entry}")
        for number in range(GAMES_PLAYED)
        for entry, (_, state) in enumerate(thrifty_game(seats, number), start=1)
    ]


def test_thrifty_games_show_everything_that_can_happen() -> None:
    entries = [entry for seats in SEATS for number in range(GAMES_PLAYED) for entry in thrifty_game(seats, number)]
    happened = {type(event) for events, _ in entries for event in events}
    assert happened | {Dealt} == set(get_args(Event)), SEED
    at_once = {type(state.phase) for _, state in entries if len(to_act(state)) > 1}
    assert at_once == {SilentAuction, LayingDown, Upkeep, Merging}, SEED


@pytest.mark.parametrize("seats", SEATS)
def test_twins_of_thrifty_tables_look_alike(seats: int) -> None:
    for number, (state, where) in enumerate(thrifty_states(seats)):
        for viewer in (None, *range(seats)):
            other = twin(state, viewer, Chance(where.encode(), number))
            assert pieces(other) == pieces(state), where
            assert view(other, viewer) == view(state, viewer), f"viewer {viewer}: {where}"
            assert to_act(other) == to_act(state), where
            if viewer is not None:
                assert offers(other, viewer) == offers(state, viewer), f"seat {viewer}: {where}"


@pytest.mark.parametrize("seats", SEATS)
def test_a_decision_at_once_changes_nothing_for_others_and_tells_them_the_same(seats: int) -> None:
    for number, (state, where) in enumerate(thrifty_states(seats)):
        acting = to_act(state)
        if len(acting) < 2:
            continue
        one, other = Chance(where.encode(), 0).shuffled(acting)[:2]
        moves = {seat: thrifty_move(state, seat, Chance(where.encode(), seat + 1)) for seat in (one, other)}
        events, after = do(state, one, moves[one])
        if isinstance(state.phase, SilentAuction | Upkeep):
            alike, _ = do(state, one, thrifty_move(state, one, Chance(where.encode(), 99 + number)))
            assert [show(event, other) for event in events] == [show(event, other) for event in alike], where
        assert offers(after, other) == offers(state, other), where
        assert do(after, other, moves[other])[1] == run(state, (other, moves[other]), (one, moves[one])), where


@pytest.mark.parametrize("seats", SEATS)
def test_an_imagined_table_has_every_card_once_and_fits_what_others_decided(seats: int) -> None:
    for number, (state, where) in enumerate(thrifty_states(seats)):
        for seat in range(seats):
            imagined = imagine(view(state, seat), seat, Chance(where.encode(), number))
            assert pieces(imagined) == pieces(state), where
            assert view(imagined, seat) == view(state, seat), where
            assert offers(imagined, seat) == offers(state, seat), where


def test_a_refusal_says_what_the_seat_itself_may_know() -> None:
    state = selling(("Feta",), ("Bleu",))
    assert str(refusal(GAME, state, 1, Bid(3))) == "CCA-14: it is the turn of seat 1"
    assert isinstance(offers(state, 0)[0], Offer)
