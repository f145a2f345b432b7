"""Bytes to messages and back. What cannot be read is a ProtocolError with a stable code and the field at fault."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from protocol.messages import MOST_BYTES, ClientMessage, Error, ServerMessage

_client = msgspec.msgpack.Decoder(ClientMessage)
_server = msgspec.msgpack.Decoder(ServerMessage)
_anything = msgspec.msgpack.Decoder()
encode = msgspec.msgpack.Encoder().encode

_WHERE = re.compile(r" - at (?:`key` in )?`\$\.?([^`]*)`")
_QUOTED = re.compile(r"`([^`]*)`")


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
    message: ClientMessage = _read(_client, frame)
    return message


def read_server(frame: bytes) -> ServerMessage:
    """A server's message; ProtocolError otherwise."""
    message: ServerMessage = _read(_server, frame)
    return message


def _read(decoder: msgspec.msgpack.Decoder[Any], frame: bytes) -> Any:
    if len(frame) > MOST_BYTES and decoder is _client:
        raise ProtocolError("too_large", f"a frame has at most {MOST_BYTES} bytes, this one has {len(frame)}")
    try:
        return decoder.decode(frame)
    except msgspec.ValidationError as fault:
        raise explain(fault, frame) from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, OverflowError) as fault:
        raise ProtocolError("malformed", f"not one whole msgpack value: {fault}") from None


def explain(fault: msgspec.ValidationError, frame: bytes) -> ProtocolError:
    """Which field is at fault, and in which request, as far as that can be read."""
    try:
        raw = _anything.decode(frame)
    except (msgspec.DecodeError, RecursionError, ValueError, TypeError) as broken:
        return ProtocolError("malformed", f"not one whole msgpack value: {broken}")
    if not isinstance(raw, dict):
        return ProtocolError("malformed", "a message is a map")
    number = raw.get("id")
    known = number if isinstance(number, int) and 0 <= number < 2**53 and not isinstance(number, bool) else None
    if "type" not in raw:
        return ProtocolError("missing_field", "a message has a type", id=known, field="type")
    return _fault(fault, known, "")


def bad_value(fault: msgspec.ValidationError, at: str) -> ProtocolError:
    """The same for a value inside a message that is read later, such as a move."""
    return _fault(fault, None, at)


def _fault(fault: msgspec.ValidationError, known: int | None, at: str) -> ProtocolError:
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
    return ProtocolError(code, said, id=known, field=path or None)
