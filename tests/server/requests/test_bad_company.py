"""P6: one bad table, bot or client does not disturb another one."""

from __future__ import annotations

import asyncio
import logging
import random
from typing import Any

import pytest

from games import GAMES
from server import connection as connection_module
from server import edge as edge_module
from tests.client import Client, fill
from tests.server.conftest import Running, Start
from tests.server.test_tables import asked, one_move, people, table_of


async def test_a_rematch_against_house_bots_starts_at_once(node: Running) -> None:
    """The new table is full before the asker is seated anew."""
    chance = random.Random(1)
    clients = await people(node, 3)
    table = await table_of(clients, "do_my_bidding")
    while "ended" not in {m["status"] for m in clients[0].heard if m["type"] == "table"}:
        await one_move(clients, table, chance)
        room = node.node.hub.rooms[table].table
        assert room
        if room.status == "ended":
            await clients[0].next("table", 0, status="ended")
    answers = await asyncio.gather(*(client.request("rematch", table=table) for client in clients))
    assert len({answer["table"] for answer in answers}) == 1, answers


async def test_a_fault_in_one_game_leaves_other_tables_alone(node: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = await people(node, 3)
    fine = await people(node, 3)
    bad, good = await table_of(broken), await table_of(fine, "do_my_bidding")
    mover = next(client for client in broken if asked(client, bad))
    ask = mover.updates(bad)[-1]["ask"]

    def fail(state: Any, seat: Any) -> None:
        raise RuntimeError("a fault of the game")

    monkeypatch.setitem(GAMES["cheesedog"].__dict__, "view", fail)
    logging.getLogger("cheeseboard").setLevel(logging.CRITICAL)
    try:
        done = await mover.request(
            "move", table=bad, ask=ask["n"], key="k", move=fill(ask["offers"][0], random.Random(1))
        )
    finally:
        logging.getLogger("cheeseboard").setLevel(logging.NOTSET)
    assert done["type"] == "ok"  # it is in the log; only showing it went wrong
    assert node.node.store._task is None  # it never had to come back
    for _ in range(5):
        await one_move(fine, good, random.Random(2))


async def flood(client: Client, table: str) -> None:
    """Send far more than is allowed, then wait for the end."""
    for number in range(5000):
        await client.send("move", table=table, ask=1, key=str(number), move={"type": "pick_up"})
    await client.until(lambda message: False)


async def test_a_client_that_sends_moves_at_random_is_slowed_and_then_cut(node: Running) -> None:
    clients = await people(node)
    table = await table_of(clients)
    stranger = await node.join("Stranger")
    with pytest.raises(ConnectionError):
        await flood(stranger, table)
    assert stranger.closed_with == 4008
    codes = {message["code"] for message in stranger.heard if message["type"] == "error"}
    assert codes == {"not_seated", "rate_limited"}
    waits = [message for message in stranger.heard if message.get("code") == "rate_limited"]
    assert all(message["retry_after_ms"] > 0 for message in waits)
    assert (await clients[0].request("ping"))["type"] == "ok"


async def test_a_reader_that_stops_reading_gets_a_fresh_view_or_is_cut(
    node: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "SLOW_S", 0.2)
    clients = await people(node)
    table = await table_of(clients)
    slow = await node.join("Slow")
    await slow.request("open", table=table)
    await slow.next("update", 0)
    (kept,) = (one for one in node.node.hub.connections if one.user.id == slow.user["id"])
    slow.socket.transport.pause_reading()
    frame = b"\x82\x7e\x40\x00" + b"\xc0" * 0x4000
    while kept.ready:
        kept.write(frame)
        kept.flush()
    await one_move(clients, table, random.Random(1))
    while kept in node.node.hub.connections and not kept.edge.close_sent:
        await asyncio.sleep(0.01)
    slow.socket.transport.abort()
    assert (await clients[0].request("ping"))["type"] == "ok"


@pytest.mark.parametrize("how", ["half closed", "close frame", "bad frame"])
async def test_who_goes_without_taking_what_waits_is_not_waited_for(
    node: Running, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(connection_module, "SLOW_S", 0.2)
    monkeypatch.setattr(edge_module, "LEAVE_S", 0.1)
    client = await node.join("Going")
    (kept,) = node.node.hub.connections
    client.socket.transport.pause_reading()
    frame = b"\x82\x7e\x40\x00" + b"\xc0" * 0x4000
    while kept.ready:
        kept.write(frame)
        kept.flush()
    if how == "half closed":
        client.socket.transport.write_eof()
    else:
        client.socket.transport.write(b"\x88\x80aaaa" if how == "close frame" else b"\x83\x80aaaa")
    async with asyncio.timeout(20):
        while node.node.hub.connections or node.server.server_state.connections:
            await asyncio.sleep(0.01)
    client.socket.transport.abort()


async def test_a_node_that_nobody_watches_on_judges_by_the_log(start: Start) -> None:
    """A table held from earlier is read again before a move is refused."""
    here, there = await start(), await start()
    clients = await people(here)
    table = await table_of(clients)
    visitor = await there.join("Visitor")
    await visitor.request("open", table=table)
    await visitor.next("update", 0)
    await visitor.request("close", table=table)
    for _ in range(5):
        await one_move(clients, table, random.Random(1))
    mover = next(client for client in clients if asked(client, table))
    ask = mover.updates(table)[-1]["ask"]
    elsewhere = await there.join(token=mover.token)
    move = fill(ask["offers"][0], random.Random(1))
    done = await elsewhere.request("move", table=table, ask=ask["n"], key="k", move=move)
    assert done["type"] == "ok", done
    for client in clients:
        await client.entry(table, done["n"])


async def test_one_sits_at_a_limited_number_of_tables(node: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.seating.MOST_TABLES", {False: 2, True: 3})
    client = await node.join()
    for _ in range(2):
        assert (await client.request("create", game="cheesedog", seats=3))["type"] == "ok"
    assert (await client.request("create", game="cheesedog", seats=3))["code"] == "too_many_tables"


async def test_a_bot_that_goes_during_hello_is_not_kept(node: Running) -> None:
    ada = await node.join("Ada")
    token = (await ada.request("token", name="Flighty"))["token"]
    for _ in range(10):
        socket = (await Client.join(node.url, "Brief")).socket
        await socket.close()
        bot = await node.join(token=token)
        await bot.close()
    while len(node.node.hub.connections) > 1:
        await asyncio.sleep(0.01)
    assert node.node.hub.bots == {}


async def test_p40_whoever_is_silent_is_asked_and_then_given_up(node: Running) -> None:
    here, gone = await node.join("Here"), await node.join("Gone")
    kept = {one.user.id: one for one in node.node.hub.connections}
    gone.socket.transport.pause_reading()
    for connection in kept.values():
        connection.look_after()
        connection.look_after()
    while not kept[here.user["id"]].edge.heard:
        await asyncio.sleep(0.005)
    for connection in kept.values():
        connection.look_after()
    assert [one.user.id for one in node.node.hub.connections] == [here.user["id"]]
    assert (await here.request("ping"))["type"] == "ok"
    gone.socket.transport.abort()
