"""Several nodes on one store: one order of entries for all, and one winner of every race."""

from __future__ import annotations

import asyncio
import contextlib
import random
from typing import Any

import msgpack
import pytest
import redis

from server import hub as hub_module
from server import limits
from server.log import channel, log_key, read_entries
from server.store import StoreLost, Then
from tests.client import Client, fill
from tests.server.conftest import Running, Start
from tests.server.test_tables import asked, one_move, table_of

RACES = 1000
SEED = 20261116


async def test_players_on_two_nodes_see_the_same_entries_in_the_same_order(start: Start) -> None:
    here, there = await start(), await start()
    clients = [await here.join("A"), await there.join("B"), await here.join("C"), await there.join("D")]
    table = await table_of(clients)
    watchers = [await here.join("E"), await there.join("F")]
    for watcher in watchers:
        await watcher.request("open", table=table)
        await watcher.next("update", 0)
    chance = random.Random(SEED)
    for _ in range(60):
        n = await one_move(clients, table, chance)
    for watcher in watchers:
        await watcher.next("update", 0, n=n)
    seen = [[(update["n"], update.get("seat")) for update in one.updates(table)] for one in (*clients, *watchers)]
    newest = [numbers[-60:] for numbers in seen]
    assert all(numbers == newest[0] for numbers in newest)
    assert [number for number, _ in newest[0]] == list(range(n - 59, n + 1))
    assert watchers[0].updates(table)[-1]["view"] == watchers[1].updates(table)[-1]["view"]


async def watched_from_elsewhere(start: Start) -> tuple[Running, list[Client], str, Client]:
    """A table of three on one node, and another node on which somebody watches it: that one, and all of them."""
    here, there = await start(), await start()
    clients = [await here.join(name) for name in "ABC"]
    table = await table_of(clients)
    watcher = await there.join("W")
    await watcher.request("open", table=table)
    await watcher.next("update", 0)
    return there, clients, table, watcher


async def test_a_node_that_missed_a_word_unnoticed_makes_it_good(start: Start) -> None:
    there, clients, table, watcher = await watched_from_elsewhere(start)
    there.node.hub.feed.stop(channel(table))
    chance = random.Random(SEED)
    for _ in range(3):
        n = await one_move(clients, table, chance)
    assert there.node.hub.rooms[table].table.n < n  # type: ignore[union-attr]
    there.node.hub.presence.look_round()
    await watcher.entry(table, n)


async def test_what_is_told_while_the_log_is_read_is_not_forgotten(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, clients, table, watcher = await watched_from_elsewhere(start)
    room, store = there.node.hub.rooms[table], there.node.hub.store
    send, held = store.send, asyncio.Queue[Any]()

    def send_and_hold(then: Then, *command: str | bytes | int) -> None:
        send((lambda found: held.put_nowait((then, found))) if command[0] == "XRANGE" else then, *command)

    with monkeypatch.context() as slow:
        slow.setattr(store, "send", send_and_hold)
        room.catch_up()
        then, found = await held.get()
    n = await one_move(clients, table, random.Random(SEED))
    while room._heard < n:
        await asyncio.sleep(0.005)
    then(found)
    assert room.working  # it reads again at once, and not when it next looks round
    await watcher.entry(table, n)


@pytest.mark.parametrize("noticed", [False, True])
async def test_a_log_that_lost_its_last_entries_is_still_the_truth(start: Start, noticed: bool) -> None:
    """A store that lost something was away: the next move finds that out, while it is away or just after."""
    here = await start()
    clients = [await here.join(name) for name in "ABC"]
    table = await table_of(clients)
    chance = random.Random(SEED)
    kept = await one_move(clients, table, chance)
    copy = await here.node.store.call("DUMP", log_key(table))
    for _ in range(3):
        await one_move(clients, table, chance)
    heard = [len(client.heard) for client in clients]
    await here.node.store.call("RESTORE", log_key(table), 0, copy, "REPLACE")
    if noticed:
        here.node.hub.doubt()
    else:
        with contextlib.suppress(StoreLost):
            await here.node.store.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "no")
    (mover,) = (client for client in clients if asked(client, table))
    ask = mover.updates(table)[-1]["ask"]
    lost: dict[str, Any] = {"code": "unavailable"}
    while lost["code"] == "unavailable":
        move = fill(ask["offers"][0], chance)
        lost = await mover.request("move", table=table, ask=ask["n"], key="lost", move=move)
        await asyncio.sleep(0.02)
    assert lost["code"] in ("stale_ask", "not_asked")
    for client, before in zip(clients, heard, strict=True):
        await client.until(lambda message: message["type"] == "update" and message["n"] == kept, before)
    assert await one_move(clients, table, chance) == kept + 1
    entries = read_entries(await here.node.store.call("XRANGE", log_key(table), "-", "+"))
    assert [n for n, _ in entries] == list(range(1, kept + 2))


