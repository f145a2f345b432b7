"""The websocket edge: uvicorn's own protocol, taught to hand over whole messages at once and to take ready-made frames.

The application finds it in the scope under "cheeseboard.edge", calls `take_over` and returns: the connection lives
on without a task of its own. An update is framed once with `binary_frame` and written to every connection as it is.
"""

from __future__ import annotations

import asyncio
import logging
import struct
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask  # type: ignore[attr-defined]  # in C where there is a wheel
from websockets.http11 import Request
from websockets.protocol import State

log = logging.getLogger("cheeseboard.edge")
OPEN = State.OPEN
EXTENSION = "cheeseboard.edge"
BINARY = 0x82  # the first byte of a binary message in a single frame
SHORT = tuple(bytes((BINARY, size)) for size in range(126))
KNOWN = frozenset((0x00, 0x01, 0x02, 0x80, 0x81, BINARY, 0x88, 0x89, 0x8A))  # first bytes of frames that may come
MOST_WAITING = 256 * 1024  # bytes written and not yet taken by the network before a connection is slow


def binary_frame(payload: bytes) -> bytes:
    """The payload as one unmasked binary frame."""
    size = len(payload)
    if size < 126:
        return SHORT[size] + payload
    if size < 65536:
        return struct.pack("!BBH", BINARY, 126, size) + payload
    return struct.pack("!BBQ", BINARY, 127, size) + payload


class Edge(WebSocketsSansIOProtocol):
    """One websocket. Messages come in through `on_message`, frames go out through `write`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.on_message: Callable[[bytes | str], None] | None = None
        self.on_drain: Callable[[], None] | None = None
        self._on_close: Callable[[], None] | None = None
        self._rest = b""  # the beginning of a frame whose end has not come

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        scope = getattr(self, "scope", None)  # absent when the handshake was refused
        if scope is not None:
            scope["extensions"][EXTENSION] = self

    def take_over(self, on_close: Callable[[], None]) -> None:
        """Live on when the application returns; `on_close` is called once, when nothing more is heard."""
        self._on_close = on_close

    async def run_asgi(self) -> None:
        """Run the application, and keep nothing of the handshake for a connection that it has taken over."""
        try:
            await self.app(self.scope, self.receive, self.send)
        except ClientDisconnected:
            pass
        except BaseException:
            log.exception("a connection failed")
            self.send_500_response()
        if self._on_close is None:
            self.transport.close()
        else:
            del self.scope, self.request, self.response

    def data_received(self, data: bytes) -> None:
        """Split what came into frames.

        A message in a single frame is handed over at once. Everything else (control frames, parts of messages, what
        is too large or not masked) goes to the parser, frame by frame, so that it is always between two frames.
        """
        if self.conn.state is not OPEN:
            super().data_received(data)
            return
        if self._rest:
            data = self._rest + data
        start, size = 0, len(data)
        while size - start >= 2:
            end, body = self._frame(data, start, size)
            if end > size:
                break
            if data[start] == BINARY and body and self.conn.current_size is None and self.on_message is not None:
                self.on_message(apply_mask(data[body:end], data[body - 4 : body]))
            else:
                self._parse(data[start:end])
            if self.conn.state is not OPEN:
                self._rest = b""
                return
            start = end
        self._rest = data[start:]

    def _frame(self, data: bytes, start: int, size: int) -> tuple[int, int]:
        """Where the frame ends and its body begins; a body at 0 is one that the parser will refuse."""
        if data[start] not in KNOWN or not data[start + 1] & 128:
            return size, 0
        length, body = data[start + 1] & 127, start + 6
        if length >= 126:
            wide = 2 if length == 126 else 8
            body += wide
            if body > size:
                return body, 0
            length = int.from_bytes(data[start + 2 : start + 2 + wide], "big")
            if length > self.config.ws_max_size:
                return size, 0
        return body + length, body

    def _parse(self, frame: bytes) -> None:
        self.conn.receive_data(frame)
        if self.conn.parser_exc is not None:
            self.handle_parser_exception()
        else:
            self.handle_events()

    def send_receive_event_to_app(self) -> None:
        """Hand over a message that came in parts, or as text."""
        if self.on_message is None:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        self.frames = []
        if not self.close_sent:
            self.on_message(bytes(data) if self.curr_msg_data_type == "bytes" else "")

    def write(self, frame: bytes, most: int = MOST_WAITING) -> bool:
        """Write a ready-made frame; False if more than `most` bytes wait already."""
        transport = self.transport
        if self.conn.state is not OPEN or transport.is_closing():
            return True
        if transport.get_write_buffer_size() > most:
            return False
        transport.write(frame)
        return True

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.on_drain is not None:
            self.on_drain()

    def cut(self, code: int, reason: str) -> None:
        """Close from our side, and do not wait long for the other."""
        if self.conn.state is not OPEN or self.transport.is_closing():
            return
        self.conn.send_close(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        asyncio.get_running_loop().call_later(2, self.transport.abort)
        self._closed()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._closed()

    def _closed(self) -> None:
        on_close, self._on_close = self._on_close, None
        self.on_message = self.on_drain = None
        if on_close is not None:
            on_close()
