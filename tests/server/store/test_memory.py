"""When the store's memory runs out, new tables are refused first, and running games go on as long as possible."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
import redis

from server.process.embedded_valkey import EmbeddedValkey
from server.store import memory
from tests.client import fill
from tests.server.conftest import Running
from tests.server.tables.test_tables import one_move, people, table_of

SEED = 20261116


@pytest.fixture
def client(embedded: EmbeddedValkey, store_url: str) -> Iterator[redis.Redis]:
    """A client of the store, which has its old limit again after the test."""
    with redis.Redis(unix_socket_path=str(embedded.socket)) as client:
        before = client.config_get("maxmemory")["maxmemory"]
        yield client
        client.config_set("maxmemory", before)


async def test_new_tables_are_refused_first_and_running_games_go_on(
    node: Running, client: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    clients = await people(node)
    table = await table_of(clients)
    client.config_set("maxmemory", int(client.info("memory")["used_memory"] / (memory.MAX_USED + 0.05)))
    await node.node.memory.check()
    for more in ({}, {"bots": "random"}, {"seat": None}):
        refused = await clients[0].request("create", game="cheesedog", seats=3, **more)
        assert (refused["code"], refused["retry_after_ms"]) == ("unavailable", 60_000)
        assert "no room for new tables" in refused["message"]
    refused = await clients[0].request("token", name="Bot")
    assert (refused["code"], refused["retry_after_ms"]) == ("unavailable", 60_000)
    refused = await clients[0].request("remark", table="t" * 16, n=1, text="a remark")
    assert "no room for new tables, bots and remarks" in refused["message"]
    chance = Random(SEED)
    for _ in range(5):
        await one_move(clients, table, chance)
    assert "no new tables are opened" in caplog.text
    client.config_set("maxmemory", 0)
    await node.node.memory.check()
    assert (await clients[0].request("create", game="cheesedog", seats=3))["type"] == "ok"


async def test_a_store_that_is_full_refuses_moves_until_it_has_memory_again(node: Running, client: redis.Redis) -> None:
    clients = await people(node)
    table = await table_of(clients)
    mover = next(one for one in clients if "ask" in one.updates(table)[-1])
    ask = mover.updates(table)[-1]["ask"]
    move = fill(ask["offers"][0], Random(SEED))
    client.config_set("maxmemory", 1)
    refused = await mover.request("move", table=table, ask=ask["n"], key="k", move=move)
    assert refused["code"] == "unavailable"
    client.config_set("maxmemory", 0)
    assert (await mover.request("move", table=table, ask=ask["n"], key="k", move=move))["type"] == "ok"


async def test_a_store_without_a_limit_is_never_scarce(node: Running, client: redis.Redis) -> None:
    client.config_set("maxmemory", 0)
    await node.node.memory.check()
    assert (node.node.memory.used, node.node.memory.is_scarce) == (0.0, False)


async def test_the_last_answer_stays_when_the_store_is_away(node: Running, client: redis.Redis) -> None:
    client.config_set("maxmemory", client.info("memory")["used_memory"])
    await node.node.memory.check()
    assert node.node.memory.is_scarce
    await node.node.store.close()
    await node.node.memory.check()
    assert node.node.memory.is_scarce
