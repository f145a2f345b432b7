"""Replays over HTTP: what live viewers have received, served again from the end of the game on."""

from __future__ import annotations

import asyncio
import base64
import gzip
import hashlib
import json
import random
import struct
import zlib
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path
from socket import AF_INET
from typing import Any
from urllib.parse import urlsplit

import msgpack
import pytest

from games import GAMES
from server.process.replays import import_file
from server.requests.limits.limits import BY_NAME, Limits
from server.store import keys
from server.tables.finished import packed_replay, playbacks, slices
from server.tables.finished.archive import LIVE_S, SHORT_LIVE_S
from server.tables.finished.replay import BadReplay, lines, verify
from server.web import replay_preview, replays
from server.web.origins import AllowedOrigins, BadOrigin
from server.web.previews import Preview, with_preview
from tests.client import Client
from tests.playout import table_size
from tests.random_games import play, written
from tests.server.conftest import Running, Start, free_limits
from tests.server.tables.test_tables import asked, one_move, table_of

MOST_MOVES = 3000
TURN_MS = 7_000  # between moves: longer than any pause that a game asks for, shorter than any time limit


async def get(node: Running, path: str, source: str = "127.0.0.1", **headers: str) -> tuple[int, bytes, HTTPMessage]:
    """The status, the body and the headers of an answer. Clients from 127.0.0.1 are exempt from limits."""
    return await ask_for("GET", node, path, source, **headers)


async def post(node: Running, path: str, source: str = "127.0.0.1", **headers: str) -> tuple[int, bytes, HTTPMessage]:
    """The same of an answer to a POST without a body."""
    return await ask_for("POST", node, path, source, **headers)


async def ask_for(method: str, node: Running, path: str, source: str, **headers: str) -> tuple[int, bytes, HTTPMessage]:
    def ask() -> tuple[int, bytes, HTTPMessage]:
        connection = HTTPConnection(urlsplit(node.http).netloc, source_address=(source, 0))
        try:
            connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            return answer.status, answer.read(), answer.headers
        finally:
            connection.close()

    return await asyncio.to_thread(ask)


async def playback(node: Running, table: str, view: str) -> dict[str, Any]:
    status, body, headers = await get(node, f"/r/{table}/updates?view={view}", Accept_Encoding="gzip")
    assert (status, headers["Content-Encoding"]) == (200, "gzip")
    answer: dict[str, Any] = msgpack.unpackb(gzip.decompress(body))
    return answer


async def finished(node: Running, game: str) -> tuple[str, list[Client], Client]:
    """A finished game, its players, and a watcher who saw it all. Time stands still between the moves."""
    now = node.node.clock.now()
    clock = [now]
    node.node.clock.now = lambda: clock[0]
    players = [await node.join(f"Player {seat}", patches=True) for seat in range(table_size(GAMES[game]))]
    watcher = await node.join("Watcher", patches=True)
    table = (await players[0].request("create", game=game, seats=len(players)))["table"]
    for viewer in (*players, watcher):
        await viewer.request("open", table=table)
    for player in players[1:]:
        await player.request("sit", table=table)
    for viewer in (*players, watcher):
        await viewer.next("table", 0, status="running")
    chance = random.Random(game)
    for _ in range(MOST_MOVES):
        if not any(asked(player, table) for player in players):
            break
        clock[0] += TURN_MS
        n = await one_move(players, table, chance)
        await watcher.entry(table, n)
    for viewer in (*players, watcher):
        await viewer.next("table", 0, status="ended")
    return table, players, watcher


def of_type(answer: dict[str, Any], point: int, kind: str) -> list[dict[str, Any]]:
    """The messages of one type that a viewpoint receives, in order."""
    return [message for entry in answer["entries"] for message in entry["messages"][point] if message["type"] == kind]


def assert_same_updates(live: Client, table: str, answer: dict[str, Any], point: int = 0) -> None:
    """All updates from the start of the game on are equal: before it, players came as spectators."""
    shown = of_type(answer, point, "update")
    start = next(update["n"] for update in shown if "view" in update)
    assert len(shown) > start + 5
    assert [update for update in live.updates(table) if update["n"] >= start] == shown[start - 1 :]
    ended = of_type(answer, point, "table")[-1]
    for field in ("result", "seed", "commitment", "status", "game", "options"):
        assert ended[field] == live.last("table")[field], field


