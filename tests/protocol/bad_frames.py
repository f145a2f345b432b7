"""Invalid frames, one for each kind of mistake. The vectors have the error that answers each of them."""

from __future__ import annotations

import struct
from typing import Any

import msgspec


def pack(**fields: Any) -> bytes:
    """Encode a frame with these fields."""
    return msgspec.msgpack.encode(fields)


def with_raw_field(fields: dict[str, Any], key: bytes, value: bytes) -> bytes:
    """Encode a frame with these fields and one more, whose key and value are given as bytes."""
    body = msgspec.msgpack.encode(fields)
    return bytes((body[0] + 1,)) + body[1:] + key + value


PING = {"type": "ping", "id": 2}
RENAME = {"type": "rename", "id": 3}
CREATE = {"type": "create", "id": 6, "game": "cheesedog", "seats": 4}
TABLE = "k7w2mzq4hd"
NAN = b"\xcb" + struct.pack(">d", float("nan"))
TOO_DEEP = b"\x91" * 2_000 + b"\xc0"

BAD: dict[str, bytes] = {
    "empty": b"",
    "reserved-byte": b"\xc1",
    "cut-short": pack(**PING)[:-1],
    "trailing-byte": pack(**PING) + b"\xc0",
    "two-messages": pack(**PING) * 2,
    "string-longer-than-frame": b"\x82\xa4type\xdb\xff\xff\xff\xffping",
    "map-longer-than-frame": b"\xdf\xff\xff\xff\xff\xa4type\xa4ping",
    "nil": b"\xc0",
    "number": b"\x07",
    "text": b"\xa4ping",
    "list": b"\x92\xa4ping\x02",
    "ext-alone": b"\xd4\x05\x00",
    "empty-map": b"\x80",
    "number-as-key": with_raw_field(PING, b"\x05", b"\x06"),
    "bytes-as-key": with_raw_field(PING, b"\xc4\x01a", b"\x06"),
    "list-as-key": with_raw_field(PING, b"\x91\x05", b"\x06"),
    "map-as-key": with_raw_field(PING, b"\x80", b"\x06"),
    "key-not-utf8": with_raw_field(PING, b"\xa2\xff\xfe", b"\x06"),
    "option-number-as-key": pack(**CREATE, options={1: True}),
    "deep-in-surplus-field": with_raw_field(PING, b"\xa1x", TOO_DEEP),
    "deep-in-options": with_raw_field(CREATE, b"\xa7options", b"\x81\xa1x" + TOO_DEEP),
    "deep-in-move": with_raw_field(
        {"type": "move", "id": 4, "table": TABLE, "ask": 1, "key": "k"}, b"\xa4move", TOO_DEEP
    ),
    "type-missing": pack(id=2),
    "type-unknown": pack(type="teleport", id=2),
    "type-of-server": pack(type="welcome", id=2),
    "type-number": pack(type=7, id=2),
    "type-bytes": pack(type=b"ping", id=2),
    "type-nil": pack(type=None, id=2),
    "type-not-utf8": b"\x82\xa4type\xa2\xff\xfe\xa2id\x02",
    "id-missing": pack(type="ping"),
    "id-negative": pack(type="ping", id=-1),
    "id-above-2-53": pack(type="ping", id=2**53),
    "id-huge": pack(type="ping", id=2**64 - 1),
    "id-text": pack(type="ping", id="2"),
    "id-float": pack(type="ping", id=2.0),
    "id-nan": with_raw_field({"type": "ping"}, b"\xa2id", NAN),
    "id-bool": pack(type="ping", id=True),
    "id-nil": pack(type="ping", id=None),
    "field-missing": pack(type="lobby", id=4),
    "field-surplus": pack(**PING, colour="blue"),
    "field-wrong-type": pack(type="lobby", id=4, on=1),
    "version-text": pack(type="hello", id=1, v="1"),
    "name-bytes": pack(**RENAME, name=b"Ada"),
    "name-ext": with_raw_field(RENAME, b"\xa4name", b"\xd4\x05\x00"),
    "name-not-utf8": with_raw_field(RENAME, b"\xa4name", b"\xa2\xff\xfe"),
    "name-lone-surrogate": with_raw_field(RENAME, b"\xa4name", b"\xa3\xed\xa0\x80"),
    "name-list": pack(**RENAME, name=["Ada"]),
    "name-too-long": pack(**RENAME, name="a" * 101),
    "plays-surplus": pack(type="hello", id=1, v=1, plays={"games": [], "colour": "blue"}),
    "plays-game-number": pack(type="hello", id=1, v=1, plays={"games": ["cheesedog", 7]}),
    "plays-too-many-tables": pack(type="hello", id=1, v=1, plays={"games": [], "tables": 1001}),
    "seats-zero": pack(type="create", id=6, game="cheesedog", seats=0),
    "seats-huge": pack(type="create", id=6, game="cheesedog", seats=2**63),
    "speed-unknown": pack(**CREATE, speed="warp"),
    "level-unknown": pack(**CREATE, bots="godlike"),
    "options-list": pack(**CREATE, options=[]),
    "option-list-as-key": with_raw_field(CREATE, b"\xa7options", b"\x81\xa1x\x81\x91\x01\xc0"),
    "surplus-list-as-key": with_raw_field(PING, b"\xa1x", b"\x81\x91\x01\xc0"),
    "deeper-than-documented": with_raw_field(PING, b"\xa1x", b"\x91" * 101 + b"\xc0"),
    "option-timestamp-broken": with_raw_field(CREATE, b"\xa7options", b"\x81\xa1x\xc7\x03\xffabc"),
    "table-with-newline": pack(type="close", id=12, table=TABLE + "\n"),
    "user-with-newline": pack(type="unblock", id=13, user="u0a1b2c3d4e5f\n"),
    "table-capitals": pack(type="close", id=12, table=TABLE.upper()),
    "table-too-short": pack(type="close", id=12, table="abc"),
    "table-too-long": pack(type="close", id=12, table="a" * 25),
    "seat-too-high": pack(type="sit", id=13, table=TABLE, seat=16),
    "seat-negative": pack(type="sit", id=13, table=TABLE, seat=-1),
    "last-negative": pack(type="open", id=11, table=TABLE, last=-1),
    "last-float": pack(type="open", id=11, table=TABLE, last=1.5),
    "key-empty": pack(type="move", id=20, table=TABLE, ask=1, key="", move={"type": "play"}),
    "key-too-long": pack(type="move", id=20, table=TABLE, ask=1, key="k" * 41, move={"type": "play"}),
    "move-missing": pack(type="move", id=20, table=TABLE, ask=1, key="k"),
    "note-too-long": pack(type="move", id=20, table=TABLE, ask=1, key="k", move={}, note="n" * 201),
    "scopes-empty": pack(type="token", id=24, name="Gnawbot", scopes=[]),
    "text-empty": pack(type="say", id=22, table=TABLE, text=""),
    "text-too-long": pack(type="say", id=22, table=TABLE, text="x" * 301),
    "plays-no-tables": pack(type="hello", id=1, v=1, plays={"games": [], "tables": 0}),
    "id-twice": with_raw_field(PING, b"\xa2id", b"\x02"),
    "field-twice": with_raw_field({**RENAME, "name": "Ada"}, b"\xa4name", b"\xa3Bob"),
    "move-field-twice": with_raw_field(
        {"type": "move", "id": 20, "table": TABLE, "ask": 1, "key": "k"},
        b"\xa4move",
        with_raw_field({"type": "play", "rank": 7}, b"\xa4rank", b"\x08"),
    ),
}
