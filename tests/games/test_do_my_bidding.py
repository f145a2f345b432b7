"""Do My Bidding, rule by rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest

from games import do_my_bidding
from games.chance import Chance
from games.core import Seat, collect, fold, judge, read_move
from games.do_my_bidding import absent, asides, count_matches, imagine, offers, outcome, setup, show, to_act, view
from games.do_my_bidding.values import (
    AGENT_PLACES,
    ARTISTS,
    ARTS,
    COLOURS,
    DECK,
    STARTS,
    Advice,
    Art,
    Arts,
    Dealt,
    Ended,
    Event,
    Lot,
    LotCalled,
    Move,
    Options,
    RoundBegan,
    RoundEnded,
    Sale,
    Sold,
    State,
    Suggest,
    Suggested,
)
from games.kit import Bid, BidMade, Drop, Dropped, TurnCame, open_auction, replace
from games.offers import Choice, Offer, Range, fill, offer
from games.refusals import IllegalMove

GAME = collect(do_my_bidding)

BY_NAME = {(art.artist, art.colour): art for art in ARTS}


def pieces(state: State) -> Counter[str]:
    """Count every painting and every dollar, wherever it is. The bank has what it took, less what it gave."""
    unsold = [art for lot in state.lots if lot.sale is None for art in lot.arts]
    rows = (*state.collections, state.box, state.deck, tuple(unsold))
    found = Counter(f"{art.artist} {art.colour} {art.value}" for row in rows for art in row)
    found["dollars"] = sum(state.purses) + sum(state.envelopes) + state.bank
    return found


def twin(state: State, viewer: Seat | None, chance: Chance) -> State:
    """Return the table with the deck in another order: DMB-2 hides nothing else."""
    return replace(state, deck=chance.shuffled(state.deck))


def art(name: str) -> Art:
    """Return the painting with this name, such as "Monet-pink"."""
    artist, colour = name.rsplit("-", 1)
    return BY_NAME[artist, colour]


def arts(*names: str) -> Arts:
    return tuple(art(name) for name in names)


def begin(seats: int, seed: str = "begin") -> State:
    return fold(GAME, setup(seats, Options(), Chance(seed.encode(), 0)))


def at_lot(
    purses: tuple[int, ...],
    *,
    lot: int = 0,
    round: int = 1,  # noqa: A002
    token: Seat = 0,
    collections: dict[Seat, Arts] | None = None,
    lots: tuple[Arts, ...] | None = None,
) -> State:
    """Return a table whose present lot has just been called."""
    seats = len(purses)
    state = begin(seats)
    agents = tuple((seat + AGENT_PLACES[seats][round - 1]) % seats for seat in range(seats))
    for seat, owned in (collections or {}).items():
        state = replace(state, collections=(*state.collections[:seat], owned, *state.collections[seat + 1 :]))
    if lots:
        state = replace(state, lots=tuple(Lot(one) for one in lots))
    opened = open_auction(token, seats)
    return replace(state, purses=purses, round=round, agents=agents, lot=lot, token=token, auction=opened)


def own_agents(state: State) -> State:
    """Return the table with every seat as its own agent, so that tests are easier to read."""
    return replace(state, agents=tuple(range(len(state.purses))))


def do(state: State, seat: Seat, move: Move) -> tuple[tuple[Event, ...], State]:
    events = judge(GAME, state, seat, move, Chance(b"do", 1))
    return events, fold(GAME, events, state)


def run(state: State, *moves: tuple[Seat, Move]) -> State:
    for seat, move in moves:
        state = do(state, seat, move)[1]
    return state


def sold(events: tuple[Event, ...]) -> list[Sold]:
    return [event for event in events if isinstance(event, Sold)]


def bid_range(state: State, seat: Seat) -> Range:
    found = next(one.fill["amount"] for one in offers(state, seat) if one.move == "bid")
    assert isinstance(found, Range)
    return found


def play_on(state: State, seed: str) -> list[tuple[Event, ...]]:
    """Return the events of a random game from this state to its end."""
    entries = []
    number = 0
    while outcome(state) is None:
        number += 1
        chance = Chance(seed.encode(), number)
        (seat,) = to_act(state)
        move = read_move(GAME, fill(chance.pick(offers(state, seat)), chance))
        events = judge(GAME, state, seat, move, chance)
        entries.append(events)
        state = fold(GAME, events, state)
    return entries


def _bids(state: State, seat: Seat, move: Move) -> bool:
    """Return whether this is a bid in turn."""
    return isinstance(move, Bid) and state.auction is not None and state.auction.turn == seat


def _purse_of(state: State, agent: Seat) -> int:
    return next(purse for purse, own in zip(state.purses, state.agents, strict=True) if own == agent)


def _forbidden_by_dmb_10(state: State, seat: Seat, move: Move) -> bool:
    if state.auction is None or isinstance(move, Suggest):
        return False
    if seat != state.auction.turn:
        return True
    opening = state.auction.bid is None
    return opening and (isinstance(move, Drop) or move.amount < 0)


def _forbidden_by_dmb_11(state: State, seat: Seat, move: Move) -> bool:
    if not _bids(state, seat, move):
        return False
    assert state.auction
    assert isinstance(move, Bid)
    standing = state.auction.bid
    return (standing is not None and move.amount <= standing) or move.amount > _purse_of(state, seat)


def _forbidden_by_dmb_12(state: State, seat: Seat, move: Move) -> bool:
    if not _bids(state, seat, move):
        return False
    assert state.auction
    assert isinstance(move, Bid)
    still_in = [other for other, dropped in enumerate(state.auction.dropped) if not dropped and other != seat]
    return move.amount > 1 + max(_purse_of(state, other) for other in still_in)


def _forbidden_by_dmb_19(state: State, seat: Seat, move: Move) -> bool:
    if not isinstance(move, Suggest) or state.auction is None:
        return False
    last = state.round == (5 if len(state.purses) == 3 else 4)
    return last or (move.up_to is not None and not 0 <= move.up_to <= state.purses[seat])


FORBIDS: dict[str, Callable[[State, Seat, Move], bool]] = {
    "DMB-10": _forbidden_by_dmb_10,
    "DMB-11": _forbidden_by_dmb_11,
    "DMB-12": _forbidden_by_dmb_12,
    "DMB-19": _forbidden_by_dmb_19,
    "DMB-20": lambda state, seat, move: state.result is not None,
}


def test_dmb_1_forty_nine_paintings_as_a_latin_square() -> None:
    assert len(ARTS) == len(set(ARTS)) == 49
    assert len(BY_NAME) == 49
    for artist in ARTISTS:
        assert sorted(one.value for one in ARTS if one.artist == artist) == [1, 2, 3, 4, 5, 6, 7]
    for colour in COLOURS:
        assert sorted(one.value for one in ARTS if one.colour == colour) == [1, 2, 3, 4, 5, 6, 7]
    assert art("Monet-pink").value == 6
    assert art("Cassatt-red").value == 1
    assert art("Vermeer-violet").value == 4


def test_dmb_2_all_but_the_order_of_the_deck_is_public() -> None:
    state = begin(4)
    for viewer in (None, 0, 3):
        seen = view(state, viewer)
        assert seen.purses == state.purses
        assert seen.envelopes == state.envelopes
        assert seen.collections == state.collections
        assert seen.deck == len(state.deck) == 34
    (dealt, *_) = setup(4, Options(), Chance(b"begin", 0))
    assert isinstance(dealt, Dealt)
    for viewer in (None, 0, 3):
        shown = show(dealt, viewer)
        assert isinstance(shown, Dealt)
        assert shown.deck == (None,) * 42
        assert shown.starts == dealt.starts


def test_dmb_2_the_bank_pays_more_than_it_took() -> None:
    after = run(at_lot((15, 15, 15)), (0, Bid(0)), (1, Drop()), (2, Drop()))
    assert after.bank < 0
    assert sum(after.purses) + sum(after.envelopes) + after.bank == 45


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_dmb_3_each_seat_gets_a_one_and_the_rest_leave(seats: int) -> None:
    state = begin(seats)
    given = [one for owned in state.collections for one in owned]
    assert len(given) == seats
    assert sorted(map(repr, (*given, *state.box))) == sorted(map(repr, STARTS))
    assert len(STARTS) == 7
    assert state.scores == (0,) * seats


def test_dmb_3_the_start_card_is_matched_by_later_ones() -> None:
    start = arts("Cassatt-red")
    assert count_matches(start, arts("Cassatt-pink")) == 1
    assert count_matches(start, arts("Monet-red")) == 1


def test_dmb_4_the_deck_purses_scores_and_the_token() -> None:
    state = begin(3)
    assert len(DECK) == 42
    assert state.purses == (15, 15, 15)
    assert state.scores == (0, 0, 0)
    assert {begin(3, f"lot {number}").token for number in range(40)} == {0, 1, 2}
    orders = {setup(3, Options(), Chance(b"%d" % number, 0))[0] for number in range(5)}
    assert len(orders) == 5


@pytest.mark.parametrize(("seats", "places"), [(3, 1), (4, 1), (5, 2)])
def test_dmb_5_the_first_agents(seats: int, places: int) -> None:
    state = begin(seats)
    assert state.agents == tuple((seat + places) % seats for seat in range(seats))
    seen = view(state, 0)
    for seat in range(seats):
        assert seen.patrons[seen.agents[seat]] == seat


@pytest.mark.parametrize(("seats", "places"), [(4, [1, 2, 3, 0]), (5, [2, 3, 4, 0])])
def test_dmb_6_example_where_agents_sit_in_the_four_rounds(seats: int, places: list[int]) -> None:
    first = setup(seats, Options(), Chance(b"six", 0))
    entries = [first, *play_on(fold(GAME, first), "six")]
    began = [event for events in entries for event in events if isinstance(event, RoundBegan)]
    assert [event.round for event in began] == [1, 2, 3, 4]
    for event, away in zip(began, places, strict=True):
        assert event.agents == tuple((seat + away) % seats for seat in range(seats))


def test_dmb_7_example_three_seats_have_five_rounds_and_the_left_neighbour_again_in_the_third() -> None:
    first = setup(3, Options(), Chance(b"seven", 0))
    entries = [first, *play_on(fold(GAME, first), "seven")]
    began = [event for events in entries for event in events if isinstance(event, RoundBegan)]
    assert [event.agents for event in began] == [(1, 2, 0), (2, 0, 1), (1, 2, 0), (2, 0, 1), (0, 1, 2)]


@pytest.mark.parametrize(("seats", "cards"), [(3, 7), (4, 8), (5, 8)])
def test_dmb_8_a_round_is_dealt_lowest_first_and_of_equals_the_first_dealt(seats: int, cards: int) -> None:
    ties = 0
    for number in range(20):
        dealt, began, *_ = setup(seats, Options(), Chance(f"eight {number}".encode(), 0))
        assert isinstance(dealt, Dealt)
        assert isinstance(began, RoundBegan)
        row = [one for lot in began.lots for one in lot]
        assert len(row) == cards
        place = {one: place for place, one in enumerate(dealt.deck)}
        assert max(place[one] for one in row) == cards - 1
        for left, right in pairwise(row):
            assert (left.value, place[left]) < (right.value, place[right])
            ties += left.value == right.value
    assert ties


@pytest.mark.parametrize(("seats", "sizes"), [(3, [2, 2, 1, 1, 1]), (4, [2, 2, 1, 1, 1, 1]), (5, [2, 2, 1, 1, 1, 1])])
def test_dmb_9_two_pairs_and_then_single_paintings_from_left_to_right(seats: int, sizes: list[int]) -> None:
    first = setup(seats, Options(), Chance(b"nine", 0))
    began = first[1]
    assert isinstance(began, RoundBegan)
    assert [len(lot) for lot in began.lots] == sizes
    entries = [first, *play_on(fold(GAME, first), "nine")]
    called = [event.lot for events in entries for event in events if isinstance(event, LotCalled)]
    assert called == list(range(len(sizes))) * len(AGENT_PLACES[seats])


def test_dmb_10_the_token_opens_and_must_bid() -> None:
    state = at_lot((15, 15, 15), token=2)
    assert to_act(state) == (2,)
    assert offers(state, 2) == (offer(Bid, amount=Range(0, 15)),)
    with pytest.raises(IllegalMove, match="DMB-10"):
        do(state, 2, Drop())
    with pytest.raises(IllegalMove, match="DMB-10"):
        do(state, 0, Bid(3))


def test_dmb_10_clockwise_each_raises_or_drops_and_the_last_one_in_wins() -> None:
    state = run(at_lot((15, 15, 15, 15), token=3), (3, Bid(0)), (0, Bid(2)))
    assert to_act(state) == (1,)
    state = run(state, (1, Drop()), (2, Bid(3)), (3, Drop()), (0, Bid(4)))
    assert to_act(state) == (2,)
    events, _ = do(state, 2, Drop())
    assert [(one.sale.agent, one.sale.price) for one in sold(events)] == [(0, 4)]


def test_dmb_11_bids_are_higher_than_the_standing_one_and_within_the_patrons_purse() -> None:
    state = at_lot((4, 15, 15), token=1)  # seat 1 is the agent of seat 0
    assert bid_range(state, 1) == Range(0, 4)
    with pytest.raises(IllegalMove, match="DMB-11"):
        do(state, 1, Bid(5))
    state = run(state, (1, Bid(3)))
    assert bid_range(state, 2).least == 4
    with pytest.raises(IllegalMove, match="DMB-11"):
        do(state, 2, Bid(3))


def test_dmb_12_example_one_dollar_above_what_the_other_could_bid() -> None:
    state = own_agents(at_lot((8, 13, 15), token=2))
    state = run(state, (2, Bid(0)), (0, Bid(6)))
    assert state.auction
    state = replace(state, auction=replace(state.auction, dropped=(False, False, True)))
    assert to_act(state) == (1,)
    assert bid_range(state, 1) == Range(7, 9)
    with pytest.raises(IllegalMove, match="DMB-12"):
        do(state, 1, Bid(10))
    events, after = do(state, 1, Bid(9))
    assert Dropped(0, by_itself=True) in events
    assert sold(events)[0].sale.price == 9
    assert after.purses[1] == 4


def test_dmb_12_example_against_empty_purses_the_opener_bids_zero_or_one() -> None:
    state = own_agents(at_lot((9, 0, 0, 0)))
    assert offers(state, 0) == (offer(Bid, amount=Range(0, 1)),)
    with pytest.raises(IllegalMove, match="DMB-12"):
        do(state, 0, Bid(2))


def test_dmb_12_seats_that_dropped_no_longer_count() -> None:
    state = run(own_agents(at_lot((10, 15, 3, 9))), (0, Bid(0)), (1, Drop()))
    assert bid_range(state, 2) == Range(1, 3)
    state = run(state, (2, Drop()))
    assert bid_range(state, 3) == Range(1, 9)
    assert bid_range(run(state, (3, Bid(1))), 0) == Range(2, 10)


def test_dmb_13_example_all_purses_five_and_the_opener_bids_five() -> None:
    state = at_lot((5, 5, 5, 5), token=1)
    events, _ = do(state, 1, Bid(5))
    assert events[:7] == (
        BidMade(1, 5),
        TurnCame(2),
        Dropped(2, by_itself=True),
        TurnCame(3),
        Dropped(3, by_itself=True),
        TurnCame(0),
        Dropped(0, by_itself=True),
    )
    assert sold(events)[0].sale.price == 5


def test_dmb_13_an_opener_without_money_opens_by_itself_and_whole_lots_go_by() -> None:
    state = own_agents(at_lot((1, 0, 0), round=5))
    events, after = do(state, 0, Bid(1))
    opened = [event for event in events if isinstance(event, BidMade)]
    assert [event.by_itself for event in opened] == [False, True, True, True, True]
    assert all(event.amount == 0 for event in opened[1:])
    assert len(sold(events)) == 5
    assert isinstance(events[-1], Ended)
    assert outcome(after)


def test_dmb_13_who_can_raise_is_asked() -> None:
    state = run(own_agents(at_lot((0, 2, 0), token=1)), (1, Bid(1)))
    assert (state.lot, state.token) == (1, 2)  # seat 2 opened the next lot by itself, and seat 0 dropped by itself
    assert to_act(state) == (1,)
    assert offers(state, 1) == (offer(Bid, amount=Range(1, 1)), offer(Drop))


def test_dmb_14_the_patron_pays_and_owns() -> None:
    lot = arts("Kahlo-pink", "Monet-yellow")
    state = at_lot((15, 15, 15), lots=(lot, arts("Monet-red")))
    before = state.collections[2]
    state = run(state, (0, Bid(4)), (1, Drop()))  # seat 0 is the agent of seat 2
    _, after = do(state, 2, Drop())
    assert after.purses == (15, 15, 11)
    assert after.bank == 4 - after.envelopes[0]
    assert after.collections[2] == before + lot


def test_dmb_14_a_bid_of_nothing_wins_for_nothing() -> None:
    state = run(at_lot((15, 15, 15)), (0, Bid(0)), (1, Drop()))
    events, after = do(state, 2, Drop())
    assert sold(events)[0].sale.price == 0
    assert after.purses == (15, 15, 15)


def scored(owned: Arts, lot: Arts) -> tuple[Sold, State]:
    """Seat 2 owns these, and seat 0 wins this lot for it."""
    state = at_lot((15, 15, 15), collections={2: owned}, lots=(lot, arts("Vermeer-green")))
    events, after = do(run(state, (0, Bid(1)), (1, Drop())), 2, Drop())
    return sold(events)[0], after


def test_dmb_15_example_two_monets_and_a_pink_one() -> None:
    event, after = scored(arts("Monet-red", "Monet-blue", "Kahlo-pink"), arts("Monet-pink"))
    assert event.sale == Sale(agent=0, patron=2, price=1, values=6, matches=3)
    assert after.scores[2] == 9
    assert after.envelopes[0] == 9


def test_dmb_15_example_a_lot_of_two_against_two_and_against_one() -> None:
    event, after = scored(arts("Cassatt-red", "Monet-pink"), arts("Kahlo-pink", "Monet-yellow"))
    assert (event.sale.values, event.sale.matches) == (4, 1)
    assert after.scores[2] == 5
    assert event.earned == 5
    event, after = scored(arts("Cassatt-red"), arts("Kahlo-pink", "O'Keeffe-pink"))
    assert (event.sale.values, event.sale.matches) == (5, 1)
    assert after.scores[2] == 6


def test_dmb_15_an_old_card_that_matches_both_new_ones_counts_once() -> None:
    assert count_matches(arts("Monet-pink"), arts("Monet-red", "Kahlo-pink")) == 1
    assert count_matches(arts("Monet-pink"), arts("Monet-red", "Monet-blue")) == 2
    assert count_matches(arts("Monet-pink", "Kahlo-red"), arts("Monet-red", "Kahlo-pink")) == 2


def test_dmb_15_a_score_counts_every_old_card_once_for_each_lot() -> None:
    state = begin(5, "fifteen")
    scores, lots_of_two = [0] * 5, 0
    for events in play_on(state, "fifteen"):
        for event in events:
            if isinstance(event, Sold):
                lot, owned = state.lots[state.lot].arts, state.collections[event.sale.patron]
                matched = {old for old in owned for new in lot if old.artist == new.artist or old.colour == new.colour}
                among = len(lot) == 2 and (lot[0].artist == lot[1].artist or lot[0].colour == lot[1].colour)
                scores[event.sale.patron] += sum(one.value for one in lot) + len(matched) + among
                lots_of_two += len(lot) == 2
            state = fold(GAME, (event,), state)
        assert list(state.scores) == scores
    assert lots_of_two == 8


def test_dmb_16_the_agent_earns_what_the_patron_scored() -> None:
    event, after = scored(arts("Monet-red"), arts("Monet-pink"))
    assert event.earned == 7
    assert after.envelopes == (7, 0, 0)


def test_dmb_16_nobody_earns_in_the_last_round() -> None:
    state = at_lot((15, 15, 15), round=5)
    events, after = do(run(state, (0, Bid(1)), (1, Drop())), 2, Drop())
    assert sold(events)[0].earned == 0
    assert sold(events)[0].sale.patron == 0
    assert after.envelopes == (0, 0, 0)
    assert after.scores[0] > 0


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_dmb_17_the_token_moves_left_after_every_lot_of_the_game(seats: int) -> None:
    first = setup(seats, Options(), Chance(b"seventeen", 0))
    entries = [first, *play_on(fold(GAME, first), "seventeen")]
    tokens = [event.token for events in entries for event in events if isinstance(event, LotCalled)]
    assert tokens == [(tokens[0] + step) % seats for step in range(len(tokens))]


def test_dmb_18_envelopes_are_emptied_into_their_own_purses() -> None:
    state = replace(at_lot((15, 12, 10), lot=4, token=0), envelopes=(3, 0, 20))
    state = run(state, (0, Bid(2)), (1, Drop()))
    events, after = do(state, 2, Drop())
    earned = sold(events)[0].earned
    assert RoundEnded((15 + 3 + earned, 12, 10 - 2 + 20)) in events
    assert after.purses == (18 + earned, 12, 28)
    assert after.envelopes == (0, 0, 0)
    assert after.round == 2


def test_dmb_19_a_patron_suggests_at_any_time_within_its_purse() -> None:
    state = at_lot((4, 15, 15), token=2)
    assert asides(state, 0) == (Offer("suggest", {"up_to": None}), Offer("suggest", {"up_to": Range(0, 4)}))
    for seat in range(3):
        events, after = do(state, seat, Suggest(3))
        assert events == (Suggested(seat, (seat + 1) % 3, 3),)
        assert after.advice[seat] == Advice(3)
        assert show(events[0], None) == events[0]
        assert to_act(after) == to_act(state)
        assert [offers(after, one) for one in range(3)] == [offers(state, one) for one in range(3)]
    with pytest.raises(IllegalMove, match="DMB-19"):
        do(state, 0, Suggest(5))
    with pytest.raises(IllegalMove, match="DMB-19"):
        do(state, 0, Suggest(-1))


def test_dmb_19_a_later_suggestion_replaces_it_and_it_lapses_with_the_lot() -> None:
    state = run(at_lot((15, 15, 15)), (1, Suggest(3)), (1, Suggest(None)), (0, Suggest(7)))
    assert state.advice == (Advice(7), Advice(None), None)
    assert view(state, None).advice == state.advice
    state = run(state, (0, Bid(1)), (1, Drop()))
    assert state.advice == (Advice(7), Advice(None), None)
    assert run(state, (2, Drop())).advice == (None, None, None)


def test_dmb_19_there_is_no_suggestion_in_the_last_round_nor_after_it() -> None:
    state = at_lot((15, 15, 15), round=5)
    assert asides(state, 0) == ()
    with pytest.raises(IllegalMove, match="DMB-19"):
        do(state, 0, Suggest(None))
    over = run(replace(state, lot=4), (0, Bid(1)), (1, Drop()), (2, Drop()))
    assert asides(over, 0) == ()
    assert offers(over, 0) == ()


def ended(scores: tuple[int, ...]) -> State:
    """The last lot of the game is sold to seat 0 on top of these scores."""
    state = replace(at_lot((9, 9, 9), round=5, lot=4, lots=(arts("Monet-pink"),) * 5), scores=scores)
    state = replace(state, collections=((), (), ()))
    return run(state, (0, Bid(0)), (1, Drop()), (2, Drop()))


def test_dmb_20_the_highest_score_wins_and_ties_share() -> None:
    result = outcome(ended((4, 12, 11)))
    assert result
    assert (result.places, result.points, result.rule) == ((3, 1, 2), (10, 12, 11), "DMB-20")
    result = outcome(ended((6, 12, 2)))
    assert result
    assert result.places == (1, 1, 3)
    with pytest.raises(IllegalMove, match="DMB-20"):
        do(ended((6, 12, 2)), 0, Bid(1))


def test_an_absent_seat_opens_with_nothing_and_then_drops() -> None:
    state = at_lot((15, 15, 15))
    assert absent(state, 0) == Bid(0)
    assert absent(run(state, (0, Bid(0))), 1) == Drop()


def test_an_imagined_table_has_every_painting_once() -> None:
    state = begin(4, "imagine")
    for events in play_on(state, "imagine"):
        state = fold(GAME, events, state)
        imagined = imagine(view(state, 1), 1, Chance(b"imagine", 1))
        assert pieces(imagined) == pieces(state)
        assert view(imagined, 1) == view(state, 1)


def test_offers_have_no_lists() -> None:
    state = begin(5)
    for seat in range(5):
        for one in offers(state, seat) + asides(state, seat):
            assert not any(isinstance(blank, Choice) for blank in one.fill.values())
