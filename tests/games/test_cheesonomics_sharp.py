"""Cheesonomics, rule by rule: the sharp game."""

from __future__ import annotations

from typing import Any

import pytest

from games.cheesonomics.events import (
    Awaited,
    Dealt,
    Declined,
    Ended,
    Flipped,
    Kept,
    Replaced,
    Sold,
    SwapNamed,
    Swapped,
    Took,
    TurnCame,
)
from games.cheesonomics.moves import (
    Decline,
    Exchange,
    Flip,
    Move,
    Produce,
    Replace,
    Sell,
    SwapDiscard,
    SwapSeat,
    Take,
)
from games.cheesonomics.phases import (
    Exchanging,
    Flipping,
    Replacing,
    Swapping,
    Taking,
    Turn,
)
from games.cheesonomics.table import State
from games.kit import replace
from games.offers import Choice, Offer
from tests.games.cheesonomics_tables import GAME, after, deal, do, new_table, offered, refused, seen, sharp_table, view


@pytest.mark.parametrize(("seats", "each", "discard"), [(2, 5, 0), (3, 3, 1), (4, 2, 2), (5, 2, 0)])
def test_eco_21_the_other_market_wedges_are_dealt_and_seen_by_their_seat_only(
    seats: int, each: int, discard: int
) -> None:
    state = new_table(seats, "sharp")
    assert state.spare == ()
    assert [len(supply) for supply in state.supplies] == [each] * seats
    assert len(state.discard) == discard
    shown = seen(deal(seats, "sharp"), 1)[0]
    assert isinstance(shown, Dealt)
    assert shown.supplies == tuple(own if seat == 1 else (None,) * each for seat, own in enumerate(state.supplies))
    assert shown.discard == (None,) * discard
    assert view(state, 1).supply == state.supplies[1]
    assert view(state, None).supply is None
    for viewer in (None, 1):
        assert view(state, viewer).supplies == (each,) * seats
        assert view(state, viewer).discards == discard
        assert view(state, viewer).discard is None


def test_eco_22_a_sale_replaces_then_flips() -> None:
    state = after(sharp_table(), (0, Sell("cow", ("cow-red*", "cow-green"))))
    assert state.phase == Replacing(("red", "green"), True)
    places = Choice((0, 3, 5, 8, 10, 13))
    assert offered(state, 0, "replace") == [
        {"place": places, "wedge": "green/blue", "up": Choice(("green", "blue"))},
        {"place": places, "wedge": "red/blue+", "up": Choice(("red", "blue+"))},
        {"place": places, "wedge": "yellow/green", "up": Choice(("yellow", "green"))},
    ]
    for wrong in (
        Replace(1, "red/blue+", "red"),
        Replace(0, "red/blue+", "blue"),
        Replace(0, "red/orange", "red"),
        Flip(0),
    ):
        assert refused(state, 0, wrong).rule == "ECO-22", wrong
    events, then = do(state, 0, Replace(3, "red/blue+", "red"))
    assert events == (Replaced(0, 3, "red/blue+", "red"), Awaited(Flipping(("red", "green"), True)))
    assert (then.market[3], then.downs[3]) == ("red", "blue+")
    assert offered(then, 0, "flip") == [{"place": Choice((0, 3, 5, 8, 10, 13))}]
    assert seen(events, 1)[0] == seen(events, None)[0] == Replaced(0, 3, None, "red")
    assert view(then, 0).supply == ("green/blue", "yellow/green")
    assert view(then, None).supplies == (2, 2)
    assert view(then, None).replaced == "green"


ONE_YELLOW: dict[str, Any] = {
    "market": ("yellow", *("red", "blue") * 7),
    "downs": ("green", *("orange", "orange") * 7),
    "wheels": (("goat-yellow",), ()),
}


def test_eco_22_with_nothing_left_of_a_sold_colour_there_is_no_flip_and_the_replaced_wedge_is_kept() -> None:
    state = after(sharp_table(**ONE_YELLOW), (0, Sell("yellow", ("goat-yellow",))))
    events, then = do(state, 0, Replace(0, "green/blue", "green"))
    assert events == (Replaced(0, 0, "green/blue", "green"), Kept(0, "yellow/green"), TurnCame(1))
    assert then.supplies[0] == ("red/blue+", "yellow/green", "yellow/green")
    assert (then.market[0], then.downs[0]) == ("green", "blue")
    assert seen(events, 1)[1] == seen(events, None)[1] == Kept(0, None)


