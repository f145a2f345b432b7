"""Batch writes: one system call writes to many sockets.

Linux accepts a list of writes in one call (`io_submit`). If the sockets are non-blocking, the kernel performs the
writes in order before the call returns. Together they cost a fifth less than one call for each socket.

The kernel's structures (`iocb` and `io_event` in linux/aio_abi.h) are laid out by hand. So before the first batch, a
check writes to sockets of its own and compares what arrives. If the check fails, or the system has no such call, each
socket is written to by a call of its own.
"""

from __future__ import annotations

import ctypes
import errno
import logging
import os
import platform
import socket
import sys
from array import array
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from functools import cache
from typing import Final

log = logging.getLogger("cheeseboard.batch_write")

MAX_WRITES: Final = 1024  # in one system call
FEW: Final = 3  # up to this many writes, single calls are cheaper than a batch
SYSCALLS = {"x86_64": (206, 208, 209), "aarch64": (0, 4, 2)}  # the numbers of io_setup, io_getevents and io_submit
IOCB_WORDS: Final = 8  # of 64 bits: data, key, opcode with the fd in the upper half, address, length, offset, two more
EVENT_WORDS: Final = 4  # of 64 bits: data, address of the iocb, result, a second result
PWRITE: Final = 1  # an opcode: write one buffer
PWRITEV: Final = 8  # an opcode: write the buffers in a list of addresses and lengths
BYTES_OFFSET = bytes.__basicsize__ - 1  # where the content begins in a bytes object of CPython; tests plant a wrong one

_syscall = ctypes.CDLL(None, use_errno=True).syscall
_syscall.restype = ctypes.c_long
_events = (ctypes.c_int64 * (EVENT_WORDS * MAX_WRITES))()
_event_words = memoryview(_events).cast("B").cast("q")


class BatchFault(Exception):  # noqa: N818
    """The kernel did not do what this module expects of it."""


class Kernel:
    """The context in which the kernel keeps the batches of this process, and the numbers of the calls."""

    def __init__(self) -> None:
        setup, self.get_events, self.submit = SYSCALLS[platform.machine()]
        self.context = ctypes.c_ulong(0)
        if _syscall(setup, MAX_WRITES, ctypes.byref(self.context)) != 0:
            raise BatchFault(f"io_setup: {os.strerror(ctypes.get_errno())}")


class WriteList:
    """A list of writes in the layout of the kernel, filled by the caller."""

    def __init__(self, size: int) -> None:
        self.words = array("Q", bytes(8 * IOCB_WORDS * size))
        begin = self.words.buffer_info()[0]
        self._addresses = array("Q", range(begin, begin + 8 * IOCB_WORDS * size, 8 * IOCB_WORDS))

    def write(self, kernel: Kernel, count: int) -> list[int]:
        """Perform the first `count` writes; the bytes that each fd accepted, negative for an error."""
        accepted: list[int] = []
        while len(accepted) < count:
            first = ctypes.c_void_p(self._addresses.buffer_info()[0] + 8 * len(accepted))
            limit = ctypes.c_long(min(MAX_WRITES, count - len(accepted)))
            done: int = _syscall(kernel.submit, kernel.context, limit, first)
            if done > 0:
                number = ctypes.c_long(done)
                if _syscall(kernel.get_events, kernel.context, number, number, _events, None) != done:
                    raise BatchFault(f"io_getevents did not return the {done} completions of a batch")
                accepted += _event_words[2 : EVENT_WORDS * done : EVENT_WORDS].tolist()
            else:  # the kernel refused the first of the remaining writes, for example because its fd is closed
                accepted.append(-1)
        return accepted


class FdBatch:
    """Sockets that all get the same frames, laid out once for many frames."""

    def __init__(self, fds: Sequence[int]) -> None:
        self._fds = fds
        self._buffer = array("Q", (0, 0))  # the address and the length of the frame, one buffer for all writes
        self._writes = WriteList(len(fds))
        buffer, words = self._buffer.buffer_info()[0], self._writes.words
        for number, fd in enumerate(fds):
            at = IOCB_WORDS * number
            words[at + 2], words[at + 3], words[at + 4] = PWRITEV | (fd & 0xFFFFFFFF) << 32, buffer, 1

    def write(self, frame: bytes) -> list[tuple[int, int]]:
        """Write the frame to all fds; those that did not accept all of it, and how many bytes they accepted."""
        kernel = _kernel()
        accepted = [write_one(fd, frame) for fd in self._fds] if kernel is None else self.write_with(kernel, frame)
        if accepted.count(len(frame)) == len(accepted):
            return []
        return [(fd, max(0, sent)) for fd, sent in zip(self._fds, accepted, strict=True) if sent != len(frame)]

    def write_with(self, kernel: Kernel, frame: bytes) -> list[int]:
        """Write the frame to all fds in one batch; the bytes that each accepted, negative for an error."""
        self._buffer[0], self._buffer[1] = id(frame) + BYTES_OFFSET, len(frame)
        return self._writes.write(kernel, len(self._fds))


