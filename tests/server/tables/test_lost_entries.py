"""A store that loses entries which this node or another one still believes in: no gap, no fork, no dead table."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import msgspec
import pytest
import redis

from bench.faults.client import is_whole
from server import app
from server.store import keys
from server.store.answers import StoreLost, Then
from server.store.table_log import NO_ENTRY, chain_after, entry_id, first_stray
from server.tables.rooms.sync import UNAVAILABLE_MS
from server.tables.state.entries import decode_entry, encode_entry
from tests.client import Client, eventually, fill
from tests.server.conftest import NOT_COMPILED, Running, Start
from tests.server.tables.test_tables import asked, one_move, table_of

SEED = 15


def ids(url: str, table: str) -> list[bytes]:
    """The ids of the entries in a table's log."""
    with redis.Redis.from_url(url) as store:
        return [id for id, _ in store.xrange(keys.table_log(table))]  # noqa: A001


def entries(url: str, table: str) -> list[Any]:
    with redis.Redis.from_url(url) as store:
        return list(store.xrange(keys.table_log(table)))


def numbers(url: str, table: str) -> list[int]:
    return [int(id.partition(b"-")[0]) for id in ids(url, table)]  # noqa: A001


def lose_last(url: str, table: str, count: int, node: str = "") -> list[tuple[bytes, dict[bytes, bytes]]]:
    """Remove the last entries of a log, as a failover to a replica that lags behind does; connections stay.

    The counters go back with everything else: those of all nodes, or of the only one that wrote something.
    """
    with redis.Redis.from_url(url) as store:
        key = keys.table_log(table)
        entries: list[Any] = store.xrange(key)
        store.delete(key)
        for id, fields in entries[:-count]:  # noqa: A001
            store.xadd(key, fields, id=id)
        for writer in [node.encode()] if node else store.hkeys(keys.WRITE_COUNTERS):
            store.hincrby(keys.WRITE_COUNTERS, writer, -count)
        return entries[-count:]


def some_move(client: Client, table: str, chance: random.Random) -> dict[str, Any]:
    """The fields of a move that a seat may make."""
    ask = client.updates(table)[-1]["ask"]
    move = fill(chance.choice(ask["offers"]), chance)
    return {"table": table, "ask": ask["n"], "key": f"{chance.random()}", "move": move}


async def move_once(client: Client, table: str, chance: random.Random) -> dict[str, Any]:
    return await client.request("move", **some_move(client, table, chance))


async def test_the_ids_of_entries_form_a_chain(node: Running, store_url: str) -> None:
    clients = [await node.join(name) for name in "ABC"]
    table = await table_of(clients)
    await one_move(clients, table, random.Random(SEED))
    with redis.Redis.from_url(store_url) as store:
        before = NO_ENTRY
        for n, (id, fields) in enumerate(store.xrange(keys.table_log(table)), 1):  # noqa: A001
            assert id == entry_id(n, chain_after(before))
            before = id, fields[b"e"]


@pytest.mark.parametrize("count", [1, 2, 3])
async def test_entries_lost_without_a_lost_connection_leave_no_gap(node: Running, store_url: str, count: int) -> None:
    chance = random.Random(SEED)
    clients = [await node.join(name) for name in "ABC"]
    table = await table_of(clients)
    for _ in range(6):
        last = await one_move(clients, table, chance)
    lose_last(store_url, table, count)
    mover = next(client for client in clients if asked(client, table))
    received = [len(client.received) for client in clients]
    answer = await move_once(mover, table, chance)
    assert (answer["code"], answer["retry_after_ms"]) == ("unavailable", UNAVAILABLE_MS)
    for client, before in zip(clients, received, strict=True):
        await client.until(lambda m: m["type"] == "update" and m["n"] == last - count, before)
    for _ in range(5):
        await one_move(clients, table, chance)
    found = numbers(store_url, table)
    assert found == list(range(1, len(found) + 1))


async def test_entries_lost_before_the_first_move_of_a_node_leave_no_gap(node: Running, store_url: str) -> None:
    """The entries before the first move are appended by a function, and no counter was written for them."""
    clients = [await node.join(name) for name in "ABC"]
    table = await table_of(clients)
    lose_last(store_url, table, 1)
    mover = next(client for client in clients if asked(client, table))
    assert (await move_once(mover, table, random.Random(SEED)))["code"] == "unavailable"
    await eventually(lambda: numbers(store_url, table) == list(range(1, len(clients) + 3)))  # the game starts again


