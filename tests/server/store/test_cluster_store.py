"""The service over a real cluster of three primaries with replicas: games, slot migrations and a failover."""

from __future__ import annotations

import asyncio
import random
import urllib.request

import hiredis
import pytest

from server.process.store_check import check_store
from server.store import keys
from server.store.answers import Answer, StoreLost
from server.store.cluster_map import Redirect
from server.store.cluster_store import ClusterStore, slot_of
from server.tables.state.deadlines import SPEED_MS
from tests.server.conftest import Start, free_limits
from tests.server.requests.test_bots import bot_of
from tests.server.store.playing import insist, insist_on_moves, play_one
from tests.server.tables.test_tables import ended_against_a_bot, table_of
from tests.stores import IMPATIENT_MS, PATIENT_MS, Cluster, command, node_id, wait_for_replica

SEED = 16


def lengths(cluster: Cluster, table: str) -> list[int]:
    """The numbers of the entries in a table's log."""
    key = keys.table_log(table)
    log = command(cluster.owner(key).client, "XRANGE", key, "-", "+")
    return [int(id.partition(b"-")[0]) for id, _ in log]  # noqa: A001


async def test_a_game_with_a_bot_the_lobby_and_a_replay(start: Start, cluster: Cluster) -> None:
    here, there = await start(url=cluster.url), await start(url=cluster.url)
    watcher = await there.join("Watcher")
    await watcher.request("lobby", on=True)
    host, _, table = await ended_against_a_bot(here)
    await watcher.until(lambda m: m["type"] == "tables" and table in m.get("gone", ()))
    await here.later(60_000)
    replay = f"{there.http}/replays/{table}.jsonl"
    text = await asyncio.to_thread(lambda: urllib.request.urlopen(replay).read().decode())
    assert text.count("\n") > 20
    assert (await host.request("rematch", table=table))["type"] == "ok"


async def test_tables_are_spread_among_the_primaries_and_seen_from_all_nodes(start: Start, cluster: Cluster) -> None:
    limits = free_limits(burst=1000)  # chance decides how many tables it takes
    here, there = await start(url=cluster.url, limits=limits), await start(url=cluster.url, limits=limits)
    clients = [await here.join("A"), await there.join("B"), await here.join("C")]
    served: set[int] = set()
    chance = random.Random(SEED)
    while len(served) < 3:
        table = await table_of(clients)
        served.add(cluster.owner(keys.table_log(table)).port)
        for _ in range(3):
            n = await play_one(clients, table, chance)
        assert lengths(cluster, table) == list(range(1, n + 1))
        received = len(clients[1].received)
        assert (await clients[0].request("say", table=table, text="hello"))["type"] == "ok"
        assert (await clients[1].next("chat", received, table=table))["text"] == "hello"


async def test_bots_are_made_invited_and_revoked(start: Start, cluster: Cluster) -> None:
    here, there = await start(url=cluster.url), await start(url=cluster.url)
    ada, host = await here.join("Ada"), await here.join("Hilda")
    bot = await bot_of(ada, there, plays={"games": ["cheesedog"], "tables": 2})
    made = await host.request("create", game="cheesedog", seats=3)
    assert (await host.request("invite", table=made["table"], seat=1, bot=bot.user["id"]))["type"] == "ok"
    await bot.next("invited", 0)
    assert (await bot.request("sit", table=made["table"]))["type"] == "ok"
    assert (await ada.request("revoke", bot=bot.user["id"]))["type"] == "ok"
    with pytest.raises(ConnectionError):
        await bot.until(lambda message: False)


async def test_a_slot_is_migrated_key_by_key_during_play(start: Start, cluster: Cluster) -> None:
    here, there = await start(url=cluster.url), await start(url=cluster.url)
    clients = [await here.join("A"), await here.join("B"), await there.join("C")]
    table, chance = await table_of(clients), random.Random(SEED)
    log = keys.table_log(table)
    await play_one(clients, table, chance)
    source = cluster.owner(log)
    target = next(node for node in cluster.primaries if node is not source and node.process.poll() is None)
    names = cluster.begin_migration(log, target)
    await play_one(clients, table, chance)
    cluster.migrate(source, target, log.encode())  # the log is at the new primary, the deadlines are not
    await play_one(clients, table, chance)
    await play_one(clients, table, chance)
    cluster.migrate(source, target, *(name for name in names if name != log.encode()))
    cluster.end_migration(log, source, target)
    for _ in range(3):
        n = await play_one(clients, table, chance)
    assert cluster.owner(log) is target
    assert lengths(cluster, table) == list(range(1, n + 1))


