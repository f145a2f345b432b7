"""The service over a real primary with a replica and three sentinels, through failovers."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Callable

import pytest

from server.process.settings import BadSetting
from server.process.store_check import check_store
from server.store import keys
from server.store.address import StoreUrl
from server.store.answers import StoreLost
from server.store.open_store import open_store
from server.store.sentinel_server import SentinelServer
from tests.client import WAIT_S, Client, eventually
from tests.server.conftest import Start
from tests.server.store.playing import insist, insist_on_moves
from tests.server.tables.test_tables import table_of
from tests.stores import Watched, command, wait_for_replica

SEED = 17


def ask_for_failover(watched: Watched) -> None:
    command(watched.sentinels[0].client, "SENTINEL", "FAILOVER", "board")


def kill_primary(watched: Watched) -> None:
    watched.primary.kill()


def stop_primary(watched: Watched) -> None:
    watched.primary.signal(signal.SIGSTOP)


@pytest.mark.slow
@pytest.mark.parametrize("fail", [ask_for_failover, kill_primary, stop_primary])
async def test_a_game_goes_on_with_the_new_primary(
    start: Start, watched: Watched, fail: Callable[[Watched], None]
) -> None:
    here, there = await start(url=watched.url), await start(url=watched.url)
    clients = [await here.join("A"), await here.join("B"), await there.join("C")]
    table, chance = await table_of(clients), random.Random(SEED)
    before = await insist_on_moves(clients, table, chance, 3)
    wait_for_replica(watched.primary, watched.replica)
    fail(watched)
    if fail is ask_for_failover:  # what the old primary takes until the nodes leave it may be lost: test_durability.py
        stores = [node.node.store.connections()[0] for node in (here, there)]
        await eventually(lambda: all(store.address.port == watched.replica.port for store in stores))
    moves = await insist_on_moves(clients, table, chance, 4)
    assert watched.replica.client.info("replication")["role"] == "master"
    entries = command(watched.replica.client, "XRANGE", keys.table_log(table), "-", "+")
    numbers = [int(id.partition(b"-")[0]) for id, _ in entries]  # noqa: A001
    assert numbers == list(range(1, moves[-1] + 1))
    assert set(before + moves) <= set(numbers)
    other: Client = await there.join("D")
    assert (await insist(other, "create", game="cheesedog", seats=3))["type"] == "ok"


async def test_a_replica_is_found_as_soon_as_a_sentinel_promotes_it(watched: Watched) -> None:
    """The sentinels name it a second later, when they have asked it for its role."""
    for sentinel in watched.sentinels:
        for name in ("down-after-milliseconds", "failover-timeout"):
            command(sentinel.client, "SENTINEL", "SET", "board", name, 600_000)
    server = SentinelServer(StoreUrl.parse(watched.url))
    assert (await server.find()).port == watched.primary.port
    watched.replica.signal(signal.SIGSTOP)  # so that it does not get that far
    ask_for_failover(watched)
    async with asyncio.timeout(WAIT_S):
        while (await server.find()).port != watched.replica.port:
            await asyncio.sleep(0.01)
    for sentinel in watched.sentinels:
        named = command(sentinel.client, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", "board")
        assert int(named[1]) == watched.primary.port


async def test_sentinels_that_do_not_answer_are_left_out(watched: Watched) -> None:
    watched.sentinels[0].signal(signal.SIGSTOP)
    watched.sentinels[1].kill()
    assert (await SentinelServer(StoreUrl.parse(watched.url)).find()).port == watched.primary.port


async def test_a_server_that_is_not_the_primary_is_refused(watched: Watched) -> None:
    for sentinel in watched.sentinels:
        command(sentinel.client, "SENTINEL", "REMOVE", "board")
        command(sentinel.client, "SENTINEL", "MONITOR", "board", "127.0.0.1", watched.replica.port, 2)
    with pytest.raises(StoreLost, match="is not the primary"):
        await open_store(watched.url).start()


def test_the_primary_is_checked_at_the_start(watched: Watched) -> None:
    assert check_store(watched.url) == watched.url
    with pytest.raises(BadSetting, match="no primary named 'bread'"):
        check_store(watched.url.replace("/board", "/bread"))
