"""Deadlines, stand-ins and outages, with a clock that the tests move."""

from __future__ import annotations

import asyncio
import contextlib
import random

import msgspec
import pytest
import redis

from games import GAMES
from games.core import no_beat
from protocol import messages
from server.store import keys
from server.store.answers import StoreLost, Then
from server.tables.due_tables import RECHECK_MS
from server.tables.state.deadlines import BOT_MS, OPEN_CHECK_MS, SPEED_MS, seat_deadlines
from tests.client import Client, eventually, fill
from tests.playout import table_size
from tests.server.conftest import Running, Start
from tests.server.tables.test_tables import asked, one_move, people, table_of

WITH_BEATS = [name for name, game in GAMES.items() if game.beat is not no_beat]


async def late(node: Running, client: Client, table: str, ms: int) -> dict[str, object]:
    """Let this much time pass, have the deadlines checked, and return the update that follows."""
    heard = len(client.received)
    await node.later(ms)
    return await client.next("update", heard, table=table)


def set_clock(node: Running, now: int) -> None:
    """Stop the clock of a node at this moment."""
    node.node.clock.now = lambda: now


def test_every_speed_of_the_protocol_has_a_time_and_no_other_speed_has() -> None:
    assert set(SPEED_MS) == set(messages.SPEEDS)


async def test_the_game_chooses_the_move_of_a_seat_that_is_out_of_time(node: Running) -> None:
    clients = await people(node)
    table = await table_of(clients, speed="blitz")
    blitz = SPEED_MS["blitz"]
    assert blitz
    mover = next(client for client in clients if asked(client, table))
    before = mover.updates(table)[-1]
    assert 0 < before["ask"]["left_ms"] <= blitz
    update = await late(node, mover, table, blitz + 50)
    assert (update["by"], update["seat"], update["n"]) == ("clock", mover.last("table")["you"], before["n"] + 1)


