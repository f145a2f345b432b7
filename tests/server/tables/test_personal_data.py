"""What finished games keep of a person, and that nothing is left of it: whoever sat where when."""

from __future__ import annotations

import json
import zlib
from functools import partial
from random import Random
from time import monotonic

import msgspec
import pytest

from games import GAMES
from server.store import keys
from server.tables.finished import bytes_cache
from server.tables.finished.archive import PlayedOn, people_of
from server.tables.finished.personal_data import FORMER, without_user
from server.tables.finished.pseudonyms import Pseudonyms
from server.tables.finished.replay import compact, lines, verify
from server.tables.finished.seat_rows import with_chairs
from server.tables.state.decisions import Sitter, decide, sit
from server.tables.state.entries import Changed, Dismissed, Held, Left, Moved, Renamed, Sat, Swapped, encode_entry
from server.tables.state.table import Table, opened
from tests.random_games import BEGAN, SEED, Log, play, step
from tests.server.conftest import Running
from tests.server.tables.test_positions import branch, moment
from tests.server.web.test_replays import finished, get


def eventful() -> Log:
    """A game before which people came, went, changed seats and names, and in which they left notes."""
    log = Log("cheesedog", SEED, 5)
    log.commit(decide(log.table, Sat(BEGAN, 4, "u1", "Ada", avatar="fox")))
    log.commit(decide(log.table, Sat(BEGAN, 1, "u2", "Bo")))
    log.commit(decide(log.table, Held(BEGAN, 2, "b1", "Botty", True, "u1", "Ada")))
    log.commit(decide(log.table, Held(BEGAN, 3, "b2", "Other", True, "u2", "Bo")))
    log.commit(decide(log.table, Left(BEGAN, 2)))
    log.commit(decide(log.table, Held(BEGAN, 0, "b3", "Third", True, "u9", "Unseated")))
    log.commit(decide(log.table, Changed(BEGAN, "diced_cheese", {"variant": "classic", "mishaps": True}, 4, "normal")))
    seat = log.table.owned_seat("u1")
    assert seat == 3  # surplus seats are removed, so it moved up
    log.commit(decide(log.table, Swapped(BEGAN, 3, 0)))
    log.commit(decide(log.table, Renamed(BEGAN, 0, "Adalbert", "owl")))
    log.commit(decide(log.table, Sat(BEGAN, 2, "u3", "Cy")))
    log.commit(decide(log.table, Dismissed(BEGAN, "u3", "Cy")))
    log.commit(sit(log.table, Sitter("u4", "Di"), 2, BEGAN))
    log.commit(sit(log.table, Sitter("u5", "Ed"), 3, BEGAN))
    chance = Random(1)
    while log.table.status == "running":
        log.commit(step(log.table, chance))
    noted = [
        (n, msgspec.structs.replace(one, note=f"of {one.user}") if isinstance(one, Moved) else one)
        for n, one in log.entries
    ]
    log.entries = noted
    return log


def text_of(log: Log) -> str:
    return "".join(line + "\n" for line in lines(log.table.id, log.entries))


def test_chairs_of_rows_are_those_of_the_fold() -> None:
    log = eventful()
    table: Table | None = None
    rows = [json.loads(line) for line in text_of(log).split("\n")[:-2]]
    for (_, entry), (_, _, chairs) in zip(log.entries, with_chairs(rows), strict=True):
        table = opened(log.table.id, entry) if table is None else table.after(entry)
        found = [(chair.user, chair.name, chair.bot, chair.held) for chair in chairs]
        assert found == [(chair.user, chair.name, chair.bot, chair.held) for chair in table.chairs]


def test_nothing_is_left_of_a_person_in_a_file() -> None:
    text = text_of(eventful())
    for kept in ('"u1"', "Ada", "Adalbert", "of u1", "fox", "owl"):
        assert kept in text
    new = without_user(text, "u1", "u777")
    for gone in ('"u1"', "Ada", "of u1", "fox", "owl", "Unseated"):
        assert gone not in new, gone
    for kept in ('"by":"Bo"', '"Botty"', "of u2", '"Di"', '"Ed"'):
        assert kept in new, kept
    verify(new.split("\n")[:-1])
    rows = [json.loads(line) for line in new.split("\n")[:-1]]
    assert {row["name"] for row in rows if "name" in row and row.get("user", "u777") == "u777"} == {FORMER}


