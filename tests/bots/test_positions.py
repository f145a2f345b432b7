"""No silly moves: in these positions a best or a bad move is known. Masters see it always, rookies if it is simple."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from bots.arena_table import view_and_offers
from bots.budget import Budget
from bots.players import OWN_BOTS, player
from games import GAMES
from tests.bots.positions import cheesedog, cheesonomics, chesterfield, do_my_bidding
from tests.bots.positions.position import Position

POSITIONS = [
    *chesterfield.positions(),
    *do_my_bidding.positions(),
    *cheesedog.positions(),
    *cheesonomics.positions(),
]
ENOUGH = 20  # positions of each game
SEEDS = range(3)  # of a master
ROOKIES = range(40)  # seeds of a rookie, which does some things now and then only
BUDGET = Budget(40)


def named(position: Position) -> str:
    return f"{position.game}: {position.name}"


def test_there_are_enough_positions_of_every_game_with_a_bot_of_its_own() -> None:
    count = Counter(position.game for position in POSITIONS)
    assert set(count) == set(OWN_BOTS)
    assert min(count.values()) >= ENOUGH
    assert len({named(position) for position in POSITIONS}) == len(POSITIONS)


@pytest.mark.parametrize("position", POSITIONS, ids=named)
def test_masters_make_no_silly_move(position: Position) -> None:
    view, offers = view_and_offers(GAMES[position.game], position.state, 0)
    choose = player(position.game, "master", BUDGET)
    for seed in SEEDS:
        move = choose(view, offers, random.Random(seed))
        assert isinstance(move, dict)
        assert not position.is_silly(move), move


@pytest.mark.parametrize("position", [one for one in POSITIONS if one.beginner], ids=named)
def test_rookies_make_no_move_that_a_beginner_would_not(position: Position) -> None:
    view, offers = view_and_offers(GAMES[position.game], position.state, 0)
    choose = player(position.game, "rookie")
    for seed in ROOKIES:
        move = choose(view, offers, random.Random(seed))
        assert isinstance(move, dict)
        assert not position.is_silly(move), move
