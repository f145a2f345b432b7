"""Gives a table another host when its host is away."""

from __future__ import annotations

import asyncio

from server.tables.rooms.commands import unawaited
from server.tables.rooms.room import Room
from server.tables.rooms.service_clock import ServiceClock
from server.tables.state import host_decisions
from server.tables.state.decisions import Decision
from server.tables.state.table import Table

HOST_AWAY_MS = 20_000  # how long a host may be away, for instance to load the page again


class HostPresence:
    """Appoints the person who has been seated longest when the host has not been at the table for some time.

    Only a host who has a seat is missed: watchers are counted, but nodes do not report who they are.
    """

    def __init__(self, clock: ServiceClock) -> None:
        self._clock = clock

    def attendance_changed(self, room: Room) -> None:
        """A node reported who is at the table: note whether the host is, and appoint another one if it is time."""
        table, now = room.table, self._clock.now()
        if table is None or not _misses_host(table, room.presence_reports.seats(now)):
            room.host_away_since = None
            return
        if room.host_away_since is None:
            room.host_away_since = now
            wait_s = HOST_AWAY_MS / 1000 + 0.1
            asyncio.get_running_loop().call_later(wait_s, self.attendance_changed, room)
        elif now - room.host_away_since >= HOST_AWAY_MS:
            self._appoint(room, table.host)

    def _appoint(self, room: Room, host: str) -> None:
        here = room.presence_reports.seats(self._clock.now())

        def judge(table: Table, at: int) -> Decision:
            return host_decisions.succeed(table, host, here, at)

        room.submit(unawaited("appointing another host", room.id, judge, self._clock.now()))


def _misses_host(table: Table, here: set[int]) -> bool:
    """Whether the host, a person with a seat, is not at a table that is open or running."""
    seat = table.owned_seat(table.host)
    live = table.status in ("open", "running")
    return live and seat is not None and seat not in here and not table.chairs[seat].bot
