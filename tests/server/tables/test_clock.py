"""Deadlines, stand-ins, and time that does not count: with a clock moved by hand."""

from __future__ import annotations

import asyncio
import random

import pytest
import redis

from server.table import BOT_MS, LOOK_MS, SPEEDS
from tests.client import Client, fill
from tests.server.conftest import Running, Start
from tests.server.test_tables import asked, people, table_of


async def late(node: Running, client: Client, table: str, ms: int) -> dict[str, object]:
    """Let so much time pass and have the clock look."""
    heard = len(client.heard)
    await node.later(ms)
    return await client.next("update", heard, table=table)


def set_clock(node: Running, now: int) -> None:
    """Stop the clock of a node at this moment."""
    node.node.hub.now = lambda: now


async def test_out_of_time_the_games_own_move_is_made(node: Running) -> None:
    clients = await people(node)
    table = await table_of(clients, speed="blitz")
    blitz = SPEEDS["blitz"]
    assert blitz
    mover = next(client for client in clients if asked(client, table))
    before = mover.updates(table)[-1]
    assert 0 < before["ask"]["left_ms"] <= blitz
    update = await late(node, mover, table, blitz + 50)
    assert (update["by"], update["seat"], update["n"]) == ("clock", mover.last("table")["you"], before["n"] + 1)


