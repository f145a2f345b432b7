"""How many connections a node takes: bounds on those that have not finished a request, and on all of them together."""

from __future__ import annotations

import asyncio
import logging
import resource
from collections import Counter
from time import monotonic
from typing import Protocol

from server.requests.limits.client_addresses import network_address

log = logging.getLogger("cheeseboard.admission")

MAX_UNFINISHED = 256  # connections that wait for a request or have sent a part of one
MAX_FILES = 65_536  # file descriptors that a node asks the system for
OWN_FILES = 96  # file descriptors for everything that is not a connection
SPARE = 32  # connections above the limit that are read far enough to be refused, or to be told of the node's health
LOG_S = 10  # refusals are logged at most this often


class Newcomer(Protocol):
    """A connection that has not finished a request, or whose answer is not read yet. `client` is its host and port."""

    transport: asyncio.Transport
    client: tuple[str, int] | None


class Admission:
    """Counts connections. `max_connections` bounds those that are served, websockets included."""

    def __init__(self, max_connections: int) -> None:
        self.max_connections = max_connections
        self._unfinished: dict[Newcomer, str] = {}  # with their addresses, the one that has waited longest first
        self._waiting: Counter[str] = Counter()  # how many of them each address has
        self._refused = 0  # since the last log line
        self._log_after = 0.0

    def begin(self, newcomer: Newcomer, connections: int) -> None:
        """Count a connection that waits for a request.

        If too many wait, the oldest one of the address that has most of them is closed: whoever opens many connections
        closes their own, and not the one over which somebody loads the page slowly.
        """
        self.finish(newcomer)
        address = network_address(newcomer.client[0]) if newcomer.client else ""
        self._unfinished[newcomer] = address
        self._waiting[address] += 1
        if len(self._unfinished) > MAX_UNFINISHED or connections > self.max_connections + SPARE:
            most = max(self._waiting, key=self._waiting.__getitem__)
            oldest = next(one for one, where in self._unfinished.items() if where == most)
            self.finish(oldest)
            oldest.transport.abort()
            self.log_refusal("too many connections have not finished their request")

    def finish(self, newcomer: Newcomer) -> None:
        """The request is complete, or the connection is gone."""
        address = self._unfinished.pop(newcomer, None)
        if address is not None:
            self._waiting[address] -= 1
            if not self._waiting[address]:
                del self._waiting[address]

    def log_refusal(self, reason: str) -> None:
        """Count a refused connection, and log the count at most once in LOG_S."""
        self._refused += 1
        now = monotonic()
        if now >= self._log_after:
            log.warning("refused %d connections: %s", self._refused, reason)
            self._refused, self._log_after = 0, now + LOG_S


def max_connections() -> int:
    """The number of connections for which this process has file descriptors."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(limit // 4, limit - OWN_FILES - SPARE)


def raise_file_limit() -> None:
    """Ask the system for as many file descriptors as it allows, up to MAX_FILES."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
