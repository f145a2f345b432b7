"""All finished public games of a day in one compressed file with pseudonyms, made after the day is over."""

from __future__ import annotations

import secrets
import zlib
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

import msgspec
import zstandard

from server.store import keys
from server.store.store import Store
from server.tables.pseudonyms import Pseudonyms
from server.tables.replay import compact

KEPT_DAYS = 30
KEPT_S = KEPT_DAYS * 24 * 3600  # how long the file of a day is kept
MAX_GAMES = 5_000  # of one day; further ones are left out, and the index says how many there were
MAX_BYTES = 64 << 20  # of a file before compression; further games are left out
LEVEL = 10  # of zstd
DAY = "%Y-%m-%d"


class DayFile(msgspec.Struct, frozen=True):
    """What the index says about the file of a day. `public` is how many public games there were."""

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
        """Make the file of a day."""
        await self._store.call("SET", keys.DAY_SECRET, secrets.token_bytes(32), "NX")
        pseudonyms = Pseudonyms(await self._store.call("GET", keys.DAY_SECRET))
        tables = sorted(await self._store.call("SMEMBERS", keys.day_games(day)))
        lines: list[bytes] = []
        size = 0
        for table in tables[:MAX_GAMES]:
            packed = await self._store.call("GET", keys.archive(table.decode()))
            if packed is None:
                continue
            line = _line(pseudonyms.game(zlib.decompress(packed).decode()))
            size += len(line)
            if size > MAX_BYTES:
                break
            lines.append(line)
        content = zstandard.ZstdCompressor(level=LEVEL).compress(b"".join(lines))
        file = DayFile(day, f"{day}.jsonl.zst", len(lines), len(tables), len(content), sha256(content).hexdigest())
        await self._store.call("SET", keys.day_file(day), content, "EX", KEPT_S)
        await self._store.call("HSET", keys.DAY_INDEX, day, msgspec.json.encode(file))
        return file

    async def index(self, now_ms: int) -> list[DayFile]:
        """The files that are kept, the newest first. Those that have expired are taken off the index."""
        first = (datetime.fromtimestamp(now_ms / 1000, UTC) - timedelta(days=KEPT_DAYS)).strftime(DAY)
        found = await self._store.call("HVALS", keys.DAY_INDEX)
        files = sorted((msgspec.json.decode(one, type=DayFile) for one in found), key=lambda one: one.day, reverse=True)
        for old in (one for one in files if one.day < first):
            await self._store.call("HDEL", keys.DAY_INDEX, old.day)
        return [one for one in files if one.day >= first]

    async def find(self, name: str) -> bytes | None:
        """The content of a file."""
        day, _, rest = name.partition(".")
        if len(day) != len("2026-01-31") or not rest.startswith("jsonl."):
            return None
        found: bytes | None = await self._store.call("GET", keys.day_file(day))
        return found


def _line(game: dict[str, Any]) -> bytes:
    return compact(game).encode("utf-8", "surrogatepass") + b"\n"
