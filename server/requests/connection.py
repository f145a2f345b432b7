"""One client connection: decodes its requests, enforces its limits, and dispatches to the handlers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from protocol.codec import ProtocolError
from protocol.messages import (
    Advise,
    Appoint,
    Back,
    Bot,
    Change,
    ClientMessage,
    CloseTable,
    Configure,
    Consent,
    Create,
    Decline,
    Dismiss,
    History,
    Invite,
    Leave,
    Message,
    Move,
    Ok,
    PlayOn,
    Plays,
    Practice,
    Readmit,
    Remark,
    Rematch,
    Say,
    Scope,
    Sit,
    Start,
    Swap,
    ViewFile,
)
from protocol.session import Session
from server.delivery.frames import PING
from server.delivery.outbox import FlushQueue, Outbox, Transport
from server.metrics import Metrics
from server.requests.accounts import Account
from server.requests.limits.client_addresses import NO_LIMITS
from server.requests.limits.connection_rate import ConnectionRate
from server.requests.limits.limiter import Limiter, Requester
from server.requests.limits.limits import MAX_REFUSED, MAX_UNANSWERED
from server.store.answers import StoreLost
from server.tables.rooms.room import Room
from server.tables.rooms.sync import unavailable
from server.tables.rooms.viewpoint import Viewer

log = logging.getLogger("cheeseboard.connection")

REQUIRED_SCOPE: dict[type, Scope] = {
    **dict.fromkeys((Advise, Sit, Move, Back, Leave, Consent, Decline, Practice), "play"),
    **dict.fromkeys((Create, PlayOn, Rematch, Start, Bot, Invite), "create"),
    **dict.fromkeys((Dismiss, Readmit, Configure, Appoint, Change, Swap, CloseTable), "create"),
    **dict.fromkeys((Say, Remark), "talk"),
}
NOBODY = Account("", "")

ASIDES = "asides_per_minute", "address_asides_per_minute", "address_asides_per_hour"


class Socket(Protocol):
    """The websocket of a connection. `has_received` is whether a frame has come since it was last set to False."""

    transport: Transport
    has_received: bool

    def take_over(self, connection: Connection, /) -> int:
        """Deliver every event to this connection; returns the file descriptor, or -1 if only the transport writes."""

    def close_from_our_side(self, code: int, reason: str, /) -> None:
        """Send a close frame, and close the socket soon after."""


class Dispatcher(Protocol):
    """The handlers of requests, and the limits that they enforce."""

    limiter: Limiter

    def move(self, connection: Connection, message: Move, /) -> None: ...

    def handle(self, connection: Connection, message: Any, /) -> Coroutine[Any, Any, None] | None:
        """Handle a request now, or return a coroutine that does it."""

    def spawn(self, what: str, work: Coroutine[Any, Any, None], /) -> None:
        """Run a coroutine beside everything else."""

    def resumed(self, connection: Connection, /) -> None:
        """The connection keeps up again: send everything that it may have missed."""

    def closed(self, connection: Connection, /) -> None:
        """The connection is gone."""


class Connection:
    """A client. Requests are handled at once; only those that need the store first become tasks.

    `account` has an empty id before the client has said hello. `client_address` stands for the client in limits.
    `address` is the network address that it comes from, or empty. `feeds` are the tables that the client has open.
    """

    __slots__ = (
        "_dispatcher",
        "_metrics",
        "_on_closed",
        "_pinged",
        "_refused",
        "_requests",
        "_session",
        "_socket",
        "_unanswered",
        "account",
        "address",
        "client_address",
        "feeds",
        "outbox",
        "plays",
        "token",
        "viewer",
    )

    def __init__(
        self,
        socket: Socket,
        dispatcher: Dispatcher,
        queue: FlushQueue,
        metrics: Metrics,
        on_closed: Callable[[Connection], None],
    ) -> None:
        self._socket = socket
        self._dispatcher = dispatcher
        self._metrics = metrics
        self._on_closed = on_closed
        self._session = Session()
        limits = dispatcher.limiter.limits
        self._requests = ConnectionRate(limits["burst"], limits["requests_per_second"])
        self._refused = 0  # requests refused for their rate
        self._unanswered = 0  # moves that wait for an answer
        self._pinged = False
        self.account = NOBODY
        self.client_address = NO_LIMITS
        self.address = ""
        self.token = ""
        self.plays: Plays | None = None  # the invitations that a bot takes
        self.feeds: dict[str, Room] = {}
        self.outbox = Outbox(socket.transport, socket.take_over(self), queue, self)
        self.viewer = Viewer("", False, self.outbox)

    @property
    def is_closed(self) -> bool:
        """Whether the socket is closed."""
        return self.outbox.is_closed

    @property
    def requester(self) -> Requester:
        """The user and the address whose limits apply."""
        return Requester(self.account.id, self.client_address)

    def welcome(self, account: Account, token: str, patches: bool) -> None:
        """The client has said hello and may send all requests from now on."""
        self.account = account
        self.token = token
        self.viewer = Viewer(account.id, patches, self.outbox, self._ejected)
        self._session.welcome()

    def _ejected(self, table: str) -> None:
        """The client may no longer see this table."""
        self.feeds.pop(table, None)

    # Requests.

    def receive(self, data: bytes | str) -> None:
        """Handle a message of the client. Every request gets exactly one answer."""
        if isinstance(data, str):
            self.cut(1003, "frames are binary msgpack", "text")
            return
        try:
            message = self._session.receive(data)
        except ProtocolError as fault:
            self.refuse(None, fault)
            if self._session.too_many_faults:
                self.cut(4002, "too many frames that cannot be read", "faults")
            return
        try:
            if isinstance(message, Move) and "play" in self.account.scopes:
                self._move(message)
            elif self._within_limits(message):
                self._require_scope(message)
                work = self._dispatcher.handle(self, message)
                if work is not None:
                    self._dispatcher.spawn("a request", self._attempt(message.id, work))
        except ProtocolError as fault:
            self.refuse(message.id, fault)

    def _require_scope(self, message: ClientMessage) -> None:
        scope = REQUIRED_SCOPE.get(type(message))
        if scope is not None and scope not in self.account.scopes:
            raise ProtocolError("not_allowed", f"this token is not made to {scope}")

    def _within_limits(self, message: ClientMessage) -> bool:
        cost = 5 if isinstance(message, Create | PlayOn | Rematch | History | ViewFile) else 1
        wait = self._requests.spend(cost) or self._dispatcher.limiter.request_wait_ms(self.client_address, cost)
        if wait:
            self._refuse_rate(message.id, wait)
        return not wait

    def _refuse_rate(self, request: int, wait: int) -> None:
        """Refuse a request that came too fast; a client that ignores that is disconnected."""
        self._refused += 1
        self.refuse(request, ProtocolError("rate_limited", f"too many requests: wait {wait} ms", retry_after_ms=wait))
        if self._refused > MAX_REFUSED:
            self.cut(4008, "far too many requests", "flood")

    async def _attempt(self, request: int, work: Coroutine[Any, Any, None]) -> None:
        """Run the part of a request that needs the store; a failure becomes its answer."""
        try:
            await work
        except ProtocolError as fault:
            self.refuse(request, fault)
        except StoreLost:
            self.refuse(request, unavailable())
        except Exception:
            log.exception("a request failed")
            self.refuse(request, ProtocolError("internal", "this went wrong on our side"))

    # Moves.

    def _move(self, message: Move) -> None:
        wait = self._requests.wait_ms()
        if wait or self._unanswered >= MAX_UNANSWERED:
            self._refuse_rate(message.id, wait or 100)
            return
        self._unanswered += 1
        self._dispatcher.move(self, message)

    def move_done(self, request: int, n: int, again: bool, aside: bool, seconds: float) -> None:
        """Acknowledge a move. Repeated moves and asides count towards the limit of requests."""
        self._unanswered -= 1
        if again or aside:
            self._requests.charge(1)
        self.outbox.send(Ok(id=request, n=n, again=again))
        self._metrics.move_acknowledged(seconds)

    def move_failed(self, request: int, fault: ProtocolError) -> None:
        """Refuse a move, and further ones for a while if too many requests come from this address."""
        self._unanswered -= 1
        wait = self._dispatcher.limiter.request_wait_ms(self.client_address, 1)
        self._requests.charge(1)
        if wait:
            self._requests.exhaust(wait)
        self.refuse(request, fault)

    def count_aside(self) -> None:
        """Count an aside, which makes a log longer without advancing the game."""
        self._dispatcher.limiter.check(self.requester, *ASIDES)

    # Answers.

    def send(self, message: Message) -> None:
        """Send a message to this client."""
        self.outbox.send(message)

    def refuse(self, request: int | None, fault: ProtocolError) -> None:
        """Answer a request with an error."""
        self._metrics.errors.labels(fault.code).inc()
        self.outbox.send(fault.answer(request))

    def refuser(self, request: int) -> Callable[[ProtocolError], None]:
        """The function that answers this request with an error."""
        return lambda fault: self.refuse(request, fault)

    # The socket.

    def check_alive(self) -> None:
        """Ping a client that sent nothing since the last check; disconnect it if it was already pinged then."""
        if self._socket.has_received:
            self._socket.has_received = self._pinged = False
        elif self._pinged:
            self.cut(1011, "nothing was received, not even the answer to a ping", "silent")
        else:
            self._pinged = True
            self.outbox.write(PING)

    def cut(self, code: int, reason: str, why: str) -> None:
        """Disconnect the client; `why` is the label in the metrics."""
        self._metrics.cut.labels(why).inc()
        self.outbox.flush()
        self._socket.close_from_our_side(code, reason)

    def too_slow(self) -> None:
        """Disconnect a client that does not read."""
        self.cut(4003, "too slow to keep up: come back for a fresh view", "slow")

    def write_failed(self) -> None:
        """Disconnect a client that cannot be written to."""
        self.cut(1011, "this went wrong on our side", "internal")

    def writes_through_transport(self) -> None:
        """The transport is about to buffer bytes, so the socket must not be written to directly."""
        self.outbox.expect_buffered()

    def paused(self) -> None:
        """The client does not keep up."""
        self.outbox.pause()

    def resumed(self) -> None:
        """The client has read what was buffered for it."""
        self.outbox.resume()
        self._dispatcher.resumed(self)

    def closed(self) -> None:
        """The socket is closed."""
        self.outbox.close()
        for room in self.feeds.values():
            room.leave(self.viewer)
        self.feeds.clear()
        self._dispatcher.closed(self)
        self._on_closed(self)
