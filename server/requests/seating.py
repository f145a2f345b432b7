"""Opening tables and changing who sits at them."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from protocol.codec import ProtocolError
from protocol.messages import Back, Bot, Consent, Create, Leave, Ok, Rematch, Sit, Start
from server.requests import chat_history
from server.requests.accounts import Account
from server.requests.connected_bots import ConnectedBots
from server.requests.connection import Connection
from server.requests.limiter import Limiter
from server.requests.names import ACCOUNT_CHANGES, NameRequests, require_name
from server.requests.open_tables import open_table
from server.requests.table_opener import BOT_GAME_RATES, Done, Failed, TableOpener, address_seat_needed, seat_needed
from server.store.quotas import Quotas
from server.store.store import Store
from server.tables import decisions, host_decisions, rematches, watch_decisions
from server.tables.background import BackgroundTasks
from server.tables.bookkeeping import invite_holder
from server.tables.commands import FunctionCommand, Judge, only_read
from server.tables.decisions import Decision, Sitter
from server.tables.entries import Entry, Held, Opened, Sat
from server.tables.house_bots import choose
from server.tables.local_struct import replace
from server.tables.room import Room
from server.tables.rooms import Rooms
from server.tables.service_clock import ServiceClock
from server.tables.table import Table

log = logging.getLogger("cheeseboard.seating")

CLOSE_TRIES = 60  # attempts to close the new table of a rematch that was not recorded, while the store is away
CLOSE_EVERY_S = 1.0
SEAT_CHANGES = "seat_changes_per_minute", "address_seat_changes_per_minute", "address_seat_changes_per_hour"


class SeatingRequests:
    """Answers create, rematch, start, bot, sit, leave, back and consent."""

    def __init__(
        self,
        store: Store,
        rooms: Rooms,
        opener: TableOpener,
        connected: ConnectedBots,
        names: NameRequests,
        limiter: Limiter,
        clock: ServiceClock,
    ) -> None:
        self._store = store
        self._quotas = Quotas(store)
        self._rooms = rooms
        self._opener = opener
        self._connected = connected
        self._names = names
        self._limiter = limiter
        self._clock = clock
        self._tasks = BackgroundTasks()

    def handlers(self) -> dict[type, Any]:
        """The requests that are answered here."""
        return {
            Create: self.create,
            Rematch: self.rematch,
            Start: self.start,
            Bot: self.bot,
            Sit: self.sit,
            Leave: self.leave,
            Back: self.back,
            Consent: self.consent,
        }

    # New tables.

    async def create(self, connection: Connection, message: Create) -> None:
        """Open a table, sit down at it, and fill and start it if that is wanted, all in one commit."""
        account, seated = connection.account, message.seat is not None
        if message.seat is not None and message.seat >= message.seats:
            raise ProtocolError("bad_field", f"the table has seats 0 to {message.seats - 1}", field="seat")
        opened = self._opener.entry(connection, message)
        reserved = await self._opener.reserve(connection, seated, message.bots is not None and not seated)

        def done(n: int, entry: Entry | None, again: bool) -> None:
            connection.send(Ok(id=message.id, table=reserved.table, code=reserved.code, n=n))

        entries: list[Entry] = []
        if message.seat is not None:
            entries.append(sat(account, message.seat, opened.at, message.salt))
        if message.bots is not None:
            entries += house_bots(reserved.table, opened, {message.seat: account.id}, message.bots, self._connected)
        self._opener.open(reserved, opened, entries, done, connection.refuser(message.id))

    async def rematch(self, connection: Connection, message: Rematch) -> None:
        """Open the next table for the same seats and record it on this one; later requests join that table."""
        old, before = await open_table(connection, message.table, self._clock.now())
        account = connection.account
        decisions.require_status(before, "ended")
        if before.owned_seat(account.id) is None:
            raise ProtocolError("not_seated", "only those who played can ask for a rematch")
        sitter, table = replace(account.sitter(), salt=message.salt), before.rematch
        if table is None:
            here = {*old.presence_reports.seats(self._clock.now()), *old.viewers.seats_here(before)}
            host = rematches.next_host(before, account.id, here, connection.viewer.blocked)
            opened = self._opener.entry_again(connection, before, message, host)
            table = await self._open_rematch(connection, old, before, opened, sitter)
        await self._sit(connection, message.id, table, None, sitter)

    async def _open_rematch(
        self, connection: Connection, old: Room, before: Table, opened: Opened, sitter: Sitter
    ) -> str:
        """Open the table of a rematch, record it on the old table, and return the one that is recorded there."""
        seats = rematches.same_seats(before, opened, sitter, connection.viewer.blocked)
        reserved = await self._opener.reserve(connection, seated=True)
        table, now = reserved.table, opened.at
        await chat_history.carry_over(self._store, old.id, table)
        entries = [*host_decisions.same_rules(before, now), *seats]
        answer, done, failed = answer_of_command()
        new = self._opener.open(reserved, opened, entries, done, failed)
        await answer  # the two tables may be on two servers, which answer in any order
        try:
            await carry_out(old, lambda found, at: rematches.record_rematch(found, table, opened.game, at), now)
        finally:
            if _rematch_of(old) != table:  # another request was faster, or the result of this one is unknown
                self._tasks.spawn("closing an unrecorded rematch", self._close_unrecorded(old, new))
        first = _rematch_of(old)
        if first in (None, table):
            self._invite_held(new, seats)
        return first or table

    async def _close_unrecorded(self, old: Room, new: Room) -> None:
        """Close the table of a rematch unless the old table names it; while the store is away, try again."""
        for _ in range(CLOSE_TRIES):
            try:
                await carry_out(old, only_read, self._clock.now())
                if _rematch_of(old) != new.id:
                    await carry_out(new, _close_rematch, self._clock.now())
                return
            except ProtocolError as fault:
                log.warning("a rematch could not be closed, will be retried: %s", fault, extra={"table": new.id})
            await asyncio.sleep(CLOSE_EVERY_S)

    def _invite_held(self, room: Room, seats: list[Sat | Held]) -> None:
        """Invite the users for whom seats are held; only bots receive that (P44)."""
        for seat in seats:
            if isinstance(seat, Held):
                invite_holder(self._store, room, seat.user)

    # Seats.

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
        await self._sit(connection, message.id, message.table, message.seat, sitter)

    async def _sit(self, connection: Connection, request: int, table: str, seat: int | None, sitter: Sitter) -> None:
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


def house_bots(
    table: str, opened: Opened, taken: dict[int | None, str], level: str, connected: ConnectedBots
) -> list[Entry]:
    """The entries of house bots on all seats of a new table but those in `taken`, which names their users."""
    users = set(taken.values())
    bots: list[Entry] = []
    for seat in range(opened.seats):
        if seat not in taken:
            user, name = choose(table, users, connected.users)
            bots.append(Sat(opened.at, seat, user, name, True, level))
            users.add(user)
    return bots


def sat(account: Account, seat: int, now: int, salt: str | None = None) -> Sat:
    """The entry of an account that sits down."""
    return Sat(now, seat, account.id, account.name, account.bot, None, account.owner, salt, account.avatar)


def _rematch_of(room: Room) -> str | None:
    return None if room.table is None else room.table.rematch


def _close_rematch(table: Table, at: int) -> Decision:
    """Close the table of a rematch that the old table does not name; against house bots alone it may already run."""
    return decisions.close(table, "another rematch was first", at, "open", "running")