@pytest.mark.parametrize("game", GAMES)
async def test_a_replay_is_what_live_viewers_of_every_viewpoint_have_received(node: Running, game: str) -> None:
    table, players, watcher = await finished(node, game)
    opened = await playback(node, table, "open")
    assert opened["views"] == [None, *range(len(players))]
    assert [entry["n"] for entry in opened["entries"]] == list(range(1, len(opened["entries"]) + 1))
    for point, (view, viewer) in enumerate([("public", watcher), *((str(k), one) for k, one in enumerate(players))]):
        alone = await playback(node, table, view)
        assert_same_updates(viewer, table, alone)
        assert_same_updates(viewer, table, opened, point)


async def test_nothing_is_served_of_a_game_before_its_end(node: Running) -> None:
    players = [await node.join(f"Player {seat}") for seat in range(3)]
    table = await table_of(players)
    for path in (f"/r/{table}/updates", f"/r/{table}/updates?view=open", f"/replays/{table}.jsonl"):
        assert (await get(node, path))[:2] == (404, replays.NO_GAME.encode())
    assert (await get(node, "/r/..%2f/updates"))[0] == 404


async def test_a_replay_does_not_lead_to_the_rematch(node: Running) -> None:
    """Who has the link of a replay may not have been invited to the table where the same people play on."""
    table, players, _ = await finished(node, "diced_cheese")
    again = (await players[0].request("rematch", table=table, game="cheesedog", seats=4, options={}))["table"]
    await players[1].next("table", 0, table=table, rematch=again)
    ended = node.node.rooms.get(table).table
    assert ended
    await node.node.archive.put_away(ended)
    file = (await get(node, f"/replays/{table}.jsonl"))[1]
    assert b'"rematched"' in file
    assert again.encode() not in file
    packed = base64.b64encode(zlib.compress(file)).decode()
    viewed = (await players[0].request("view_file", packed=packed, view="open"))["playback"]
    for answer in (await playback(node, table, "open"), msgpack.unpackb(gzip.decompress(base64.b64decode(viewed)))):
        for point, _ in enumerate(answer["views"]):
            assert of_type(answer, point, "table")[-1]["status"] == "ended"
            assert not any({"rematch", "rematch_game"} & shown.keys() for shown in of_type(answer, point, "table"))
        assert again not in str([entry["messages"] for entry in answer["entries"]])


async def test_a_replay_is_cached_by_browsers_and_read_without_compression(node: Running) -> None:
    table, *_ = await finished(node, "do_my_bidding")
    path = f"/r/{table}/updates"
    status, packed, headers = await get(node, path, Accept_Encoding="gzip, br")
    assert (status, "immutable" in headers["Cache-Control"]) == (200, True)
    _, plain, whole = await get(node, path)
    assert plain == gzip.decompress(packed)
    # The first answer has no ETag if it was sent while it was being made.
    status, body, _ = await get(node, path, If_None_Match=whole["ETag"])
    assert (status, body) == (304, b"")
    for view in ("7", "-1", "x", "999999", "", "00", "%D9%A1"):  # another name of a viewpoint would be kept beside it
        assert (await get(node, f"{path}?view={view}"))[0] == 404, view


async def test_replays_are_limited_by_address(start: Start) -> None:
    node = await start(limits=free_limits(address_replays_per_minute=2))
    taken = [node.node.client_addresses.spend(replays.RATE, "192.0.2.7") for _ in range(3)]
    assert taken[:2] == [0, 0]
    assert taken[2] > 0
    assert node.node.client_addresses.spend(replays.RATE, "127.0.0.1") == 0


async def test_a_client_that_does_not_read_gets_one_piece_of_a_replay_and_takes_one_place(
    start: Start, tmp_path: Path
) -> None:
    node = await start(limits=free_limits(address_replays_at_once=1))
    log = play("cheesedog", seats=10)
    path, url = tmp_path / "long.jsonl", urlsplit(node.http)
    path.write_text("".join(line + "\n" for line in lines(log.table.id, log.entries)))
    await import_file(str(path), node.node.store)
    address = f"/r/{log.table.id}/updates?view=open"
    body = (await get(node, address))[1]
    assert len(body) > 1_000_000
    head = f"GET {address} HTTP/1.1\r\nHost: {url.netloc}\r\nConnection: close\r\n\r\n".encode()
    reader, writer = await asyncio.open_connection(
        url.hostname, url.port, local_addr=("127.0.9.9", 0), limit=1024, family=AF_INET
    )
    writer.write(head)
    await reader.readuntil(b"\r\n\r\n")  # the answer has begun
    assert (await get(node, address, "127.0.9.9"))[0] == 429
    assert (await get(node, address, "127.0.9.8"))[0] == 200
    held = [protocol.transport.get_write_buffer_size() for protocol in node.server.server_state.connections]
    assert max(held) <= 3 * packed_replay.PIECE_BYTES
    assert len(await reader.read()) > len(body)  # in chunks
    writer.close()
    assert (await get(node, address, "127.0.9.9"))[0] == 200


