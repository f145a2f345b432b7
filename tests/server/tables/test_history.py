"""The past of a table: each viewer gets all entries with what they could have seen live, in pages."""

from __future__ import annotations

import random
from typing import Any

import pytest

from server.tables.rooms import history
from tests.client import Client
from tests.server.conftest import Running
from tests.server.tables.test_tables import asked, one_move, people, table_of

MOVES = 20


async def past(client: Client, table: str) -> list[dict[str, Any]]:
    """All entries that the client may see, asked for page by page."""
    entries: list[dict[str, Any]] = []
    before: dict[str, int] = {}
    while True:
        answer = await client.request("history", table=table, **before)
        assert answer["type"] == "ok", answer
        entries = [*answer["entries"], *entries]
        if answer["first"] == 1:
            return entries
        before = {"before": answer["first"]}


@pytest.mark.parametrize("page", [7, 250])
@pytest.mark.parametrize("game", ["chesterfield", "cheesonomics"])
async def test_the_past_is_what_each_viewer_saw_live(
    node: Running, monkeypatch: pytest.MonkeyPatch, game: str, page: int
) -> None:
    monkeypatch.setattr(history, "MAX_HISTORY", page)
    players = await people(node)
    watcher = await node.join("Watcher")
    table = await table_of(players, game, speed="untimed")
    await watcher.request("open", table=table)
    await watcher.next("update", 0, table=table)
    start, chance = watcher.updates(table)[-1]["n"], random.Random("history")
    for _ in range(MOVES):
        if any(asked(player, table) for player in players):
            await watcher.entry(table, await one_move(players, table, chance))
    told = []
    for viewer in (*players, watcher):
        found = await past(viewer, table)
        live = [update for update in viewer.updates(table) if update["n"] > start and update.get("events")]
        assert [(entry["n"], entry["seat"], entry["events"]) for entry in found if entry["n"] > start] == [
            (update["n"], update["seat"], update["events"]) for update in live
        ]
        assert [entry["n"] for entry in found] == sorted({entry["n"] for entry in found})
        told.append([entry["events"] for entry in found if "events" in entry])
    assert told[0] != told[-1], "a seat sees more than a watcher"


async def test_the_past_of_a_table_that_is_not_open_is_refused(node: Running) -> None:
    players = await people(node)
    table = await table_of(players)
    stranger = await node.join("Stranger")
    assert (await stranger.request("history", table=table))["code"] == "not_open_here"
    await players[0].request("close", table=table)
    assert (await players[0].request("history", table=table))["code"] == "not_open_here"


async def test_an_entry_number_beyond_the_end_gives_the_last_entries(node: Running) -> None:
    players = await people(node)
    table = await table_of(players)
    answer = await players[0].request("history", table=table, before=10_000)
    assert answer["entries"] == await past(players[0], table)
    assert (await players[0].request("history", table=table, before=1))["entries"] == []


async def test_the_past_says_who_had_which_seat(node: Running) -> None:
    ann, bob = await node.join("Ann"), await node.join("Bob")
    made = await ann.request("create", game="cheesedog", seats=3, bots="rookie", speed="untimed", public=False)
    table = made["table"]
    await ann.request("rename", name="Anna")
    await bob.request("open", table=table)
    sat = await bob.request("sit", table=table, seat=2)
    assert sat["type"] == "ok", sat
    owners = [(entry["n"], entry["owners"]) for entry in await past(bob, table) if "owners" in entry]
    (_, first), (renamed_at, renamed), (sat_at, taken) = owners
    assert first[0]["name"] == "Ann"
    assert first[2]["user"].startswith("house-")
    assert renamed == [{"seat": 0, "name": "Anna"}]
    assert taken == [{"seat": 2, "name": "Bob", "user": bob.user["id"]}]
    assert renamed_at < sat_at == sat["n"]
