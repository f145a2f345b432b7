"""Cheesedog, rule by rule. In most tests it is seat 0's turn and play is clockwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from games import cheesedog
from games.chance import Chance
from games.cheesedog.values import (
    MOST_TURNS,
    RANK,
    Cards,
    Cleared,
    Dealt,
    Demanded,
    Ended,
    Escaped,
    Event,
    Move,
    Options,
    PickedUp,
    PickUp,
    Play,
    Played,
    Reversed,
    Skipped,
    State,
    TookUp,
    TurnCame,
    TurnedOver,
    TurnOver,
)
from games.core import Seat, collect, fold, judge, read_move
from games.kit import replace
from games.offers import fillings
from games.refusals import IllegalMove

GAME = collect(cheesedog)

CHANCE = Chance(b"no chance after the deal", 1)


def pieces(state: State) -> Counter[str]:
    """Count every card, wherever it is."""
    rows = (*state.hands, *state.ups, *state.downs, state.pile, state.discard)
    return Counter(card for row in rows for card in row if card)


def twin(state: State, viewer: Seat | None, chance: Chance) -> State:
    """Return the table with the cards exchanged that the viewer cannot see: all that are face down, and every hand
    but its own."""
    seats = range(len(state.hands))
    hidden = [card for seat in seats if seat != viewer for card in state.hands[seat]]
    hidden += [card for row in state.downs for card in row if card]
    mixed = iter(chance.shuffled(hidden))
    hands = tuple(hand if seat == viewer else tuple(next(mixed) for _ in hand) for seat, hand in enumerate(state.hands))
    downs = tuple(tuple(next(mixed) if card else None for card in row) for row in state.downs)
    return replace(state, hands=hands, downs=downs)


def only_in_event(event: Event, viewer: Seat | None) -> Cards:
    """Return cards that everybody sees in an event, although they are in a hand again at the end of the entry."""
    if isinstance(event, Played | PickedUp):
        return event.cards
    return (event.card,) if isinstance(event, TurnedOver) else ()


def cards(ranks: str) -> Cards:
    """ "7 7 K" is two sevens and a king, all clubs; "7h" says which suit."""
    return tuple(word if len(word) == 2 else word + "c" for word in ranks.split())


def table(*hands: str, pile: str = "", ups: dict[Seat, str] | None = None, **more: Any) -> State:
    """A table with these hands. `downs` has the face-down cards of the seats that have any left."""
    downs: dict[Seat, str] = more.pop("downs", {})
    seats = range(len(hands))
    return State(
        dealer=more.pop("dealer", len(hands) - 1),
        hands=tuple(cards(hand) for hand in hands),
        ups=tuple(cards((ups or {}).get(seat, "")) for seat in seats),
        downs=tuple((*cards(downs.get(seat, "")), None, None, None, None)[:4] for seat in seats),
        turn=more.pop("turn", 0),
        pile=cards(pile),
        **more,
    )


def happens(state: State, move: Move) -> tuple[Event, ...]:
    """Return the events of a move of the seat whose turn it is."""
    return judge(GAME, state, state.turn, move, CHANCE)


def after(state: State, *moves: Move) -> State:
    """Return the table after these moves, each by the seat whose turn it is."""
    for move in moves:
        state = fold(GAME, happens(state, move), state)
    return state


def options(state: State) -> list[Move]:
    """Return every legal move of the seat whose turn it is."""
    return [read_move(GAME, raw) for one in GAME.offers(state, state.turn) for raw in fillings(one)]


def ranks(state: State) -> set[int]:
    """Return the ranks that the seat whose turn it is may play."""
    return {move.rank for move in options(state) if isinstance(move, Play)}


def _may_go_on_the_pile(state: State, rank: int) -> bool:
    if not state.pile or rank == 2:
        return True
    return rank <= 8 if state.low else rank >= RANK[state.pile[-1]]


def _forbidden_by_dog_4(state: State, seat: Seat, move: Move) -> bool:
    if not isinstance(move, Play) or seat != state.turn or not state.hands[seat]:
        return False
    held = [card for card in state.hands[seat] if RANK[card] == move.rank]
    too_low = not state.low and not _may_go_on_the_pile(state, move.rank)
    return not 1 <= move.count <= len(held) or too_low


def _forbidden_by_dog_15(state: State, seat: Seat, move: Move) -> bool:
    if seat != state.turn:
        return False
    if state.hands[seat]:
        return isinstance(move, TurnOver)
    return not isinstance(move, TurnOver) or not 0 <= move.place < 4 or state.downs[seat][move.place] is None


FORBIDS: dict[str, Callable[[State, Seat, Move], bool]] = {
    "DOG-3": lambda state, seat, move: state.result is None and seat != state.turn,
    "DOG-4": _forbidden_by_dog_4,
    "DOG-5": lambda state, seat, move: (
        isinstance(move, PickUp)
        and seat == state.turn
        and any(_may_go_on_the_pile(state, RANK[card]) for card in state.hands[seat])
    ),
    "DOG-8": lambda state, seat, move: (
        isinstance(move, Play) and seat == state.turn and state.low and not _may_go_on_the_pile(state, move.rank)
    ),
    "DOG-15": _forbidden_by_dog_15,
    "DOG-17": lambda state, seat, move: state.result is not None and state.result.rule == "DOG-17",
    "DOG-18": lambda state, seat, move: state.result is not None and state.result.rule == "DOG-18",
}


def refused(state: State, move: Move, seat: Seat | None = None) -> str:
    """Return the rule by which the move is refused, after checking that it forbids the move."""
    seat = state.turn if seat is None else seat
    with pytest.raises(IllegalMove) as refusal:
        judge(GAME, state, seat, move, CHANCE)
    assert FORBIDS[refusal.value.rule](state, seat, move), refusal.value
    return refusal.value.rule


def dealt(seats: int, seed: int = 0) -> Dealt:
    (event,) = GAME.setup(seats, Options(), Chance(b"deal", seed))
    assert isinstance(event, Dealt)
    return event


def kinds(events: tuple[Event, ...]) -> list[type]:
    return [type(event) for event in events]


EVERY_RANK = "2 3 4 5 6 7 8 9 T J Q K A"


def test_dog_1_two_packs_make_the_deck() -> None:
    pack = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    for seats in GAME.seats:
        state = fold(GAME, GAME.setup(seats, Options(), Chance(b"deal", seats)))
        assert pieces(state) == Counter(pack * 2)


def test_dog_1_suits_do_not_matter() -> None:
    assert ranks(table("3d 9h Ks", "4", "4", pile="8s 9d")) == {9, 13}
    assert Cleared(0, "DOG-11") in happens(table("6s 2", "4", "4", pile="6c 6d 6h"), Play(6, 1))


def test_dog_2_four_face_down_four_face_up_and_the_rest_is_dealt_from_the_dealers_left() -> None:
    for seats in GAME.seats:
        deal = dealt(seats, seed=seats)
        assert {len(row) for row in deal.ups} == {len(row) for row in deal.downs} == {4}
        rest = 104 - 8 * seats
        from_left = [len(deal.hands[(deal.dealer + 1 + step) % seats]) for step in range(seats)]
        assert from_left == [rest // seats + (step < rest % seats) for step in range(seats)]


def test_dog_2_nobody_is_shown_face_down_cards_and_only_the_owner_its_hand() -> None:
    deal = dealt(5)
    state = fold(GAME, (deal,))
    for viewer in (None, *range(5)):
        shown = GAME.show(deal, viewer)
        assert isinstance(shown, Dealt)
        assert shown.ups == deal.ups
        assert shown.downs == ((None,) * 4,) * 5
        for owner in range(5):
            expected = deal.hands[owner] if owner == viewer else (None,) * len(deal.hands[owner])
            assert shown.hands[owner] == expected
        view = GAME.view(state, viewer)
        assert view.hand == (None if viewer is None else deal.hands[viewer])
        assert view.downs == ((True,) * 4,) * 5


def test_dog_3_the_dealer_is_drawn_by_lot_and_its_left_neighbour_starts_clockwise() -> None:
    dealers = Counter(dealt(4, seed).dealer for seed in range(400))
    assert all(70 < dealers[seat] < 130 for seat in range(4))
    for seed in range(8):
        state = fold(GAME, (dealt(4, seed),))
        assert GAME.to_act(state) == ((state.dealer + 1) % 4,)
        move = Play(RANK[next(card for card in state.hands[state.turn] if card[0] in "23456")], 1)
        assert after(state, move).turn == (state.dealer + 2) % 4


def test_dog_3_hand_sizes_pile_and_discard_are_public() -> None:
    view = GAME.view(table("3 4", "5", "6 7 8", pile="2 9", discard=cards("T T")), None)
    assert view.hands == (2, 1, 3)
    assert view.pile == cards("2 9")
    assert view.discard == cards("T T")


def test_dog_3_a_seat_waits_for_its_turn() -> None:
    assert refused(table("3", "4", "5"), Play(4, 1), seat=1) == "DOG-3"


def test_dog_4_one_or_more_cards_of_a_rank_that_is_equal_or_higher() -> None:
    state = table("5 6 6 7 A", "4", "4", pile="6")
    assert options(state) == [Play(6, 1), Play(6, 2), Play(7, 1), Play(14, 1)]
    assert refused(state, Play(5, 1)) == "DOG-4"
    assert refused(state, Play(6, 3)) == "DOG-4"
    assert refused(state, Play(6, 0)) == "DOG-4"
    assert refused(state, Play(12, 1)) == "DOG-4"


def test_dog_4_anything_goes_on_an_empty_pile_and_aces_are_high() -> None:
    assert ranks(table(EVERY_RANK, "4", "4")) == set(range(2, 15))
    assert ranks(table("3 K A", "4", "4", pile="A")) == {14}
    assert ranks(table("3 K A", "4", "4", pile="K")) == {13, 14}


def test_dog_4_the_cards_held_longest_leave_first() -> None:
    state = table("9d 5h 9c 5d 5s", "4", "4")
    assert happens(state, Play(5, 2))[0] == Played(0, ("5h", "5d"))
    assert after(state, Play(5, 2)).hands[0] == ("9d", "9c", "5s")
    state = after(table("5s 3", "4", "4 K", pile="5h 9"), PickUp(), Play(4, 1))
    assert state.hands[0] == ("5s", "3c", "5h", "9c")


def test_dog_4_a_seven_does_not_go_on_a_nine_or_higher_but_on_an_eight() -> None:
    for top in "9TJQKA":
        assert refused(table("7 A", "4", "4", pile=top), Play(7, 1)) == "DOG-4"
    assert ranks(after(table("8 3", "7 A", "4"), Play(8, 1))) == {7}


def test_dog_5_a_seat_without_a_legal_play_picks_up_and_the_next_starts_a_new_pile() -> None:
    state = table("3 4", "5 6", "7", pile="9 K")
    assert options(state) == [PickUp()]
    assert happens(state, PickUp()) == (PickedUp(0, cards("9 K")), TurnCame(1))
    state = after(state, PickUp())
    assert state.hands[0] == cards("3 4 9 K")
    assert state.pile == ()
    assert ranks(state) == {5, 6}


def test_dog_5_picking_up_is_refused_with_a_legal_play() -> None:
    assert refused(table("3 T", "4", "4", pile="9"), PickUp()) == "DOG-5"
    assert refused(table("3 T", "4", "4"), PickUp()) == "DOG-5"


def test_dog_5_with_an_ace_on_top_and_a_two_in_hand_picking_up_is_refused() -> None:
    state = table("2 3", "4", "4", pile="A")
    assert ranks(state) == {2}
    assert refused(state, PickUp()) == "DOG-5"


def test_dog_6_a_two_goes_on_anything_and_anything_goes_on_a_two() -> None:
    for top in EVERY_RANK.split():
        assert 2 in ranks(table("2 3", "4", "4", pile=top))
    state = after(table("2 5", EVERY_RANK, "4", pile="A"), Play(2, 1))
    assert ranks(state) == set(range(2, 15))


def test_dog_6_a_two_answers_an_eight() -> None:
    assert ranks(after(table("8 3", "2 K", EVERY_RANK), Play(8, 1))) == {2}
    assert ranks(after(table("8 3", "2 K", EVERY_RANK), Play(8, 1), Play(2, 1))) == set(range(2, 15))


def test_dog_7_each_seven_skips_a_seat() -> None:
    state = table("7 7 7 3", "4", "4", "4", "4")
    assert happens(state, Play(7, 1))[1:] == (Skipped(1), TurnCame(2))
    assert happens(state, Play(7, 3))[1:] == (Skipped(1), Skipped(2), Skipped(3), TurnCame(4))
    assert after(replace(state, direction=-1), Play(7, 2)).turn == 2


def test_dog_7_skips_count_only_the_seats_still_in() -> None:
    state = table("7 7 3", "", "4", "", "5", escaped=(1, 3))
    assert happens(state, Play(7, 1))[1:] == (Skipped(2), TurnCame(4))


def test_dog_7_with_two_seats_left_a_seven_gives_the_same_seat_another_turn() -> None:
    state = table("7 3", "", "4", escaped=(1,))
    assert after(state, Play(7, 1)).turn == 0


def test_dog_7_with_three_seats_two_sevens_come_back_and_three_go_on() -> None:
    state = table("7 7 7 3", "4", "5")
    assert after(state, Play(7, 2)).turn == 0
    assert happens(state, Play(7, 3))[1:] == (Skipped(1), Skipped(2), Skipped(0), TurnCame(1))


def test_dog_8_after_an_eight_play_eight_or_lower() -> None:
    state = after(table("8 3", EVERY_RANK, "4"), Play(8, 1))
    assert ranks(state) == {2, 3, 4, 5, 6, 7, 8}
    for rank in range(9, 15):
        assert refused(state, Play(rank, 1)) == "DOG-8"


def test_dog_8_once_it_is_answered_the_new_top_counts() -> None:
    state = after(table("8 3", "5 4", EVERY_RANK), Play(8, 1), Play(5, 1))
    assert ranks(state) == {2, *range(5, 15)}


def test_dog_8_an_eight_on_an_eight_demands_again() -> None:
    state = after(table("8 3", "8 4", EVERY_RANK), Play(8, 1), Play(8, 1))
    assert ranks(state) == {2, 3, 4, 5, 6, 7, 8}


def test_dog_8_the_demand_goes_with_the_pile_that_is_picked_up() -> None:
    state = after(table("8 3", "K 9", EVERY_RANK), Play(8, 1))
    assert options(state) == [PickUp()]
    state = after(state, PickUp())
    assert state.hands[1] == cards("K 9 8")
    assert not state.low
    assert ranks(state) == set(range(2, 15))


def test_dog_9_each_nine_turns_the_direction_round() -> None:
    state = table("9 9 9 3", "4", "4", "4")
    assert happens(state, Play(9, 1)) == (Played(0, cards("9")), Reversed(), TurnCame(3))
    assert happens(state, Play(9, 3))[1:] == (Reversed(), Reversed(), Reversed(), TurnCame(3))
    assert after(replace(state, direction=-1), Play(9, 1)).turn == 1


def test_dog_9_two_nines_keep_the_direction() -> None:
    state = after(table("9 9 3", "4", "4", "4"), Play(9, 2))
    assert (state.turn, state.direction) == (1, 1)


def test_dog_10_a_ten_clears_the_pile() -> None:
    state = table("T 3", "4", "4", pile="5 9", discard=cards("2"))
    assert happens(state, Play(10, 1)) == (Played(0, cards("T")), Cleared(0, "DOG-10"), TurnCame(0))
    state = after(state, Play(10, 1))
    assert state.pile == ()
    assert state.discard == cards("2 5 9 T")
    assert Cleared(0, "DOG-10") in happens(table("T 3", "4", "4"), Play(10, 1))


def test_dog_10_a_ten_is_refused_on_a_jack_or_higher_and_under_an_eight() -> None:
    for top in "JQKA":
        assert refused(table("T A", "4", "4", pile=top), Play(10, 1)) == "DOG-4"
    assert refused(after(table("8 3", "T 3", "4"), Play(8, 1)), Play(10, 1)) == "DOG-8"


def test_dog_11_four_of_a_rank_in_a_row_clear_whoever_played_them() -> None:
    state = after(table("6 6 3", "6 4", "6 5", pile="4"), Play(6, 2), Play(6, 1))
    assert happens(state, Play(6, 1)) == (Played(2, cards("6")), Cleared(2, "DOG-11"), TurnCame(2))
    state = after(state, Play(6, 1))
    assert state.discard == cards("4 6 6 6 6")
    assert ranks(state) == {5}


def test_dog_11_more_than_four_at_once_clear() -> None:
    assert Cleared(0, "DOG-11") in happens(table("K K K K K 3", "4", "4", pile="Q"), Play(13, 5))
    assert Cleared(0, "DOG-11") in happens(table("K K K K 3", "4", "4", pile="K K"), Play(13, 4))
    assert Cleared(0, "DOG-11") not in happens(table("K K K 3", "4", "4", pile="Q"), Play(13, 3))


def test_dog_11_a_row_that_something_else_breaks_does_not_clear() -> None:
    assert kinds(happens(table("6 3", "4", "4", pile="6 6 2 6"), Play(6, 1))) == [Played, TurnCame]


def test_dog_12_whoever_clears_starts_the_new_pile() -> None:
    state = after(table("T 3 A", "4", "4", pile="9"), Play(10, 1))
    assert state.turn == 0
    assert ranks(state) == {3, 14}


def test_dog_12_whoever_clears_with_its_last_card_leaves_the_start_to_the_next_seat() -> None:
    state = table("T", "4", "4", pile="9")
    assert happens(state, Play(10, 1))[2:] == (Escaped(0), TurnCame(1))
    assert after(replace(state, direction=-1), Play(10, 1)).turn == 2
    assert ranks(after(state, Play(10, 1))) == {4}


def test_dog_13_a_play_that_clears_has_no_other_effect() -> None:
    assert kinds(happens(table("7 3", "4", "4", pile="7 7 7"), Play(7, 1))) == [Played, Cleared, TurnCame]
    assert kinds(happens(table("9 3", "4", "4", pile="9 9 9"), Play(9, 1))) == [Played, Cleared, TurnCame]
    state = after(table("8 3 K", "4", "4", pile="8 8 8", low=True), Play(8, 1))
    assert not state.low
    assert ranks(state) == {3, 13}


def test_dog_13_effects_of_earlier_plays_stand() -> None:
    state = table("9 9 9 3", "4", "4", pile="9", direction=-1)
    assert happens(state, Play(9, 3))[1:] == (Cleared(0, "DOG-11"), TurnCame(0))
    assert after(state, Play(9, 3)).direction == -1


def test_dog_14_a_seat_with_an_empty_hand_takes_up_its_face_up_cards_at_once() -> None:
    state = table("5", "4", "4", ups={0: "5 Q K A"})
    assert happens(state, Play(5, 1)) == (Played(0, cards("5")), TookUp(0, cards("5 Q K A")), TurnCame(1))
    state = after(state, Play(5, 1))
    assert state.hands[0] == cards("5 Q K A")
    assert state.ups[0] == ()


def test_dog_14_it_takes_them_up_before_it_starts_a_new_pile() -> None:
    state = after(table("T", "4", "4", ups={0: "5 Q K A"}), Play(10, 1))
    assert state.turn == 0
    assert ranks(state) == {5, 12, 13, 14}


def test_dog_14_hand_and_face_ups_never_combine() -> None:
    state = table("5", "4", "4", ups={0: "5 Q K A"})
    assert options(state) == [Play(5, 1)]
    assert refused(state, Play(5, 2)) == "DOG-4"


def test_dog_14_what_was_taken_up_is_the_owners_secret() -> None:
    state = after(table("5", "4", "4", ups={0: "5 Q K A"}), Play(5, 1))
    assert GAME.view(state, 0).hand == cards("5 Q K A")
    for viewer in (None, 1, 2):
        view = GAME.view(state, viewer)
        assert view.hands[0] == 4
        assert view.ups[0] == ()
        assert view.hand != cards("5 Q K A")


def test_dog_15_a_face_down_card_is_turned_over_and_played() -> None:
    state = table("", "4 4", "4 4", pile="9", downs={0: "T 9 3"})
    assert options(state) == [TurnOver(0), TurnOver(1), TurnOver(2)]
    events = happens(state, TurnOver(1))
    assert events == (TurnedOver(0, 1, "9c"), Reversed(), TurnCame(2))
    assert all(GAME.show(events[0], viewer) == events[0] for viewer in (None, 0, 1, 2))
    assert after(state, TurnOver(1)).downs[0] == ("Tc", None, "3c", None)


def test_dog_15_after_a_clear_the_same_seat_turns_over_another() -> None:
    state = after(table("", "4", "4", pile="9", downs={0: "T 9 3"}), TurnOver(0))
    assert state.turn == 0
    assert options(state) == [TurnOver(1), TurnOver(2)]


def test_dog_15_a_card_that_may_not_be_played_comes_up_with_the_pile() -> None:
    state = table("", "4", "4 5", pile="9", downs={0: "T 9 3"})
    assert happens(state, TurnOver(2)) == (TurnedOver(0, 2, "3c"), PickedUp(0, cards("9 3")), TurnCame(1))
    state = after(state, TurnOver(2))
    assert state.hands[0] == cards("9 3")
    assert ranks(state) == {4}


def test_dog_15_a_hand_is_played_out_before_another_card_is_turned_over() -> None:
    state = table("3", "4", "4", downs={0: "T 9"})
    assert refused(state, TurnOver(0)) == "DOG-15"
    assert options(state) == [Play(3, 1)]


def test_dog_15_a_face_down_eight_demands_and_one_under_an_eight_obeys() -> None:
    assert Demanded() in happens(table("", "4", "4", downs={0: "8 9"}), TurnOver(0))
    state = table("", "4", "4", pile="8", low=True, downs={0: "7 9 3"})
    assert kinds(happens(state, TurnOver(0))) == [TurnedOver, Skipped, TurnCame]
    assert kinds(happens(state, TurnOver(1))) == [TurnedOver, PickedUp, TurnCame]


def test_dog_15_with_an_empty_hand_nothing_else_can_be_done() -> None:
    state = table("", "4", "4", pile="9", downs={0: "T 9 3"})
    assert refused(state, PickUp()) == "DOG-15"
    assert refused(state, Play(9, 1)) == "DOG-15"
    assert refused(state, TurnOver(3)) == "DOG-15"
    assert refused(state, TurnOver(-1)) == "DOG-15"


def test_dog_15_the_last_face_down_card_turns_over_by_itself() -> None:
    state = table("5 3", "", "4", downs={1: "6"})
    events = happens(state, Play(5, 1))
    turned = TurnedOver(1, 0, "6c", by_itself=True)
    assert events == (Played(0, cards("5")), TurnCame(1), turned, Escaped(1), TurnCame(2))
    events = happens(table("7 3", "4", "", downs={2: "6"}), Play(7, 1))
    assert events[-3:] == (TurnedOver(2, 0, "6c", by_itself=True), PickedUp(2, cards("7 6")), TurnCame(0))


def test_dog_15_a_face_down_queen_clears_three_queens_and_the_last_card_turns_over_by_itself() -> None:
    state = table("", "4 4", "4 4", pile="Q Q Q", downs={0: "Q 5"})
    assert happens(state, TurnOver(0)) == (
        TurnedOver(0, 0, "Qc", by_itself=False),
        Cleared(0, "DOG-11"),
        TurnCame(0),
        TurnedOver(0, 1, "5c", by_itself=True),
        Escaped(0),
        TurnCame(1),
    )


def test_dog_16_a_seat_without_cards_has_escaped_and_has_no_more_turns() -> None:
    state = after(table("5", "6 6", "7 7", ups={}), Play(5, 1))
    assert state.escaped == (0,)
    assert after(state, Play(6, 1), Play(7, 2)).turn == 2
    assert refused(state, Play(5, 1), seat=0) == "DOG-3"


def test_dog_16_who_escapes_with_a_nine_turns_the_others_round() -> None:
    assert after(table("9", "4", "4", "4"), Play(9, 1)).turn == 3


def test_dog_16_who_escapes_with_a_seven_skips_the_next() -> None:
    assert happens(table("7 7", "4", "4", "4"), Play(7, 2))[1:] == (Escaped(0), Skipped(1), Skipped(2), TurnCame(3))


def test_dog_16_who_escapes_with_an_eight_demands_of_the_next_and_the_one_after_is_free() -> None:
    state = after(table("8", "K K Q", EVERY_RANK), Play(8, 1))
    assert options(state) == [PickUp()]
    state = after(state, PickUp())
    assert state.turn == 2
    assert ranks(state) == set(range(2, 15))


def test_dog_17_the_turn_that_ends_the_game_is_not_counted() -> None:
    state = table("5", "", "6 6", escaped=(1,), turns=20)
    assert after(state, Play(5, 1)).turns == 20
    still_on = table("5 5", "", "6 6", escaped=(1,), turns=20)
    assert after(still_on, Play(5, 1)).turns == 21


def test_dog_17_the_last_seat_with_cards_is_the_cheesedog() -> None:
    state = table("5", "", "6 6", "", escaped=(3, 1))
    events = happens(state, Play(5, 1))
    assert kinds(events) == [Played, Escaped, Ended]
    state = after(state, Play(5, 1))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.places == (3, 2, 4, 1)
    assert outcome.rule == "DOG-17"
    assert GAME.to_act(state) == ()
    assert refused(state, Play(6, 1), seat=2) == "DOG-17"


def test_dog_18_the_game_ends_after_so_many_turns() -> None:
    state = table("5 5 9", "6 6", "", "3 4", turns=MOST_TURNS - 1, escaped=(2,), dealer=1, downs={1: "A A"})
    assert MOST_TURNS == 1500
    after_one = after(state, Play(5, 1))
    outcome = GAME.outcome(after_one)
    assert outcome is not None
    assert outcome.rule == "DOG-18"
    assert outcome.places == (3, 4, 1, 2)  # 3 and 0 have two cards each, and 3 sits nearer to the dealer's left
    assert GAME.outcome(after(replace(state, turns=MOST_TURNS - 2), Play(5, 1))) is None


def test_dog_18_every_kind_of_turn_counts_and_face_ups_count_as_cards() -> None:
    picked = table("3", "4", "4", pile="9", turns=MOST_TURNS - 1, ups={1: "2 2"}, dealer=0)
    outcome = GAME.outcome(after(picked, PickUp()))
    assert outcome is not None
    assert outcome.places == (2, 3, 1)
    turned = table("", "4", "4 4", turns=MOST_TURNS - 1, downs={0: "5 6 6"})
    outcome = GAME.outcome(after(turned, TurnOver(0)))
    assert outcome is not None
    assert outcome.places == (2, 1, 3)


def test_dog_18_a_card_that_turns_over_by_itself_is_a_turn_too() -> None:
    state = table("5 5", "", "4 4", downs={1: "6"}, turns=MOST_TURNS - 1)
    assert kinds(happens(state, Play(5, 1))) == [Played, TurnCame, Ended]
    state = replace(state, turns=MOST_TURNS - 2)
    assert kinds(happens(state, Play(5, 1))) == [Played, TurnCame, TurnedOver, Escaped, TurnCame, Ended]


def test_dog_18_the_last_escape_comes_first() -> None:
    outcome = GAME.outcome(after(table("5", "", "4", escaped=(1,), turns=MOST_TURNS - 1), Play(5, 1)))
    assert outcome is not None
    assert outcome.rule == "DOG-17"


def test_a_seat_that_is_absent_plays_its_lowest_card_or_what_else_there_is() -> None:
    assert GAME.absent(table("9 5 5", "4", "4"), 0) == Play(5, 1)
    assert GAME.absent(table("3", "4", "4", pile="9"), 0) == PickUp()
    assert GAME.absent(table("", "4", "4", downs={0: "5 6"}), 0) == TurnOver(0)


def test_dog_15_an_event_from_before_by_itself_was_recorded_is_still_read() -> None:
    old = {"type": "turned_over", "seat": 1, "place": 0, "card": "6c"}
    assert msgspec.convert(old, GAME.events) == TurnedOver(1, 0, "6c", by_itself=False)