async def test_a_playback_that_takes_long_to_make_is_sent_while_it_is_made(
    node: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replays, "SOON_S", 0)
    monkeypatch.setattr(slices, "SLICE_S", 0)  # one entry in each slice
    log = play("cheesedog", seats=10)
    path = tmp_path / "long.jsonl"
    path.write_text("".join(line + "\n" for line in lines(log.table.id, log.entries)))
    await import_file(str(path), node.node.store)
    address = f"/r/{log.table.id}/updates?view=open"
    first, again = [await get(node, address, Accept_Encoding="gzip") for _ in range(2)]
    assert (first[2]["Transfer-Encoding"], first[2]["ETag"]) == ("chunked", None)
    assert again[2]["ETag"]
    assert first[1] == again[1]
    entries = msgpack.unpackb(gzip.decompress(first[1]))["entries"]
    assert [entry["n"] for entry in entries] == [n for n, _ in log.entries]


def test_the_beginning_of_a_playback_can_be_sent_before_the_compressor_has_much() -> None:
    parts = [hashlib.sha256(bytes([number])).digest() for number in range(100)]
    pieces: list[bytes] = []
    making = playbacks._compress(iter(parts), pieces)
    for _ in range(playbacks.EARLY_PARTS):
        next(making)
    begun = zlib.decompressobj(playbacks.GZIP_BITS).decompress(b"".join(pieces))
    assert begun == b"".join(parts[: playbacks.EARLY_PARTS])
    assert list(making)
    assert gzip.decompress(b"".join(pieces)) == b"".join(parts)


async def test_a_playback_that_fails_halfway_is_cut_off_and_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> Iterator[bytes]:
        for number in range(200):
            yield hashlib.sha256(bytes([number])).digest() * 100
        raise BadReplay("entry 200")

    monkeypatch.setattr(playbacks, "_draws", fails)
    cache = playbacks.CachedPlaybacks(slices.Slices())
    growing = cache.make("t1", playbacks.DRAWS, "{}\n")
    with pytest.raises(BadReplay):
        async for _ in growing.follow():
            pass
    assert growing.pieces
    assert cache.find("t1", playbacks.DRAWS) is None


async def test_a_short_playback_does_not_wait_for_a_long_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "SLICE_S", 0)
    monkeypatch.setattr(slices, "REST_S", 0)
    done, work = [], slices.Slices()

    async def run(name: str, steps: int) -> None:
        await work.run(iter(range(steps)))
        done.append(name)

    await asyncio.gather(run("long", 100), run("short", 3))
    assert done == ["short", "long"]


async def test_only_so_many_bytes_of_replays_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playbacks, "MAX_CACHED_BYTES", 100)
    cache = playbacks.CachedPlaybacks(slices.Slices())
    for number in range(10):
        cache._kept.keep((f"t{number}", "public"), bytes(30))
    kept = [number for number in range(10) if cache.find(f"t{number}", "public")]
    assert kept == [7, 8, 9]


async def test_the_page_of_a_replay_has_a_preview_without_the_result(node: Running) -> None:
    table, *_ = await finished(node, "do_my_bidding")
    for path in (f"/r/{table}", f"/r/{table}/12"):
        status, body, headers = await get(node, path)
        page = body.decode()
        assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
        assert "<title>Do My Bidding: Player 0, Player 1, Player 2</title>" in page
        assert '<meta property="og:title" content="Do My Bidding: Player 0, Player 1, Player 2">' in page
        assert page.count('name="description"') == 1
        assert "og:description" in page
        assert "won" not in page
    assert "og:title" not in (await get(node, "/r/abcdefgh"))[1].decode()


async def test_names_in_a_preview_are_escaped() -> None:
    page = '<title>x</title><meta name="description" content="y">'
    shown = with_preview(page, Preview('<b>"Ann" & \\1</b>', "'"))
    assert "<b>" not in shown
    assert "&lt;b&gt;&quot;Ann&quot; &amp; \\1&lt;/b&gt;" in shown


