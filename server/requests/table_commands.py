"""Commands that requests submit to tables, and their answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from protocol.codec import ProtocolError
from protocol.messages import Ok
from server.requests.connection import Connection
from server.tables.rooms.commands import FunctionCommand, Judge
from server.tables.rooms.room import Room
from server.tables.rooms.rooms import Rooms
from server.tables.state.entries import Entry

Done = Callable[[int, Entry | None, bool], object]
Failed = Callable[[ProtocolError], object]


async def carry_out(room: Room, judge: Judge, now: int) -> tuple[int, bool]:
    """Submit a command; returns its entry and whether it was carried out before, or raises its refusal."""
    result, done, failed = answer_of_command()
    room.submit(FunctionCommand(judge, done, failed, now))
    return await result


def answer_of_command() -> tuple[asyncio.Future[tuple[int, bool]], Done, Failed]:
    """A future with the entry of a command and whether it was carried out before, and the callbacks that set it."""
    result: asyncio.Future[tuple[int, bool]] = asyncio.get_running_loop().create_future()

    def done(n: int, entry: Entry | None, again: bool) -> None:
        if not result.done():
            result.set_result((n, again))

    def failed(fault: ProtocolError) -> None:
        if not result.done():
            result.set_exception(fault)

    return result, done, failed


def submit_request(connection: Connection, request: int, rooms: Rooms, table: str, judge: Judge, now: int) -> None:
    """Submit a request to a table and answer it with the result."""
    room = connection.feeds.get(table) or rooms.get(table)

    def done(n: int, entry: Entry | None, again: bool) -> None:
        connection.send(Ok(id=request, table=table, n=n, again=again))

    room.submit(FunctionCommand(judge, done, connection.refuser(request), now))
