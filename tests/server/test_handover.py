"""Connections that name a table in their address meet at its node, whichever node they came to."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from server.handover import HEAD, Handover
from tests.client import Client
from tests.server.conftest import Running, Start
from tests.server.test_tables import one_move

SEED = 20261116


@pytest.fixture
async def pair(start: Start, tmp_path: Path) -> list[Running]:
    """Two nodes of one machine."""
    return [await start(Handover(tmp_path, number, 2)) for number in range(2)]


def users_at(node: Running) -> set[str]:
    return {connection.user.id for connection in node.node.hub.connections}


async def test_all_who_come_for_a_table_meet_where_its_host_is(pair: list[Running]) -> None:
    chance = random.Random(SEED)
    for host_at, other in ((0, 1), (1, 0)):
        host = await pair[host_at].join("Host")
        made = await host.request("create", game="cheesedog", seats=3)
        guests = [await Client.join(f"{pair[at].url}?table={made['table']}", f"Guest {at}") for at in (0, 1)]
        clients = [host, *guests]
        for client in clients:
            if client is not host:
                assert (await client.request("sit", table=made["table"]))["type"] == "ok"
            assert (await client.request("open", table=made["table"]))["type"] == "ok"
        for _ in range(5):
            await one_move(clients, made["table"], chance)
        assert users_at(pair[host_at]) == {client.user["id"] for client in clients}
        assert made["table"] not in pair[other].node.hub.rooms
        for client in clients:
            await client.close()
        while pair[host_at].node.hub.connections:
            await asyncio.sleep(0.01)


async def test_house_bots_that_are_connected_where_the_table_is_come_first(pair: list[Running]) -> None:
    tokens = await pair[0].node.people.house_tokens()
    users = sorted(tokens)
    near = [await pair[1].join(token=tokens[user]) for user in users[::4]]
    for user in users[1::4]:
        await pair[0].join(token=tokens[user])
    host = await pair[1].join("Host")
    made = await host.request("create", game="cheesedog", seats=4)
    await host.request("open", table=made["table"])
    assert (await host.request("start", table=made["table"]))["type"] == "ok"
    info = await host.until(lambda m: m["type"] == "table" and all(seat.get("user") for seat in m["seats"]))
    assert {seat["user"] for seat in info["seats"][1:]} <= {bot.user["id"] for bot in near}


async def test_a_node_that_cannot_hand_over_serves_the_connection_itself(pair: list[Running]) -> None:
    host = await pair[0].join("Host")
    made = await host.request("create", game="cheesedog", seats=3)
    await pair[0].stop()
    guest = await Client.join(f"{pair[1].url}?table={made['table']}", "Guest")
    assert (await guest.request("sit", table=made["table"]))["type"] == "ok"
    assert users_at(pair[1]) == {guest.user["id"]}


async def test_addresses_that_name_no_table_are_served_where_they_come(pair: list[Running]) -> None:
    for node in pair:
        for end in ("", "?table=", "?table=NO!", "?table=" + "a" * 33, "?other=abc", "?table=abc&table=def"):
            client = await Client.join(node.url + end, "Odd")
            assert (await client.request("ping"))["type"] == "ok"
            assert users_at(node) == {client.user["id"]}
            await client.close()
            while node.node.hub.connections:
                await asyncio.sleep(0.01)


async def test_a_request_in_parts_is_served_where_it_came(pair: list[Running]) -> None:
    for node in pair:
        host, port = node.listening.getsockname()
        reader, writer = await asyncio.open_connection(host, port)
        for part in (b"GET /ws?table=abcabcabc HT", b"TP/1.1\r\nHost: here\r\n", b"\r\n"):
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(0.02)
        assert (await reader.readline()).startswith(b"HTTP/1.1 4")
        writer.close()


async def test_a_connection_that_is_gone_when_it_is_handed_over_disturbs_nobody(pair: list[Running]) -> None:
    names = [f"table{number}" for number in range(20)]
    for name in names:
        _, writer = await asyncio.open_connection(*pair[0].listening.getsockname())
        writer.write(b"GET /ws?table=%b HTTP/1.1\r\nHost: here\r\n\r\n" % name.encode())
        writer.transport.abort()
    for node in pair:
        client = await node.join("Here")
        assert (await client.request("ping"))["type"] == "ok"


def test_only_whole_heads_for_a_table_are_read() -> None:
    assert HEAD.match(b"GET /ws?table=abc HTTP/1.1\r\n")
    for other in (b"POST /ws?table=abc HTTP/1.1\r\n", b"GET /ws?table=../x HTTP/1.1\r\n", b"GET /ws?table=abc\r\n"):
        assert not HEAD.match(other)
