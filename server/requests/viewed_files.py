"""The playback of replay files that clients have. Nothing of them is kept."""

from __future__ import annotations

import asyncio
import base64
import zlib
from typing import Any

import msgspec

from games import GAMES
from protocol.codec import ProtocolError
from protocol.messages import Ok, ViewFile
from server.requests.connection import Connection
from server.requests.limits.limiter import Limiter
from server.requests.replay_reader import ReplayReader
from server.tables.finished.playbacks import DRAWS, Most, make_playback
from server.tables.finished.replay import BadReplay, play_again
from server.tables.finished.slices import Slices

MAX_FILE_BYTES = 2 << 20  # of an unpacked file: a packed one of 12 KB could hold a hundred times as much
MAX_LINES = 4_000  # of a file, which bound the work of playing it back
MAX_LINE_BYTES = 16 * 1024  # a line is read in one step; the longest ones of real games have a quarter of that
# What a file that was tampered with says of a table may be long, and be repeated in thousands of messages. The largest
# playback of a real game has 36 MB, and less than one when it is packed.
MAX_PLAYBACK = Most(made=48 << 20, packed=4 << 20)
MAX_REASON = 200  # characters of what is wrong with a file, which may quote it


class ViewFileRequests:
    """Answers view_file."""

    def __init__(self, reader: ReplayReader, limiter: Limiter) -> None:
        self._reader = reader
        self._limiter = limiter

    def handlers(self) -> dict[type, Any]:
        """The requests that are answered here."""
        return {ViewFile: self.view_file}

    async def view_file(self, connection: Connection, message: ViewFile) -> None:
        """Send the playback of a file."""
        self._limiter.check(connection.requester, "address_files_per_minute")
        with self._reader.counted(connection.client_address):
            packed = await _playback(self._reader.slices, message)
        connection.send(Ok(id=message.id, playback=base64.b64encode(packed).decode()))


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
        return await make_playback(slices, table, "" if view == DRAWS else view, lines, most=MAX_PLAYBACK)
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
    if max(map(len, text.split(b"\n"))) > MAX_LINE_BYTES:
        raise BadReplay(f"it has a line of more than {MAX_LINE_BYTES} bytes")
    return text.decode()