async def test_an_imported_file_can_be_opened_and_replaces_nothing(node: Running, tmp_path: Path) -> None:
    table, *_ = await finished(node, "do_my_bidding")
    status, file, _ = await get(node, f"/replays/{table}.jsonl")
    assert status == 200
    path, shown = tmp_path / "game.jsonl", await playback(node, table, "open")
    path.write_bytes(file)
    await node.node.store.call("FLUSHALL")
    assert (await get(node, f"/replays/{table}.jsonl"))[0] == 404
    await import_file(str(path), node.node.store)
    assert (await get(node, f"/replays/{table}.jsonl"))[1] == file
    assert await playback(node, table, "open") == shown
    other = written("do_my_bidding")
    path.write_text("".join(line.replace("k7w2mzq4hd", table) + "\n" for line in other[:-1]) + other[-1] + "\n")
    with pytest.raises(SystemExit, match="digest"):
        await import_file(str(path), node.node.store)
    path.write_bytes(file.replace(b'"name":"Player 0"', b'"name":"Mallory"'))
    with pytest.raises(SystemExit, match="digest"):
        await import_file(str(path), node.node.store)


async def test_p56_salts_are_shown_before_the_start_and_recorded(node: Running) -> None:
    players = [await node.join(f"Player {seat}") for seat in range(3)]
    salts = ["00" * 8, None, "ab" * 32]
    made = await players[0].request("create", game="do_my_bidding", seats=3, salt=salts[0])
    table = made["table"]
    await players[0].request("open", table=table)
    assert (await players[1].request("sit", table=table, salt="AB" * 8))["code"] == "bad_field"
    await players[1].request("sit", table=table)
    shown = await players[0].until(lambda message: message["type"] == "table" and message["seats"][1].get("user"))
    assert shown["status"] == "open"
    assert [seat.get("salt") for seat in shown["seats"]] == [salts[0], None, None]
    await players[2].request("sit", table=table, salt=salts[2])
    for player in players:
        await player.request("open", table=table)
        await player.until(lambda message: message["type"] == "update" and "view" in message)
    chance = random.Random(1)
    while any(asked(player, table) for player in players):
        await one_move(players, table, chance)
    await players[0].next("table", 0, status="ended")
    text = (await get(node, f"/replays/{table}.jsonl"))[1].decode().splitlines()
    assert json.loads(next(line for line in text if '"started"' in line))["salts"] == salts
    assert verify(text) == len(text) - 1
    again = await players[1].request("rematch", table=table, salt="cd" * 8)
    await players[1].request("open", table=again["table"])
    info = await players[1].next("table", 0, table=again["table"])
    assert [seat.get("salt") for seat in info["seats"]] == [None, "cd" * 8, None]


