"""Replay files that clients send to be played back: over HTTP, of any ordinary length, bounded, and not kept."""

from __future__ import annotations

import asyncio
import gzip
import json
import zlib
from http.client import HTTPConnection
from random import Random
from urllib.parse import urlsplit

import msgpack
import pytest

from server.tables.finished import slices
from server.tables.finished.playback import play_back
from server.tables.finished.replay import lines, read_entries
from server.web.http_protocol import MAX_BODY
from tests.client import eventually
from tests.random_games import file_of_rows, play, rows_of, written
from tests.server.conftest import Running, Start, free_limits

VIEW_FILE_BYTES = 11_900  # what fits into a view_file message


async def send_file(node: Running, body: bytes, path: str = "/replays/view", **more: str) -> tuple[int, bytes]:
    """The status and the body of the answer to a file."""

    def send() -> tuple[int, bytes]:
        source = more.pop("source", "127.0.0.1")
        connection = HTTPConnection(urlsplit(node.http).netloc, source_address=(source, 0), timeout=60)
        try:
            connection.request("POST", path, body, more)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    return await asyncio.to_thread(send)


def file_of(game: str) -> str:
    return "".join(line + "\n" for line in written(game))


async def test_a_long_game_is_played_back_and_not_kept(node: Running) -> None:
    log = play("cheesedog", b"long", 10)
    text = list(lines(log.table.id, log.entries))
    packed = zlib.compress("".join(line + "\n" for line in text).encode())
    assert len(packed) > VIEW_FILE_BYTES
    status, answer = await send_file(node, packed, "/replays/view?view=1")
    assert status == 200
    found = msgpack.unpackb(gzip.decompress(answer))
    expected = list(play_back(log.table.id, read_entries(text[:-1]), (1,)))
    assert [entry["n"] for entry in found["entries"]] == [entry.n for entry in expected]
    for entry, other in zip(found["entries"], expected, strict=True):
        assert entry["messages"] == [[msgpack.unpackb(bytes(one)) for one in messages] for messages in other.messages]
    assert await node.node.archive.find(log.table.id) is None


async def test_what_is_no_replay_is_refused(node: Running) -> None:
    good = file_of("diced_cheese")
    head = json.loads(good.split("\n")[0])
    for text, said in (
        ("hello\n", "cannot be played back"),
        (good.replace("Zo\u00eb 1", "Eve"), "one of them was changed"),
        (good.replace(f'"seats":{head["seats"]}', '"seats":1000000', 1), "its seats"),
        ("[" + "[]," * 500_000 + "0]\n", "a line of more than"),  # 1 KB packed; reading it takes a second
        (good.replace('"u0"', f'"u0","x":[{"[]," * 100_000}0]', 1), "a line of more than"),
    ):
        status, answer = await send_file(node, zlib.compress(text.encode()))
        assert (status, said in answer.decode()) == (422, True), answer
    packed = zlib.compress(good.encode())
    assert (await send_file(node, b"hello"))[0] == 422
    assert (await send_file(node, zlib.compress(b"0" * (5 << 20))))[0] == 422
    assert (await send_file(node, packed, "/replays/view?view=9"))[0] == 404
    assert (await send_file(node, packed, Origin="https://evil.example"))[0] == 403


@pytest.mark.parametrize("kind", ["opened", "changed", "held"])
async def test_a_file_with_millions_of_seats_is_refused_before_they_are_made(node: Running, kind: str) -> None:
    rows = rows_of("diced_cheese")
    at, game, options = rows[1]["at"], rows[0]["game"], rows[0]["options"]
    match kind:
        case "opened":  # what was chosen first, before the host changed it
            rows[0]["opened"] = {"game": game, "options": options, "seats": 1_000_000, "speed": "normal"}
        case "changed":
            choice = {"game": game, "options": options, "seats": 1_000_000, "speed": "normal"}
            rows.insert(1, {"n": 0, "type": "changed", "at": at, **choice})
        case _:  # of the seat behind the last one
            rows.insert(1, {"n": 0, "type": "held", "at": at, "seat": 1_000_000, "user": "u9", "name": "Eve"})
    status, answer = await send_file(node, zlib.compress(file_of_rows(rows).encode()))
    assert (status, b"at `$.seat" in answer) == (422, True), answer


async def test_a_file_whose_playback_would_be_much_larger_than_that_of_a_game_is_refused(node: Running) -> None:
    rows = rows_of("diced_cheese")
    at, ids = rows[1]["at"], Random(1)
    away = [
        {"n": 0, "type": "dismissed", "at": at, "user": f"u{ids.getrandbits(128):x}", "name": "Eve"}
        for _ in range(3_000)  # each message after an entry lists all of them
    ]
    packed = zlib.compress(file_of_rows([*rows[:-1], *away, rows[-1]]).encode())
    assert len(packed) < MAX_BODY
    status, answer = await send_file(node, packed)
    assert (status, b"its playback would be too large" in answer) == (422, True), answer[:200]


async def test_a_file_that_is_too_large_is_not_read(node: Running) -> None:
    address = urlsplit(node.http)
    for length in (f"Content-Length: {MAX_BODY + 1}", "Transfer-Encoding: chunked"):
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        writer.write(f"POST /replays/view HTTP/1.1\r\nHost: x\r\n{length}\r\n\r\n".encode())
        assert (await reader.readline()).split()[1] == b"413"
        assert b"A file has at most" in await reader.read()  # to the end: the connection is closed
        writer.close()


async def test_the_body_may_come_in_pieces_and_nothing_after_it_is_read(node: Running) -> None:
    packed = zlib.compress(file_of("diced_cheese").encode())
    address = urlsplit(node.http)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    writer.write(f"POST /replays/view HTTP/1.1\r\nHost: x\r\nContent-Length: {len(packed)}\r\n\r\n".encode())
    for at in range(0, len(packed), 500):
        writer.write(packed[at : at + 500])
        await writer.drain()
        await asyncio.sleep(0)
    writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    answer = await reader.read()
    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.count(b"HTTP/1.1 ") == 1
    writer.close()


async def test_files_that_come_slowly_keep_nobody_waiting(start: Start) -> None:
    node = await start(limits=free_limits(address_files_at_once=1, node_files_at_once=1))
    address = urlsplit(node.http)
    slow = [
        await asyncio.open_connection(address.hostname, address.port, local_addr=("127.0.9.9", 0)) for _ in range(3)
    ]
    for _, writer in slow:
        writer.write(b"POST /replays/view HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx")
    await eventually(lambda: len(node.server.server_state.tasks) == len(slow))
    packed = zlib.compress(file_of("diced_cheese").encode())
    assert (await send_file(node, packed, source="127.0.9.9"))[0] == 200
    for _, writer in slow:
        writer.close()


async def test_one_address_has_only_so_many_files_at_once(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "REST_S", 0.2)  # playing back takes so long that all requests have come before it ends
    node = await start(limits=free_limits())
    packed = zlib.compress(file_of("diced_cheese").encode())
    sent = [send_file(node, packed, source="127.0.9.9") for _ in range(5)]
    sent.append(send_file(node, packed, source="127.0.9.8"))
    codes = [status for status, _ in await asyncio.gather(*sent)]
    assert (sorted(codes[:5]), codes[5]) == ([200, 200, 200, 503, 503], 200)
