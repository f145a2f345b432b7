"""Bytes to messages and back. What cannot be read is a ProtocolError with a stable code and the field at fault."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from protocol.messages import MOST_BYTES, ClientMessage, Error, RequestId, ServerMessage

_client: msgspec.msgpack.Decoder[ClientMessage] = msgspec.msgpack.Decoder(ClientMessage)
_server: msgspec.msgpack.Decoder[ServerMessage] = msgspec.msgpack.Decoder(ServerMessage)
_parts = msgspec.msgpack.Decoder(dict[str, msgspec.Raw])
_id: msgspec.msgpack.Decoder[int] = msgspec.msgpack.Decoder(RequestId)
_anything = msgspec.msgpack.Decoder()
encode = msgspec.msgpack.Encoder().encode

_WHERE = re.compile(r" - at (?:`key` in )?`\$\.?([^`]*)`$")
_QUOTED = re.compile(r"`([^`]*)`")
_UNREADABLE = (msgspec.DecodeError, RecursionError, ValueError, OverflowError)  # what decoding may raise
_MOST_QUOTED = 200  # characters of an error's text: it may quote what the client sent


class ProtocolError(Exception):
    """A frame or a request that is not as docs/protocol.md has it."""

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
        """The error message that tells the client."""
        known = self.id if id is None else id
        return Error(id=known, code=self.code, message=self.message, field=self.field, **self.more)


def read_client(frame: bytes) -> ClientMessage:
    """A client's message; ProtocolError otherwise."""
    if len(frame) > MOST_BYTES:
        raise ProtocolError("too_large", f"a frame has at most {MOST_BYTES} bytes, this one has {len(frame)}")
    try:
        return _client.decode(frame)
    except _UNREADABLE as fault:
        raise explain(fault, frame) from None


def read_server(frame: bytes) -> ServerMessage:
    """A server's message; ProtocolError otherwise."""
    try:
        return _server.decode(frame)
    except _UNREADABLE as fault:
        raise explain(fault, frame) from None


def explain(fault: Exception, frame: bytes) -> ProtocolError:
    """Which field is at fault, and in which request, as far as that can be read (P12)."""
    try:
        parts = _parts.decode(frame)
    except msgspec.ValidationError:
        return ProtocolError("malformed", "a message is one map whose keys are text")
    except _UNREADABLE as broken:
        return ProtocolError("malformed", _clipped(f"not one whole msgpack value: {broken}"))
    known = _request_id(parts.get("id"))
    for name, raw in parts.items():
        try:
            _anything.decode(raw)
        except _UNREADABLE as broken:
            return ProtocolError("bad_field", _clipped(f"cannot be read: {broken}"), id=known, field=_clipped(name))
    if "type" not in parts:
        return ProtocolError("missing_field", "a message has a type", id=known, field="type")
    return _fault(fault, known, "")


def _request_id(raw: msgspec.Raw | None) -> int | None:
    """The id of a request that is otherwise at fault."""
    try:
        number: int = _id.decode(raw or b"")
    except _UNREADABLE:
        return None
    return number


def _clipped(text: str) -> str:
    return text if len(text) <= _MOST_QUOTED else text[: _MOST_QUOTED - 1] + "…"


def bad_value(fault: msgspec.ValidationError, at: str) -> ProtocolError:
    """The same for a value inside a message that is read later, such as a move."""
    return _fault(fault, None, at)


def _fault(fault: Exception, known: int | None, at: str) -> ProtocolError:
    text = str(fault)
    where = _WHERE.search(text)
    path = ".".join(part for part in (at, where.group(1) if where else "") if part)
    said = _WHERE.sub("", text)
    named = _QUOTED.search(said)
    if "missing required field" in said or "unknown field" in said:
        code = "missing_field" if "missing" in said else "surplus_field"
        path = ".".join(part for part in (path, named.group(1) if named else "") if part)
    elif path == "type" or path.endswith(".type"):
        code = "unknown_type"
    else:
        code = "bad_field"
    return ProtocolError(code, _clipped(said), id=known, field=_clipped(path) or None)
