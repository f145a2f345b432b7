"""The outgoing side of a websocket, and the one write per event-loop turn for all of them.

Backpressure comes from the transport's `pause_writing`. A paused outbox drops updates, and its owner sends the whole
state again on resume. An outbox that stays paused for SLOW_S, or that buffers more than MAX_BUFFERED bytes, is closed.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Protocol

import msgspec

from server.delivery.batch_write import write_each, write_one
from server.delivery.frames import encode_frame

log = logging.getLogger("cheeseboard.outbox")

MAX_BUFFERED = 1024 * 1024  # bytes that a client may leave unread before its connection is closed
SLOW_S = 10  # how long a paused connection has to read what is buffered for it


class Transport(Protocol):
    """The part of an asyncio transport that an outbox uses."""

    def write(self, data: bytes, /) -> None: ...
    def get_write_buffer_size(self) -> int: ...


class DirectWriter(Protocol):
    """A group that writes to the file descriptors of its outboxes without going through them."""

    def stop_direct(self, outbox: Outbox, /) -> None:
        """Write to this outbox through `Outbox.write` until its transport is empty again."""


class OutboxOwner(Protocol):
    """The connection of an outbox."""

    def write_failed(self) -> None:
        """Writing raised an exception."""

    def too_slow(self) -> None:
        """The client does not read what is sent to it."""


class Outbox:
    """The frames that one event-loop turn has for a connection, joined and written to its socket.

    `fd` is the socket's file descriptor, or -1 if only the transport may write (TLS, or closed). `ready` is False
    while the transport is paused or closed.
    """

    __slots__ = ("_buffered", "_direct", "_frames", "_owner", "_patience", "_queue", "_transport", "fd", "ready")

    def __init__(self, transport: Transport, fd: int, queue: FlushQueue, owner: OutboxOwner) -> None:
        self._transport = transport
        self._queue = queue
        self._owner: OutboxOwner | None = owner  # None when closed
        self._patience: asyncio.TimerHandle | None = None
        self._frames: bytes | list[bytes] | None = None
        self._buffered = True  # the transport's buffer may hold bytes, so the socket must not be written to directly
        self._direct: list[DirectWriter] = []  # groups that write to `fd` directly while nothing is buffered
        self.fd = fd
        self.ready = True

    def send(self, message: msgspec.Struct) -> None:
        """Send a message that must not be dropped; a client that does not read is disconnected instead."""
        if self.ready:
            self.write(encode_frame(message))
        elif self._owner is not None:
            if self._transport.get_write_buffer_size() > MAX_BUFFERED:
                self._owner.too_slow()
            else:
                self.flush()
                self.buffer(encode_frame(message))

    def write(self, frame: bytes) -> None:
        """Write a frame at the end of this turn; drop it if the connection does not keep up."""
        if self.ready:
            frames = self._frames
            if frames is None:
                self._frames = frame
                self._queue.add(self)
            elif isinstance(frames, bytes):
                self._frames = [frames, frame]
            else:
                frames.append(frame)

    def flush(self) -> None:
        """Write the frames of this turn now."""
        data = self.take()
        if data is not None:
            sent = write_one(self.fd, data)
            if sent != len(data):
                self.buffer(data[sent:])

    def take(self) -> bytes | None:
        """Remove and return the frames to write to `fd`; if the transport must write them, give them to it."""
        frames, self._frames = self._frames, None
        if frames is None:
            return None
        data = frames if isinstance(frames, bytes) else b"".join(frames)
        if (not self._buffered or self.unbuffered) and self.fd >= 0:
            return data
        self.buffer(data)
        return None

    @property
    def unbuffered(self) -> bool:
        """Whether the transport's buffer is empty, so that the socket itself may be written to."""
        if self._buffered and not self._transport.get_write_buffer_size():
            self._buffered = False
        return not self._buffered

    def buffer(self, data: bytes) -> None:
        """Write through the transport, which buffers what the socket does not take."""
        self.expect_buffered()
        self._transport.write(data)

    def expect_buffered(self) -> None:
        """The transport buffers bytes, or is about to, so the socket must not be written to directly."""
        if not self._buffered:
            self._buffered = True
            for group in tuple(self._direct):
                group.stop_direct(self)

    def start_direct(self, group: DirectWriter) -> None:
        """A group writes to `fd` directly from now on."""
        self._direct.append(group)

    def end_direct(self, group: DirectWriter) -> None:
        """A group no longer writes to `fd` directly."""
        self._direct.remove(group)

    # Backpressure.

    def pause(self) -> None:
        """The transport buffers too much: drop updates until it has drained."""
        self.ready = False
        if self._owner is not None:
            self._patience = asyncio.get_running_loop().call_later(SLOW_S, self._owner.too_slow)

    def resume(self) -> None:
        """The transport has drained."""
        self.ready = self._owner is not None
        self._forget_patience()

    def _forget_patience(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def fail(self) -> None:
        """Give up a connection to which writing has failed. P6: this concerns no other connection."""
        log.exception("writing to a connection failed")
        if self._owner is not None:
            self._owner.write_failed()

    @property
    def is_closed(self) -> bool:
        """Whether the connection is gone."""
        return self._owner is None

    def close(self) -> None:
        """The connection is gone: drop what waits."""
        self.ready = False
        self.fd = -1
        self._frames = None
        self._owner = None
        self._forget_patience()


class FlushQueue:
    """The outboxes of a node that have frames to write at the end of this event-loop turn."""

    def __init__(self) -> None:
        self._outboxes: list[Outbox] = []

    def add(self, outbox: Outbox) -> None:
        """Flush this outbox at the end of this turn."""
        if not self._outboxes:
            asyncio.get_running_loop().call_soon(self.flush)
        self._outboxes.append(outbox)

    def flush(self) -> None:
        """Write now, with one system call for all sockets whose transport is empty."""
        waiting, self._outboxes = self._outboxes, []
        outboxes: list[Outbox] = []
        pieces: list[bytes] = []
        for outbox in waiting:
            try:
                piece = outbox.take()
            except Exception:
                outbox.fail()
                continue
            if piece is not None:
                outboxes.append(outbox)
                pieces.append(piece)
        sizes = write_each([outbox.fd for outbox in outboxes], pieces)
        for number, sent in enumerate(sizes):
            if sent != len(pieces[number]):
                try:
                    outboxes[number].buffer(pieces[number][sent:])
                except Exception:
                    outboxes[number].fail()