def test_only_the_person_who_has_the_seat_loses_the_name_of_a_rename() -> None:
    """Somebody else sat there before the seats were exchanged."""
    text = text_of(eventful())
    new = without_user(text, "u2", "u777")
    assert '"Adalbert"' in new
    assert '"Bo"' not in new


def test_pseudonyms_follow_the_seats() -> None:
    log = eventful()
    pseudonyms = Pseudonyms(b"secret")
    one = pseudonyms.game(text_of(log))
    assert one["players"] == [pseudonyms.of("p", chair.user or "") for chair in log.table.chairs]
    (renamed,) = (row for row in one["replay"] if row["type"] == "renamed")
    assert renamed["name"] == pseudonyms.of("p", "u1")
    invited = [row["by"] for row in one["replay"] if row["type"] == "held"]
    assert invited == [pseudonyms.of("p", "u1"), pseudonyms.of("p", "u2"), ""]
    verify([compact(row) for row in one["replay"]])


async def test_a_person_is_taken_out_of_the_results_of_games_that_played_on(node: Running) -> None:
    table, players, _ = await finished(node, "do_my_bidding")
    store = node.node.store
    me = players[1].user["id"]
    source = play("do_my_bidding")
    log = branch(source, moment(source).n, None)
    text = text_of(log).replace('"u1"', f'"{me}"').replace("Zo\u00eb 1", "Player 1")
    rows = [json.loads(line) for line in text.split("\n")[:-1]]
    played_on = rows[0]["source"]["table"]
    await node.node.archive.put_away(node.node.rooms.get(table).table)  # type: ignore[arg-type]
    await store.call("SET", keys.archive("branch1"), zlib.compress(text.encode()))
    await store.call("ZADD", keys.user_games(me), 1, "branch1")
    for number, names in (("other1", ("Player 1", "A", "B")), ("branch1", ("Zo\u00eb 0", "Player 1", "Zo\u00eb 2"))):
        result = PlayedOn(number, 30, None, names, (0, 1), (1, 2, 3), (3, 2, 1), 1)
        await store.call("RPUSH", keys.played_on(played_on), msgspec.json.encode(result))
    assert (await players[1].request("forget"))["type"] == "ok"
    found = await node.node.archive.played_on(played_on)
    assert [(one.table, one.names) for one in found] == [
        ("other1", ("Player 1", "A", "B")),
        ("branch1", ("Zo\u00eb 0", FORMER, "Zo\u00eb 2")),
    ]
    assert "Player 1" not in (await get(node, "/replays/branch1.jsonl"))[1].decode()


async def test_a_node_soon_plays_a_game_back_without_a_person_who_is_gone(
    node: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, players, _ = await finished(node, "do_my_bidding")
    await node.node.archive.put_away(node.node.rooms.get(table).table)  # type: ignore[arg-type]
    path = f"/r/{table}/updates"
    assert b"Player 1" in (await get(node, path))[1]
    assert (await players[1].request("forget"))["type"] == "ok"
    now = monotonic()
    for ms in range(0, int(bytes_cache.MAX_AGE_S * 1000) + 60_000, 30_000):
        monkeypatch.setattr(bytes_cache, "monotonic", partial(float, now + ms / 1000))
        last = (await get(node, path))[1]
    assert b"Player 1" not in last
    assert FORMER.encode() in last


def test_a_game_is_listed_for_everybody_whom_its_replay_names() -> None:
    """Also for those who left before its end."""
    assert people_of([(n, encode_entry(entry)) for n, entry in eventful().entries]) == {"u1", "u2", "u3", "u4", "u5"}


@pytest.mark.parametrize("game", GAMES)
def test_a_file_without_a_person_verifies(game: str) -> None:
    verify(without_user(text_of(play(game)), "u1", "u777").split("\n")[:-1])
