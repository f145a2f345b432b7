"""Connections that are told the same, however many there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from server.sockets import Sockets

if TYPE_CHECKING:
    from server.connection import Connection

MANY = 8  # fewer are written to together with what else a turn of the event loop has for them


class Crowd:
    """Those who look from one seat, or as watchers, and get the same frames.

    Connections for which nothing waits are known by their sockets. To tell a thousand of them something none of them is
    looked at: to touch what belongs to each, all over the memory, takes a good part of what the writing takes.
    """

    __slots__ = ("_others", "_sockets", "clear", "size")

    def __init__(self) -> None:
        self.clear: dict[Connection, int] = {}
        self._others: dict[Connection, None] = {}
        self._sockets: Sockets | None = None  # of those that are clear, until one comes or goes
        self.size = 0

    def add(self, connection: Connection) -> None:
        """One more."""
        self.hold(connection)
        self._others[connection] = None
        self.size = len(self.clear) + len(self._others)

    def drop(self, connection: Connection) -> None:
        """One less, if it was one of them."""
        self.hold(connection)
        self._others.pop(connection, None)
        self.size = len(self.clear) + len(self._others)

    def hold(self, connection: Connection) -> None:
        """Something waits for this one: what it is told now must come after that."""
        if self.clear.pop(connection, None) is not None:
            self._sockets = None
            self._others[connection] = None

    def __contains__(self, connection: Connection) -> bool:
        return connection in self.clear or connection in self._others

    def __iter__(self) -> Iterator[Connection]:
        yield from self.clear
        yield from self._others

    def write(self, frame: bytes) -> None:
        """Write to all of them: to many at once, to few at the end of this turn of the loop."""
        if self.size >= MANY:
            self._write_to_many(frame)
            return
        for connection in self._others:
            connection.write(frame)
        if self.clear:
            for connection in self.clear:
                connection.write(frame)

    def _write_to_many(self, frame: bytes) -> None:
        next(iter(self)).hub.flush()  # whatever this turn has for them comes first
        for connection in tuple(self._others):
            if connection.ready and connection.clear and connection.file >= 0:
                del self._others[connection]
                self.clear[connection] = connection.file
                self._sockets = None
        for connection in self._others:
            connection.write(frame)
        if self._sockets is None:
            self._sockets = Sockets(tuple(self.clear.values()))
        for file, sent in self._sockets.write(frame):
            connection = next(one for one, its in self.clear.items() if its == file)
            connection.wait(frame[sent:])
