"""The tables that a connection has open."""

from __future__ import annotations

from protocol.codec import ProtocolError
from server.requests.connection import Connection
from server.tables.rooms.commands import awaitable, only_read
from server.tables.rooms.room import Room
from server.tables.rooms.sync import unavailable
from server.tables.state.table import Table


async def open_table(connection: Connection, table: str, now: int) -> tuple[Room, Table]:
    """The room and the table of a feed of this connection.

    While the store was away the node may have forgotten the table; then its log is read. Raises ProtocolError if the
    connection has no such feed, or if the table cannot be read.
    """
    room = connection.feeds.get(table)
    if room is None:
        raise ProtocolError("not_open_here", "open the table first", field="table")
    if room.table is None:
        command, result = awaitable(only_read, now)
        room.submit(command)
        fault = await result
        if fault is not None:
            raise fault
    if room.table is None:
        raise unavailable()
    return room, room.table
