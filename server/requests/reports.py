"""Reports to the operator about users, with the last lines of chat. docs/operations.md says how to read them."""

from __future__ import annotations

import logging
from typing import Any

import msgspec

from protocol.codec import ProtocolError
from protocol.messages import Chat, Ok, Report
from server.requests.connection import Connection
from server.requests.limits.limiter import Limiter
from server.requests.open_tables import open_table
from server.store import keys
from server.store.store import Store
from server.tables.rooms.commands import awaitable
from server.tables.rooms.room import Room
from server.tables.rooms.service_clock import ServiceClock
from server.tables.state import names
from server.tables.state.decisions import NOTHING, Decision
from server.tables.state.table import Table

log = logging.getLogger("cheeseboard.reports")

MAX_KEPT = 500  # reports; the oldest go first
KEPT_S = 30 * 24 * 3600
LINES = 20  # of chat in a report
RATES = "reports_per_hour", "address_reports_per_hour"


class StoredReport(msgspec.Struct, frozen=True):
    """A report as the store keeps it."""

    at: int
    table: str
    game: str
    by: str
    by_name: str
    about: str
    about_name: str
    text: str
    lines: tuple[Chat, ...]
    origin: str = ""  # the hashed address of the user whom it is about, for a ban


class Reports:
    """Keeps and lists reports."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def last_lines(self, table: str) -> list[Chat]:
        """The last lines of chat at a table."""
        lines = await self._store.call("LRANGE", keys.table_chat(table), -LINES, -1)
        return [msgspec.msgpack.decode(line, type=Chat) for line in lines]

    async def origin(self, user: str) -> str:
        """The hashed address from which a user last came, or an empty text."""
        kept = await self._store.call("GET", keys.user_origin(user))
        return "" if kept is None else str(kept.decode())

    async def add(self, report: StoredReport) -> None:
        """Keep a report."""
        payload = msgspec.msgpack.encode(report)
        await self._store.call("XADD", keys.REPORTS, "MAXLEN", MAX_KEPT, "*", "r", payload)
        await self._store.call("XTRIM", keys.REPORTS, "MINID", report.at - KEPT_S * 1000)
        await self._store.call("EXPIRE", keys.REPORTS, KEPT_S)

    async def all(self) -> list[StoredReport]:
        """All reports that are kept, the oldest first."""
        answer = await self._store.call("XRANGE", keys.REPORTS, "-", "+")
        return [msgspec.msgpack.decode(fields[1], type=StoredReport) for _, fields in answer]

    async def clear(self) -> None:
        """Forget all reports."""
        await self._store.call("DEL", keys.REPORTS)


class ReportRequests:
    """Answers report."""

    def __init__(self, reports: Reports, limiter: Limiter, clock: ServiceClock) -> None:
        self._reports = reports
        self._limiter = limiter
        self._clock = clock

    def handlers(self) -> dict[type, Any]:
        """The requests that are answered here."""
        return {Report: self.report}

    async def report(self, connection: Connection, message: Report) -> None:
        """Keep a report about a user who is or was at this table."""
        now, account = self._clock.now(), connection.account
        room, table = await open_table(connection, message.table, now)
        lines = await self._reports.last_lines(table.id)
        name = await _fresh_name_of(message.user, room, lines, now)
        if name is None or message.user == account.id:
            raise _was_not_there("bad_field")
        await self._limiter.take(connection.requester, RATES)
        text = names.clean_text(message.text)
        by, game = (account.id, account.name), table.opened.game
        origin = await self._reports.origin(message.user)
        await self._reports.add(StoredReport(now, table.id, game, *by, message.user, name, text, tuple(lines), origin))
        log.warning("a user was reported", extra={"about": message.user, "by": account.id, "table": table.id})
        connection.send(Ok(id=message.id))


def _was_not_there(code: str) -> ProtocolError:
    return ProtocolError(code, "this user neither has a seat here nor has said anything", field="user")


async def _fresh_name_of(user: str, room: Room, lines: list[Chat], now: int) -> str | None:
    """The same as `_name_of`, for a user who may have sat down at another node a moment ago."""
    found: str | None = None

    def judge(table: Table, at: int) -> Decision:
        nonlocal found
        found = _name_of(user, table, lines)
        if found is None:  # the room reads the log before it refuses with this code, and judges again
            raise _was_not_there("not_seated")
        return NOTHING

    command, result = awaitable(judge, now)
    room.submit(command)
    fault = await result
    if fault is not None and fault.code != "not_seated":
        raise fault
    return found


def _name_of(user: str, table: Table, lines: list[Chat]) -> str | None:
    """The name by which a user was known at a table; None if they were not there."""
    seat = table.owned_seat(user)
    if seat is not None:
        return table.chairs[seat].name
    said = next((line.name for line in reversed(lines) if line.user == user), None)
    return said or next((name or user for gone, name in table.rules.dismissed if gone == user), None)
