"""msgpack in its longest forms, which are as good as its shortest (P9)."""

from __future__ import annotations

import struct
from typing import Any


def encode(value: Any) -> bytes:
    """The value with every number, text, list and map in the widest form there is."""
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
    raise TypeError(f"no message has a {type(value).__name__}")
