"""How a finished game is kept in the store: compressed by zstd.

A game that ended here is kept as its stored entries, and its replay file is made when somebody asks for it: most are
never asked for. A file that was imported or changed is kept as it is. Older releases kept files compressed by zlib.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

import msgspec
import zstandard

from server.tables.finished.replay import StoredGame, lines_of_stored

LEVEL = 6  # nearly as small as zlib makes the file, in half the time
PIECE_BYTES = 64 * 1024  # of what is compressed or decompressed in pieces
PIECE_LINES = 100  # of a file that is made in pieces
FILE = b"{"  # the first byte of a replay file; a stored game begins with another one

encode = msgspec.msgpack.Encoder().encode
_decode_game = msgspec.msgpack.Decoder(StoredGame).decode


def pack_game(game: StoredGame) -> Iterator[bytes]:
    """A finished game, compressed in pieces, each of which takes a fraction of a millisecond."""
    return _compress(encode(game))


def pack_file(text: bytes) -> bytes:
    """A replay file, compressed."""
    return b"".join(_compress(text))


def unpack_file(packed: bytes) -> bytes:
    """The replay file of a game that is kept."""
    return b"".join(unpack_pieces(packed))


def unpack_pieces(packed: bytes) -> Iterator[bytes]:
    """The replay file of a game that is kept, in pieces, each of which is made when it is asked for."""
    if not packed.startswith(zstandard.FRAME_HEADER):
        yield from unzip_pieces(packed)
        return
    pieces = zstandard.ZstdDecompressor().read_to_iter(packed, write_size=PIECE_BYTES)
    first = next(pieces, b"")
    if first.startswith(FILE):
        yield first
        yield from pieces
    elif first:
        yield from _in_pieces(lines_of_stored(_decode_game(b"".join([first, *pieces]))))


def unzip_pieces(packed: bytes) -> Iterator[bytes]:
    """The content of something compressed by zlib or gzip, in pieces."""
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32)
    while not unpacker.eof:
        yield unpacker.decompress(packed, PIECE_BYTES)
        packed = unpacker.unconsumed_tail


def _compress(content: bytes) -> Iterator[bytes]:
    packer = zstandard.ZstdCompressor(LEVEL).compressobj(size=len(content))
    for start in range(0, len(content), PIECE_BYTES):
        yield packer.compress(content[start : start + PIECE_BYTES])
    yield packer.flush()


def _in_pieces(lines: Iterable[str]) -> Iterator[bytes]:
    piece: list[str] = []
    for line in lines:
        piece += line, "\n"
        if len(piece) >= 2 * PIECE_LINES:
            yield "".join(piece).encode()
            piece.clear()
    yield "".join(piece).encode()
