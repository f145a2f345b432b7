"""Fan-out: one frame for every outbox of a group, however many there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from server.delivery.batch_write import FdBatch
from server.delivery.outbox import FlushQueue, Outbox

DIRECT_MIN: Final = 8  # smaller groups are written to together with everything else of the event-loop turn


class BroadcastGroup:
    """Outboxes that get the same frames.

    A large group keeps the file descriptors of the outboxes whose transport is empty, and writes to these directly. It
    then touches no outbox: reading a thousand objects spread over memory would take a good part of the time that
    the writing takes.
    """

    __slots__ = ("_batch", "_direct", "_few", "_indirect", "_queue", "size")

    def __init__(self, queue: FlushQueue) -> None:
        self._queue = queue
        self._direct: dict[Outbox, int] = {}  # with the file descriptor
        self._indirect: dict[Outbox, None] = {}
        self._batch: FdBatch | None = None  # of the direct ones, until one is added or removed
        self._few: list[Outbox] | None = None  # all of them in a small group, until one is added or removed
        self.size = 0

    def add(self, outbox: Outbox) -> None:
        """Add an outbox."""
        self.stop_direct(outbox)
        self._few = None
        self._indirect[outbox] = None
        self.size = len(self._direct) + len(self._indirect)

    def remove(self, outbox: Outbox) -> None:
        """Remove an outbox, if it is in the group."""
        self.stop_direct(outbox)
        self._few = None
        self._indirect.pop(outbox, None)
        self.size = len(self._direct) + len(self._indirect)

    def stop_direct(self, outbox: Outbox) -> None:
        """Write to this outbox through `Outbox.write` until its transport is empty again."""
        if self._direct.pop(outbox, None) is not None:
            outbox.end_direct(self)
            self._batch = None
            self._indirect[outbox] = None

    def __contains__(self, outbox: Outbox) -> bool:
        return outbox in self._direct or outbox in self._indirect

    def __iter__(self) -> Iterator[Outbox]:
        yield from self._direct
        yield from self._indirect

    def write(self, frame: bytes) -> None:
        """Write a frame to all of them: a large group now, a small one at the end of this event-loop turn."""
        if self.size >= DIRECT_MIN:
            self._write_directly(frame)
            return
        if not self.size:
            return
        if self._few is None:
            self._few = list(self)
        for outbox in self._few:
            outbox.write(frame)

    def _write_directly(self, frame: bytes) -> None:
        self._queue.flush()  # earlier frames of this turn go first
        for outbox in tuple(self._indirect):
            if outbox.ready and outbox.unbuffered and outbox.fd >= 0:
                del self._indirect[outbox]
                self._direct[outbox] = outbox.fd
                outbox.start_direct(self)
                self._batch = None
        for outbox in self._indirect:
            outbox.write(frame)
        if self._batch is None:
            self._batch = FdBatch(tuple(self._direct.values()))
        for fd, sent in self._batch.write(frame):
            outbox = next(outbox for outbox, own in self._direct.items() if own == fd)
            outbox.buffer(frame[sent:])