async def test_of_two_moves_racing_for_one_entry_one_wins(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every seat has a tab on both nodes; both answer each ask at once with moves of their own."""
    monkeypatch.setattr("server.connection.BURST", 10 * RACES)  # a lost race is a refused move, and those are limited
    nodes = [await start(), await start()]
    chance = random.Random(SEED)
    races = 0
    while races < RACES:
        tabs = [[await nodes[0].join(f"P{seat}")] for seat in range(3)]
        table = await table_of([pair[0] for pair in tabs])
        for pair in tabs:
            pair.append(await nodes[1].join(token=pair[0].token))
            await pair[1].request("open", table=table)
            await pair[1].next("update", 0)
        while races < RACES:
            asked_now = [pair for pair in tabs if asked(pair[0], table)]
            if not asked_now:
                break
            n = await race(asked_now[0], table, chance)
            races += 1
            await asyncio.gather(*(tab.entry(table, n) for pair in tabs for tab in pair))
        for pair in tabs:
            for tab in pair:
                await tab.close()
    assert races == RACES


async def race(pair: list[Client], table: str, chance: random.Random) -> int:
    """Both tabs move at once: the entry of the one that won, after both have been answered."""
    ask = pair[0].updates(table)[-1]["ask"]
    numbers = []
    for tab in pair:
        move = fill(chance.choice(ask["offers"]), chance)
        numbers.append(await tab.send("move", table=table, ask=ask["n"], key=f"{chance.random()}", move=move))
    answers = [await tab.answer(number) for tab, number in zip(pair, numbers, strict=True)]
    won = [answer for answer in answers if answer["type"] == "ok"]
    lost = [answer for answer in answers if answer["type"] == "error"]
    assert (len(won), len(lost)) == (1, 1), answers
    assert lost[0]["code"] in ("stale_ask", "not_asked", "not_running"), lost
    return int(won[0]["n"])


async def test_seats_that_decide_at_once_do_not_make_each_other_stale(start: Start) -> None:
    """Towers of Eight: all seats roll when they like, from two nodes, each with the ask it was given."""
    here, there = await start(), await start()
    clients = [await here.join("A"), await there.join("B"), await here.join("C"), await there.join("D")]
    table = await table_of(clients, "diced_cheese", options={"variant": "towers"})
    asks = [asked(client, table) for client in clients]
    assert all(asks)
    moves = [
        await client.send(
            "move", table=table, ask=ask["n"], key=f"k{seat}", move=fill(ask["offers"][0], random.Random(1))
        )
        for seat, (client, ask) in enumerate(zip(clients, asks, strict=True))
        if ask
    ]
    answers = [await client.answer(number) for client, number in zip(clients, moves, strict=True)]
    assert [answer["type"] for answer in answers] == ["ok"] * 4, answers
    assert len({answer["n"] for answer in answers}) == 4


async def test_a_draining_node_loses_nothing_and_sends_everybody_elsewhere(start: Start) -> None:
    here, there = await start(), await start()
    clients = [await here.join(f"P{seat}") for seat in range(3)]
    table = await table_of(clients)
    mover = next(client for client in clients if asked(client, table))
    ask = mover.updates(table)[-1]["ask"]
    move = fill(ask["offers"][0], random.Random(1))
    number = await mover.send("move", table=table, ask=ask["n"], key="k", move=move)
    await mover.answer(number)
    await here.stop()
    for client in clients:
        bye = await client.next("bye", 0)
        assert bye["reason"] == "restarting"
        await client.close()
        assert client.closed_with == 1012
    again = await there.join(token=mover.token)
    assert again.welcome["tables"] == [table]
    await again.request("open", table=table, last=ask["n"])
    update = await again.next("update", 0)
    assert (update["n"], update["seat"]) == (ask["n"] + 1, mover.last("table")["you"])


async def test_a_table_that_nobody_needs_is_let_go_and_no_other(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "MOST_ROOMS", 20)
    node = await start()
    client = await node.join()
    watched = (await client.request("create", game="cheesedog", seats=3))["table"]
    await client.request("open", table=watched)
    hub = node.node.hub
    for number in range(200):
        room = hub.room(str(number))
        assert hub.rooms[str(number)] is room
    assert watched in hub.rooms
    assert len(hub.rooms) <= 23


async def test_a_table_whose_log_cannot_be_read_is_refused_and_harms_no_other(
    start: Start, store_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    here, there = await start(), await start()
    clients = [await here.join(name) for name in "ABC"]
    tables = [await table_of(clients) for _ in range(2)]
    with redis.Redis.from_url(store_url) as store:
        store.xadd(log_key(tables[0]), {"e": msgpack.packb({"type": "from_the_future"})}, id="1000-0")
    visitor = await there.join("V")
    for _ in range(2):
        for request in ("open", "sit"):
            assert (await visitor.request(request, table=tables[0]))["code"] == "internal"
    assert "a log cannot be read" in caplog.text
    assert (await visitor.request("open", table=tables[1]))["type"] == "ok"
    await one_move(clients, tables[1], random.Random(SEED))


async def test_what_the_store_refused_is_made_good_for_those_who_only_watch(start: Start, store_url: str) -> None:
    node = await start()
    clients = [await node.join(name) for name in "ABC"]
    table = await table_of(clients)
    watcher = await node.join("W")
    await watcher.request("open", table=table)
    mover = next(client for client in clients if asked(client, table))
    ask = mover.updates(table)[-1]["ask"]
    with redis.Redis.from_url(store_url) as store:
        store.config_set("maxmemory", 1)
        try:
            move = fill(ask["offers"][0], random.Random(SEED))
            done = await mover.request("move", table=table, ask=ask["n"], key="k", move=move)
        finally:
            store.config_set("maxmemory", 0)
    assert done["code"] == "unavailable"
    assert node.node.hub.rooms[table].table is None
    heard = len(watcher.heard)
    node.node.hub.presence.look_round()
    await watcher.next("update", heard, table=table)
    await one_move(clients, table, random.Random(SEED))


async def test_who_resumes_while_the_store_goes_away_gets_a_whole_view(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = await start(), await start()
    clients = [await here.join(name) for name in "ABC"]
    table = await table_of(clients)
    n = await one_move(clients, table, random.Random(SEED))
    watcher, late = await there.join("W"), await there.join("L")
    await watcher.request("open", table=table)

    send = there.node.store.send

    def lose(then: Then, *command: str | bytes | int) -> None:
        if command[0] == "XRANGE":
            then(StoreLost("away"))
        else:
            send(then, *command)

    monkeypatch.setattr(there.node.store, "send", lose)
    await late.request("open", table=table, last=2)
    assert (await late.next("update", 0))["n"] == n


async def test_the_lobby_is_read_again_when_its_words_were_not_heard(start: Start, store_url: str) -> None:
    here, there = await start(), await start()
    host, watcher = await here.join("H"), await there.join("W")
    await watcher.request("lobby", on=True)
    old, new = [(await host.request("create", game="cheesedog", seats=3))["table"] for _ in range(2)]
    await watcher.until(lambda m: m["type"] == "tables" and old in [table["table"] for table in m.get("tables", ())])
    transport = there.node.feed._store._transport
    assert transport
    transport.abort()
    with redis.Redis.from_url(store_url) as store:
        listed = msgpack.unpackb(store.hget("lobby", new))
        store.hdel("lobby", old)
        store.hset("lobby", "missed", msgpack.packb({**listed, "table": "missed"}))
    told = await watcher.until(lambda m: m.get("gone") == [old])
    assert "missed" in [table["table"] for table in told["tables"]]


async def test_close_is_not_overtaken_by_the_open_before_it(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = await start(), await start()
    clients = [await here.join(name) for name in "ABC"]
    tables = [await table_of(clients) for _ in range(2)]
    visitor = await there.join("V")
    asked_for = [await visitor.send(request, table=tables[0]) for request in ("open", "close", "open", "close")]
    assert [(await visitor.answer(number))["type"] for number in asked_for] == ["ok"] * 4
    assert not there.node.hub.rooms[tables[0]].viewers
    asked_for = [await visitor.send(request, table=tables[0]) for request in ("open", "close", "open")]
    assert [(await visitor.answer(number))["type"] for number in asked_for] == ["ok"] * 3
    n = await one_move(clients, tables[0], random.Random(SEED))
    await visitor.entry(tables[0], n)
    monkeypatch.setitem(limits.TABLES, False, 1)
    late = await there.join("L")
    asked_for = [await late.send("open", table=table) for table in tables]
    assert [(await late.answer(number)).get("code") for number in asked_for] == [None, "too_many_feeds"]
