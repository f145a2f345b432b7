"""Changing one's name and picture."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from protocol.codec import ProtocolError
from protocol.messages import Ok, Rename
from server.requests.accounts import Account, Accounts
from server.requests.connected_users import ConnectedUsers, Renamed
from server.requests.connection import Connection
from server.tables.rooms.commands import awaitable
from server.tables.rooms.rooms import Rooms
from server.tables.rooms.service_clock import ServiceClock
from server.tables.state import decisions, names
from server.tables.state.decisions import Decision
from server.tables.state.table import Table

ACCOUNT_CHANGES = (
    "account_changes_per_minute",
    "address_account_changes_per_minute",
    "address_account_changes_per_hour",
)


class NameRequests:
    """Answers rename."""

    def __init__(self, accounts: Accounts, users: ConnectedUsers, rooms: Rooms, clock: ServiceClock) -> None:
        self._accounts = accounts
        self._users = users
        self._rooms = rooms
        self._clock = clock

    def handlers(self) -> dict[type, Any]:
        """The requests that are answered here."""
        return {Rename: self.rename}

    async def rename(self, connection: Connection, message: Rename) -> None:
        """Change the name and the picture of a person, also at the tables where they have a seat."""
        await self.change(connection, require_name(connection, message.name), message.avatar)
        connection.send(Ok(id=message.id))

    async def change(self, connection: Connection, name: str, avatar: str | None = None) -> None:
        """Give a person this name, which must be allowed, and this picture, if it is not None, everywhere."""
        shown = connection.account.avatar if avatar is None else avatar
        renamed = msgspec.structs.replace(connection.account, name=name, avatar=shown)
        await self._accounts.update(renamed, connection.token)
        self._users.publish(Renamed(renamed.id, name, shown))
        tables = await self._accounts.tables(renamed.id)
        await asyncio.gather(*(self._rename_seat(table, renamed) for table in tables))

    async def _rename_seat(self, table: str, renamed: Account) -> None:
        """Change the name at one table, if it may change there; the account has its new name in any case."""

        def judge(found: Table, at: int) -> Decision:
            return decisions.rename(found, renamed.id, renamed.name, renamed.avatar, at)

        command, result = awaitable(judge, self._clock.now())
        self._rooms.get(table).submit(command)
        await result


def require_name(connection: Connection, name: str) -> str:
    """The name as it is shown; refuses names that are not allowed, and bots, whose tokens have their names."""
    allowed = names.allowed_name(name)
    if connection.account.bot:
        raise ProtocolError("bad_name", "a bot keeps the name of its token", field="name")
    return allowed
