"""Checks tables whose deadline has passed: moves by the clock, ends of idle tables, replays of finished games.

A node checks a table to which it has appended at its deadline, and all due tables of the store twice a second, in case
the node that should have checked one has died.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from functools import partial

from protocol.codec import ProtocolError
from server.store.answers import Answer, StoreLost, checked
from server.store.deadline_index import DeadlineIndex
from server.store.keys import SHARDS, shard
from server.tables.background import BackgroundTasks
from server.tables.finished.archive import Archive
from server.tables.rooms.bookkeeping import Bookkeeping
from server.tables.rooms.commands import FunctionCommand, unawaited
from server.tables.rooms.node_heartbeat import NodeHeartbeat
from server.tables.rooms.presence import Presence
from server.tables.rooms.room import Room
from server.tables.rooms.rooms import Rooms
from server.tables.rooms.service_clock import ServiceClock
from server.tables.state.deadlines import OPEN_CHECK_MS, next_deadline_ms, seat_deadlines
from server.tables.state.decisions import Decision, close, follow_up
from server.tables.state.entries import Entry
from server.tables.state.fold_log import LogFault
from server.tables.state.presence_reports import FRESH_MS
from server.tables.state.table import Table

log = logging.getLogger("cheeseboard.due")

EVERY_S = 0.5
RECHECK_MS = 500  # a table whose deadline has passed without a move by the clock is checked again after this


class DueTables:
    """Checks due tables, and keeps the heartbeat of the service."""

    def __init__(
        self,
        rooms: Rooms,
        clock: ServiceClock,
        deadlines: DeadlineIndex,
        heartbeat: NodeHeartbeat,
        archive: Archive,
        presence: Presence,
        bookkeeping: Bookkeeping,
    ) -> None:
        self._rooms = rooms
        self._clock = clock
        self._deadlines = deadlines
        self._heartbeat = heartbeat
        self._archive = archive
        self._presence = presence
        self._bookkeeping = bookkeeping
        self.tasks = BackgroundTasks()
        clock.start(self._on_timer)

    async def run(self) -> None:
        """Check all due tables twice a second, for ever."""
        while True:
            await asyncio.sleep(EVERY_S)
            try:
                await self.check_all()
            except StoreLost:
                await asyncio.sleep(EVERY_S)
            except Exception:
                log.exception("checking due tables failed")

    async def check_all(self) -> None:
        """Record a heartbeat and check what is due in all shards."""
        await self._check_shards(range(SHARDS), self._clock.now())

    async def _check_shards(self, shards: Iterable[int], now: int) -> None:
        """Check the due tables of these shards as of `now`. The heartbeat tells which faults there were before.

        A shard that cannot be asked keeps no other one waiting; its failure is raised at the end.
        """
        claims = self._deadlines.claim_due(shards, now)
        try:
            await self._heartbeat.beat(now)
        except Exception:
            self._release(await asyncio.gather(*claims))
            raise
        failure: Exception | None = None
        for claim in claims:
            tables = await claim
            if isinstance(tables, Exception):
                failure = failure or tables
                continue
            for table in tables:
                self._check(self._rooms.get(table.decode()), now)
        checked(failure)

    def _release(self, claimed: list[Answer]) -> None:
        """Let any node claim these tables again soon: this one cannot check them now."""
        for tables in claimed:
            if not isinstance(tables, Exception):
                for table in tables:
                    self._deadlines.release(table.decode(), self._clock.now() + RECHECK_MS)

    def _on_timer(self, tables: list[str]) -> None:
        """The deadlines of these tables, as this node remembers them, have passed."""
        now = self._clock.now()
        due = set()
        for table in tables:
            room = self._rooms.find(table)
            if room is not None and room.deadline.at > now:
                self._clock.schedule(room.deadline.at, table)
            elif room is not None:
                due.add(shard(table))
        if due:
            self.tasks.spawn("checking due tables", self._check_shards(due, now))

    def _check(self, room: Room, now: int) -> None:
        """Read what is new at the table and who is there, and do what the passing of time leads to."""

        def presence_read(known: bool) -> None:
            if known:
                done, failed = partial(self._checked, room), partial(self._failed, room)
                room.submit(FunctionCommand(follow_up, done, failed, now))
            else:
                self._deadlines.release(room.id, self._clock.now() + RECHECK_MS)

        self._presence.read(room, presence_read)
        if room.table is not None:
            room.sync.catch_up()

    def _checked(self, room: Room, n: int, entry: Entry | None, again: bool) -> None:
        table = room.table
        if table is None:
            return
        if room.sync.fault is not None:
            self._set_aside(room, room.sync.fault, table)
        elif table.status in ("ended", "closed"):
            self.tasks.spawn("archiving a table", self._archive.put_away(table))
        elif table.status == "open":
            self._check_open(room, table)
        else:
            deadline = max(next_deadline_ms(table, seat_deadlines(table)), self._clock.now() + RECHECK_MS)
            self._deadlines.postpone(table.id, table.n, deadline)
            self._clock.schedule(deadline, table.id)

    def _failed(self, room: Room, fault: ProtocolError) -> None:
        if room.sync.fault is not None:
            self._set_aside(room, room.sync.fault, None)
        elif fault.code == "no_table":
            self._deadlines.remove(room.id)
        elif fault.code == "unavailable":
            self._deadlines.release(room.id, self._clock.now() + RECHECK_MS)

    def _set_aside(self, room: Room, fault: LogFault, table: Table | None) -> None:
        """Do not check a broken log again, unless a node of a newer release can fold it."""
        if fault.newer:
            self._deadlines.set(room.id, self._clock.now() + OPEN_CHECK_MS)
        else:
            self.tasks.spawn("setting a broken table aside", self._archive.set_aside(room.id, table))

    def _check_open(self, room: Room, table: Table) -> None:
        """Close a table that waits for players when nobody but invited bots is there any more.

        After a fault the nodes have to repeat their reports first, so it is not known yet who is there.
        """
        now = self._clock.now()
        waiting = {seat for seat, chair in enumerate(table.chairs) if not chair.bot or chair.user == table.host}
        here = waiting & (room.presence_reports.seats(now) | set(room.viewers.seats_here(table)))
        if here or room.presence_reports.watchers(now) or self._clock.was_at_fault(now - FRESH_MS, now):
            self._deadlines.set(room.id, now + OPEN_CHECK_MS)
            self._bookkeeping.list(room)
            return

        def close_empty(table: Table, at: int) -> Decision:
            return close(table, "nobody is here", at, "open")

        room.submit(unawaited("closing an empty table", room.id, close_empty, now))
