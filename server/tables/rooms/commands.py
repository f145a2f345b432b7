"""Commands: what a room is asked to do, and who gets the answer; and the commit that a command leads to."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from time import perf_counter
from typing import Protocol

import msgspec

from protocol.codec import ProtocolError
from protocol.messages import Move
from server.tables.state import decisions
from server.tables.state.deadlines import SeatDeadlines, seat_deadlines
from server.tables.state.decisions import NOTHING, Decision
from server.tables.state.entries import Entry, Moved
from server.tables.state.local_struct import LocalStruct
from server.tables.state.table import EntryWithEvents, Table

log = logging.getLogger("cheeseboard.tables")

# Refusals that depend on entries which this node may not have heard of: the log is read before one is sent.
STATUS_REFUSALS = ("not_open", "not_running", "not_ended")
SEAT_REFUSALS = ("not_seated", "not_invited", "not_host", "seat_taken", "seated_already", "table_full")
MAYBE_STALE = frozenset((*STATUS_REFUSALS, *SEAT_REFUSALS))
Judge = Callable[[Table, int], Decision]
MAX_ECHO = 200  # characters of a refused move that the error repeats
MAX_DECODED = 500  # bytes of a refused move that is decoded for that: no game has a larger one, and some take long


class Command(Protocol):
    """A request to a table.

    `judge` returns the entries to append, or nothing if the table only has to be up to date. Exactly one of `done` and
    `failed` is called, once. `key` identifies a command that is sent again. A table that has not reached entry
    `min_entry`, which the sender has seen, is read again before it judges.
    """

    @property
    def at(self) -> int: ...
    @property
    def key(self) -> tuple[str, str] | None: ...
    @property
    def min_entry(self) -> int: ...

    def judge(self, table: Table, at: int, /) -> Decision: ...

    def done(self, n: int, entry: Entry | None, again: bool, /) -> object:
        """The command's last entry is entry n.

        `entry` is None if nothing was appended; `again` is True if the command had been carried out before.
        """

    def failed(self, fault: ProtocolError, /) -> object:
        """The command was refused, or its result is unknown because the store did not answer."""


class Commit(LocalStruct, frozen=True):
    """Entries on their way to the log, and the tables after each of them.

    `deadlines` are those of the last table. `decided` is the last entry that the command asked for; entries that follow
    from it come after it.
    """

    tables: list[Table]
    steps: Decision
    deadlines: SeatDeadlines
    decided: EntryWithEvents
    command: Command | None


class FunctionCommand(LocalStruct, frozen=True):
    """A command made of functions."""

    judge: Judge
    done: Callable[[int, Entry | None, bool], object]
    failed: Callable[[ProtocolError], object]
    at: int
    key: tuple[str, str] | None = None
    min_entry: int = 0


class MoveClient(Protocol):
    """The sender of a move."""

    def count_aside(self) -> None:
        """Count an aside, or raise ProtocolError if there are too many."""

    def move_done(self, request: int, n: int, again: bool, aside: bool, seconds: float, /) -> None: ...
    def move_failed(self, request: int, fault: ProtocolError, /) -> None: ...


class MoveCommand(LocalStruct, frozen=True):
    """A player's move."""

    client: MoveClient
    message: Move
    user: str
    at: int
    key: tuple[str, str] | None
    min_entry: int
    began: float

    def judge(self, table: Table, at: int) -> Decision:
        """Decide on the move; a refusal tells the author how much time is left."""
        try:
            decision = decisions.move(table, self.user, self.message, at)
            entry = decision[0].entry
            if isinstance(entry, Moved) and entry.aside:
                self.client.count_aside()
            return decision
        except ProtocolError as fault:
            seat = table.seat_of(self.user)
            deadline = None if seat is None else seat_deadlines(table).get(seat)
            if deadline is not None:
                fault.more["left_ms"] = max(0, deadline - at)
            raise

    def done(self, n: int, entry: Entry | None, again: bool) -> None:
        """Acknowledge the move."""
        aside = isinstance(entry, Moved) and entry.aside
        self.client.move_done(self.message.id, n, again, aside, perf_counter() - self.began)

    def failed(self, fault: ProtocolError) -> None:
        """Refuse the move, and repeat what was sent."""
        fault.more["sent"] = _echo(self.message.move)
        self.client.move_failed(self.message.id, fault)


def _echo(raw: msgspec.Raw) -> str:
    """The start of a move as it was sent; in hex, if it cannot be decoded or is larger than any move."""
    sent = bytes(raw)
    try:
        text = repr(msgspec.msgpack.decode(sent)) if len(sent) <= MAX_DECODED else sent[:MAX_ECHO].hex()
    except (msgspec.DecodeError, RecursionError, ValueError):
        text = sent.hex()
    return text if len(text) <= MAX_ECHO else text[: MAX_ECHO - 3] + "..."


def only_read(table: Table, at: int) -> Decision:
    """The judge of commands that only need the table to be up to date."""
    return NOTHING


def unawaited(what: str, table: str, judge: Judge, at: int) -> FunctionCommand:
    """A command whose result nobody waits for; a refusal is logged, and `what` names the command there."""

    def failed(fault: ProtocolError) -> None:
        log.info("%s was refused: %s", what, fault, extra={"table": table})

    return FunctionCommand(judge, lambda n, entry, again: None, failed, at)


def awaitable(judge: Judge, at: int) -> tuple[FunctionCommand, asyncio.Future[ProtocolError | None]]:
    """A command and a future of its result: None if it was carried out, the refusal otherwise."""
    future: asyncio.Future[ProtocolError | None] = asyncio.get_running_loop().create_future()

    def finish(fault: ProtocolError | None) -> None:
        if not future.done():
            future.set_result(fault)

    return FunctionCommand(judge, lambda n, entry, again: finish(None), finish, at), future
