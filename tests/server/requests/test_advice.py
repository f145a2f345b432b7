"""P65: what the house's master would do, in games against house bots alone, and marked in the table."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import random
from collections.abc import AsyncIterator
from typing import Any

import msgpack
import msgspec
import pytest

from games import GAMES
from games.chance import Chance
from server.process import adviser
from server.process.adviser import Adviser
from server.store import keys
from server.tables.rooms import advice
from server.tables.rooms.advice import AdviceQueue, question
from server.tables.state.local_struct import replace
from tests.client import WAIT_S, Client, fill
from tests.playout import table_size
from tests.server.conftest import Running, Start, free_limits
from tests.server.requests.test_bots import bot_of
from tests.server.tables.test_tables import asked, one_move, people, table_of
from tests.server.tables.test_twins import hides

ADDRESS = "127.0.7.7"  # not exempt from limits


@contextlib.asynccontextmanager
async def advising(node: Running) -> AsyncIterator[Adviser]:
    """The real adviser, which answers questions meanwhile."""
    working = Adviser(AdviceQueue(node.node.store))
    running = asyncio.create_task(working.run())
    try:
        yield working
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def against_bots(client: Client, game: str = "diced_cheese", seats: int = 3, **more: Any) -> str:
    """A running table at which house bots have all other seats, and at which it is the client's turn."""
    while True:
        made = await client.request("create", game=game, seats=seats, bots="rookie", speed="untimed", **more)
        await client.request("open", table=made["table"])
        await client.next("update", 0, table=made["table"])
        if asked(client, made["table"]):
            return str(made["table"])


async def ask_master(client: Client, table: str) -> dict[str, Any]:
    now = asked(client, table)
    assert now
    return await client.request("advise", table=table, ask=now["n"])


def without_beat(ask: dict[str, Any] | None) -> dict[str, Any]:
    """An ask without what is left of the beat that pages play, which passes by."""
    assert ask
    return {name: value for name, value in ask.items() if name != "shown_ms"}


@pytest.mark.parametrize("game", list(GAMES))
async def test_p65_the_master_answers_with_a_legal_move_and_the_table_counts_it(node: Running, game: str) -> None:
    ada, watcher = await node.join("Ada"), await node.join("Watcher")
    table = await against_bots(ada, game, max(2, table_size(GAMES[game])))
    await watcher.request("open", table=table)
    ask = without_beat(asked(ada, table))
    async with advising(node):
        answers = [await ask_master(ada, table) for _ in range(2)]
    assert [answer["type"] for answer in answers] == ["advice"] * 2, answers
    await ada.entry(table, answers[1]["n"])
    assert without_beat(asked(ada, table)) == ask, "nothing was played, and the same is asked"
    for client in (ada, watcher):
        info = await client.until(
            lambda message: message["type"] == "table" and message["seats"][0].get("advised") == 2
        )
        assert [seat.get("advised", 0) for seat in info["seats"][1:]] == [0] * (len(info["seats"]) - 1)
    done = await ada.request("move", table=table, ask=ask["n"], key="as the master says", move=answers[0]["move"])
    assert done["type"] == "ok", done


async def test_p65_nobody_is_advised_against_a_person_a_foreign_bot_or_a_stand_in(node: Running) -> None:
    ada, bob = await people(node, 2)
    together = await table_of([ada, bob], "diced_cheese", speed="untimed")
    mover, other = (ada, bob) if asked(ada, together) else (bob, ada)
    assert (await ask_master(mover, together))["code"] == "not_allowed"
    await other.request("leave", table=together)
    await mover.next("table", 0, table=together)
    assert (await ask_master(mover, together))["code"] == "not_allowed", "a stand-in plays for a person"
    bot = await bot_of(bob, node)
    foreign = await table_of([ada, bot], "diced_cheese", speed="untimed")
    person = await ada.request("advise", table=foreign, ask=1)
    assert person["code"] == "not_allowed"
    assert (await bot.request("advise", table=foreign, ask=1))["code"] == "not_allowed"
    alone = await against_bots(ada)
    await bob.request("open", table=alone)
    assert (await bob.request("advise", table=alone, ask=1))["code"] == "not_seated"
    stale = await ada.request("advise", table=alone, ask=1)
    assert (stale["code"], stale["ask"]) == ("stale_ask", (asked(ada, alone) or {})["n"])
    assert await node.node.store.call("LLEN", keys.ADVICE_QUEUE) == 0