def test_eco_22_a_wedge_placed_with_the_sold_colour_up_is_the_one_that_must_flip() -> None:
    state = after(sharp_table(**ONE_YELLOW), (0, Sell("yellow", ("goat-yellow",))))
    state = after(state, (0, Replace(0, "yellow/green", "yellow")))
    assert offered(state, 0, "flip") == [{"place": Choice((0,))}]
    events, state = do(state, 0, Flip(0))
    assert events == (Flipped(0, 0, "green"), Kept(0, "yellow/green"), TurnCame(1))


def replacing_with_discard() -> State:
    """Four seats, two wedges in the discard; seat 0 has sold a plain cow, replaced the first red and flipped it."""
    state = sharp_table(4, discard=("orange/blue", "red/orange"), wheels=(("cow-red",), (), (), ()))
    return after(state, (0, Sell("cow", ("cow-red",))), (0, Replace(0, "red/blue+", "red")), (0, Flip(0)))


def test_eco_23_the_seat_takes_from_the_discard_then_the_replaced_wedge_goes_there() -> None:
    state = replacing_with_discard()
    assert state.phase == Taking(False)
    assert offered(state, 0, "take") == [{"wedge": Choice(("orange/blue", "red/orange"))}]
    assert refused(state, 0, Take("yellow/green")).rule == "ECO-23"
    assert refused(state, 0, Decline()).rule == "ECO-23"
    events, then = do(state, 0, Take("orange/blue"))
    assert events == (Took(0, "orange/blue"), TurnCame(1))
    assert seen(events, 2)[0] == seen(events, None)[0] == Took(0, None)
    assert then.supplies[0] == ("green/blue", "orange/blue", "yellow/green")
    assert then.discard == ("red/orange", "red/orange")
    assert view(then, None).discards == 2
    assert view(then, None).supplies == (3, 2, 2, 2)


def test_eco_23_only_the_taker_looks_through_the_discard_and_only_now() -> None:
    state = replacing_with_discard()
    assert view(state, 0).discard == ("orange/blue", "red/orange")
    for viewer in (None, 1, 2, 3):
        assert view(state, viewer).discard is None
    assert view(after(state, (0, Take("red/orange"))), 0).discard is None


def test_eco_24_down_sides_of_the_market_are_in_no_view_and_a_flip_tells_the_new_side_only() -> None:
    state = after(sharp_table(), (0, Sell("cow", ("cow-red*",))), (0, Replace(0, "red/blue+", "red")))
    assert state.replaced == ("red", "orange")
    other = replace(state, downs=("green",) * 15, replaced=("red", "green"))
    for viewer in (None, 0, 1):
        assert view(other, viewer) == view(state, viewer)
        events = do(state, 0, Flip(5))[0]
        assert seen(events, viewer)[0] == Flipped(0, 5, "orange")


def swapping(seats: int = 4, **given: Any) -> State:
    """Seat 0 has sold a cow with a symbol, replaced, flipped and taken."""
    discard = ("orange/blue", "red/orange") if seats == 4 else ()
    state = sharp_table(seats, discard=discard, **given)
    state = after(state, (0, Sell("cow", ("cow-red*",))), (0, Replace(0, "red/blue+", "red")), (0, Flip(0)))
    return after(state, (0, Take("red/orange"))) if discard else state


def test_eco_25_after_selling_a_symbol_the_seat_may_swap_or_decline() -> None:
    state = swapping()
    assert state.phase == Swapping()
    own = Choice(("green/blue", "red/orange", "yellow/green"))
    assert offered(state, 0, "swap_discard") == [{"wedge": own}]
    assert offered(state, 0, "swap_seat") == [{"seat": Choice((1, 2, 3))}]
    events, then = do(state, 0, Decline())
    assert events == (Declined(0), TurnCame(1))
    assert then.supplies == state.supplies
    for wrong in (SwapSeat(0), SwapSeat(4), SwapDiscard("red/blue+"), Exchange("green/blue", "yellow/blue"), Flip(0)):
        assert refused(state, 0, wrong).rule == "ECO-25", wrong
    plain = replacing_with_discard()
    assert after(plain, (0, Take("red/orange"))).phase == Turn()


