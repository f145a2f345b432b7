"""All finished public games of a day in one compressed file with pseudonyms, made after the day is over."""

from __future__ import annotations

import asyncio
import logging
import os
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

log = logging.getLogger("cheeseboard.day_files")

KEPT_DAYS = 30
KEPT_S = KEPT_DAYS * 24 * 3600  # how long the file of a day is kept
GROWING_S = 3600  # how long a piece of a file that is being made waits for the next one
MAX_BYTES = 500 << 20  # of a file: the store keeps at most 512 MB under a key; the games that do not fit are left out
LEVEL = 10  # of zstd
PIECE_BYTES = 64 * 1024  # of a file, that are read at once
DAY = "%Y-%m-%d"
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

    async def make(self, day: str) -> DayFile:
        """Make the file of a day. It grows under a key of its own, so nobody reads half of it."""
        growing = keys.growing_day_file(day, secrets.token_hex(8))
        tables = sorted(await self._store.call("SMEMBERS", keys.day_games(day)))
        packer = _Packer(await self._pseudonyms())
        with ThreadPoolExecutor(1, initializer=_lower_priority) as thread:
            for table in tables:
                packed = await self._store.call("GET", keys.archive(table.decode()))
                if packed is not None:
                    await self._append(growing, await _run(thread, partial(packer.add, packed)))
                if packer.bytes > MAX_BYTES:
                    log.warning("the file of %s is full: it has %d of %d games", day, packer.games, len(tables))
                    break
            await self._append(growing, await _run(thread, packer.finish))
        file = DayFile(day, f"{day}.jsonl.zst", packer.games, len(tables), packer.bytes, packer.digest.hexdigest())
        await self._store.call("RENAME", growing, keys.day_file(day))
        await self._store.call("EXPIRE", keys.day_file(day), KEPT_S)
        await self._store.call("HSET", keys.DAY_INDEX, day, msgspec.json.encode(file))
        return file

    async def _pseudonyms(self) -> Pseudonyms:
        await self._store.call("SET", keys.DAY_SECRET, secrets.token_bytes(32), "NX")
        return Pseudonyms(await self._store.call("GET", keys.DAY_SECRET))

    async def _append(self, key: str, piece: bytes) -> None:
        """Write a piece of a file that is being made. What is left of one that is not completed expires."""
        if piece:
            await self._store.call("APPEND", key, piece)
            await self._store.call("EXPIRE", key, GROWING_S)

    async def index(self, now_ms: int) -> list[DayFile]:
        """The files that are kept, the newest first. Those that have expired are taken off the index."""
        first = (datetime.fromtimestamp(now_ms / 1000, UTC) - timedelta(days=KEPT_DAYS)).strftime(DAY)
        found = await self._store.call("HVALS", keys.DAY_INDEX)
        files = sorted((msgspec.json.decode(one, type=DayFile) for one in found), key=lambda one: one.day, reverse=True)
        for old in (one for one in files if one.day < first):
            await self._store.call("HDEL", keys.DAY_INDEX, _day(old.name))
        return [one for one in files if one.day >= first]

    async def find(self, name: str, now_ms: int) -> DayFile | None:
        """What the index says about the file with this name, if its content is still there."""
        file = next((one for one in await self.index(now_ms) if one.name == name), None)
        is_there = file is not None and await self._store.call("STRLEN", keys.day_file(_day(name))) == file.bytes
        return file if is_there else None

    async def pieces(self, file: DayFile) -> AsyncIterator[bytes]:
        """The content of a file, read piece by piece: whoever asks for many and reads slowly takes no more memory."""
        for start in range(0, file.bytes, PIECE_BYTES):
            yield await self._store.call("GETRANGE", keys.day_file(_day(file.name)), start, start + PIECE_BYTES - 1)


class _Packer:
    """Compresses the games of a day, one after the other. Its methods take long, and are called in a thread."""

    def __init__(self, pseudonyms: Pseudonyms) -> None:
        self.games = 0
        self.bytes = 0  # of all pieces
        self.digest = sha256()
        self._pseudonyms = pseudonyms
        self._packer = zstandard.ZstdCompressor(level=LEVEL).compressobj()

    def add(self, packed: bytes) -> bytes:
        """Add a game as the archive has it; returns the next piece of the file, which is often empty."""
        game = self._pseudonyms.game(unpack_file(packed).decode())
        self.games += 1
        return self._counted(self._packer.compress(compact(game).encode("utf-8", "surrogatepass") + b"\n"))

    def finish(self) -> bytes:
        """The last piece of the file."""
        return self._counted(self._packer.flush())

    def _counted(self, piece: bytes) -> bytes:
        self.bytes += len(piece)
        self.digest.update(piece)
        return piece


async def _run(thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    """Do work in the thread, so that the analyses of the same process go on."""
    return await asyncio.get_running_loop().run_in_executor(thread, work)


def _lower_priority() -> None:
    """Give the CPU to live games first; on Linux a thread has a priority of its own."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOWEST_PRIORITY)


def _day(name: str) -> str:
    """The day of a file, by its name."""
    return name.partition(".jsonl.")[0]
