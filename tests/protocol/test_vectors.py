"""The vectors are up to date and complete, and our codec and an independent one agree about them."""

from __future__ import annotations

import json
from typing import Any, get_args

import msgpack
import msgspec
import pytest

from protocol.codec import ProtocolError, encode, read_client, read_server
from protocol.messages import ClientMessage, ServerMessage
from tests.protocol.make_vectors import DOCUMENT, FRAME, VECTORS, text, vectors, with_frames

KINDS = ("client", "server", "bad")


def read(kind: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((VECTORS / f"{kind}.json").read_text(encoding="utf-8"))
    return rows


GOOD = [pytest.param(row, id=row["name"]) for kind in ("client", "server") for row in read(kind)]
BAD = [pytest.param(row, id=row["name"]) for row in read("bad")]


@pytest.mark.parametrize("kind", KINDS)
def test_the_files_are_up_to_date(kind: str) -> None:
    assert (VECTORS / f"{kind}.json").read_text(encoding="utf-8") == text(vectors()[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_names_are_unique_in_a_file(kind: str) -> None:
    names = [row["name"] for row in read(kind)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(("kind", "union"), [("client", ClientMessage), ("server", ServerMessage)])
def test_every_message_has_a_vector(kind: str, union: Any) -> None:
    tags = {message.__struct_config__.tag for message in get_args(union)}
    assert {row["json"]["type"] for row in read(kind)} == tags


def fields(message: Any) -> set[str]:
    """Return every field of a message and of the maps inside it, as "Class.field"."""
    names = {f"{message.__name__}.{name}" for name in message.__struct_fields__}
    info = msgspec.inspect.type_info(message)
    return names | {f"{part.__name__}.{name}" for part in _parts(info) for name in part.__struct_fields__}


def _parts(info: Any) -> set[Any]:
    """Return the Structs inside a type."""
    found: set[Any] = set()
    if isinstance(info, msgspec.inspect.StructType):
        found.add(info.cls)
        for field in info.fields:
            found |= _parts(field.type)
    elif isinstance(info, msgspec.inspect.UnionType):
        for one in info.types:
            found |= _parts(one)
    elif isinstance(info, msgspec.inspect.VarTupleType | msgspec.inspect.ListType):
        found |= _parts(info.item_type)
    return found


def _used(value: Any) -> set[str]:
    """Return the fields of a message that have a value, as "Class.field"."""
    used: set[str] = set()
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            inside = getattr(value, name)
            if inside is not None:
                used |= {f"{type(value).__name__}.{name}"} | _used(inside)
    elif isinstance(value, list | tuple):
        for one in value:
            used |= _used(one)
    return used


def test_every_field_is_in_some_vector() -> None:
    expected = {name for union in (ClientMessage, ServerMessage) for one in get_args(union) for name in fields(one)}
    messages = [read_client(bytes.fromhex(row["hex"])) for row in read("client")]
    used: set[str] = set().union(*(_used(message) for message in messages))
    for row in read("server"):
        used |= _used(read_server(bytes.fromhex(row["hex"])))
    assert expected - used == {"User.owner", "Result.points"}


@pytest.mark.parametrize("row", GOOD)
def test_an_independent_codec_decodes_and_encodes_the_same(row: dict[str, Any]) -> None:
    frame = bytes.fromhex(row["hex"])
    assert msgpack.unpackb(frame) == row["json"]
    assert msgpack.packb(row["json"]) == frame or row["json"]["type"] == "table"  # its length takes 16 bits (P9)


@pytest.mark.parametrize("row", GOOD)
def test_our_codec_decodes_and_encodes_the_same(row: dict[str, Any]) -> None:
    frame = bytes.fromhex(row["hex"])
    message = read_client(frame) if row["from"] == "client" else read_server(frame)
    assert encode(message) == frame


@pytest.mark.parametrize("row", GOOD)
def test_p9_any_order_of_keys_and_any_width_of_lengths_is_accepted(row: dict[str, Any]) -> None:
    frame = bytes.fromhex(row["hex"])
    fields = dict(reversed(row["json"].items()))
    body = b"".join(msgpack.packb(part) for pair in fields.items() for part in pair)
    wide = b"\xde" + len(fields).to_bytes(2, "big") + body
    reader = read_client if row["from"] == "client" else read_server
    again = msgpack.unpackb(encode(reader(wide)))
    assert again == row["json"]
    assert msgpack.unpackb(encode(reader(frame))) == again


@pytest.mark.parametrize("row", BAD)
def test_p12_a_bad_frame_is_answered_as_its_vector_says(row: dict[str, Any]) -> None:
    with pytest.raises(ProtocolError) as caught:
        read_client(bytes.fromhex(row["hex"]))
    answer = msgpack.unpackb(encode(caught.value.answer()))
    assert answer["type"] == "error"
    assert {"id": answer["id"], "code": answer["code"], "field": answer.get("field")} == row["error"]
    assert 0 < len(answer["message"]) <= 200
    assert row["error"]["code"] == "malformed" or row["error"]["field"]


def test_the_document_shows_a_vector_of_every_message() -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    rows = read("client") + read("server")
    assert with_frames(document, rows) == document
    shown = {found.group(2) for found in FRAME.finditer(document)}
    types = {row["json"]["type"] for row in rows if row["name"] in shown}
    assert types == {row["json"]["type"] for row in rows}
