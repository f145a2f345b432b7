"""The public games of a day in one file: with pseudonyms that stay the same, without notes, and still verifiable."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zstandard

from games import GAMES
from server.requests.limits.limits import Limits
from server.store import keys
from server.store.store import Store
from server.tables.finished import day_files
from server.tables.finished.day_files import DAY, DayFile, DayFiles
from server.tables.finished.pseudonyms import Pseudonyms
from server.tables.finished.replay import compact, verify
from server.web import http_protocol
from tests.client import WAIT_S
from tests.random_games import written
from tests.server.conftest import Running, Start
from tests.server.web.test_replays import finished, get

ROOT = Path(__file__).resolve().parents[3]
DAY_MS = 24 * 3600 * 1000
LARGE_BYTES = 4 << 20


@pytest.mark.parametrize("game", GAMES)
def test_a_game_with_pseudonyms_has_no_names_and_verifies(game: str) -> None:
    text = "".join(line + "\n" for line in written(game))
    text = text.replace('"table":""', '"table":"another1"')  # older files name the table of the rematch
    one = Pseudonyms(b"secret").game(text)
    again = json.dumps(one, ensure_ascii=False)
    for secret in ("Zo\u00eb", '"u0"', '"u1"', "by chance", json.loads(text.split("\n")[0])["table"], "another1"):
        assert secret in text
        assert secret not in again, secret
    verify([compact(row) for row in one["replay"]])
    assert len(set(one["players"])) == one["seats"]
    assert Pseudonyms(b"secret").game(text) == one
    assert Pseudonyms(b"other").game(text)["players"] != one["players"]


def example(language: str, service: str) -> str:
    """The example in this language that loads the newest file, for this service."""
    text = (ROOT / "docs" / "replay.md").read_text(encoding="utf-8").split("## All public games")[1]
    return text.split(f"```{language}\n")[1].split("```")[0].replace("http://127.0.0.1:8000", service)


async def output(*command: str) -> str:
    """What a command prints; it runs where the client's packages are."""
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT / "web-client", stdout=asyncio.subprocess.PIPE)
    printed, _ = await process.communicate()
    assert process.returncode == 0
    return printed.decode()


def unpacked(content: bytes) -> bytes:
    """What a file of a day contains, which is one frame of zstd."""
    unpacker = zstandard.ZstdDecompressor().decompressobj()
    unpacked = unpacker.decompress(content)
    assert (unpacker.eof, unpacker.unused_data) == (True, b"")
    return unpacked


async def test_the_public_games_of_a_day_are_served_once_it_is_over(node: Running) -> None:
    tables = []
    for game in ("diced_cheese", "do_my_bidding"):
        table, players, _ = await finished(node, game)
        tables.append(table)
    private = await players[0].request("create", game="diced_cheese", seats=2, public=False, bots="random")
    for table in tables:
        room = node.node.rooms.get(table)
        assert room.table
        await node.node.archive.put_away(room.table)
    assert private["table"] not in tables
    now, files = node.node.clock.now(), DayFiles(node.node.store)
    await files.make_missing(now)
    assert json.loads((await get(node, "/data/"))[1]) == []
    await files.make_missing(now + DAY_MS)
    (listed,) = json.loads((await get(node, "/data/"))[1])
    assert (listed["games"], listed["public"]) == (2, 2)
    status, content, _ = await get(node, f"/data/{listed['name']}")
    assert (status, len(content), sha256(content).hexdigest()) == (200, listed["bytes"], listed["sha256"])
    games: list[dict[str, Any]] = [json.loads(line) for line in unpacked(content).splitlines()]
    assert {one["game"] for one in games} == {"diced_cheese", "do_my_bidding"}
    for one in games:
        verify([compact(row) for row in one["replay"]])
    assert "Player 0" not in json.dumps(games)
    for command in (
        (sys.executable, "-c", example("python", node.http)),
        ("node", "--input-type=module", "-e", example("js", node.http)),
    ):
        printed = await output(*command)
        for one in games:
            assert re.search(rf"^{one['game']} .*\b{one['moves']}\b", printed, re.MULTILINE), printed
    for name in ("2026-01-01.jsonl.zst", "x", f"{listed['day']}.jsonl.txt"):
        assert (await get(node, f"/data/{name}"))[0] == 404
    assert await node.node.store.call("TTL", keys.day_file(listed["day"])) > 0
    assert await files.index(now + 40 * DAY_MS) == []


