"""msgpack in the longest form of every value, which is as valid as the shortest (P9)."""

from __future__ import annotations

import struct
from typing import Any


def encode(value: Any) -> bytes:
    """Encode a value with every number, string, list and map in its longest form."""
    if value is None:
        return b"\xc0"
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return b"\xd3" + struct.pack(">q", value)
    if isinstance(value, str):
        data = value.encode()
        return b"\xdb" + struct.pack(">I", len(data)) + data
    if isinstance(value, list | tuple):
        return b"\xdd" + struct.pack(">I", len(value)) + b"".join(map(encode, value))
    if isinstance(value, dict):
        pairs = b"".join(encode(key) + encode(item) for key, item in value.items())
        return b"\xdf" + struct.pack(">I", len(value)) + pairs
    raise TypeError(f"expected a value of a message, got {type(value).__name__}")
