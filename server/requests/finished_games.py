"""Requests about finished games: remarks at their moments, and the playback of replay files that clients have."""

from __future__ import annotations

import asyncio
import base64
import zlib
from collections.abc import Iterator
from typing import Any

import msgspec

from games import GAMES
from protocol.codec import ProtocolError
from protocol.messages import Ok, Remark, ViewFile
from server.requests.at_once import AtOnce
from server.requests.connection import Connection
from server.requests.free_memory import require_memory
from server.requests.limiter import Limiter
from server.requests.sanctions import Sanctions
from server.store.memory import StoreMemory
from server.tables import names
from server.tables.archive import Archive
from server.tables.entries import Moved, Sat, Started
from server.tables.playbacks import DRAWS, make_playback
from server.tables.remarks import MAX_REMARKS, KeptRemark, Remarks
from server.tables.replay import BadReplay, play_again, read_entries
from server.tables.service_clock import ServiceClock
from server.tables.slices import Slices

RATES = "remarks_per_hour", "address_remarks_per_hour"
MAX_FILE_BYTES = 2 << 20  # of an unpacked file: a packed one of 12 KB could hold a hundred times as much
MAX_LINES = 4_000  # of a file, which bound the work of playing it back
MAX_REASON = 200  # characters of what is wrong with a file, which may quote it


class FinishedGameRequests:
    """Answers remark and view_file."""

    def __init__(
        self,
        memory: StoreMemory,
        archive: Archive,
        remarks: Remarks,
        sanctions: Sanctions,
        limiter: Limiter,
        clock: ServiceClock,
        slices: Slices,
        work: AtOnce,
    ) -> None:
        self._memory = memory
        self._archive = archive
        self._remarks = remarks
        self._sanctions = sanctions
        self._limiter = limiter
        self._clock = clock
        self._slices = slices
        self._work = work

    def handlers(self) -> dict[type, Any]:
        """The requests that are answered here."""
        return {Remark: self.remark, ViewFile: self.view_file}

    async def remark(self, connection: Connection, message: Remark) -> None:
        """Keep a remark of somebody who played."""
        self._sanctions.require_not_muted(connection)
        if message.text:
            require_memory(self._memory)
        with self._work.counted(connection.client_address):
            await self._limiter.take(connection.requester, RATES)
            text = await self._archive.find(message.table)
            if text is None:
                raise ProtocolError("no_replay", "there is no finished game with this id", field="table")
            seat, name = await self._player(text, connection.account.id, message.n)
        remark = KeptRemark(message.n, seat, name, names.clean_text(message.text), self._clock.now())
        if not await self._remarks.put(message.table, connection.account.id, remark):
            raise ProtocolError("log_full", f"there are at most {MAX_REMARKS} remarks at a game")
        connection.send(Ok(id=message.id, table=message.table, n=message.n))

    async def view_file(self, connection: Connection, message: ViewFile) -> None:
        """Send the playback of a file, which is not kept."""
        self._limiter.check(connection.requester, "address_files_per_minute")
        with self._work.counted(connection.client_address):
            packed = await _playback(self._slices, message)
        connection.send(Ok(id=message.id, playback=base64.b64encode(packed).decode()))

    async def _player(self, text: str, user: str, n: int) -> tuple[int, str]:
        """The last seat of a user in a game, and its name. Refuses users who had none, and entries without a move."""
        seats: list[tuple[int, str]] = []
        moments: list[int] = []

        def look() -> Iterator[None]:
            for number, entry in read_entries(text.split("\n")[:-1]):
                if isinstance(entry, Sat) and entry.user == user:
                    seats.append((entry.seat, entry.name))
                if number == n and isinstance(entry, Moved | Started):
                    moments.append(number)
                yield

        await self._slices.run(look())
        if not seats:
            raise ProtocolError("not_seated", "only those who played leave remarks")
        if not moments:
            raise ProtocolError("bad_field", f"entry {n} is neither the start nor a move", field="n")
        return seats[-1]


async def _playback(slices: Slices, message: ViewFile) -> bytes:
    """The playback of a file as /r/TABLE/updates answers it."""
    try:
        content = base64.b64decode(message.packed, validate=True)
        packed = await play_file_back(slices, content, message.view)
    except (BadReplay, ValueError) as fault:
        raise ProtocolError("bad_field", f"this file cannot be played back: {fault}", field="packed") from None
    if packed is None:
        raise ProtocolError("bad_field", "this game has no such viewpoint", field="view")
    return packed


async def play_file_back(slices: Slices, content: bytes, view: str) -> bytes | None:
    """The playback of a replay file in zlib's format; None if the game has no such viewpoint. Raises BadReplay."""
    try:
        text = await asyncio.to_thread(_unpacked, content)
        lines = text.split("\n")[:-1]
        table = _checked(lines)
        await slices.run(play_again(lines))
        return await make_playback(slices, table, "" if view == DRAWS else view, lines)
    except Exception as fault:  # whatever a file that was tampered with makes a game or the fold do
        raise BadReplay(str(fault)[:MAX_REASON]) from None


def _checked(lines: list[str]) -> str:
    """The table of a file, if its game can be played again without harm.

    A file with a position of its own could hold one that takes for ever, so such files are only imported by operators.
    """
    head = msgspec.json.decode(lines[0])
    if head["seats"] not in GAMES[head["game"]].seats or "source" in head:
        raise BadReplay("its seats are not those of the game, or it plays on from another one")
    return str(head["table"])


def _unpacked(packed: bytes) -> str:
    unpacker = zlib.decompressobj()
    text = unpacker.decompress(packed, MAX_FILE_BYTES)
    if not unpacker.eof:
        raise BadReplay(f"it is not complete, or has more than {MAX_FILE_BYTES} bytes")
    if text.count(b"\n") > MAX_LINES:
        raise BadReplay(f"it has more than {MAX_LINES} lines")
    return text.decode()
