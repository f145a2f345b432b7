"""Bans and mutes by the operator: on open connections, at hello, on every node, and on the command line."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

import pytest
from websockets.asyncio.client import connect

from bots.sdk import Refused
from server.requests.limits.client_addresses import network_address
from server.requests.sanctions import SanctionList
from server.store import keys
from server.store.answers import StoreLost, Then
from tests.client import Client, eventually
from tests.server.conftest import Running, Start
from tests.server.requests.test_hosting import EVERYWHERE, refusal, table_of
from tests.server.requests.test_own_account import closed
from tests.server.requests.test_sdk import playing
from tests.service import ROOT

BANNED = 4005
EVE = "127.0.66.9"  # an address to which limits apply


async def operator(store_url: str, *command: str) -> tuple[int, str, str]:
    """Run `cheeseboard` with these arguments; its exit code and what it wrote."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "server.process.cli", *command),
        cwd=ROOT,
        env={**os.environ, "REDIS_URL": store_url},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(30):
        out, err = await process.communicate()
    return process.returncode or 0, out.decode(), err.decode()


async def done(store_url: str, *command: str) -> str:
    """Run a command that succeeds; what it wrote on standard output."""
    code, out, err = await operator(store_url, *command)
    assert code == 0, err
    return out


@pytest.mark.parametrize("nodes", EVERYWHERE)
async def test_p54_a_ban_closes_all_connections_of_a_user_and_refuses_the_next(
    start: Start, store_url: str, nodes: int, caplog: pytest.LogCaptureFixture
) -> None:
    running = [await start() for _ in range(nodes)]
    eve, ada = await running[0].join("Eve"), await running[-1].join("Ada")
    twice = await running[-1].join(token=eve.token)
    await done(store_url, "ban", eve.user["id"])
    for client in (eve, twice):
        assert await closed(client) == BANNED
    for node in running:
        with pytest.raises(PermissionError, match="banned"):
            await node.join(token=eve.token)
    assert (await ada.request("ping"))["type"] == "ok"
    assert "a banned user is disconnected" in caplog.text
    await done(store_url, "unban", eve.user["id"])
    await eventually(lambda: not any(node.node.sanctions.find("ban", eve.user["id"], "") for node in running))
    assert (await running[-1].join(token=eve.token)).user == eve.user


async def test_p54_a_ban_includes_the_bots_of_a_user(node: Running, store_url: str) -> None:
    eve = await node.join("Eve")
    async with playing(eve, node.url) as (bot, _):
        task = asyncio.create_task(bot.run())
        await done(store_url, "ban", eve.user["id"])
        with pytest.raises(Refused, match="banned"):
            async with asyncio.timeout(20):
                await task


async def test_p54_a_ban_of_an_address_refuses_new_guests_as_well(node: Running, store_url: str) -> None:
    eve = await node.join("Eve")
    await done(store_url, "ban", "127.0.0.1", "--hours", "1")
    assert await closed(eve) == BANNED
    keys_before = await node.node.store.call("DBSIZE")
    with pytest.raises(PermissionError, match="banned"):
        await node.join("Somebody new")
    assert await node.node.store.call("DBSIZE") == keys_before
    await done(store_url, "unban", "127.0.0.1")
    await eventually(lambda: node.node.sanctions.find("ban", "", "127.0.0.1") is None)
    await node.join("Somebody new")


async def test_p54_a_ban_ends_after_its_hours(node: Running, store_url: str) -> None:
    eve = await node.join("Eve")
    await done(store_url, "ban", eve.user["id"], "--hours", "2")
    assert await closed(eve) == BANNED
    fresh = Client(await connect_raw(node))
    refused = await fresh.request("hello", v=1, token=eve.token)
    assert refused["code"] == "banned"
    assert 0 < refused["retry_after_ms"] <= 2 * 3600_000
    node.ahead_ms += 3 * 3600_000
    assert (await node.join(token=eve.token)).user == eve.user
    assert await SanctionList(node.node.store).all(node.node.clock.now()) == []


async def connect_raw(node: Running) -> Any:
    return await connect(node.url, compression=None, max_size=None)


@pytest.mark.parametrize("nodes", EVERYWHERE)
async def test_p54_a_muted_user_plays_but_does_not_chat(start: Start, store_url: str, nodes: int) -> None:
    running = [await start() for _ in range(nodes)]
    ada, eve = await running[0].join("Ada"), await running[-1].join("Eve")
    table = await table_of(ada, eve)
    await done(store_url, "mute", eve.user["id"])
    await eventually(lambda: running[-1].node.sanctions.find("mute", eve.user["id"], ""))
    assert await refusal(eve, "say", table=table, text="hi") == "muted"
    assert (await ada.request("say", table=table, text="quiet here"))["type"] == "ok"
    assert (await eve.request("leave", table=table))["type"] == "ok"
    await eve.request("open", table=table)
    await done(store_url, "unmute", eve.user["id"])
    await eventually(lambda: running[-1].node.sanctions.find("mute", eve.user["id"], "") is None)
    assert (await eve.request("say", table=table, text="hi"))["type"] == "ok"


