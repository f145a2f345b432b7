"""Time: which tables are due, and when the service itself was away.

Deadlines stand in one sorted set for each shard. Any node may take one up; the append makes it happen once. A node
looks for a table to which it has appended when that is due, and for all tables twice a second, in case the node that
should have looked is gone.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from heapq import heappop, heappush

from protocol.codec import ProtocolError
from server.archive import Archive
from server.entries import Closed
from server.hub import GAP_MS, Hub
from server.log import SHARDS, deadlines_key, shard
from server.room import Command, Room
from server.store import Answer, StoreLost
from server.table import LOOK_MS, Decision, Table

log = logging.getLogger("cheeseboard.clock")

EVERY_S = 0.5
AT_ONCE = 100  # deadlines of a shard that one node takes up at a time
TAKEN_MS = 3_000  # how long a node has for them before another one may


class Clock:
    """Fires deadlines and keeps the service's own heartbeat."""

    def __init__(self, hub: Hub, archive: Archive) -> None:
        self._hub = hub
        self._archive = archive
        self._expected: list[tuple[int, str]] = []  # a heap: when, which table
        self._next: dict[str, int] = {}  # when a table is looked at next; what else the heap has of it is passed over
        self._alarm: asyncio.TimerHandle | None = None
        hub.expect = self.expect

    async def look(self) -> None:
        """Take up what is due now. Time that passes meanwhile may be an outage, so it does not count yet."""
        now = self._hub.now()
        due = [self._due(of, now) for of in range(SHARDS)]
        await self.beat(now)  # asked in the same turn as the others; what they answer is taken up after it
        await self._fire(due, now)

    def expect(self, due: int, table: str) -> None:
        """Look at the table's shard at this moment, or later if the table is due later by then."""
        if self._next.get(table, due + 1) <= due:
            return
        self._next[table] = due
        heappush(self._expected, (due, table))
        if self._expected[0] == (due, table):
            self._set_alarm()

    def _set_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        wait_s = max(0, self._expected[0][0] - self._hub.now()) / 1000
        self._alarm = asyncio.get_running_loop().call_later(wait_s, self._ring)

    def _ring(self) -> None:
        now, expected = self._hub.now(), self._expected
        shards = set()
        while expected and expected[0][0] <= now:
            due, table = heappop(expected)
            if self._next.get(table) != due:
                continue
            del self._next[table]
            room = self._hub.rooms.get(table)
            if room is not None and room.due_at > now:
                self.expect(room.due_at, table)
            elif room is not None:
                shards.add(shard(table))
        if expected:
            self._set_alarm()
        if shards:
            self._archive.later(partial(self._fire, [self._due(of, now) for of in shards], now))

    def _due(self, of: int, now: int) -> asyncio.Future[Answer]:
        """The tables of a shard that are due, for this node to take up."""
        return self._hub.store.ask("FCALL", "due", 1, deadlines_key(of), now, AT_ONCE, TAKEN_MS)

    async def beat(self, now: int) -> None:
        """Say that a node lives, and learn when none did."""
        keys = ("{beat}:last", "{beat}:outages")
        answer = await self._hub.store.call("FCALL", "beat", 2, *keys, now, GAP_MS)
        outages = tuple((int(begin), int(end)) for begin, end in (gap.split() for gap in answer))
        if outages != self._hub.outages:  # a table that was looked at with these need not be looked at again
            self._hub.outages = outages
        self._hub.beat_at = now

    async def run(self) -> None:
        """Look at what is due, for ever."""
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            await asyncio.sleep(EVERY_S)
            self._hub.metrics.lag.set(max(0.0, loop.time() - began - EVERY_S))
            self._hub.metrics.rooms.set(len(self._hub.rooms))
            self._hub.metrics.publish()
            try:
                await self.look()
            except StoreLost:
                await asyncio.sleep(EVERY_S)
            except Exception:
                log.exception("the clock stumbled")

    async def _fire(self, due: list[asyncio.Future[Answer]], now: int) -> None:
        """Take up every table that is due."""
        for shard_due in due:
            tables = await shard_due
            if isinstance(tables, Exception):
                raise tables
            for table in tables:
                self._look(self._hub.room(table.decode()), now)

    def _look(self, room: Room, now: int) -> None:
        """Read what is new on the table, then let time bring about what it has."""

        def looked(n: int, again: bool) -> None:
            table = room.table
            if table is None:
                return
            if table.status in ("ended", "closed"):
                self._archive.put_away(room)
            elif table.status == "open":
                self._archive.later(partial(self._check_open, room))
            else:
                deadline = table.deadline(table.dues())
                self._hub.log.put_off(table.id, table.n, deadline)
                self.expect(deadline, table.id)

        if room.table is not None:
            room.catch_up()
        room.submit(Command(Table.follow_up, looked, partial(self._lost, room), now))

    def _lost(self, room: Room, fault: ProtocolError) -> None:
        if fault.code == "no_table":
            self._hub.store.send(_ignore, "ZREM", deadlines_key(shard(room.id)), room.id)

    async def _check_open(self, room: Room) -> None:
        """A table that waits for players vanishes when nobody is there any more but bots that were asked to it."""
        await self._hub.presence.load(room)
        table = room.table
        if table is None or table.status != "open":
            return
        now = self._hub.now()
        wait = {seat for seat, chair in enumerate(table.chairs) if not chair.bot or chair.user == table.host}
        if any(report.watchers or wait.intersection(report.seats) for report in room.fresh_reports(now)):
            key = deadlines_key(shard(room.id))
            self._hub.store.send(_ignore, "ZADD", key, now + LOOK_MS, room.id)
            self._hub.lobby.note(room)
            return

        def judge(table: Table, at: int) -> Decision | None:
            return Decision(Closed(at, "nobody is here")) if table.status == "open" else None

        room.submit(Command(judge, _ignore, _ignore, now))


def _ignore(*_: object) -> None:
    """It is looked at again soon."""
