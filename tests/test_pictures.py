"""Pictures with few colours are PNG files that keep their colours, and animations store what changes."""

from __future__ import annotations

import struct
import zlib

import numpy as np

from tools.pictures import Pixels, animated, small


def chunks(file: bytes) -> list[tuple[bytes, bytes]]:
    """The chunks of a PNG file, each with a checksum that is right."""
    assert file.startswith(b"\x89PNG\r\n\x1a\n")
    found, at = [], 8
    while at < len(file):
        (length,) = struct.unpack_from(">I", file, at)
        kind, content = file[at + 4 : at + 8], file[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", file, at + 8 + length) == (zlib.crc32(kind + content),)
        found.append((kind, content))
        at += 12 + length
    return found


def picture(*rows: str) -> Pixels:
    colours = {"r": (200, 0, 0), "g": (0, 200, 0), "b": (0, 0, 200)}
    return np.array([[colours[one] for one in row] for row in rows], np.uint8)


def rows_of(packed: bytes, width: int, palette: bytes) -> list[list[tuple[int, ...]]]:
    raw = zlib.decompress(packed)
    rows = [raw[at + 1 : at + 1 + width] for at in range(0, len(raw), width + 1)]
    return [[tuple(palette[3 * index : 3 * index + 3]) for index in row] for row in rows]


def test_a_picture_with_few_colours_keeps_them() -> None:
    shown = picture("rgb", "bbr")
    parts = dict(chunks(small(shown)))
    assert struct.unpack_from(">II", parts[b"IHDR"]) == (3, 2)
    assert rows_of(parts[b"IDAT"], 3, parts[b"PLTE"]) == [[tuple(one) for one in row] for row in shown.tolist()]


def test_an_animation_stores_only_what_changes_and_waits_where_nothing_does() -> None:
    one, other = picture("rrrr", "rrrr"), picture("rrrr", "rrgb")
    found = chunks(animated([one, one, other], 100, rest_ms=500))
    parts = dict(found)
    assert struct.unpack(">II", parts[b"acTL"]) == (2, 0)
    controls = [struct.unpack(">IIIIIHHBB", content) for kind, content in found if kind == b"fcTL"]
    assert [control[1:6] for control in controls] == [(4, 2, 0, 0, 200), (2, 1, 2, 1, 600)]
    assert [control[0] for control in controls] == [0, 1]
    assert rows_of(parts[b"fdAT"][4:], 2, parts[b"PLTE"]) == [[(0, 200, 0), (0, 0, 200)]]
