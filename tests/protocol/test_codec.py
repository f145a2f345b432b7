"""Errors of frames: keys that come twice, and texts in the words of the document."""

from __future__ import annotations

import re
from typing import Any

import msgpack
import pytest

from games import GAMES
from protocol.codec import ProtocolError, read_client
from protocol.messages import Move
from tests.protocol.bad_frames import BAD, pack, with_raw_field

MOVE = {"type": "move", "id": 20, "table": "k7w2mzq4hd", "ask": 18, "key": "c41d-18"}
DECODER_WORDS = re.compile(
    r"`|\bint\b|\bstr\b|\bobject\b|\barray\b|regex|codec|Expected|Object|enum|opcode|MessagePack"
)


def text(value: str) -> bytes:
    return bytes(msgpack.packb(value))


TWICE = {
    "ping.id": (with_raw_field({"type": "ping", "id": 2}, text("id"), b"\x02"), None, "id"),
    "ping.type": (with_raw_field({"type": "ping", "id": 2}, text("type"), text("ping")), 2, "type"),
    "move.ask": (with_raw_field({**MOVE, "move": {"type": "drop"}}, text("ask"), b"\x12"), 20, "ask"),
    "move.note": (with_raw_field({**MOVE, "move": {}, "note": "a"}, text("note"), text("b")), 20, "note"),
    "move.move.rank": (
        with_raw_field(MOVE, text("move"), with_raw_field({"type": "play", "rank": 7}, text("rank"), b"\x07")),
        20,
        "move.rank",
    ),
    "create.options.variant": (
        with_raw_field(
            {"type": "create", "id": 6, "game": "cheesedog", "seats": 4},
            text("options"),
            with_raw_field({"variant": "a"}, text("variant"), text("b")),
        ),
        6,
        "options.variant",
    ),
    "create.options.a[1].b": (
        with_raw_field(
            {"type": "create", "id": 6, "game": "cheesedog", "seats": 4},
            text("options"),
            with_raw_field({}, text("a"), b"\x92\x01" + with_raw_field({"b": 1}, text("b"), b"\x02")),
        ),
        6,
        "options.a[1].b",
    ),
    "hello.plays.tables": (
        with_raw_field(
            {"type": "hello", "id": 1, "v": 1}, text("plays"), with_raw_field({"tables": 1}, text("tables"), b"\x02")
        ),
        1,
        "plays.tables",
    ),
}


@pytest.mark.parametrize(("frame", "request_id", "field"), TWICE.values(), ids=TWICE)
def test_p9_a_key_that_is_there_twice_is_refused(frame: bytes, request_id: int | None, field: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        read_client(frame)
    assert (caught.value.code, caught.value.id, caught.value.field) == ("surplus_field", request_id, field)


@pytest.mark.parametrize("note", [{}, {"note": None}, {"note": "why"}])
@pytest.mark.parametrize("move", [{}, {"type": "drop"}, {"type": "play", "rank": 7, "count": 2}])
def test_p9_a_move_with_each_key_once_is_read_in_every_form(move: dict[str, Any], note: dict[str, Any]) -> None:
    fields = {**MOVE, "move": move, **note}
    wide = (
        b"\xde\x00" + bytes((len(fields),)) + b"".join(msgpack.packb(part) for item in fields.items() for part in item)
    )
    for frame in (pack(**fields), wide):
        message = read_client(frame)
        assert isinstance(message, Move)
        assert msgpack.unpackb(message.move) == move


def test_a_move_that_cannot_be_read_is_left_to_the_game() -> None:
    for broken in (b"\x82\xa2\xff\xfe\x01\xa1b\x02", b"\x82\x01\x02\x03\x04", b"\x92\x01\x02", b"\x07", b"\xc0"):
        message = read_client(with_raw_field(MOVE, text("move"), broken))
        assert isinstance(message, Move)
        assert bytes(message.move) == broken


def test_p9_a_hundred_levels_of_nesting_are_read() -> None:
    create = {"type": "create", "id": 6, "game": "diced_cheese", "seats": 3}
    options = b"\x81\xa1x" + b"\x91" * 98 + b"\xc0"
    assert read_client(with_raw_field(create, text("options"), options)).id == 6
    with pytest.raises(ProtocolError, match="too many levels"):
        read_client(with_raw_field(create, text("options"), b"\x81\xa1x" + b"\x91" * 99 + b"\xc0"))


def test_an_extension_is_not_taken_for_a_map() -> None:
    create = {"type": "create", "id": 6, "game": "diced_cheese", "seats": 3}
    extension = msgpack.packb({"mishaps": msgpack.ExtType(5, b"x")})
    assert read_client(with_raw_field(create, text("options"), extension)).id == 6  # the game refuses the option


def test_a_map_of_more_than_fifteen_keys_inside_a_move_is_checked_too() -> None:
    many = msgpack.packb({f"k{number}": number for number in range(16)})
    again = b"\xde\x00\x11" + many[3:] + text("k3") + b"\x03"
    read_client(with_raw_field(MOVE, text("move"), many))
    with pytest.raises(ProtocolError, match="twice"):
        read_client(with_raw_field(MOVE, text("move"), again))


@pytest.mark.parametrize("name", BAD)
def test_p12_the_text_of_an_error_is_ours(name: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        read_client(BAD[name])
    assert not DECODER_WORDS.search(caught.value.message), caught.value.message


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("id-text", "expected a whole number, got text"),
        ("id-negative", "expected a whole number of at least 0"),
        ("last-float", "expected a whole number or nil, got a float"),
        ("name-too-long", "expected text with at most 100 characters"),
        ("scopes-empty", "expected a list with at least 1 item"),
        ("speed-unknown", "'warp' is not one of relaxed, normal, blitz, untimed"),
        ("type-unknown", "there is no message or move of the type 'teleport'"),
        ("field-missing", "this field is required"),
        ("field-surplus", "there is no field 'colour' here"),
        ("table-capitals", "this has characters that are not allowed here"),
        ("name-not-utf8", "text must be UTF-8"),
        ("option-list-as-key", "the keys of a map are text"),
        ("deeper-than-documented", "there are too many levels of maps and lists"),
        ("trailing-byte", "a message is one msgpack map: there are more bytes after the end"),
    ],
)
def test_p12_an_error_says_what_was_expected_and_what_came(name: str, message: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        read_client(BAD[name])
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"salt": "XYZ"}, "expected 8 to 32 bytes in hex, in lower case"),
        ({"watching": {"see": "everything"}}, "'everything' is not one of public, seat, all, nobody"),
    ],
)
def test_p12_an_error_names_what_is_allowed(more: dict[str, Any], message: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        read_client(pack(type="create", id=6, game="cheesedog", seats=3, **more))
    assert caught.value.message == message


def test_every_game_has_moves_without_maps_so_that_the_quick_check_finds_every_key() -> None:
    for game in GAMES.values():
        for kind in game.moves_by_tag.values():
            assert "dict" not in str(kind.__annotations__)
