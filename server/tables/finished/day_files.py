"""All finished public games of a day in compressed files with pseudonyms, made after the day is over."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import sys
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from typing import TypeVar

import msgspec
import zstandard

from server.store import keys
from server.store.store import Store
from server.tables.finished.packed_replay import unpack_file
from server.tables.finished.pseudonyms import Pseudonyms
from server.tables.finished.replay import compact

T = TypeVar("T")

KEPT_DAYS = 30
KEPT_S = KEPT_DAYS * 24 * 3600  # how long the file of a day is kept
MAX_GAMES = 5_000  # of one file; the rest of the day is in further files
MAX_BYTES = 64 << 20  # of a file before compression
LEVEL = 10  # of zstd
PIECE_BYTES = 64 * 1024  # of a file, that are read at once
DAY = "%Y-%m-%d"
NAME = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:\.([0-9]{1,4}))?\.jsonl\.(?:zst|gz)")
LOWEST_PRIORITY = 19


class DayFile(msgspec.Struct, frozen=True):
    """What the index says about a file of a day. `public` is how many public games there were on that day."""

    day: str
    name: str
    games: int
    public: int
    bytes: int
    sha256: str


class DayFiles:
    """Makes and finds the files of days."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def make_missing(self, now_ms: int) -> None:
        """Make the files of the last days that are over and have none."""
        today = datetime.fromtimestamp(now_ms / 1000, UTC)
        made = await self._store.call("HKEYS", keys.DAY_INDEX)
        for back in range(1, KEPT_DAYS + 1):
            day = (today - timedelta(days=back)).strftime(DAY)
            if day.encode() not in made and await self._store.call("EXISTS", keys.day_games(day)):
                await self.make(day)

    async def make(self, day: str) -> list[DayFile]:
        """Make the files of a day: one, and further ones if it would become too large."""
        await self._store.call("SET", keys.DAY_SECRET, secrets.token_bytes(32), "NX")
        pseudonyms = Pseudonyms(await self._store.call("GET", keys.DAY_SECRET))
        tables = sorted(await self._store.call("SMEMBERS", keys.day_games(day)))
        parts = [_Part()]
        with ThreadPoolExecutor(1, initializer=_lower_priority) as thread:
            for table in tables:
                packed = await self._store.call("GET", keys.archive(table.decode()))
                if packed is None:
                    continue
                line = await _run(thread, partial(_line, pseudonyms, packed))
                if parts[-1].games and not parts[-1].has_room(line):
                    await _run(thread, parts[-1].finish)
                    parts.append(_Part())
                parts[-1].add(line)
            await _run(thread, parts[-1].finish)
        files = [await self._keep(day, number, part, len(tables)) for number, part in enumerate(parts, 1)]
        for file in reversed(files):  # the first one last: a day that has it in the index is complete
            await self._store.call("HSET", keys.DAY_INDEX, _stem(file.name), msgspec.json.encode(file))
        return files

    async def _keep(self, day: str, number: int, part: _Part, public: int) -> DayFile:
        stem = day if number == 1 else f"{day}.{number}"
        content = part.content
        await self._store.call("SET", keys.day_file(stem), content, "EX", KEPT_S)
        digest = sha256(content).hexdigest()
        return DayFile(day, f"{stem}.jsonl.zst", part.games, public, len(content), digest)

    async def index(self, now_ms: int) -> list[DayFile]:
        """The files that are kept, the newest first. Those that have expired are taken off the index."""
        first = (datetime.fromtimestamp(now_ms / 1000, UTC) - timedelta(days=KEPT_DAYS)).strftime(DAY)
        found = await self._store.call("HVALS", keys.DAY_INDEX)
        files = sorted((msgspec.json.decode(one, type=DayFile) for one in found), key=_part_number)
        files.sort(key=lambda one: one.day, reverse=True)
        for old in (one for one in files if one.day < first):
            await self._store.call("HDEL", keys.DAY_INDEX, _stem(old.name))
        return [one for one in files if one.day >= first]

    async def find(self, name: str, now_ms: int) -> DayFile | None:
        """What the index says about the file with this name, if its content is still there."""
        file = next((one for one in await self.index(now_ms) if one.name == name), None)
        is_there = file is not None and await self._store.call("STRLEN", keys.day_file(_stem(name))) == file.bytes
        return file if is_there else None

    async def pieces(self, file: DayFile) -> AsyncIterator[bytes]:
        """The content of a file, read piece by piece: whoever asks for many and reads slowly takes no more memory."""
        for start in range(0, file.bytes, PIECE_BYTES):
            yield await self._store.call("GETRANGE", keys.day_file(_stem(file.name)), start, start + PIECE_BYTES - 1)


class _Part:
    """One file of a day that is being made."""

    def __init__(self) -> None:
        self.games = 0
        self.content = b""
        self._lines: list[bytes] = []
        self._size = 0

    def has_room(self, line: bytes) -> bool:
        return self.games < MAX_GAMES and self._size + len(line) <= MAX_BYTES

    def add(self, line: bytes) -> None:
        self.games += 1
        self._size += len(line)
        self._lines.append(line)

    def finish(self) -> None:
        """Compress everything at once: so the file states its size, and one call unpacks it."""
        self.content = zstandard.ZstdCompressor(level=LEVEL).compress(b"".join(self._lines))
        self._lines.clear()


async def _run(thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    """Do work in the thread, so that the analyses of the same process go on."""
    return await asyncio.get_running_loop().run_in_executor(thread, work)


def _lower_priority() -> None:
    """Give the CPU to live games first; on Linux a thread has a priority of its own."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOWEST_PRIORITY)


def _stem(name: str) -> str:
    """The day of a file, and its number from the second file of a day on: 2026-01-31 or 2026-01-31.2."""
    return name.partition(".jsonl.")[0]


def _part_number(file: DayFile) -> int:
    found = NAME.fullmatch(file.name)
    return int(found[2] or 1) if found else 1


def _line(pseudonyms: Pseudonyms, packed: bytes) -> bytes:
    game = pseudonyms.game(unpack_file(packed).decode())
    return compact(game).encode("utf-8", "surrogatepass") + b"\n"
