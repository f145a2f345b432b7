"""Remarks at moments of finished games, and replay files that are shown without being kept."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import random
import zlib
from collections import Counter
from typing import Any

import msgpack
import pytest

from server.requests.sanctions import Sanction, SanctionList
from server.store import keys
from server.tables.finished import remarks, slices
from server.tables.finished.replay import verify
from tests.client import WAIT_S
from tests.random_games import written
from tests.server.conftest import Running, Start, free_limits
from tests.server.requests.test_limits import answers
from tests.server.tables.test_tables import asked, one_move, table_of
from tests.server.web.test_replays import finished, get, playback


def base64_of(content: bytes) -> str:
    return base64.b64encode(content).decode()


def code_of(answer: dict[str, Any]) -> str:
    """The error code of an answer, or "ok"."""
    return str(answer["code"]) if answer["type"] == "error" else "ok"


async def test_p62_players_leave_remarks_that_everybody_sees(node: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    table, players, watcher = await finished(node, "diced_cheese")
    last = (await playback(node, table, "public"))["entries"][-1]["n"]
    said = ((1, last, "Well rolled."), (0, 8, "oops"), (0, 8, "Here I lost."))
    for seat, n, text in said:
        assert (await players[seat].request("remark", table=table, n=n, text=text))["type"] == "ok"
    found = json.loads((await get(node, f"/r/{table}/remarks"))[1])
    assert [(one["n"], one["seat"], one["name"], one["text"]) for one in found] == [
        (8, 0, "Player 0", "Here I lost."),
        (last, 1, "Player 1", "Well rolled."),
    ]
    assert (await watcher.request("remark", table=table, n=8, text="I saw it"))["code"] == "not_seated"
    assert (await players[0].request("remark", table=table, n=last + 1, text="x"))["code"] == "bad_field"
    assert (await players[0].request("remark", table=table, n=8, text="x" * 301))["code"] == "bad_field"
    monkeypatch.setattr(remarks, "MAX_REMARKS", 2)
    assert (await players[2].request("remark", table=table, n=8, text="me too"))["code"] == "log_full"
    assert (await players[0].request("remark", table=table, n=8))["type"] == "ok"
    assert len(json.loads((await get(node, f"/r/{table}/remarks"))[1])) == 1


async def test_p62_who_left_before_the_start_has_not_played_and_who_was_moved_has_the_last_seat(node: Running) -> None:
    host, guest, third, stranger = [await node.join(name) for name in ("Ann", "Guest", "Third", "Stranger")]
    table = (await host.request("create", game="diced_cheese", seats=3))["table"]
    players = [host, guest, third]
    for viewer in (*players, stranger):
        await viewer.request("open", table=table)
    for reason in ("leave", "dismiss"):
        await stranger.request("sit", table=table, seat=2)
        if reason == "leave":
            await stranger.request("leave", table=table)
        else:
            await host.request("dismiss", table=table, user=stranger.user["id"])
    await guest.request("sit", table=table, seat=1)
    swapped = await host.request("swap", table=table, seat=0, other=1)
    assert swapped["type"] == "ok", swapped
    await third.request("sit", table=table, seat=2)
    for viewer in players:
        await viewer.next("table", 0, status="running")
    chance = random.Random(62)
    while any(asked(player, table) for player in players):
        await one_move(players, table, chance)
    for player in players:
        await player.next("table", 0, status="ended")
    rows = [json.loads(line) for line in (await get(node, f"/replays/{table}.jsonl"))[1].splitlines()]
    start = next(row["n"] for row in rows if row["type"] == "started")
    assert (await stranger.request("remark", table=table, n=start, text="I was first"))["code"] == "not_seated"
    assert (await host.request("remark", table=table, n=start, text="Well."))["type"] == "ok"
    found = json.loads((await get(node, f"/r/{table}/remarks"))[1])
    assert [(one["n"], one["seat"], one["name"]) for one in found] == [(start, 1, "Ann")]


async def test_p62_remarks_of_muted_and_banned_users_are_not_shown(node: Running) -> None:
    table, players, _ = await finished(node, "diced_cheese")
    last = (await playback(node, table, "public"))["entries"][-1]["n"]
    for seat in range(3):
        await players[seat].request("remark", table=table, n=last, text=f"from {seat}")

    async def shown() -> list[int]:
        return [one["seat"] for one in json.loads((await get(node, f"/r/{table}/remarks"))[1])]

    async def until(seats: list[int]) -> None:
        async with asyncio.timeout(WAIT_S):
            while await shown() != seats:
                await asyncio.sleep(0.01)

    listed, now = SanctionList(node.node.store), node.node.clock.now()
    await listed.add(Sanction("mute", players[0].user["id"], now))
    await until([1, 2])
    await listed.add(Sanction("ban", players[2].user["id"], now))
    await until([1])
    await listed.lift("mute", players[0].user["id"])
    await until([0, 1])


async def test_p62_nothing_is_remarked_before_the_end(node: Running) -> None:
    players = [await node.join(f"Player {seat}") for seat in range(3)]
    table = await table_of(players)
    assert (await players[0].request("remark", table=table, n=5, text="hm"))["code"] == "no_replay"


async def test_p63_a_file_is_played_back_as_the_archive_does_it_and_is_not_kept(node: Running) -> None:
    table, players, _ = await finished(node, "do_my_bidding")
    text = (await get(node, f"/replays/{table}.jsonl"))[1]
    for view in ("public", "1", "open"):
        answer = await players[0].request("view_file", packed=base64_of(zlib.compress(text)), view=view)
        assert msgpack.unpackb(gzip.decompress(base64.b64decode(answer["playback"]))) == await playback(
            node, table, view
        )
    other = "".join(line + "\n" for line in written("diced_cheese"))
    assert (await players[0].request("view_file", packed=base64_of(zlib.compress(other.encode()))))["type"] == "ok"
    assert (await get(node, f"/replays/{json.loads(other.split(chr(10))[0])['table']}.jsonl"))[0] == 404


async def test_p63_what_is_no_replay_is_refused_and_does_no_harm(node: Running) -> None:
    good = [json.loads(line) for line in written("diced_cheese")]
    worse = [
        zlib.compress(b"hello"),
        b"hello",
        zlib.compress(b"0" * (5 << 20)),
        zlib.compress(b""),
        zlib.compress(b"[]\n[]\n"),
        zlib.compress(json.dumps({**good[0], "seats": 10**9}).encode() + b"\n"),
        zlib.compress(b"{}\n" * 300_000),
    ]
    for field, value in (("seats", 10**9), ("game", "chess"), ("version", "x" * 500_000), ("source", {"position": {}})):
        rows = [{**good[0], field: value}, *good[1:]]
        worse.append(zlib.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    strange = [good[0], {"n": 2, "type": "relayed", "at": 0, "seat": 99, "user": "u", "name": "n", "level": "x"}]
    rest = [{**row, "n": row["n"] + 1} if "n" in row else row for row in good[1:]]
    worse.append(zlib.compress("".join(json.dumps(row) + "\n" for row in [*strange, *rest]).encode()))
    for packed in worse:
        player = await node.join("Player")  # each with a connection of its own, because files count much in its rate
        answer = await player.request("view_file", packed=base64_of(packed))
        assert (answer["code"], answer["field"]) == ("bad_field", "packed"), answer
        assert len(answer["message"]) < 300
    player = await node.join("Another")
    whole = zlib.compress("".join(json.dumps(row) + "\n" for row in good).encode())
    assert (await player.request("view_file", packed=base64_of(whole[:-20])))["code"] == "bad_field"
    assert (await player.request("view_file", packed="no base64"))["code"] == "bad_field"


async def test_one_address_has_only_so_many_files_played_back_at_once(start: Start) -> None:
    node = await start(limits=free_limits())
    stranger, other = await node.join("Stranger", source="127.0.9.9"), await node.join("Other", source="127.0.9.8")
    packed = base64_of(zlib.compress("".join(line + "\n" for line in written("diced_cheese")).encode()))
    sent = [(stranger, await stranger.send("view_file", packed=packed)) for _ in range(5)]
    sent.append((other, await other.send("view_file", packed=packed)))
    codes = [answer.get("code", "ok") for answer in await answers(sent)]
    assert (sorted(codes[:5]), codes[5]) == (["busy", "busy", "ok", "ok", "ok"], "ok")
    assert (await stranger.request("view_file", packed=packed))["type"] == "ok"


async def test_one_address_has_only_so_many_replays_read_at_once_whatever_asks_for_them(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slices, "REST_S", 0.2)  # reading takes so long that all requests have come before it ends
    node = await start(limits=free_limits())
    table, _, _ = await finished(node, "diced_cheese")
    stranger, other = await node.join("Stranger", source="127.0.9.9"), await node.join("Other", source="127.0.9.8")
    for kind, fields, done in (("play_on", {}, "ok"), ("remark", {"text": "I saw it"}, "not_seated")):
        sent = [(stranger, await stranger.send(kind, table=table, n=8, **fields)) for _ in range(5)]
        sent.append((other, await other.send(kind, table=table, n=8, **fields)))
        answered = await answers(sent)
        codes = list(map(code_of, answered))
        assert (Counter(codes[:5]), codes[5]) == ({"busy": 2, done: 3}, done)
        assert all(answer["retry_after_ms"] > 0 for answer in answered if code_of(answer) == "busy")
        assert code_of(await stranger.request(kind, table=table, n=8, **fields)) == done


async def test_a_node_reads_only_so_many_replays_at_once(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "REST_S", 0.2)
    node = await start(limits=free_limits(node_files_at_once=4))
    table, _, _ = await finished(node, "diced_cheese")
    strangers = [await node.join("Stranger", source=f"127.0.9.{number}") for number in range(1, 7)]
    sent = [(stranger, await stranger.send("play_on", table=table, n=8)) for stranger in strangers]
    assert Counter(map(code_of, await answers(sent))) == {"ok": 4, "busy": 2}


async def test_p64_a_person_downloads_and_deletes_what_is_kept_of_them(node: Running) -> None:
    table, players, _ = await finished(node, "do_my_bidding")
    await node.node.archive.put_away(node.node.rooms.get(table).table)  # type: ignore[arg-type]
    me = players[1]
    for seat in (0, 1):
        await players[seat].request("remark", table=table, n=8, text=f"of {seat}")
    await me.request("block", user="u1234", name="Eve")
    kept = (await me.request("kept"))["kept"]
    assert kept["user"] == {"id": me.user["id"], "name": "Player 1"}
    assert (kept["games"], kept["blocked"], kept["tables"]) == ([table], ["u1234"], [])
    assert [(one["table"], one["n"], one["text"]) for one in kept["remarks"]] == [(table, 8, "of 1")]
    assert (await me.request("forget"))["type"] == "ok"
    text = (await get(node, f"/replays/{table}.jsonl"))[1].decode()
    assert me.user["id"] not in text
    assert '"Player 1"' not in text
    assert text.count('"name":"Former player"') == 1
    verify(text.split("\n")[:-1])
    assert [one["text"] for one in json.loads((await get(node, f"/r/{table}/remarks"))[1])] == ["of 0"]
    assert (await players[0].request("kept"))["kept"]["games"] == [table]
    assert await node.node.store.call("EXISTS", keys.user_games(me.user["id"])) == 0