async def test_an_announced_entry_that_the_store_has_lost_is_not_built_upon(start: Start, store_url: str) -> None:
    """Another node folded the entry from the announcement; the store then came back without it."""
    here, there = await start(), await start()
    chance = random.Random(SEED)
    clients = [await here.join(name) for name in "ABC"]
    table = await table_of(clients)
    others = [await there.join(token=client.token) for client in clients]
    for other in others:
        await other.request("open", table=table)
        await other.next("update", 0, table=table)
    for _ in range(3):
        last = await one_move(clients, table, chance)
    for client in (*others, *clients):
        await client.entry(table, last)
    received = [len(client.received) for client in clients]  # a notice of the other node may reach this one first
    lose_last(store_url, table, 1)
    mover = next(other for other in others if asked(other, table))
    answer = await move_once(mover, table, chance)
    assert answer["code"] in ("stale_ask", "not_asked")
    mover = next(client for client in clients if asked(client, table))
    refused = some_move(mover, table, chance)
    assert (await mover.request("move", **refused))["code"] == "unavailable"  # this node has written it
    for client, before in zip(clients, received, strict=True):
        await client.until(lambda m: m["type"] == "update" and m["n"] == last - 1, before)
    answer = await mover.request("move", **refused)
    if answer["type"] == "ok":  # this node had heard of the loss before, and the move that it refused is in the log
        assert (answer["n"], answer["again"]) == (last, True)
        for client in clients:
            await client.entry(table, last)
    else:
        assert answer["code"] in ("stale_ask", "not_asked")
    for _ in range(3):
        await one_move(clients, table, chance)
    found = numbers(store_url, table)
    assert found == list(range(1, len(found) + 1))


async def test_a_move_on_top_of_another_last_entry_is_taken_back(node: Running, store_url: str) -> None:
    """The last entry was replaced by another one with the same number, as by another node after a failover."""
    chance = random.Random(SEED)
    clients = [await node.join(name) for name in "ABC"]
    table = await table_of(clients)
    for _ in range(3):
        await one_move(clients, table, chance)
    ((_, fields),) = lose_last(store_url, table, 1)
    id, kept = entries(store_url, table)[-1]  # noqa: A001
    moved = msgspec.structs.replace(decode_entry(fields[b"e"]), key="another move")
    with redis.Redis.from_url(store_url) as store:
        n = int(id.partition(b"-")[0]) + 1
        store.xadd(keys.table_log(table), {"e": encode_entry(moved)}, id=entry_id(n, chain_after((id, kept[b"e"]))))
    mover = next(client for client in clients if asked(client, table))
    received = [len(client.received) for client in clients]
    before = ids(store_url, table)
    assert (await move_once(mover, table, chance))["code"] == "unavailable"
    for client, since in zip(clients, received, strict=True):
        await client.until(lambda m: m["type"] == "update" and m["n"] == n, since)
    await eventually(lambda: ids(store_url, table) == before)  # what the node had appended is gone
    assert await one_move(clients, table, chance) == n + 1
    assert first_stray([(id, [b"e", fields[b"e"]]) for id, fields in entries(store_url, table)]) == n + 1  # noqa: A001


