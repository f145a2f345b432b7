"""Writes to many sockets by one system call.

Linux takes a list of writes at once (io_submit). To sockets that do not block they are done one after the other before
it returns, and together they cost a fifth less than calls of their own. Where that is not to be had, they are
written one by one.
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from array import array
from collections.abc import Sequence
from functools import cache

AT_ONCE = 1024
FEW = 3  # writes that are not worth a list
NUMBERS = {"x86_64": (206, 208, 209), "aarch64": (0, 4, 2)}  # of the calls io_setup, io_getevents and io_submit
WORDS = 8  # of 64 bits for one write: nothing, nothing, what to do and the file, where it is, how much, nothing
PWRITE, PWRITEV = 1, 8  # what to do: a piece, or pieces that are listed elsewhere
INSIDE = bytes.__basicsize__ - 1  # where its content begins in a bytes object of CPython

_call = ctypes.CDLL(None, use_errno=True).syscall
_call.restype = ctypes.c_long
_done = (ctypes.c_int64 * (4 * AT_ONCE))()  # for each write: nothing, which, how much it took or its error, nothing
_results = memoryview(_done).cast("B").cast("q")


@cache
def _context() -> ctypes.c_ulong | None:
    """What the system keeps the writes of this process in, if it can."""
    known = NUMBERS.get(platform.machine()) if sys.platform == "linux" else None
    context = ctypes.c_ulong(0)
    if known is None or sys.implementation.name != "cpython" or _call(known[0], AT_ONCE, ctypes.byref(context)) != 0:
        return None
    return context


class Writes:
    """A list of writes as the system wants it."""

    def __init__(self, most: int) -> None:
        self.words = array("Q", bytes(8 * WORDS * most))
        begin = self.words.buffer_info()[0]
        self._list = array("Q", range(begin, begin + 8 * WORDS * most, 8 * WORDS))

    def do(self, context: ctypes.c_ulong, count: int) -> list[int]:
        """Do so many of them; how much each has taken, less than nothing for an error."""
        _, events, submit = NUMBERS[platform.machine()]
        took: list[int] = []
        while len(took) < count:
            first = ctypes.c_void_p(self._list.buffer_info()[0] + 8 * len(took))
            done: int = _call(submit, context, ctypes.c_long(min(AT_ONCE, count - len(took))), first)
            if done > 0:
                _call(events, context, ctypes.c_long(done), ctypes.c_long(done), _done, None)
                took += _results[2 : 4 * done : 4].tolist()
            else:  # the first of them cannot be written to in this way
                took.append(-1)
        return took


class Sockets:
    """Sockets that are all told the same, laid out once for many frames."""

    def __init__(self, files: Sequence[int]) -> None:
        self._files = files
        self._from = array("Q", (0, 0))  # where the frame is and how long, the same for all
        self._writes = Writes(len(files))
        place, words = self._from.buffer_info()[0], self._writes.words
        for number, file in enumerate(files):
            at = WORDS * number
            words[at + 2], words[at + 3], words[at + 4] = PWRITEV | file << 32, place, 1

    def write(self, frame: bytes) -> list[tuple[int, int]]:
        """Write to all of them; which files did not take all of it, and how much they took."""
        context = _context()
        if context is None:
            took = [write_one(file, frame) for file in self._files]
        else:
            self._from[0], self._from[1] = id(frame) + INSIDE, len(frame)
            took = self._writes.do(context, len(self._files))
        if took.count(len(frame)) == len(took):
            return []
        return [(file, max(0, sent)) for file, sent in zip(self._files, took, strict=True) if sent != len(frame)]


_each = Writes(AT_ONCE)


def write_each(files: list[int], pieces: list[bytes]) -> list[int]:
    """Write to each file a piece of its own; how much they took."""
    context = _context()
    if context is None or len(files) <= FEW:
        return [write_one(file, piece) for file, piece in zip(files, pieces, strict=True)]
    if len(files) > AT_ONCE:
        return write_each(files[:AT_ONCE], pieces[:AT_ONCE]) + write_each(files[AT_ONCE:], pieces[AT_ONCE:])
    words, at = _each.words, 2
    for file, piece in zip(files, pieces, strict=True):
        words[at], words[at + 1], words[at + 2] = PWRITE | (file & 0xFFFFFFFF) << 32, id(piece) + INSIDE, len(piece)
        at += WORDS
    return [max(0, sent) for sent in _each.do(context, len(files))]


def write_one(file: int, piece: bytes) -> int:
    """Write to one file; how much it took."""
    try:
        return os.write(file, piece)
    except OSError:  # it takes nothing now, or never again
        return 0
