"""What an acknowledged move survives: the store's disk, a replica, and a failover to it."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.process.embedded_valkey import EmbeddedValkey
from server.process.settings import BadSetting, Settings
from server.process.store_check import check_store
from server.store import keys
from server.store.answers import StoreLost
from server.store.open_store import open_store
from server.tables.rooms.sync import UNAVAILABLE_MS
from server.tables.state.entries import Moved, decode_entries
from tests.client import Client, eventually, fill
from tests.server.conftest import Start
from tests.server.store.playing import insist_on_moves, play_one
from tests.server.tables.test_tables import asked, table_of
from tests.stores import (
    HOST,
    IMPATIENT_MS,
    PATIENT_MS,
    Cluster,
    StoreProcess,
    Watched,
    command,
    free_ports,
    node_id,
    wait_until,
)

SEED = 18
MOST_MOVES = 15  # with which a game is not over yet


class Pair:
    """A primary and its replica, which is in step."""

    def __init__(self, folder: Path) -> None:
        ports = free_ports(2)
        self.primary = StoreProcess(folder, ports[0], repl_diskless_sync_delay="0")
        self.replica = StoreProcess(folder, ports[1], replicaof=f"{HOST} {ports[0]}")
        wait_until(lambda: self.replica.client.info("replication")["master_link_status"] == "up")

    def in_replica(self, table: str) -> int:
        """How many entries of a table the replica has."""
        return int(command(self.replica.client, "XLEN", keys.table_log(table)))

    def stop(self) -> None:
        self.replica.stop()
        self.primary.stop()


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    pair = Pair(tmp_path)
    yield pair
    pair.stop()


async def test_the_embedded_store_syncs_every_write_at_durability_disk(tmp_path: Path, start: Start) -> None:
    store = EmbeddedValkey(tmp_path / "data", durability="disk")
    store.start()
    try:
        assert check_store(store.url, "disk") == store.url
        node = await start(url=store.url, durability="disk")
        clients = [await node.join(name) for name in "ABC"]
        assert clients[0].welcome["durability"] == "disk"
        await play_one(clients, await table_of(clients), random.Random(SEED))
        await node.stop()
    finally:
        store.stop()


async def test_a_store_that_does_not_sync_every_write_is_refused(store_url: str) -> None:
    with pytest.raises(BadSetting, match="set appendonly yes and appendfsync always"):
        check_store(store_url, "disk")
    with pytest.raises(StoreLost, match="does not run with appendonly yes and appendfsync always"):
        await open_store(store_url, "node", "disk").start()


def test_replica_without_a_replica_is_refused(tmp_path: Path, store_url: str) -> None:
    with pytest.raises(BadSetting, match="the store at REDIS_URL has no replica"):
        check_store(store_url, "replica")
    with pytest.raises(BadSetting, match="the embedded store has no replica"):
        EmbeddedValkey(tmp_path, durability="replica").start()


def test_another_durability_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DURABILITY", "disc")
    with pytest.raises(BadSetting, match="has to be one of process, disk, replica"):
        Settings.from_environment()


async def test_a_move_is_acknowledged_after_a_replica_has_it(start: Start, pair: Pair) -> None:
    assert check_store(pair.primary.url, "replica") == pair.primary.url
    here, there = [await start(url=pair.primary.url, durability="replica") for _ in range(2)]
    clients = [await here.join("A"), await there.join("B"), await here.join("C")]
    assert clients[0].welcome["durability"] == "replica"
    table, chance = await table_of(clients), random.Random(SEED)
    for _ in range(10):
        n = await play_one(clients, table, chance)
        assert pair.in_replica(table) >= n


async def test_a_batch_of_moves_waits_once(start: Start, pair: Pair) -> None:
    node = await start(url=pair.primary.url, durability="replica")
    clients = [await node.join(name) for name in "ABC"]
    tables, chance = [await table_of(clients) for _ in range(8)], random.Random(SEED)
    command(pair.primary.client, "CONFIG", "RESETSTAT")
    sent = []
    for table in tables:
        mover = next(client for client in clients if asked(client, table))
        ask = mover.updates(table)[-1]["ask"]
        move = fill(ask["offers"][0], chance)
        sent.append((mover, await mover.send("move", table=table, ask=ask["n"], key="k", move=move)))
    answers = [await mover.answer(number) for mover, number in sent]
    assert [answer["type"] for answer in answers] == ["ok"] * len(tables)
    stats = pair.primary.client.info("commandstats")
    assert stats["cmdstat_xadd"]["calls"] == len(tables)
    assert stats["cmdstat_wait"]["calls"] < len(tables)


async def test_without_a_replica_moves_are_unavailable_and_confirmed_later(start: Start, pair: Pair) -> None:
    node = await start(url=pair.primary.url, durability="replica")
    clients = [await node.join(name) for name in "ABC"]
    table, chance = await table_of(clients), random.Random(SEED)
    n = await play_one(clients, table, chance)
    pair.replica.signal(signal.SIGSTOP)
    mover = next(client for client in clients if asked(client, table))
    ask = mover.updates(table)[-1]["ask"]
    request = {"table": table, "ask": ask["n"], "key": "late", "move": fill(ask["offers"][0], chance)}
    for _ in range(2):  # the second one finds the first in the log, and that is no acknowledgement either
        refused = await mover.request("move", **request)
        assert (refused["code"], refused["retry_after_ms"]) == ("unavailable", UNAVAILABLE_MS)
    assert command(pair.primary.client, "XLEN", keys.table_log(table)) == n + 1
    assert all(client.updates(table)[-1]["n"] == n for client in clients)  # nobody has seen it
    pair.replica.signal(signal.SIGCONT)
    await eventually_acknowledged(mover, request, n + 1)
    for client in clients:
        await client.entry(table, n + 1)
    assert pair.in_replica(table) == n + 1


async def eventually_acknowledged(mover: Client, request: dict[str, object], n: int) -> None:
    """Send a move again until it is acknowledged with the number of its first attempt."""
    async with asyncio.timeout(10):
        while (answer := await mover.request("move", **request))["type"] == "error":
            assert answer["code"] == "unavailable"
    assert (answer["n"], answer["again"]) == (n, True)


def check_log(store: StoreProcess, table: str, moves: list[int]) -> None:
    """Check that the log in this store has no gap, and a move at the number of each acknowledged one."""
    assert moves == sorted(set(moves))  # the number of a move that was lost would be given again
    log = command(store.client, "XRANGE", keys.table_log(table), "-", "+")
    entries = dict(decode_entries((int(id.partition(b"-")[0]), fields[b"e"]) for id, fields in log))  # noqa: A001
    assert list(entries) == list(range(1, len(entries) + 1))
    assert all(isinstance(entries[n], Moved) for n in moves)


@pytest.mark.slow
async def test_a_failover_loses_no_acknowledged_move(start: Start, watched: Watched) -> None:
    """The old primary takes moves for a while after the new one was named: none of these is acknowledged."""
    here, there = [await start(url=watched.url, durability="replica") for _ in range(2)]
    clients = [await here.join("A"), await there.join("B"), await here.join("C")]
    table, chance = await table_of(clients), random.Random(SEED)
    moves = await insist_on_moves(clients, table, chance, 3)
    replicas = StoreProcess(watched.replica.folder.parent, free_ports(1)[0], replicaof=f"{HOST} {watched.replica.port}")
    try:
        command(watched.sentinels[0].client, "SENTINEL", "FAILOVER", "board")
        stores = [node.node.store.connections()[0] for node in (here, there)]
        async with asyncio.timeout(60):
            while not all(store.address.port == watched.replica.port for store in stores):
                if len(moves) < MOST_MOVES:
                    moves += await insist_on_moves(clients, table, chance, 1)
                await asyncio.sleep(0.1)
        moves += await insist_on_moves(clients, table, chance, 2)
    finally:
        replicas.stop()
    check_log(watched.replica, table, moves)


@pytest.mark.slow
async def test_the_death_of_a_primary_of_a_cluster_loses_no_acknowledged_move(start: Start, cluster: Cluster) -> None:
    here, there = [await start(url=cluster.url, durability="replica") for _ in range(2)]
    clients = [await here.join("A"), await there.join("B"), await here.join("C")]
    table, chance = await table_of(clients), random.Random(SEED)
    moves = await insist_on_moves(clients, table, chance, 5)
    primary = cluster.owner(keys.table_log(table))
    replica = cluster.replicas[cluster.primaries.index(primary)]
    cluster.set_node_timeout(IMPATIENT_MS)
    primary.kill()
    await eventually(lambda: replica.client.info("replication")["role"] == "master")
    cluster.set_node_timeout(PATIENT_MS)
    primary.start_again()  # as the replica of its replica, without which no move is acknowledged
    moves += await insist_on_moves(clients, table, chance, 3)
    check_log(replica, table, moves)


async def test_the_clients_of_a_service_are_told_its_durability(start: Start) -> None:
    node = await start()
    client = await node.join("A")
    assert client.welcome["durability"] == "process"


def test_a_cluster_of_which_one_primary_has_no_replica_is_refused(cluster: Cluster) -> None:
    """Though the node that is asked first has one."""
    assert check_store(cluster.url, "replica") == cluster.url
    primaries = [one for one in cluster.nodes if one.client.info("replication")["role"] == "master"]
    bare = next(one for one in primaries if one not in cluster.nodes[:2])
    (at,) = (str(one["port"]) for name, one in bare.client.info("replication").items() if name.startswith("slave"))
    replica = next(one for one in cluster.nodes if str(one.port) == at)
    for node in cluster.nodes:
        node.client.config_set("cluster-allow-replica-migration", "no")
    try:
        command(replica.client, "CLUSTER", "REPLICATE", node_id(next(one for one in primaries if one is not bare)))
        wait_until(lambda: not bare.client.info("replication")["connected_slaves"])
        with pytest.raises(BadSetting, match=f"the primary {HOST}:{bare.port} of the store at REDIS_URL has no repl"):
            check_store(cluster.url, "replica")
    finally:
        command(replica.client, "CLUSTER", "REPLICATE", node_id(bare))
        wait_until(lambda: bare.client.info("replication")["connected_slaves"])
