"""The lobby lists everybody's tables fairly, and cheaply."""

from __future__ import annotations

import asyncio
import random
from functools import partial
from time import monotonic
from typing import Any

import pytest

from protocol.messages import LobbyTable, SeatInfo
from server.tables.rooms import lobby_feed
from server.tables.rooms.lobby_feed import LobbyFeed
from server.tables.rooms.lobby_order import OF_ADDRESS, Listing, in_fair_order
from tests.client import Client, eventually
from tests.server.conftest import Running, Start, free_limits

SEED = 20261117
HONEST = 8
ATTACKERS = 4


def listing(name: str, host: str, origin: str = "", at: int = 0, people: bool = True, **more: Any) -> Listing:
    seat = SeatInfo(kind="person", user=host, name=host, here=True) if people else SeatInfo(kind="free")
    shown = LobbyTable(table=name, game="cheesedog", speed="normal", status=more.pop("status", "open"), seats=(seat,))
    return Listing(at, host, origin, shown)


def names(*listings: Listing) -> list[str]:
    return [table.table for table in in_fair_order(listings)]


# The order.


def test_people_come_first_then_open_tables_then_the_last_active() -> None:
    tables = [
        listing("bots-running", "a", "1", at=9, people=False, status="running"),
        listing("bots-open", "b", "2", at=8, people=False),
        listing("running", "c", "3", at=7, status="running"),
        listing("older", "d", "4", at=5),
        listing("newer", "e", "5", at=6),
    ]
    random.Random(SEED).shuffle(tables)
    assert names(*tables) == ["newer", "older", "running", "bots-open", "bots-running"]


def test_the_second_table_of_a_host_comes_after_the_first_tables_of_all() -> None:
    greedy = [listing(f"greedy-{number}", "g", "1", at=100 + number) for number in range(20)]
    others = [listing(f"other-{number}", f"h{number}", f"2{number}", people=number > 2) for number in range(6)]
    order = names(*greedy, *others)
    assert order[0] == "greedy-19"
    assert set(order[1:7]) == {f"other-{number}" for number in range(6)}
    assert order[7:] == [f"greedy-{number}" for number in reversed(range(19))]


def test_guests_at_one_address_together_get_a_few_first_places() -> None:
    greedy = [listing(f"greedy-{number}", f"g{number}", "1", at=100) for number in range(50)]
    others = [listing(f"other-{number}", f"h{number}", f"2{number}") for number in range(6)]
    order = names(*greedy, *others)
    assert sum(name.startswith("greedy") for name in order[: 6 + OF_ADDRESS]) == OF_ADDRESS


def test_tables_of_unknown_origin_are_not_one_address() -> None:
    old = [listing(f"old-{number}", f"h{number}", "", at=5) for number in range(20)]
    assert names(listing("new", "n", "1", at=1), *old)[-1] == "new"


def test_of_the_empty_tables_of_an_address_one_is_shown_before_others() -> None:
    empty = [listing(f"empty-{number}", f"g{number}", "1", at=100, people=False) for number in range(10)]
    other = listing("other", "h", "2", people=False)
    assert names(*empty, other).index("other") == 1


# What clients see.


