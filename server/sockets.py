"""One frame to many sockets by one system call.

Linux takes a list of writes at once (io_submit). To sockets that do not block they are all done when it returns, and
together they cost a fifth less than calls of their own. Where that is not to be had, they are written one by one.
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
NUMBERS = {"x86_64": (206, 208, 209), "aarch64": (0, 4, 2)}  # of the calls io_setup, io_getevents and io_submit
WORDS = 8  # of 64 bits for one write: its number, nothing, what to do and the file, where the pieces are, how many
PWRITEV = 8

_call = ctypes.CDLL(None, use_errno=True).syscall
_call.restype = ctypes.c_long
_done = (ctypes.c_int64 * (4 * AT_ONCE))()  # for each write: which, where, how much it took or its error, nothing
_results = memoryview(_done).cast("B").cast("q")


@cache
def _context() -> ctypes.c_ulong | None:
    """What the system keeps the writes of this process in, if it can."""
    known = NUMBERS.get(platform.machine()) if sys.platform == "linux" else None
    context = ctypes.c_ulong(0)
    if known is None or _call(known[0], AT_ONCE, ctypes.byref(context)) != 0:
        return None
    return context


class Sockets:
    """The files of sockets that do not block, laid out for the system."""

    def __init__(self, files: Sequence[int]) -> None:
        self._files = files
        self._from = array("Q", (0, 0))  # where the frame is and how long, the same for all
        words = array("Q", bytes(8 * WORDS * len(files)))
        place = self._from.buffer_info()[0]
        for number, file in enumerate(files):
            at = WORDS * number
            words[at], words[at + 2], words[at + 3], words[at + 4] = number, PWRITEV | file << 32, place, 1
        self._words = words
        begin = words.buffer_info()[0]
        self._list = array("Q", range(begin, begin + 8 * WORDS * len(files), 8 * WORDS))

    def write(self, frame: bytes) -> list[tuple[int, int]]:
        """Write to all of them; which files did not take all of it, and how much they took."""
        context = _context()
        short: list[tuple[int, int]] = []
        if context is None:
            for file in self._files:
                sent = _write_one(file, frame)
                if sent != len(frame):
                    short.append((file, sent))
            return short
        self._from[0] = ctypes.cast(ctypes.c_char_p(frame), ctypes.c_void_p).value or 0
        self._from[1] = len(frame)
        done = 0
        while done < len(self._files):
            taken = self._submit(context, done, short, len(frame))
            if taken == 0:  # the first of them cannot be written to at all
                short.append((self._files[done], 0))
            done += taken or 1
        return short

    def _submit(self, context: ctypes.c_ulong, done: int, short: list[tuple[int, int]], size: int) -> int:
        """The next writes of the list; how many were taken up."""
        _, events, submit = NUMBERS[platform.machine()]
        first = ctypes.c_void_p(self._list.buffer_info()[0] + 8 * done)
        taken = _call(submit, context, ctypes.c_long(min(AT_ONCE, len(self._files) - done)), first)
        if taken <= 0:
            return 0
        _call(events, context, ctypes.c_long(taken), ctypes.c_long(taken), _done, None)
        if _results[2 : 4 * taken : 4].tolist().count(size) != taken:
            for at in range(0, 4 * taken, 4):
                if _results[at + 2] != size:
                    short.append((self._files[_results[at]], max(0, _results[at + 2])))
        return int(taken)


def _write_one(file: int, frame: bytes) -> int:
    """How much of it the socket took."""
    try:
        return os.write(file, frame)
    except OSError:
        return 0
