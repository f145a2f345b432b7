"""The `table` message: who is here, and no message that says nothing new."""

from __future__ import annotations

import itertools

from tests.client import Client
from tests.server.conftest import Running, Start
from tests.server.tables.test_tables import people, table_of


async def test_a_seat_whose_stand_in_plays_is_not_here_while_its_owner_is_away(node: Running) -> None:
    tokens = await node.node.accounts.new_house_tokens()
    ada, bob, away = await people(node)
    table = await table_of([ada, bob, away])
    await ada.until(lambda m: m["type"] == "table" and all(seat.get("here") for seat in m["seats"]))
    await away.request("leave", table=table)
    room = node.node.rooms.get(table)
    assert room.table
    stand_in = await node.join(token=tokens[room.table.chairs[2].stand_in or ""])
    await stand_in.request("open", table=table)
    assert (await stand_in.next("table", 0))["you"] == 2
    since = len(ada.received)
    await away.close()
    info = await ada.until(lambda m: m["type"] == "table" and "here" not in m["seats"][2], since)
    assert info["seats"][2]["stand_in"]
    back = await node.join(token=away.token)
    await back.request("open", table=table)
    await ada.until(lambda m: m["type"] == "table" and m["seats"][2].get("here"), ada.received.index(info))


def repeated(client: Client) -> list[tuple[dict[str, object], ...]]:
    """Consecutive `table` messages of a client that are the same."""
    tables = [message for message in client.received if message["type"] == "table"]
    return [pair for pair in itertools.pairwise(tables) if pair[0] == pair[1]]


async def test_a_table_message_that_says_nothing_new_is_not_sent(start: Start) -> None:
    here, there = await start(), await start()
    clients = [await here.join("A"), await there.join("B"), await here.join("C")]
    table = await table_of(clients)
    watchers = [await node.join("W") for node in (here, there, here)]
    for watcher in watchers:
        await watcher.request("open", table=table)
    for number, client in enumerate([*clients, *watchers]):
        for node in (here, there):
            node.node.presence.report(node.node.rooms.get(table))
        await clients[0].request("say", table=table, text=f"line {number}")
        await client.until(lambda m, text=f"line {number}": m["type"] == "chat" and m["text"] == text)
    for client in [*clients, *watchers]:
        await client.until(
            lambda m: m["type"] == "table" and m.get("watchers") == 3 and all(seat.get("here") for seat in m["seats"])
        )
        assert repeated(client) == []


async def test_a_viewer_who_joins_others_gets_the_table_message_and_later_changes(node: Running) -> None:
    host, first, second = await people(node)
    table = (await host.request("create", game="cheesedog", seats=4))["table"]
    await host.request("open", table=table)
    for watcher in (first, second):
        await watcher.request("open", table=table)
        assert (await watcher.next("table", 0))["host"] == host.user["id"]
    await host.request("configure", table=table, chat="nobody")
    for watcher in (first, second):
        await watcher.next("table", 0, chat="nobody")
    await host.request("configure", table=table, chat="everybody")
    for watcher in (first, second):
        await watcher.until(
            lambda m: m["type"] == "table" and "chat" not in m, watcher.received.index(watcher.last("table"))
        )
