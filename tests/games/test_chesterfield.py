"""Chesterfield Charity Cheese Auction, rule by rule."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import get_args

import msgspec
import pytest

from games.chance import Chance
from games.chesterfield import GAME, absent, offers, outcome, refuse, setup
from games.chesterfield.moves import (
    ActionPlayed,
    AuctioneerFound,
    BidSecretly,
    BlockDealt,
    CameShort,
    CashedIn,
    CashIn,
    Dealt,
    Default,
    Defaulted,
    Ended,
    Event,
    Finish,
    Finished,
    Keep,
    Laid,
    LastRoundCalled,
    LayDown,
    Melt,
    Merge,
    MergingBegan,
    Move,
    PlayAction,
    Present,
    Presented,
    SecretBidMade,
    SecretsRevealed,
    SilenceFell,
    Sold,
    StandIn,
    Unsold,
    UpkeepBegan,
    UpkeepChosen,
    UpkeepRevealed,
)
from games.chesterfield.sight import imagine, show, view
from games.chesterfield.table import (
    DECK,
    KINDS,
    AuctioneerAuction,
    CheeseAuction,
    Cheeses,
    Choosing,
    Kind,
    LayingDown,
    Merging,
    Options,
    Over,
    Paying,
    Phase,
    Set,
    SilentAuction,
    State,
    Upkeep,
    scores,
    set_points,
    to_act,
)
from games.core import IllegalMove, Offer, One, Outcome, Pick, Range, Seat, fill, fold, judge, offer, read_move
from games.kit import Bid, BidMade, Drop, Dropped, TurnCame, open_auction, replace

SEATS = range(2, 9)


def pieces(state: State) -> Counter[str]:
    """Every card, wherever it lies, and every dollar; the charity counts what it took less what it gave."""
    found = Counter((*state.reserved, *state.block, *state.deck, *state.discard))
    for hand in state.hands:
        found.update(hand)
    for one in (one for own in state.sets for one in own):
        found[one.cheese] += one.cards
        found["Cheddar"] += one.cheddar
        found["Gruyere"] += one.gruyere
    found["Bleu"] += sum(state.bleus)
    if isinstance(state.phase, CheeseAuction | SilentAuction | Paying):
        found.update((state.phase.card, *state.phase.actions))
    found["dollars"] = sum(state.banks) + state.charity
    return found


def twin(state: State, viewer: Seat | None, chance: Chance) -> State:
    """The same table with everything changed round that the viewer cannot know: the hands of others, the deck, the
    Reserved Cheese before the end, the block unless it is the Auctioneer, secret bids and upkeep choices of others."""
    over = isinstance(state.phase, Over)
    knows_block = viewer is not None and viewer == state.auctioneer
    hidden = [card for seat, hand in enumerate(state.hands) if seat != viewer for card in hand]
    hidden += state.deck
    hidden += () if over else state.reserved
    hidden += () if knows_block else state.block
    mixed = list(chance.shuffled(hidden))

    def others(cards: Cheeses) -> Cheeses:
        return tuple(mixed.pop() for _ in cards)

    hands = tuple(hand if seat == viewer else others(hand) for seat, hand in enumerate(state.hands))
    changed = replace(
        state,
        hands=hands,
        deck=others(state.deck),
        reserved=state.reserved if over else others(state.reserved),
        block=state.block if knows_block else others(state.block),
    )
    return replace(changed, phase=_twin_phase(changed, viewer, chance))


def _twin_phase(state: State, viewer: Seat | None, chance: Chance) -> Phase:
    phase = state.phase
    if isinstance(phase, SilentAuction):
        secrets = list(phase.secrets)
        for seat, secret in enumerate(secrets):
            if seat != viewer and secret is not None:
                least = phase.auction.bids[seat] or 0
                secrets[seat] = least + chance.below(state.banks[seat] - least + 1)
        return replace(phase, secrets=tuple(secrets))
    if isinstance(phase, Upkeep):
        choices = list(phase.choices)
        for seat, choice in enumerate(choices):
            if seat != viewer and choice is not None:
                over = len(state.hands[seat]) - 4
                least = next(gone for gone in range(over + 1) if 4 * (over - gone) <= state.banks[seat])
                choices[seat] = chance.shuffled(state.hands[seat])[: least + chance.below(over - least + 1)]
        return replace(phase, choices=tuple(choices))
    return phase


def told(event: Event, viewer: Seat | None) -> object:
    """Secret bids are seen by all when they are revealed, and no view keeps the ones that lost."""
    return event.secrets if isinstance(event, SecretsRevealed) else None


def begin(seats: int, seed: str = "begin") -> State:
    return fold(GAME, setup(seats, Options(), Chance(seed.encode(), 0)))


def table(
    phase: Phase,
    hands: tuple[Cheeses, ...],
    *,
    banks: tuple[int, ...] | None = None,
    sets: tuple[tuple[Set, ...], ...] | None = None,
    block: Cheeses = (),
    deck: Cheeses = (),
    auctioneer: Seat | None = 0,
    bleus: tuple[int, ...] | None = None,
) -> State:
    seats = len(hands)
    return State(
        first=0,
        reserved=("Bleu",) * 4,
        hands=hands,
        block=block,
        deck=deck,
        banks=banks or (20,) * seats,
        sets=sets or ((),) * seats,
        bleus=bleus or (0,) * seats,
        phase=phase,
        auctioneer=auctioneer,
    )


def selling(
    *hands: Cheeses,
    banks: tuple[int, ...] | None = None,
    price: int = 0,
    card: str = "Camembert",
    actions: Cheeses = (),
    block: Cheeses = ("Feta",),
) -> State:
    """A cheese auction at its start, with seat 0 as Auctioneer."""
    phase = CheeseAuction(card, price, open_auction(0, len(hands)), actions)
    return table(phase, hands, banks=banks, block=block)


def electing(*hands: Cheeses, banks: tuple[int, ...] | None = None) -> State:
    """An auctioneer auction at its start, with seat 0 as first player."""
    phase = AuctioneerAuction(open_auction(0, len(hands)))
    return table(phase, hands, banks=banks, block=("Feta", "Feta", "Bleu", "Cheddar"), auctioneer=None)


def laying(*hands: Cheeses, sets: tuple[tuple[Set, ...], ...] | None = None, block: Cheeses = ("Feta",)) -> State:
    return table(LayingDown((False,) * len(hands)), hands, sets=sets, block=block)


def merging(*hands: Cheeses, sets: tuple[tuple[Set, ...], ...]) -> State:
    return table(Merging((False,) * len(hands)), hands, sets=sets, auctioneer=None)


def upkeep(*hands: Cheeses, banks: tuple[int, ...] | None = None, deck: Cheeses = ("Bleu",) * 4) -> State:
    return table(Upkeep((None,) * len(hands)), hands, banks=banks, deck=deck, auctioneer=None)


def do(state: State, seat: Seat, move: Move) -> tuple[tuple[Event, ...], State]:
    events = judge(GAME, state, seat, move, Chance(b"do", 1))
    after = fold(GAME, events, state)
    assert pieces(after) == pieces(state)
    return events, after


def run(state: State, *moves: tuple[Seat, Move]) -> State:
    for seat, move in moves:
        state = do(state, seat, move)[1]
    return state


def refused(state: State, seat: Seat, move: Move, rule: str) -> None:
    with pytest.raises(IllegalMove) as refusal:
        do(state, seat, move)
    assert refusal.value.rule == rule, refusal.value


def one_offer(state: State, seat: Seat, move: str) -> dict[str, object]:
    (found,) = (one for one in offers(state, seat) if one.move == move)
    return found.fill


def moves_offered(state: State, seat: Seat) -> set[str]:
    return {one.move for one in offers(state, seat)}


def play_on(state: State, seed: str) -> list[tuple[tuple[Event, ...], State]]:
    """A random game from here to its end."""
    entries = []
    number = 0
    while outcome(state) is None:
        number += 1
        chance = Chance(seed.encode(), number)
        seat = chance.pick(to_act(state))
        events, state = do(state, seat, read_move(GAME, fill(chance.pick(offers(state, seat)), chance)))
        entries.append((events, state))
    return entries


def test_cca_1_forty_four_cards_with_points_and_trade_value() -> None:
    assert len(DECK) == 44
    assert set(DECK) == set(KINDS)
    for seats in SEATS:
        assert pieces(begin(seats)) == Counter(DECK) + Counter(dollars=20 * seats)


def test_cca_2_the_deck_of_record() -> None:
    assert {
        "Cheddar": Kind(7, 2, 2),
        "Gruyere": Kind(7, 3, 2),
        "Pecorino": Kind(6, 3, 3),
        "Feta": Kind(6, 4, 3),
        "Roquefort": Kind(5, 4, 3),
        "Emmental": Kind(5, 4, 4),
        "Camembert": Kind(4, 5, 5),
        "Bleu": Kind(4, 2, 1),
    } == KINDS
    refused(laying(("Brie", "Brie"), ()), 0, LayDown("Brie", 1, False), "CCA-2")


def test_cca_3_the_reserved_cheese_is_seen_by_nobody_until_the_end() -> None:
    (dealt,) = setup(3, Options(), Chance(b"three", 0))
    assert isinstance(dealt, Dealt)
    assert len(dealt.reserved) == 4
    for viewer in (None, 0, 1, 2):
        shown = show(dealt, viewer)
        assert isinstance(shown, Dealt)
        assert shown.reserved == (None,) * 4
        assert shown.deck == (None,) * len(dealt.deck)
        assert view(begin(3), viewer).reserved is None
    events, after = play_on(begin(3), "three")[-1]
    (end,) = (event for event in events if isinstance(event, Ended))
    assert end.reserved == begin(3).reserved
    assert view(after, None).reserved == end.reserved


@pytest.mark.parametrize("seats", SEATS)
def test_cca_4_four_cards_that_only_their_seat_sees_and_twenty_dollars(seats: int) -> None:
    state = begin(seats)
    assert state.banks == (20,) * seats
    for viewer in (None, *range(seats)):
        seen = view(state, viewer)
        assert seen.hands == (4,) * seats
        assert seen.banks == state.banks
        assert seen.hand == (None if viewer is None else state.hands[viewer])
    (dealt,) = setup(seats, Options(), Chance(b"begin", 0))
    shown = show(dealt, 1)
    assert isinstance(shown, Dealt)
    assert shown.hands == tuple(state.hands[1] if seat == 1 else (None,) * 4 for seat in range(seats))


@pytest.mark.parametrize("seats", SEATS)
def test_cca_5_there_are_ten_less_n_blocks(seats: int) -> None:
    state = begin(seats)
    assert len(state.block) == 4
    assert view(state, None).blocks_left == 9 - seats
    dealt = [event for events, _ in play_on(state, "five") for event in events if isinstance(event, BlockDealt)]
    assert 1 + len(dealt) == 10 - seats


def test_cca_6_the_first_player_is_drawn_by_lot() -> None:
    assert {begin(4, f"six {number}").first for number in range(60)} == {0, 1, 2, 3}
    state = begin(4, "six 1")
    assert to_act(state) == (state.first,)


def test_cca_7_the_course_of_a_block() -> None:
    state = begin(3, "seven")
    first = state.first
    kinds = (AuctioneerFound, Presented, Unsold, Sold, Defaulted, UpkeepRevealed, BlockDealt, MergingBegan, Ended)
    course = [event for events, _ in play_on(state, "seven") for event in events if isinstance(event, kinds)]
    for number in range(7):
        found, *auctions = course[:9]
        assert isinstance(found, AuctioneerFound)
        assert all(isinstance(event, Presented) for event in auctions[::2])
        assert all(isinstance(event, Unsold | Sold | Defaulted) for event in auctions[1::2])
        assert isinstance(course[9], UpkeepRevealed)
        after = course[10]
        if number < 6:
            assert isinstance(after, BlockDealt)
            assert after.first == (first + number + 1) % 3
        else:
            assert isinstance(after, MergingBegan)
        course = course[11:]
    assert len(course) == 1


def test_cca_7_after_laying_down_the_auctioneer_chooses_again_and_after_the_fourth_comes_upkeep() -> None:
    state = run(laying(("Feta", "Bleu"), ("Feta", "Bleu")), (0, Finish()), (1, Finish()))
    assert state.phase == Choosing()
    assert to_act(state) == (0,)
    events, state = do(run(laying(("Feta",) * 5, ("Feta", "Bleu"), block=()), (1, Finish())), 0, Finish())
    assert events == (Finished(0), UpkeepBegan())
    assert isinstance(state.phase, Upkeep)


def test_cca_8_a_turn_cashes_in_and_then_bids_or_drops() -> None:
    state = electing(("Camembert", "Feta", "Feta"), ("Bleu",))
    assert to_act(state) == (0,)
    assert offers(state, 0) == (
        offer(CashIn, cards=Pick(("Camembert", "Feta", "Feta"), 1, 3)),
        offer(Bid, amount=Range(1, 20)),
        offer(Drop),
    )
    events, after = do(state, 0, CashIn(("Feta", "Camembert")))
    assert events == (CashedIn(0, ("Feta", "Camembert"), 8),)
    assert show(events[0], 1) == events[0]
    assert after.banks == (28, 20)
    assert after.discard == ("Feta", "Camembert")
    assert after.charity == -8
    assert to_act(after) == (0,)
    assert to_act(run(after, (0, Bid(28)))) == (1,)
    refused(state, 1, CashIn(("Bleu",)), "CCA-8")
    refused(state, 0, CashIn(("Bleu",)), "CCA-8")
    refused(state, 0, CashIn(()), "CCA-8")
    refused(state, 0, PlayAction("Feta"), "CCA-8")


def test_cca_8_an_empty_hand_with_too_small_a_bank_drops_by_itself() -> None:
    state = electing(("Feta",), (), ("Bleu",), banks=(20, 4, 0))
    events, after = do(state, 0, Bid(4))
    assert events == (BidMade(0, 4), TurnCame(1), Dropped(1, by_itself=True), TurnCame(2))
    assert to_act(after) == (2,)  # though its Bleu is worth too little: its hand does not count as known


def test_cca_8_a_seat_that_cashed_in_its_last_card_in_vain_drops_by_itself() -> None:
    state = run(electing(("Feta",), ("Bleu",), ("Feta",), banks=(20, 4, 9)), (0, Bid(6)))
    events, _ = do(state, 1, CashIn(("Bleu",)))
    assert events == (CashedIn(1, ("Bleu",), 1), Dropped(1, by_itself=True), TurnCame(2))


def test_cca_8_nobody_is_too_poor_at_the_start_of_a_block() -> None:
    _, after = do(upkeep(("Feta",) * 5, (), banks=(0, 0)), 0, Keep(("Feta",)))
    assert after.banks == (0, 16)  # an empty hand has just gained
    assert to_act(after) == (1,)


def test_cca_9_bids_are_higher_than_the_standing_one_at_least_one_and_within_the_bank() -> None:
    state = electing(("Feta",), ("Feta",), banks=(20, 6))
    refused(state, 0, Bid(0), "CCA-9")
    refused(state, 0, Bid(21), "CCA-9")
    state = run(state, (0, Bid(4)))
    assert one_offer(state, 1, "bid") == {"amount": Range(5, 6)}
    refused(state, 1, Bid(4), "CCA-9")
    state = run(electing(("Feta",), ("Feta",), banks=(20, 6)), (0, Bid(6)))
    assert moves_offered(state, 1) == {"cash_in", "drop"}


def test_cca_10_who_drops_is_out_and_it_ends_with_one_left_and_a_bid() -> None:
    state = run(electing(("Feta",), ("Feta",), ("Feta",)), (0, Bid(2)), (1, Drop()), (2, Bid(3)))
    assert to_act(state) == (0,)
    refused(state, 1, Bid(9), "CCA-10")
    state = run(state, (0, Bid(4)))
    assert to_act(state) == (2,)
    _, after = do(state, 2, Drop())
    assert after.phase == Choosing()
    assert after.auctioneer == 0


def test_cca_10_the_last_seat_without_a_bid_is_still_asked() -> None:
    state = run(electing(("Feta",), ("Feta",), ("Feta",)), (0, Drop()), (1, Drop()))
    assert to_act(state) == (2,)
    assert moves_offered(state, 2) == {"cash_in", "bid", "drop"}
    assert run(state, (2, Bid(1))).auctioneer == 2


def test_cca_11_the_winner_pays_and_is_auctioneer() -> None:
    events, after = do(run(electing(("Feta",), ("Feta",)), (0, Bid(3)), (1, Bid(7))), 0, Drop())
    assert events[-1] == AuctioneerFound(1, 7, ("Feta", "Feta", "Bleu", "Cheddar"))
    assert after.banks == (20, 13)
    assert after.charity == 7


def test_cca_11_if_nobody_bids_the_first_player_is_auctioneer_for_nothing() -> None:
    state = replace(electing(("Feta",), ("Feta",), ("Feta",)), first=1, phase=AuctioneerAuction(open_auction(1, 3)))
    state = run(state, (1, Drop()), (2, Drop()), (0, Drop()))
    assert state.auctioneer == 1
    assert state.banks == (20, 20, 20)


def test_cca_12_the_auctioneer_alone_sees_the_block() -> None:
    state = run(electing(("Feta",), ("Feta",)), (0, Bid(3)))
    assert all(view(state, viewer).block == (None,) * 4 for viewer in (None, 0, 1))
    events, after = do(state, 1, Drop())
    found = events[-1]
    assert isinstance(found, AuctioneerFound)
    assert show(found, 0) == found
    for viewer in (None, 1):
        assert show(found, viewer) == AuctioneerFound(0, 3, (None,) * 4)
        assert view(after, viewer).block == (None,) * 4
    assert view(after, 0).block == ("Feta", "Feta", "Bleu", "Cheddar")
    dealt = BlockDealt(1, ("Feta",) * 4)
    assert all(show(dealt, viewer) == BlockDealt(1, (None,) * 4) for viewer in (None, 0, 1))
    shown = run(after, (0, Present("Bleu", 0)))
    assert view(shown, 0).block == ("Feta", "Feta", "Cheddar")
    assert view(shown, 1).block == (None,) * 3


def test_cca_13_card_and_starting_price_are_one_move() -> None:
    state = table(Choosing(), (("Feta",), ("Feta",)), banks=(9, 20), block=("Bleu", "Feta", "Feta"))
    assert offers(state, 0) == (offer(Present, card=One(("Bleu", "Feta")), price=Range(0, 9)),)
    assert offers(state, 1) == ()
    refused(state, 0, Present("Feta", 10), "CCA-13")
    refused(state, 0, Present("Feta", -1), "CCA-13")
    refused(state, 0, Present("Camembert", 0), "CCA-13")
    refused(state, 1, Present("Feta", 0), "CCA-13")
    refused(state, 0, Drop(), "CCA-13")
    events, after = do(state, 0, Present("Feta", 9))
    assert events == (Presented(0, "Feta", 9),)
    assert view(after, 1).card == "Feta"
    assert view(after, 1).price == 9
    assert after.phase == CheeseAuction("Feta", 9, open_auction(0, 2))  # nobody has bid


def test_cca_13_a_single_card_is_chosen_too() -> None:
    state = table(Choosing(), (("Feta",), ("Feta",)), banks=(0, 20), block=("Bleu",))
    assert offers(state, 0) == (offer(Present, card=One(("Bleu",)), price=Range(0, 0)),)


def test_cca_14_a_turn_cashes_in_and_plays_actions_in_any_order_and_then_bids() -> None:
    state = selling(("Feta", "Bleu", "Feta", "Gruyere"), ("Feta",), price=5)
    assert to_act(state) == (0,)
    assert offers(state, 0) == (
        offer(PlayAction, card=One(("Feta", "Bleu"))),
        offer(CashIn, cards=Pick(("Feta", "Bleu", "Feta", "Gruyere"), 1, 4)),
        offer(Bid, amount=Range(5, 20)),
        offer(Drop),
    )
    state = run(state, (0, PlayAction("Bleu")), (0, CashIn(("Feta",))), (0, PlayAction("Feta")), (0, Bid(23)))
    assert view(state, None).actions == ("Bleu", "Feta")
    assert to_act(state) == (1,)
    assert moves_offered(state, 1) == {"play_action", "cash_in", "drop"}
    refused(selling(("Gruyere",), ()), 0, PlayAction("Gruyere"), "CCA-14")
    refused(selling(("Gruyere",), ()), 0, PlayAction("Bleu"), "CCA-14")
    refused(selling(("Gruyere",), ()), 0, Finish(), "CCA-14")


def test_cca_14_the_first_bid_is_at_least_the_starting_price_and_later_ones_higher() -> None:
    state = selling(("Feta",), ("Feta",), price=5)
    refused(state, 0, Bid(4), "CCA-14")
    refused(state, 0, Bid(21), "CCA-14")
    refused(state, 1, Bid(6), "CCA-14")
    state = run(state, (0, Bid(5)))
    refused(state, 1, Bid(5), "CCA-14")
    assert one_offer(state, 1, "bid") == {"amount": Range(6, 20)}
    assert one_offer(selling(("Feta",), ()), 0, "bid") == {"amount": Range(0, 20)}


def test_cca_14_an_empty_hand_with_too_small_a_bank_drops_by_itself_also_after_its_last_action() -> None:
    state = run(selling(("Feta",), (), ("Bleu",), ("Feta",), banks=(20, 3, 3, 9)), (0, Bid(4)))
    assert to_act(state) == (2,)
    events, after = do(state, 2, PlayAction("Bleu"))
    assert events == (ActionPlayed(2, "Bleu"), Dropped(2, by_itself=True), TurnCame(3))
    assert to_act(after) == (3,)


def test_cca_15_who_has_dropped_plays_no_more_actions_but_actions_played_before_stay() -> None:
    state = run(selling(("Feta", "Bleu"), ("Feta", "Bleu"), ("Feta",)), (0, PlayAction("Feta")), (0, Drop()))
    refused(state, 0, PlayAction("Bleu"), "CCA-15")
    state = run(state, (1, Bid(2)))
    events, after = do(run(state, (2, Bid(3))), 1, Drop())
    assert Sold(2, "Camembert", (0, 2, 3), 0) in events
    assert after.discard == ("Feta",)
    again = run(after, (1, Finish()), (2, Finish()), (0, Present("Feta", 0)))
    assert view(again, None).actions == ()


def test_cca_16_it_ends_with_one_seat_that_has_bid_or_with_none() -> None:
    state = run(selling(("Feta",), ("Feta",)), (0, Bid(0)))
    assert do(state, 1, Drop())[0][:2] == (Dropped(1), Sold(0, "Camembert", (0, 0), 0))
    state = run(selling(("Feta",), ("Feta",)), (0, Drop()))
    assert do(state, 1, Drop())[0][:2] == (Dropped(1), Unsold("Camembert"))


def test_cca_16_example_the_last_seat_may_bid_nothing_and_get_the_card() -> None:
    state = run(selling(("Feta",), ("Feta",), ("Feta", "Bleu")), (0, Drop()), (1, Drop()))
    assert to_act(state) == (2,)
    assert moves_offered(state, 2) == {"play_action", "cash_in", "bid", "drop"}
    events, after = do(state, 2, Bid(0))
    assert events == (BidMade(2, 0), Sold(2, "Camembert", (0, 0, 0), 0), Finished(0, True), Finished(1, True))
    assert after.hands[2] == ("Feta", "Bleu", "Camembert")


def test_cca_17_without_a_bid_the_card_and_all_actions_are_discarded() -> None:
    state = selling(("Bleu", "Feta", "Feta"), ("Feta", "Roquefort", "Feta"))
    state = run(state, (0, PlayAction("Bleu")), (0, Drop()), (1, PlayAction("Roquefort")))
    events, after = do(state, 1, Drop())
    assert events == (Dropped(1), Unsold("Camembert"))
    assert after.discard == ("Camembert", "Bleu", "Roquefort")
    assert after.bleus == (0, 0)
    assert after.banks == (20, 20)


def test_cca_18_the_winner_pays_and_takes_the_card_and_actions_are_discarded() -> None:
    state = run(selling(("Feta", "Bleu", "Feta"), ("Feta",)), (0, PlayAction("Bleu")), (0, PlayAction("Feta")))
    events, after = do(run(state, (0, Bid(4))), 1, Drop())
    assert events[:2] == (Dropped(1), Sold(0, "Camembert", (4, 0), 1))
    assert after.hands[0] == ("Feta", "Camembert")
    assert after.banks == (16, 20)
    assert after.charity == 4
    assert after.discard == ("Feta",)
    assert after.bleus == (1, 0)


def short(*hands: Cheeses, actions: Cheeses, bank: int = 6, bid: int = 6) -> tuple[tuple[Event, ...], State]:
    """Seat 0 bids and seat 1 drops with these actions in force."""
    state = selling(*hands, banks=(bank, 20), actions=actions)
    return do(run(state, (0, Bid(bid))), 1, Drop())


def test_cca_19_example_the_winner_is_asked_and_defaults() -> None:
    events, state = short(("Cheddar",), ("Feta",), actions=("Feta", "Roquefort", "Bleu"))
    assert events == (Dropped(1), CameShort(0, 11))
    assert to_act(state) == (0,)
    assert offers(state, 0) == (offer(CashIn, cards=Pick(("Cheddar",), 1, 1)), offer(Default))
    assert view(state, 1).owed == 11
    refused(state, 0, Finish(), "CCA-19")
    refused(state, 1, Drop(), "CCA-19")
    events, after = do(state, 0, Default())
    assert events[0] == Defaulted(0, "Camembert", (6, 0), 1, by_itself=False)
    assert after.banks == (0, 20)
    assert scores(after) == (-3, 0)
    assert after.discard == ("Camembert", "Feta", "Roquefort")
    assert after.hands[0] == ("Cheddar",)


def test_cca_19_example_an_empty_hand_defaults_by_itself_and_pays_nothing() -> None:
    events, after = short((), ("Feta", "Feta"), actions=("Roquefort",))
    assert events[:3] == (Dropped(1), CameShort(0, 11), Defaulted(0, "Camembert", (0, 0), 0, by_itself=True))
    assert after.banks == (6, 20)
    assert after.discard == ("Camembert", "Roquefort")
    assert after.hands[0] == ()


def test_cca_19_the_winner_cashes_in_until_it_can_pay() -> None:
    _, state = short(("Cheddar", "Feta", "Feta"), ("Feta",), actions=("Roquefort",))
    state = run(state, (0, CashIn(("Cheddar",))))
    assert isinstance(state.phase, Paying)
    events, after = do(state, 0, CashIn(("Feta",)))
    assert events[:2] == (CashedIn(0, ("Feta",), 3), Sold(0, "Camembert", (11, 0), 0))
    assert after.banks == (0, 20)
    assert after.hands[0] == ("Feta", "Camembert")


def test_cca_19_cards_cashed_in_before_a_default_stay_cashed_in() -> None:
    _, state = short(("Cheddar", "Bleu"), ("Feta",), actions=("Roquefort", "Roquefort"))
    events, after = do(run(state, (0, CashIn(("Cheddar",)))), 0, CashIn(("Bleu",)))
    assert events[:2] == (CashedIn(0, ("Bleu",), 1), Defaulted(0, "Camembert", (0, 0), 0, by_itself=True))
    assert after.banks == (9, 20)
    refused(state, 0, CashIn(("Camembert",)), "CCA-8")  # the cheese that was won is not in the hand


def test_cca_20_pecorino_gives_every_other_seat_one_more_turn_and_then_its_player() -> None:
    state = run(selling(("Pecorino",), ("Feta",), ("Feta",), ("Feta",)), (0, Bid(1)), (1, Drop()), (2, Bid(2)))
    state = run(state, (3, Bid(3)))
    events, state = do(replace(state, hands=(("Pecorino", "Feta"), *state.hands[1:])), 0, PlayAction("Pecorino"))
    assert events == (ActionPlayed(0, "Pecorino"), LastRoundCalled((2, 3, 0)))
    state = run(state, (0, Bid(4)))
    assert to_act(state) == (2,)
    state = run(state, (2, Bid(5)), (3, Bid(6)))
    assert to_act(state) == (0,)
    events, _ = do(state, 0, Drop())
    assert Sold(3, "Camembert", (0, 0, 0, 6), 0) in events
    events, _ = do(state, 0, Bid(7))
    assert Sold(0, "Camembert", (7, 0, 0, 0), 0) in events


def test_cca_20_example_pecorino_and_then_dropping_leaves_one_turn_each() -> None:
    state = run(selling(("Pecorino",), ("Feta",), ("Feta",)), (0, PlayAction("Pecorino")), (0, Drop()))
    state = run(state, (1, Bid(1)))
    assert to_act(state) == (2,)
    events, _ = do(state, 2, Bid(2))
    assert Sold(2, "Camembert", (0, 0, 2), 0) in events  # though seat 1 has not dropped


def test_cca_20_a_later_pecorino_gives_a_whole_last_round_even_in_the_very_last_turn() -> None:
    state = selling(("Pecorino", "Pecorino"), ("Feta",), ("Feta",))
    state = run(state, (0, PlayAction("Pecorino")), (0, Bid(1)), (1, Bid(2)), (2, Bid(3)))
    state = run(state, (0, PlayAction("Pecorino")), (0, Bid(4)))
    assert to_act(state) == (1,)
    state = run(state, (1, Bid(5)), (2, Bid(6)))
    assert to_act(state) == (0,)
    assert Sold(2, "Camembert", (0, 0, 6), 0) in do(state, 0, Drop())[0]


def test_cca_21_feta_makes_every_seat_pay_its_highest_bid_once() -> None:
    state = selling(("Feta", "Feta"), ("Feta",), ("Feta",), ("Feta",))
    state = run(state, (0, PlayAction("Feta")), (0, PlayAction("Feta")), (0, Bid(1)), (1, Bid(2)), (2, Drop()))
    state = run(state, (3, Bid(3)), (0, Bid(5)), (1, Drop()))
    events, after = do(state, 3, Drop())
    assert events[1] == Sold(0, "Camembert", (5, 2, 0, 3), 0)
    assert after.banks == (15, 18, 20, 17)


def test_cca_22_example_feta_and_two_roqueforts() -> None:
    state = selling(("Feta",), ("Feta",), ("Feta",), actions=("Feta", "Roquefort", "Roquefort"))
    state = run(state, (0, Bid(3)), (1, Bid(6)), (2, Bid(7)), (0, Drop()))
    events, after = do(state, 1, Drop())
    assert events[1] == Sold(2, "Camembert", (3, 6, 17), 0)
    assert after.banks == (17, 14, 3)


def silent(
    opened: tuple[int | None, ...],
    *,
    price: int = 0,
    actions: Cheeses = (),
    dropped: tuple[Seat, ...] = (),
    auctioneer: Seat = 0,
) -> State:
    """A silent auction after these open bids; every seat holds two cards and $20."""
    seats = len(opened)
    bids = [bid for bid in opened if bid is not None]
    bid = max(bids, default=None)
    auction = replace(
        open_auction(auctioneer, seats),
        bids=opened,
        bid=bid,
        bidder=None if bid is None else opened.index(bid),
        dropped=tuple(seat in dropped for seat in range(seats)),
    )
    phase = SilentAuction("Camembert", price, auction, (*actions, "Emmental"), (None,) * seats)
    return table(phase, (("Feta", "Bleu"),) * seats, block=("Feta",), auctioneer=auctioneer)


def test_cca_23_emmental_ends_the_turn_and_the_actions() -> None:
    state = run(selling(("Feta",), ("Emmental", "Feta"), ("Feta",), ("Bleu",)), (0, Bid(2)))
    events, after = do(state, 1, PlayAction("Emmental"))
    assert events == (ActionPlayed(1, "Emmental"), SilenceFell())
    assert to_act(after) == (0, 1, 2, 3)
    assert offers(after, 0) == (offer(BidSecretly, amount=Range(2, 20)),)
    assert offers(after, 1) == (offer(BidSecretly, amount=Range(0, 20)),)
    for move in (PlayAction("Feta"), CashIn(("Feta",)), Bid(3), Drop()):
        refused(after, 1, move, "CCA-23")
    refused(after, 0, BidSecretly(1), "CCA-23")
    refused(after, 0, BidSecretly(21), "CCA-23")


def test_cca_23_others_see_only_that_a_seat_has_bid() -> None:
    state = silent((None, 2, None), dropped=(2,))
    assert to_act(state) == (0, 1)
    (event,), after = do(state, 0, BidSecretly(19))
    assert event == SecretBidMade(0, 19)
    assert show(event, 0) == event
    for viewer in (None, 1, 2):
        assert show(event, viewer) == SecretBidMade(0, None)
        assert view(after, viewer) == view(run(state, (0, BidSecretly(1))), viewer)
    assert view(after, 0).secret == 19
    assert to_act(after) == (1,)
    assert offers(after, 1) == offers(state, 1)
    refused(after, 0, BidSecretly(3), "CCA-23")  # it is final
    events, _ = do(after, 1, BidSecretly(2))
    assert SecretsRevealed((19, 2, None), (19, 2, None), 0) in events
    assert all(show(one, None) == one for one in events if isinstance(one, SecretsRevealed))


def test_cca_23_example_pecorino_pecorino_emmental() -> None:
    state = selling(("Pecorino", "Feta"), ("Pecorino", "Feta"), ("Emmental", "Feta"), ("Feta", "Bleu"))
    state = run(state, (0, PlayAction("Pecorino")), (0, Bid(4)), (1, PlayAction("Pecorino")), (1, Bid(5)))
    last = view(state, None).auction
    assert last
    assert (last.turn, last.last) == (2, (3, 0, 1))
    state = run(state, (2, PlayAction("Emmental")))
    assert to_act(state) == (0, 1, 2, 3)
    state = run(state, (3, BidSecretly(9)), (0, BidSecretly(4)), (2, BidSecretly(0)))
    events, after = do(state, 1, BidSecretly(5))
    assert events[1:3] == (SecretsRevealed((4, 5, 0, 9), (4, 5, 0, 9), 3), Sold(3, "Camembert", (0, 0, 0, 9), 0))
    assert isinstance(after.phase, LayingDown)


def test_cca_23_example_secret_bids_below_the_starting_price_are_none() -> None:
    state = run(silent((None, None), price=5, actions=("Feta", "Bleu")), (0, BidSecretly(4)))
    events, after = do(state, 1, BidSecretly(0))
    assert events == (SecretBidMade(1, 0), SecretsRevealed((4, 0), (None, None), None), Unsold("Camembert"))
    assert after.banks == (20, 20)
    assert after.bleus == (0, 0)
    assert after.discard == ("Camembert", "Feta", "Bleu", "Emmental")


def test_cca_23_example_a_tie_goes_to_the_seat_nearer_to_the_auctioneer() -> None:
    for auctioneer, winner in ((0, 1), (1, 1), (2, 2)):
        state = silent((4, 5, None), auctioneer=auctioneer)
        state = run(state, (2, BidSecretly(6)), (0, BidSecretly(4)))
        events, _ = do(state, 1, BidSecretly(6))
        assert isinstance(events[2], Sold)
        assert events[2].seat == winner


def test_cca_23_the_auctioneer_is_the_first_of_all_in_a_tie_of_nothing() -> None:
    state = run(silent((None, None, None), auctioneer=2), (0, BidSecretly(0)), (1, BidSecretly(0)))
    assert Sold(2, "Camembert", (0, 0, 0), 0) in do(state, 2, BidSecretly(0))[0]


def test_cca_23_under_feta_open_bids_of_seats_that_dropped_are_paid_too() -> None:
    state = run(silent((3, 5, None), actions=("Feta", "Roquefort"), dropped=(0,)), (1, BidSecretly(5)))
    events, _ = do(state, 2, BidSecretly(8))
    assert Sold(2, "Camembert", (3, 5, 13), 0) in events


def test_cca_23_a_silent_winner_may_come_short_too() -> None:
    state = run(silent((None, None), actions=("Roquefort",)), (0, BidSecretly(18)))
    events, after = do(state, 1, BidSecretly(0))
    assert events[-1] == CameShort(0, 23)
    assert to_act(after) == (0,)


def test_cca_24_the_winner_scores_each_bleu_at_once() -> None:
    state = selling(("Bleu", "Feta"), ("Bleu", "Feta"))
    state = run(state, (0, PlayAction("Bleu")), (0, Bid(0)), (1, PlayAction("Bleu")))
    events, after = do(state, 1, Drop())
    assert Sold(0, "Camembert", (0, 0), 2) in events
    assert scores(after) == (-6, 0)
    seen = view(after, None)
    assert (seen.bleus, seen.bleu_points, seen.scores) == ((2, 0), (-6, 0), (-6, 0))
    assert seen.sets == ((), ())


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
    assert offers(state, 0) == (offer(Keep, discard=Pick(SIX, 0, 2)),)
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
    assert one_offer(state, 0, "keep") == {"discard": Pick(hand, least, most)}
    refused(state, 0, Keep(("Feta",) * (most + 1)), "CCA-28")
    assert f"discard {least} to {most} cards" in str(refuse(state, 0, Keep(hand)))
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
        offer(StandIn, onto=One((0,))),
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
    assert one_offer(state, 0, "melt") == {"onto": One((0,))}
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
    """A random move of a seat that keeps its cards and bids little: so that hands grow and money lasts."""
    found = offers(state, seat)
    one = found[chance.weighted([LIKELY.get(one.move, 4) for one in found])]
    raw = fill(one, chance)
    for name, blank in one.fill.items():
        if isinstance(blank, Range) and name in ("amount", "price"):
            raw[name] = min(blank.most, blank.least + chance.below(4))
    return read_move(GAME, raw)


@cache
def thrifty_game(seats: int, number: int) -> tuple[tuple[tuple[Event, ...], State], ...]:
    """A game of thrifty seats: every entry's events and the state after it."""
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
    """States of a few such games, and what to say when something is wrong with one."""
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
    assert str(refuse(state, 1, Bid(3))) == "CCA-14: it is seat 0's turn"
    assert isinstance(offers(state, 0)[0], Offer)
