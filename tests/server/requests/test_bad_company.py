"""P6: one bad table, bot or client does not disturb another one."""

from __future__ import annotations

import asyncio
import logging
import random
from functools import partial
from operator import not_
from typing import Any

import msgpack
import pytest
from websockets.asyncio.client import connect

from games import GAMES
from protocol.messages import Chat
from server.delivery import outbox
from server.delivery.frames import encode_frame
from server.requests.connection import Connection
from server.web import websocket
from tests.client import WAIT_S, Client, eventually, fill
from tests.server.conftest import Running, Start, free_limits
from tests.server.tables.test_tables import asked, one_move, people, table_of


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
    assert done["type"] == "ok"  # the move is in the log; only showing it failed
    assert node.node.store.connections()[0]._reconnecting is None  # the connection to the store was never lost
    for _ in range(5):
        await one_move(fine, good, random.Random(2))


async def flood(client: Client, table: str) -> None:
    """Send far more than is allowed, then wait until the connection is closed."""
    for number in range(5000):
        await client.send("move", table=table, ask=1, key=str(number), move={"type": "pick_up"})
    await client.until(lambda message: False)


async def test_a_client_that_sends_moves_at_random_is_slowed_and_then_cut(node: Running) -> None:
    clients = await people(node)
    table = await table_of(clients)
    stranger = await node.join("Stranger")
    refused = await stranger.request("move", table=table, ask=1, key="first", move={"type": "pick_up"})
    assert refused["code"] == "not_seated"
    with pytest.raises(ConnectionError):
        await flood(stranger, table)  # which may be cut before another move is judged: that takes a look into the log
    assert stranger.closed_with == 4008
    codes = {message["code"] for message in stranger.received if message["type"] == "error"}
    assert codes == {"not_seated", "rate_limited"}
    waits = [message for message in stranger.received if message.get("code") == "rate_limited"]
    assert all(message["retry_after_ms"] > 0 for message in waits)
    assert (await clients[0].request("ping"))["type"] == "ok"


def clog(kept: Connection, client: Client) -> None:
    """Stop this client from reading, and write to it until its outbox is paused."""
    client.socket.transport.pause_reading()
    loud = encode_frame(Chat(table="loud", name="Loud", text="x" * 16_000, at=1))
    for _ in range(1000):
        if not kept.outbox.ready:
            return
        kept.outbox.write(loud)
        kept.outbox.flush()
    raise AssertionError("a client that does not read is never paused")


@pytest.mark.parametrize("reads_again", [True, False])
async def test_a_reader_that_stops_reading_gets_a_fresh_view_or_is_cut(
    node: Running, monkeypatch: pytest.MonkeyPatch, reads_again: bool
) -> None:
    monkeypatch.setattr(outbox, "SLOW_S", WAIT_S if reads_again else 1)
    clients = await people(node)
    table = await table_of(clients)
    slow = await node.join("Slow")
    await slow.request("open", table=table)
    first = (await slow.next("update", 0))["n"]
    (kept,) = (one for one in node.node.connections if one.account.id == slow.user["id"])
    clog(kept, slow)
    for _ in range(3):
        last = await one_move(clients, table, random.Random(1))
    if reads_again:
        slow.socket.transport.resume_reading()
        fresh = await slow.next("update", 0, n=last)
        assert "view" in fresh
        assert [update["n"] for update in slow.updates(table)] == [first, last]  # none of the updates between
        assert fresh["view"] == (await watched(node, table))["view"]
    else:
        await eventually(lambda: kept not in node.node.connections)
        slow.socket.transport.resume_reading()
        with pytest.raises(ConnectionError):
            await slow.until(lambda message: False)
        assert slow.closed_with == 4003
        assert [update["n"] for update in slow.updates(table)] == [first]
    assert (await clients[0].request("ping"))["type"] == "ok"


async def watched(node: Running, table: str) -> dict[str, Any]:
    """The first update that a new watcher of a table gets."""
    watcher = await node.join("Watcher")
    await watcher.request("open", table=table)
    return await watcher.next("update", 0, table=table)


@pytest.mark.parametrize("how", ["half closed", "close frame", "bad frame"])
async def test_a_client_that_leaves_without_reading_is_closed_soon(
    node: Running, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(websocket, "CLOSE_S", 0.1)
    if how == "half closed":  # the server cannot tell this from a slow client
        monkeypatch.setattr(outbox, "SLOW_S", 1)
    client = await node.join("Going")
    (kept,) = node.node.connections
    clog(kept, client)
    if how == "half closed":
        client.socket.transport.write_eof()
    else:
        client.socket.transport.write(b"\x88\x80aaaa" if how == "close frame" else b"\x83\x80aaaa")
    async with asyncio.timeout(9):  # less than SLOW_S usually is
        await eventually(lambda: not node.node.connections and not node.server.server_state.connections)
    client.socket.transport.abort()


async def test_a_node_without_viewers_reads_the_log_before_it_judges_a_move(start: Start) -> None:
    """A table that was watched earlier is read again before a move is judged."""
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


async def test_a_user_sits_at_a_limited_number_of_tables(start: Start) -> None:
    node = await start(limits=free_limits(seats=2))
    client = await node.join()
    for _ in range(2):
        assert (await client.request("create", game="cheesedog", seats=3))["type"] == "ok"
    assert (await client.request("create", game="cheesedog", seats=3))["code"] == "too_many_tables"


async def test_a_bot_that_disconnects_during_hello_is_not_registered(node: Running) -> None:
    ada = await node.join("Ada")
    token = (await ada.request("token", name="Flighty"))["token"]
    hello = msgpack.packb({"type": "hello", "id": 1, "v": 1, "token": token})
    for _ in range(10):
        socket = await connect(node.url, compression=None)
        (kept,) = (one for one in node.node.connections if one.account.id != ada.user["id"])
        await socket.send(hello)
        await eventually(partial(bool, node.node.handlers._tasks), every_s=0)  # its token is being looked up
        kept._socket.transport.abort()  # type: ignore[attr-defined]
        await eventually(partial(not_, node.node.handlers._tasks))
        assert kept not in node.node.connections
        assert not node.node.bots.users
    assert [one.account.id for one in node.node.connections] == [ada.user["id"]]


async def test_p40_a_silent_connection_is_pinged_and_then_closed(node: Running) -> None:
    here, gone = await node.join("Here"), await node.join("Gone")
    kept = {one.account.id: one for one in node.node.connections}
    gone.socket.transport.pause_reading()
    for connection in kept.values():
        connection.check_alive()
        connection.check_alive()
    await eventually(lambda: kept[here.user["id"]]._socket.has_received)
    for connection in kept.values():
        connection.check_alive()
    assert [one.account.id for one in node.node.connections] == [here.user["id"]]
    assert (await here.request("ping"))["type"] == "ok"
    gone.socket.transport.abort()
