"""Lists of tables that are derived from the logs: what store trouble leaves in them, or out of them, is mended."""

from __future__ import annotations

import asyncio

import pytest
import redis

from server.requests.limits import stale_places
from server.store import keys
from tests.client import Client, eventually
from tests.server.conftest import Running, Start, fail, free_limits
from tests.server.requests.test_bots import bot_of
from tests.server.requests.test_limits import check_due

ADDRESS = "127.0.66.3"
TABLE = {"game": "cheesedog", "seats": 3}


def listed(url: str, user: str) -> set[str]:
    """The tables in the list of a user."""
    with redis.Redis.from_url(url, decode_responses=True) as store:
        members = store.smembers(keys.user_tables(user))
        assert isinstance(members, set)
        return members


async def table_of(host: Client) -> str:
    return str((await host.request("create", **TABLE))["table"])


async def test_tables_that_are_gone_or_give_no_seat_do_not_count_as_seats(start: Start, store_url: str) -> None:
    node = await start(limits=free_limits(seats=3))
    host, guest = await node.join("Hilda"), await node.join("Guest")
    without_seat, held, other, last = [await table_of(one) for one in (host, guest, host, await node.join("Ida"))]
    with redis.Redis.from_url(store_url) as store:
        store.sadd(keys.user_tables(guest.user["id"]), without_seat, "tgone")
    assert (await guest.request("sit", table=other))["type"] == "ok"
    await eventually(lambda: listed(store_url, guest.user["id"]) == {held, other})
    assert (await guest.request("sit", table=last))["type"] == "ok"
    assert (await guest.request("create", **TABLE))["code"] == "too_many_tables"


async def test_hello_lists_only_tables_where_the_user_has_a_seat(node: Running, store_url: str) -> None:
    host, guest = await node.join("Hilda"), await node.join("Guest")
    without_seat, held = await table_of(host), await table_of(guest)
    with redis.Redis.from_url(store_url) as store:
        store.sadd(keys.user_tables(guest.user["id"]), without_seat, "tgone")
    again = await node.join(token=guest.token)
    assert again.welcome["tables"] == [held]
    assert listed(store_url, guest.user["id"]) == {held}


async def test_a_seat_that_was_not_listed_is_listed_when_its_owner_opens_the_table(
    node: Running, store_url: str
) -> None:
    guest = await node.join("Guest")
    table = await table_of(guest)
    with redis.Redis.from_url(store_url) as store:
        store.delete(keys.user_tables(guest.user["id"]))
    await guest.request("open", table=table)
    await eventually(lambda: listed(store_url, guest.user["id"]) == {table})


async def test_a_table_is_taken_off_the_list_of_who_left_it_though_the_store_was_away(
    node: Running, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, guest = await node.join("Hilda"), await node.join("Guest")
    table = await table_of(host)
    await guest.request("sit", table=table)
    with monkeypatch.context() as broken:
        fail(node, broken, "SREM")
        assert (await guest.request("leave", table=table))["type"] == "ok"
        await asyncio.sleep(0)
    await eventually(lambda: not listed(store_url, guest.user["id"]))


async def test_a_table_that_is_over_leaves_the_lobby_though_the_store_was_away(
    node: Running, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = await node.join("Hilda")
    table = await table_of(host)
    with redis.Redis.from_url(store_url) as store:
        await eventually(lambda: store.hexists(keys.LOBBY, table))
        with monkeypatch.context() as broken:
            fail(node, broken, "HDEL")
            await host.request("leave", table=table)
            await check_due(node, 61_000)
            assert store.hexists(keys.LOBBY, table)
        await check_due(node, 5_000)
        await eventually(lambda: not store.hexists(keys.LOBBY, table))


async def test_the_bots_of_an_address_share_its_seats(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stale_places, "EVERY_S", 1)
    here, there = [await start(limits=free_limits(address_seats=3)) for _ in range(2)]
    hosts = [await here.join(f"Hilda {number}") for number in range(4)]
    tables = [await table_of(host) for host in hosts]
    owner = await here.join("Olga", source=ADDRESS)
    tokens = [(await owner.request("token", name=f"Bot {number}"))["token"] for number in range(2)]
    bots = [await node.join(token=token, source=ADDRESS) for node, token in zip((here, there), tokens, strict=True)]
    sitting = [(owner, 0), (bots[0], 1), (bots[1], 2)]
    for one, table in sitting:
        assert (await one.request("sit", table=tables[table]))["type"] == "ok"
    refused = await bots[0].request("sit", table=tables[3])
    assert (refused["code"], refused["retry_after_ms"]) == ("too_many_tables", 10_000)
    exempt = await bot_of(hosts[0], there)
    assert (await exempt.request("sit", table=tables[3]))["type"] == "ok"
    await bots[1].request("leave", table=tables[2])
    async with asyncio.timeout(30):
        while (await bots[0].request("sit", table=tables[3])).get("code") == "too_many_tables":
            await asyncio.sleep(0.2)