async def test_a_card_shows_the_table_at_its_moment_and_the_result_only_at_the_end(
    node: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, _, _ = await finished(node, "diced_cheese")
    last = len((await get(node, f"/replays/{table}.jsonl"))[1].splitlines()) - 1

    async def card(path: str) -> tuple[str, bytes]:
        page = (await get(node, path))[1].decode()
        assert 'property="og:title" content="Diced Cheese: Player 0, Player 1, Player 2"' in page
        image = page.split('property="og:image" content="')[1].split('"')[0]
        status, body, headers = await get(node, image.removeprefix(node.http))
        assert (status, headers["Content-Type"], body[:8]) == (200, "image/png", b"\x89PNG\r\n\x1a\n")
        assert struct.unpack(">II", body[16:24]) == (1200, 630)
        return page, body

    plain, start = await card(f"/r/{table}")
    moment, later = await card(f"/r/{table}/{last - 1}?seat=1")
    shared, end = await card(f"/r/{table}?result")
    assert "1. Player" not in plain + moment
    assert "1. Player" in shared
    assert len({start, later, end}) == 3
    assert (await card(f"/r/{table}/{last}"))[1] == end
    assert (await get(node, f"/r/{table}/card.png?at=x"))[1] == start
    monkeypatch.setattr(replay_preview, "MAX_WAITING", 0)
    assert (await get(node, f"/r/{table}/card.png?at={last}"))[1] == end
    assert (await get(node, f"/r/{table}/card.png?at={last - 2}"))[0] == 503
    assert (await get(node, "/r/nosuchtable/card.png"))[0] == 404


async def test_one_address_cannot_take_the_pictures_of_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(line + "\n" for line in written("diced_cheese"))
    cards, may_draw = replay_preview.ReplayCards(slices.Slices()), asyncio.Event()

    async def render(svg: str) -> bytes:
        await may_draw.wait()
        return svg.encode()

    monkeypatch.setattr(replay_preview, "_render", render)
    of_one_address = BY_NAME["address_replays_at_once"].number
    moments = range(10, 10 + of_one_address + 1)  # the last one is asked for by somebody else
    asked = [asyncio.ensure_future(cards.find("k7w2mzq4hd", text, n)) for n in moments]
    await asyncio.sleep(0)
    may_draw.set()
    drawn = await asyncio.gather(*asked, return_exceptions=True)
    assert [one for one in drawn if not isinstance(one, bytes)] == []


async def test_only_replays_and_only_for_allowed_sites_are_shown_in_frames(start: Start) -> None:
    allowed = AllowedOrigins(embedders=["https://club.example.org"])
    open_node, closed = await start(allowed=allowed), await start()
    table, _, _ = await finished(closed, "diced_cheese")

    async def ancestors(node: Running, path: str) -> str:
        policy = (await get(node, path))[2]["Content-Security-Policy"]
        return str(policy.split("frame-ancestors ")[1].split(";")[0])

    assert await ancestors(open_node, f"/r/{table}?embed") == "https://club.example.org:443"
    assert await ancestors(open_node, f"/r/{table}/9?seat=1&embed") == "https://club.example.org:443"
    for node, path in ((open_node, f"/r/{table}"), (open_node, "/?embed"), (closed, f"/r/{table}?embed")):
        assert await ancestors(node, path) == "'none'"
    with pytest.raises(BadOrigin, match="EMBED_ORIGINS"):
        AllowedOrigins.from_environment({"EMBED_ORIGINS": "club"})


@pytest.mark.parametrize(("bytes_per_hour", "most_s"), [(2_000_000, LIVE_S), (1_000, SHORT_LIVE_S)])
async def test_the_log_of_a_finished_game_goes_early_if_an_address_has_finished_too_much(
    start: Start, bytes_per_hour: int, most_s: int
) -> None:
    node = await start(limits=Limits({"address_log_bytes_per_hour": bytes_per_hour, "burst": 1000}))
    table, _, _ = await finished(node, "diced_cheese")
    ended = node.node.rooms.get(table).table
    assert ended
    for _ in range(2):  # the second time changes nothing
        await node.node.archive.put_away(ended)
        assert most_s - 30 < await node.node.store.call("TTL", keys.table_log(table)) <= most_s
    assert (await get(node, f"/replays/{table}.jsonl"))[0] == 200


@pytest.mark.parametrize(("bytes_per_hour", "most_s"), [(100_000, LIVE_S), (100, SHORT_LIVE_S)])
async def test_the_log_of_a_table_that_its_host_closed_counts_too(
    start: Start, bytes_per_hour: int, most_s: int
) -> None:
    node = await start(limits=Limits({"address_log_bytes_per_hour": bytes_per_hour}))
    host = await node.join("Hilda")
    table = (await host.request("create", game="cheesedog", seats=4, bots="rookie"))["table"]
    await host.request("close_table", table=table)
    closed = node.node.rooms.get(table).table
    assert closed
    for _ in range(2):  # the second time changes nothing
        await node.node.archive.put_away(closed)
        assert most_s - 30 < await node.node.store.call("TTL", keys.table_log(table)) <= most_s


async def test_no_replay_is_written_from_a_log_that_has_lost_an_entry(start: Start) -> None:
    node = await start()
    table, _, _ = await finished(node, "diced_cheese")
    ended, call = node.node.rooms.get(table).table, node.node.store.call
    assert ended
    entries = await call("XRANGE", keys.table_log(table), "-", "+")
    for index in (0, len(entries) // 2, -1):
        await call("DEL", keys.archive(table))
        await call("XDEL", keys.table_log(table), entries[index][0])
        with pytest.raises(ValueError, match="not all of its"):
            await node.node.archive.put_away(ended)
        assert await call("EXISTS", keys.archive(table)) == 0
        await call("DEL", keys.table_log(table))
        for id, fields in entries:  # noqa: A001
            await call("XADD", keys.table_log(table), id, *fields)
    await node.node.archive.put_away(ended)
    assert (await get(node, f"/replays/{table}.jsonl"))[0] == 200