async def test_a_node_that_starts_knows_the_bans(start: Start, store_url: str) -> None:
    eve = await (await start()).join("Eve")
    await done(store_url, "ban", eve.user["id"])
    late = await start()
    with pytest.raises(PermissionError, match="banned"):
        await late.join(token=eve.token)


async def test_the_operator_sees_reports_and_sanctions(node: Running, store_url: str) -> None:
    ada, eve = await node.join("Ada"), await node.join("Eve")
    table = await table_of(ada, eve)
    await eve.request("say", table=table, text="something \x1b[31mawful")
    assert (await ada.request("report", table=table, user=eve.user["id"], text="insults"))["type"] == "ok"
    shown = await done(store_url, "reports", "--clear")
    assert f"{eve.user['id']} (Eve) was reported by {ada.user['id']} (Ada)" in shown
    assert f"at table {table} (cheesedog): insults" in shown
    assert "(Eve): something [31mawful" in shown
    assert "\x1b" not in shown
    assert await done(store_url, "reports") == ""
    code, _, logged = await operator(store_url, "mute", eve.user["id"], "--hours", "0.5")
    line = json.loads(logged)
    assert (code, line["node"], line["level"], line["subject"]) == (0, "operator", "warning", eve.user["id"])
    await done(store_url, "ban", "2001:db8::1")
    listed = (await done(store_url, "sanctions")).splitlines()
    assert [line.split()[:2] for line in listed] == [["mute", eve.user["id"]], ["ban", "2001:db8::/64"]]


@pytest.mark.parametrize(
    "command",
    [("ban", "Not A User"), ("ban", "house-gouda"), ("unban", "u123"), ("ban", "u123", "--hours", "-1"), ("mute", "")],
)
async def test_a_wrong_command_is_refused_in_one_line(store_url: str, command: tuple[str, ...]) -> None:
    code, out, err = await operator(store_url, *command)
    assert code != 0
    assert out == ""
    assert err.splitlines()[-1].startswith("cheeseboard")


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("2001:db8:1:2::/64", "2001:db8:1:2::/64"),
        ("testclient", ""),
        ("", ""),
    ],
)
def test_what_counts_as_one_address(host: str, address: str) -> None:
    assert network_address(host) == address


async def test_a_report_tells_the_operator_an_address_that_can_be_banned(start: Start, store_url: str) -> None:
    """The user whom it is about is on another node, and is gone when the operator reads the report."""
    here, there = await start(), await start()
    ada, eve = await here.join("Ada"), await there.join("Eve", source=EVE)
    table = await table_of(ada, eve)
    await ada.request("report", table=table, user=eve.user["id"], text="rude")
    await eve.close()
    (line,) = (line for line in (await done(store_url, "reports")).splitlines() if "for `cheeseboard ban`" in line)
    assert EVE not in line
    await done(store_url, "ban", line.rpartition(" ")[2])
    await eventually(lambda: all(node.node.sanctions._sanctions for node in (here, there)))
    with pytest.raises(PermissionError, match="banned"):
        await here.join("Eve again", source=EVE)
    await here.join("Bob")


async def test_who_has_just_sat_down_at_another_node_can_be_reported(start: Start) -> None:
    here, there = await start(), await start()
    ada, eve, stranger = await here.join("Ada"), await there.join("Eve"), await there.join("Stranger")
    table = (await ada.request("create", game="cheesedog", seats=3))["table"]
    await ada.request("open", table=table)
    here.node.pubsub.unsubscribe(keys.table_channel(table))  # so that this node does not hear of the seat
    await eve.request("sit", table=table)
    assert (await ada.request("report", table=table, user=eve.user["id"], text="rude"))["type"] == "ok"
    absent = await ada.request("report", table=table, user=stranger.user["id"], text="rude")
    assert (absent["code"], absent["field"]) == ("bad_field", "user")


async def test_a_node_serves_nobody_before_it_has_read_the_sanctions(
    node: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    sanctions, send, failed = node.node.sanctions, node.node.store.send, 0

    def fail_twice(then: Then, *command: str | bytes | int) -> None:
        nonlocal failed
        if command == ("HGETALL", keys.SANCTIONS) and failed < 2:
            failed += 1
            asyncio.get_running_loop().call_soon(then, StoreLost("the connection was lost"))
        else:
            send(then, *command)

    monkeypatch.setattr(node.node.store, "send", fail_twice)
    sanctions._loaded.clear()
    sanctions._load()
    await sanctions._loaded.wait()
    assert failed == 2
