"""The SDK on a running node: invitations, practice, notes, a `choose` that fails, and lost connections."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bots import connection as module
from bots.sdk import Bot, Info, Move, Offer, Refused, Turn, View, address, fill
from bots.turn import AnyChoose
from server.tables.state.asks import MAX_BEAT_MS
from tests.client import Client
from tests.server.conftest import Running, Start


def random_move(view: View, offers: list[Offer], chance: random.Random) -> Move:
    return fill(chance.choice(offers), chance)


@contextlib.asynccontextmanager
async def playing(
    owner: Client, url: str, name: str = "Gnawbot", choose: AnyChoose = random_move, **more: Any
) -> AsyncIterator[tuple[Bot, asyncio.Queue[Info]]]:
    """A connected bot of this owner, and a queue of the tables that it has finished."""
    ended: asyncio.Queue[Info] = asyncio.Queue()
    bot = Bot(url, (await owner.request("token", name=name))["token"], lambda info: choose, **more)
    bot.on_end = ended.put_nowait
    task = asyncio.create_task(bot.run())
    try:
        async with asyncio.timeout(20):
            await bot.welcomed.wait()
        yield bot, ended
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def end(ended: asyncio.Queue[Info]) -> Info:
    async with asyncio.timeout(60):
        return await ended.get()


async def test_an_invited_bot_sits_down_and_plays_to_the_end(node: Running) -> None:
    ada = await node.join("Ada")
    plays = {"games": ["do_my_bidding"], "tables": 1}
    async with contextlib.AsyncExitStack() as stack:
        bots = [await stack.enter_async_context(playing(ada, node.url, f"Bot {n}", plays=plays)) for n in range(3)]
        made = await ada.request("create", game="do_my_bidding", seats=3, seat=None)
        await ada.request("open", table=made["table"])
        for seat, (bot, _) in enumerate(bots):
            user = bot.welcome["user"]["id"]
            assert (await ada.request("invite", table=made["table"], seat=seat, bot=user))["type"] == "ok"
        for _, ended in bots:
            assert (await end(ended))["status"] == "ended"
        assert all(bot.decisions > 0 for bot, _ in bots)
        assert not any(bot.seats for bot, _ in bots)


async def test_a_bot_may_decline(node: Running) -> None:
    ada = await node.join("Ada")
    async with playing(ada, node.url, plays={"games": ["cheesedog"]}) as (bot, _):
        bot.accept = lambda invited: invited["by"] != "Ada"
        made = await ada.request("create", game="cheesedog", seats=3)
        await ada.request("open", table=made["table"])
        since = len(ada.received)
        await ada.request("invite", table=made["table"], seat=1, bot=bot.welcome["user"]["id"])
        held = lambda m: m["type"] == "table" and m["seats"][1]["kind"] == "held"  # noqa: E731
        free = lambda m: m["type"] == "table" and m["seats"][1]["kind"] == "free"  # noqa: E731
        at = ada.received.index(await ada.until(held, since))
        await ada.until(free, at)


async def test_bots_practise_and_a_choose_that_fails_does_not_stop_the_game(
    node: Running,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def failing(view: View, offers: list[Offer], chance: random.Random) -> Move:
        raise ZeroDivisionError("nothing left to divide")

    def illegal(view: View, offers: list[Offer], chance: random.Random) -> Any:
        return {"type": "cheat"}, "I will win"

    ada = await node.join("Ada")
    async with contextlib.AsyncExitStack() as stack:
        chooses: list[AnyChoose] = [random_move, failing, illegal]
        bots = [
            await stack.enter_async_context(playing(ada, node.url, f"Bot {n}", choose))
            for n, choose in enumerate(chooses)
        ]
        for bot, _ in bots:
            table = (await bot.insist("practice", game="do_my_bidding", seats=3))["table"]
            await bot.play_at(table)
        for _, ended in bots:
            assert (await end(ended))["status"] == "ended"
    assert "nothing left to divide" in caplog.text
    assert "was refused: unknown_type" in caplog.text


async def test_a_bot_reconnects_and_plays_on(start: Start) -> None:
    here, there = await start(), await start()
    ada = await there.join("Ada")
    async with playing(ada, here.url) as (bot, ended):
        made = await bot.insist("create", game="do_my_bidding", seats=3)
        people = [await there.join(f"Person {number}") for number in range(2)]
        for person in people:
            await person.request("sit", table=made["table"])
            await person.request("open", table=made["table"])
        await bot.play_at(made["table"])
        chance = random.Random(1)
        for _ in range(3):
            before = bot._socket
            assert before
            before.transport.abort()
            decided = bot.decisions
            async with asyncio.timeout(20):
                while bot._socket in (None, before):
                    await asyncio.sleep(0.01)
                while bot.decisions == decided:
                    await move_if_asked(people, made["table"], chance)
        assert ended.empty()


async def move_if_asked(people: list[Client], table: str, chance: random.Random) -> None:
    """Whoever of these is asked makes a move; if nobody is, let others act."""
    for person in people:
        updates = person.updates(table)
        ask = updates[-1].get("ask") if updates else None
        if ask:
            move = fill(chance.choice(ask["offers"]), chance)
            done = await person.request("move", table=table, ask=ask["n"], key=str(ask["n"]), move=move)
            assert done["type"] == "ok", done
            for other in people:
                await other.entry(table, done["n"])
            return
    await asyncio.sleep(0.01)


async def test_a_revoked_token_ends_the_bot(node: Running) -> None:
    ada = await node.join("Ada")
    made = await ada.request("token", name="Brief")
    bot = Bot(node.url, made["token"], lambda info: random_move)
    task = asyncio.create_task(bot.run())
    async with asyncio.timeout(20):
        await bot.welcomed.wait()
        await ada.request("revoke", bot=made["user"])
        with pytest.raises(Refused, match="revoked"):
            await task
        with pytest.raises(Refused, match="bad_token"):
            await Bot(node.url, made["token"], lambda info: random_move).run()


async def test_a_missing_answer_makes_the_bot_reconnect(
    node: Running,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "ANSWER_TIMEOUT_S", 0.3)
    ada = await node.join("Ada")
    async with playing(ada, node.url) as (bot, _):
        first = bot._socket
        assert first
        monkeypatch.setattr(bot, "_on_message", lambda message: None)
        with pytest.raises(ConnectionError):
            await bot.request("ping")
        async with asyncio.timeout(20):
            while bot._socket in (None, first):
                await asyncio.sleep(0.01)


async def test_the_sdk_keeps_within_the_rate_limits(node: Running) -> None:
    ada = await node.join("Ada")
    async with playing(ada, node.url) as (bot, _):
        answers = await asyncio.gather(*(bot.request("ping") for _ in range(100)))
        assert {answer["type"] for answer in answers} == {"ok"}


async def test_a_bot_is_invited_to_a_rematch(node: Running) -> None:
    ada = await node.join("Ada")
    plays = {"games": ["do_my_bidding"], "tables": 1}
    async with contextlib.AsyncExitStack() as stack:
        bots = [await stack.enter_async_context(playing(ada, node.url, f"Bot {n}", plays=plays)) for n in range(2)]
        async with playing(ada, node.url, "Hilda") as (host, ended):
            table = (await host.insist("create", game="do_my_bidding", seats=3))["table"]
            for bot, _ in bots:
                await bot.insist("sit", table=table)
                await bot.play_at(table)
            await host.play_at(table)
            await end(ended)
            for _, others in bots:
                await end(others)
            await host.insist("open", table=table)
            again = (await host.insist("rematch", table=table))["table"]
            await host.play_at(again)
            assert (await end(ended))["table"] == again
            for _, others in bots:
                assert (await end(others))["table"] == again


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("http://127.0.0.1:8137/", "ws://127.0.0.1:8137/ws"),
        ("https://cheese.example", "wss://cheese.example/ws"),
        ("ws://127.0.0.1:8000/ws", "ws://127.0.0.1:8000/ws"),
        ("wss://cheese.example/games/ws/", "wss://cheese.example/games/ws"),
    ],
)
def test_the_address_of_the_page_is_accepted(given: str, meant: str) -> None:
    assert address(given) == meant


async def test_an_address_that_can_never_work_ends_the_bot(node: Running) -> None:
    with pytest.raises(Refused, match="bad_address"):
        address("127.0.0.1:8000")
    async with asyncio.timeout(20):
        with pytest.raises(Refused, match="there is no Cheeseboard at"):
            await Bot(node.url.removesuffix("/ws") + "/elsewhere/ws", "token", lambda info: random_move).run()


async def test_choose_gets_the_table_and_every_event_since_its_last_call(node: Running) -> None:
    ada = await node.join("Ada")
    turns: list[Turn] = []

    def choose(view: View, offers: list[Offer], chance: random.Random, turn: Turn) -> Move:
        turns.append(turn)
        return fill(chance.choice(offers), chance)

    async with contextlib.AsyncExitStack() as stack:
        chooses: list[AnyChoose] = [choose, random_move, random_move]
        bots = [
            await stack.enter_async_context(playing(ada, node.url, f"Bot {n}", one)) for n, one in enumerate(chooses)
        ]
        made = await ada.request("create", game="do_my_bidding", seats=3, seat=None)
        await ada.request("open", table=made["table"])
        for bot, _ in bots:
            await bot.play_at(made["table"])
            await bot.insist("sit", table=made["table"])
        for _, ended in bots:
            await end(ended)
        await ada.next("table", 0, status="ended")
    assert {(turn.game, turn.table, turn.seat) for turn in turns} == {("do_my_bidding", made["table"], 0)}
    assert all(turn.left_ms is not None and 0 < turn.left_ms <= 20_000 + MAX_BEAT_MS for turn in turns)
    assert turns[0].events
    assert all(turn.complete for turn in turns)
    expected = [event for update in ada.updates(made["table"]) for event in update.get("events", ())]
    assert [event["type"] for turn in turns for event in turn.events] == [
        event["type"] for event in expected[: sum(len(turn.events) for turn in turns)]
    ]