async def test_a_node_checks_a_table_at_its_deadline(node: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also after each move that the clock makes, and without the periodic check of all tables."""
    monkeypatch.setitem(SPEED_MS, "blitz", 200)
    clients = await people(node)
    table = await table_of(clients, speed="blitz")
    first = (await clients[0].until(lambda m: m["type"] == "update" and "view" in m))["n"]  # the start of the game
    by_clock = 0
    for n in range(first + 1, first + 9):
        update = await clients[0].next("update", 0, table=table, n=n)
        assert update["by"] in ("clock", "house")  # the house gives time back when this machine was too busy
        by_clock += update["by"] == "clock"
        if by_clock == 3:
            break
    assert by_clock == 3


async def test_in_the_last_millisecond_a_move_is_in_time_and_after_it_is_late(node: Running) -> None:
    clients = await people(node)
    table = await table_of(clients, speed="blitz")
    mover = next(client for client in clients if asked(client, table))
    ask = mover.updates(table)[-1]["ask"]
    room = node.node.rooms.get(table)
    assert room.table
    seat = mover.last("table")["you"]
    due = seat_deadlines(room.table)[seat]
    assert due is not None
    move = fill(ask["offers"][0], random.Random(1))
    set_clock(node, due + 1)
    node.node.clock.heartbeat_at = due
    too_late = await mover.request("move", table=table, ask=ask["n"], key="k", move=move)
    assert too_late["code"] in ("stale_ask", "not_asked")
    for client in clients:
        await client.entry(table, ask["n"] + 1)
    other = next(client for client in clients if asked(client, table) and client.updates(table)[-1]["n"] > ask["n"])
    ask = other.updates(table)[-1]["ask"]
    due = seat_deadlines(room.table)[other.last("table")["you"]]
    assert due is not None
    set_clock(node, due)
    move = fill(ask["offers"][0], random.Random(1))
    in_time = await other.request("move", table=table, ask=ask["n"], key="k", move=move)
    assert in_time["type"] == "ok"


async def test_after_two_absences_a_stand_in_plays_the_seat_until_its_owner_acts(start: Start, store_url: str) -> None:
    node = await start()
    clients = await people(node)
    table = await table_of(clients, speed="blitz")
    blitz = SPEED_MS["blitz"]
    assert blitz
    first = next(client for client in clients if asked(client, table))
    seat = first.last("table")["you"]
    while "stand_in" not in first.last("table")["seats"][seat]:
        mover = next(client for client in clients if asked(client, table))
        if mover is first:
            update = await late(node, first, table, blitz + 50)
            for client in clients:
                await client.entry(table, int(str(update["n"])))
            room = node.node.rooms.get(table).table
            assert room
            if room.chairs[seat].absences >= 2:
                await first.until(lambda m: m["type"] == "table" and "stand_in" in m["seats"][seat])
        else:
            ask = mover.updates(table)[-1]["ask"]
            move = fill(ask["offers"][0], random.Random(1))
            done = await mover.request("move", table=table, ask=ask["n"], key=str(ask["n"]), move=move)
            for client in clients:
                await client.next("update", 0, n=done["n"])
    room = node.node.rooms.get(table).table
    assert room
    stand_in = room.chairs[seat].stand_in
    assert stand_in
    with redis.Redis.from_url(store_url) as store:
        await eventually(lambda: store.sismember(f"user:{stand_in}:tables", table))
    back = await first.request("back", table=table)
    assert back["type"] == "ok"
    info = await first.until(
        lambda m: m["type"] == "table" and "stand_in" not in m["seats"][seat], first.received.index(back) - 1
    )
    assert info["seats"][seat]["name"] == first.user["name"]
    with redis.Redis.from_url(store_url) as store:
        await eventually(lambda: not store.sismember(f"user:{stand_in}:tables", table))


async def test_p35_a_seat_that_changes_hands_repeatedly_gets_new_time_only_once(node: Running) -> None:
    clients = await people(node)
    table = await table_of(clients)
    mover = next(client for client in clients if asked(client, table))
    seat = mover.last("table")["you"]
    deadlines = []
    for _ in range(4):
        node.ahead_ms += 5_000
        for request in ("leave", "back"):
            assert (await mover.request(request, table=table))["type"] == "ok"
        room = node.node.rooms.get(table).table
        assert room
        deadlines.append(seat_deadlines(room)[seat])
    assert len(set(deadlines)) == 1


async def test_leaving_a_running_game_hands_the_seat_over_at_once(node: Running) -> None:
    clients = await people(node)
    table = await table_of(clients)
    await clients[2].request("leave", table=table)
    info = await clients[0].until(lambda m: m["type"] == "table" and "stand_in" in m["seats"][2])
    assert info["seats"][2]["name"] == "Player 2"


async def test_the_clock_moves_for_a_dead_bot_when_its_time_is_over(node: Running) -> None:
    client = await node.join()
    made = await client.request("create", game="cheesedog", seats=3, bots="rookie", speed="untimed")
    await client.request("open", table=made["table"])
    await client.next("table", 0, status="running")
    chance = random.Random(1)
    for _ in range(50):
        ask = asked(client, made["table"])
        if ask is None:
            break
        assert "left_ms" not in ask
        move = fill(ask["offers"][0], chance)
        done = await client.request("move", table=made["table"], ask=ask["n"], key=str(ask["n"]), move=move)
        await client.entry(made["table"], done["n"])
    ((seat, left_ms),) = client.updates(made["table"])[-1]["acting"]
    assert seat != client.last("table")["you"]
    assert 0 < left_ms <= BOT_MS
    before = client.updates(made["table"])[-1]["n"]
    await node.later(BOT_MS - 5_000)
    await node.node.rooms.settle()
    assert client.updates(made["table"])[-1]["n"] == before
    moved = await late(node, client, made["table"], 5_050)
    assert (moved["by"], moved["seat"], moved["n"]) == ("clock", seat, before + 1)


async def test_p5_no_clock_runs_while_the_service_is_away(start: Start, store_url: str) -> None:
    node = await start()
    clients = await people(node)
    table = await table_of(clients, speed="blitz")
    blitz = SPEED_MS["blitz"]
    assert blitz
    mover = next(client for client in clients if asked(client, table))
    heard = len(mover.received)
    node.ahead_ms += 3_600_000
    await node.node.due_tables.check_all()
    update = await mover.next("update", heard)
    assert update["by"] == "house"
    assert update["ask"]["left_ms"] > blitz / 2
    late_now = await late(node, mover, table, blitz + 50)
    assert late_now["by"] == "clock"


async def test_a_gap_between_beats_is_an_outage(node: Running) -> None:
    await node.node.due_tables.check_all()
    known = node.node.clock.heartbeats.outages
    node.ahead_ms += 60_000
    await node.node.due_tables.check_all()
    assert len(node.node.clock.heartbeats.outages) == len(known) + 1
    begin, end = node.node.clock.heartbeats.outages[-1]
    assert 55_000 < end - begin < 65_000


async def test_an_open_table_without_anybody_present_is_closed(node: Running) -> None:
    client = await node.join()
    made = await client.request("create", game="cheesedog", seats=4)
    watcher = await node.join("Watcher")
    await watcher.request("lobby", on=True)
    await client.close()
    await node.later(OPEN_CHECK_MS + 1000)
    await watcher.until(lambda m: m["type"] == "tables" and made["table"] in m.get("gone", ()))
    await watcher.request("open", table=made["table"])
    assert (await watcher.next("table", 0))["status"] == "closed"


async def test_house_bots_alone_do_not_keep_a_table_open(node: Running) -> None:
    tokens = await node.node.accounts.new_house_tokens()
    bots = {user: await node.join(token=token) for user, token in tokens.items()}
    host = await node.join("Hilda")
    table = (await host.request("create", game="cheesedog", seats=4))["table"]
    await host.request("bot", table=table, seat=1)
    room = node.node.rooms.get(table)
    assert room.table
    bot = bots[room.table.chairs[1].user or ""]
    await bot.request("open", table=table)
    for here, status in ((True, "open"), (False, "closed")):
        if here:
            await host.request("open", table=table)
        else:
            await host.close()
            await eventually(lambda: room.viewers.points.keys() == {1})
        node.ahead_ms += OPEN_CHECK_MS + 1000
        node.node.presence.report(room)
        await node.later(0)
        await eventually(lambda: not room.working and not node.node.due_tables.tasks)
        assert room.table.status == status


async def test_p35_an_ask_says_how_long_pages_still_show_what_led_to_it(node: Running) -> None:
    set_clock(node, node.node.clock.now())
    clients = await people(node, 2)
    table = await table_of(clients, "diced_cheese", options={"variant": "classic"})
    mover = next(client for client in clients if asked(client, table))
    before = mover.updates(table)[-1]["ask"]
    normal = SPEED_MS["normal"]
    assert normal
    assert before["shown_ms"] == before["left_ms"] - normal == 2000, "who starts is played out first"
    roll = fill(before["offers"][0], random.Random(1))
    done = await mover.request("move", table=table, ask=before["n"], key="1", move=roll)
    asks = [(await client.next("update", 0, n=done["n"])).get("ask") for client in clients]
    (ask,) = [ask for ask in asks if ask]
    assert ask["shown_ms"] == ask["left_ms"] - normal > 0


async def test_p35_a_race_starts_for_all_seats_at_once(node: Running) -> None:
    fixed = node.node.clock.now()
    node.node.clock.now = lambda: fixed
    clients = await people(node, 2)
    table = await table_of(clients, "diced_cheese", options={"variant": "speed"})
    asks = [client.updates(table)[-1]["ask"] for client in clients]
    assert [(ask["wait_ms"], ask["left_ms"]) for ask in asks] == [(3000, 48_000)] * 2
    fixed += 2999
    for client, ask in zip(clients, asks, strict=True):
        roll = {"table": table, "ask": ask["n"], "key": "1", "move": fill(ask["offers"][0], random.Random(1))}
        no = await client.request("move", **roll)
        assert (no["code"], no["retry_after_ms"]) == ("too_soon", 1)
    fixed += 1
    done = await clients[0].request("move", **{**roll, "ask": asks[0]["n"]})
    assert done["type"] == "ok"
    assert "wait_ms" not in (await clients[0].next("update", 0, n=done["n"]))["ask"]


async def test_p35_no_time_passes_while_dice_tumble(node: Running) -> None:
    fixed = node.node.clock.now()
    node.node.clock.now = lambda: fixed
    clients = await people(node, 2)
    table = await table_of(clients, "diced_cheese", options={"mishaps": False})
    roller = next(client for client in clients if client.updates(table)[-1].get("ask"))
    ask = roller.updates(table)[-1]["ask"]
    assert ask["left_ms"] == 45_000 + 2000, "who starts is played out before the first roll"
    fixed += 2000
    roll = {"table": table, "ask": ask["n"], "key": "1", "move": fill(ask["offers"][0], random.Random(1))}
    done = await roller.request("move", **roll)
    update = await roller.next("update", 0, n=done["n"])
    assert [left for _, left in update["acting"]] == [45_000 + 1800]


@pytest.mark.parametrize("name", WITH_BEATS)
async def test_p35_no_deadline_passes_while_a_beat_is_played(
    node: Running, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setitem(SPEED_MS, "blitz", 1)  # all that a seat has is the time of the beats

    async def check_nothing(_: object) -> None:
        pass

    monkeypatch.setattr("server.tables.due_tables.DueTables.check_all", check_nothing)
    fixed = node.node.clock.now()
    node.node.clock.now = lambda: fixed
    clients, chance = await people(node, table_size(GAMES[name])), random.Random(name)
    table = await table_of(clients, name, speed="blitz")
    beats = 0
    while beats < 8:
        held = node.node.rooms.get(table).table
        assert held
        if held.status != "running":
            break
        events = (await clients[0].entry(table, held.n)).get("events", ())
        beat = held.game.beat(held.state, tuple(msgspec.convert(event, held.game.events) for event in events))
        if beat is not None:
            beats += 1
            for seat, due in seat_deadlines(held).items():
                limit = held.game.limit(held.state)
                assert limit or due is None or due > held.at + beat.ms, f"{name}, seat {seat}, {events}"
        fixed += 0 if beat is None else beat.ms
        await one_move(clients, table, chance)
    assert beats


@pytest.mark.parametrize("pause_ms", [400])
async def test_dic_15_a_seat_may_roll_once_in_400_ms(node: Running, pause_ms: int) -> None:
    clients = await people(node, 2)
    table = await table_of(clients, "diced_cheese", options={"variant": "speed"})
    fixed = node.node.clock.now() + 3000  # the race has started
    node.node.clock.now = lambda: fixed
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


async def test_a_table_is_scheduled_once_however_often_its_deadline_moves(node: Running) -> None:
    clock, now = node.node.clock, node.node.clock.now()
    clock.now = lambda: now  # the test is about the order of deadlines, so no time passes by itself
    for later in (60_000, 90_000, 60_000, 30_000, 45_000, 30_000):
        clock.schedule(now + later, "table")
    assert sorted(clock._heap) == [(now + 30_000, "table"), (now + 60_000, "table")]
    room = node.node.rooms.get("table")
    for later in (90_000, 120_000):
        room.deadline.at = now + later
        now += later - 1
        clock._ring()
        assert clock._heap == [(room.deadline.at, "table")]


@pytest.mark.parametrize("failing", ["record_node_heartbeat", "HGETALL", "XRANGE"])
async def test_a_claimed_table_that_cannot_be_checked_is_claimed_again_soon(
    node: Running, store_url: str, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    """Otherwise it is hidden from all nodes for three seconds."""
    clients = await people(node)
    table = await table_of(clients, speed="blitz")
    blitz = SPEED_MS["blitz"]
    assert blitz
    n = clients[0].updates(table)[-1]["n"]
    node.stop_clock()
    store = node.node.store
    send = store.send

    def fail(then: Then, *command: str | bytes | int) -> None:
        if failing in command[:2]:
            asyncio.get_running_loop().call_soon(then, StoreLost("the connection was lost"))
        else:
            send(then, *command)

    with monkeypatch.context() as broken:
        broken.setattr(store, "send", fail)
        with contextlib.suppress(StoreLost):
            await node.later(blitz + 50)
    key = keys.deadlines(keys.shard(table))
    await eventually(lambda: redis_score(store_url, key, table) <= node.node.clock.now() + RECHECK_MS)
    await node.later(RECHECK_MS + 50)
    assert (await clients[0].entry(table, n + 1))["by"] == "clock"


def redis_score(url: str, key: str, member: str) -> float:
    """The score of a member of a sorted set."""
    with redis.Redis.from_url(url) as store:
        score = store.zscore(key, member)
        assert isinstance(score, float)
        return score
