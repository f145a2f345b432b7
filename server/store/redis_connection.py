"""One pipelined connection to the store: all commands of one event-loop turn share one write.

Under load the connection waits a millisecond before it writes, so that more commands share the write: fewer system
calls for both sides. redis-py costs ten times as much per command when commands come one by one from many callers
(docs/performance.md), so the nodes speak the protocol themselves, with hiredis packing and parsing. redis-py
serves where speed does not matter: at start-up and in the command line.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Any, ClassVar

import hiredis
from redis.exceptions import RedisError

from server.store import fault_counts
from server.store.answers import Answer, StoreLost, Then, answer_future, checked, log_failure, pack
from server.store.rollback_guard import RollbackGuard
from server.store.store_server import StoreServer

log = logging.getLogger("cheeseboard.store")

BATCH_MIN = 4  # commands in each of two writes in a row, after which the next write waits for more
BATCH_WINDOW_S = 0.001  # how long it waits
BATCH_GOOD = 12  # commands that make the wait worth it
MAX_BAD_WAITS = 3  # this many useless waits in a row switch batching off
COOLDOWN_WRITES = 30  # for this many writes
DEADLINE_S = 2.0  # a connection that owes answers for so long without sending a byte is closed and opened again
PING_S = 5.0  # how often a connection without traffic is pinged
CHECK_S = 0.25
PING = pack(("PING",))
LATE_S = 0.05  # players who wait longer than this for an answer of the store get that time back (P5)
STALL_S = 0.25  # so long without an answer is counted as a stall
MAX_PAUSE_S = 0.2  # between attempts to connect: everybody waits for them


class BatchWindow:
    """Decides from the size of the last writes whether the next one waits for more commands."""

    def __init__(self) -> None:
        self.open = False
        self._last_was_large = False
        self._bad_waits = 0
        self._cooldown = 0

    def wrote(self, commands: int) -> None:
        """Record that a write had this many commands."""
        if self.open:
            self._bad_waits = 0 if commands >= BATCH_GOOD else self._bad_waits + 1
            if self._bad_waits == MAX_BAD_WAITS:
                self._bad_waits, self._cooldown = 0, COOLDOWN_WRITES
        elif self._cooldown:
            self._cooldown -= 1
        large = commands >= BATCH_MIN
        self.open = large and self._last_was_large and not self._cooldown
        self._last_was_large = large


class RedisConnection:
    """A connection that reconnects by itself. While it is down every call is answered with StoreLost.

    It has the methods of an asyncio protocol.
    """

    MAX_WAITING: ClassVar[int] = 100_000  # commands without an answer; further ones are answered StoreLost at once

    def __init__(
        self,
        server: StoreServer,
        on_push: Callable[[list[Any]], None] | None = None,
        guard: RollbackGuard | None = None,
    ) -> None:
        self.server = server
        self.address = server.address  # of the last attempt to connect
        self._transport: asyncio.Transport | None = None
        self._reader = hiredis.Reader(notEnoughData=Ellipsis)
        self._waiting: deque[Then] = deque()
        self._outgoing: list[bytes] = []
        self._window = BatchWindow()
        self.guard = guard or RollbackGuard()
        self._closed = False
        self._reconnecting: asyncio.Task[None] | None = None
        self._on_push = on_push
        self._heard_at = 0.0  # when the last bytes came, or when the first unanswered command was written
        self._down_since = 0.0  # when the store was last heard, if the connection was lost and is not up again
        self._overdue = 0  # how many checks in a row found the connection silent for too long
        self._checking: asyncio.TimerHandle | None = None
        self.on_reconnect: Callable[[], None] | None = None
        self.on_lost: Callable[[], None] | None = None
        self.on_rollback: Callable[[], None] | None = None
        self.on_refused: Callable[[str], None] | None = None  # called when the counter of a batch was refused
        self.on_stall: Callable[[float], object] | None = None  # called after so many seconds without an answer
        self.on_error: Callable[[str], None] | None = None  # called with the text of every error that is answered

    async def start(self) -> None:
        """Connect, and stay connected from now on. A failure of this first attempt is raised."""
        await self._connect()

    def start_soon(self) -> None:
        """Begin to connect, and stay connected from now on; `on_reconnect` is called when it is up."""
        self._reconnecting = asyncio.get_running_loop().create_task(self._reconnect(0))

    async def started(self) -> None:
        """Wait until a connection that was started soon is up."""
        if self._reconnecting:
            await asyncio.shield(self._reconnecting)

    @property
    def is_up(self) -> bool:
        """Whether commands are sent to the store."""
        return self._transport is not None

    def give_up(self) -> None:
        """Close the connection at once and connect again, because the server must not be used as it is."""
        if self._transport is not None:
            self._transport.abort()

    async def close(self) -> None:
        """Write the commands that wait, then close."""
        self.abandon()
        if self._reconnecting:
            with contextlib.suppress(asyncio.CancelledError):
                await self._reconnecting

    def abandon(self) -> None:
        """Write the commands that wait and close, without waiting for an attempt to connect to end."""
        self._closed = True
        if self._reconnecting:
            self._reconnecting.cancel()
        if self._transport:
            self._flush()
            self._transport.close()

    # Commands.

    def send(self, then: Then, *command: str | bytes | int) -> None:
        """Send a command with the others of this turn; `then` gets its answer, which may be an exception."""
        self.send_packed(then, pack(command))

    def send_packed(self, then: Then, packed: bytes) -> None:
        """Send a command that is already in the wire format."""
        if self._transport is None or len(self._waiting) >= self.MAX_WAITING:
            asyncio.get_running_loop().call_soon(then, StoreLost("the store is not reachable"))
            return
        self._waiting.append(then)
        if self._outgoing:
            self._outgoing.append(packed)
        else:
            self._enqueue(packed)

    def send_guarded(self, then: Then, packed: bytes) -> None:
        """Send a packed command that is answered with StoreLost if the store has lost earlier ones (RollbackGuard)."""
        self.guard.wanted = True
        self.send_packed(then, packed)

    def check_counter(self) -> None:
        """Count a batch, so that a store that has lost something is noticed while nobody moves."""
        if self._transport is not None and self.guard.counts and not self.guard.pending:
            self.send_guarded(partial(log_failure, "checking the write counter"), PING)

    def send_logged(self, what: str, *command: str | bytes | int) -> None:
        """Send a command whose answer nobody waits for; if it fails, log that `what` failed."""
        self.send_packed(partial(log_failure, what), pack(command))

    def send_subscription(self, *command: str | bytes | int) -> None:
        """Send SSUBSCRIBE or SUNSUBSCRIBE, whose answers arrive as pushed messages."""
        if self._transport is not None:
            self._enqueue(pack(command))

    async def call(self, *command: str | bytes | int) -> Any:
        """Return the answer to a command; errors are raised, and those of a store that is away as StoreLost."""
        return checked(await self.request(*command))

    def request(self, *command: str | bytes | int) -> asyncio.Future[Answer]:
        """Send a command now and return a future of its answer, which may be an exception."""
        future, then = answer_future()
        self.send(then, *command)
        return future

    def _enqueue(self, packed: bytes) -> None:
        if not self._outgoing:
            loop = asyncio.get_running_loop()
            if self._window.open:
                loop.call_later(BATCH_WINDOW_S, self._flush)
            else:
                loop.call_soon(self._flush)
        self._outgoing.append(packed)

    def _flush(self) -> None:
        if self._transport and self._outgoing:
            if len(self._waiting) == len(self._outgoing):
                self._heard_at = monotonic()
            if self.guard.wanted:
                if self.guard.waits:
                    self._waiting.append(_counter_answered)
                self._waiting.append(_guard_answered)
                self._outgoing.append(self.guard.increment())
            self._transport.write(b"".join(self._outgoing))
        self._window.wrote(len(self._outgoing))
        self._outgoing.clear()

    # The connection.

    async def _connect(self) -> None:
        """Connect and authenticate; commands are accepted only after that."""
        async with asyncio.timeout(self.server.connect_s):
            self._transport = await self._open()
        self._heard_at, self._overdue = monotonic(), 0
        self.report_downtime()
        self.guard.connected()
        self._check()

    async def _open(self) -> asyncio.Transport:
        self.address = address = await self.server.find()
        loop = asyncio.get_running_loop()
        transport: asyncio.Transport
        if address.path:
            transport, _ = await loop.create_unix_connection(self._protocol, address.path)
        else:
            transport, _ = await loop.create_connection(self._protocol, address.host, address.port, ssl=address.tls)
        try:
            if address.password:
                await self._handshake(transport, "AUTH", address.username, address.password)
            if address.database:
                await self._handshake(transport, "SELECT", str(address.database))
            await self.server.verify(partial(self._handshake, transport))
        except BaseException:
            transport.abort()
            raise
        if transport.is_closing():
            raise StoreLost("the store closed the connection at once")
        return transport

    def _protocol(self) -> Any:
        return self

    def _check(self) -> None:
        """Close a connection that owes an answer for too long, and ping one that has no traffic."""
        if self._transport is None:
            return
        silent_s = monotonic() - self._heard_at
        if silent_s > (DEADLINE_S if self._waiting else PING_S + DEADLINE_S):
            self._overdue += 1
            if self._overdue > 1:  # the first time this process itself may have been stopped
                log.warning("the store has not answered for %.1f s: reconnecting", silent_s)
                fault_counts.count("timeout")
                self._transport.abort()
                return
        elif silent_s > PING_S and not self._waiting and not self._outgoing:
            if self._on_push is None:
                self.send_logged("pinging the store", "PING")
            else:
                self.send_subscription("PING")  # answered by a push, or by PONG before the first subscription
        self._checking = asyncio.get_running_loop().call_later(CHECK_S, self._check)

    async def _handshake(self, transport: asyncio.Transport, *command: str) -> Answer:
        future, then = answer_future()
        self._waiting.append(then)
        transport.write(pack(command))
        answer = await future
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def _reconnect(self, pause_s: float = 0.05) -> None:
        logged = ""
        while not self._closed:
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s or 0.05, MAX_PAUSE_S)
            try:
                await self._connect()
            except (OSError, StoreLost, RedisError, hiredis.HiredisError) as fault:
                if str(fault) != logged:
                    logged = str(fault)
                    log.warning("cannot reach the store, will be retried: %s", logged)
                continue
            log.info("reconnected to the store")
            if self.on_reconnect:
                self.on_reconnect()
            return

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._reader = hiredis.Reader(notEnoughData=Ellipsis, replyError=self._error)

    def _error(self, text: str) -> Exception:
        """Make the exception of an error. Only errors get here, so no other answer has to be inspected."""
        if self.on_error is not None:
            self._call_back(self.on_error, text)
        return hiredis.ReplyError(text)

    def report_downtime(self) -> None:
        """The server can be used again, or another one has taken its place."""
        down_since, self._down_since = self._down_since, 0.0
        if down_since:
            self._stalled(monotonic() - down_since)

    def _stalled(self, seconds: float) -> None:
        if self.on_stall is not None:
            if seconds > STALL_S:
                fault_counts.count("stall")
            self.on_stall(seconds)

    def data_received(self, data: bytes) -> None:
        now = monotonic()
        if now - self._heard_at > LATE_S and self._waiting and self._transport:
            self._stalled(now - self._heard_at)
        self._heard_at, self._overdue = now, 0
        waiting, guard, on_push = self._waiting, self.guard, self._on_push
        self._reader.feed(data)
        read = self._reader.gets
        while (answer := read()) is not Ellipsis:
            if on_push is not None and (not waiting or (isinstance(answer, list) and self._transport)):
                self._call_back(on_push, answer)  # before the connection is up, a list is an answer
                continue
            then = waiting.popleft()
            if not guard.pending:
                self._call_back(then, answer)
            elif then is _guard_answered:
                self._release(answer)
            else:
                guard.held.append((then, answer))

    def _release(self, answer: Answer) -> None:
        """The end of a guarded batch is answered: if it passes, callers get the answers that were held back."""
        guard = self.guard
        held, guard.held = guard.held, []
        counter = held.pop()[1] if guard.waits else answer
        if isinstance(counter, Exception):
            self._refused(str(counter))
            refusal = StoreLost(f"the store refuses writes: {counter}")
            held = [(then, found if isinstance(found, Exception) else refusal) for then, found in held]
        elif not guard.passes(counter):
            log.error("the store has lost commands that it had executed: %s", counter)
            fault_counts.count("rollback")
            if self.on_rollback:
                self.on_rollback()
            held = [(then, StoreLost("the store has lost earlier commands")) for then, _ in held]
        elif guard.waits and not guard.is_replicated(answer):
            log.warning("no replica has confirmed %d commands", len(held))
            held = [(then, StoreLost("no replica of the store has confirmed this")) for then, _ in held]
        for then, found in held:
            self._call_back(then, found)

    def _refused(self, error: str) -> None:
        """The counter of a batch was refused."""
        if self.guard.refused():
            log.warning("the store refuses writes: %s", error)
        if self.on_refused:
            self.on_refused(error)

    def _call_back(self, then: Then, answer: Answer) -> None:
        try:
            then(answer)
        except Exception:  # P6: a failure at one table must not disturb the others
            log.exception("handling an answer of the store failed")

    def eof_received(self) -> None:
        """The store sends nothing more: the transport closes the connection."""

    def pause_writing(self) -> None:
        """Nothing waits for the store to read: MAX_WAITING bounds what is written."""

    def resume_writing(self) -> None:
        """See `pause_writing`."""

    def connection_lost(self, exc: Exception | None) -> None:
        was_up, self._transport = self._transport is not None, None
        if was_up:
            self._down_since = self._heard_at if self._waiting else monotonic()
        if self._checking is not None:
            self._checking.cancel()
        self._outgoing.clear()
        before = self._waiting
        lost, self._waiting = [then for then, _ in self.guard.reset()], deque()
        lost += before
        for then in lost:
            self._call_back(then, StoreLost("the connection to the store was lost before it answered"))
        if was_up and self.on_lost:
            self.on_lost()
        if was_up and not self._closed:
            log.warning("lost the connection to the store")
            fault_counts.count("lost")
            self._reconnecting = asyncio.get_running_loop().create_task(self._reconnect())


def _guard_answered(answer: Answer) -> None:
    """Marks the end of a guarded batch among the waiting commands."""


def _counter_answered(answer: Answer) -> None:
    """Marks the place of a counter that a WAIT follows."""