def test_eco_25_a_swap_with_the_discard_takes_another_wedge_than_the_one_put_there() -> None:
    state = swapping()
    assert view(state, 0).discard is None
    events, named = do(state, 0, SwapDiscard("green/blue"))
    assert events == (SwapNamed(0, None, "green/blue"), Awaited(Exchanging(None)))
    assert seen(events, 1)[0] == seen(events, None)[0] == SwapNamed(0, None, None)
    assert view(named, 0).discard == ("orange/blue", "red/orange")
    assert view(named, 0).offered == "green/blue"
    assert (view(named, 1).discard, view(named, 1).offered) == (None, None)
    assert offered(named, 0, "take") == [{"wedge": Choice(("orange/blue", "red/orange"))}]
    assert refused(named, 0, Take("green/blue")).rule == "ECO-25"
    assert refused(named, 0, Decline()).rule == "ECO-25"
    events, then = do(named, 0, Take("orange/blue"))
    assert events == (Swapped(0, None, "green/blue", "orange/blue"), TurnCame(1))
    assert seen(events, 1)[0] == seen(events, None)[0] == Swapped(0, None, None, None)
    assert then.discard == ("green/blue", "red/orange")
    assert then.supplies[0] == ("orange/blue", "red/orange", "yellow/green")
    assert then.offered is None


def test_eco_25_without_a_discard_there_is_no_swap_with_it() -> None:
    state = swapping(2)
    assert offered(state, 0, "swap_discard") == []
    assert refused(state, 0, SwapDiscard("green/blue")).rule == "ECO-25"


def test_eco_25_a_swap_with_an_opponent_names_it_sees_its_supply_then_takes_and_gives_in_one_move() -> None:
    state = swapping()
    own = ("green/blue", "red/orange", "yellow/green")
    assert view(state, 0).opened is None
    events, named = do(state, 0, SwapSeat(2))
    for viewer in (None, 0, 1, 2):
        assert seen(events, viewer) == (SwapNamed(0, 2, None), Awaited(Exchanging(2)))
    for viewer in (None, 1, 2):
        assert (view(named, viewer).opened, view(named, viewer).offered) == (None, None)
    assert view(named, 0).opened == ("red/orange", "yellow/blue")
    assert (view(named, 0).discard, view(named, 0).offered) == (None, None)
    assert (view(named, 0).supply, view(named, 1).supplies) == (own, (3, 2, 2, 2))
    assert GAME.offers(named, 0) == (
        Offer("exchange", {"give": Choice(own), "take": Choice(("red/orange", "yellow/blue"))}),
    )
    events, then = do(named, 0, Exchange(give="green/blue", take="yellow/blue"))
    assert events == (Swapped(0, 2, "green/blue", "yellow/blue"), TurnCame(1))
    assert seen(events, 0)[0] == seen(events, 2)[0] == Swapped(0, 2, "green/blue", "yellow/blue")
    assert seen(events, 1)[0] == seen(events, None)[0] == Swapped(0, 2, None, None)
    assert then.supplies[0] == ("red/orange", "yellow/blue", "yellow/green")
    assert then.supplies[2] == ("green/blue", "red/orange")
    assert then.turn == 1


def test_eco_25_a_named_swap_cannot_be_withdrawn() -> None:
    named = after(swapping(), (0, SwapSeat(2)))
    wrong: tuple[Move, ...] = (
        Decline(),
        SwapSeat(1),
        Take("yellow/blue"),
        Exchange(give="yellow/blue", take="yellow/blue"),
        Exchange(give="green/blue", take="green/blue"),
    )
    for move in wrong:
        assert refused(named, 0, move).rule == "ECO-25", move
    left = after(named, (0, GAME.absent(named, 0)))  # out of time the swap is made, too
    assert (left.phase, left.turn) == (Turn(), 1)
    assert left.supplies[0] == ("red/orange", "red/orange", "yellow/green")


def test_eco_26_last_sales_replace_flip_and_swap_nothing() -> None:
    wheels = (("cow-red*",), ("cow-red",))
    state = sharp_table(turn=0, pile=("yak-blue",), wheels=wheels)
    state = after(state, (0, Produce("cow")))
    assert GAME.to_act(state) == (1,)
    events, then = do(state, 1, Sell("cow", ("cow-red",)))
    assert [type(event) for event in events] == [Sold, Ended]
    assert (then.market, then.downs, then.supplies) == (state.market, state.downs, state.supplies)
