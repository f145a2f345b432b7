"""The practice pool: bots that want a game meet at the table that waits for players."""

from __future__ import annotations

import contextlib
from typing import Any

from protocol.codec import ProtocolError
from protocol.messages import Create, Ok, Practice
from server.requests.connection import Connection
from server.requests.seating import SeatingRequests
from server.requests.table_commands import answer_of_command, carry_out
from server.requests.table_opener import TableOpener, sat
from server.store import keys
from server.store.store import Store
from server.tables.rooms.rooms import Rooms
from server.tables.rooms.service_clock import ServiceClock
from server.tables.state import decisions
from server.tables.state.decisions import Decision
from server.tables.state.table import Table

MAX_TRIES = 20


class PracticePool:
    """Answers practice."""

    def __init__(
        self,
        store: Store,
        rooms: Rooms,
        opener: TableOpener,
        seating: SeatingRequests,
        clock: ServiceClock,
    ) -> None:
        self._store = store
        self._rooms = rooms
        self._opener = opener
        self._seating = seating
        self._clock = clock

    def handlers(self) -> dict[type, Any]:
        """The requests that are answered here."""
        return {Practice: self.practice}

    async def practice(self, connection: Connection, message: Practice) -> None:
        """Sit down at the table that waits for players, or open the next one."""
        if not connection.account.bot:
            raise ProtocolError("not_allowed", "the practice pool is for bots: make a token for yours")
        user = connection.account.id
        create = Create(id=message.id, game=message.game, seats=message.seats, speed="blitz", public=True)
        key, tried = keys.practice_pool(message.game, message.seats), ""
        for _ in range(MAX_TRIES):
            waiting = await self._store.call("GET", key)
            if waiting is not None and waiting.decode() != tried:
                tried = waiting.decode()
                if await self._sit(connection, tried):
                    connection.send(Ok(id=message.id, table=tried))
                    return
            table = await self._open(connection, create)
            chosen = (await self._store.call("FCALL", "replace_practice_table", 1, key, tried, table)).decode()
            if chosen == table:
                connection.send(Ok(id=message.id, table=table))
                return
            await self._leave(table, user)
        raise ProtocolError("busy", "it is busy right now: try again", retry_after_ms=500)

    async def _open(self, connection: Connection, create: Create) -> str:
        """Open a table with the bot on its first seat."""
        opened = self._opener.entry(connection, create)
        reserved = await self._opener.reserve(connection, seated=True)
        answer, done, failed = answer_of_command()
        self._opener.open(reserved, opened, (sat(connection.account, 0, opened.at),), done, failed)
        await answer
        return reserved.table

    async def _sit(self, connection: Connection, table: str) -> bool:
        """Whether the bot got a seat at this table."""
        sitter = connection.account.sitter()

        def judge(found: Table, at: int) -> Decision:
            decisions.require_status(found, "open")  # also if the bot has a seat there
            return decisions.sit(found, sitter, None, at)

        try:
            await self._seating.take_seat(connection, table, judge)
        except ProtocolError as fault:
            if fault.code == "too_many_tables":
                raise
            return False
        return True

    async def _leave(self, table: str, user: str) -> None:
        """Leave a table that is not needed, because another bot's table waits in the pool."""

        def judge(found: Table, at: int) -> Decision:
            return decisions.leave(found, user, at)

        with contextlib.suppress(ProtocolError):
            await carry_out(self._rooms.get(table), judge, self._clock.now())
