"""House rookies show the game: they use every kind of move that they are ever offered."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from bots.arena_table import view_and_offers
from bots.players import OWN_BOTS
from games import GAMES
from games.chance import Chance
from games.core import fold, judge, read_move

SEED = "rookies"
USELESS = {"decline"}  # in a last sale of Cheesonomics nobody is better off without selling
ALL_GAMES = 40  # in which the rookies together use every kind of move


def play_one(name: str, options: dict[str, Any], number: int, offered: Counter[str], used: Counter[str]) -> None:
    """Play a game of four rookies to its end; count the kinds of moves that they are offered and use."""
    game, seed = GAMES[name], f"{SEED}/{name}/{number}".encode()
    state = fold(game, game.setup(4, game.options(**options), Chance(seed, 0)))
    own = random.Random(f"{SEED}/{name}/{number}")
    for entry in range(1, 5000):
        if game.outcome(state) is not None:
            return
        seat = own.choice(game.to_act(state))
        view, offers = view_and_offers(game, state, seat)
        move = OWN_BOTS[name].rookie(view, offers, own)
        offered.update({offer["move"] for offer in offers})
        used[move["type"]] += 1
        state = fold(game, judge(game, state, seat, read_move(game, move), Chance(seed, entry)), state)
    raise AssertionError(f"game {number} of {name} did not end")


@pytest.mark.parametrize(
    ("game", "options"),
    [(game, {}) for game in OWN_BOTS] + [("cheesonomics", {"variant": "sharp"})],
    ids=lambda value: value if isinstance(value, str) else "-".join(map(str, value.values())) or "default",
)
def test_rookies_use_every_kind_of_move(game: str, options: dict[str, Any]) -> None:
    offered, used = Counter[str](), Counter[str]()
    for number in range(ALL_GAMES):
        play_one(game, options, number, offered, used)
    print(f"seed {SEED}: {used}")
    assert len(offered) > 1
    assert set(used) >= set(offered) - USELESS
