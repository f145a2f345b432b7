"""What watchers see is the table's choice (P58), and changes if all agree (P59); who watches, and who hears them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.client import Client
from tests.server.conftest import Running
from tests.server.tables.test_tables import asked, one_move, people, table_of

MOST_MOVES = 2000


async def watching(node: Running, table: str, name: str = "Watcher", **wishes: bool) -> Client:
    """A watcher who has opened the table."""
    watcher = await node.join(name)
    answer = await watcher.request("open", table=table, **wishes)
    assert answer["type"] == "ok", answer
    await watcher.next("update", 0, table=table)
    return watcher


def rule_of(client: Client) -> Any:
    return client.last("table").get("watching")


@pytest.mark.parametrize(
    ("rule", "field"),
    [
        ({"see": "seat"}, "watching.seat"),
        ({"see": "seat", "seat": 3}, "watching.seat"),
        ({"see": "public", "seat": 1}, "watching.seat"),
        ({"see": "public", "late": 5}, "watching.late"),
        ({"see": "all", "late": 0}, "watching.late"),
        ({"see": "all", "late": 101}, "watching.late"),
        ({"see": "everything"}, "watching.see"),
    ],
)
async def test_p58_a_rule_that_makes_no_sense_is_refused(node: Running, rule: dict[str, Any], field: str) -> None:
    (host,) = await people(node, 1)
    no = await host.request("create", game="cheesedog", seats=3, watching=rule)
    assert (no["code"], no["field"]) == ("bad_field", field)
    table = (await host.request("create", game="cheesedog", seats=3))["table"]
    no = await host.request("configure", table=table, watching=rule)
    assert (no["code"], no["field"]) == ("bad_field", field)


async def test_p58_the_rule_is_shown_before_anybody_sits(node: Running) -> None:
    host, guest = await people(node, 2)
    rule = {"see": "all", "late": 20}
    await guest.request("lobby", on=True)
    table = (await host.request("create", game="cheesedog", seats=3, watching=rule))["table"]
    listed = await guest.until(
        lambda m: m["type"] == "tables" and any(t["table"] == table for t in m.get("tables", ()))
    )
    assert [one["watching"] for one in listed["tables"]] == [rule]
    await guest.request("open", table=table)
    assert (await guest.next("table", 0))["watching"] == rule


async def test_p58_late_watchers_get_the_rest_when_the_game_has_ended(node: Running) -> None:
    players = await people(node)
    table = await table_of(players, speed="untimed", watching={"see": "all", "late": 5})
    whole, patched, chance = await watching(node, table), await node.join("Other", patches=True), random.Random(3)
    await patched.request("open", table=table)
    await players[0].request("say", table=table, text="I have no dogs")
    for _ in range(MOST_MOVES):
        if not any(asked(player, table) for player in players):
            break
        n = await one_move(players, table, chance)
        if any(asked(player, table) for player in players):
            assert all(update["n"] <= n - 5 for update in whole.updates(table) if "view" in update)
    assert (await whole.next("table", 0, status="ended"))["seed"]
    for watcher in (whole, patched):
        await watcher.entry(table, n)
        numbers = [update["n"] for update in watcher.updates(table) if update.get("events")]
        assert numbers == list(range(5, n + 1)), "every entry from the start on"
    seen = {update["n"]: update["views"] for update in whole.updates(table) if "views" in update}
    for seat, player in enumerate(players):
        live = {update["n"]: update["view"] for update in player.updates(table) if "view" in update}
        assert [seen[n][seat]["view"] for n in sorted(live)] == [live[n] for n in sorted(live)]
    assert not any(message["type"] == "chat" for message in whole.received)
    later = await watching(node, table, "Later")
    assert (await later.next("chat", 0))["text"] == "I have no dogs"


async def test_p58_where_nobody_may_watch_only_players_open_the_running_game(node: Running) -> None:
    players = await people(node)
    made = await players[0].request("create", game="cheesedog", seats=3, watching={"see": "nobody"}, late=True)
    table = made["table"]
    early = await watching(node, table)
    for player in players[1:]:
        await player.request("sit", table=table)
    assert (await early.next("dismissed", 0))["reason"] == "no_watchers"
    assert not [update for update in early.updates(table) if "view" in update]
    assert (await early.request("open", table=table))["code"] == "no_watchers"
    for player in players:
        assert (await player.request("open", table=table))["type"] == "ok"


async def test_p59_a_seat_is_shown_only_while_its_owner_agrees(node: Running) -> None:
    players = await people(node)
    rule = {"see": "seat", "seat": 1}
    table = await table_of(players, watching=rule)
    watcher = await watching(node, table)
    assert watcher.updates(table)[-1]["view"]["me"] is None
    for player in (players[0], players[2]):
        assert (await player.request("consent", table=table, watching=rule))["code"] == "bad_field"
    assert (await watcher.request("consent", table=table, watching=rule))["code"] == "not_seated"
    agreed = (await players[1].request("consent", table=table, watching=rule))["n"]
    assert (await watcher.entry(table, agreed))["view"] == players[1].updates(table)[-1]["view"]
    assert (await watcher.next("table", 0, shown=1))["watching"] == rule
    no_more = (await players[1].request("consent", table=table, watching=rule, agree=False))["n"]
    assert (await watcher.entry(table, no_more))["view"]["me"] is None


async def test_p59_the_rule_changes_when_every_person_has_agreed(node: Running) -> None:
    players = await people(node)
    table = await table_of(players)
    watcher = await watching(node, table)
    rule = {"see": "seat", "seat": 0}
    assert (await players[1].request("configure", table=table, watching=rule))["code"] == "not_host"
    await players[0].request("configure", table=table, watching=rule)
    asked_for = await players[1].until(lambda m: m["type"] == "table" and "proposed" in m)
    assert asked_for["proposed"] == {"watching": rule, "agreed": [players[0].user["id"]]}
    other = {"see": "all"}
    assert (await players[1].request("consent", table=table, watching=other))["code"] == "bad_field"
    await players[1].request("consent", table=table, watching=rule, agree=False)
    assert (await players[2].request("consent", table=table, watching=rule))["code"] == "bad_field"
    await players[0].request("configure", table=table, watching=rule)
    await players[1].request("consent", table=table, watching=rule)
    assert rule_of(players[0]) is None
    assert watcher.updates(table)[-1]["view"]["me"] is None
    n = (await players[2].request("consent", table=table, watching=rule))["n"]
    assert (await watcher.entry(table, n))["view"]["me"] == 0
    assert rule_of(players[0]) == rule
    await players[0].request("configure", table=table, watching={"see": "public"})
    assert "proposed" in players[0].last("table")
    await players[0].request("configure", table=table, watching=rule)
    assert "proposed" not in players[0].last("table"), "the host has withdrawn it"


async def test_p59_with_bots_alone_the_host_decides_and_the_delay_starts_with_the_change(node: Running) -> None:
    (host,) = await people(node, 1)
    table = (await host.request("create", game="cheesedog", seats=3, bots="random", speed="untimed"))["table"]
    await host.request("open", table=table)
    watcher = await watching(node, table)
    seen = watcher.updates(table)[-1]["n"]
    assert (await host.request("configure", table=table, watching={"see": "all", "late": 1}))["type"] == "ok"
    assert rule_of(host) == {"see": "all", "late": 1}
    n = (await host.request("configure", table=table, chat="nobody"))["n"]
    shown = await watcher.entry(table, n - 1)
    assert shown["n"] == seen + 1
    assert len(shown["views"]) == 3
    assert (await watcher.request("open", table=table))["n"] == n - 1


async def test_p60_watchers_are_named_if_they_want(node: Running) -> None:
    players = await people(node)
    table = await table_of(players)
    await watching(node, table, "Shy")
    await watching(node, table, "Player 1", named=True)
    node.node.presence.report(node.node.rooms.get(table))
    info = await players[0].until(lambda m: m["type"] == "table" and m.get("named"))
    assert (info["named"], info["watchers"]) == (["Player 1 2"], 2)


async def test_p61_players_hear_watchers_if_they_want_and_if_these_see_no_more(node: Running) -> None:
    players = await people(node)
    for rule in ({"see": "public"}, {"see": "all", "late": 5}):
        table = await table_of(players, watching=rule)
        await players[0].request("open", table=table, crowd=True)
        watcher, other = await watching(node, table), await watching(node, table)
        await watcher.request("say", table=table, text="she has the dog")
        await other.next("chat", 0, table=table)
        await players[1].request("say", table=table, text="hm")
        for player in players:
            await player.next("chat", 0, table=table, text="hm")
        heard = [
            player
            for player in players
            if any(m["type"] == "chat" and m["table"] == table and m["text"] != "hm" for m in player.received)
        ]
        assert heard == ([players[0]] if rule["see"] == "public" else [])
