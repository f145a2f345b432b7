"""Blocks survive renames and reconnects, on every node, and reports reach the operator."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
import redis

from server.requests.accounts import GUEST_S
from server.requests.reports import KEPT_S, LINES, MAX_KEPT, Reports
from server.store import keys
from tests.client import Client, eventually
from tests.server.conftest import Running, Start, free_limits
from tests.server.requests.test_hosting import EVERYWHERE, gathered, refusal, table_of
from tests.server.requests.test_seating import finish


def chats(client: Client) -> list[str]:
    """The chat texts that a client has received; a text that comes while a table is opened may come twice."""
    return list(dict.fromkeys(message["text"] for message in client.received if message["type"] == "chat"))


async def say(speaker: Client, table: str, text: str, *listeners: Client) -> None:
    """Say something, and wait until these have heard it."""
    assert (await speaker.request("say", table=table, text=text))["type"] == "ok"
    for listener in listeners:
        await listener.next("chat", 0, text=text)


@pytest.mark.parametrize("nodes", EVERYWHERE)
async def test_p51_chat_of_a_blocked_user_is_not_delivered_even_under_a_new_name(start: Start, nodes: int) -> None:
    ada, eve, bob = await gathered(start, nodes, "Ada", "Eve", "Bob")
    table = await table_of(ada, eve, bob)
    await say(eve, table, "before", ada, bob)
    assert (await ada.request("block", user=eve.user["id"], name="Eve"))["type"] == "ok"
    await say(eve, table, "after", bob)
    await eve.request("rename", name="Somebody else")
    await say(eve, table, "renamed", bob)
    await say(bob, table, "end", ada)
    assert chats(ada) == ["before", "end"]


@pytest.mark.parametrize("nodes", EVERYWHERE)
async def test_p51_a_block_holds_for_every_connection_of_the_user_and_for_the_chat_before(
    start: Start, nodes: int
) -> None:
    running = [await start() for _ in range(nodes)]
    ada, eve = await running[0].join("Ada"), await running[0].join("Eve")
    table = await table_of(ada, eve)
    open_already = await running[-1].join(token=ada.token)
    await open_already.request("open", table=table)
    await say(eve, table, "before", open_already)
    await ada.request("block", user=eve.user["id"])
    blocked = [connection.viewer for connection in running[-1].node.users.of(ada.user["id"])]
    await eventually(lambda: all(viewer.blocked for viewer in blocked))
    later = await running[-1].join(token=ada.token)
    await later.request("open", table=table)
    await say(eve, table, "hidden")
    await say(ada, table, "end", open_already, later)
    assert chats(open_already) == ["before", "end"]
    assert chats(later) == ["end"]


async def test_p51_who_watches_in_a_large_crowd_can_block_too(node: Running) -> None:
    ada, *crowd = [await node.join(f"Watcher {number}") for number in range(12)]
    table = (await ada.request("create", game="cheesedog", seats=3, seat=None))["table"]
    for client in (ada, *crowd):
        await client.request("open", table=table)
    await say(crowd[0], table, "first", *crowd, ada)
    await ada.request("block", user=crowd[0].user["id"])
    await say(crowd[0], table, "second", *crowd)
    await say(crowd[1], table, "third", *crowd, ada)
    assert chats(ada) == ["first", "third"]


async def test_p51_a_block_ends(node: Running) -> None:
    ada, eve = await node.join("Ada"), await node.join("Eve")
    table = await table_of(ada, eve)
    await ada.request("block", user=eve.user["id"], name="Eve")
    assert (await ada.request("blocks"))["blocked"] == [{"user": eve.user["id"], "name": "Eve"}]
    assert (await ada.request("unblock", user=eve.user["id"]))["type"] == "ok"
    assert (await ada.request("blocks"))["blocked"] == []
    await say(eve, table, "hello again", ada)


@pytest.mark.parametrize("nodes", EVERYWHERE)
async def test_p51_a_blocked_user_does_not_sit_down_at_the_tables_of_the_blocker(start: Start, nodes: int) -> None:
    ada, eve, bob = await gathered(start, nodes, "Ada", "Eve", "Bob")
    await ada.request("block", user=eve.user["id"])
    table = await table_of(ada, bob)
    assert await refusal(eve, "sit", table=table) == "blocked"
    await ada.request("appoint", table=table, user=bob.user["id"])
    assert (await eve.request("sit", table=table))["type"] == "ok"
    assert await refusal(eve, "sit", table="zzzzzzzzzz") == "no_table"


async def test_p51_a_blocked_user_does_not_invite_the_bots_of_the_blocker(node: Running) -> None:
    ada, eve = await node.join("Ada"), await node.join("Eve")
    bot = await ada.request("token", name="Gnawbot")
    await node.join(token=bot["token"], plays={"games": ["cheesedog"]})
    table = await table_of(eve)
    await ada.request("block", user=eve.user["id"])
    assert await refusal(eve, "invite", table=table, seat=1, bot=bot["user"]) == "bot_away"
    await ada.request("unblock", user=eve.user["id"])
    assert (await eve.request("invite", table=table, seat=1, bot=bot["user"]))["type"] == "ok"


async def test_p51_no_seat_of_a_rematch_is_held_for_a_blocked_user(node: Running) -> None:
    ada, eve = await node.join("Ada"), await node.join("Eve")
    table = (await ada.request("create", game="diced_cheese", seats=2))["table"]
    await eve.request("sit", table=table)
    await finish([ada, eve], table, random.Random(14))
    await ada.request("block", user=eve.user["id"])
    rematch = (await ada.request("rematch", table=table))["table"]
    await ada.request("open", table=rematch)
    assert [seat["kind"] for seat in ada.last("table")["seats"]] == ["person", "free"]
    assert await refusal(eve, "rematch", table=table) == "blocked"


async def test_p51_the_list_of_blocked_users_is_bounded_and_expires(start: Start, store_url: str) -> None:
    node = await start(limits=free_limits(blocked=10))
    ada = await node.join("Ada")
    assert await refusal(ada, "block", user=ada.user["id"]) == "bad_field"
    answers = await asyncio.gather(*(ada.request("block", user=f"u{number}") for number in range(30)))
    listed = (await ada.request("blocks"))["blocked"]
    assert len(listed) == 10
    assert [answer.get("code") for answer in answers].count("too_many_blocked") == 20
    with redis.Redis.from_url(store_url) as store:
        assert 0 < store.ttl(keys.user_blocks(ada.user["id"])) <= GUEST_S


# Reports.


async def test_p52_a_report_has_the_last_lines_of_chat(node: Running) -> None:
    ada, eve = await node.join("Ada"), await node.join("Eve")
    table = await table_of(ada, eve)
    await say(eve, table, "something awful", ada)
    await say(ada, table, "please stop", ada)
    done = await ada.request("report", table=table, user=eve.user["id"], text="insults \u202eme")
    assert done["type"] == "ok", done
    (report,) = await Reports(node.node.store).all()
    assert (report.by, report.about, report.about_name) == (ada.user["id"], eve.user["id"], "Eve")
    assert (report.table, report.game, report.text) == (table, "cheesedog", "insults me")
    assert [(line.name, line.text) for line in report.lines] == [("Eve", "something awful"), ("Ada", "please stop")]


async def test_p52_only_users_of_a_table_that_one_has_open_can_be_reported(node: Running) -> None:
    ada, eve = await node.join("Ada"), await node.join("Eve")
    table = (await ada.request("create", game="cheesedog", seats=3))["table"]
    assert await refusal(ada, "report", table=table, user=eve.user["id"]) == "not_open_here"
    await ada.request("open", table=table)
    assert await refusal(ada, "report", table=table, user=eve.user["id"]) == "bad_field"
    assert await refusal(ada, "report", table=table, user=ada.user["id"]) == "bad_field"
    await eve.request("open", table=table)
    await say(eve, table, "I only watch")
    assert (await ada.request("report", table=table, user=eve.user["id"]))["type"] == "ok"


async def test_p52_reports_are_limited_bounded_and_expire(node: Running, store_url: str) -> None:
    ada, eve = await node.join("Ada", source="127.0.66.1"), await node.join("Eve")
    allowed = ada.welcome["limits"]["reports_per_hour"]
    table = await table_of(ada, eve)
    answers: list[dict[str, Any]] = []
    for _ in range(allowed + 1):
        answers.append(await ada.request("report", table=table, user=eve.user["id"]))
    assert [answer["type"] for answer in answers] == ["ok"] * allowed + ["error"]
    assert answers[-1]["code"] == "rate_limited"
    assert 0 < answers[-1]["retry_after_ms"] <= 3_600_000
    reports = Reports(node.node.store)
    (first, *_) = await reports.all()
    for _ in range(MAX_KEPT):
        await reports.add(first)
    assert len(await reports.all()) == MAX_KEPT
    assert len(first.lines) <= LINES
    with redis.Redis.from_url(store_url) as store:
        assert 0 < store.ttl(keys.REPORTS) <= KEPT_S
        assert all(store.ttl(key) > 0 for key in store.keys("reports:*"))
    await reports.clear()
    assert await reports.all() == []
