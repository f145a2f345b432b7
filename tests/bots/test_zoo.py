"""The games as PettingZoo environments, tested by PettingZoo's own tests."""

from __future__ import annotations

import re

import numpy
import pytest

from games import GAMES
from tests.playout import table_size
from tests.service import ROOT

zoo = pytest.importorskip("bots.zoo", reason="the extra `zoo` is not installed")
api_test = pytest.importorskip("pettingzoo.test").api_test
seed_test = pytest.importorskip("pettingzoo.test").seed_test

SEATS = {name: table_size(game) for name, game in GAMES.items()}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.filterwarnings(
    "ignore::UserWarning"
)  # they warn of matters of style, such as an observation space of bytes
def test_pettingzoos_own_tests_pass(name: str) -> None:
    api_test(zoo.env(name, SEATS[name]), num_cycles=200)
    seed_test(lambda: zoo.env(name, SEATS[name]), num_cycles=100)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_of_masked_actions_ends_with_rewards(name: str) -> None:
    env = zoo.env(name, SEATS[name])
    env.reset(seed=1)
    chance = numpy.random.default_rng(1)
    rewards = {}
    for agent in env.agent_iter(100_000):
        observation, reward, ended, _, info = env.last()
        if ended:
            rewards[agent] = reward
            env.step(None)
            continue
        moves = numpy.flatnonzero(observation["action_mask"])
        assert len(moves) == len(info["moves"]) > 0
        env.step(int(chance.choice(moves)))
    assert max(rewards.values()) == 1
    assert len(rewards) == SEATS[name]


def test_an_action_outside_the_mask_is_refused() -> None:
    env = zoo.env("cheesedog", 3)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="use the mask"):
        env.step(zoo.ACTIONS - 1)


def test_the_example_of_the_document_plays_to_the_end() -> None:
    page = (ROOT / "docs" / "arena.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"<!-- example zoo -->\n```python\n(.*?)```\n", page, re.DOTALL)
    names: dict[str, object] = {}
    exec(text, names)
    assert names["ended"] is True
