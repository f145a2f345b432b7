"""Cheesonomics, rule by rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from games.chance import Chance
from games.cheesonomics import GAME
from games.cheesonomics.pieces import CHEESE, COLOURS, KNIVES, MARKET, TRAITS, prices
from games.cheesonomics.table import (
    Awaited,
    Churn,
    Churned,
    Collected,
    Dealt,
    Decline,
    Declined,
    Drew,
    Ended,
    Event,
    Exchanging,
    Flip,
    Flipped,
    Flipping,
    Gave,
    GaveBack,
    Gifts,
    Give,
    GiveBack,
    GivingBack,
    Kept,
    LastSale,
    LastSaleCame,
    Move,
    Options,
    Over,
    PassedOver,
    Picking,
    Produce,
    Produced,
    Protected,
    Replace,
    Replaced,
    Replacing,
    Sell,
    Sold,
    State,
    SwapDiscard,
    SwapNamed,
    Swapped,
    Swapping,
    SwapSeat,
    Take,
    TakeShown,
    Taking,
    Took,
    TookShown,
    Turn,
    TurnCame,
    View,
)
from games.core import IllegalMove, Offer, One, Pick, Seat, fill, fold, judge, read_move
from games.kit import replace

MARKET_WEDGES = (
    *("red/orange", "red/yellow+", "red/green", "red/blue", "red+/orange"),
    *("orange/yellow", "orange/green+", "orange/blue", "red/orange", "orange+/yellow"),
    *("yellow/green", "yellow/blue+", "red/yellow", "orange/yellow", "yellow+/green"),
    *("green/blue", "red+/green", "orange/green", "yellow/green", "green+/blue"),
    *("red/blue", "orange+/blue", "yellow/blue", "green/blue", "red/blue+"),
)


def either(side: str, other: str) -> str:
    """A market wedge without regard to which side is named first."""
    return "|".join(sorted((side, other)))


def pieces(state: State) -> Counter[str]:
    """Every cheese wedge, market wedge and knife, wherever it lies."""
    cheese = (*state.hands, state.pile, state.out, *state.wheels, *state.sold)
    found = Counter(wedge for group in cheese for wedge in group)
    laid = list(zip(state.market, state.downs, strict=True))
    laid += [state.replaced] if state.replaced else []
    loose = [wedge for group in (*state.supplies, state.discard, state.spare) for wedge in group]
    loose += [state.offered] if state.offered else []
    found.update(either(*sides) for sides in laid)
    found.update(either(*wedge.split("/")) for wedge in loose)
    found.update(f"{knife} knife" for knife in state.knives)
    return found


def twin(state: State, viewer: Seat | None, chance: Chance) -> State:
    """The same table with other wedges wherever the viewer may not look."""
    return _twin_market(_twin_cheese(state, viewer, chance), viewer, chance)


def _twin_cheese(state: State, viewer: Seat | None, chance: Chance) -> State:
    """ECO-4, ECO-6, ECO-10, ECO-14: others' hands (but those shown to this churner), the pile, what is out, and
    others' fulfilment piles before the end, of which not even the sizes are known."""
    phase, n = state.phase, len(state.hands)
    churner = viewer is not None and viewer == state.turn
    open_hands = {viewer} | (set(phase.showing) if isinstance(phase, Picking) and churner else set())
    zones: dict[Any, list[str]] = {"pile": list(state.pile), "out": list(state.out)}
    zones |= {("hand", seat): list(state.hands[seat]) for seat in range(n) if seat not in open_hands}
    if not isinstance(phase, Over):
        zones |= {("sold", seat): list(state.sold[seat]) for seat in range(n) if seat != viewer}
        _resize(zones, [("sold", seat) for seat in range(n) if seat != viewer and state.curds[seat]], chance)

    def possible(zone: Any) -> bool:
        if not isinstance(phase, Gifts | Picking) or zone[0] != "hand":
            return True
        if zone[1] == state.turn:  # whoever gave this churner a wedge knows that it is there
            own = None if viewer is None or isinstance(phase, Gifts) else state.gifts[viewer]
            return own is None or own in zones[zone]
        matches = any(phase.trait in wedge.rstrip("*").split("-") for wedge in zones[zone])
        if zone[1] in phase.showing:
            return not matches
        return matches or isinstance(phase, Picking)

    _jumble(zones, possible, chance)
    hands = tuple(tuple(sorted(zones.get(("hand", seat), state.hands[seat]))) for seat in range(n))
    sold = tuple(tuple(sorted(zones.get(("sold", seat), state.sold[seat]))) for seat in range(n))
    changed = replace(state, hands=hands, sold=sold, pile=tuple(zones["pile"]), out=tuple(zones["out"]))
    return replace(changed, gifts=_twin_gifts(changed, viewer, chance))


