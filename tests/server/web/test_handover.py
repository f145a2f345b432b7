"""Connections whose address names a table are served by the node of that table, all others by the nodes in turn."""

from __future__ import annotations

import asyncio
import random
import socket
from pathlib import Path

import msgpack
import pytest
from websockets.frames import Frame, Opcode

from server.web import handover
from server.web.handover import REQUEST_LINE, NodeSlot
from tests.client import Client, eventually
from tests.server.conftest import Running, Start
from tests.server.tables.test_tables import one_move

SEED = 20261116


@pytest.fixture
async def pair(start: Start, tmp_path: Path) -> list[Running]:
    """Two nodes of one machine."""
    return [await start(NodeSlot(tmp_path, number, 2)) for number in range(2)]


def users_at(node: Running) -> set[str]:
    return {connection.account.id for connection in node.node.connections}


async def nobody_at(node: Running) -> None:
    """Wait until all connections of a node are gone."""
    await eventually(lambda: not node.node.connections)


async def join_at(pair: list[Running], number: int, name: str = "Somebody", **hello: str) -> Client:
    """A client of exactly this node: its address names a table whose home the node is."""
    node = pair[number]
    table = next(table for table in map(str, range(100)) if node.node.slot.is_home(table))
    return await Client.join(f"{node.url}?table={table}", name, **hello)


async def test_connections_for_a_table_meet_at_the_node_of_its_host(pair: list[Running]) -> None:
    chance = random.Random(SEED)
    for host_at, other in ((0, 1), (1, 0)):
        host = await join_at(pair, host_at, "Hilda")
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
        assert made["table"] not in pair[other].node.rooms
        for client in clients:
            await client.close()
        await nobody_at(pair[host_at])


