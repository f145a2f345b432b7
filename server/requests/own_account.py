"""A guest's own account: replacing its token, what is kept of the guest, and deleting the guest."""

from __future__ import annotations

import logging
from typing import Any

import msgspec

from protocol.codec import ProtocolError
from protocol.messages import Forget, Kept, Ok, Rotate
from server.requests.accounts import Accounts, token_key
from server.requests.bot_tokens import BotTokens
from server.requests.connected_users import ConnectedUsers, TokenChanged, cut_revoked
from server.requests.connection import Connection
from server.store import keys
from server.store.store import Store
from server.tables.background import BackgroundTasks
from server.tables.finished.personal_data import PersonalData

log = logging.getLogger("cheeseboard.accounts")


class OwnAccountRequests:
    """Answers rotate, kept and forget."""

    def __init__(self, store: Store, accounts: Accounts, bot_tokens: BotTokens, users: ConnectedUsers) -> None:
        self._store = store
        self._accounts = accounts
        self._bot_tokens = bot_tokens
        self._users = users
        self._personal = PersonalData(store)
        self._tasks = BackgroundTasks()
        self._may_be_lost = False
        self._storing = False

    def handlers(self) -> dict[type, Any]:
        """The requests that are answered here."""
        return {Rotate: self.rotate, Kept: self.kept, Forget: self.forget}

    async def rotate(self, connection: Connection, message: Rotate) -> None:
        """Give a guest a new token, and close the connections that use the old one."""
        _require_guest(connection)
        connection.token = await self._accounts.rotate(connection.account, connection.token)
        connection.send(Ok(id=message.id, token=connection.token))
        self._users.publish(TokenChanged(connection.account.id, token_key(connection.token)))

    async def kept(self, connection: Connection, message: Kept) -> None:
        """Send everything that is kept of a guest."""
        _require_guest(connection)
        user = connection.account.id
        blocked = await self._store.call("HGETALL", keys.user_blocks(user))
        tables = await self._store.call("SMEMBERS", keys.user_tables(user))
        games = await self._personal.games(user)
        kept = {
            "user": {"id": user, "name": connection.account.name},
            "bots": msgspec.to_builtins(await self._bot_tokens.of(user)),
            "blocked": [name.decode() for name in blocked[::2]],
            "tables": sorted(table.decode() for table in tables),
            "games": games,
            "remarks": await self._personal.remarks(user, games),
        }
        connection.send(Ok(id=message.id, kept=kept))

    async def forget(self, connection: Connection, message: Forget) -> None:
        """Delete a guest and their bots, and close all their connections."""
        _require_guest(connection)
        user = connection.account.id
        for bot in await self._bot_tokens.of(user):
            await self._bot_tokens.revoke(user, bot.user)
        await self._accounts.forget(connection.account, connection.token)
        await self._personal.erase(user)
        connection.send(Ok(id=message.id))
        self._users.publish(TokenChanged(user, ""))

    def check_all(self) -> None:
        """Close the connections whose token was replaced or deleted, because the news may have been missed."""
        self._tasks.spawn("checking tokens", self._check_all())

    async def _check_all(self) -> None:
        for connection in self._users.connections():
            account = connection.account
            if not account.bot and not await self._accounts.is_current(account.id, connection.token):
                cut_revoked(connection)

    def store_lost(self) -> None:
        """Store the accounts of connected guests again that the store may have lost.

        Otherwise these guests could sit down at tables, and would be somebody else at their next hello.
        """
        self._may_be_lost = True
        if not self._storing:
            self._storing = True
            self._tasks.spawn("storing lost accounts again", self._store_lost())

    async def _store_lost(self) -> None:
        try:
            while self._may_be_lost:  # also if the store has been away again meanwhile
                self._may_be_lost = False
                for connection in self._users.connections():
                    guest = connection.account
                    if not guest.bot and await self._accounts.store_again(guest, connection.token):
                        log.warning("the store had lost the account of a connected guest", extra={"user": guest.id})
        finally:
            self._storing = False


def _require_guest(connection: Connection) -> None:
    if connection.account.bot:
        raise ProtocolError("not_allowed", "the owner of a bot revokes its token")
