"""Encode and decode messages. A frame that is not a valid message raises ProtocolError with a stable code and field."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from protocol.duplicates import duplicate_key, is_plain_move
from protocol.explanations import clipped, explained, unreadable
from protocol.messages import MAX_FRAME_BYTES, ClientMessage, Error, Move, RequestId, ServerMessage

_client_decoder: msgspec.msgpack.Decoder[ClientMessage] = msgspec.msgpack.Decoder(ClientMessage)
_server_decoder: msgspec.msgpack.Decoder[ServerMessage] = msgspec.msgpack.Decoder(ServerMessage)
_raw_fields_decoder = msgspec.msgpack.Decoder(dict[str, msgspec.Raw])
_id_decoder: msgspec.msgpack.Decoder[int] = msgspec.msgpack.Decoder(RequestId)
encode = msgspec.msgpack.Encoder().encode

_PATH = re.compile(r" - at (?:`key` in )?`\$\.?([^`]*)`$")
_NAMED = re.compile(r"`([^`]*)`")
_MOVE = b"\xa4type\xa4move"  # how nearly all moves begin, behind the number of their fields
_DECODE_ERRORS = (msgspec.DecodeError, RecursionError, ValueError, OverflowError)


class ProtocolError(Exception):
    """A frame or request that the server refuses, with the error code that docs/protocol.md lists for it."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        id: int | None = None,  # noqa: A002
        field: str | None = None,
        **more: Any,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.id = id
        self.field = field
        self.more = more

    def answer(self, id: int | None = None) -> Error:  # noqa: A002
        """Return the error message to send. `id`, if given, takes precedence over the id of the exception."""
        request_id = self.id if id is None else id
        return Error(id=request_id, code=self.code, message=self.message, field=self.field, **self.more)


def read_client(frame: bytes) -> ClientMessage:
    """Decode a message from a client, or raise ProtocolError."""
    if len(frame) > MAX_FRAME_BYTES:
        raise ProtocolError("too_large", f"a frame has at most {MAX_FRAME_BYTES} bytes, this one has {len(frame)}")
    starts_as_move = frame.startswith(_MOVE, 1)
    try:
        twice = None if starts_as_move else duplicate_key(frame)  # before anything is decoded into maps
        message = _client_decoder.decode(frame)
    except _DECODE_ERRORS as fault:
        raise _frame_error(fault, frame) from None
    if starts_as_move and isinstance(message, Move) and not is_plain_move(frame, message):
        twice = _duplicate_key_of_move(frame)
    if twice is not None:
        request_id = None if twice == "id" else message.id
        text = "a map has each key once, and this one is there twice"
        raise ProtocolError("surplus_field", text, id=request_id, field=clipped(twice))
    return message


def _duplicate_key_of_move(frame: bytes) -> str | None:
    try:
        return duplicate_key(frame)
    except _DECODE_ERRORS:
        return None  # the game reads the move, and refuses it


def read_server(frame: bytes) -> ServerMessage:
    """Decode a message from the server, or raise ProtocolError."""
    try:
        return _server_decoder.decode(frame)
    except _DECODE_ERRORS as fault:
        raise _frame_error(fault, frame) from None


def _frame_error(fault: Exception, frame: bytes) -> ProtocolError:
    """Name the field at fault and the id of the request, as far as they can be decoded (P12)."""
    try:
        fields = _raw_fields_decoder.decode(frame)
    except msgspec.ValidationError:
        return ProtocolError("malformed", "a message is one map whose keys are text")
    except _DECODE_ERRORS as broken:
        return ProtocolError("malformed", f"a message is one msgpack map: {unreadable(broken)}")
    request_id = _request_id(fields.get("id"))
    for name, raw in fields.items():
        try:
            duplicate_key(bytes(raw))
        except _DECODE_ERRORS as broken:
            return ProtocolError("bad_field", unreadable(broken), id=request_id, field=clipped(name))
    if not isinstance(fault, msgspec.ValidationError):
        return ProtocolError("malformed", f"a message is one msgpack map: {unreadable(fault)}")
    if "type" not in fields:
        return ProtocolError("missing_field", "a message has a type", id=request_id, field="type")
    return _validation_error(fault, request_id, "")


def _request_id(raw: msgspec.Raw | None) -> int | None:
    """Decode the id of a request whose other fields may be invalid."""
    try:
        number: int = _id_decoder.decode(raw or b"")
    except _DECODE_ERRORS:
        return None
    return number


def bad_value(fault: msgspec.ValidationError, at: str) -> ProtocolError:
    """Return the error for a part of a message that is decoded later, such as a move. `at` is the path of that part."""
    return _validation_error(fault, None, at)


def _validation_error(fault: Exception, request_id: int | None, at: str) -> ProtocolError:
    """Translate an error of msgspec: its code follows from the text and the path at the end of it."""
    full_text = str(fault)
    found = _PATH.search(full_text)
    path = ".".join(part for part in (at, found.group(1) if found else "") if part)
    text = _PATH.sub("", full_text)
    named = _NAMED.search(text)
    if "missing required field" in text or "unknown field" in text:
        code = "missing_field" if "missing" in text else "surplus_field"
        path = ".".join(part for part in (path, named.group(1) if named else "") if part)
    elif path == "type" or path.endswith(".type"):
        code = "unknown_type"
    else:
        code = "bad_field"
    return ProtocolError(code, explained(text, path), id=request_id, field=clipped(path) or None)
