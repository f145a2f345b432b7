"""Playbacks of finished games, made in slices and kept compressed."""

from __future__ import annotations

import asyncio
import sys
import zlib
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import NamedTuple

import msgspec

from games.chance import Draw
from server.tables.finished.archive import KEPT_S
from server.tables.finished.bytes_cache import BytesCache
from server.tables.finished.playback import PlaybackEntry, play_back
from server.tables.finished.replay import BadReplay, count_entries, play_again, read_entries
from server.tables.finished.slices import Slices

OPEN = "open"  # all viewpoints at once
DRAWS = "draws"  # instead of a viewpoint: what chance was asked for
LEVEL = 6  # of the compression
GZIP_BITS = 31  # of zlib: the largest window, and the format of gzip
ARRAY_32 = b"\xdd"  # the first byte of an array in msgpack, before its length in four bytes
EARLY_PARTS = 30  # the beginning of a playback, which is sent without waiting until the compressor has enough
FOLLOW_S = 0.05  # how often a playback that is being made is looked at for new pieces
MAX_CACHED_BYTES = 8 << 20  # of compressed playbacks

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


class GrowingPlayback:
    """A playback that is being made: the compressed pieces that there are, and those that follow."""

    def __init__(self, pieces: list[bytes], task: asyncio.Future[bytes | None]) -> None:
        self.pieces = pieces
        self._task = task

    async def is_complete(self, within_s: float) -> bool:
        """Wait until the playback is complete, but no longer than this."""
        done, _ = await asyncio.wait((self._task,), timeout=within_s)
        return bool(done)

    async def packed(self) -> bytes | None:
        """The complete playback; None if the game has no such viewpoint."""
        return await asyncio.shield(self._task)  # others may wait for it too

    async def follow(self) -> AsyncIterator[bytes]:
        """All pieces, those that there are at once and the others as they are made."""
        sent, complete = 0, False
        while not complete:
            complete = await self.is_complete(FOLLOW_S if sent else 0)
            piece = b"".join(self.pieces[sent:])
            sent = len(self.pieces)
            if piece:
                yield piece
        await self.packed()  # raises what ended the making


class CachedPlaybacks:
    """Makes playbacks, several at a time in turn, and keeps the last ones compressed."""

    def __init__(self, slices: Slices) -> None:
        self._slices = slices
        self._making: dict[tuple[str, str], GrowingPlayback] = {}
        self._kept: BytesCache[tuple[str, str]] = BytesCache(MAX_CACHED_BYTES)

    def find(self, table: str, view: str) -> bytes | None:
        """A playback that was made before."""
        return self._kept.find((table, view))

    def make(self, table: str, view: str, text: str) -> GrowingPlayback:
        """Begin to make the playback of a replay file, unless somebody else has."""
        key = table, view
        if key not in self._making:
            pieces: list[bytes] = []
            task = asyncio.ensure_future(self._make(table, view, text, pieces))
            task.add_done_callback(lambda _: self._making.pop(key))
            self._making[key] = GrowingPlayback(pieces, task)
        return self._making[key]

    async def _make(self, table: str, view: str, text: str, pieces: list[bytes]) -> bytes | None:
        packed = await make_playback(self._slices, table, view, text.split("\n")[:-1], pieces)
        if packed is not None:
            self._kept.keep((table, view), packed)
        return packed


class Most(NamedTuple):
    """How many bytes a playback may have before and after compression."""

    made: int
    packed: int


NO_BOUND = Most(sys.maxsize, sys.maxsize)


async def make_playback(
    slices: Slices, table: str, view: str, lines: list[str], pieces: list[bytes] | None = None, most: Most = NO_BOUND
) -> bytes | None:
    """The compressed playback of the lines of a replay file; None if the game has no such viewpoint.

    `pieces` gets it piece by piece while it is made. Raises BadReplay if it gets larger than `most`.
    """
    pieces = [] if pieces is None else pieces
    if view == DRAWS:
        parts = _draws(table, lines)
    else:
        views = _views(view, msgspec.json.decode(lines[0])["seats"])
        if views is None:
            return None
        parts = _playback(table, lines, views)
    await slices.run(_compress(parts, pieces, most))
    return b"".join(pieces)


def _playback(table: str, lines: list[str], views: Sequence[int | None]) -> Iterator[bytes]:
    """The parts of a playback: the whole of it would have tens of megabytes if the game is long."""
    head = encode(Playback(1, table, tuple(views), KEPT_S, []))[:-1]  # without the empty list of entries
    yield head + ARRAY_32 + count_entries(lines).to_bytes(4, "big")
    yield from map(encode, play_back(table, read_entries(lines), views))


def _draws(table: str, lines: list[str]) -> Iterator[bytes]:
    """The draws of chance, found by playing the game again. The result is the last part; all others are empty."""
    drawn = {}
    for entry in play_again(lines):
        if entry.draws:
            drawn[entry.n] = entry.draws
        yield b""
    yield encode(Draws(1, table, drawn))


def _compress(parts: Iterator[bytes], pieces: list[bytes], most: Most = NO_BOUND) -> Iterator[None]:
    """Append the parts to `pieces`, compressed, one part in each step."""
    packer = zlib.compressobj(LEVEL, wbits=GZIP_BITS)
    made = packed = 0
    for number, part in enumerate(parts, 1):
        made += len(part)
        piece = packer.compress(part)
        if number == EARLY_PARTS:
            piece += packer.flush(zlib.Z_SYNC_FLUSH)
        if piece:
            pieces.append(piece)
            packed += len(piece)
        if made > most.made or packed > most.packed:
            raise BadReplay("its playback would be too large")
        yield
    pieces.append(packer.flush())


def _views(view: str, seats: int) -> Sequence[int | None] | None:
    """The viewpoints that a request names: `public`, the number of a seat, or `open` for all."""
    if view == "public":
        return (None,)
    if view == OPEN:
        return (None, *range(seats))
    return next(((seat,) for seat in range(seats) if view == str(seat)), None)
