"""One pipelined connection to the store: everything asked in one turn of the event loop is one write.

While there is much to ask, everything asked in one millisecond is: fewer writes are fewer turns for both sides, which
are a good part of what a command costs.

redis-py costs ten times as much per command when commands come one by one from many callers
(docs/performance.md), so the hot path speaks the protocol itself, with hiredis packing and parsing. redis-py
is used where that does not matter: at start-up and in the command line.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
from collections import deque
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote, urlsplit

import hiredis

log = logging.getLogger("cheeseboard.store")

MANY = 4  # commands in one write and in the one before it, after which more are waited for
GATHER_S = 0.001  # how long
WORTH = 12  # commands that a write should have after that, or the wait was for nothing
VAIN = 3  # times in a row, after which it is not tried
REST = 30  # for so many writes

Answer = Any  # what hiredis makes of a reply; an error is a hiredis.ReplyError or a StoreLost
Then = Callable[[Answer], object]


class StoreLost(Exception):  # noqa: N818
    """The connection went away before the answer came: the command may or may not have been done."""


class Store(asyncio.Protocol):
    """A connection that comes back by itself. While it is away every call is answered with StoreLost."""

    MOST_WAITING = 100_000  # calls without an answer; more are answered StoreLost at once

    def __init__(self, url: str, on_push: Callable[[list[Any]], None] | None = None) -> None:
        self._url = urlsplit(url)
        self._transport: asyncio.Transport | None = None
        self._reader = hiredis.Reader(notEnoughData=Ellipsis)
        self._waiting: deque[Then] = deque()
        self._outgoing: list[bytes] = []
        self._many = False  # there was much to ask in the last write
        self._busy = False  # and in the one before it too, so that the next one waits for more
        self._vain = 0  # waits that were for nothing, in a row
        self._rest = 0  # writes that do not wait whatever there is to ask
        self._closed = False
        self._task: asyncio.Task[None] | None = None
        self._on_push = on_push
        self.on_back: Callable[[], None] | None = None
        self.on_lost: Callable[[], None] | None = None

    async def start(self) -> None:
        """Connect, and keep connected from now on; the first failure to connect is raised."""
        await self._connect()

    async def close(self) -> None:
        """Send what is waiting, then go."""
        self._closed = True
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        if self._transport:
            self._flush()
            self._transport.close()

    def send(self, then: Then, *command: str | bytes | int) -> None:
        """Send a command with others that are asked about now; `then` gets its answer, an exception included."""
        self.post(then, _pack(command))

    def post(self, then: Then, packed: bytes) -> None:
        """The same for a command that is packed already."""
        if self._transport is None or len(self._waiting) >= self.MOST_WAITING:
            asyncio.get_running_loop().call_soon(then, StoreLost("the store is not reachable"))
            return
        self._waiting.append(then)
        self._hold(packed)

    def tell(self, *command: str | bytes | int) -> None:
        """Send a command whose answer is pushed: subscribing and unsubscribing."""
        if self._transport is not None:
            self._hold(_pack(command))

    async def call(self, *command: str | bytes | int) -> Any:
        """The answer to a command; errors are raised."""
        answer = await self.ask(*command)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def ask(self, *command: str | bytes | int) -> asyncio.Future[Answer]:
        """The answer to a command, an exception included, without a task that waits for it."""
        future, then = _promise()
        self.send(then, *command)
        return future

    def _hold(self, packed: bytes) -> None:
        if not self._outgoing:
            loop = asyncio.get_running_loop()
            if self._busy:
                loop.call_later(GATHER_S, self._flush)
            else:
                loop.call_soon(self._flush)
        self._outgoing.append(packed)

    def _flush(self) -> None:
        if self._transport and self._outgoing:
            self._transport.write(b"".join(self._outgoing))
        count = len(self._outgoing)
        if self._busy:
            self._vain = 0 if count >= WORTH else self._vain + 1
            if self._vain == VAIN:
                self._vain, self._rest = 0, REST
        elif self._rest:
            self._rest -= 1
        many = count >= MANY
        self._busy, self._many = many and self._many and not self._rest, many
        self._outgoing.clear()

    async def _connect(self) -> None:
        """Connect; nobody else is heard before the store knows us and which of its databases is meant."""
        url = self._url
        loop = asyncio.get_running_loop()
        transport: asyncio.Transport
        if url.scheme == "unix":
            transport, _ = await loop.create_unix_connection(lambda: self, url.path)
        else:
            secure = ssl.create_default_context() if url.scheme == "rediss" else None
            host = url.hostname or "127.0.0.1"
            transport, _ = await loop.create_connection(lambda: self, host, url.port or 6379, ssl=secure)
        database = url.path.lstrip("/")
        try:
            if url.password:
                await self._greet(transport, "AUTH", unquote(url.username or "default"), unquote(url.password))
            if url.scheme != "unix" and database:
                await self._greet(transport, "SELECT", database)
        except BaseException:
            transport.abort()
            raise
        if transport.is_closing():
            raise StoreLost("the store went away at once")
        self._transport = transport

    async def _greet(self, transport: asyncio.Transport, *command: str) -> None:
        future, then = _promise()
        self._waiting.append(then)
        transport.write(_pack(command))
        answer = await future
        if isinstance(answer, Exception):
            raise answer

    async def _reconnect(self) -> None:
        pause_s = 0.05
        while not self._closed:
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, 1.0)
            try:
                await self._connect()
            except (OSError, StoreLost, hiredis.HiredisError) as fault:
                log.warning("the store is not reachable: %s", fault)
                continue
            log.info("the store is back")
            if self.on_back:
                self.on_back()
            return

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._reader = hiredis.Reader(notEnoughData=Ellipsis)

    def data_received(self, data: bytes) -> None:
        reader = self._reader
        reader.feed(data)
        while (answer := reader.gets()) is not Ellipsis:
            take = self._waiting.popleft() if self._on_push is None or not isinstance(answer, list) else self._on_push
            self._give(take, answer)

    def _give(self, take: Then, answer: Answer) -> None:
        try:
            take(answer)
        except Exception:  # P6: what goes wrong at one table stays there
            log.exception("an answer of the store could not be dealt with")

    def connection_lost(self, exc: Exception | None) -> None:
        was_up, self._transport = self._transport is not None, None
        self._outgoing.clear()
        lost, self._waiting = self._waiting, deque()
        for then in lost:
            self._give(then, StoreLost("the store went away before it answered"))
        if was_up and self.on_lost:
            self.on_lost()
        if was_up and not self._closed:
            log.warning("the connection to the store was lost")
            self._task = asyncio.get_running_loop().create_task(self._reconnect())


def _pack(command: tuple[str | bytes | int, ...]) -> bytes:
    packed: bytes = hiredis.pack_command(command)  # type: ignore[arg-type]  # any number of parts
    return packed


def _promise() -> tuple[asyncio.Future[Answer], Then]:
    """An answer that will come, and what is to be given it."""
    future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    def answered(answer: Answer) -> None:
        if not future.done():
            future.set_result(answer)

    return future, answered
