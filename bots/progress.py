"""A progress bar with the time left, for commands that take minutes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable


def progress_bar(total: int, what: str) -> Callable[[int], None]:
    """Return a function that draws how many of `total` are done; it draws on a terminal only."""
    started = time.monotonic()

    def show(done: int) -> None:
        if not sys.stderr.isatty():
            return
        left_s = (time.monotonic() - started) / done * (total - done)
        bar = "#" * (30 * done // total)
        end = "\n" if done == total else ""
        sys.stderr.write(f"\r[{bar:<30}] {done}/{total} {what}, {_minutes(left_s)} left {end}")
        sys.stderr.flush()

    return show


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
