"""The house bots of Cheesonomics complete a swap that a person named before a bot stood in (bots/cheesonomics.py)."""

from __future__ import annotations

import json
import random

import msgspec
import pytest

from bots import cheesonomics_simulation as simulation
from bots.players import player
from bots.sdk import Choose
from games import GAMES
from games.chance import Chance
from games.cheesonomics import Options, offers, setup, view
from games.cheesonomics.phases import Exchanging
from games.core import fold, judge, read_move
from games.kit import replace

GAME = GAMES["cheesonomics"]


@pytest.mark.parametrize("choose", [player("cheesonomics", "rookie"), player("cheesonomics", "master")])
def test_eco_25_a_stand_in_gives_its_worst_market_wedge_for_the_best_one(choose: Choose) -> None:
    state = fold(GAME, setup(2, Options("sharp"), Chance(b"swap", 0)))
    state = replace(
        state,
        turn=0,
        phase=Exchanging(1),
        wheels=(("cow-red", "cow-red*"), ("yak-blue", "yak-blue*")),
        supplies=(("green/blue", "red/green"), ("red+/orange", "yellow/blue")),
    )
    seen, asked = json.loads(msgspec.json.encode((view(state, 0), offers(state, 0))))
    seen["hand"] = []  # only what lies in the wheels counts
    move = choose(seen, asked, random.Random(1))
    assert move == {"type": "exchange", "give": "green/blue", "take": "red+/orange"}
    judge(GAME, state, 0, read_move(GAME, move), Chance(b"swap", 1))


@pytest.mark.parametrize("sharp", [False, True])
def test_eco_22_a_sharp_sale_mostly_raises_the_price_of_what_the_seller_still_has(sharp: bool) -> None:
    red, yellow = 0, 2
    rises = [0] * 5
    for seed in range(200):
        wheels = [[red, red, yellow, yellow, yellow], [], []]
        table = simulation.Simulation(
            [[], [], []], wheels, [0] * 3, [[0] * 5 for _ in range(3)], [], [3] * 5, 0, 0, 0, sharp
        )
        table.sell(0, [red, red], random.Random(seed))
        assert sum(table.prices) == 15
        assert table.prices[red] <= 3
        for colour, price in enumerate(table.prices):
            rises[colour] += price > 3
    assert (rises[yellow] > 100) == sharp, "seeds 0 to 199"
