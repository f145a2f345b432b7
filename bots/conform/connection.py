"""A connection of the bot to the kit's server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import msgspec
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from bots.conform.request_rate import RequestRate
from protocol.codec import ProtocolError, read_server
from protocol.messages import ClientMessage, Move
from protocol.session import Session


class Failed(Exception):  # noqa: N818
    """The bot broke a rule of docs/protocol.md, or did not answer."""


class NoMessage(Failed):
    """The bot sent nothing: it was silent, ended, or closed the connection."""


def type_name(message: type) -> str:
    """The `type` of messages of this class."""
    return str(message.__struct_config__.tag)  # type: ignore[attr-defined]


class BotConnection:
    """One connection of the bot. Every frame is read by the real server's session."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        self.session = Session()
        self.received: asyncio.Queue[tuple[float, ClientMessage] | Failed | None] = asyncio.Queue()
        self.unanswered_ids: set[int] = set()
        self._rate = RequestRate()
        self.encode: Callable[[Any], bytes] = msgspec.msgpack.encode

    async def read(self) -> None:
        """Put each message into `received` until the connection ends; then None."""
        try:
            async for frame in self.socket:
                self.received.put_nowait(self._message(frame))
        except ConnectionClosed:
            pass
        finally:
            self.received.put_nowait(None)

    def _message(self, frame: bytes | str) -> tuple[float, ClientMessage] | Failed:
        if isinstance(frame, str):
            return Failed("P8: the bot sent a text message; every message is binary")
        try:
            message = self.session.receive(frame)
        except ProtocolError as fault:
            what = msgspec.msgpack.decode(frame) if len(frame) < 400 and fault.code != "malformed" else frame[:80]
            return Failed(
                f"P12: the server would answer {fault.code} ({fault.message}; field {fault.field}) to {what!r}"
            )
        if message.id in self.unanswered_ids:
            return Failed(f"P15: the id {message.id} is used by a request that has no answer yet")
        self.unanswered_ids.add(message.id)
        now = time.monotonic()
        if not isinstance(message, Move) and self._rate.exceeded_by(now):
            return Failed(f"P17: the bot sends too many requests: welcome.limits allows {self._rate}")
        return now, message

    async def send(self, message: dict[str, Any], *, unusual: bool = False) -> None:
        """Send a message; unless it is unusual on purpose, check that it belongs to version 1 of the protocol."""
        if not unusual:
            read_server(msgspec.msgpack.encode(message))
        if message["type"] in ("ok", "error", "welcome") and message.get("id") is not None:
            self.unanswered_ids.discard(message["id"])
        try:
            await self.socket.send(self.encode(message))
        except ConnectionClosed:
            return  # the next wait for a message reports it
