"""The powers of a table's host: sending users away, locking the table, the chat, the next host, and the end."""

from __future__ import annotations

import random
from typing import Any

import pytest

from server.tables.finished.replay import verify
from tests.client import Client, eventually
from tests.server.conftest import Running, Start
from tests.server.requests.test_sdk import playing
from tests.server.requests.test_seating import finish
from tests.server.tables.test_tables import one_move, people

SEED = 14
EVERYWHERE = [1, 2]  # on how many nodes the users are


async def refusal(client: Client, request: str, **fields: Any) -> str:
    answer = await client.request(request, **fields)
    assert answer["type"] == "error", answer
    return str(answer["code"])


async def gathered(start: Start, nodes: int, *names: str) -> list[Client]:
    """Users in turn on so many nodes."""
    running = [await start() for _ in range(nodes)]
    return [await running[number % nodes].join(name) for number, name in enumerate(names)]


async def table_of(host: Client, *others: Client, **fields: Any) -> str:
    """A table for three at which these users sit and which all of them have open."""
    table = str(
        (await host.request("create", **{"game": "cheesedog", "seats": 3, "speed": "untimed", **fields}))["table"]
    )
    for other in others:
        assert (await other.request("sit", table=table))["type"] == "ok"
    for client in (host, *others):
        await client.request("open", table=table)
        await client.until(lambda one: one["type"] == "table" and taken(one) == 1 + len(others))
    return table


def taken(seen: dict[str, Any]) -> int:
    """How many seats of a table are taken."""
    return sum(seat["kind"] != "free" for seat in seen["seats"])


async def info(client: Client, table: str, **like: Any) -> dict[str, Any]:
    """The first message about the table that has these fields."""
    return await client.next("table", 0, table=table, **like)


@pytest.mark.parametrize("nodes", EVERYWHERE)
async def test_p48_a_user_who_is_sent_away_loses_the_seat_and_is_kept_away(start: Start, nodes: int) -> None:
    host, eve, bob = await gathered(start, nodes, "Hilda", "Eve", "Bob")
    table = await table_of(host, eve)
    done = await host.request("dismiss", table=table, user=eve.user["id"])
    assert done["type"] == "ok", done
    assert (await eve.next("dismissed", 0, table=table))["reason"] == "dismissed"
    seen = await info(host, table, dismissed=[{"user": eve.user["id"], "name": "Eve"}])
    assert [seat["kind"] for seat in seen["seats"]] == ["person", "free", "free"]
    for request in ("sit", "open"):
        assert await refusal(eve, request, table=table) == "dismissed"
    assert await refusal(eve, "open", code=seen["code"]) == "dismissed"
    assert await refusal(eve, "say", table=table, text="but why") == "not_open_here"
    assert (await eve.request("rename", name="Innocent"))["type"] == "ok"
    assert await refusal(eve, "sit", table=table) == "dismissed"
    assert (await bob.request("sit", table=table))["type"] == "ok"
    assert (await host.request("dismiss", table=table, user=eve.user["id"]))["again"]
    assert eve.updates(table)[-1]["n"] < done["n"]


@pytest.mark.parametrize("nodes", EVERYWHERE)
async def test_p48_a_user_who_was_sent_away_can_be_readmitted(start: Start, nodes: int) -> None:
    host, eve = await gathered(start, nodes, "Hilda", "Eve")
    table = await table_of(host, eve)
    await host.request("dismiss", table=table, user=eve.user["id"])
    assert (await host.request("readmit", table=table, user=eve.user["id"]))["type"] == "ok"
    assert (await host.request("readmit", table=table, user=eve.user["id"]))["again"]
    assert (await eve.request("sit", table=table))["type"] == "ok"
    assert (await eve.request("open", table=table))["type"] == "ok"
    assert "dismissed" not in eve.last("table")


@pytest.mark.parametrize("nodes", EVERYWHERE)
async def test_p48_in_a_running_game_a_house_bot_takes_the_seat_of_who_is_sent_away(start: Start, nodes: int) -> None:
    host, eve, bob = await gathered(start, nodes, "Hilda", "Eve", "Bob")
    table = await table_of(host, eve, bob)
    await info(host, table, status="running")
    assert (await host.request("dismiss", table=table, user=eve.user["id"]))["type"] == "ok"
    await eve.next("dismissed", 0, table=table)
    seen = await info(bob, table, dismissed=[{"user": eve.user["id"], "name": "Eve"}])
    assert (seen["seats"][1]["kind"], seen["seats"][1]["level"], seen["status"]) == ("bot", "rookie", "running")
    assert await refusal(eve, "back", table=table) == "not_seated"
    assert await refusal(eve, "move", table=table, ask=1, key="k", move={}) == "not_seated"
    assert await refusal(eve, "open", table=table) == "dismissed"


