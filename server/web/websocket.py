"""An open websocket: delivers whole messages to a listener, without a task and a queue.

Its listener writes frames to the socket itself. What is rare (control frames, fragments, text) goes through the parser
of `websockets`.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any, Protocol

from websockets.frames import Frame, Opcode, apply_mask  # type: ignore[attr-defined]  # in C where there is a wheel
from websockets.protocol import State
from websockets.server import ServerProtocol

from server.delivery.frames import BINARY, PONG_PREFIX
from server.web.turns import Turns

VALID_FIRST_BYTES = frozenset((0x00, 0x01, 0x02, 0x80, 0x81, BINARY, 0x88, 0x89, 0x8A))
FRAGMENTS = frozenset((0x00, 0x01, 0x02))  # the first bytes of fragments that others follow
LAST_FRAGMENT = 0x80
MAX_BUFFERED = 256 * 1024  # bytes in the transport's buffer at which the listener is paused
CLOSE_S = 2.0  # from our close frame until the socket is closed, whatever the client does
SLICE_FRAMES = 8  # frames of one connection that are handled in one event-loop turn
SLICE_BYTES = 16 * 1024  # bytes after which no further frame is handled in this turn
MAX_FRAGMENTS = 64  # fragments of one message
MAX_EXTRA = 100  # control frames and fragments in EXTRA_S; an honest client sends a few
EXTRA_S = 10.0


class Listener(Protocol):
    """The owner of a websocket."""

    def receive(self, data: bytes | str) -> None:
        """A message came. A text message is delivered as an empty string, because none is expected."""

    def writes_through_transport(self) -> None:
        """The transport is about to buffer bytes, so the socket must not be written to directly."""

    def paused(self) -> None:
        """More than MAX_BUFFERED bytes are buffered."""

    def resumed(self) -> None:
        """Nearly all buffered bytes were sent."""

    def closed(self) -> None:
        """No more messages come, and what is written is lost."""

    def cut(self, code: int, reason: str, why: str, /) -> None:
        """Close the websocket; `why` is the label in the metrics."""


class Websocket:
    """One websocket, which has the methods of an asyncio protocol.

    Received bytes are handled in slices (SLICE_FRAMES, SLICE_BYTES), one in each event-loop turn. While bytes are left
    the websocket waits in `turns` and does not read.
    """

    __slots__ = (
        "_between_messages",
        "_conn",
        "_extra",
        "_extra_since",
        "_fragments",
        "_group",
        "_is_over",
        "_listener",
        "_max_size",
        "_parts",
        "_size",
        "_start",
        "_turns",
        "_unread",
        "_waiting",
        "ends_turn",
        "has_received",
        "transport",
    )

    def __init__(
        self, transport: asyncio.Transport, conn: ServerProtocol, turns: Turns, max_size: int, early: bytes
    ) -> None:
        self.transport = transport
        self.ends_turn = False
        self.has_received = True  # bytes have come since this was last set to False
        self._conn = conn  # the parser
        self._turns = turns
        self._max_size = max_size  # of a message
        self._group: set[Any] | None = None
        self._listener: Listener | None = None
        self._between_messages = False  # there is a listener, and no fragment of a message waits for the rest
        self._unread = early  # received bytes; those before `_start` are handled
        self._start = 0
        self._waiting = bool(early)  # reading is paused: whole frames are unread, or nobody listens yet
        self._is_over = False  # nothing more is read
        self._parts: list[bytes] = []  # the fragments of the message that is not complete
        self._size = 0  # their bytes
        self._fragments = 0  # how many of them were counted
        self._extra = 0  # control frames and fragments since `_extra_since`
        self._extra_since = 0.0

    def join(self, group: set[Any]) -> None:
        """Be in this set for as long as the connection exists."""
        self._group = group
        group.add(self)

    def take_over(self, listener: Listener) -> int:
        """Deliver all events to this listener.

        Returns the file descriptor, to which the listener may write while the transport's buffer is empty; -1 with TLS.
        """
        self._listener = listener
        self._between_messages = True
        self.transport.set_write_buffer_limits(MAX_BUFFERED, MAX_BUFFERED // 16)
        if self._waiting:
            self._turns.wait(self)
        if self.transport.get_extra_info("sslcontext") is not None:
            return -1
        fd: int = self.transport.get_extra_info("socket").fileno()
        return fd

    # What comes in.

    def data_received(self, data: bytes) -> None:
        """Deliver a binary message that comes alone in a single frame at once; handle everything else in slices."""
        self.has_received = True
        if self._unread:
            data = self._unread[self._start :] + data
            self._unread, self._start = b"", 0
        size = len(data)
        listener = self._listener
        if (
            listener is not None
            and self._between_messages
            and 6 <= size < 132
            and data[0] == BINARY
            and data[1] == size + 122
        ):
            listener.receive(apply_mask(data[6:], data[2:6]))  # most of what comes
        elif not self._is_over:
            self._unread = data
            if not self._waiting and (listener is None or self._handle_slice()):
                self._waiting = True
                self.transport.pause_reading()
                if listener is not None:
                    self._turns.wait(self)

    def take_turn(self) -> bool:
        """Handle one slice of what is unread; returns whether whole frames are left."""
        if self._handle_slice():
            return True
        self._waiting = False
        if not self._is_over:
            self.transport.resume_reading()
        return False

    def _handle_slice(self) -> bool:
        """Handle some of the unread frames; returns whether whole frames are left."""
        data, start = self._unread, self._start
        size, end_of_slice, frames = len(data), start + SLICE_BYTES, SLICE_FRAMES
        while size - start >= 2 and not self._is_over:
            end, body = self._frame(data, start, size)
            if end > size:
                break
            if not frames or start >= end_of_slice:
                self._start = start
                return True
            if data[start] == BINARY and body and self._between_messages and self._listener is not None:
                self._listener.receive(apply_mask(data[body:end], data[body - 4 : body]))
            else:
                self._handle_extra(data[start:end])
            start = end
            frames -= 1
        self._unread, self._start = b"" if self._is_over else data[start:], 0
        return False

    def _frame(self, data: bytes, start: int, size: int) -> tuple[int, int]:
        """The offsets of the frame's end and of its body; the body's is 0 if the parser has to refuse the frame."""
        if data[start] not in VALID_FIRST_BYTES or not data[start + 1] & 128:
            return size, 0
        length, body = data[start + 1] & 127, start + 6
        if length >= 126:
            wide = 2 if length == 126 else 8
            body += wide
            if body > size:
                return body, 0
            length = int.from_bytes(data[start + 2 : start + 2 + wide], "big")
            if length > self._max_size - self._size:
                return size, 0
        return body + length, body

    def _handle_extra(self, frame: bytes) -> None:
        """Handle a frame that is no whole binary message: a control frame, a fragment, text, or an invalid one."""
        if self._listener is None:
            return
        now = monotonic()
        if now - self._extra_since > EXTRA_S:
            self._extra, self._extra_since = 0, now
        self._extra += 1
        self._fragments = 0 if frame[0] == LAST_FRAGMENT else self._fragments + (frame[0] in FRAGMENTS)
        if self._extra > MAX_EXTRA:
            self._listener.cut(4008, "far too many control frames or fragments", "flood")
        elif self._fragments >= MAX_FRAGMENTS:
            self._listener.cut(1009, f"a message has at most {MAX_FRAGMENTS} fragments", "fragments")
        elif len(frame) != 6 or not frame.startswith(PONG_PREFIX):
            self._parse(frame)

    def _parse(self, frame: bytes) -> None:
        """Give a frame to the parser. If that ends the websocket, by the client's close frame or by a fault, send the
        close frame that answers it."""
        conn = self._conn
        if self._listener is not None:
            self._listener.writes_through_transport()  # the parser may answer, for instance a ping
        conn.receive_data(frame)
        for event in conn.events_received():
            if isinstance(event, Frame):
                self._take(event)
        ends = conn.state is not State.OPEN and not self._is_over
        if ends:
            self._close_soon()
        answer = b"".join(conn.data_to_send())
        if answer:
            self.transport.write(answer)
        if ends:
            self.transport.close()
        self._between_messages = self._listener is not None and not self._parts

    def _take(self, frame: Frame) -> None:
        """Deliver a message that came in fragments, or as text."""
        if frame.opcode not in (Opcode.CONT, Opcode.TEXT, Opcode.BINARY):
            return
        if frame.opcode is Opcode.TEXT and self._listener is not None:
            self._listener.receive("")
            return
        self._parts.append(bytes(frame.data))
        self._size += len(frame.data)
        if frame.fin:
            message = b"".join(self._parts)
            self._parts, self._size = [], 0
            if self._listener is not None:
                self._listener.receive(message)

    def eof_received(self) -> None:
        """The client sends nothing more: the transport closes the connection."""

    # What goes out.

    def pause_writing(self) -> None:
        """The transport buffers too much."""
        if self._listener is not None:
            self._listener.paused()

    def resume_writing(self) -> None:
        """The transport has sent nearly all that it had buffered."""
        if self._listener is not None:
            self._listener.resumed()

    def close_from_our_side(self, code: int, reason: str) -> None:
        """Send a close frame, read nothing more, and close the socket soon after."""
        if self._conn.state is State.OPEN and not self.transport.is_closing():
            self._conn.send_close(code, reason)
            self.transport.write(b"".join(self._conn.data_to_send()))
            if self.transport.can_write_eof():
                self.transport.write_eof()  # so the client need not wait until we close
        self._close_soon()

    def shutdown(self) -> None:
        """The server stops."""
        self.close_from_our_side(1012, "")
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is closed."""
        self._dismiss_listener()
        if self._group is not None:
            self._group.discard(self)

    def _close_soon(self) -> None:
        """Read nothing more, and give the client CLOSE_S to read what is buffered for it."""
        if not self._is_over:
            self.transport.pause_reading()
            asyncio.get_running_loop().call_later(CLOSE_S, self.transport.abort)
            self._dismiss_listener()

    def _dismiss_listener(self) -> None:
        """Tell the listener that it is over, before anything else closes the connection: it must not write after a
        close frame."""
        listener, self._listener = self._listener, None
        self._between_messages = False
        self._is_over = True
        if listener is not None:
            listener.closed()
