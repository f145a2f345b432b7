"""The websocket edge: uvicorn's own protocol, taught to hand over whole messages at once, and its socket.

The application finds it in the scope under "cheeseboard.edge", calls `take_over` and returns: the connection lives
on without a task of its own, and whoever took it over writes frames to the socket itself.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Protocol

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, apply_mask  # type: ignore[attr-defined]  # in C where there is a wheel
from websockets.http11 import Request
from websockets.protocol import State

from server.frames import BINARY, PONG

log = logging.getLogger("cheeseboard.edge")
OPEN = State.OPEN
EXTENSION = "cheeseboard.edge"
KNOWN = frozenset((0x00, 0x01, 0x02, 0x80, 0x81, BINARY, 0x88, 0x89, 0x8A))  # first bytes of frames that may come
MOST_WAITING = 256 * 1024  # bytes written and not yet taken by the network before a connection is slow
LEAVE_S = 2  # from closing a connection until it is gone, whatever the other side does


class Listener(Protocol):
    """Who hears what comes in, and what becomes of what goes out."""

    def receive(self, data: bytes | str) -> None:
        """A message came; a text is empty, since none is expected."""

    def waits(self) -> None:
        """Something waits in the transport, or soon will: the socket must not be written to past it."""

    def slow(self) -> None:
        """More than MOST_WAITING bytes wait to be taken."""

    def drained(self) -> None:
        """Nearly everything that waited was taken."""

    def closed(self) -> None:
        """Nothing more is heard, and what is written is lost."""


class Edge(WebSocketsSansIOProtocol):
    """One websocket, taken over from the application that accepted it by whoever listens."""

    __slots__ = ("_between", "_listener", "_rest", "heard")  # for each frame, so near each other

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._listener: Listener | None = None
        self.heard = True  # something came since somebody last looked
        self._between = False  # somebody listens, and no message has come in part only
        self._rest = b""  # the beginning of a frame whose end has not come

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        scope = getattr(self, "scope", None)  # absent when the handshake was refused
        if scope is not None:
            scope["extensions"][EXTENSION] = self

    def take_over(self, listener: Listener) -> int:
        """Live on when the application returns, for this listener; it is told once that nothing more is heard.

        Answers the socket, which the listener may write to while nothing waits in the transport; -1 if it is encrypted.
        """
        self._listener = listener
        self._between = self.conn.current_size is None
        self.transport.set_write_buffer_limits(MOST_WAITING, MOST_WAITING // 16)
        if self.transport.get_extra_info("sslcontext") is not None:
            return -1
        file: int = self.transport.get_extra_info("socket").fileno()
        return file

    async def run_asgi(self) -> None:
        """Run the application, and keep nothing of the handshake for a connection that it has taken over."""
        try:
            await self.app(self.scope, self.receive, self.send)
        except ClientDisconnected:
            pass
        except BaseException:
            log.exception("a connection failed")
            self.send_500_response()
        if self._listener is None:
            self.transport.close()
        else:
            del self.scope, self.request, self.response

    def data_received(self, data: bytes) -> None:
        """Split what came into frames.

        A message in a single frame is handed over at once. Everything else (control frames, parts of messages, what
        is too large or not masked) goes to the parser, frame by frame, so that it is always between two frames.
        """
        self.heard = True
        if self._rest:
            data = self._rest + data
            self._rest = b""
        size = len(data)
        if self._between and 6 <= size < 132 and data[0] == BINARY and data[1] == size + 122:
            self._listener.receive(apply_mask(data[6:], data[2:6]))  # type: ignore[union-attr]  # most of what comes
            return
        if self.conn.state is not OPEN:
            super().data_received(data)
            return
        if size == 6 and data.startswith(PONG):
            return
        start = 0
        while size - start >= 2:
            end, body = self._frame(data, start, size)
            if end > size:
                break
            if data[start] == BINARY and body and self._between and self._listener is not None:
                self._listener.receive(apply_mask(data[body:end], data[body - 4 : body]))
            else:
                self._parse(data[start:end])
            if self.conn.state is not OPEN:
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
        if self._listener is not None:
            self._listener.waits()  # there may be an answer, such as that to a ping
        self.conn.receive_data(frame)
        if self.conn.parser_exc is not None:
            self.handle_parser_exception()
        else:
            self.handle_events()
        self._between = self._listener is not None and self.conn.current_size is None

    def send_receive_event_to_app(self) -> None:
        """Hand over a message that came in parts, or as text."""
        if self._listener is None:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        self.frames = []
        if not self.close_sent:
            self._listener.receive(bytes(data) if self.curr_msg_data_type == "bytes" else "")

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._listener is not None:
            self._listener.slow()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._listener is not None:
            self._listener.drained()

    def cut(self, code: int, reason: str) -> None:
        """Close from our side."""
        if self.conn.state is OPEN and not self.transport.is_closing():
            self.conn.send_close(code, reason)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
        self._leave()

    # Whatever closes the connection, nothing is written after the frame that says so.

    def shutdown(self) -> None:
        self._leave()
        super().shutdown()

    def handle_close(self, event: Frame) -> None:
        self._leave()
        super().handle_close(event)

    def handle_parser_exception(self) -> None:
        self._leave()
        super().handle_parser_exception()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end()
        super().connection_lost(exc)

    def _leave(self) -> None:
        """Give the other side a moment to answer and to take what waits, and no longer."""
        if self._listener is not None:
            asyncio.get_running_loop().call_later(LEAVE_S, self.transport.abort)
            self._end()

    def _end(self) -> None:
        listener, self._listener = self._listener, None
        self._between = False
        if listener is not None:
            listener.closed()
