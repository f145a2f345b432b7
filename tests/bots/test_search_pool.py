"""Searches run in workers beside the event loop, and no table waits for a search that cannot run."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import Iterator

import pytest

from bots.arena_table import view_and_offers
from bots.budget import Budget
from bots.house import choose_for
from bots.offers import Move, Offer, View
from bots.players import player, random_move
from bots.search_pool import LEAST_S, THINK_S, WORKERS, Search, SearchPool, share
from bots.turn import Turn
from games import GAMES
from games.chance import Chance
from games.core import fold
from protocol.messages import Level

GAME = GAMES["cheesedog"]
SEEDS = (5, 6, 7)
BUDGET = Budget(30)
TURN = Turn("cheesedog", "t1", 0, {}, 1, [], complete=False)
Question = tuple[View, list[Offer]]


@pytest.fixture
def pool() -> Iterator[SearchPool]:
    """A pool with one worker and room for one decision."""
    made = SearchPool(workers=1, max_queued=1, budget=lambda queued: BUDGET)
    yield made
    made.close()


@pytest.fixture(scope="module")
def question() -> Question:
    """A view and offers for which master and rookie choose differently, so that a test can tell who has chosen."""
    for deal in range(100):
        state = fold(GAME, GAME.setup(4, GAME.options(), Chance(bytes([deal]) * 32, 0)))
        found = view_and_offers(GAME, state, GAME.to_act(state)[0])
        if all(chosen_here("master", found, seed) != rookies_move(found) for seed in SEEDS):
            return found
    raise AssertionError("masters play like rookies")


async def ask(search: Search, question: Question, seed: int) -> Move:
    """What a search of the pool answers."""
    return (await search(*question, random.Random(seed), TURN)).move


def chosen_here(level: Level, question: Question, seed: int) -> object:
    """What the same level chooses in this process; the pool draws its worker's seed from the bot's chance."""
    return player("cheesedog", level, BUDGET)(*question, random.Random(random.Random(seed).getrandbits(32)))


def rookies_move(question: Question) -> object:
    """A rookie's choice, which does not depend on chance here."""
    return chosen_here("rookie", question, 0)


async def test_a_master_searches_in_a_worker_while_the_event_loop_runs(pool: SearchPool, question: Question) -> None:
    searching = asyncio.create_task(ask(pool.search("cheesedog", "master"), question, 5))
    turns = 0
    async with asyncio.timeout(60):
        while not searching.done():
            await asyncio.sleep(0)
            turns += 1
    assert turns > 10
    assert searching.result() == chosen_here("master", question, 5)


async def test_when_the_queue_is_full_the_rookie_decides(pool: SearchPool, question: Question) -> None:
    choose = pool.search("cheesedog", "master")
    first = asyncio.create_task(ask(choose, question, 5))
    await asyncio.sleep(0)
    assert await ask(choose, question, 6) == rookies_move(question)
    assert await first == chosen_here("master", question, 5)


async def test_a_killed_worker_costs_one_decision(pool: SearchPool, question: Question) -> None:
    choose = pool.search("cheesedog", "master")
    await ask(choose, question, 5)
    assert pool._executor
    (worker,) = pool._executor._processes
    os.kill(worker, signal.SIGKILL)
    assert await ask(choose, question, 6) == rookies_move(question)
    assert await ask(choose, question, 7) == chosen_here("master", question, 7)


async def test_a_bot_without_a_choice_answers_without_a_worker(pool: SearchPool) -> None:
    game = GAMES["diced_cheese"]
    state = fold(game, game.setup(3, game.options(), Chance(bytes(32), 0)))
    question = view_and_offers(game, state, game.to_act(state)[0])
    assert await ask(pool.search("diced_cheese", "master"), question, 5) == {"type": "roll", "round": None}
    assert pool._executor is None


def test_levels_that_do_not_search_answer_without_a_worker(pool: SearchPool) -> None:
    assert pool.player("cheesedog", "rookie") is player("cheesedog", "rookie")
    assert pool.player("diced_cheese", "random") is random_move


def test_masters_think_less_when_many_decide_at_once() -> None:
    alone, few, many, crowd = (share(queued).cpu_s for queued in (1, WORKERS, 4 * WORKERS, 1000))
    assert alone == few == THINK_S
    assert many == THINK_S / 4
    assert crowd == LEAST_S


async def test_the_pool_counts_how_much_masters_could_think(question: Question) -> None:
    counted: list[str] = []
    pool = SearchPool(workers=1, max_queued=2, budget=lambda queued: Budget(2, THINK_S / queued), count=counted.append)
    search = pool.search("cheesedog", "master")
    try:
        await asyncio.gather(*(ask(search, question, seed) for seed in (1, 2, 3)))
    finally:
        pool.close()
    assert sorted(counted) == ["full", "quick", "short"]


async def test_a_search_that_time_on_the_clock_ends_counts_as_short(question: Question) -> None:
    counted: list[str] = []
    hurried = Budget(cpu_s=1000.0, wall_s=0.001)
    pool = SearchPool(workers=1, max_queued=1, budget=lambda queued: hurried, count=counted.append)
    try:
        await ask(pool.search("cheesedog", "master"), question, 1)
    finally:
        pool.close()
    assert counted == ["short"]


async def test_a_house_bot_that_stands_in_chooses_as_a_rookie(pool: SearchPool) -> None:
    game = GAMES["diced_cheese"]  # whose rookies search
    state = fold(game, game.setup(2, game.options(), Chance(bytes(32), 0)))
    seat = game.to_act(state)[0]
    view, offers = view_and_offers(game, state, seat)
    away = {"kind": "person", "name": "Ada", "stand_in": "Brie"}  # a person's seat has no level
    choose = choose_for({"game": "diced_cheese", "you": seat, "seats": [away, away]}, pool)
    move = await choose(view, offers, random.Random(1), TURN)  # type: ignore[call-arg, misc]
    assert move["type"] in {offer["move"] for offer in offers}
