"""Which handler answers which request."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from time import perf_counter
from typing import Any, Protocol

import msgspec

from protocol.messages import Block, Bots, Forget, Kept, Move, Rename, Rotate, Tokens, Unblock
from server.requests.connected_clients import ConnectedClients
from server.requests.connection import Connection
from server.requests.limits.limiter import Limiter
from server.requests.names import ACCOUNT_CHANGES
from server.requests.tables import TableRequests
from server.tables.background import BackgroundTasks
from server.tables.rooms.commands import MoveCommand
from server.tables.rooms.rooms import Rooms
from server.tables.rooms.service_clock import ServiceClock

BOT_LISTS = "bot_lists_per_minute", "address_bot_lists_per_minute"  # a list takes hundreds of commands of the store
RATES: dict[type, tuple[str, ...]] = {  # limits that are only a rate
    **dict.fromkeys((Block, Forget, Rename, Rotate, Unblock), ACCOUNT_CHANGES),
    **dict.fromkeys((Bots, Tokens), BOT_LISTS),
    Kept: ("kept_per_hour", "address_kept_per_hour"),
}

Handler = Callable[[Connection, Any], Coroutine[Any, Any, None] | None]


class HandlerGroup(Protocol):
    """A class that answers several requests."""

    def handlers(self) -> dict[type, Handler]:
        """The handler of each type of request."""


class RequestHandlers:
    """Dispatches requests by their type (Dispatcher). A later group of `others` replaces handlers of an earlier one."""

    def __init__(
        self,
        rooms: Rooms,
        clock: ServiceClock,
        limiter: Limiter,
        clients: ConnectedClients,
        tables: TableRequests,
        kept_note: Callable[[Connection, str], str | None],
        others: Sequence[HandlerGroup],
    ) -> None:
        self.limiter = limiter
        self._rooms = rooms
        self._clock = clock
        self._tables = tables
        self._clients = clients
        self._kept_note = kept_note
        self._handlers: dict[type, Handler] = {}
        for group in (tables, *others):
            self._handlers.update(group.handlers())
        self._tasks = BackgroundTasks()

    def move(self, connection: Connection, message: Move) -> None:
        """Submit a move to its table, with its note as it is kept."""
        if message.note:
            message = msgspec.structs.replace(message, note=self._kept_note(connection, message.note))
        room = connection.feeds.get(message.table) or self._rooms.get(message.table)
        user = connection.account.id
        key = user, message.key
        room.submit(MoveCommand(connection, message, user, self._clock.now(), key, message.ask, perf_counter()))

    def handle(self, connection: Connection, message: Any) -> Coroutine[Any, Any, None] | None:
        """Handle any other request."""
        rates = RATES.get(type(message))
        if rates is not None:
            self.limiter.check(connection.requester, *rates)
        return self._handlers[type(message)](connection, message)

    def spawn(self, what: str, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine beside everything else."""
        self._tasks.spawn(what, work)

    def resumed(self, connection: Connection) -> None:
        """Send everything again that a slow client may have missed."""
        self._tables.refresh(connection)

    def closed(self, connection: Connection) -> None:
        """Forget a connection."""
        self._tables.closed(connection)
        self._clients.remove(connection)
