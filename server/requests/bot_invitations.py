"""The open invitations of bots: each counts as one of the bot's tables, and is repeated when the bot connects."""

from __future__ import annotations

import contextlib

from protocol.codec import ProtocolError
from server.requests.connection import Connection
from server.requests.table_commands import carry_out
from server.store import keys
from server.store.quotas import FULL, Place, Quotas, admission
from server.store.store import Store
from server.tables.rooms.bookkeeping import invite_holder
from server.tables.rooms.room import Room
from server.tables.rooms.rooms import Rooms
from server.tables.rooms.service_clock import ServiceClock
from server.tables.state import decisions
from server.tables.state.decisions import NOTHING, Decision
from server.tables.state.table import Table
from server.tables.state.table_info import invitation

INVITED_MS = 60_000  # an invitation that a bot does not answer counts for so long


class BotInvitations:
    """Counts, sends and repeats the invitations of bots."""

    def __init__(self, store: Store, quotas: Quotas, rooms: Rooms, clock: ServiceClock) -> None:
        self._store = store
        self._quotas = quotas
        self._rooms = rooms
        self._clock = clock

    async def claim(self, bot: str, table: str, most: int) -> bool:
        """Count an invitation until the bot answers it, at most for INVITED_MS; returns whether it is a new one.

        Refused if the bot plays at `most` tables, invitations included.
        """
        admitted = admission(await self._quotas.admit(self._clock.now(), (), _place(bot, table, most)))
        if admitted.status == FULL:
            text = "this bot plays at, or is invited to, as many tables as it takes: try again later"
            raise ProtocolError("bot_away", text, field="bot")
        return admitted.has_claim

    def release(self, bot: str, table: str) -> None:
        """Count an invitation no longer: it was answered, or came to nothing."""
        self._quotas.release(_place(bot, table))

    def send(self, bot: str, room: Room) -> None:
        """Invite a bot to the seat that is held for it."""
        invite_holder(self._store, room, bot)

    async def tables(self, bot: str) -> tuple[str, ...]:
        """The tables to which a bot is invited at present."""
        answer = await self._store.call("ZRANGEBYSCORE", keys.bot_invitations(bot), self._clock.now(), "+inf")
        return tuple(table.decode() for table in answer)

    async def remind(self, connection: Connection) -> None:
        """Repeat the open invitations of a bot that may have missed them (P44)."""
        if connection.plays is None:
            return
        for table in await self.tables(connection.account.id):
            with contextlib.suppress(ProtocolError):
                await self._remind(connection, self._rooms.get(table))

    async def _remind(self, connection: Connection, room: Room) -> None:
        await carry_out(room, _require_open, self._clock.now())
        invited = None if room.table is None else invitation(room.table, connection.account.id)
        if invited is not None:
            connection.send(invited)


def _require_open(table: Table, at: int) -> Decision:
    decisions.require_status(table, "open")
    return NOTHING


def _place(bot: str, table: str, most: int = 0) -> Place:
    """The claim that counts an open invitation as one of the bot's tables."""
    return Place(keys.user_tables(bot), table, most, keys.bot_invitations(bot), INVITED_MS)