async def test_a_loss_is_noticed_at_a_heartbeat_and_told_to_nodes_that_lost_nothing_themselves(
    start: Start, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise each node shows another position, and both wait for a player of the other one."""
    monkeypatch.setattr(app, "REPORT_S", 3_600)  # a report of who is there compares the table with its log too
    here, there = await start(), await start()
    chance = random.Random(SEED)
    clients = [await here.join("A"), await here.join("B"), await here.join("C")]
    table = await table_of(clients)
    watcher = await there.join("W")
    await watcher.request("open", table=table)
    with redis.Redis.from_url(store_url) as store:
        await eventually(lambda: store.hlen(keys.table_presence(table)) == 2)  # the first reports
    for _ in range(3):
        last = await one_move(clients, table, chance)
    await watcher.entry(table, last)
    everybody = [*clients, watcher]
    received = [len(client.received) for client in everybody]
    lose_last(store_url, table, 1, here.node.store.connections()[0].guard.node)
    await here.node.due_tables.check_all()  # with a heartbeat
    for client, before in zip(everybody, received, strict=True):
        await client.until(lambda m: m["type"] == "update" and m["n"] == last - 1, before)


@NOT_COMPILED
async def test_a_move_whose_announcement_failed_is_not_shown_once_the_store_has_lost_it(
    start: Start, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The watcher's node is back first and has read the log when the other node repeats its announcement."""
    here, there = await start(), await start()
    chance = random.Random(SEED)
    clients = [await here.join(name) for name in "ABC"]
    table = await table_of(clients)
    watcher = await there.join("W")
    await watcher.request("open", table=table)
    await watcher.entry(table, await one_move(clients, table, chance))
    (connection,) = here.node.store.connections()
    send, is_lost, published = connection.send, True, asyncio.Event()

    def fail_publish(then: Then, *command: str | bytes | int) -> None:
        if command[0] != "SPUBLISH" or command[1] != keys.table_channel(table):
            send(then, *command)
        elif is_lost:
            asyncio.get_running_loop().call_soon(then, StoreLost("the connection was lost"))
        else:
            send(then, *command)
            published.set()

    monkeypatch.setattr(connection, "send", fail_publish)
    received = len(watcher.received)
    lost = await one_move(clients, table, chance)
    heard = [len(client.received) for client in clients]
    ((_, fields),) = lose_last(store_url, table, 1, "nobody")  # with a new connection a counter begins anew
    reconnect(there)
    await eventually(lambda: there.node.rooms.get(table).sync.is_current(0))
    is_lost = False
    await published.wait()
    await clients[0].request("say", table=table, text="Where was I?")
    await watcher.next("chat", received)  # behind the announcement, on the same channel
    assert [one["n"] for one in watcher.received[received:] if one["type"] == "update"] == []
    reconnect(here)
    for client, before in zip(clients, heard, strict=True):
        await client.next("update", before, table=table, n=lost - 1)
    while await one_move(clients, table, chance) < lost + 2:
        pass
    await watcher.entry(table, lost + 2)
    assert entries(store_url, table)[lost - 1][1] != fields


async def test_an_announcement_is_not_folded_while_the_store_is_away_and_may_have_lost_the_entries_before_it(
    start: Start, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node without its connection still hears, on its channels, of the entries in the place of the lost one."""
    here, there = await start(), await start()
    chance = random.Random(SEED)
    clients = [await here.join(name) for name in "ABC"]
    table = await table_of(clients)
    watcher = await there.join("W")
    await watcher.request("open", table=table)
    for _ in range(3):
        last = await one_move(clients, table, chance)
    await watcher.entry(table, last)
    received, heard = len(watcher.received), [len(client.received) for client in clients]
    (connection,) = there.node.store.connections()
    find, is_back = connection.server.find, asyncio.Event()

    async def find_later() -> Any:
        await is_back.wait()
        return await find()

    monkeypatch.setattr(connection.server, "find", find_later)
    connection.give_up()
    await eventually(lambda: not connection.is_up)
    lose_last(store_url, table, 1, "nobody")
    reconnect(here)
    for client, before in zip(clients, heard, strict=True):
        await client.next("update", before, table=table, n=last - 1)
    while await one_move(clients, table, chance) < last + 1:
        pass
    room = there.node.rooms.get(table)
    await eventually(lambda: room.sync._announced > last)
    is_back.set()
    assert is_whole(await watcher.next("update", received, table=table))


def reconnect(node: Running) -> None:
    """What a node does after it has lost its connection to the store and has another one."""
    node.node.rooms.mark_unverified(range(keys.SHARDS))
    node.node.rooms.reload_watched(range(keys.SHARDS))


async def test_a_rolled_back_seat_is_told_so(node: Running, store_url: str) -> None:
    host, guest = await node.join("Hilda"), await node.join("Guest")
    table = (await host.request("create", game="cheesedog", seats=3))["table"]
    for client in (host, guest):
        await client.request("open", table=table)
    await guest.request("sit", table=table, seat=1)
    assert (await guest.next("table", 0, you=1))["seats"][1]["kind"] == "person"
    lose_last(store_url, table, 1)
    received = len(guest.received)
    node.node.rooms.mark_unverified(range(keys.SHARDS))
    node.node.rooms.reload_watched(range(keys.SHARDS))
    told = await guest.next("table", received, table=table)
    assert told.get("you") is None
    assert told["seats"][1]["kind"] == "free"
    assert (await guest.request("sit", table=table, seat=1))["type"] == "ok"
    assert (await guest.next("table", received, you=1))["seats"][1]["kind"] == "person"
