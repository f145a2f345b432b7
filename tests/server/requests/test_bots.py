"""The door for strangers' bots: tokens, being found, invitations, the practice pool."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
import redis

from server.people import NEW_GUEST_S, token_key
from tests.client import Client, fill
from tests.server.conftest import Running, Start


async def bot_of(owner: Client, node: Running, name: str = "Gnawbot", **hello: Any) -> Client:
    """A bot of somebody's, connected."""
    made = await owner.request("token", name=name)
    return await node.join(token=made["token"], **hello)


async def test_p42_a_person_makes_lists_and_revokes_tokens(start: Start) -> None:
    here, there = await start(), await start()
    ada, eve = await here.join("Ada"), await here.join("Eve")
    made = await ada.request("token", name="  Gnaw\u202ebot ", scopes=["play"])
    listed = (await ada.request("tokens"))["own"]
    assert [(bot["user"], bot["name"], bot["scopes"], "used" in bot) for bot in listed] == [
        (made["user"], "Gnawbot", ["play"], False)
    ]
    bot = await there.join(token=made["token"])
    assert bot.user == {"id": made["user"], "name": "Gnawbot", "bot": True, "owner": "Ada"}
    assert (await ada.request("tokens"))["own"][0]["used"] >= listed[0]["made"]
    assert (await bot.request("token", name="Child"))["code"] == "not_allowed"
    assert (await bot.request("create", game="cheesedog", seats=3))["code"] == "not_allowed"
    assert (await eve.request("revoke", bot=made["user"]))["code"] == "no_bot"
    assert (await ada.request("revoke", bot=made["user"]))["type"] == "ok"
    with pytest.raises(ConnectionError):
        await bot.until(lambda message: False)
    assert bot.closed_with == 4004
    assert (await ada.request("tokens"))["own"] == []
    with pytest.raises(PermissionError, match="bad_token"):
        await here.join(token=made["token"])


async def test_p42_a_token_is_good_for_something(node: Running) -> None:
    ada = await node.join("Ada")
    refused = await ada.request("token", name="Gnawbot", scopes=[])
    assert (refused["code"], refused["field"]) == ("bad_field", "scopes")
    assert (await ada.request("tokens"))["own"] == []


async def test_p42_one_has_at_most_twenty_bots(node: Running) -> None:
    ada = await node.join("Ada")
    for number in range(20):
        assert (await ada.request("token", name=f"Bot {number}"))["type"] == "ok"
    assert (await ada.request("token", name="One more"))["code"] == "too_many_bots"


async def test_p43_p44_a_bot_is_found_invited_and_accepts_or_declines(start: Start) -> None:
    here, there = await start(), await start()
    ada, host = await here.join("Ada"), await here.join("Host")
    bot = await bot_of(ada, there, plays={"games": ["cheesedog"], "tables": 2})
    assert (await host.request("bots", game="cheesonomics"))["bots"] == []
    (found,) = (await host.request("bots", game="cheesedog"))["bots"]
    assert (found["name"], found["owner"], found["free"]) == ("Gnawbot", "Ada", 2)
    made = await host.request("create", game="cheesedog", seats=3)
    await host.request("open", table=made["table"])
    for seat in (1, 2):
        assert (await ada.request("invite", table=made["table"], seat=seat, bot=found["user"]))["code"] == "not_host"
    assert (await host.request("invite", table=made["table"], seat=1, bot=found["user"]))["type"] == "ok"
    invited = await bot.next("invited", 0)
    assert (invited["seat"], invited["by"], invited["game"]) == (1, "Host", "cheesedog")
    held = await host.until(lambda m: m["type"] == "table" and m["seats"][1]["kind"] == "held")
    assert held["seats"][1]["name"] == "Gnawbot"
    again = await host.request("invite", table=made["table"], seat=2, bot=found["user"])
    assert again["code"] == "seated_already"
    assert (await bot.request("decline", table=made["table"]))["type"] == "ok"
    assert (await bot.request("decline", table=made["table"]))["code"] == "not_invited"
    await host.request("invite", table=made["table"], seat=2, bot=found["user"])
    assert (await bot.request("sit", table=made["table"]))["type"] == "ok"
    seated = await host.until(lambda m: m["type"] == "table" and m["seats"][2]["kind"] == "bot")
    assert (seated["seats"][2]["owner"], seated["seats"][1]["kind"]) == ("Ada", "free")


async def test_p43_a_bot_at_as_many_tables_as_it_takes_is_not_listed(node: Running) -> None:
    ada = await node.join("Ada")
    bot = await bot_of(ada, node, plays={"games": ["cheesedog"]})
    table = (await ada.request("create", game="cheesedog", seats=3))["table"]
    assert len((await ada.request("bots"))["bots"]) == 1
    await bot.request("open", table=table)
    assert (await ada.request("bots"))["bots"] == []
    await bot.request("close", table=table)
    assert len((await ada.request("bots"))["bots"]) == 1


