"""Playbacks of finished games, made in slices and kept compressed."""

from __future__ import annotations

import asyncio
import zlib
from collections import OrderedDict
from collections.abc import Iterator, Sequence

import msgspec

from games.chance import Draw
from server.tables.archive import KEPT_S
from server.tables.playback import PlaybackEntry, play_back
from server.tables.replay import count_entries, play_again, read_entries
from server.tables.slices import Slices

OPEN = "open"  # all viewpoints at once
DRAWS = "draws"  # instead of a viewpoint: what chance was asked for
LEVEL = 6  # of the compression
GZIP_BITS = 31  # of zlib: the largest window, and the format of gzip
ARRAY_32 = b"\xdd"  # the first byte of an array in msgpack, before its length in four bytes
MAX_CACHED_BYTES = 8 << 20  # compressed playbacks kept in memory; those that were unused longest are dropped first

encode = msgspec.msgpack.Encoder().encode


class Playback(msgspec.Struct, frozen=True):
    """The answer to a request for a playback, as docs/replay.md describes it. `entries` is the last field."""

    version: int
    table: str
    views: tuple[int | None, ...]
    kept_s: int
    entries: list[PlaybackEntry]


class Draws(msgspec.Struct, frozen=True):
    """The answer to a request for the draws of a game, as docs/replay.md describes it."""

    version: int
    table: str
    entries: dict[int, list[Draw]]


class CachedPlaybacks:
    """Makes playbacks, several at a time in turn, and keeps the last ones compressed."""

    def __init__(self, slices: Slices) -> None:
        self._slices = slices
        self._making: dict[tuple[str, str], asyncio.Future[bytes | None]] = {}
        self._kept: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._kept_bytes = 0

    def find(self, table: str, view: str) -> bytes | None:
        """A playback that was made before."""
        found = self._kept.get((table, view))
        if found is not None:
            self._kept.move_to_end((table, view))
        return found

    async def make(self, table: str, view: str, text: str) -> bytes | None:
        """Make the playback of a replay file; None if the game has no such viewpoint."""
        key = table, view
        if key not in self._making:
            self._making[key] = asyncio.ensure_future(self._make(table, view, text))
            self._making[key].add_done_callback(lambda _: self._making.pop(key))
        return await asyncio.shield(self._making[key])  # others may wait for it too

    async def _make(self, table: str, view: str, text: str) -> bytes | None:
        packed = await make_playback(self._slices, table, view, text.split("\n")[:-1])
        if packed is not None:
            self._keep((table, view), packed)
        return packed

    def _keep(self, key: tuple[str, str], packed: bytes) -> None:
        self._kept[key] = packed
        self._kept_bytes += len(packed)
        while self._kept_bytes > MAX_CACHED_BYTES:
            self._kept_bytes -= len(self._kept.popitem(last=False)[1])


async def make_playback(slices: Slices, table: str, view: str, lines: list[str]) -> bytes | None:
    """The compressed playback of the lines of a replay file; None if the game has no such viewpoint."""
    if view == DRAWS:
        parts = _draws(table, lines)
    else:
        views = _views(view, msgspec.json.decode(lines[0])["seats"])
        if views is None:
            return None
        parts = _playback(table, lines, views)
    pieces: list[bytes] = []
    await slices.run(_compress(parts, pieces))
    return b"".join(pieces)


def _playback(table: str, lines: list[str], views: Sequence[int | None]) -> Iterator[bytes]:
    """The parts of a playback: the whole of it would have tens of megabytes if the game is long."""
    head = encode(Playback(1, table, tuple(views), KEPT_S, []))[:-1]  # without the empty list of entries
    yield head + ARRAY_32 + count_entries(lines).to_bytes(4, "big")
    yield from map(encode, play_back(table, read_entries(lines), views))


def _draws(table: str, lines: list[str]) -> Iterator[bytes]:
    """What chance was asked for, by playing the game again; all parts but the last are empty."""
    drawn = {}
    for entry in play_again(lines):
        if entry.draws:
            drawn[entry.n] = entry.draws
        yield b""
    yield encode(Draws(1, table, drawn))


def _compress(parts: Iterator[bytes], pieces: list[bytes]) -> Iterator[None]:
    """Append the parts to `pieces`, compressed, one part in each step."""
    packer = zlib.compressobj(LEVEL, wbits=GZIP_BITS)
    for part in parts:
        pieces.append(packer.compress(part))
        yield
    pieces.append(packer.flush())


def _views(view: str, seats: int) -> Sequence[int | None] | None:
    """The viewpoints that a request names: `public`, the number of a seat, or `open` for all."""
    if view == "public":
        return (None,)
    if view == OPEN:
        return (None, *range(seats))
    return (int(view),) if view.isdecimal() and len(view) < 3 and int(view) < seats else None
