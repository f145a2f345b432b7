"""The house bots of Cheesonomics complete a swap that a person named before a bot stood in (bots/cheesonomics.py)."""

from __future__ import annotations

import json
import random

import msgspec
import pytest

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
