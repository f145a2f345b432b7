"""How a replay is compressed in the store: by zstd. Those of older releases are compressed by zlib."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import zstandard

LEVEL = 5  # as small as zlib's default, in a third of the time
PIECE_BYTES = 64 * 1024  # of a replay that is compressed or decompressed in pieces


def pack(text: bytes) -> bytes:
    """Compress a replay."""
    return b"".join(pack_pieces(text))


def pack_pieces(text: bytes) -> Iterator[bytes]:
    """The compressed replay in pieces, each of which takes a fraction of a millisecond."""
    packer = zstandard.ZstdCompressor(LEVEL).compressobj(size=len(text))
    for start in range(0, len(text), PIECE_BYTES):
        yield packer.compress(text[start : start + PIECE_BYTES])
    yield packer.flush()


def unpack(packed: bytes) -> bytes:
    """The replay that was compressed."""
    return b"".join(unpack_pieces(packed))


def unpack_pieces(packed: bytes) -> Iterator[bytes]:
    """The replay in pieces, each of which is decompressed when it is asked for."""
    if packed.startswith(zstandard.FRAME_HEADER):
        yield from zstandard.ZstdDecompressor().read_to_iter(packed, write_size=PIECE_BYTES)
    else:
        yield from unzip_pieces(packed)


def unzip_pieces(packed: bytes) -> Iterator[bytes]:
    """The content of something compressed by zlib or gzip, in pieces."""
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32)
    while not unpacker.eof:
        yield unpacker.decompress(packed, PIECE_BYTES)
        packed = unpacker.unconsumed_tail