def _resize(zones: dict[Any, list[str]], keys: list[Any], chance: Chance) -> None:
    mixed = chance.shuffled([wedge for key in keys for wedge in zones[key]])
    for key in keys:
        zones[key] = []
    for wedge in mixed:
        zones[chance.pick(keys)].append(wedge)


def _jumble(zones: dict[Any, list[str]], possible: Any, chance: Chance) -> None:
    """Swap wedges between places that the viewer cannot see, as long as what all know stays true."""
    places = [(zone, index) for zone, wedges in zones.items() for index in range(len(wedges))]
    for _ in range(2 * len(places)):
        (zone, i), (other, j) = chance.pick(places), chance.pick(places)
        zones[zone][i], zones[other][j] = zones[other][j], zones[zone][i]
        if not (possible(zone) and possible(other)):
            zones[zone][i], zones[other][j] = zones[other][j], zones[zone][i]


def _twin_gifts(state: State, viewer: Seat | None, chance: Chance) -> tuple[str | None, ...]:
    """A gift is known to its giver, and to the churner when all are in."""
    phase = state.phase
    if viewer == state.turn and not isinstance(phase, Gifts):
        return state.gifts
    gifts = list(state.gifts)
    for giver, gift in enumerate(gifts):
        if gift is not None and giver != viewer:
            trait = phase.trait if isinstance(phase, Gifts) else ""
            holder = giver if isinstance(phase, Gifts) else state.turn
            gifts[giver] = chance.pick([wedge for wedge in state.hands[holder] if trait in wedge])
    return tuple(gifts)


def _twin_market(state: State, viewer: Seat | None, chance: Chance) -> State:
    """ECO-5, ECO-21, ECO-23 to ECO-25: all down sides, others' supplies, the discard, what is out of the game."""
    laid = list(zip(state.market, state.downs, strict=True)) + ([state.replaced] if state.replaced else [])
    zones: dict[Any, list[str]] = {("laid", index): ["/".join(sides)] for index, sides in enumerate(laid)}
    zones |= {("supply", seat): list(supply) for seat, supply in enumerate(state.supplies)}
    zones |= {"discard": list(state.discard), "spare": list(state.spare)}
    zones["offered"] = [state.offered] if state.offered else []
    known = _market_zones_seen(state, viewer)
    hidden = {zone: wedges for zone, wedges in zones.items() if zone not in known}

    def possible(zone: Any) -> bool:
        return zone[0] != "laid" or laid[zone[1]][0] in hidden[zone][0].split("/")

    _jumble(hidden, possible, chance)
    sides = []
    for index, (up, _) in enumerate(laid):
        both = hidden["laid", index][0].split("/")
        both.remove(up)
        sides.append((up, both[0]))
    return replace(
        state,
        downs=tuple(down for _, down in sides[: len(state.market)]),
        replaced=sides[-1] if state.replaced else None,
        supplies=tuple(_spelt(zones["supply", seat]) for seat in range(len(state.supplies))),
        discard=_spelt(zones["discard"]),
        spare=_spelt(zones["spare"]),
        offered=_spelt(zones["offered"])[0] if state.offered else None,
    )


def _market_zones_seen(state: State, viewer: Seat | None) -> set[Any]:
    """One's own supply; for whoever takes, where it takes from; for whoever swaps, what it gives."""
    known: set[Any] = {("supply", viewer)}
    if viewer is not None and viewer == state.turn:
        known.add("offered")
        if isinstance(state.phase, Taking) or state.phase == Exchanging(None):
            known.add("discard")
        if isinstance(state.phase, Exchanging):
            known.add(("supply", state.phase.other))
    return known


def _spelt(wedges: list[str]) -> tuple[str, ...]:
    spelling = {either(*wedge.split("/")): wedge for wedge in MARKET_WEDGES}
    return tuple(sorted(spelling[either(*wedge.split("/"))] for wedge in wedges))


def told(event: Event, viewer: Seat | None) -> str | None:
    """The trait by which wedges are laid or sold is public, though no view keeps it."""
    return event.trait if isinstance(event, Produced | Sold) else None


def table(seats: int = 2, **given: Any) -> State:
    """A mild table of our own making: seat 0 to act, three wedges of each colour up, the next colour under each."""
    plain: dict[str, Any] = {
        "sharp": False,
        "start": 0,
        "knives": KNIVES[:seats],
        "tray": (None,) * seats,
        "hands": (("cow-red", "cow-red", "goat-blue", "sheep-green", "yak-red"),) * seats,
        "pile": ("yak-blue",) * 20,
        "out": (),
        "wheels": ((),) * seats,
        "sold": ((),) * seats,
        "curds": (0,) * seats,
        "market": COLOURS * 3,
        "downs": (*COLOURS[1:], COLOURS[0]) * 3,
        "supplies": ((),) * seats,
        "discard": (),
        "spare": (),
        "turn": 0,
        "phase": Turn(),
        "gifts": (None,) * seats,
    }
    return State(**{**plain, **given})


