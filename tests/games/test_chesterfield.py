"""Chesterfield Charity Cheese Auction, rule by rule: the deal and the auctions."""

from __future__ import annotations

from collections import Counter

import pytest

from games.chance import Chance
from games.chesterfield import offers, setup
from games.chesterfield.deck import DECK, KINDS, Kind
from games.chesterfield.events import (
    ActionPlayed,
    AuctioneerFound,
    BlockDealt,
    CameShort,
    CashedIn,
    Dealt,
    Defaulted,
    Ended,
    Finished,
    LastRoundCalled,
    MergingBegan,
    Presented,
    SecretBidMade,
    SecretsRevealed,
    SilenceFell,
    Sold,
    Unsold,
    UpkeepBegan,
    UpkeepRevealed,
)
from games.chesterfield.moves import (
    BidSecretly,
    CashIn,
    Default,
    Finish,
    Keep,
    LayDown,
    PlayAction,
    Present,
)
from games.chesterfield.phases import (
    AuctioneerAuction,
    CheeseAuction,
    Choosing,
    LayingDown,
    Paying,
    Upkeep,
)
from games.chesterfield.table import Options, scores, to_act
from games.chesterfield.visibility import show, view
from games.kit import Bid, BidMade, Drop, Dropped, TurnCame, open_auction, replace
from games.offers import Choice, Range, Subset, offer
from tests.games.chesterfield_tables import FORBIDS as FORBIDS
from tests.games.chesterfield_tables import (
    SEATS,
    begin,
    do,
    electing,
    laying,
    moves_offered,
    one_offer,
    play_on,
    refused,
    run,
    selling,
    short,
    silent,
    table,
    upkeep,
)
from tests.games.chesterfield_tables import only_in_event as only_in_event
from tests.games.chesterfield_tables import pieces as pieces
from tests.games.chesterfield_tables import twin as twin


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
        offer(CashIn, cards=Subset(("Camembert", "Feta", "Feta"), 1, 3)),
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
    assert offers(state, 0) == (offer(Present, card=Choice(("Bleu", "Feta")), price=Range(0, 9)),)
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
    assert offers(state, 0) == (offer(Present, card=Choice(("Bleu",)), price=Range(0, 0)),)


def test_cca_14_a_turn_cashes_in_and_plays_actions_in_any_order_and_then_bids() -> None:
    state = selling(("Feta", "Bleu", "Feta", "Gruyere"), ("Feta",), price=5)
    assert to_act(state) == (0,)
    assert offers(state, 0) == (
        offer(PlayAction, card=Choice(("Feta", "Bleu"))),
        offer(CashIn, cards=Subset(("Feta", "Bleu", "Feta", "Gruyere"), 1, 4)),
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


def test_cca_19_example_the_winner_is_asked_and_defaults() -> None:
    events, state = short(("Cheddar",), ("Feta",), actions=("Feta", "Roquefort", "Bleu"))
    assert events == (Dropped(1), CameShort(0, 11))
    assert to_act(state) == (0,)
    assert offers(state, 0) == (offer(CashIn, cards=Subset(("Cheddar",), 1, 1)), offer(Default))
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
    refused(state, 0, CashIn(("Camembert",)), "CCA-19")  # the cheese that was won is not in the hand


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
