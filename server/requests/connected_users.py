"""The connections of this node by user, and the changes of users that all nodes must know at once."""

from __future__ import annotations

import logging
from collections.abc import Callable

import msgspec

from server.requests.accounts import token_key
from server.requests.connection import Connection
from server.store import keys
from server.store.pubsub import PubSub
from server.store.store import Store

log = logging.getLogger("cheeseboard.users")


class UserChange(msgspec.Struct, frozen=True, tag=True):
    """What changed about a user, for the nodes; no client receives it."""

    user: str


class Renamed(UserChange, frozen=True):
    """The user has another name or picture."""

    name: str
    avatar: str = ""


class BlocksChanged(UserChange, frozen=True):
    """The user blocks these users."""

    blocked: frozenset[str]


class TokenChanged(UserChange, frozen=True):
    """Only this token of the user is valid, known by the key of its account; none if that is empty."""

    valid: str


AnyChange = Renamed | BlocksChanged | TokenChanged
decode = msgspec.msgpack.Decoder(AnyChange).decode
encode = msgspec.msgpack.Encoder().encode


def cut_revoked(connection: Connection) -> None:
    """Disconnect a client whose token is no longer valid."""
    connection.cut(4004, "the token was taken back", "revoked")


class ConnectedUsers:
    """Finds the connections of a user, and applies the changes that other nodes publish."""

    def __init__(self, store: Store, pubsub: PubSub) -> None:
        self._store = store
        self._pubsub = pubsub
        self._connections: dict[str, set[Connection]] = {}

    def start(self, *catch_up: Callable[[], None]) -> None:
        """Listen to the changes. The functions `catch_up` are called when changes may have been missed."""

        def on_ready() -> None:
            for function in catch_up:
                function()

        self._pubsub.subscribe(keys.USERS, self._on_message, on_ready)

    def add(self, connection: Connection) -> None:
        """A user has said hello."""
        self._connections.setdefault(connection.account.id, set()).add(connection)

    def remove(self, connection: Connection) -> None:
        """A connection is closed."""
        user = connection.account.id
        connections = self._connections.get(user)
        if connections is not None:
            connections.discard(connection)
            if not connections:
                del self._connections[user]

    @property
    def users(self) -> tuple[str, ...]:
        """The users who are connected to this node."""
        return tuple(self._connections)

    def connections(self) -> list[Connection]:
        """All connections that have said hello."""
        return [one for connections in self._connections.values() for one in connections]

    def of(self, user: str) -> tuple[Connection, ...]:
        """The connections of this user to this node."""
        return tuple(self._connections.get(user, ()))

    def publish(self, change: AnyChange) -> None:
        """Apply a change on this node now, and on all others as soon as they hear of it."""
        self._apply(change)
        self._store.send_logged("publishing a change of a user", "SPUBLISH", keys.USERS, encode(change))

    def _on_message(self, payload: bytes) -> None:
        self._apply(decode(payload))

    def _apply(self, change: AnyChange) -> None:
        for connection in self.of(change.user):
            match change:
                case Renamed():
                    shown = {"name": change.name, "avatar": change.avatar}
                    connection.account = msgspec.structs.replace(connection.account, **shown)
                case BlocksChanged():
                    connection.viewer.blocked = change.blocked
                case TokenChanged():
                    if token_key(connection.token) != change.valid:
                        cut_revoked(connection)