def sharp_table(seats: int = 2, **given: Any) -> State:
    """The same with supplies, and three cows to sell: red with a symbol, yellow, green."""
    wheels = (("cow-green", "cow-red*", "cow-yellow"), *((),) * (seats - 1))
    supplies = (("green/blue", "red/blue+", "yellow/green"), *(("red/orange", "yellow/blue"),) * (seats - 1))
    return table(seats, **{"sharp": True, "wheels": wheels, "supplies": supplies, **given})


def do(state: State, seat: Seat, move: Move) -> tuple[tuple[Event, ...], State]:
    events = judge(GAME, state, seat, move, Chance(b"cheesonomics", 0))
    return events, fold(GAME, events, state)


def after(state: State, *moves: tuple[Seat, Move]) -> State:
    for seat, move in moves:
        _, state = do(state, seat, move)
    return state


def refused(state: State, seat: Seat, move: Move) -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        judge(GAME, state, seat, move, Chance(b"cheesonomics", 0))
    return caught.value


def offered(state: State, seat: Seat, move: str) -> list[dict[str, Any]]:
    """What the seat may fill into this kind of move."""
    return [one.fill for one in GAME.offers(state, seat) if one.move == move]


def new_table(seats: int, variant: str = "mild", seed: str = "new") -> State:
    return fold(GAME, deal(seats, variant, seed))


def deal(seats: int, variant: str = "mild", seed: str = "new") -> tuple[Event, ...]:
    options = Options("sharp" if variant == "sharp" else "mild")
    return GAME.setup(seats, options, Chance(seed.encode(), 0))


def random_game(seats: int, variant: str, seed: str) -> Iterator[State]:
    state = new_table(seats, variant, seed)
    entry = 0
    while True:
        yield state
        if GAME.outcome(state):
            return
        entry += 1
        chance = Chance(seed.encode(), entry)
        seat = chance.pick(GAME.to_act(state))
        move = read_move(GAME, fill(chance.pick(GAME.offers(state, seat)), chance))
        state = fold(GAME, judge(GAME, state, seat, move, chance), state)


def view(state: State, seat: Seat | None) -> View:
    return GAME.view(state, seat)


def seen(events: tuple[Event, ...], seat: Seat | None) -> tuple[Event, ...]:
    return tuple(event for event in (GAME.show(event, seat) for event in events) if event is not None)


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
    assert offered(state, 1, "give") == [{"wedge": One(("cow-red",))}]


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
    assert offered(table(), 0, "churn") == [{"trait": One(TRAITS)}]


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
    assert offered(state, 1, "give") == [{"wedge": One(("cow-red", "cow-red*", "yak-red"))}]
    assert offered(state, 3, "give") == [{"wedge": One(("reindeer-red",))}]
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
    assert offered(state, 0, "take_shown") == [{"seat": 2, "wedge": One(CHURN_HANDS[2])}]
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
    assert offered(state, 0, "give_back") == [{"seat": One((1, 2, 3)), "wedge": One(held)}]
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
    assert "cheddar" in refusal.why
    state = after(state, (1, Produce("cow")))
    assert state.tray == (None, None)
    assert "red" in offered(state, 0, "churn")[0]["trait"].of


def test_eco_11_a_red_goat_can_still_be_had_by_naming_goat() -> None:
    hands = (("goat-red",) + ("cow-red",) * 4, ("yak-blue",) * 5)
    state = table(hands=hands, tray=("red", None), turn=1)
    assert refused(state, 1, Churn("red")).rule == "ECO-11"
    state = after(state, (1, Churn("goat")))
    assert offered(state, 0, "give") == [{"wedge": One(("goat-red",))}]
    state = after(state, (0, Give("goat-red")), (1, GiveBack(0, "yak-blue")))
    assert "goat-red" in state.hands[1]
    assert state.turn == 0
    assert state.tray == (None, "goat")
    assert after(state, (0, Churn("red"))).phase == Gifts("red", (1,), ())