async def test_p65_an_answer_that_comes_too_late_is_neither_told_nor_counted(node: Running) -> None:
    ada = await node.join("Ada")
    table = await against_bots(ada)
    ask = asked(ada, table)
    assert ask
    number = await ada.send("advise", table=table, ask=ask["n"])
    queue = AdviceQueue(node.node.store)
    await eventually_queued(node, 1)
    job = await queue.next_job()
    assert job
    move = fill(ask["offers"][0], random.Random(1))
    await ada.request("move", table=table, ask=ask["n"], key="own", move=move)
    await queue.answer(job, msgpack.packb(move))
    assert (await ada.answer(number))["code"] in ("stale_ask", "not_asked")
    assert "advised" not in ada.last("table")["seats"][0]


async def test_p65_questions_are_bounded_and_a_search_that_hangs_or_dies_is_given_up(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = await start(limits=free_limits(advice_per_minute=4))
    ada = await node.join("Ada", source=ADDRESS)
    table = await against_bots(ada)
    monkeypatch.setattr(advice, "WAIT_S", 0.2)
    monkeypatch.setattr(adviser, "WAIT_S", 0.2)
    assert (await ask_master(ada, table))["code"] == "busy", "nobody answers"
    monkeypatch.setattr(advice, "WAIT_S", 60.0)
    async with advising(node) as working:
        for command in (("sleep", "1000"), ("true",)):
            monkeypatch.setattr(adviser, "COMMAND", command)
            await working.end()
            assert (await ask_master(ada, table))["code"] == "busy"
    monkeypatch.setattr(advice, "MAX_QUEUED", 0)
    assert (await ask_master(ada, table))["code"] == "busy"
    assert (await ask_master(ada, table))["code"] == "rate_limited"


async def test_p65_one_address_does_not_fill_the_queue(start: Start) -> None:
    node = await start(limits=free_limits(address_advice_at_once=2))
    greedy = [await node.join(f"Greedy {number}", source=ADDRESS) for number in range(3)]
    ada = await node.join("Ada", source="127.0.7.8")
    tables = {client: await against_bots(client) for client in (*greedy, ada)}
    sent = [await one.send("advise", table=tables[one], ask=(asked(one, tables[one]) or {})["n"]) for one in greedy[:2]]
    await eventually_queued(node, 2)
    refused = await ask_master(greedy[2], tables[greedy[2]])
    assert (refused["code"], "network address" in refused["message"]) == ("busy", True)
    assert refused["retry_after_ms"] > 0
    async with advising(node):
        assert (await ask_master(ada, tables[ada]))["type"] == "advice"
        answers = [await one.answer(number) for one, number in zip(greedy, sent, strict=False)]
        assert [answer["type"] for answer in answers] == ["advice"] * 2
        assert (await ask_master(greedy[2], tables[greedy[2]]))["type"] == "advice"


async def eventually_queued(node: Running, count: int) -> None:
    """Wait until so many questions are in the queue."""
    async with asyncio.timeout(WAIT_S):
        while await node.node.store.call("LLEN", keys.ADVICE_QUEUE) < count:
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("game", list(GAMES))
async def test_p4_a_question_tells_nothing_that_the_asking_seat_does_not_know(node: Running, game: str) -> None:
    players = await people(node, table_size(GAMES[game]))
    table, chance = await table_of(players, game, speed="untimed"), random.Random(game)
    make_twin = importlib.import_module(f"tests.games.test_{game}").twin
    compared = differing = hidden = 0
    for step in range(24):
        real = node.node.rooms.get(table).table
        if real is None or real.status != "running":
            break
        hidden += hides(real)
        for seat in real.asks if step % 3 == 0 else ():  # a connection may ask for its past so often
            state = make_twin(real.state, seat, Chance(b"twin", real.n))
            differing += state != real.state
            twin = replace(real, state=state)
            asks = [await question(node.node.store, one, seat) for one in (real, twin)]
            packed = [msgspec.msgpack.encode(one) for one in asks]
            assert packed[0] == packed[1]
            told = [entry["events"] for entry in (await players[seat].request("history", table=table))["entries"]]
            assert msgpack.unpackb(packed[0], strict_map_key=False)["events"] == [one for some in told for one in some]
            compared += 1
        await one_move(players, table, chance)
    assert compared
    assert differing or not hidden, "no twin differs from its table"
