"""play_on over real sockets: only from finished games, with the position of the chosen moment, and results compared."""

from __future__ import annotations

import json
import random

from server.tables.finished.replay import check_source, verify
from tests.client import Client
from tests.server.conftest import Running
from tests.server.tables.test_tables import asked, one_move, table_of
from tests.server.web.test_replays import finished, get, playback


async def started_at(node: Running, table: str) -> int:
    """The entry that started the game."""
    answer = await playback(node, table, "public")
    return int(next(entry["n"] for entry in answer["entries"] if "view" in entry["messages"][0][-1]))


async def replay(node: Running, table: str) -> list[str]:
    return (await get(node, f"/replays/{table}.jsonl"))[1].decode().split("\n")[:-1]


async def play_to_the_end(players: list[Client], table: str) -> None:
    chance = random.Random("play on")
    while any(asked(player, table) for player in players):
        await one_move(players, table, chance)
    for player in players:
        await player.next("table", 0, table=table, status="ended")


async def test_p57_nothing_is_played_on_before_the_end_or_from_a_moment_that_is_not_in_the_game(node: Running) -> None:
    players = [await node.join(f"Player {seat}") for seat in range(3)]
    running = await table_of(players)
    for table in (running, "nosuchtable"):
        answer = await players[0].request("play_on", table=table, n=5)
        assert (answer["code"], answer["field"]) == ("no_replay", "table")
    table, players, _ = await finished(node, "do_my_bidding")
    last = (await playback(node, table, "public"))["entries"][-1]["n"]
    for n in (0, 1, 3, last, last + 1, 2**40):
        answer = await players[0].request("play_on", table=table, n=n)
        assert (answer["code"], answer["field"]) == ("bad_field", "n"), n
    for fields in ({"seat": 7}, {"seat": None, "anew": True}):
        answer = await players[0].request("play_on", table=table, n=10, **fields)
        assert (answer["code"], answer["field"]) == ("bad_field", "seat")


async def test_p57_friends_play_on_from_a_moment_and_the_results_are_compared(node: Running) -> None:
    source, players, _ = await finished(node, "do_my_bidding")
    first = await started_at(node, source)
    seen = await playback(node, source, "1")
    tables = []
    for anew, n in ((False, first), (True, first + 10)):
        made = await players[1].request("play_on", table=source, n=n, seat=1, anew=anew, salt="ab" * 16)
        assert made["type"] == "ok", made
        table = made["table"]
        tables.append((table, n))
        for player in (players[0], players[2]):
            await player.request("sit", table=table)
        for player in players:
            await player.request("open", table=table)
            info = await player.next("table", 0, table=table, status="running")
            assert info["source"] == {"table": source, "n": n} | ({"seat": 1} if anew else {})
            await player.entry(table, 4 + 1)
        if not anew:
            first_view = next(entry for entry in seen["entries"] if entry["n"] == n)["messages"][0][-1]["view"]
            assert players[1].updates(table)[-1]["view"] == first_view
        await play_to_the_end(players, table)
    origin = await replay(node, source)
    for table, n in tables:
        lines = await replay(node, table)
        verify(lines)
        check_source(lines, origin)
        assert json.loads(lines[0])["source"]["n"] == n
        for _ in range(2):
            played = node.node.rooms.get(table).table
            assert played
            await node.node.archive.put_away(played)
    _, body, _ = await get(node, f"/r/{source}/played_on")
    results = json.loads(body)
    compared = [(one["table"], one["n"], one["seat"]) for one in results]
    assert compared == [(tables[0][0], first, None), (tables[1][0], first + 10, 1)]
    assert all(one["names"] == ["Player 0", "Player 1", "Player 2"] and one["people"] == [0, 1, 2] for one in results)


async def test_p57_a_table_that_plays_on_keeps_its_game_and_its_rematch_starts_with_the_set_up(node: Running) -> None:
    source, players, _ = await finished(node, "diced_cheese")
    made = await players[0].request("play_on", table=source, n=await started_at(node, source), bots=None)
    table = made["table"]
    assert (await players[0].request("change", table=table, game="cheesedog"))["code"] == "bad_field"
    assert (await players[0].request("change", table=table, speed="blitz"))["type"] == "ok"
    for player in players[1:]:
        await player.request("sit", table=table)
    for player in players:
        await player.request("open", table=table)
        await player.next("table", 0, table=table, status="running")
    await play_to_the_end(players, table)
    again = (await players[0].request("rematch", table=table))["table"]
    await players[0].request("open", table=again)
    assert "source" not in await players[0].next("table", 0, table=again)
