"""The store as the rest of the service uses it: commands find their server by their key.

A store is one server (single_store.py) or a cluster of primaries, each of which serves some of the slots (keys.py says
which keys share one). So a command or function may only use keys of one slot, whatever the store is.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Sequence
from functools import partial
from typing import Any

from server.store.answers import Answer, StoreLost, Then, answer_future, checked, is_away, log_failure
from server.store.durability import Durability
from server.store.redis_connection import RedisConnection

RETRY_S = 0.5  # between the attempts to send a command that has to be carried out
MAX_TRIES = 120  # of such a command, then it is given up

Part = str | bytes | int
Shards = Container[int]


class Store(ABC):
    """Sends commands to the server that serves their key.

    `on_unverified` is called with the shards whose tables must be compared with their logs, because the store may have
    lost entries. `on_back` is called with shards that can be used again, and of which something may have been missed.
    `on_moved` is called when keys or channels are served by other servers than before. `on_rollback` is called when a
    server was seen to have lost commands, though the connection to it stayed up. `on_stalled` is called after so many
    seconds in which a server has not answered.
    """

    def __init__(self, durability: Durability) -> None:
        self.waits = durability == "replica"  # appends are confirmed by a replica before they are answered
        self.on_unverified: Callable[[Shards], object] = lambda shards: None
        self.on_back: Callable[[Shards], object] = lambda shards: None
        self.on_moved: Callable[[], object] = lambda: None
        self.on_rollback: Callable[[], object] = lambda: None
        self.on_stalled: Callable[[float], object] = lambda seconds: None

    @abstractmethod
    async def start(self) -> None:
        """Connect, and stay connected from now on. A failure of this first attempt is raised."""

    @abstractmethod
    async def close(self) -> None:
        """Write the commands that wait, then close."""

    @abstractmethod
    def connections(self) -> Sequence[RedisConnection]:
        """The connections to all servers that take writes."""

    @abstractmethod
    def connection(self, key: str) -> RedisConnection:
        """The connection to the server that serves this key or sharded channel."""

    @abstractmethod
    def of_table(self, table: str) -> RedisConnection:
        """The connection to the server that serves the keys of this table."""

    @abstractmethod
    def group(self, names: Iterable[str]) -> list[list[str]]:
        """These keys in groups, each of which a single function call may use."""

    @abstractmethod
    def refresh_soon(self) -> None:
        """A server has refused a key or channel: find out which server has it."""

    def check_counters(self) -> None:
        """See whether a server has lost commands, though nobody sends any."""
        for connection in self.connections():
            connection.check_counter()

    # Commands.

    @abstractmethod
    def send(self, then: Then, *command: Part) -> None:
        """Send a command with the others of this turn; `then` gets its answer, which may be an exception."""

    @abstractmethod
    def _send_guarded(self, then: Then, *command: Part) -> None:
        """Send a command whose answer waits for a replica."""

    def send_confirmed(self, then: Then, *command: Part) -> None:
        """Send a command. At durability `replica`, its answer arrives when a replica has everything that it reports."""
        if self.waits:
            self._send_guarded(then, *command)
        else:
            self.send(then, *command)

    def send_logged(self, what: str, *command: Part) -> None:
        """Send a command whose answer nobody waits for; if it fails, log that `what` failed."""
        self.send(partial(log_failure, what), *command)

    def send_until_done(self, what: str, *command: Part, tries: int = MAX_TRIES) -> None:
        """Send a command that changes nothing if it is carried out twice, and again while the store is away."""

        def answered(answer: Answer) -> None:
            if is_away(answer) and tries > 1:
                again = partial(self.send_until_done, what, *command, tries=tries - 1)
                asyncio.get_running_loop().call_later(RETRY_S, again)
            else:
                log_failure(what, answer)

        self.send(answered, *command)

    def request(self, *command: Part) -> asyncio.Future[Answer]:
        """Send a command now and return a future of its answer, which may be an exception."""
        future, then = answer_future()
        self.send(then, *command)
        return future

    async def call(self, *command: Part) -> Any:
        """Return the answer to a command; errors are raised, and those of a store that is away as StoreLost."""
        return checked(await self.request(*command))

    async def ping(self) -> None:
        """Raise StoreLost if no server answers."""
        answers = await asyncio.gather(*(connection.request("PING") for connection in self.connections()))
        if all(isinstance(answer, Exception) for answer in answers):
            raise StoreLost("the store does not answer")
