"""The websocket edge: uvicorn's own protocol, taught to hand over whole messages at once and to take ready-made frames.

The application finds it in the scope under "cheeseboard.edge". It sets `on_message` and `on_drain` and then only
waits for the end. An update is framed once with `binary_frame` and written to every connection as it is.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

EXTENSION = "cheeseboard.edge"
MOST_WAITING = 256 * 1024  # bytes written and not yet taken by the network before a connection is slow


def binary_frame(payload: bytes) -> bytes:
    """The payload as one unmasked binary frame."""
    size = len(payload)
    if size < 126:
        return bytes((0x82, size)) + payload
    if size < 65536:
        return struct.pack("!BBH", 0x82, 126, size) + payload
    return struct.pack("!BBQ", 0x82, 127, size) + payload


class Edge(WebSocketsSansIOProtocol):
    """One websocket. Messages come in through `on_message`, frames go out through `write`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.on_message: Callable[[bytes | str], None] | None = None
        self.on_drain: Callable[[], None] | None = None

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        scope = getattr(self, "scope", None)  # absent when the handshake was refused
        if scope is not None:
            scope["extensions"][EXTENSION] = self

    def send_receive_event_to_app(self) -> None:
        """Hand a whole message over at once, without the queue and the task switch in between."""
        if self.on_message is None:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        self.frames = []
        if not self.close_sent:
            self.on_message(bytes(data) if self.curr_msg_data_type == "bytes" else "")

    def write(self, frame: bytes, most: int = MOST_WAITING) -> bool:
        """Write a ready-made frame; False if more than `most` bytes wait already."""
        if self.conn.state is not State.OPEN or self.transport.is_closing():
            return True
        if self.transport.get_write_buffer_size() > most:
            return False
        self.transport.write(frame)
        return True

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.on_drain is not None:
            self.on_drain()

    def cut(self, code: int, reason: str) -> None:
        """Close from our side, and do not wait long for the other."""
        if self.conn.state is not State.OPEN or self.transport.is_closing():
            return
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.conn.send_close(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        asyncio.get_running_loop().call_later(2, self.transport.abort)
