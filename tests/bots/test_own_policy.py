"""What the searching seat does in the simulated rest of a game: it knows better than to play like a rookie."""

from __future__ import annotations

import random

from bots import cheesonomics_simulation, chesterfield_simulation
from bots.chesterfield_model import Imagined
from bots.chesterfield_simulation import NUMBER
from games.chesterfield.deck import BLOCK, HAND, KINDS, TRADE, UPKEEP

SEATS = 4
COW_RED, COW_BLUE, YAK_BLUE = 0, 4, 19  # wedges: animal * 5 + colour


def imagined(cards: dict[str, int], blocks: int, unseen: dict[str, int]) -> Imagined:
    """Seat 0 holds these cards, one card is on sale, and so many blocks are to come."""
    hands = [[0] * len(KINDS) for _ in range(SEATS)]
    for card, count in cards.items():
        hands[0][NUMBER[card]] = count
    empty = [[False] * len(KINDS) for _ in range(SEATS)]
    table = chesterfield_simulation.Simulation(
        hands, [0] * SEATS, [0] * SEATS, empty, [[] for _ in range(SEATS)], [0] * SEATS
    )
    deck = [NUMBER["Gruyere"]] * (BLOCK * blocks)
    return Imagined(table, [NUMBER["Gruyere"]], deck, 0, None, [unseen.get(card, 0) for card in KINDS])


def test_single_cards_without_hope_are_cashed_in_at_the_end_of_a_block() -> None:
    held = {"Camembert": 1, "Feta": 1}
    state = imagined(held, blocks=2, unseen={"Camembert": 3, "Gruyere": 9})
    state.advance(0.0, random.Random(1))
    hand = state.table.hands[0]
    assert {card: hand[NUMBER[card]] for card in held} == held | {"Feta": 0}
    assert state.table.banks[0] == TRADE["Feta"] + UPKEEP * (HAND - sum(hand))


def test_before_the_last_upkeep_nothing_is_cashed_in() -> None:
    state = imagined({"Feta": 1}, blocks=0, unseen={"Gruyere": 1})
    state.advance(0.0, random.Random(1))
    assert state.table.hands[0][NUMBER["Feta"]] == 1


def selling(pile: int) -> cheesonomics_simulation.Simulation:
    """Seat 0 could sell three wedges for nine curds."""
    return cheesonomics_simulation.Simulation(
        [[COW_RED] * 5 for _ in range(SEATS)],
        [[COW_BLUE, YAK_BLUE, YAK_BLUE], [], [], []],
        [0] * SEATS,
        [[0] * 5 for _ in range(SEATS)],
        [COW_RED] * pile,
        [0, 0, 0, 0, 3],
        0,
        0,
        0,
        False,
    )


def test_the_searching_seat_waits_for_a_dear_sale_until_few_turns_are_left() -> None:
    for pile, curds in ((40, 0), (5, 9)):
        table = selling(pile)
        table.turn(random.Random(1))
        assert table.curds[0] == curds, pile


def test_the_others_sell_at_once() -> None:
    table = selling(40)
    table.me = 1
    table.turn(random.Random(1))
    assert table.curds[0] == 9
