"""Random frames from a seed: vectors with changed fields, or with changed, cut, repeated or joined bytes, and noise."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import msgpack

from tests.protocol.make_vectors import VECTORS

NAMES = ("client", "server", "bad")
ENDING = {"forget"}  # after these the server closes the connection
MAX_BYTES = 2_000  # other tests send larger frames

ODD_VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    2,
    3,
    15,
    2**53,
    2**64 - 1,
    1.5,
    float("nan"),
    "",
    "ping",
    "x" * 400,
)
ODD_VALUES += (b"ping", [], [1, "a"], {}, {"type": "play"}, {1: 2}, msgpack.ExtType(5, b"x"), msgpack.Timestamp(5))
ODD_KEYS = ("type", "id", "table", "seat", "last", "v", "name", "options", "move", "colour", 7, None)


def sources() -> tuple[list[bytes], list[dict[str, Any]]]:
    """Return every frame of the vectors, and the messages of clients, except those that end a connection."""
    files = {name: json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8")) for name in NAMES}
    files["client"] = [row for row in files["client"] if row["json"]["type"] not in ENDING]
    frames = [bytes.fromhex(row["hex"]) for rows in files.values() for row in rows]
    return frames, [row["json"] for row in files["client"]]


def frames(seed: str, count: int) -> Iterator[bytes]:
    """Yield `count` frames. The same seed yields the same frames."""
    chance = Random(seed)
    valid_and_bad, messages = sources()
    for _ in range(count):
        kind = chance.random()
        if kind < 0.1:
            yield chance.randbytes(chance.randrange(60))
        elif kind < 0.6:
            yield with_odd_fields(chance.choice(messages), chance)
        else:
            frame = chance.choice(valid_and_bad)
            for _ in range(chance.randint(1, 3)):
                frame = with_changed_bytes(frame, chance, valid_and_bad)
            yield frame[:MAX_BYTES]


def with_odd_fields(message: dict[Any, Any], chance: Random) -> bytes:
    """Remove, change or add up to two fields of the message."""
    changed = dict(message)
    for _ in range(chance.randint(0, 2)):
        key = chance.choice([*message, *ODD_KEYS])
        if chance.random() < 0.3:
            changed.pop(key, None)
        else:
            changed[key] = chance.choice(ODD_VALUES)
    packed: bytes = msgpack.packb(changed)
    return packed


def with_changed_bytes(frame: bytes, chance: Random, others: list[bytes]) -> bytes:
    """Replace, insert, delete or repeat bytes, join two frames, or insert the first byte of a msgpack value."""
    at, until = sorted((chance.randrange(len(frame) + 1), chance.randrange(len(frame) + 1)))
    match chance.randrange(6):
        case 0:
            return frame[:at] + chance.randbytes(1) + frame[at + 1 :]
        case 1:
            return frame[:at] + chance.randbytes(chance.randint(1, 4)) + frame[at:]
        case 2:
            return frame[:at] + frame[until:]
        case 3:
            return frame[:until] + frame[at:]
        case 4:
            other = chance.choice(others)
            return frame[:at] + other[chance.randrange(len(other) + 1) :]
        case _:
            return (
                frame[:at]
                + bytes((chance.choice(b"\xc0\xc1\xc4\xc7\xca\xcb\xcf\xd3\xd9\xdb\xdc\xdd\xde\xdf"),))
                + frame[at:]
            )
