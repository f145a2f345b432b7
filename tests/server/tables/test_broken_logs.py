"""Logs that cannot be folded to their end, that vanished, or that this node has not read yet."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
from typing import Any

import pytest
import redis

from games import GAMES
from server.delivery.outbox import MAX_BUFFERED
from server.store import keys
from server.tables.state.entries import Closed, Opened, Resumed, encode_entry
from server.tables.state.fold_log import DAMAGED, RULES_CHANGED, VANISHED, fold_log
from tests.client import Client, eventually
from tests.server.conftest import NOT_COMPILED, Running, Start
from tests.server.tables.test_faults import settled
from tests.server.tables.test_tables import one_move, people, table_of
from tests.service import ROOT


async def table_with_moves(node: Running, moves: int = 4) -> tuple[list[Client], str]:
    clients = await people(node)
    table = await table_of(clients)
    for _ in range(moves):
        await one_move(clients, table, random.Random(1))
    return clients, table


def entry_ids(store_url: str, table: str) -> list[bytes]:
    with redis.Redis.from_url(store_url) as store:
        return [number for number, _ in store.xrange(keys.table_log(table))]


def remove_entry(store_url: str, table: str, index: int) -> None:
    """Remove one entry from a log, so that it has a gap."""
    with redis.Redis.from_url(store_url) as store:
        store.xdel(keys.table_log(table), entry_ids(store_url, table)[index])


def broken_logs(node: Running) -> float:
    return node.metric("cheeseboard_broken_logs_total")


async def test_a_log_with_a_gap_is_closed_with_a_reason(
    start: Start, store_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    here, other = await start(), await start()
    clients, table = await table_with_moves(here)
    remove_entry(store_url, table, -3)
    late = await other.join(token=clients[0].token)
    assert (await late.request("open", table=table))["type"] == "ok"
    info = await late.next("table", 0)
    assert (info["status"], info["closed"], info["you"]) == ("closed", DAMAGED, 0)
    refused = await late.request("leave", table=table)
    assert refused["code"] == "not_open"
    assert broken_logs(other) == 1
    lines = [record for record in caplog.records if "cannot be folded" in record.getMessage()]
    assert len(lines) in (1, 2)  # the node that had the table notices it by itself after ten seconds
    for line in lines:
        assert f"cheeseboard repair {table}" in line.getMessage()
        assert line.exc_info is None


async def test_viewers_of_a_table_whose_log_breaks_are_told(node: Running, store_url: str) -> None:
    clients, table = await table_with_moves(node)
    heard = len(clients[0].received)
    remove_entry(store_url, table, -3)
    node.node.report()
    info = await clients[0].next("table", heard, status="closed")
    assert info["closed"] == DAMAGED
    update = await clients[0].next("update", heard)
    assert "ask" not in update


async def test_an_entry_that_nobody_can_decode_closes_the_table(node: Running, store_url: str) -> None:
    clients, table = await table_with_moves(node)
    room = node.node.rooms.get(table)
    n = len(entry_ids(store_url, table))
    with redis.Redis.from_url(store_url) as store:
        store.xadd(keys.table_log(table), {"e": b"rubbish"}, id=f"{n + 1}-{room.sync.chain}")
    heard = len(clients[0].received)
    node.node.report()
    info = await clients[0].next("table", heard, status="closed")
    assert info["closed"] == DAMAGED
    assert room.table
    assert room.table.n == n


async def test_an_announcement_that_nobody_can_decode_closes_the_table_at_once(node: Running, store_url: str) -> None:
    clients, table = await table_with_moves(node)
    heard, n = len(clients[0].received), len(entry_ids(store_url, table)) + 1
    with redis.Redis.from_url(store_url) as store:
        store.xadd(keys.table_log(table), {"e": b"rubbish"}, id=f"{n}-0")
        store.execute_command("SPUBLISH", keys.table_channel(table), b"%d rubbish" % n)
    assert (await clients[0].next("table", heard, status="closed"))["closed"] == DAMAGED


async def test_a_broken_log_is_set_aside_once_and_kept_for_the_operator(start: Start, store_url: str) -> None:
    clients, table = await table_with_moves(await start())
    node = await start()
    remove_entry(store_url, table, -3)
    for _ in range(3):
        await node.later(60_000)
        await settled(node)
    assert broken_logs(node) == 1
    with redis.Redis.from_url(store_url) as store:
        assert store.zscore(keys.deadlines(keys.shard(table)), table) is None
        assert store.ttl(keys.table_log(table)) > 20 * 24 * 3600
        assert not store.sismember(keys.user_tables(clients[0].user["id"]), table)


async def test_a_log_without_a_good_first_entry_is_no_table(node: Running, store_url: str) -> None:
    with redis.Redis.from_url(store_url) as store:
        store.xadd(keys.table_log("nonsense"), {"e": b"rubbish"}, id="1-0")
        store.zadd(keys.deadlines(keys.shard("nonsense")), {"nonsense": 1})
        client = await node.join()
        assert (await client.request("open", table="nonsense"))["code"] == "no_table"
        for _ in range(2):
            await node.later(60_000)
            await settled(node)
        assert broken_logs(node) == 1
        assert store.zscore(keys.deadlines(keys.shard("nonsense")), "nonsense") is None


@pytest.mark.parametrize(("rules", "kept"), [(0, False), (99, True)])
async def test_a_table_with_unknown_rules_is_closed_and_left_to_a_newer_release(
    node: Running, store_url: str, rules: int, kept: bool
) -> None:
    opened = Opened(node.node.clock.now(), "cheesedog", {}, 3, "blitz", True, "u", "code", bytes(32), rules=rules)
    with redis.Redis.from_url(store_url) as store:
        store.xadd(keys.table_log("foreign"), {"e": encode_entry(opened)}, id="1-0")
        store.xadd(keys.table_log("foreign"), {"e": b"an entry of that release"}, id="2-0")
        store.zadd(keys.deadlines(keys.shard("foreign")), {"foreign": 1})
        client = await node.join()
        await client.request("open", table="foreign")
        info = await client.next("table", 0)
        assert (info["status"], info["closed"], info["game"]) == ("closed", RULES_CHANGED, "cheesedog")
        await node.later(0)
        await settled(node)
        assert (store.zscore(keys.deadlines(keys.shard("foreign")), "foreign") is not None) == kept
        assert (store.ttl(keys.table_log("foreign")) == -1) == kept


async def test_a_new_table_records_the_version_of_its_rules(node: Running) -> None:
    client = await node.join()
    for name, game in GAMES.items():
        table = (await client.request("create", game=name, seats=game.seats.start))["table"]
        room = node.node.rooms.get(table).table
        assert room
        assert room.opened.rules == game.version


async def test_v11_those_who_watch_a_table_that_vanished_are_told(start: Start, store_url: str) -> None:
    here, other = await start(), await start()
    clients, table = await table_with_moves(here)
    watcher = await other.join("W")
    await watcher.request("open", table=table)
    heard = [len(clients[0].received), len(watcher.received)]
    with redis.Redis.from_url(store_url) as store:
        store.delete(keys.table_log(table))
    for _ in range(2):
        for node in (here, other):
            node.node.report()
            await node.node.store.call("PING")
            await node.node.rooms.settle()
    for client, before in zip((clients[0], watcher), heard, strict=True):
        info = await client.next("table", before, status="closed")
        assert info["closed"] == VANISHED
        assert [m.get("closed") for m in client.received[before:]].count(VANISHED) == 1
    assert (await watcher.request("open", table=table))["code"] == "no_table"


async def test_viewers_of_a_finished_table_are_not_disturbed_when_its_log_expires(
    node: Running, store_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    client = await node.join()
    table = (await client.request("create", game="cheesedog", seats=3, seat=0))["table"]
    await client.request("open", table=table)
    await client.request("leave", table=table)
    await client.next("table", 0, status="closed")
    heard = len(client.received)
    with redis.Redis.from_url(store_url) as store:
        store.delete(keys.table_log(table))
    node.node.report()
    await client.request("ping")
    await eventually(lambda: node.node.rooms.get(table).table is None)
    assert [m for m in client.received[heard:] if m["type"] == "table"] == []
    assert "lost entries" not in caplog.text


async def test_a_slow_viewer_that_is_cut_during_a_reload_concerns_nobody_else(node: Running, store_url: str) -> None:
    clients, table = await table_with_moves(node)
    room = node.node.rooms.get(table)
    slow = next(viewer for viewer in room.viewers._seats if viewer.user == clients[0].user["id"])
    slow.outbox.ready = False
    slow.outbox._transport = Clogged(slow.outbox._transport)
    heard = len(clients[1].received)
    room.sync.forget()
    room.sync.catch_up()
    await clients[1].next("update", heard)
    await eventually(lambda: slow not in room.viewers)
    assert room.sync.fault is None
    assert room.table
    assert room.table.status == "running"


class Clogged:
    """A transport whose client reads nothing."""

    def __init__(self, transport: Any) -> None:
        self._transport = transport

    def get_write_buffer_size(self) -> int:
        return MAX_BUFFERED + 1

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


@NOT_COMPILED
async def test_what_goes_wrong_while_showing_is_no_fault_of_the_log(
    node: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    clients, table = await table_with_moves(node)
    node.stop_clock()  # so that nothing else looks at the table
    room = node.node.rooms.get(table)

    def fail(*_: object) -> None:
        raise RuntimeError("showing fails")

    with monkeypatch.context() as failing:
        failing.setattr(room.viewers, "show_all", fail)
        room.sync.forget()
        await one_move(clients, table, random.Random(0))  # which waits for the log to be read
    assert room.sync.fault is None
    await one_move(clients, table, random.Random(1))


async def test_a_user_who_sat_down_at_one_node_can_leave_at_another_that_has_not_heard_of_it(start: Start) -> None:
    here, other = await start(), await start()
    host = await here.join("Hilda")
    table = (await host.request("create", game="cheesedog", seats=4, seat=0))["table"]
    user = await here.join("U")
    there = await other.join(token=user.token)
    await there.request("open", table=table)
    other.node.pubsub.unsubscribe(keys.table_channel(table))
    assert (await user.request("sit", table=table))["type"] == "ok"
    assert (await there.request("leave", table=table))["type"] == "ok"
    stranger = await other.join("S")
    assert (await stranger.request("leave", table=table))["code"] == "not_seated"


def test_a_log_is_folded_up_to_its_fault() -> None:
    opened = Opened(1, "cheesedog", {}, 3, "blitz", True, "u", "code", bytes(32))
    good = [(b"1-0", [b"e", encode_entry(opened)]), (b"2-0", [b"e", encode_entry(Closed(2, "over"))])]
    whole = fold_log("t", good)
    assert (whole.good, whole.fault) == (2, None)
    gap = fold_log("t", [good[0], (b"3-0", good[1][1])])
    assert gap.table
    assert gap.fault
    assert (gap.good, gap.table.n, gap.table.closed) == (1, 1, DAMAGED)
    assert gap.fault.detail == "entry 3-0 does not follow from entry 1-0"
    wrong = fold_log("t", [good[0], (b"2-0", [b"e", encode_entry(Resumed(2, 0, 5))])])
    assert wrong.fault
    assert (wrong.good, wrong.fault.reason) == (1, DAMAGED)
    assert "entry 2-0 cannot be folded" in wrong.fault.detail


async def repair(store_url: str, table: str, *more: str) -> str:
    """What `cheeseboard repair` prints."""
    command = [sys.executable, "-m", "server.process.cli", "repair", table, *more]
    environment = {**os.environ, "REDIS_URL": store_url}
    done = await asyncio.to_thread(
        subprocess.run, command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


async def test_the_operator_sees_and_mends_a_broken_log(start: Start, store_url: str) -> None:
    here, other = await start(), await start()
    clients, table = await table_with_moves(here)
    ids = [number.decode() for number in entry_ids(store_url, table)]
    assert "no fault" in await repair(store_url, table)
    remove_entry(store_url, table, -3)
    watcher = await other.join("W")
    await watcher.request("open", table=table)
    await watcher.next("table", 0, status="closed")
    await other.later(60_000)
    await settled(other)
    shown = await repair(store_url, table)
    good = len(ids) - 3
    assert f"entry {ids[-2]} does not follow from entry {ids[-4]}" in shown
    assert [line.split()[:2] for line in shown.splitlines() if line.startswith("  ")] == [
        *(["good", str(n)] for n in range(good - 2, good + 1)),
        ["bad", str(good + 2)],
        ["bad", str(good + 3)],
    ]
    assert "move=" not in shown
    heard = len(watcher.received)
    heard_by = [len(client.received) for client in clients]
    assert f"The table goes on after entry {good}." in await repair(store_url, table, "--truncate")
    info = await watcher.next("table", heard, status="running")
    assert "closed" not in info
    with redis.Redis.from_url(store_url) as store:
        assert store.ttl(keys.table_log(table)) == -1
        assert store.sismember(keys.user_tables(clients[0].user["id"]), table)
        assert store.zscore(keys.deadlines(keys.shard(table)), table) is not None
    assert "no fault" in await repair(store_url, table)
    here.node.report()
    # On a busy machine players may get time back meanwhile, which is an entry too.
    mended = range(good, len(ids))
    await eventually(lambda: (known := here.node.rooms.get(table).table) is not None and known.n in mended)
    await eventually(lambda: (known := here.node.rooms.get(table).table) is not None and known.status == "running")
    for client, since in zip(clients, heard_by, strict=True):
        await client.until(lambda m: (m["type"], m.get("table")) == ("update", table) and m["n"] in mended, since)
    await one_move(clients, table, random.Random(2))


async def test_there_is_nothing_to_repair_without_a_log(store_url: str) -> None:
    assert "there is no log of a table nowhere" in await repair(store_url, "nowhere")