async def test_the_file_of_a_day_has_all_its_games_up_to_a_bound(
    node: Running, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table, _, _ = await finished(node, "diced_cheese")
    room = node.node.rooms.get(table)
    assert room.table
    store, files = node.node.store, DayFiles(node.node.store)
    await node.node.archive.put_away(room.table)
    (key,) = await store.call("KEYS", "day:*:games")
    day = key.decode().split(":")[1]
    await store.call("SADD", keys.day_games(day), "gone1", "gone2")
    made = await files.make(day)
    assert (made.name, made.games, made.public) == (f"{day}.jsonl.zst", 1, 3)
    for number in range(100):
        await store.call("COPY", keys.archive(table), keys.archive(f"more{number}"))
        await store.call("SADD", keys.day_games(day), f"more{number}")
    for most in (day_files.MAX_BYTES, 0):  # it is full after the first piece, which has several games
        monkeypatch.setattr(day_files, "MAX_BYTES", most)
        made = await files.make(day)
        assert made.public == 103
        assert made.games == 101 if most else 1 < made.games < 101
        assert await files.index(node.node.clock.now()) == [made]
        content = (await get(node, f"/data/{made.name}"))[1]
        assert (len(content), sha256(content).hexdigest()) == (made.bytes, made.sha256)
        assert len(unpacked(content).splitlines()) == made.games
        assert await store.call("KEYS", "*day:*:file*") == [keys.day_file(day).encode()]
    assert f"the file of {day} is full: it has {made.games} of 103 games" in caplog.text


async def test_a_file_that_was_not_completed_is_made_anew_and_its_rest_expires(
    node: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, _, _ = await finished(node, "diced_cheese")
    room = node.node.rooms.get(table)
    assert room.table
    store, files = node.node.store, DayFiles(node.node.store)
    await node.node.archive.put_away(room.table)
    later = node.node.clock.now() + DAY_MS
    with monkeypatch.context() as patch:
        patch.setattr(store, "call", refusing(store, "RENAME"))
        with pytest.raises(ConnectionError):
            await files.make_missing(later)
    (rest,) = await store.call("KEYS", "{day:*:file}:*")
    assert 0 < await store.call("TTL", rest) <= day_files.GROWING_S
    assert await files.index(later) == []
    await files.make_missing(later)
    (made,) = await files.index(later)
    assert len(unpacked((await get(node, f"/data/{made.name}"))[1]).splitlines()) == 1


def refusing(store: Store, refused: str) -> Callable[..., Awaitable[Any]]:
    """The calls of a store that is lost before a command."""
    call = store.call

    async def refuse(command: str, *arguments: Any) -> Any:
        if command == refused:
            raise ConnectionError
        return await call(command, *arguments)

    return refuse


async def test_a_large_file_that_nobody_reads_is_not_kept_in_memory(node: Running) -> None:
    store, name = node.node.store, await large_file(node)
    before = await bytes_read(store)
    unread = [await ask_without_reading(node, f"/data/{name}") for _ in range(8)]
    assert await bytes_read(store) - before < LARGE_BYTES
    for _, writer in unread:
        writer.close()
    assert (await get(node, f"/data/{name}"))[1] == bytes(LARGE_BYTES)


async def large_file(node: Running) -> str:
    """The name of the file of yesterday, which has LARGE_BYTES bytes that are 0."""
    day = datetime.fromtimestamp(node.node.clock.now() / 1000 - DAY_MS / 1000, UTC).strftime(DAY)
    content, store = bytes(LARGE_BYTES), node.node.store
    listed = DayFile(day, f"{day}.jsonl.zst", 1, 1, len(content), sha256(content).hexdigest())
    await store.call("SET", keys.day_file(day), content)
    await store.call("HSET", keys.DAY_INDEX, day, json.dumps(msgspec.to_builtins(listed)))
    return listed.name


async def test_a_file_may_be_read_for_longer_than_other_answers_but_only_a_few_at_a_time(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = await start(limits=Limits({"address_replays_at_once": 2}))
    name = await large_file(node)
    monkeypatch.setattr(http_protocol, "RESPONSE_S", 0.2)
    slow = [await ask_without_reading(node, f"/data/{name}") for _ in range(2)]
    assert (await get(node, f"/data/{name}"))[0] == 429
    await asyncio.sleep(0.6)
    for reader, writer in slow:
        await reader.readuntil(b"\r\n\r\n")
        assert len(await reader.readexactly(LARGE_BYTES)) == LARGE_BYTES
        writer.close()
    async with asyncio.timeout(WAIT_S):  # the server may notice a moment later that all is sent
        while (await get(node, f"/data/{name}"))[0] != 200:
            await asyncio.sleep(0.01)


async def bytes_read(store: Store) -> int:
    """How many bytes the store has sent to its clients."""
    found = re.search(rb"total_net_output_bytes:(\d+)", await store.call("INFO", "stats"))
    assert found
    return int(found[1])


async def ask_without_reading(node: Running, path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Send a request, and read no more of the answer than its status."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
    client.setblocking(False)
    await asyncio.get_running_loop().sock_connect(client, node.listening.getsockname())
    reader, writer = await asyncio.open_connection(sock=client)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    assert (await reader.readline()).split()[1] == b"200"
    return reader, writer