async def test_honest_tables_come_first_while_four_guests_open_as_many_as_they_can(start: Start) -> None:
    limits = free_limits(burst=10_000, tables_per_minute=1000, tables_per_hour=1000, address_tables_per_minute=1000)
    nodes = [await start(limits=limits), await start(limits=limits)]
    hosts = [await nodes[n % 2].join(f"Honest {n}", source=f"127.0.67.{n + 1}") for n in range(HONEST)]
    honest = [await honest_table(host) for host in hosts[: HONEST // 2]]
    attackers = [await nodes[n % 2].join("Greedy", source=f"127.0.66.{n + 1}") for n in range(ATTACKERS)]
    opened = 0
    for attacker in attackers:
        for seat in (0, None):
            for _ in range(60):
                made = await attacker.request("create", game="cheesedog", seats=4, seat=seat)
                if made["type"] == "error":
                    assert made["code"] == "too_many_tables"
                    break
                opened += 1
                await attacker.request("open", table=made["table"])
    assert opened == ATTACKERS * limits["address_tables_held"]  # all that the limits of tables allow
    honest += [await honest_table(host) for host in hosts[HONEST // 2 :]]
    for node in nodes:
        await eventually(partial(_shows_all, node.node.lobby.feed, opened + HONEST))
    newcomer = await nodes[0].join("Newcomer")
    since = len(newcomer.received)
    await newcomer.request("lobby", on=True)
    listed = [table["table"] for table in (await newcomer.next("tables", since, whole=True))["tables"]]
    assert len(listed) == opened + HONEST
    assert max(listed.index(table) for table in honest) < HONEST + ATTACKERS


def _shows_all(feed: LobbyFeed, tables: int) -> bool:
    return len(feed._shown) == tables


async def honest_table(host: Client) -> str:
    table: str = (await host.request("create", game="cheesedog", seats=4))["table"]
    await host.request("open", table=table)
    return table


async def test_the_lobby_never_names_a_private_table(node: Running) -> None:
    watcher, host = await node.join(), await node.join()
    await watcher.request("lobby", on=True)
    private, public = [
        (await host.request("create", game="cheesedog", seats=3, public=public))["table"] for public in (False, True)
    ]
    for table in (private, public):
        await host.request("leave", table=table)
    await node.later(5_000)
    await eventually(lambda: not node.node.due_tables.tasks)  # both are put away
    await watcher.until(lambda message: public in message.get("gone", ()))
    last = (await host.request("create", game="cheesedog", seats=3))["table"]
    await watcher.until(lambda message: shows(message, last))
    assert not any(private in str(message) for message in watcher.received)


def lists(client: Client, since: int = 0) -> list[dict[str, Any]]:
    return [message for message in client.received[since:] if message["type"] == "tables" and message.get("whole")]


async def test_starting_the_feed_twice_sends_the_list_once(node: Running) -> None:
    client = await node.join()
    for _ in range(5):
        assert (await client.request("lobby", on=True))["type"] == "ok"
    assert len(lists(client)) == 1


async def test_a_feed_that_is_started_again_sends_the_list_after_a_while(
    node: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby_feed, "REPEAT_S", 0.3)
    client, host = await node.join(), await node.join()
    began = monotonic()
    await client.request("lobby", on=True)
    for _ in range(5):
        await client.request("lobby", on=False)
        made = await host.request("create", game="cheesedog", seats=3)
        await asyncio.sleep(0)
        await client.request("lobby", on=True)
    await client.until(lambda message: len(lists(client)) >= 2)
    await client.until(lambda message: shows(message, made["table"]))
    await client.request("ping")
    assert len(lists(client)) <= 1 + (monotonic() - began) / 0.3  # one at once, and then one in each interval at most


def shows(message: dict[str, Any], table: str) -> bool:
    return message["type"] == "tables" and any(one["table"] == table for one in message.get("tables", ()))


async def test_all_clients_see_the_same_first_tables_of_too_many(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever follows from the beginning has the same list as somebody who comes later."""
    monkeypatch.setattr(lobby_feed, "MAX_LISTED", 10)
    monkeypatch.setattr(lobby_feed, "ORDER_S", 0.1)
    node = await start(limits=free_limits(burst=10_000))
    early = await node.join("Early")
    await early.request("lobby", on=True)
    chance = random.Random(SEED)
    hosts = [await node.join(f"Ann {number}") for number in range(6)]
    tables: list[tuple[Client, str]] = []
    for _ in range(60):
        host = chance.choice(hosts)
        if tables and chance.random() < 0.3:
            leaver, table = tables.pop(chance.randrange(len(tables)))
            await leaver.request("leave", table=table)
        else:
            tables.append((host, (await host.request("create", game="cheesedog", seats=3))["table"]))
    feed = node.node.lobby.feed
    await eventually(lambda: len(node.node.lobby._tables) == len(tables) and feed._timer is None)
    late = await node.join("Late")
    since = len(late.received)
    await late.request("lobby", on=True)
    whole = {table["table"] for table in (await late.next("tables", since, whole=True))["tables"]}
    await early.request("ping")
    assert len(tables) > 10, f"seed {SEED}"
    assert seen(early) == whole
    assert len(whole) == 10
    assert {one.table for one in in_fair_order(node.node.lobby._tables.values())[:10]} == whole


def seen(client: Client) -> set[str]:
    """The tables that a client has in its list."""
    shown: set[str] = set()
    for message in client.received:
        if message["type"] == "tables":
            shown = set() if message.get("whole") else shown - set(message.get("gone", ()))
            shown |= {table["table"] for table in message.get("tables", ())}
    return shown
