"""Messages as complete websocket frames, so that one encoded frame can be written to many connections."""

from __future__ import annotations

import struct
from typing import Final

import msgspec

BINARY: Final = 0x82  # the first byte of a binary message in a single frame
PING: Final = b"\x89\x00"
PONG_PREFIX: Final = b"\x8a\x80"  # the first bytes of a masked empty pong; its mask follows

encode: Final = msgspec.msgpack.Encoder().encode


def encode_frame(message: msgspec.Struct) -> bytes:
    """Encode a message as one unmasked binary frame."""
    return binary_frame(encode(message))


def binary_frame(payload: bytes) -> bytes:
    """Put an encoded message into one unmasked binary frame."""
    size = len(payload)
    return (HEADERS[size] if size < FREQUENT_SIZES else _header(size)) + payload


def _header(size: int) -> bytes:
    """The header of a binary message of this size in a single frame."""
    if size < 126:
        return bytes((BINARY, size))
    return struct.pack("!BBH", BINARY, 126, size) if size < 65536 else struct.pack("!BBQ", BINARY, 127, size)


FREQUENT_SIZES: Final = 1024  # of messages; their headers are made once
HEADERS: Final = tuple(_header(size) for size in range(FREQUENT_SIZES))


def frame_payload(frame: bytes) -> bytes:
    """The encoded message in a frame that `binary_frame` has made."""
    return frame[{126: 4, 127: 10}.get(frame[1], 2) :]
