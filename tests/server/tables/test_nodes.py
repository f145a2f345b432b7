"""Several nodes on one store: one order of entries for all, and one winner of every race."""

from __future__ import annotations

import asyncio
import contextlib
import random
from typing import Any

import msgpack
import pytest
import redis

from server.store import keys
from server.store.answers import StoreLost, Then
from server.store.table_log import TableLog, is_conflict, numbered
from server.tables.rooms import presence
from server.tables.rooms import rooms as rooms_module
from server.tables.rooms.sync import unavailable
from server.tables.state.entries import Moved, decode_entries
from tests.client import WAIT_S, Client, eventually, fill
from tests.server.conftest import NOT_COMPILED, Running, Start, free_limits
from tests.server.requests.test_seating import counted_commands
from tests.server.tables.test_tables import asked, one_move, table_of

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
    """A table of three on one node, and a watcher on another: the other node, the players, the table, the watcher."""
    here, there = await start(), await start()
    clients = [await here.join(name) for name in "ABC"]
    table = await table_of(clients)
    watcher = await there.join("W")
    await watcher.request("open", table=table)
    await watcher.next("update", 0)
    return there, clients, table, watcher


async def test_a_node_that_missed_an_announcement_catches_up(start: Start) -> None:
    there, clients, table, watcher = await watched_from_elsewhere(start)
    there.node.pubsub.unsubscribe(keys.table_channel(table))
    chance = random.Random(SEED)
    for _ in range(3):
        n = await one_move(clients, table, chance)
    assert there.node.rooms.get(table).table.n < n  # type: ignore[union-attr]
    there.node.report()
    await watcher.entry(table, n)


async def test_an_announcement_during_a_read_of_the_log_is_not_lost(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, clients, table, watcher = await watched_from_elsewhere(start)
    room, store = there.node.rooms.get(table), there.node.store
    send, held = store.send, asyncio.Queue[Any]()

    def send_and_hold(then: Then, *command: str | bytes | int) -> None:
        send((lambda found: held.put_nowait((then, found))) if command[0] == "XRANGE" else then, *command)

    with monkeypatch.context() as slow:
        slow.setattr(store, "send", send_and_hold)
        room.sync.catch_up()
        then, found = await held.get()
    n = await one_move(clients, table, random.Random(SEED))
    await eventually(lambda: room.sync._announced >= n)
    then(found)
    assert room.working  # it reads the log again at once, not at the next periodic check
    await watcher.entry(table, n)


async def test_entries_that_are_refused_are_announced_to_nobody(node: Running, store_url: str) -> None:
    table = await table_of([await node.join(name) for name in "ABC"])
    channel, no_entry = keys.table_channel(table), (b"99-1", b"there is no such entry")
    refused: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    with redis.Redis.from_url(store_url) as store, store.pubsub() as listener:
        listener.ssubscribe(channel)
        TableLog(node.node.store).append(table, no_entry, [(b"100-1", b"refused")], 0, refused.set_result)
        assert is_conflict(await refused)
        store.spublish(channel, "the end")
        heard: list[Any] = []
        while b"the end" not in heard:
            heard.append(listener.get_message(timeout=5)["data"])
    assert b"100 refused" not in heard


@pytest.mark.parametrize("noticed", [False, True])
async def test_a_log_that_lost_its_last_entries_is_still_the_truth(start: Start, noticed: bool) -> None:
    """A store loses entries only while it is away. The next move detects that, during the outage or after it."""
    here = await start()
    clients = [await here.join(name) for name in "ABC"]
    table = await table_of(clients)
    chance = random.Random(SEED)
    kept = await one_move(clients, table, chance)
    copy = await here.node.store.call("DUMP", keys.table_log(table))
    for _ in range(3):
        await one_move(clients, table, chance)
    heard = [len(client.received) for client in clients]
    await here.node.store.call("RESTORE", keys.table_log(table), 0, copy, "REPLACE")
    if noticed:
        here.node.rooms.mark_unverified(range(keys.SHARDS))
    else:
        with contextlib.suppress(StoreLost):
            await here.node.store.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "no")
    (mover,) = (client for client in clients if asked(client, table))
    ask = mover.updates(table)[-1]["ask"]
    lost: dict[str, Any] = {"code": "unavailable"}
    async with asyncio.timeout(WAIT_S):
        while lost["code"] == "unavailable":
            move = fill(ask["offers"][0], chance)
            lost = await mover.request("move", table=table, ask=ask["n"], key="lost", move=move)
            await asyncio.sleep(0.02)
    assert lost["code"] in ("stale_ask", "not_asked")
    for client, before in zip(clients, heard, strict=True):
        await client.until(lambda message: message["type"] == "update" and message["n"] == kept, before)
    assert await one_move(clients, table, chance) == kept + 1
    entries = numbered(await here.node.store.call("XRANGE", keys.table_log(table), "-", "+"))
    assert [n for n, _ in entries] == list(range(1, kept + 2))


