"""Changing who sits at a table."""

from __future__ import annotations

from typing import Any

from protocol.codec import ProtocolError
from protocol.messages import Back, Bot, Consent, Leave, Ok, Sit, Start
from server.requests.connected_bots import ConnectedBots
from server.requests.connection import Connection
from server.requests.limits.limiter import Limiter
from server.requests.names import ACCOUNT_CHANGES, NameRequests, require_name
from server.requests.table_commands import carry_out, submit_request
from server.requests.table_opener import BOT_GAME_RATES, address_seat_needed, seat_needed
from server.store.quotas import Quotas
from server.tables.rooms.commands import Judge
from server.tables.rooms.rooms import Rooms
from server.tables.rooms.service_clock import ServiceClock
from server.tables.state import decisions, watch_decisions
from server.tables.state.decisions import Decision, Sitter
from server.tables.state.local_struct import replace
from server.tables.state.table import Table

SEAT_CHANGES = "seat_changes_per_minute", "address_seat_changes_per_minute", "address_seat_changes_per_hour"


class SeatingRequests:
    """Answers start, bot, sit, leave, back and consent."""

    def __init__(
        self,
        quotas: Quotas,
        rooms: Rooms,
        connected: ConnectedBots,
        names: NameRequests,
        limiter: Limiter,
        clock: ServiceClock,
    ) -> None:
        self._quotas = quotas
        self._rooms = rooms
        self._connected = connected
        self._names = names
        self._limiter = limiter
        self._clock = clock

    def handlers(self) -> dict[type, Any]:
        """The requests that are answered here."""
        return {
            Start: self.start,
            Bot: self.bot,
            Sit: self.sit,
            Leave: self.leave,
            Back: self.back,
            Consent: self.consent,
        }

    async def start(self, connection: Connection, message: Start) -> None:
        """Fill the free seats with house bots, which starts the game."""
        host, connected = connection.account.id, self._connected.users

        def judge(table: Table, at: int) -> Decision:
            return decisions.fill_with_house_bots(table, host, message.bots, at, connected)

        await self._seat_bots(connection, message, judge)

    async def bot(self, connection: Connection, message: Bot) -> None:
        """Put a house bot on a seat, or remove it."""
        host, connected = connection.account.id, self._connected.users

        def judge(table: Table, at: int) -> Decision:
            return decisions.seat_house_bot(table, host, message.seat, message.level, at, connected)

        await self._seat_bots(connection, message, judge)

    async def _seat_bots(self, connection: Connection, message: Start | Bot, judge: Judge) -> None:
        """Carry out a command that seats house bots. A table with nobody else counts as a game of house bots only."""
        self._limiter.check(connection.requester, *SEAT_CHANGES)
        room = connection.feeds.get(message.table) or self._rooms.get(message.table)

        def judge_once(table: Table, at: int) -> Decision:
            decision = judge(table, at)
            if decisions.tables_after(table, decision)[-1].has_only_house_bots:
                raise only_house_bots
            return decision

        # Not a class of its own: the compiled build cannot raise subclasses of ProtocolError that are not compiled.
        only_house_bots = ProtocolError("busy", "this starts a game of house bots only")
        try:
            n, again = await carry_out(room, judge_once, self._clock.now())
        except ProtocolError as fault:
            if fault is not only_house_bots:
                raise
            await self._limiter.take(connection.requester, BOT_GAME_RATES)
            n, again = await carry_out(room, judge, self._clock.now())
        connection.send(Ok(id=message.id, table=message.table, n=n, again=again))

    async def sit(self, connection: Connection, message: Sit) -> None:
        """Sit down."""
        name = None if message.name is None else require_name(connection, message.name)
        self._limiter.check(connection.requester, *SEAT_CHANGES)
        sitter = replace(connection.account.sitter(), salt=message.salt)
        if name is not None and name != connection.account.name:
            self._limiter.check(connection.requester, *ACCOUNT_CHANGES)
            sitter = replace(sitter, name=name)
        await self.sit_at(connection, message.id, message.table, message.seat, sitter)

    async def sit_at(self, connection: Connection, request: int, table: str, seat: int | None, sitter: Sitter) -> None:
        """Take a seat, then keep the sitter's name, if it is new: a refused seat does not change it."""

        def judge(found: Table, at: int) -> Decision:
            return decisions.sit(found, sitter, seat, at)

        n, again = await self.take_seat(connection, table, judge)
        if sitter.name != connection.account.name:
            await self._names.change(connection, sitter.name)
        connection.send(Ok(id=request, table=table, n=n, again=again))

    async def take_seat(self, connection: Connection, table: str, judge: Judge) -> tuple[int, bool]:
        """Carry out a command that gives the user a seat, if they may sit at one more table."""
        of_user = seat_needed(connection, self._limiter, table)
        of_address = address_seat_needed(connection, self._limiter, table)
        claims = await self._limiter.take(connection.requester, (), of_user, of_address)
        try:
            room = connection.feeds.get(table) or self._rooms.get(table)
            seated = await carry_out(room, judge, self._clock.now())
            if of_address is not None:
                self._quotas.add(of_address.place.key, of_address.place.member)
            return seated
        finally:
            claims.release()

    def leave(self, connection: Connection, message: Leave) -> None:
        """Leave one's seat."""
        user = connection.account.id
        self._command(connection, message.id, message.table, lambda table, at: decisions.leave(table, user, at))

    def back(self, connection: Connection, message: Back) -> None:
        """Take one's seat back from the stand-in."""
        user = connection.account.id
        self._command(connection, message.id, message.table, lambda table, at: decisions.come_back(table, user, at))

    def consent(self, connection: Connection, message: Consent) -> None:
        """Agree to what watchers shall see, or refuse it."""

        def judge(table: Table, at: int) -> Decision:
            return watch_decisions.consent(table, connection.account.id, message.watching, message.agree, at)

        self._command(connection, message.id, message.table, judge)

    def _command(self, connection: Connection, request: int, table: str, judge: Judge) -> None:
        self._limiter.check(connection.requester, *SEAT_CHANGES)
        submit_request(connection, request, self._rooms, table, judge, self._clock.now())