async def test_p48_a_watcher_is_sent_away_from_a_running_game(node: Running) -> None:
    host, watcher = await node.join("Hilda"), await node.join("Watcher")
    table = (await host.request("create", game="cheesedog", seats=3, bots="rookie", speed="untimed"))["table"]
    for client in (host, watcher):
        await client.request("open", table=table)
    await host.request("dismiss", table=table, user=watcher.user["id"])
    await watcher.next("dismissed", 0, table=table)
    assert await refusal(watcher, "open", table=table) == "dismissed"
    assert (await info(host, table, dismissed=[{"user": watcher.user["id"]}]))["status"] == "running"


async def test_p48_a_bot_of_the_sdk_forgets_a_table_from_which_it_is_sent_away(node: Running) -> None:
    host = await node.join("Hilda")
    table = await table_of(host)
    async with playing(host, node.url) as (bot, _):
        await bot.insist("sit", table=table)
        await bot.play_at(table)
        await host.request("dismiss", table=table, user=bot.welcome["user"]["id"])
        await eventually(lambda: not bot.seats)


async def test_p48_the_rest_of_the_game_is_a_valid_replay(node: Running) -> None:
    chance = random.Random(SEED)
    players = await people(node, 3)
    host, eve, bob = players
    table = (await host.request("create", game="diced_cheese", seats=3))["table"]
    for player in (eve, bob):
        await player.request("sit", table=table)
    for player in players:
        await player.request("open", table=table)
    await one_move(players, table, chance)
    await host.request("dismiss", table=table, user=eve.user["id"])
    await host.request("configure", table=table, locked=True, chat="seats")
    await host.request("rename", name="Hilda")
    await host.request("appoint", table=table, user=bob.user["id"])
    assert (await bob.request("readmit", table=table, user=eve.user["id"]))["type"] == "ok"
    await finish_by_clock(node, host)
    text = await node.node.archive.find(table)
    assert text
    assert verify(text.splitlines()) > 20
    for kind in ("dismissed", "configured", "renamed", "appointed", "readmitted"):
        assert f'"type":"{kind}"' in text


async def finish_by_clock(node: Running, watcher: Client) -> None:
    """Let the clock play until the game has ended."""
    for _ in range(2000):
        await node.later(50_000)
        if watcher.last("table")["status"] == "ended":
            return
    raise AssertionError("the game did not end")


@pytest.mark.parametrize("nodes", EVERYWHERE)
async def test_p49_a_locked_table_is_only_for_those_who_have_a_seat(start: Start, nodes: int) -> None:
    host, bob, watcher, late = await gathered(start, nodes, "Hilda", "Bob", "Watcher", "Late")
    table = await table_of(host, bob)
    await watcher.request("open", table=table)
    assert (await host.request("configure", table=table, locked=True))["type"] == "ok"
    assert (await watcher.next("dismissed", 0, table=table))["reason"] == "table_locked"
    assert (await info(bob, table, locked=True))["status"] == "open"
    for client in (watcher, late):
        for request in ("open", "sit"):
            assert await refusal(client, request, table=table) == "table_locked"
    assert (await bob.request("open", table=table))["type"] == "ok"
    assert (await host.request("configure", table=table, locked=True))["again"]
    assert (await host.request("configure", table=table, locked=False))["type"] == "ok"
    assert (await late.request("sit", table=table))["type"] == "ok"


async def test_p49_a_host_without_a_seat_keeps_the_locked_table_open(node: Running) -> None:
    host = await node.join("Hilda")
    table = (await host.request("create", game="cheesedog", seats=3, seat=None))["table"]
    await host.request("open", table=table)
    assert (await host.request("configure", table=table, locked=True))["type"] == "ok"
    assert (await host.request("open", table=table))["type"] == "ok"
    assert not [message for message in host.received if message["type"] == "dismissed"]