async def test_p44_a_bot_that_is_away_cannot_be_invited(node: Running) -> None:
    ada, host = await node.join("Ada"), await node.join("Host")
    bot = await bot_of(ada, node, plays={"games": ["cheesedog"]})
    user = bot.user["id"]
    assert len((await host.request("bots"))["bots"]) == 1
    await bot.close()
    made = await host.request("create", game="cheesedog", seats=3)
    while node.node.hub.bots:
        await host.request("ping")
        await asyncio.sleep(0)
    assert (await host.request("invite", table=made["table"], seat=1, bot=user))["code"] == "bot_away"


async def test_p45_bots_find_each_other_in_the_practice_pool(start: Start) -> None:
    nodes = [await start(), await start()]
    ada = await nodes[0].join("Ada")
    assert (await ada.request("practice", game="diced_cheese", seats=3))["code"] == "not_allowed"
    bots = [await bot_of(ada, nodes[number % 2], f"Bot {number}") for number in range(6)]
    answers = await asyncio.gather(*(bot.request("practice", game="diced_cheese", seats=3) for bot in bots))
    tables = [answer["table"] for answer in answers]
    assert sorted(tables.count(table) for table in set(tables)) == [3, 3]
    for bot, table in zip(bots, tables, strict=True):
        await bot.request("open", table=table)
    for bot in bots:
        info = await bot.next("table", 0, status="running")
        assert [seat["kind"] for seat in info["seats"]] == ["bot"] * 3


async def test_p45_practice_never_answers_with_a_table_that_is_over(node: Running) -> None:
    ada = await node.join("Ada")
    bot = await bot_of(ada, node)
    first = (await bot.request("practice", game="diced_cheese", seats=3))["table"]
    assert (await bot.request("practice", game="diced_cheese", seats=3))["table"] == first
    await bot.request("leave", table=first)
    assert (await bot.request("practice", game="diced_cheese", seats=3))["table"] != first


async def test_p42_a_token_that_was_taken_back_while_nobody_listened_is_worth_nothing(node: Running) -> None:
    ada = await node.join("Ada")
    bot = await bot_of(ada, node)
    node.node.feed._store.tell("SUNSUBSCRIBE", f"user:{bot.user['id']}")
    assert (await ada.request("revoke", bot=bot.user["id"]))["type"] == "ok"
    assert (await bot.request("ping"))["type"] == "ok"
    transport = node.node.feed._store._transport
    assert transport
    transport.abort()
    with pytest.raises(ConnectionError):
        await bot.until(lambda message: False)
    assert bot.closed_with == 4004


async def test_p44_whose_seat_is_held_takes_that_one_and_is_not_host(node: Running) -> None:
    host, ada, guest = [await node.join(name) for name in ("Host", "Ada", "Guest")]
    bot = await bot_of(ada, node, plays={"games": ["cheesedog"]})
    table = (await host.request("create", game="cheesedog", seats=4))["table"]
    await host.request("invite", table=table, seat=1, bot=bot.user["id"])
    assert (await bot.request("sit", table=table, seat=2))["code"] == "seated_already"
    await guest.request("sit", table=table, seat=3)
    await host.request("leave", table=table)
    await guest.request("open", table=table)
    assert (await guest.next("table", 0))["host"] == guest.user["id"]
    assert (await guest.request("leave", table=table))["type"] == "ok"
    await guest.next("table", 0, status="closed")


async def test_a_guest_who_makes_a_bot_is_remembered(node: Running, store_url: str) -> None:
    ada = await node.join("Ada")
    await bot_of(ada, node)
    with redis.Redis.from_url(store_url) as store:
        assert store.ttl(token_key(ada.token)) > NEW_GUEST_S


async def test_a_note_stays_hidden_until_the_replay(node: Running) -> None:
    chance = random.Random(1)
    ada = await node.join("Ada")
    bots = [await bot_of(ada, node, f"Bot {number}") for number in range(3)]
    table = (await bots[0].request("create", game="do_my_bidding", seats=3))["table"]
    for bot in bots:
        await bot.request("sit", table=table)
        await bot.request("open", table=table)
    for bot in bots:
        await bot.next("update", 0, table=table)
    while not any(m["type"] == "table" and m["status"] == "ended" for m in bots[0].heard):
        bot = next(bot for bot in bots if "ask" in bot.updates(table)[-1])
        ask = bot.updates(table)[-1]["ask"]
        move = fill(chance.choice(ask["offers"]), chance)
        done = await bot.request("move", table=table, ask=ask["n"], key=str(ask["n"]), move=move, note="psst: a secret")
        for other in bots:
            await other.entry(table, done["n"])
        if node.node.hub.rooms[table].table.status == "ended":  # type: ignore[union-attr]
            break
    assert not any("psst" in str(message) for bot in bots for message in bot.heard)
    text = await node.node.archive.find(table)
    assert text
    assert "psst: a secret" in text


async def test_a_refused_move_says_what_came_and_how_long_is_left(node: Running) -> None:
    ada = await node.join("Ada")
    made = await ada.request("create", game="cheesedog", seats=3, bots="random")
    await ada.request("open", table=made["table"])
    await ada.next("table", 0, status="running")
    no = await ada.request("move", table=made["table"], ask=1, key="k", move={"type": "play", "rank": 99, "count": 1})
    assert no["sent"] == "{'type': 'play', 'rank': 99, 'count': 1}"
    assert ("left_ms" in no) == (no["code"] == "stale_ask")
