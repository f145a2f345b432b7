"""An evening of several games: the score, the chat and the seats go along from one rematch to the next."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.client import Client
from tests.server.conftest import Running
from tests.server.requests.test_seating import finish
from tests.server.tables.test_tables import ended_against_a_bot, people


async def play_again(players: list[Client], table: str, **fields: object) -> str:
    """Ask for a rematch, join it and return its id."""
    made = str((await players[0].request("rematch", table=table, **fields))["table"])
    for player in players[1:]:
        assert (await player.request("rematch", table=table))["table"] == made
    return made


async def test_the_score_of_an_evening_counts_the_wins_of_all_its_games(node: Running) -> None:
    players, chance, wins = await people(node), random.Random(3), Counter[str]()
    table = (await players[0].request("create", game="diced_cheese", seats=3, public=False))["table"]
    for player in players[1:]:
        await player.request("sit", table=table)
    for rounds, game in enumerate(("diced_cheese", "cheesedog", "diced_cheese"), 1):
        await finish(players, table, chance)
        ended = await players[0].next("table", 0, table=table, status="ended")
        assert ended["game"] == game
        for player, place in zip(players, ended["result"]["places"], strict=True):
            wins[player.user["id"]] += place == 1
        score = ended["evening"]
        assert score["rounds"] == rounds
        assert {one["user"]: one["wins"] for one in score["scores"]} == {
            player.user["id"]: wins[player.user["id"]] for player in players
        }
        if rounds < 3:
            table = await play_again(players, table, game=("cheesedog", "diced_cheese")[rounds - 1])
            await players[1].request("open", table=table)
            started = await players[1].next("table", 0, table=table)
            assert started["evening"] == score
            assert started["game"] != game
    games = ("diced_cheese", "cheesedog")
    assert [node.metric("cheeseboard_tables_ended_total", game=game, how="ended") for game in games] == [2, 1]


async def test_the_chat_goes_along_to_the_rematch(node: Running) -> None:
    players = await people(node, 2)
    table = (await players[0].request("create", game="diced_cheese", seats=2))["table"]
    await players[1].request("sit", table=table)
    await finish(players, table, random.Random(4))
    await players[1].request("say", table=table, text="once more")
    again = await play_again(players, table)
    await players[0].request("open", table=again)
    said = await players[0].next("chat", 0, table=again)
    assert (said["text"], said["name"], said["user"]) == ("once more", "Player 1", players[1].user["id"])


@pytest.mark.parametrize("public", [True, False])
async def test_the_chat_of_a_private_table_that_is_over_is_only_for_its_players(node: Running, public: bool) -> None:
    """The address of a replay, which may be passed on, has the id of the table."""
    host, friend, watcher = [*await people(node, 2), await node.join("Watcher")]
    table = (await host.request("create", game="diced_cheese", seats=2, public=public))["table"]
    await friend.request("sit", table=table)
    await host.request("open", table=table)
    await host.request("say", table=table, text="hello")
    await watcher.request("open", table=table)
    await watcher.next("chat", 0, text="hello")
    await finish([host, friend], table, random.Random(4))
    await host.next("table", 0, table=table, status="ended")
    stranger, again = await node.join("Stranger"), await node.join(token=friend.token)
    for client in (stranger, again):
        await client.request("open", table=table)
        await client.next("table", 0, table=table, status="ended")
    await again.next("chat", 0, text="hello")
    await host.request("say", table=table, text="once more")
    await stranger.next("chat", 0, text="once more")
    said = [message["text"] for message in stranger.received if message["type"] == "chat"]
    assert said == (["hello", "once more"] if public else ["once more"])


async def test_a_rematch_of_a_game_with_fewer_seats_keeps_the_people(node: Running) -> None:
    players = await people(node, 2)
    made = await players[0].request("create", game="diced_cheese", seats=4)
    table = made["table"]
    await players[1].request("sit", table=table, seat=3)
    await players[0].request("change", table=table, seats=2)  # both have a seat, so the game starts
    await finish(players, table, random.Random(4))
    too_few = await players[0].request("rematch", table=table, seats=1)
    unknown = await players[0].request("rematch", table=table, game="chess")
    assert (too_few["code"], unknown["code"]) == ("bad_field", "no_game")
    again = await play_again(players, table, game="cheesedog", options={}, speed="relaxed")
    await players[1].request("open", table=again)
    info = await players[1].next("table", 0, table=again)
    kinds = [seat["kind"] for seat in info["seats"]]  # Cheesedog has three seats or more
    assert (info["game"], info["speed"], kinds, info["you"]) == ("cheesedog", "relaxed", ["person"] * 2 + ["free"], 1)


async def test_p55_everybody_sees_what_the_host_changes(node: Running) -> None:
    host, friend = await people(node, 2)
    table = (await host.request("create", game="cheesedog", seats=4))["table"]
    for client in (host, friend):
        await client.request("open", table=table)
    await friend.request("sit", table=table, seat=2)
    assert (await friend.request("change", table=table, speed="blitz"))["code"] == "not_host"
    assert (await host.request("change", table=table, options={"cheddar": True}))["code"] == "surplus_field"
    await host.request("change", table=table, game="chesterfield", seats=5, speed="blitz")
    info = await friend.next("table", 0, game="chesterfield")
    assert (info["speed"], len(info["seats"]), info["you"]) == ("blitz", 5, 2)
    await host.request("swap", table=table, seat=0, other=4)
    info = await host.next("table", 0, you=4)
    assert info["seats"][4]["user"] == host.user["id"]


async def test_a_rematch_against_house_bots_starts_at_once(node: Running) -> None:
    """The new table is full, and so running, before the one who asked for it sits down there."""
    host, bot, table = await ended_against_a_bot(node)
    again = await host.request("rematch", table=table)
    assert again["type"] == "ok"
    assert again["table"] != table
    await host.request("open", table=again["table"])
    info = await host.next("table", 0, table=again["table"])
    assert info["status"] == "running"
    assert sorted((seat["kind"], seat["user"]) for seat in info["seats"]) == [
        ("bot", bot.user["id"]),
        ("person", host.user["id"]),
    ]