_each = WriteList(MAX_WRITES)


def write_each(fds: list[int], pieces: list[bytes]) -> list[int]:
    """Write to each fd a piece of its own; how many bytes each accepted."""
    kernel = _kernel()
    if kernel is None or len(fds) <= FEW:
        return [write_one(fd, piece) for fd, piece in zip(fds, pieces, strict=True)]
    if len(fds) > MAX_WRITES:
        head, rest = (
            write_each(fds[:MAX_WRITES], pieces[:MAX_WRITES]),
            write_each(fds[MAX_WRITES:], pieces[MAX_WRITES:]),
        )
        return head + rest
    return [max(0, sent) for sent in _write_each_with(kernel, fds, pieces)]


def _write_each_with(kernel: Kernel, fds: list[int], pieces: list[bytes]) -> list[int]:
    words, end = _each.words, IOCB_WORDS * len(fds)
    words[2:end:IOCB_WORDS] = array("Q", [PWRITE | (fd & 0xFFFFFFFF) << 32 for fd in fds])
    words[3:end:IOCB_WORDS] = array("Q", [id(piece) + BYTES_OFFSET for piece in pieces])
    words[4:end:IOCB_WORDS] = array("Q", [len(piece) for piece in pieces])
    return _each.write(kernel, len(fds))


def write_one(fd: int, piece: bytes) -> int:
    """Write to one fd; how many bytes it accepted, 0 if it accepts nothing now or never again."""
    try:
        return os.write(fd, piece)
    except OSError:
        return 0


@cache
def _kernel() -> Kernel | None:
    """The kernel's batch writes, checked once; None if they cannot be used here."""
    python, system = sys.implementation.name, sys.platform
    if python != "cpython" or system != "linux" or platform.machine() not in SYSCALLS or sys.maxsize < 2**32:
        log.info("no batch writes: %s on %s %s is not supported", python, system, platform.machine())
        return None
    try:
        kernel = Kernel()
        _check(kernel)
    except (BatchFault, OSError) as fault:
        log.warning("no batch writes, each socket is written to by a call of its own: %s", fault)
        return None
    return kernel


def _check(kernel: Kernel) -> None:
    """Write batches of both kinds to sockets of our own: sizes, order, a partial write and errors are as expected."""
    for same in (True, False):
        with ExitStack() as stack:
            (whole, whole_far), (gone, gone_far), (last, last_far) = (_pair(stack) for _ in range(3))
            (small, small_far), (full, _) = (_pair(stack, small=True) for _ in range(2))
            gone_far.close()
            with suppress(BlockingIOError):
                for _ in range(1000):
                    full.send(bytes(1000))
            fds = [whole.fileno(), -1, gone.fileno(), small.fileno(), full.fileno(), last.fileno()]
            pieces = [bytes(range(number, number + 200)) * (100 + number) for number in range(len(fds))]
            if same:
                pieces = [pieces[0]] * len(fds)
                accepted = FdBatch(fds).write_with(kernel, pieces[0])
            else:
                accepted = _write_each_with(kernel, fds, pieces)
            part = accepted[3]
            expected = [len(pieces[0]), -1, -errno.EPIPE, part, -errno.EAGAIN, len(pieces[5])]
            if accepted != expected or not 0 < part < len(pieces[3]):
                raise BatchFault(f"results {accepted} instead of {expected}")
            for far, piece in ((whole_far, pieces[0]), (small_far, pieces[3][:part]), (last_far, pieces[5])):
                if _received(far, len(piece) + 1) != piece:
                    raise BatchFault("other bytes arrived than were written")


def _pair(stack: ExitStack, small: bool = False) -> tuple[socket.socket, socket.socket]:
    """Two connected sockets that do not block; a small one buffers only a few thousand bytes."""
    near, far = socket.socketpair()
    for end in (near, far):
        stack.enter_context(end)
        end.setblocking(False)
    if small:
        near.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    return near, far


def _received(far: socket.socket, limit: int) -> bytes:
    """What has arrived, up to a limit."""
    parts: list[bytes] = []
    with suppress(BlockingIOError):
        while (left := limit - sum(map(len, parts))) and (part := far.recv(left)):
            parts.append(part)
    return b"".join(parts)
