"""Asking the house's master for advice in a game against house bots."""

from __future__ import annotations

from typing import Any

from protocol.codec import ProtocolError
from protocol.messages import Advice, Advise
from server.requests.connection import Connection
from server.requests.limits.at_once import AtOnce
from server.requests.limits.limiter import Limiter
from server.requests.open_tables import open_table
from server.requests.table_commands import carry_out
from server.store.store import Store
from server.tables.rooms.advice import AdviceQueue, question
from server.tables.rooms.service_clock import ServiceClock
from server.tables.state.advice_decisions import advise, require_advice

RATES = "advice_per_minute", "address_advice_per_minute"


class AdviceRequests:
    """Answers advise."""

    def __init__(self, store: Store, limiter: Limiter, at_once: AtOnce, clock: ServiceClock) -> None:
        self._store = store
        self._queue = AdviceQueue(store)
        self._limiter = limiter
        self._at_once = at_once
        self._clock = clock

    def handlers(self) -> dict[type, Any]:
        """The requests that are answered here."""
        return {Advise: self.advise}

    async def advise(self, connection: Connection, message: Advise) -> None:
        """Ask the master what it would do, record that in the log, and then tell the answer."""
        user = connection.account.id
        if connection.account.bot:
            raise ProtocolError("not_allowed", "the master advises people, not bots")
        room, table = await open_table(connection, message.table, self._clock.now())
        seat = require_advice(table, user, message.ask)
        with self._at_once.counted(connection.client_address):
            self._limiter.check(connection.requester, *RATES)
            asked = await question(self._store, table, seat)
            move = await self._queue.ask(asked, self._clock.now())
        n, _ = await carry_out(room, lambda now, at: advise(now, user, message.ask, at), self._clock.now())
        connection.send(Advice(id=message.id, table=message.table, n=n, move=move))
