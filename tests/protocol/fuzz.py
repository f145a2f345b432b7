"""Frames by chance from a seed: vectors with a field changed, or bytes changed, cut, doubled or joined; plain noise."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import msgpack

from tests.protocol.make_vectors import VECTORS

NAMES = ("client", "server", "bad")
MOST = 2_000  # bytes of a frame: larger ones are tested by themselves


ODD: tuple[Any, ...] = (None, True, -1, 0, 1, 2, 3, 15, 2**53, 2**64 - 1, 1.5, float("nan"), "", "ping", "x" * 400)
ODD += (b"ping", [], [1, "a"], {}, {"type": "play"}, {1: 2}, msgpack.ExtType(5, b"x"), msgpack.Timestamp(5))
KEYS = ("type", "id", "table", "seat", "last", "v", "name", "options", "move", "colour", 7, None)


def sources() -> tuple[list[bytes], list[dict[str, Any]]]:
    """Every frame of the vectors, and the messages of clients."""
    files = {name: json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8")) for name in NAMES}
    frames = [bytes.fromhex(row["hex"]) for rows in files.values() for row in rows]
    return frames, [row["json"] for row in files["client"]]


def frames(seed: str, count: int) -> Iterator[bytes]:
    """So many frames; the same seed makes the same ones."""
    chance = Random(seed)
    known, messages = sources()
    for _ in range(count):
        kind = chance.random()
        if kind < 0.1:
            yield chance.randbytes(chance.randrange(60))
        elif kind < 0.6:
            yield _odd(chance.choice(messages), chance)
        else:
            frame = chance.choice(known)
            for _ in range(chance.randint(1, 3)):
                frame = _changed(frame, chance, known)
            yield frame[:MOST]


def _odd(message: dict[Any, Any], chance: Random) -> bytes:
    """The message with a field taken away, given another value, or added."""
    changed = dict(message)
    for _ in range(chance.randint(0, 2)):
        key = chance.choice([*message, *KEYS])
        if chance.random() < 0.3:
            changed.pop(key, None)
        else:
            changed[key] = chance.choice(ODD)
    packed: bytes = msgpack.packb(changed)
    return packed


def _changed(frame: bytes, chance: Random, known: list[bytes]) -> bytes:
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
            other = chance.choice(known)
            return frame[:at] + other[chance.randrange(len(other) + 1) :]
        case _:
            return (
                frame[:at]
                + bytes((chance.choice(b"\xc0\xc1\xc4\xc7\xca\xcb\xcf\xd3\xd9\xdb\xdc\xdd\xde\xdf"),))
                + frame[at:]
            )
