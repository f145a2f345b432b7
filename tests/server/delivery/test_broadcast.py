"""Many watchers are written to in one batch, past the transports: nothing is lost, torn or out of order."""

from __future__ import annotations

import asyncio
import random

import pytest

from protocol.messages import Chat
from server.tables.rooms import viewers
from tests.client import Client
from tests.server.conftest import Running
from tests.server.tables.test_tables import one_move, people, table_of

WATCHERS = 12
SEED = 20261116


async def watched(node: Running) -> tuple[list[Client], str, list[Client]]:
    """The players of a running table, the table, and its watchers."""
    clients = await people(node)
    table = await table_of(clients)
    watchers = [await node.join(f"W{number}") for number in range(WATCHERS)]
    for watcher in watchers:
        await watcher.request("open", table=table)
        await watcher.next("update", 0)
    return clients, table, watchers


async def test_a_watcher_that_stops_reading_misses_nothing(node: Running) -> None:
    chance = random.Random(SEED)
    clients, table, watchers = await watched(node)
    room = node.node.rooms.get(table)
    mine = room.viewers
    late = watchers[0]
    (connection,) = (one for one in node.node.connections if one.account.id == late.user["id"])
    held = connection.outbox

    assert room.table
    first = await one_move(clients, table, chance)
    await asyncio.gather(*(watcher.entry(table, first) for watcher in watchers))
    assert held in mine.points[None].whole._direct

    late.socket.transport.pause_reading()
    said = 0
    while held.unbuffered:
        said += 1
        assert said < 1000, "the socket accepts everything"
        mine.show_chat(Chat(table=table, name="Loud", text=str(said) * 8000, at=said), room.table)
    assert held.ready
    assert held not in mine.points[None].whole._direct
    for _ in range(3):
        last = await one_move(clients, table, chance)
    await asyncio.gather(*(watcher.entry(table, last) for watcher in watchers[1:]))

    late.socket.transport.resume_reading()
    await late.entry(table, last)
    for watcher in watchers:
        assert [update["n"] for update in watcher.updates(table)][-4:] == list(range(first, last + 1))
        assert [message["at"] for message in watcher.received if message["type"] == "chat"] == list(range(1, said + 1))
    await one_move(clients, table, chance)
    assert held in mine.points[None].whole._direct


async def test_messages_to_one_watcher_and_to_all_keep_their_order(node: Running) -> None:
    _, table, watchers = await watched(node)
    room = node.node.rooms.get(table)
    mine = room.viewers
    assert room.table
    for turn in range(1, 20, 3):
        for outbox in mine.points[None].whole:
            outbox.send(Chat(table=table, name="To each", text="first", at=turn))
        mine.show_chat(Chat(table=table, name="To all", text="second", at=turn + 1), room.table)
        for outbox in mine.points[None].whole:
            outbox.send(Chat(table=table, name="To each", text="third", at=turn + 2))
        await asyncio.sleep(0)
    for watcher in watchers:
        await watcher.until(lambda message: message["type"] == "chat" and message["at"] == 21)
        assert [message["at"] for message in watcher.received if message["type"] == "chat"] == list(range(1, 22))


async def test_a_crowd_gets_what_it_is_owed_before_anything_else(
    node: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A crowd is written to after the players have their answers; chat, messages and new watchers come after that."""
    monkeypatch.setattr(viewers, "POSTPONE_MIN", 3)
    clients, table, watchers = await watched(node)
    room, chance = node.node.rooms.get(table), random.Random(SEED)
    assert room.table
    shown = []
    for turn in range(6):
        n = await one_move(clients, table, chance)
        shown.append(n)
        if turn % 2:
            room.viewers.show_chat(Chat(table=table, name="To all", text="after", at=n), room.table)
            room.viewers.show_info(room.info)
    late = await node.join("Late")
    await late.request("open", table=table)
    assert (await late.next("update", 0))["n"] == n
    for watcher in watchers:
        await watcher.next("chat", 0, at=n)  # which comes after the last update
        order = [m.get("n") or m.get("at") for m in watcher.received if m["type"] in ("update", "chat")]
        assert order[1 : 1 + 9] == [shown[0], shown[1], shown[1], shown[2], shown[3], shown[3], *shown[4:], shown[5]]