async def test_of_two_moves_racing_for_one_entry_one_wins(start: Start) -> None:
    """Every seat has a connection to both nodes, and both answer each ask at once with different moves."""
    limits = free_limits(burst=10 * RACES)  # a lost race is a refused move, and those are limited
    nodes = [await start(limits=limits), await start(limits=limits)]
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
    """Send two moves at once, wait for both answers, and return the entry of the accepted one."""
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


async def test_simultaneous_moves_of_several_seats_do_not_make_each_other_stale(start: Start) -> None:
    """Towers of Eight: all seats may roll at any time; here they do so at once from two nodes."""
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
    room = here.node.rooms.get(table)
    number = await mover.send("move", table=table, ask=ask["n"], key="k", move=move)
    await eventually(lambda: room.working, every_s=0)
    await here.stop()
    done = await mover.answer(number)
    assert (done["type"], done["n"]) == ("ok", ask["n"] + 1)
    entries = decode_entries(numbered(await there.node.store.call("XRANGE", keys.table_log(table), "-", "+")))
    assert [entry.key for n, entry in entries if n == done["n"] and isinstance(entry, Moved)] == ["k"]
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


async def test_only_unused_tables_are_dropped_from_memory(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms_module, "MAX_IDLE_ROOMS", 20)
    node = await start()
    client = await node.join()
    watched = (await client.request("create", game="cheesedog", seats=3))["table"]
    await client.request("open", table=watched)
    rooms = node.node.rooms
    for number in range(200):
        room = rooms.get(str(number))
        assert rooms.find(str(number)) is room
    assert rooms.find(watched)
    assert len(rooms) <= 23


async def test_a_table_that_is_over_is_dropped_from_memory_when_nobody_wants_it_any_more(start: Start) -> None:
    node = await start()
    client = await node.join()
    rooms, clock = node.node.rooms, node.node.clock
    opened, over, watched = [(await client.request("create", game="cheesedog", seats=3))["table"] for _ in range(3)]
    await client.request("open", table=watched)
    for table in (over, watched):
        await client.request("leave", table=table)
    now = rooms.get(over).used_at
    clock.now = lambda: now + rooms_module.OVER_MS
    rooms.drop_over()
    assert all(rooms.find(table) for table in (opened, over, watched))
    clock.now = lambda: now + rooms_module.OVER_MS + 1
    rooms.drop_over()
    assert [rooms.find(table) is None for table in (opened, over, watched)] == [False, True, False]
    assert (await client.request("open", table=over))["type"] == "ok"
    assert (await client.next("table", 0, table=over))["status"] == "closed"