async def test_p49_the_lobby_does_not_list_a_locked_table(node: Running) -> None:
    host, watcher = await node.join("Hilda"), await node.join("Watcher")
    table = await table_of(host)
    await watcher.request("lobby", on=True)
    await watcher.until(lambda one: any(listed["table"] == table for listed in one.get("tables", ())))
    await host.request("configure", table=table, locked=True)
    await watcher.until(lambda one: table in one.get("gone", ()))
    since = len(watcher.received)
    await host.request("configure", table=table, locked=False)
    await watcher.until(lambda one: any(listed["table"] == table for listed in one.get("tables", ())), since)


@pytest.mark.parametrize("nodes", EVERYWHERE)
async def test_p49_the_host_decides_who_may_chat(start: Start, nodes: int) -> None:
    host, bob, watcher = await gathered(start, nodes, "Hilda", "Bob", "Watcher")
    table = await table_of(host, bob)
    await watcher.request("open", table=table)
    for rule, allowed in (("seats", [True, True, False]), ("nobody", [False] * 3), ("everybody", [True] * 3)):
        await host.request("configure", table=table, chat=rule)
        for client, may in zip((host, bob, watcher), allowed, strict=True):
            await client.until(lambda one, rule=rule: one["type"] == "table" and one.get("chat", "everybody") == rule)
            answer = await client.request("say", table=table, text="hi")
            assert answer.get("code") == (None if may else "chat_off")


@pytest.mark.parametrize("nodes", EVERYWHERE)
async def test_p50_the_host_hands_over(start: Start, nodes: int) -> None:
    host, bob, watcher = await gathered(start, nodes, "Hilda", "Bob", "Watcher")
    table = await table_of(host, bob)
    assert await refusal(host, "appoint", table=table, user=watcher.user["id"]) == "bad_field"
    assert (await host.request("appoint", table=table, user=bob.user["id"]))["type"] == "ok"
    await info(bob, table, host=bob.user["id"])
    assert await refusal(host, "configure", table=table, locked=True) == "not_host"
    done = await bob.request("configure", table=table, locked=True)
    assert done["type"] == "ok", done
    done = await bob.request("dismiss", table=table, user=host.user["id"])
    assert done["type"] == "ok", done


@pytest.mark.parametrize("running", [False, True])
async def test_p50_the_host_closes_the_table(node: Running, running: bool) -> None:
    host, bob = await node.join("Hilda"), await node.join("Bob")
    table = await table_of(host, bob)
    if running:
        await host.request("start", table=table)
        await info(bob, table, status="running")
    assert await refusal(bob, "close_table", table=table) == "not_host"
    assert (await host.request("close_table", table=table))["type"] == "ok"
    assert (await info(bob, table, status="closed"))["closed"] == "the host closed it"
    assert (await host.request("close_table", table=table))["again"]
    assert await refusal(host, "configure", table=table, locked=True) == "table_over"


async def test_only_the_host_has_these_powers_and_not_over_everybody(node: Running) -> None:
    host, bob = await node.join("Hilda"), await node.join("Bob")
    table = await table_of(host, bob)
    for request in ("dismiss", "readmit", "appoint"):
        assert await refusal(bob, request, table=table, user=host.user["id"]) == "not_host"
    assert await refusal(bob, "configure", table=table, chat="nobody") == "not_host"
    assert await refusal(host, "dismiss", table=table, user=host.user["id"]) == "bad_field"
    await host.request("bot", table=table, seat=2)
    bot = (await host.until(lambda one: one["type"] == "table" and one["seats"][2]["kind"] == "bot"))["seats"][2]
    assert await refusal(host, "dismiss", table=table, user=bot["user"]) == "bad_field"
    assert await refusal(host, "appoint", table=table, user=bot["user"]) == "bad_field"


async def test_a_rematch_keeps_the_rules_of_the_host(node: Running) -> None:
    chance = random.Random(SEED)
    players = await people(node, 3)
    host, bob, eve = players
    table = (await host.request("create", game="diced_cheese", seats=2))["table"]
    await host.request("dismiss", table=table, user=eve.user["id"])
    await host.request("configure", table=table, locked=False, chat="seats")
    await bob.request("sit", table=table)
    await finish([host, bob], table, chance)
    rematch = (await bob.request("rematch", table=table))["table"]
    await bob.request("open", table=rematch)
    seen = bob.last("table")
    assert (seen["table"], seen["chat"], seen["host"]) == (rematch, "seats", host.user["id"])
    assert [gone["user"] for gone in seen["dismissed"]] == [eve.user["id"]]
    assert await refusal(eve, "open", table=rematch) == "dismissed"


