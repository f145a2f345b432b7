"""Many who watch are written to in one loop, past the event loop's queues: nothing is lost, torn or out of order."""

from __future__ import annotations

import asyncio
import random

from protocol.messages import Chat
from tests.client import Client
from tests.server.conftest import Running
from tests.server.test_tables import one_move, people, table_of

WATCHERS = 12
SEED = 20261116


async def watched(node: Running) -> tuple[list[Client], str, list[Client]]:
    """The players of a running table, the table, and those who watch it."""
    clients = await people(node)
    table = await table_of(clients)
    watchers = [await node.join(f"W{number}") for number in range(WATCHERS)]
    for watcher in watchers:
        await watcher.request("open", table=table)
        await watcher.next("update", 0)
    return clients, table, watchers


async def test_a_watcher_in_a_crowd_that_stops_reading_misses_nothing(node: Running) -> None:
    chance = random.Random(SEED)
    clients, table, watchers = await watched(node)
    viewers = node.node.hub.rooms[table].viewers
    late = watchers[0]
    (held,) = (one for one in node.node.hub.connections if one.user.id == late.user["id"])

    first = await one_move(clients, table, chance)
    await asyncio.gather(*(watcher.entry(table, first) for watcher in watchers))
    assert held in viewers.points[None].whole.clear

    late.socket.transport.pause_reading()
    said = 0
    while held.clear:
        said += 1
        viewers.tell(Chat(table=table, name="Loud", text=str(said) * 8000, at=said), None)
    assert held.ready
    assert held not in viewers.points[None].whole.clear
    for _ in range(3):
        last = await one_move(clients, table, chance)
    await asyncio.gather(*(watcher.entry(table, last) for watcher in watchers[1:]))
    assert held not in viewers.points[None].whole.clear

    late.socket.transport.resume_reading()
    await late.entry(table, last)
    for watcher in watchers:
        assert [update["n"] for update in watcher.updates(table)][-4:] == list(range(first, last + 1))
        assert [message["at"] for message in watcher.heard if message["type"] == "chat"] == list(range(1, said + 1))
    await one_move(clients, table, chance)
    assert held in viewers.points[None].whole.clear


async def test_what_a_turn_has_for_a_watcher_comes_before_what_the_crowd_is_told_then(node: Running) -> None:
    _, table, watchers = await watched(node)
    viewers = node.node.hub.rooms[table].viewers
    for turn in range(1, 20, 3):
        for connection in viewers.points[None].all():
            connection.send(Chat(table=table, name="To each", text="first", at=turn))
        viewers.tell(Chat(table=table, name="To all", text="second", at=turn + 1), None)
        for connection in viewers.points[None].all():
            connection.send(Chat(table=table, name="To each", text="third", at=turn + 2))
        await asyncio.sleep(0)
    for watcher in watchers:
        await watcher.until(lambda message: message["type"] == "chat" and message["at"] == 21)
        assert [message["at"] for message in watcher.heard if message["type"] == "chat"] == list(range(1, 22))
