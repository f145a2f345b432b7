"""Messages as ready-made websocket frames: made once, and written to every connection as they are."""

from __future__ import annotations

import struct
from typing import Final

import msgspec

BINARY: Final = 0x82  # the first byte of a binary message in a single frame
SHORT: Final = tuple(bytes((BINARY, size)) for size in range(126))
PING: Final = b"\x89\x00"
PONG: Final = b"\x8a\x80"  # how the answer to that begins; its mask follows

encode: Final = msgspec.msgpack.Encoder().encode


def framed(message: msgspec.Struct) -> bytes:
    """The message as one unmasked binary frame."""
    return binary_frame(encode(message))


def binary_frame(payload: bytes) -> bytes:
    """The same for a message that is encoded already."""
    size = len(payload)
    if size < 126:
        return SHORT[size] + payload
    if size < 65536:
        return struct.pack("!BBH", BINARY, 126, size) + payload
    return struct.pack("!BBQ", BINARY, 127, size) + payload
