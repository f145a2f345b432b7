"""The answers of the store: replies, errors, and what means that it cannot be used now."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import hiredis

log = logging.getLogger("cheeseboard.store")

Answer = Any  # a reply as hiredis parses it; an error is a hiredis.ReplyError or a StoreLost
Then = Callable[[Answer], object]

# Errors of a store that cannot execute commands now, but will when it has loaded, been promoted or got memory,
# and of a cluster that moves slots.
AWAY = (
    *("READONLY", "LOADING", "MASTERDOWN", "NOREPLICAS", "MISCONF", "OOM", "BUSY "),
    *("CLUSTERDOWN", "TRYAGAIN", "MOVED ", "ASK "),
)
FUNCTION_MISSING = "Function not found"


class StoreLost(Exception):  # noqa: N818
    """The store did not execute the command, or the connection was lost before it answered."""


def is_away(answer: Answer) -> bool:
    """Whether an answer means that the store cannot be used now."""
    if isinstance(answer, hiredis.ReplyError):
        text = str(answer)
        return text.startswith(AWAY) or FUNCTION_MISSING in text
    return isinstance(answer, StoreLost)


def checked(answer: Answer) -> Any:
    """The answer to a command; errors are raised, and those of a store that is away as StoreLost."""
    if is_away(answer):
        raise StoreLost(str(answer))
    if isinstance(answer, Exception):
        raise answer
    return answer


def answer_future() -> tuple[asyncio.Future[Answer], Then]:
    """A future, and the callback that sets its result."""
    future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    def answered(answer: Answer) -> None:
        if not future.done():
            future.set_result(answer)

    return future, answered


def log_failure(what: str, answer: Answer) -> None:
    """Log a command that failed and whose answer nobody waits for."""
    if isinstance(answer, Exception):
        log.warning("store command failed (%s): %s", what, answer)


def pack(command: tuple[str | bytes | int, ...]) -> bytes:
    """A command in the wire format."""
    packed: bytes = hiredis.pack_command(command)  # type: ignore[arg-type]  # any number of parts
    return packed
