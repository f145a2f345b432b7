"""Cheesonomics, rule by rule."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from games.cheesonomics.events import (
    Awaited,
    Churned,
    Collected,
    Dealt,
    Declined,
    Drew,
    Ended,
    Flipped,
    Gave,
    GaveBack,
    LastSaleCame,
    PassedOver,
    Produced,
    Protected,
    Sold,
    TookShown,
    TurnCame,
)
from games.cheesonomics.moves import (
    Churn,
    Decline,
    Flip,
    Give,
    GiveBack,
    Move,
    Produce,
    Sell,
    TakeShown,
)
from games.cheesonomics.phases import (
    Flipping,
    Gifts,
    GivingBack,
    LastSale,
    Over,
    Picking,
    Turn,
)
from games.cheesonomics.pieces import CHEESE, COLOURS, KNIVES, MARKET, TRAITS, prices
from games.cheesonomics.table import State
from games.core import Seat
from games.kit import replace
from games.offers import Choice, Offer, Subset
from tests.games.cheesonomics_tables import FORBIDS as FORBIDS
from tests.games.cheesonomics_tables import (
    GAME,
    MARKET_WEDGES,
    after,
    deal,
    do,
    either,
    new_table,
    offered,
    random_game,
    refused,
    seen,
    table,
    view,
)
from tests.games.cheesonomics_tables import only_in_event as only_in_event
from tests.games.cheesonomics_tables import pieces as pieces
from tests.games.cheesonomics_tables import twin as twin


def test_eco_1_four_wedges_of_each_animal_and_colour_and_half_of_them_with_a_symbol() -> None:
    assert len(CHEESE) == 100
    expected = {
        f"{animal}-{colour}{mark}": 2
        for animal in ("cow", "sheep", "goat", "yak", "reindeer")
        for colour in ("red", "orange", "yellow", "green", "blue")
        for mark in ("", "*")
    }
    assert Counter(CHEESE) == expected


def test_eco_1_like_wedges_are_offered_once() -> None:
    state = table(phase=Gifts("cow", (1,), ()))
    assert offered(state, 1, "give") == [{"wedge": Choice(("cow-red",))}]


def test_eco_2_the_market_wedges_are_those_of_the_table() -> None:
    assert Counter(MARKET) == Counter(MARKET_WEDGES)
    assert len(MARKET) == 25
    sides = Counter(side for wedge in MARKET for side in wedge.split("/"))
    assert sum(count for side, count in sides.items() if side.endswith("+")) == 10
    assert {colour: sides[colour] + sides[f"{colour}+"] for colour in COLOURS} == dict.fromkeys(COLOURS, 10)


def test_eco_3_five_knives_and_ten_spaces() -> None:
    assert set(KNIVES) == {"cheddar", "Edam", "feta", "Gouda", "parmesan"}
    assert sorted(TRAITS) == sorted(
        ["red", "orange", "yellow", "green", "blue", "cow", "sheep", "goat", "yak", "reindeer"]
    )
    assert offered(table(), 0, "churn") == [{"trait": Choice(TRAITS)}]


@pytest.mark.parametrize(("seats", "out"), [(2, 60), (3, 40), (4, 20), (5, 0)])
def test_eco_4_wedges_are_removed_unseen(seats: int, out: int) -> None:
    dealt = deal(seats)[0]
    assert isinstance(dealt, Dealt)
    assert len(dealt.out) == out
    assert len(dealt.pile) == 100 - out - 5 * seats
    for viewer in (None, *range(seats)):
        shown = GAME.show(dealt, viewer)
        assert isinstance(shown, Dealt)
        assert shown.out == (None,) * out
        assert set(shown.pile) == {None}
        assert view(new_table(seats), viewer).out == out


def test_eco_5_fifteen_market_wedges_lie_with_a_random_side_up_and_ten_leave() -> None:
    lower_up: Counter[bool] = Counter()
    for seed in range(40):
        state = new_table(3, seed=f"market {seed}")
        assert len(state.market) == len(state.downs) == 15
        assert len(state.spare) == 10
        assert state.supplies == ((), (), ())
        assert state.discard == ()
        laid = list(zip(state.market, state.downs, strict=True))
        lower_up.update(f"{up}/{down}" in MARKET_WEDGES for up, down in laid)
        everything = Counter(either(*sides) for sides in laid) + Counter(either(*w.split("/")) for w in state.spare)
        assert everything == Counter(either(*wedge.split("/")) for wedge in MARKET_WEDGES)
    assert lower_up[True] > 200
    assert lower_up[False] > 200


def test_eco_5_what_is_up_is_public_and_what_is_down_is_not() -> None:
    state = new_table(3)
    for viewer in (None, 0, 1, 2):
        assert view(state, viewer).market == state.market
        shown = seen(deal(3), viewer)[0]
        assert isinstance(shown, Dealt)
        assert shown.downs == (None,) * 15
        assert shown.spare == (None,) * 10
        other = replace(state, downs=state.downs[::-1], spare=state.spare[::-1])
        assert view(other, viewer) == view(state, viewer)


def test_eco_6_five_wedges_each_seen_by_their_seat_only() -> None:
    state = new_table(4)
    assert [len(hand) for hand in state.hands] == [5] * 4
    shown = seen(deal(4), 2)[0]
    assert isinstance(shown, Dealt)
    assert shown.hands == ((None,) * 5, (None,) * 5, state.hands[2], (None,) * 5)
    assert view(state, 2).hand == state.hands[2]
    assert view(state, None).hand is None
    assert view(state, None).hands == (5, 5, 5, 5)


def test_eco_6_cheddar_starts_before_edam() -> None:
    found = 0
    for seed in range(60):
        state = new_table(2, seed=f"knives {seed}")
        if set(state.knives) == {"Edam", "cheddar"}:
            found += 1
            assert state.start == state.turn == state.knives.index("cheddar"), f"seed 'knives {seed}'"
    assert found > 1


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_eco_6_the_first_knife_in_the_alphabet_starts_and_play_goes_clockwise(seats: int) -> None:
    starts = set()
    for seed in range(20):
        state = new_table(seats, seed=f"start {seed}")
        assert len(set(state.knives)) == seats
        first = min(state.knives, key=str.lower)
        assert state.knives[state.start] == first, f"seed 'start {seed}'"
        starts.add(state.start)
        _, then = do(state, state.start, Produce(offered(state, state.start, "produce")[0]["trait"].of[0]))
        assert then.turn == (state.start + 1) % seats
        assert refused(then, state.start, Produce("red")).rule == "ECO-6"
    assert len(starts) > 1


def test_eco_7_a_turn_churns_produces_or_sells() -> None:
    state = table(wheels=(("cow-red",), ()))
    assert {one.move for one in GAME.offers(state, 0)} == {"churn", "produce", "sell"}
    assert refused(state, 0, Decline()).rule == "ECO-7"


def test_eco_7_the_knife_comes_off_the_tray_before_the_turn() -> None:
    state = table(3, tray=("blue", "goat", None), turn=2)
    assert refused(state, 2, Churn("blue")).rule == "ECO-11"
    then = after(state, (2, Produce("cow")))
    assert then.turn == 0
    assert then.tray == view(then, None).tray == (None, "goat", None)
    assert "blue" in offered(then, 0, "churn")[0]["trait"].of


def test_eco_7_after_three_rounds_of_churns_nobody_may_churn() -> None:
    state = table(3, churns=8, wheels=(("cow-red",), (), ()))
    assert offered(state, 0, "churn")
    state = replace(state, churns=9)
    assert {one.move for one in GAME.offers(state, 0)} == {"produce", "sell"}
    assert refused(state, 0, Churn("red")).rule == "ECO-7"
    assert do(state, 0, Produce("cow"))[1].churns == 0
    assert do(state, 0, Sell("cow", ("cow-red",)))[1].churns == 0


def test_eco_7_only_whole_churns_in_a_row_count() -> None:
    state = table(2, churns=4)
    state = after(state, (0, Churn("red")), (1, Give("cow-red")), (0, GiveBack(1, "cow-red")))
    assert (state.turn, state.churns) == (1, 5)
    assert view(state, None).churns == 5


CHURN_HANDS = (
    ("goat-red", "sheep-blue", "sheep-blue", "sheep-blue", "sheep-blue"),
    ("cow-red", "cow-red*", "goat-blue", "yak-green", "yak-red"),
    ("cow-blue", "goat-blue", "goat-green", "sheep-blue", "yak-blue"),
    ("cow-green", "cow-yellow", "reindeer-red", "sheep-blue", "sheep-green"),
)


def churning(*moves: tuple[Seat, Move]) -> State:
    """Seat 0 asks for red: seats 1 and 3 have some, seat 2 has none."""
    return after(table(4, hands=CHURN_HANDS), (0, Churn("red")), *moves)


def test_eco_8_who_has_no_match_is_public_with_the_name() -> None:
    events, state = do(table(4, hands=CHURN_HANDS), 0, Churn("red"))
    assert events == (Churned(0, "red", (1, 3), (2,)), Awaited(Gifts("red", (1, 3), (2,))))
    for viewer in (None, 0, 1, 2, 3):
        assert seen(events, viewer) == events
        assert view(state, viewer).phase == Gifts("red", (1, 3), (2,))


def test_eco_8_a_match_must_be_given_of_ones_own_choice() -> None:
    state = churning()
    assert GAME.to_act(state) == (1, 3)
    assert offered(state, 1, "give") == [{"wedge": Choice(("cow-red", "cow-red*", "yak-red"))}]
    assert offered(state, 3, "give") == [{"wedge": Choice(("reindeer-red",))}]
    assert GAME.offers(state, 0) == GAME.offers(state, 2) == ()
    assert refused(state, 1, Give("goat-blue")).rule == "ECO-8"
    assert refused(state, 1, Give("sheep-red")).rule == "ECO-8"
    assert refused(state, 1, Produce("red")).rule == "ECO-8"
    assert refused(state, 0, Produce("red")).rule == "ECO-8"


def test_eco_8_gifts_are_chosen_at_once_and_are_final() -> None:
    for first, second in ((1, 3), (3, 1)):
        gifts = {1: Give("yak-red"), 3: Give("reindeer-red")}
        state = churning((first, gifts[first]))
        assert GAME.to_act(state) == (second,)
        assert "final" in refused(state, first, gifts[first]).why
        assert after(state, (second, gifts[second])) == churning((1, gifts[1]), (3, gifts[3]))


def test_eco_8_until_all_gifts_are_in_nobody_learns_more_than_who_has_decided() -> None:
    one, other = (do(churning(), 1, Give(wedge)) for wedge in ("yak-red", "cow-red*"))
    for viewer in (None, 0, 2, 3):
        assert seen(one[0], viewer) == seen(other[0], viewer) == (Gave(1, None),)
        assert view(one[1], viewer) == view(other[1], viewer)
    assert seen(one[0], 1) == (Gave(1, "yak-red"),)
    assert view(one[1], 1).gifts == (None, "yak-red", None, None)
    assert view(one[1], 0).hands == (5, 5, 5, 5)
    assert view(one[1], 0).phase == Gifts("red", (3,), (2,))


def test_eco_8_when_all_gifts_are_in_the_churner_sees_them_with_the_shown_hands_and_picks() -> None:
    events, state = do(churning((1, Give("yak-red"))), 3, Give("reindeer-red"))
    gifts = (None, "yak-red", None, "reindeer-red")
    assert Collected(0, gifts, (None, None, CHURN_HANDS[2], None)) in seen(events, 0)
    own = view(state, 0)
    assert own.phase == Picking("red", (2,))
    assert own.gifts == gifts
    assert own.shown == (None, None, CHURN_HANDS[2], None)
    assert own.hands == (7, 4, 5, 4)
    assert offered(state, 0, "take_shown") == [{"seat": 2, "wedge": Choice(CHURN_HANDS[2])}]
    assert refused(state, 0, TakeShown(2, "cow-red")).rule == "ECO-8"
    assert refused(state, 0, TakeShown(1, "cow-red")).rule == "ECO-8"
    assert refused(state, 0, GiveBack(1, "yak-red")).rule == "ECO-8"
    state = after(state, (0, TakeShown(2, "yak-blue")))
    assert state.hands[2] == ("cow-blue", "goat-blue", "goat-green", "sheep-blue")
    assert "yak-blue" in state.hands[0]


def test_eco_8_without_any_match_the_churner_picks_at_once_from_every_hand() -> None:
    state = after(table(3, hands=CHURN_HANDS[:3]), (0, Churn("reindeer")))
    assert state.phase == Picking("reindeer", (1, 2))
    assert view(state, 0).shown == (None, *CHURN_HANDS[1:3])
    assert len(offered(state, 0, "take_shown")) == 2
    state = after(state, (0, TakeShown(2, "cow-blue")))
    assert view(state, 0).shown == (None, CHURN_HANDS[1], None)
    assert view(state, 0).gifts == (None, None, "cow-blue")
    state = after(state, (0, TakeShown(1, "cow-red*")))
    assert state.phase == GivingBack("reindeer", (1, 2))


def test_eco_8_only_a_colour_or_an_animal_can_be_named() -> None:
    assert refused(table(), 0, Churn("pail")).rule == "ECO-8"


def test_eco_9_one_wedge_goes_back_to_each_opponent_and_hands_keep_their_size() -> None:
    state = churning((1, Give("yak-red")), (3, Give("reindeer-red")), (0, TakeShown(2, "yak-blue")))
    assert state.phase == GivingBack("red", (1, 2, 3))
    held = ("goat-red", "reindeer-red", "sheep-blue", "yak-blue", "yak-red")
    assert offered(state, 0, "give_back") == [{"seat": Choice((1, 2, 3)), "wedge": Choice(held)}]
    state = after(state, (0, GiveBack(3, "yak-blue")))
    assert refused(state, 0, GiveBack(3, "yak-red")).rule == "ECO-9"
    assert refused(state, 0, GiveBack(1, "yak-blue")).rule == "ECO-9"
    assert refused(state, 0, Produce("red")).rule == "ECO-9"
    state = after(state, (0, GiveBack(1, "sheep-blue")), (0, GiveBack(2, "sheep-blue")))
    assert [len(hand) for hand in state.hands] == [5] * 4
    assert state.hands[0] == ("goat-red", "reindeer-red", "sheep-blue", "sheep-blue", "yak-red")
    assert state.hands[3] == ("cow-green", "cow-yellow", "sheep-blue", "sheep-green", "yak-blue")
    assert state.turn == 1
    assert state.gifts == (None,) * 4


def test_eco_10_gifts_are_seen_by_giver_and_receiver_only() -> None:
    events, state = do(churning((1, Give("yak-red"))), 3, Give("reindeer-red"))
    nothing = (None,) * 4
    assert seen(events, 1)[1] == Collected(0, (None, "yak-red", None, None), nothing)
    assert seen(events, 2)[1] == seen(events, None)[1] == Collected(0, nothing, nothing)
    assert view(state, 3).gifts == (None, None, None, "reindeer-red")
    assert view(state, None).gifts == nothing
    taken, state = do(state, 0, TakeShown(2, "yak-blue"))
    assert seen(taken, 0)[0] == seen(taken, 2)[0] == TookShown(0, 2, "yak-blue")
    assert seen(taken, 1)[0] == seen(taken, None)[0] == TookShown(0, 2, None)
    back, state = do(state, 0, GiveBack(3, "yak-blue"))
    assert seen(back, 0)[0] == seen(back, 3)[0] == GaveBack(0, 3, "yak-blue")
    assert seen(back, 2)[0] == seen(back, None)[0] == GaveBack(0, 3, None)


def test_eco_10_a_shown_hand_is_seen_by_the_churner_only() -> None:
    state = churning((1, Give("yak-red")), (3, Give("reindeer-red")))
    for viewer in (None, 1, 2, 3):
        assert view(state, viewer).shown == (None,) * 4
    assert view(churning(), 0).shown == (None,) * 4


def test_eco_11_nobody_else_names_a_space_with_a_knife_until_its_owners_next_turn() -> None:
    state = after(table(), (0, Churn("red")), (1, Give("cow-red")))
    events, state = do(state, 0, GiveBack(1, "cow-red"))
    assert events[1:] == (Protected(0, "red"), TurnCame(1))
    assert state.tray == view(state, None).tray == ("red", None)
    assert "red" not in offered(state, 1, "churn")[0]["trait"].of
    refusal = refused(state, 1, Churn("red"))
    assert refusal.rule == "ECO-11"
    assert "a knife lies on red" in refusal.why
    state = after(state, (1, Produce("cow")))
    assert state.tray == (None, None)
    assert "red" in offered(state, 0, "churn")[0]["trait"].of


def test_eco_11_a_red_goat_can_still_be_had_by_naming_goat() -> None:
    hands = (("goat-red",) + ("cow-red",) * 4, ("yak-blue",) * 5)
    state = table(hands=hands, tray=("red", None), turn=1)
    assert refused(state, 1, Churn("red")).rule == "ECO-11"
    state = after(state, (1, Churn("goat")))
    assert offered(state, 0, "give") == [{"wedge": Choice(("goat-red",))}]
    state = after(state, (0, Give("goat-red")), (1, GiveBack(0, "yak-blue")))
    assert "goat-red" in state.hands[1]
    assert state.turn == 0
    assert state.tray == (None, "goat")
    assert after(state, (0, Churn("red"))).phase == Gifts("red", (1,), ())


def test_eco_12_all_wedges_of_a_trait_are_laid_in_public_and_the_hand_drawn_up() -> None:
    state = table(pile=("yak-green", "yak-orange", "yak-yellow", "yak-blue"))
    assert offered(state, 0, "produce") == [{"trait": Choice(("red", "blue", "green", "cow", "goat", "sheep", "yak"))}]
    events, then = do(state, 0, Produce("red"))
    laid = ("cow-red", "cow-red", "yak-red")
    assert events == (Produced(0, "red", laid), Drew(0, ("yak-green", "yak-orange", "yak-yellow")), TurnCame(1))
    assert then.wheels == view(then, None).wheels == (laid, ())
    assert then.hands[0] == ("goat-blue", "sheep-green", "yak-green", "yak-orange", "yak-yellow")
    assert then.pile == ("yak-blue",)
    assert seen(events, 1) == (events[0], Drew(0, (None, None, None)), events[2])
    assert refused(state, 0, Produce("orange")).rule == "ECO-12"


def test_eco_13_three_blue_at_five_bring_fifteen() -> None:
    market = ("blue", "blue+", "blue+", *("red", "green") * 6)
    assert prices(market)["blue"] == 1 + 2 + 2
    state = table(market=market, wheels=(("cow-blue", "goat-blue", "yak-blue*"), ()))
    assert view(state, None).prices == (6, 0, 0, 6, 5)
    events, then = do(state, 0, Sell("blue", ("yak-blue*", "cow-blue", "goat-blue")))
    assert events[0] == Sold(0, "blue", ("cow-blue", "goat-blue", "yak-blue*"), 15)
    assert then.curds == (15, 0)
    assert then.wheels == ((), ())


def test_eco_13_each_wedge_brings_the_price_of_its_colour() -> None:
    market = ("red+",) * 2 + ("green",) * 3 + ("blue",) * 10
    state = table(market=market, wheels=(("cow-blue", "cow-green", "cow-red"), ()))
    assert do(state, 0, Sell("cow", ("cow-red", "cow-green", "cow-blue")))[1].curds == (4 + 3 + 10, 0)


def test_eco_13_one_to_three_of_one_trait_from_the_own_wheels() -> None:
    wheels = (("cow-blue", "cow-red", "cow-red", "cow-red*", "goat-red"), ("yak-red",))
    state = table(wheels=wheels)
    cows, reds = ("cow-blue", "cow-red", "cow-red", "cow-red*"), ("cow-red", "cow-red", "cow-red*", "goat-red")
    fills = {one["trait"]: one["wedges"] for one in offered(state, 0, "sell")}
    assert fills == {
        "cow": Subset(cows, 1, 3),
        "red": Subset(reds, 1, 3),
        "blue": Subset(("cow-blue",), 1, 1),
        "goat": Subset(("goat-red",), 1, 1),
    }
    for wrong in (
        Sell("red", ()),
        Sell("red", reds),
        Sell("red", ("cow-red", "cow-blue")),
        Sell("goat", ("goat-red", "goat-red")),
        Sell("red", ("yak-red",)),
        Sell("red", ("sheep-green",)),
        Sell("pail", ("cow-red",)),
    ):
        assert refused(state, 0, wrong).rule == "ECO-13", wrong
    assert offered(table(), 0, "sell") == []


def test_eco_13_a_red_cow_cannot_be_sold_while_nothing_shows_red() -> None:
    state = table(market=("green", "blue", "yellow") * 5, wheels=(("cow-blue", "cow-red"), ()))
    assert offered(state, 0, "sell") == [
        {"trait": "blue", "wedges": Subset(("cow-blue",), 1, 1)},
        {"trait": "cow", "wedges": Subset(("cow-blue",), 1, 1)},
    ]
    refusal = refused(state, 0, Sell("cow", ("cow-blue", "cow-red")))
    assert refusal.rule == "ECO-13"
    assert "shows no red" in refusal.why


def test_eco_13_what_is_laid_this_turn_is_sold_on_a_later_one() -> None:
    state = after(table(), (0, Produce("cow")))
    assert GAME.offers(state, 0) == ()
    assert refused(state, 0, Sell("cow", ("cow-red",))).rule == "ECO-6"
    assert offered(after(state, (1, Produce("cow"))), 0, "sell")


def test_eco_14_a_fulfilment_pile_is_looked_at_by_its_owner_only_and_money_is_public() -> None:
    state = after(table(wheels=(("cow-red", "yak-red*"), ())), (0, Sell("red", ("yak-red*", "cow-red"))))
    assert state.sold == (("cow-red", "yak-red*"), ())
    assert view(state, 0).sold == (("cow-red", "yak-red*"), None)
    assert view(state, 1).sold == (None, ())
    assert view(state, None).sold == (None, None)
    assert view(state, None).curds == (6, 0)
    more = replace(state, sold=(("cow-red",) * 7, ()))
    assert view(more, 1) == view(state, 1)


def test_eco_14_at_the_end_all_fulfilment_piles_are_open() -> None:
    *_, state = random_game(3, "mild", "open")
    assert any(state.sold)
    for viewer in (None, 0, 1, 2):
        assert view(state, viewer).sold == state.sold


def test_eco_15_a_market_wedge_of_the_colour_sold_is_flipped() -> None:
    state = after(table(wheels=(("cow-red",), ())), (0, Sell("red", ("cow-red",))))
    assert state.phase == Flipping(("red",), False)
    assert offered(state, 0, "flip") == [{"place": Choice((0, 5, 10))}]
    assert refused(state, 0, Flip(1)).rule == "ECO-15"
    assert refused(state, 0, Produce("cow")).rule == "ECO-15"
    events, then = do(state, 0, Flip(5))
    assert events == (Flipped(0, 5, "orange"), TurnCame(1))
    assert (then.market[5], then.downs[5]) == ("orange", "red")
    assert seen(events, 1) == seen(events, None) == events


def test_eco_15_after_three_cows_in_three_colours_any_one_of_those_colours_flips() -> None:
    state = table(wheels=(("cow-blue", "cow-green*", "cow-red"), ()))
    state = after(state, (0, Sell("cow", ("cow-red", "cow-blue", "cow-green*"))))
    assert state.phase == Flipping(("red", "green", "blue"), False)
    places = tuple(place for place, side in enumerate(state.market) if side in ("red", "green", "blue"))
    assert offered(state, 0, "flip") == [{"place": Choice(places)}]
    for place in places:
        assert after(state, (0, Flip(place))).turn == 1


@pytest.mark.parametrize(("pile", "drawn"), [(2, 2), (1, 1)])
def test_eco_16_the_pile_is_empty_whether_or_not_it_fills_the_hand(pile: int, drawn: int) -> None:
    state = table(pile=("yak-blue",) * pile, turn=1, wheels=(("cow-red",), ()))
    events, then = do(state, 1, Produce("cow"))
    assert events[1] == Drew(1, ("yak-blue",) * drawn)
    assert isinstance(events[2], Ended)
    assert isinstance(then.phase, Over)
    assert GAME.to_act(then) == ()
    assert refused(then, 0, Produce("cow")).rule == "ECO-16"


def test_eco_16_with_a_wedge_left_in_the_pile_the_game_goes_on() -> None:
    assert after(table(pile=("yak-blue",) * 3), (0, Produce("cow"))).phase == Turn()


LAST = {"pile": ("yak-blue",), "start": 1, "wheels": (("cow-red",),) * 4}


def test_eco_16_only_the_seats_before_the_starting_seat_have_a_last_sale() -> None:
    events, state = do(table(4, turn=3, **LAST), 3, Produce("cow"))
    assert events[-1] == LastSaleCame(0)
    assert state.phase == LastSale()
    assert GAME.to_act(state) == (0,)
    assert {one.move for one in GAME.offers(state, 0)} == {"sell", "decline"}
    assert refused(state, 0, Produce("red")).rule == "ECO-16"
    events, state = do(state, 0, Sell("cow", ("cow-red",)))
    assert [type(event) for event in events] == [Sold, Ended]
    assert isinstance(state.phase, Over)
    assert state.phase.scores[0].sales == 3


def test_eco_16_the_seat_to_the_right_of_the_starting_seat_ends_the_game_at_once() -> None:
    events, _ = do(table(4, turn=0, **LAST), 0, Produce("cow"))
    assert [type(event) for event in events] == [Produced, Drew, Ended]


def test_eco_16_if_the_starting_seat_empties_the_pile_all_others_may_sell() -> None:
    state = after(table(4, turn=1, **LAST), (1, Produce("cow")))
    for seat in (2, 3, 0):
        assert state.phase == LastSale()
        assert GAME.to_act(state) == (seat,)
        events, state = do(state, seat, Decline())
        assert events[0] == Declined(seat)
    assert isinstance(state.phase, Over)


def test_eco_16_a_seat_that_can_sell_nothing_is_passed_over() -> None:
    wheels = (("cow-red",), ("cow-red",), (), ("cow-blue",))
    market = ("red", "green", "yellow") * 5
    state = table(4, turn=1, **{**LAST, "wheels": wheels, "market": market})
    events, state = do(state, 1, Produce("cow"))
    assert events[2:] == (PassedOver(2), PassedOver(3), LastSaleCame(0))
    assert state.turn == 0


def ended(**given: Any) -> Over:
    """Seat 1 of two, to the right of seat 0, empties the pile; nobody has a last sale."""
    state = table(**{"turn": 1, "pile": ("yak-blue",), **given})
    phase = after(state, (1, Produce("goat"))).phase
    assert isinstance(phase, Over)
    return phase


def test_eco_17_an_unsold_wedge_brings_a_curd_and_leaves_with_the_hands() -> None:
    state = table(turn=1, pile=("yak-blue",), wheels=(("cow-red", "cow-red*"), ()), curds=(7, 7))
    then = after(state, (1, Produce("goat")))
    assert isinstance(then.phase, Over)
    assert [score.unsold for score in then.phase.scores] == [2, 1]
    assert then.curds == view(then, None).curds == (9, 8)
    assert then.hands == then.wheels == ((), ())
    assert Counter(then.out) == Counter(state.hands[0] + state.hands[1] + state.wheels[0] + state.pile)
    assert view(then, 0).hand == ()


def test_eco_18_the_most_of_each_animal_brings_as_many_curds_and_ties_all_get_it() -> None:
    first = ("cow-red",) * 5 + ("sheep-red",) * 3 + ("goat-red",) * 4
    second = ("cow-red",) * 5 + ("sheep-red",) * 5 + ("goat-red",) * 2
    over = ended(sold=(first, second))
    assert over.scores[0].sold == (5, 3, 4, 0, 0)
    assert over.scores[0].most == (5, 0, 4, 0, 0)
    assert over.scores[1].most == (5, 5, 0, 0, 0)
    assert [score.total for score in over.scores] == [9, 10 + 1]  # and seat 1's unsold goat


def test_eco_19_most_curds_win() -> None:
    over = ended(curds=(10, 12))
    assert over.result.points == (10, 13)
    assert over.result.places == (2, 1)
    assert over.result.rule == "ECO-16"


def test_eco_19_a_tie_goes_to_more_different_colours_sold_and_is_shared_after_that() -> None:
    mixed, plain = ("cow-red", "cow-blue"), ("cow-red", "cow-red")
    over = ended(curds=(10, 9), sold=(mixed, plain))
    assert over.result.points == (12, 12)
    assert [score.colours for score in over.scores] == [2, 1]
    assert over.result.places == (1, 2)
    assert ended(curds=(10, 9), sold=(plain, mixed)).result.places == (2, 1)
    assert ended(curds=(10, 9), sold=(mixed, mixed)).result.places == (1, 1)


@pytest.mark.parametrize("variant", ["mild", "sharp"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_eco_20_hands_are_five_at_every_turn_so_that_something_can_be_done(seats: int, variant: str) -> None:
    for game in range(4):
        seed = f"something {seats} {variant} {game}"
        turns = 0
        for state in random_game(seats, variant, seed):
            if isinstance(state.phase, Turn):
                turns += 1
                assert [len(hand) for hand in state.hands] == [5] * seats, f"seed {seed!r}"
                assert offered(state, state.turn, "produce")[0]["trait"].of, f"seed {seed!r}"
            for seat in GAME.to_act(state):
                assert all(_can_be_filled(one) for one in GAME.offers(state, seat)), f"seed {seed!r}"
                assert GAME.offers(state, seat), f"seed {seed!r}"
        assert turns > seats


def _can_be_filled(one: Offer) -> bool:
    return all(blank.of for blank in one.fill.values() if isinstance(blank, Choice | Subset))