async def test_a_slot_is_migrated_at_once_during_play(start: Start, cluster: Cluster) -> None:
    """Valkey 9 migrates whole slots: clients see no ASK, only that the slot has moved."""
    here, there = await start(url=cluster.url), await start(url=cluster.url)
    clients = [await here.join("A"), await here.join("B"), await there.join("C")]
    table, chance = await table_of(clients), random.Random(SEED)
    log = keys.table_log(table)
    source = cluster.owner(log)
    target = next(node for node in cluster.primaries if node is not source and node.process.poll() is None)
    slot = (slot_of(log), slot_of(log))
    command(source.client, "CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", *slot, "NODE", node_id(target))
    moves = []
    while cluster.owner(log) is source:
        moves += await insist_on_moves(clients, table, chance, 1)
    moves += await insist_on_moves(clients, table, chance, 3)
    assert moves == sorted(set(moves))
    assert lengths(cluster, table) == list(range(1, moves[-1] + 1))


async def test_a_slot_that_has_a_nodes_counter_is_migrated(start: Start, cluster: Cluster) -> None:
    node = await start(url=cluster.url)
    clients = [await node.join(name) for name in "ABC"]
    table, chance = await table_of(clients), random.Random(SEED)
    await play_one(clients, table, chance)
    store = node.node.store
    assert isinstance(store, ClusterStore)
    counter = store.of_table(table).guard.key
    source = cluster.owner(counter)
    target = next(one for one in cluster.primaries if one is not source and one.process.poll() is None)
    cluster.migrate(source, target, *cluster.begin_migration(counter, target))
    cluster.end_migration(counter, source, target)
    n = (await insist_on_moves(clients, table, chance, 4))[-1]
    assert lengths(cluster, table) == list(range(1, n + 1))
    assert store.of_table(table).guard.key != counter or cluster.owner(keys.table_log(table)) is target


async def test_a_shard_that_cannot_be_asked_keeps_no_due_table_of_another_one_waiting(
    start: Start, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = await start(url=cluster.url)
    clients = [await node.join(name) for name in "ABC"]
    table = await table_of(clients, speed="blitz")
    n = clients[0].updates(table)[-1]["n"]
    store = node.node.store
    request = store.request

    def refuse_others(*command: str | bytes | int) -> asyncio.Future[Answer]:
        if command[:2] != ("FCALL", "claim_due") or command[3] == keys.deadlines(keys.shard(table)):
            return request(*command)
        refused = asyncio.get_running_loop().create_future()
        refused.set_result(hiredis.ReplyError("CLUSTERDOWN Hash slot not served"))
        return refused

    with monkeypatch.context() as broken:
        broken.setattr(store, "request", refuse_others)
        with pytest.raises(StoreLost, match="CLUSTERDOWN"):
            await node.later(SPEED_MS["blitz"] + 50)  # type: ignore[operator]
    assert (await clients[0].entry(table, n + 1))["by"] == "clock"


@pytest.mark.slow
async def test_a_primary_dies_during_play_and_its_replica_takes_over(start: Start, cluster: Cluster) -> None:
    here, there = await start(url=cluster.url), await start(url=cluster.url)
    clients = [await here.join("A"), await here.join("B"), await there.join("C")]
    chance = random.Random(SEED)
    table = await table_of(clients)
    other = table
    while cluster.owner(keys.table_log(other)) is cluster.owner(keys.table_log(table)):
        other = await table_of(clients)
    await insist_on_moves(clients, table, chance, 3)
    doubted: list[frozenset[int]] = []
    on_unverified = here.node.store.on_unverified
    here.node.store.on_unverified = lambda shards: (doubted.append(shards), on_unverified(shards))  # type: ignore[arg-type,func-returns-value]
    stalls: list[float] = []
    here.node.store.on_stalled = stalls.append
    primary = cluster.owner(keys.table_log(table))
    wait_for_replica(primary, cluster.replicas[cluster.primaries.index(primary)])
    cluster.set_node_timeout(IMPATIENT_MS)
    primary.kill()
    await insist_on_moves(clients, other, chance, 2)  # the other primaries go on as soon as the cluster does
    n = (await insist_on_moves(clients, table, chance, 4))[-1]
    assert lengths(cluster, table) == list(range(1, n + 1))
    assert keys.shard(table) in doubted[0]
    assert keys.shard(other) not in doubted[0]
    assert max(stalls) > IMPATIENT_MS / 2000, "P5: the players of the tables of the dead primary get that time back"
    cluster.set_node_timeout(PATIENT_MS)
    fresh = await there.join("D")
    assert (await insist(fresh, "open", table=table))["type"] == "ok"


def test_a_plain_url_of_a_node_of_a_cluster_is_recognised(cluster: Cluster, store_url: str) -> None:
    plain = cluster.replicas[0].url
    assert check_store(plain) == plain.replace("redis://", "redis+cluster://")
    assert check_store(cluster.url) == cluster.url
    assert check_store(store_url) == store_url


async def test_a_cluster_that_cannot_be_reached_is_an_error_at_the_start() -> None:
    with pytest.raises(StoreLost):
        await ClusterStore.at("redis+cluster://127.0.0.1:1").start()


def test_redirects_are_read() -> None:
    assert Redirect.parse("MOVED 3999 10.0.0.1:6381", "here") == (False, ("10.0.0.1", 6381))
    assert Redirect.parse("ASK 3999 :6381", "here") == (True, ("here", 6381))
    assert Redirect.parse("ERR unknown", "here") is None
