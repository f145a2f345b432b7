"""Everybody who has said hello on this node, people and bots."""

from __future__ import annotations

from protocol.messages import Plays
from server.requests.bot_directory import BotDirectory
from server.requests.connected_users import ConnectedUsers
from server.requests.connection import Connection


class ConnectedClients:
    """Adds a connection to the users, and that of a bot to the directory of bots."""

    def __init__(self, users: ConnectedUsers, bots: BotDirectory) -> None:
        self._users = users
        self._bots = bots

    def add(self, connection: Connection, plays: Plays | None) -> None:
        """A client has said hello; `plays` are the invitations that a bot takes."""
        self._users.add(connection)
        if connection.account.bot:
            self._bots.add(connection, plays)

    def remove(self, connection: Connection) -> None:
        """A connection is closed."""
        self._bots.remove(connection)
        self._users.remove(connection)