async def test_a_node_looks_at_a_table_when_it_is_due(node: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the look at all tables, which goes on all the time, and again after each move that the clock makes."""
    monkeypatch.setitem(SPEEDS, "blitz", 200)
    clients = await people(node)
    table = await table_of(clients, speed="blitz")
    first = clients[0].updates(table)[-1]["n"]
    for n in (first + 1, first + 2, first + 3):
        update = await clients[0].next("update", 0, table=table, n=n)
        assert update["by"] == "clock"
        assert update["n"] == n


async def test_in_the_last_millisecond_a_move_is_in_time_and_after_it_is_late(node: Running) -> None:
    clients = await people(node)
    table = await table_of(clients, speed="blitz")
    mover = next(client for client in clients if asked(client, table))
    ask = mover.updates(table)[-1]["ask"]
    room = node.node.hub.rooms[table]
    assert room.table
    seat = mover.last("table")["you"]
    due = room.table.due(seat)
    assert due is not None
    move = fill(ask["offers"][0], random.Random(1))
    set_clock(node, due + 1)
    node.node.hub.beat_at = due
    too_late = await mover.request("move", table=table, ask=ask["n"], key="k", move=move)
    assert too_late["code"] in ("stale_ask", "not_asked")
    other = next(client for client in clients if asked(client, table) and client.updates(table)[-1]["n"] > ask["n"])
    ask = other.updates(table)[-1]["ask"]
    due = room.table.due(other.last("table")["you"])
    assert due is not None
    set_clock(node, due)
    move = fill(ask["offers"][0], random.Random(1))
    in_time = await other.request("move", table=table, ask=ask["n"], key="k", move=move)
    assert in_time["type"] == "ok"


async def test_after_two_absences_a_stand_in_has_the_seat_until_its_person_acts(start: Start, store_url: str) -> None:
    node = await start()
    clients = await people(node)
    table = await table_of(clients, speed="blitz")
    blitz = SPEEDS["blitz"]
    assert blitz
    first = next(client for client in clients if asked(client, table))
    seat = first.last("table")["you"]
    while "stand_in" not in first.last("table")["seats"][seat]:
        mover = next(client for client in clients if asked(client, table))
        if mover is first:
            await late(node, first, table, blitz + 50)
            room = node.node.hub.rooms[table].table
            assert room
            if room.chairs[seat].absences >= 2:
                await first.until(lambda m: m["type"] == "table" and "stand_in" in m["seats"][seat])
        else:
            ask = mover.updates(table)[-1]["ask"]
            move = fill(ask["offers"][0], random.Random(1))
            done = await mover.request("move", table=table, ask=ask["n"], key=str(ask["n"]), move=move)
            for client in clients:
                await client.next("update", 0, n=done["n"])
    room = node.node.hub.rooms[table].table
    assert room
    stand_in = room.chairs[seat].stand_in
    assert stand_in
    with redis.Redis.from_url(store_url) as store:
        assert store.sismember(f"user:{stand_in}:tables", table)
    back = await first.request("back", table=table)
    assert back["type"] == "ok"
    info = await first.until(
        lambda m: m["type"] == "table" and "stand_in" not in m["seats"][seat], first.heard.index(back) - 1
    )
    assert info["seats"][seat]["name"] == first.user["name"]
    with redis.Redis.from_url(store_url) as store:
        async with asyncio.timeout(20):
            while store.sismember(f"user:{stand_in}:tables", table):
                await asyncio.sleep(0.01)


async def test_p35_a_seat_that_changes_hands_again_and_again_gets_its_time_once_more_only(node: Running) -> None:
    clients = await people(node)
    table = await table_of(clients)
    mover = next(client for client in clients if asked(client, table))
    seat = mover.last("table")["you"]
    dues = []
    for _ in range(4):
        node.ahead_ms += 5_000
        for request in ("leave", "back"):
            assert (await mover.request(request, table=table))["type"] == "ok"
        room = node.node.hub.rooms[table].table
        assert room
        dues.append(room.due(seat))
    assert len(set(dues)) == 1


async def test_leaving_a_running_game_hands_the_seat_over_at_once(node: Running) -> None:
    clients = await people(node)
    table = await table_of(clients)
    await clients[2].request("leave", table=table)
    info = await clients[0].until(lambda m: m["type"] == "table" and "stand_in" in m["seats"][2])
    assert info["seats"][2]["name"] == "Player 2"


async def test_a_dead_bot_is_waited_for_only_so_long(node: Running) -> None:
    client = await node.join()
    made = await client.request("create", game="cheesedog", seats=3, bots="rookie", speed="untimed")
    await client.request("open", table=made["table"])
    await client.next("table", 0, status="running")
    update = client.updates(made["table"])[-1]
    if "ask" in update:
        ask = update["ask"]
        assert "left_ms" not in ask
        move = fill(ask["offers"][0], random.Random(1))
        done = await client.request("move", table=made["table"], ask=ask["n"], key="k", move=move)
        await client.next("update", 0, n=done["n"])
    if not asked(client, made["table"]):
        moved = await late(node, client, made["table"], BOT_MS + 50)
        assert moved["by"] == "clock"


async def test_p5_no_clock_runs_while_the_service_is_away(start: Start, store_url: str) -> None:
    node = await start()
    clients = await people(node)
    table = await table_of(clients, speed="blitz")
    blitz = SPEEDS["blitz"]
    assert blitz
    mover = next(client for client in clients if asked(client, table))
    heard = len(mover.heard)
    node.ahead_ms += 3_600_000
    await node.node.clock.look()
    update = await mover.next("update", heard)
    assert update["by"] == "house"
    assert update["ask"]["left_ms"] > blitz / 2
    late_now = await late(node, mover, table, blitz + 50)
    assert late_now["by"] == "clock"


async def test_a_gap_between_beats_is_an_outage(node: Running, store_url: str) -> None:
    await node.node.clock.look()
    known = node.node.hub.outages
    node.ahead_ms += 60_000
    await node.node.clock.look()
    assert len(node.node.hub.outages) == len(known) + 1
    begin, end = node.node.hub.outages[-1]
    assert 55_000 < end - begin < 65_000


async def test_a_table_that_nobody_is_at_vanishes(node: Running) -> None:
    client = await node.join()
    made = await client.request("create", game="cheesedog", seats=4)
    watcher = await node.join("Watcher")
    await watcher.request("lobby", on=True)
    await client.close()
    await node.later(LOOK_MS + 1000)
    await watcher.until(lambda m: m["type"] == "tables" and made["table"] in m.get("gone", ()))
    await watcher.request("open", table=made["table"])
    assert (await watcher.next("table", 0))["status"] == "closed"


async def test_house_bots_alone_do_not_keep_a_table_open(node: Running) -> None:
    tokens = await node.node.people.house_tokens()
    bots = {user: await node.join(token=token) for user, token in tokens.items()}
    host = await node.join("Host")
    table = (await host.request("create", game="cheesedog", seats=4))["table"]
    await host.request("bot", table=table, seat=1)
    room = node.node.hub.rooms[table]
    assert room.table
    bot = bots[room.table.chairs[1].user or ""]
    await bot.request("open", table=table)
    for here, status in ((True, "open"), (False, "closed")):
        if here:
            await host.request("open", table=table)
        else:
            await host.close()
            while room.viewers.points.keys() != {1}:
                await asyncio.sleep(0.01)
        node.ahead_ms += LOOK_MS + 1000
        node.node.hub.presence._tell(room)
        await node.later(0)
        while room.working or node.node.archive._tasks:
            await asyncio.sleep(0.01)
        assert room.table.status == status


@pytest.mark.parametrize("pause_ms", [400])
async def test_dic_15_a_seat_may_roll_once_in_400_ms(node: Running, pause_ms: int) -> None:
    clients = await people(node, 2)
    table = await table_of(clients, "diced_cheese", options={"variant": "speed"})
    fixed = node.node.hub.now()
    node.node.hub.now = lambda: fixed
    client = clients[0]
    ask = client.updates(table)[-1]["ask"]
    done = await client.request(
        "move", table=table, ask=ask["n"], key="1", move=fill(ask["offers"][0], random.Random(1))
    )
    assert done["type"] == "ok"
    ask = (await client.next("update", 0, n=done["n"]))["ask"]
    fixed += pause_ms - 1
    move = fill(ask["offers"][0], random.Random(1))
    no = await client.request("move", table=table, ask=ask["n"], key="2", move=move)
    assert (no["code"], no["retry_after_ms"]) == ("too_soon", 1)
    fixed += 1
    assert (await client.request("move", table=table, ask=ask["n"], key="2", move=move))["type"] == "ok"


async def test_a_table_is_expected_once_however_often_its_deadline_moves(node: Running) -> None:
    clock, now = node.node.clock, node.node.hub.now()
    for later in (60_000, 90_000, 60_000, 30_000, 45_000, 30_000):
        clock.expect(now + later, "table")
    assert sorted(clock._expected) == [(now + 30_000, "table"), (now + 60_000, "table")]
    room = node.node.hub.room("table")
    for later in (90_000, 120_000):
        room.due_at = node.node.hub.now() + later
        node.ahead_ms += later - 1
        clock._ring()
        assert clock._expected == [(room.due_at, "table")]
