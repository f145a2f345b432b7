"""One connection of the bot, and every frame of it read as a server would."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import msgspec
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from protocol.codec import ProtocolError, read_server
from protocol.messages import ClientMessage
from protocol.session import Session


class Failed(Exception):  # noqa: N818
    """The bot did not do what docs/protocol.md has it do."""


class Link:
    """One connection of the bot: every frame it sends is read as a server would read it."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        self.session = Session()
        self.came: asyncio.Queue[tuple[float, ClientMessage] | Failed | None] = asyncio.Queue()
        self.open_ids: set[int] = set()
        self.encode: Callable[[Any], bytes] = msgspec.msgpack.encode

    async def read(self) -> None:
        """Take what comes until the connection ends."""
        try:
            async for frame in self.socket:
                self.came.put_nowait(self._message(frame))
        except ConnectionClosed:
            pass
        finally:
            self.came.put_nowait(None)

    def _message(self, frame: bytes | str) -> tuple[float, ClientMessage] | Failed:
        if isinstance(frame, str):
            return Failed("P8: a text message came; every message is binary")
        try:
            message = self.session.receive(frame)
        except ProtocolError as fault:
            what = msgspec.msgpack.decode(frame) if len(frame) < 400 and fault.code != "malformed" else frame[:80]
            return Failed(
                f"P12: the server would answer {fault.code} ({fault.message}; field {fault.field}) to {what!r}"
            )
        if message.id in self.open_ids:
            return Failed(f"P15: the id {message.id} is used by a request that has no answer yet")
        self.open_ids.add(message.id)
        return time.monotonic(), message

    async def say(self, message: dict[str, Any], *, odd: bool = False) -> None:
        """Say something; unless it is meant to be odd, it is a message of version 1."""
        if not odd:
            read_server(msgspec.msgpack.encode(message))
        if message["type"] in ("ok", "error", "welcome") and message.get("id") is not None:
            self.open_ids.discard(message["id"])
        try:
            await self.socket.send(self.encode(message))
        except ConnectionClosed:
            return  # what is waited for next says that the bot is gone
