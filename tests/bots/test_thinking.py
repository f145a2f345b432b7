"""Masters think beside the process that talks, and a table never waits for one that cannot."""

from __future__ import annotations

import asyncio
import inspect
import os
import random
import signal
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from bots.arena import asked
from bots.players import player
from bots.sdk import Choose, Move, parts
from bots.thinking import Thinkers
from games import GAMES
from games.chance import Chance
from games.core import fold

GAME = GAMES["cheesedog"]
SEEDS = (5, 6, 7)


@pytest.fixture
def thinkers() -> Iterator[Thinkers]:
    made = Thinkers(workers=1, most_waiting=1)
    yield made
    made.close()


@pytest.fixture(scope="module")
def question() -> tuple[Any, Any]:
    """What a seat is asked where a master and a rookie do not do the same, so that one can tell who answered."""
    for deal in range(100):
        state = fold(GAME, GAME.setup(4, GAME.options(), Chance(bytes([deal]) * 32, 0)))
        view, offers = asked(GAME, state, GAME.to_act(state)[0])
        if all(the_same_here("master", (view, offers), seed) != rookie((view, offers)) for seed in SEEDS):
            return view, offers
    raise AssertionError("masters play like rookies")


async def ask(choose: Choose, question: tuple[Any, Any], seed: int) -> Move:
    move = choose(*question, random.Random(seed))
    assert inspect.isawaitable(move)
    found, _ = parts(await move)
    return found


def the_same_here(level: str, question: tuple[Any, Any], seed: int) -> object:
    return player("cheesedog", level)(*question, random.Random(random.Random(seed).getrandbits(32)))


def rookie(question: tuple[Any, Any]) -> object:
    return the_same_here("rookie", question, 0)


async def test_a_master_thinks_elsewhere_and_the_loop_goes_on(thinkers: Thinkers, question: tuple[Any, Any]) -> None:
    ticks = 0

    async def tick() -> AsyncIterator[None]:
        while True:
            await asyncio.sleep(0)
            yield

    thinking = asyncio.create_task(ask(thinkers.player("cheesedog", "master"), question, 5))
    async for _ in tick():
        ticks += 1
        if thinking.done():
            break
    assert ticks > 10
    assert thinking.result() == the_same_here("master", question, 5)


async def test_when_too_many_wait_a_rookie_answers(thinkers: Thinkers, question: tuple[Any, Any]) -> None:
    choose = thinkers.player("cheesedog", "master")
    first = asyncio.create_task(ask(choose, question, 5))
    await asyncio.sleep(0)
    assert await ask(choose, question, 6) == rookie(question)
    assert await first == the_same_here("master", question, 5)


async def test_a_killed_worker_costs_one_decision(thinkers: Thinkers, question: tuple[Any, Any]) -> None:
    choose = thinkers.player("cheesedog", "master")
    await ask(choose, question, 5)
    assert thinkers._pool
    (worker,) = thinkers._pool._processes
    os.kill(worker, signal.SIGKILL)
    thinking = ask(choose, question, 6)
    assert await thinking in (the_same_here("rookie", question, 6), the_same_here("master", question, 6))
    assert await ask(choose, question, 7) in (
        the_same_here("master", question, 7),
        the_same_here("rookie", question, 7),
    )


def test_other_levels_answer_at_once(thinkers: Thinkers, question: tuple[Any, Any]) -> None:
    assert thinkers.player("cheesedog", "rookie") is player("cheesedog", "rookie")
    assert thinkers.player("diced_cheese", "master") is player("diced_cheese", "master")