async def test_a_rematch_of_a_table_that_its_host_has_left_has_another_host(node: Running) -> None:
    host, bob = await people(node, 2)
    table = (await host.request("create", game="diced_cheese", seats=2))["table"]
    await bob.request("sit", table=table)
    await finish([host, bob], table, random.Random(SEED))
    heard = len(bob.received)
    await host.close()
    await bob.until(lambda message: message["type"] == "table" and not message["seats"][0].get("here"), heard)
    rematch = (await bob.request("rematch", table=table))["table"]
    await bob.request("open", table=rematch)
    assert (await bob.next("table", 0, table=rematch))["host"] == bob.user["id"]


async def test_a_host_who_does_not_come_to_the_rematch_is_followed_after_20_s(node: Running) -> None:
    host, bob = await people(node, 2)
    table = (await host.request("create", game="diced_cheese", seats=2))["table"]
    await bob.request("sit", table=table)
    await finish([host, bob], table, random.Random(SEED))
    node.stop_clock()
    rematch = (await bob.request("rematch", table=table))["table"]
    await bob.request("open", table=rematch)
    assert (await bob.next("table", 0, table=rematch))["host"] == host.user["id"]
    heard = len(bob.received)
    await bob.until(lambda message: message["type"] == "table" and message["seats"][1].get("here"), heard - 1)
    node.node.report()
    await node.later(20_500)
    node.node.report()
    assert (await bob.next("table", heard, table=rematch, host=bob.user["id"]))["host"] == bob.user["id"]


async def test_a_host_decides_whether_late_friends_may_take_the_seats_of_bots(node: Running) -> None:
    host, late, later = await people(node, 3)
    table = (await host.request("create", game="cheesedog", seats=4, public=False))["table"]
    await host.request("open", table=table)
    assert (await host.request("configure", table=table, late=False))["type"] == "ok"
    await host.request("start", table=table, bots="rookie")
    await info(host, table, status="running")
    assert not host.last("table").get("late", False)
    assert await refusal(late, "sit", table=table) == "not_open"
    assert (await host.request("configure", table=table, late=True))["type"] == "ok"
    assert (await late.request("sit", table=table))["type"] == "ok"
    await host.next("table", 0, table=table, late=True)
    await host.request("configure", table=table, late=False)
    assert await refusal(later, "sit", table=table) == "not_open"


async def test_the_rules_of_a_table_come_from_its_log(start: Start) -> None:
    here = await start()
    host, eve = await here.join("Hilda"), await here.join("Eve")
    table = await table_of(host, eve)
    await host.request("dismiss", table=table, user=eve.user["id"])
    await host.request("configure", table=table, chat="nobody")
    there = await start()
    other = await there.join(token=eve.token)
    assert await refusal(other, "open", table=table) == "dismissed"
    third = await there.join("Third")
    await third.request("open", table=table)
    assert third.last("table")["chat"] == "nobody"


async def test_a_host_who_is_away_for_20_s_is_followed_by_who_has_been_seated_longest(node: Running) -> None:
    node.stop_clock()
    host, eve, bob = [await node.join(name) for name in ("Hilda", "Eve", "Bob")]
    table = (await host.request("create", game="cheesedog", seats=4))["table"]
    for guest, seat in ((bob, 3), (eve, 1)):
        await guest.request("sit", table=table, seat=seat)
    for client in (host, eve, bob):
        await client.request("open", table=table)
    await eve.until(
        lambda message: message["type"] == "table" and all(message["seats"][seat].get("here") for seat in (0, 1, 3))
    )
    heard = len(eve.received)
    await host.close()
    await eve.until(lambda message: message["type"] == "table" and not message["seats"][0].get("here"), heard)
    await node.later(19_000)
    node.node.report()
    await bob.request("say", table=table, text="hello")
    assert eve.last("table")["host"] == host.user["id"]
    heard = len(eve.received)
    await node.later(1_500)
    node.node.report()
    assert (await eve.next("table", heard, host=bob.user["id"]))["host"] == bob.user["id"]
    back = await node.join(token=host.token)
    await back.request("open", table=table)
    assert (await back.next("table", since=0))["host"] == bob.user["id"]
