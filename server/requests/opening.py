"""Opening tables: new ones, and those of rematches."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from protocol.codec import ProtocolError
from protocol.messages import Create, Ok, Rematch
from server.requests import chat_history
from server.requests.connected_bots import ConnectedBots
from server.requests.connection import Connection
from server.requests.open_tables import open_table
from server.requests.seating import SeatingRequests
from server.requests.table_commands import answer_of_command, carry_out
from server.requests.table_opener import TableOpener, house_bots, sat
from server.store.store import Store
from server.tables.background import BackgroundTasks
from server.tables.rooms.bookkeeping import invite_holder
from server.tables.rooms.commands import only_read
from server.tables.rooms.room import Room
from server.tables.rooms.service_clock import ServiceClock
from server.tables.state import decisions, host_decisions, rematches
from server.tables.state.decisions import Decision, Sitter
from server.tables.state.entries import Entry, Held, Opened, Sat
from server.tables.state.local_struct import replace
from server.tables.state.table import Table

log = logging.getLogger("cheeseboard.seating")

CLOSE_TRIES = 60  # attempts to close the new table of a rematch that was not recorded, while the store is away
CLOSE_EVERY_S = 1.0


class OpeningRequests:
    """Answers create and rematch."""

    def __init__(
        self,
        store: Store,
        opener: TableOpener,
        connected: ConnectedBots,
        seating: SeatingRequests,
        clock: ServiceClock,
    ) -> None:
        self._store = store
        self._opener = opener
        self._connected = connected
        self._seating = seating
        self._clock = clock
        self._tasks = BackgroundTasks()

    def handlers(self) -> dict[type, Any]:
        """The requests that are answered here."""
        return {Create: self.create, Rematch: self.rematch}

    async def create(self, connection: Connection, message: Create) -> None:
        """Open a table, sit down at it, and fill and start it if that is wanted, all in one commit."""
        account, seated = connection.account, message.seat is not None
        if message.seat is not None and message.seat >= message.seats:
            raise ProtocolError("bad_field", f"the table has seats 0 to {message.seats - 1}", field="seat")
        opened = self._opener.entry(connection, message)
        reserved = await self._opener.reserve(connection, seated, message.bots is not None and not seated)

        def done(n: int, entry: Entry | None, again: bool) -> None:
            connection.send(Ok(id=message.id, table=reserved.table, code=reserved.code, n=n))

        entries: list[Entry] = []
        if message.seat is not None:
            entries.append(sat(account, message.seat, opened.at, message.salt))
        if message.bots is not None:
            entries += house_bots(reserved.table, opened, {message.seat: account.id}, message.bots, self._connected)
        self._opener.open(reserved, opened, entries, done, connection.refuser(message.id))

    async def rematch(self, connection: Connection, message: Rematch) -> None:
        """Open the next table for the same seats and record it on this one; later requests join that table."""
        old, before = await open_table(connection, message.table, self._clock.now())
        account = connection.account
        decisions.require_status(before, "ended")
        if before.owned_seat(account.id) is None:
            raise ProtocolError("not_seated", "only those who played can ask for a rematch")
        sitter, table = replace(account.sitter(), salt=message.salt), before.rematch
        if table is None:
            here = {*old.presence_reports.seats(self._clock.now()), *old.viewers.seats_here(before)}
            host = rematches.next_host(before, account.id, here, connection.viewer.blocked)
            opened = self._opener.entry_again(connection, before, message, host)
            table = await self._open_rematch(connection, old, before, opened, sitter)
        await self._seating.sit_at(connection, message.id, table, None, sitter)

    async def _open_rematch(
        self, connection: Connection, old: Room, before: Table, opened: Opened, sitter: Sitter
    ) -> str:
        """Open the table of a rematch, record it on the old table, and return the one that is recorded there."""
        seats = rematches.same_seats(before, opened, sitter, connection.viewer.blocked)
        reserved = await self._opener.reserve(connection, seated=True)
        table, now = reserved.table, opened.at
        await chat_history.carry_over(self._store, old.id, table)
        entries = [*host_decisions.same_rules(before, now), *seats]
        answer, done, failed = answer_of_command()
        new = self._opener.open(reserved, opened, entries, done, failed)
        await answer  # the two tables may be on two servers, which answer in any order
        try:
            await carry_out(old, lambda found, at: rematches.record_rematch(found, table, opened.game, at), now)
        finally:
            if _rematch_of(old) != table:  # another request was faster, or the result of this one is unknown
                self._tasks.spawn("closing an unrecorded rematch", self._close_unrecorded(old, new))
        first = _rematch_of(old)
        if first in (None, table):
            self._invite_held(new, seats)
        return first or table

    async def _close_unrecorded(self, old: Room, new: Room) -> None:
        """Close the table of a rematch unless the old table names it; while the store is away, try again."""
        for _ in range(CLOSE_TRIES):
            try:
                await carry_out(old, only_read, self._clock.now())
                if _rematch_of(old) != new.id:
                    await carry_out(new, _close_rematch, self._clock.now())
                return
            except ProtocolError as fault:
                log.warning("a rematch could not be closed, will be retried: %s", fault, extra={"table": new.id})
            await asyncio.sleep(CLOSE_EVERY_S)

    def _invite_held(self, room: Room, seats: list[Sat | Held]) -> None:
        """Invite the users for whom seats are held; only bots receive that (P44)."""
        for seat in seats:
            if isinstance(seat, Held):
                invite_holder(self._store, room, seat.user)


def _rematch_of(room: Room) -> str | None:
    return None if room.table is None else room.table.rematch


def _close_rematch(table: Table, at: int) -> Decision:
    """Close the table of a rematch that the old table does not name; against house bots alone it may already run."""
    return decisions.close(table, "another rematch was first", at, "open", "running")