async def test_a_table_whose_log_cannot_be_read_is_closed_and_harms_no_other(
    start: Start, store_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    here, there = await start(), await start()
    clients = [await here.join(name) for name in "ABC"]
    tables = [await table_of(clients) for _ in range(2)]
    with redis.Redis.from_url(store_url) as store:
        store.xadd(keys.table_log(tables[0]), {"e": msgpack.packb({"type": "from_the_future"})}, id="1000-0")
    visitor = await there.join("V")
    for _ in range(2):
        assert (await visitor.request("open", table=tables[0]))["type"] == "ok"
        assert (await visitor.next("table", 0))["status"] == "closed"
        assert (await visitor.request("sit", table=tables[0]))["code"] == "not_open"
    assert "its log cannot be folded" in caplog.text
    assert there.metric("cheeseboard_broken_logs_total") == 1  # the other node may have noticed it too
    assert (await visitor.request("open", table=tables[1]))["type"] == "ok"
    await one_move(clients, tables[1], random.Random(SEED))


async def test_watchers_get_a_fresh_view_after_an_append_that_the_store_refused(start: Start, store_url: str) -> None:
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
    assert node.node.rooms.get(table).table is None
    heard = len(watcher.received)
    node.node.report()
    await watcher.next("update", heard, table=table)
    await one_move(clients, table, random.Random(SEED))


async def test_a_client_that_resumes_while_the_store_is_away_gets_a_whole_view(
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


async def test_the_lobby_is_read_again_after_lost_announcements(start: Start, store_url: str) -> None:
    here, there = await start(), await start()
    host, watcher = await here.join("H"), await there.join("W")
    await watcher.request("lobby", on=True)
    old, new = [(await host.request("create", game="cheesedog", seats=3))["table"] for _ in range(2)]
    for made in (old, new):
        await watcher.until(lambda m, one=made: one in [table["table"] for table in m.get("tables", ())])
    (link,) = there.node.pubsub._links.values()
    link.give_up()
    with redis.Redis.from_url(store_url) as store:
        *listing, listed = msgpack.unpackb(store.hget(keys.LOBBY, new))
        store.hdel(keys.LOBBY, old)
        store.hset(keys.LOBBY, "missed", msgpack.packb([*listing, {**listed, "table": "missed"}]))
    told = await watcher.until(lambda m: m.get("gone") == [old])
    assert "missed" in [table["table"] for table in told["tables"]]


async def test_open_and_close_are_handled_in_order(start: Start) -> None:
    here, there = await start(), await start()
    clients = [await here.join(name) for name in "ABC"]
    tables = [await table_of(clients) for _ in range(2)]
    visitor = await there.join("V")
    asked_for = [await visitor.send(request, table=tables[0]) for request in ("open", "close", "open", "close")]
    assert [(await visitor.answer(number))["type"] for number in asked_for] == ["ok"] * 4
    assert not there.node.rooms.get(tables[0]).viewers
    asked_for = [await visitor.send(request, table=tables[0]) for request in ("open", "close", "open")]
    assert [(await visitor.answer(number))["type"] for number in asked_for] == ["ok"] * 3
    n = await one_move(clients, tables[0], random.Random(SEED))
    await visitor.entry(tables[0], n)
    narrow = await start(limits=free_limits(feeds=1))
    late = await narrow.join("L")
    asked_for = [await late.send("open", table=table) for table in tables]
    assert [(await late.answer(number)).get("code") for number in asked_for] == [None, "too_many_feeds"]


async def test_a_node_reports_a_table_with_one_command(start: Start, store_url: str) -> None:
    """Which also tells whether the node has missed an entry."""
    one = await start()
    clients = [await one.join(name) for name in "ABC"]
    table = await table_of(clients)
    room, presence = one.node.rooms.get(table), one.node.presence
    await eventually(lambda: not presence._changed)  # the players' arrival is reported
    await one.node.store.call("PING")
    counts: dict[str, int] = {}
    with counted_commands(store_url, counts):
        presence.report(room)
        await one.node.store.call("PING")
    assert counts["fcall"] == 1
    assert {name for name in counts if name not in ("info", "config|resetstat", "ping", "fcall")} <= {
        "hset",
        "expire",
        "spublish",
        "xlen",
    }
    assert clients[1].last("table")["seats"][0]["here"]


@NOT_COMPILED
async def test_reports_of_many_tables_leave_room_for_moves(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    node = await start()
    reported: list[str] = []
    monkeypatch.setattr(node.node.presence, "report", lambda room: reported.append(room.id))
    monkeypatch.setattr(presence, "REPORT_S", 0)
    for number in range(3 * presence.AT_ONCE):
        room = node.node.rooms.get(f"table{number}")
        monkeypatch.setattr(room.sync, "table", object())
        node.node.presence.report_soon(room)
    await eventually(lambda: reported, 0)
    assert len(reported) == presence.AT_ONCE
    await eventually(lambda: len(reported) == 3 * presence.AT_ONCE)


async def test_viewers_at_a_node_that_could_not_read_the_log_are_shown_what_comes_next(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, clients, table, watcher = await watched_from_elsewhere(start)
    room = there.node.rooms.get(table)
    await eventually(lambda: not there.node.presence._changed)
    monkeypatch.setattr(there.node.presence, "report_soon", lambda room: None)  # no periodic check
    room.failed(unavailable)
    n = await one_move(clients, table, random.Random(SEED))
    await watcher.entry(table, n)


async def test_a_log_that_could_not_be_read_is_read_again_if_somebody_looks(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, _, table, watcher = await watched_from_elsewhere(start)
    room, heard = there.node.rooms.get(table), len(watcher.received)
    await eventually(lambda: not there.node.presence._changed)
    monkeypatch.setattr(there.node, "report", lambda: None)  # no periodic check
    room.failed(unavailable)
    await watcher.next("update", heard, table=table)