async def test_a_crowd_of_watchers_is_spread_over_all_nodes(
    pair: list[Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handover, "SPREAD_MIN", 3)
    host = await join_at(pair, 0, "Hilda")
    table = (await host.request("create", game="cheesedog", seats=3))["table"]
    players = [host, *[await Client.join(f"{pair[0].url}?table={table}", f"Guest {at}") for at in (0, 1)]]
    for player in players[1:]:
        await player.request("sit", table=table)
    for player in players:
        await player.request("open", table=table)
        await player.next("update", 0, table=table)
    watchers = []
    for number in range(9):
        watchers.append(await Client.join(f"{pair[number % 2].url}?table={table}", "Watcher"))
        await watchers[-1].request("open", table=table)
    assert [node.node.rooms.watchers(table) for node in pair] == [6, 3]
    chance = random.Random(SEED)
    for _ in range(3):
        n = await one_move(players, table, chance)
    for watcher in watchers:
        await watcher.entry(table, n)
        assert [update["n"] for update in watcher.updates(table)] == [n - 3, n - 2, n - 1, n]
    assert users_at(pair[0]) >= {player.user["id"] for player in players}


async def test_house_bots_connected_to_the_node_of_the_table_are_seated_first(pair: list[Running]) -> None:
    tokens = await pair[0].node.accounts.new_house_tokens()
    users = sorted(tokens)
    near = [await join_at(pair, 1, token=tokens[user]) for user in users[::4]]
    for user in users[1::4]:
        await join_at(pair, 0, token=tokens[user])
    host = await join_at(pair, 1, "Hilda")
    made = await host.request("create", game="cheesedog", seats=4)
    await host.request("open", table=made["table"])
    assert (await host.request("start", table=made["table"]))["type"] == "ok"
    info = await host.until(lambda m: m["type"] == "table" and all(seat.get("user") for seat in m["seats"]))
    assert {seat["user"] for seat in info["seats"][1:]} <= {bot.user["id"] for bot in near}


async def test_a_node_that_cannot_hand_over_serves_the_connection_itself(pair: list[Running]) -> None:
    host = await join_at(pair, 0, "Hilda")
    made = await host.request("create", game="cheesedog", seats=3)
    await pair[0].stop()
    guest = await Client.join(f"{pair[1].url}?table={made['table']}", "Guest")
    assert (await guest.request("sit", table=made["table"]))["type"] == "ok"
    strangers = [await pair[1].join("Stranger") for _ in range(2)]
    assert users_at(pair[1]) == {client.user["id"] for client in (guest, *strangers)}


@pytest.mark.parametrize("at", [(0, 0, 0, 0, 0, 0), (0, 0, 0, 1, 0, 0), (1, 0, 1, 0, 1, 1)])
async def test_connections_for_no_table_are_spread_evenly(pair: list[Running], at: tuple[int, ...]) -> None:
    clients = [await pair[number].join("Anybody") for number in at]
    for client in clients:
        assert (await client.request("ping"))["type"] == "ok"
    assert [len(users_at(node)) for node in pair] == [3, 3]
    assert users_at(pair[0]) | users_at(pair[1]) == {client.user["id"] for client in clients}


async def test_a_connection_with_an_invalid_address_is_served_where_it_arrives(pair: list[Running]) -> None:
    for node in pair:
        for end in ("?table=", "?table=NO!", "?table=" + "a" * 33, "?other=abc", "?table=abc&table=def"):
            client = await Client.join(node.url + end, "Odd")
            assert (await client.request("ping"))["type"] == "ok"
            assert users_at(node) == {client.user["id"]}
            await client.close()
            await nobody_at(node)


async def test_a_request_that_comes_in_parts_is_served_at_the_home_of_its_table(pair: list[Running]) -> None:
    for node in pair:
        served = [one.server.server_state.total_requests for one in pair]
        host, port = node.listening.getsockname()
        reader, writer = await asyncio.open_connection(host, port)
        for part in (b"GET /ws?table=abcabcabc HT", b"TP/1.1\r\nHost: here\r\n", b"\r\n"):
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(0.02)
        assert (await reader.readline()).startswith(b"HTTP/1.1 4")
        now = [one.server.server_state.total_requests for one in pair]
        homes = [one.node.slot.is_home("abcabcabc") for one in pair]
        assert [after - before for after, before in zip(now, served, strict=True)] == homes
        writer.close()


async def test_a_connection_that_is_gone_when_it_is_handed_over_disturbs_nobody(
    pair: list[Running], caplog: pytest.LogCaptureFixture
) -> None:
    names = [f"table{number}" for number in range(20)]
    for name in names:
        _, writer = await asyncio.open_connection(*pair[0].listening.getsockname())
        writer.write(b"GET /ws?table=%b HTTP/1.1\r\nHost: here\r\n\r\n" % name.encode())
        writer.transport.abort()
    clients = [await node.join("Here") for node in pair]
    for client in clients:
        assert (await client.request("ping"))["type"] == "ok"
    assert users_at(pair[0]) | users_at(pair[1]) == {client.user["id"] for client in clients}
    await eventually(lambda: sum(len(node.server.server_state.connections) for node in pair) == len(clients))
    assert caplog.text == ""


async def test_bytes_right_behind_the_request_head_are_read_after_it(
    pair: list[Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = next(table for table in map(str, range(100)) if pair[1].node.slot.is_home(table))
    eager = socket.create_connection(pair[0].listening.getsockname())
    pass_on = pair[0].node.handover.pass_on

    def passed_on(data: bytes, transport: asyncio.Transport) -> bool:
        eager.sendall(Frame(Opcode.BINARY, msgpack.packb({"type": "hello", "id": 1, "v": 1})).serialize(mask=True))
        return pass_on(data, transport)

    monkeypatch.setattr(pair[0].node.handover, "pass_on", passed_on)
    reader, writer = await asyncio.open_connection(sock=eager)
    writer.write(
        b"GET /ws?table=%b HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n" % table.encode()
    )
    async with asyncio.timeout(20):
        assert (await reader.readline()).startswith(b"HTTP/1.1 101")
        await reader.readuntil(b"\r\n\r\n")
        await reader.readuntil(b"welcome")
    assert len(users_at(pair[1])) == 1
    writer.close()


def test_only_a_whole_request_line_is_recognised() -> None:
    for head, table in ((b"GET /ws?table=abc HTTP/1.1\r\n", b"abc"), (b"GET /ws HTTP/1.1\r\n", None)):
        match = REQUEST_LINE.match(head)
        assert match
        assert match.group(1) == table
    for other in (
        b"POST /ws?table=abc HTTP/1.1\r\n",
        b"GET /ws?table=../x HTTP/1.1\r\n",
        b"GET /ws?table=abc\r\n",
        b"GET /wso HTTP/1.1\r\n",
    ):
        assert not REQUEST_LINE.match(other)
