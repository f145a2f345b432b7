"""What masters remember is true: cards that a memory knows in a hand are in that hand, in whole games."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from bots.arena_table import ArenaTable, view_and_offers
from bots.memory import MEMORIES
from bots.offers import fill
from bots.players import OWN_BOTS
from games.core import judge, read_move

SEATS = 4
RANDOM = 0.3  # how often a seat makes a random move instead of a rookie's


@pytest.mark.parametrize("game", MEMORIES)
@pytest.mark.parametrize("seed", range(3))
def test_known_cards_are_in_the_hands(game: str, seed: int) -> None:
    chance = random.Random(seed)
    table = ArenaTable(game, SEATS, {}, "memory", f"memory/{seed}", 1000)
    memories = [MEMORIES[game]() for _ in range(SEATS)]
    known = 0
    while table.game.outcome(table.state) is None:
        seat = chance.choice(table.game.to_act(table.state))
        memory = memories[seat]
        for event in table.turn(seat).events:
            memory.see(event)
        for other in range(SEATS):
            remembered, held = Counter(memory.known[other]), Counter(table.state.hands[other])
            assert remembered <= held, f"seat {seat} of {other} at entry {table.n}"
            known += bool(remembered and other != seat)
        view, offers = view_and_offers(table.game, table.state, seat)
        if chance.random() < RANDOM:
            move = fill(chance.choice(offers), chance)
        else:
            move = OWN_BOTS[game].rookie(view, offers, chance)
        read = read_move(table.game, move)
        table.commit(seat, move, judge(table.game, table.state, seat, read, table.next_chance()))
    assert known > 10
