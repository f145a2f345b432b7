"""The bots that are connected to this node, and the messages that other nodes send them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Iterator
from typing import Any

import msgspec

from protocol.messages import Invited, Seated
from server.requests.accounts import Accounts
from server.requests.bot_tokens import Revoked
from server.requests.connected_users import cut_revoked
from server.requests.connection import Connection
from server.store import keys
from server.store.pubsub import PubSub
from server.tables.background import BackgroundTasks

decode = msgspec.msgpack.Decoder(Seated | Invited | Revoked).decode


class ConnectedBots:
    """Connections by bot. While a bot is connected, this node subscribes to its channel.

    `remind` is called with each connection that may have missed invitations, such as a new one.
    """

    def __init__(
        self, pubsub: PubSub, accounts: Accounts, remind: Callable[[Connection], Coroutine[Any, Any, None]]
    ) -> None:
        self._pubsub = pubsub
        self._accounts = accounts
        self._connections: dict[str, set[Connection]] = {}
        self._remind = remind
        self._tasks = BackgroundTasks()

    @property
    def users(self) -> Collection[str]:
        """The user ids of the connected bots."""
        return self._connections.keys()

    def __iter__(self) -> Iterator[Connection]:
        for connections in self._connections.values():
            yield from connections

    def register_bot(self, connection: Connection) -> None:
        """A bot has connected: deliver what is sent to it."""
        user = connection.account.id
        first = user not in self._connections
        self._connections.setdefault(user, set()).add(connection)
        if first:

            def on_message(payload: bytes) -> None:
                for one in tuple(self._connections.get(user, ())):
                    self._deliver(one, payload)

            def on_ready() -> None:  # what was sent before the subscription was missed
                for one in tuple(self._connections.get(user, ())):
                    self._catch_up(one)

            self._pubsub.subscribe(keys.user_channel(user), on_message, on_ready)
        else:
            self._catch_up(connection)

    def unregister_bot(self, connection: Connection) -> bool:
        """A connection of a bot is closed; returns whether it was the bot's last one here."""
        user = connection.account.id
        connections = self._connections.get(user)
        if connections is None or connection not in connections:
            return False
        connections.discard(connection)
        if not connections:
            del self._connections[user]
            self._pubsub.unsubscribe(keys.user_channel(user))
        return not connections

    def _deliver(self, connection: Connection, payload: bytes) -> None:
        message = decode(payload)
        if isinstance(message, Revoked):
            cut_revoked(connection)
        else:
            connection.send(message)

    def _catch_up(self, connection: Connection) -> None:
        self._tasks.spawn("checking a token", self._check_token(connection))
        self._tasks.spawn("repeating invitations", self._remind(connection))

    async def _check_token(self, connection: Connection) -> None:
        """Disconnect a bot whose token was revoked."""
        if not await self._accounts.is_known(connection.token):
            cut_revoked(connection)