def test_eco_12_all_wedges_of_a_trait_are_laid_in_public_and_the_hand_drawn_up() -> None:
    state = table(pile=("yak-green", "yak-orange", "yak-yellow", "yak-blue"))
    assert offered(state, 0, "produce") == [{"trait": One(("red", "blue", "green", "cow", "goat", "sheep", "yak"))}]
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
        "cow": Pick(cows, 1, 3),
        "red": Pick(reds, 1, 3),
        "blue": Pick(("cow-blue",), 1, 1),
        "goat": Pick(("goat-red",), 1, 1),
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
        {"trait": "blue", "wedges": Pick(("cow-blue",), 1, 1)},
        {"trait": "cow", "wedges": Pick(("cow-blue",), 1, 1)},
    ]
    refusal = refused(state, 0, Sell("cow", ("cow-blue", "cow-red")))
    assert refusal.rule == "ECO-13"
    assert "red" in refusal.why


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
    assert offered(state, 0, "flip") == [{"place": One((0, 5, 10))}]
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
    assert offered(state, 0, "flip") == [{"place": One(places)}]
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
    return all(blank.of for blank in one.fill.values() if isinstance(blank, One | Pick))


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
    places = One((0, 3, 5, 8, 10, 13))
    assert offered(state, 0, "replace") == [
        {"place": places, "wedge": "green/blue", "up": One(("green", "blue"))},
        {"place": places, "wedge": "red/blue+", "up": One(("red", "blue+"))},
        {"place": places, "wedge": "yellow/green", "up": One(("yellow", "green"))},
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
    assert offered(then, 0, "flip") == [{"place": One((0, 3, 5, 8, 10, 13))}]
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
    assert offered(state, 0, "flip") == [{"place": One((0,))}]
    events, state = do(state, 0, Flip(0))
    assert events == (Flipped(0, 0, "green"), Kept(0, "yellow/green"), TurnCame(1))


def replacing_with_discard() -> State:
    """Four seats, two wedges in the discard; seat 0 has sold a plain cow, replaced the first red and flipped it."""
    state = sharp_table(4, discard=("orange/blue", "red/orange"), wheels=(("cow-red",), (), (), ()))
    return after(state, (0, Sell("cow", ("cow-red",))), (0, Replace(0, "red/blue+", "red")), (0, Flip(0)))


def test_eco_23_the_seat_takes_from_the_discard_then_the_replaced_wedge_goes_there() -> None:
    state = replacing_with_discard()
    assert state.phase == Taking(False)
    assert offered(state, 0, "take") == [{"wedge": One(("orange/blue", "red/orange"))}]
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
    own = One(("green/blue", "red/orange", "yellow/green"))
    assert offered(state, 0, "swap_discard") == [{"wedge": own}]
    assert offered(state, 0, "swap_seat") == [{"seat": One((1, 2, 3)), "wedge": own}]
    events, then = do(state, 0, Decline())
    assert events == (Declined(0), TurnCame(1))
    assert then.supplies == state.supplies
    for wrong in (SwapSeat(0, "green/blue"), SwapSeat(1, "red/blue+"), SwapDiscard("red/blue+"), Flip(0)):
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
    assert offered(named, 0, "take") == [{"wedge": One(("orange/blue", "red/orange"))}]
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


def test_eco_25_a_swap_with_an_opponent_names_first_then_sees_its_supply_and_takes_one_of_it() -> None:
    state = swapping()
    assert view(state, 0).opened is None
    events, named = do(state, 0, SwapSeat(2, "green/blue"))
    assert seen(events, 0)[0] == SwapNamed(0, 2, "green/blue")
    for viewer in (None, 1, 2):
        assert seen(events, viewer) == (SwapNamed(0, 2, None), Awaited(Exchanging(2)))
        assert (view(named, viewer).opened, view(named, viewer).offered) == (None, None)
    assert view(named, 0).opened == ("red/orange", "yellow/blue")
    assert view(named, 0).discard is None
    assert offered(named, 0, "take") == [{"wedge": One(("red/orange", "yellow/blue"))}]
    assert refused(named, 0, Take("green/blue")).rule == "ECO-25"
    assert refused(named, 0, Decline()).rule == "ECO-25"
    events, then = do(named, 0, Take("yellow/blue"))
    assert seen(events, 0)[0] == seen(events, 2)[0] == Swapped(0, 2, "green/blue", "yellow/blue")
    assert seen(events, 1)[0] == seen(events, None)[0] == Swapped(0, 2, None, None)
    assert then.supplies[0] == ("red/orange", "yellow/blue", "yellow/green")
    assert then.supplies[2] == ("green/blue", "red/orange")
    assert then.turn == 1


def test_eco_26_last_sales_replace_flip_and_swap_nothing() -> None:
    wheels = (("cow-red*",), ("cow-red",))
    state = sharp_table(turn=0, pile=("yak-blue",), wheels=wheels)
    state = after(state, (0, Produce("cow")))
    assert GAME.to_act(state) == (1,)
    events, then = do(state, 1, Sell("cow", ("cow-red",)))
    assert [type(event) for event in events] == [Sold, Ended]
    assert (then.market, then.downs, then.supplies) == (state.market, state.downs, state.supplies)
