"""Fair turns: what a connection sends is handled in slices, and other connections get their turn between two slices."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from time import perf_counter
from typing import Protocol

log = logging.getLogger("cheeseboard.turns")

TURN_S = 0.002  # what all waiting connections together may use of one event-loop turn; one slice may exceed it


class Waiting(Protocol):
    """A connection that has sent more than one slice. It has paused reading.

    If it `ends_turn`, what it does goes on in a task: no other connection takes a turn in the same event-loop turn.
    """

    transport: asyncio.Transport
    ends_turn: bool

    def take_turn(self) -> bool:
        """Handle one slice; returns whether more is left."""


class Turns:
    """The connections of a node that have more to handle, served one slice each, in the order of their arrival.

    The queue is bounded by the number of connections: a connection waits in it once, and reads nothing meanwhile.
    """

    def __init__(self) -> None:
        self._waiting: deque[Waiting] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def wait(self, connection: Waiting) -> None:
        """Let this connection take a turn soon, but not in this event-loop turn."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._run)
        self._waiting.append(connection)

    def _run(self) -> None:
        waiting = self._waiting
        end = perf_counter() + TURN_S
        for _ in range(len(waiting)):
            connection = waiting[0]
            try:
                more = connection.take_turn()
            except Exception:  # P6: this concerns no other connection
                log.exception("handling what a connection sent failed")
                connection.transport.abort()
                more = False
            waiting.popleft()  # only now: `wait` schedules this method if it finds nobody waiting
            if more:
                waiting.append(connection)
            if connection.ends_turn or perf_counter() > end:
                break
        if waiting:
            asyncio.get_running_loop().call_soon(self._run)
