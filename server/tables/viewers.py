"""Who looks at a table on this node, from which seat, and what was shown to them.

An entry is encoded once for all who are told the same, and written to many.
"""

from __future__ import annotations

import logging
from collections import deque
from typing import TYPE_CHECKING, Any

from msgspec.structs import astuple

from protocol.messages import Message
from server.crowd import Crowd
from server.entries import Entry, Moved
from server.frames import framed
from server.showing import Showing, Shown, past
from server.table import Dues, Table

if TYPE_CHECKING:
    from server.connection import Connection
    from server.room import Room

log = logging.getLogger("cheeseboard.viewers")

MOST_RECENT = 16  # entries kept as values for those who resume


class Viewpoint:
    """Those who see the table from one seat, or as watchers, and what was in the view that they were shown last."""

    __slots__ = ("fields", "n", "patching", "whole")

    def __init__(self) -> None:
        self.whole = Crowd()
        self.patching = Crowd()
        self.n = 0
        self.fields: tuple[Any, ...] | None = None

    def add(self, connection: Connection) -> None:
        """Somebody looks from here."""
        (self.patching if connection.patches else self.whole).add(connection)

    def drop(self, connection: Connection) -> None:
        """They do no more."""
        (self.patching if connection.patches else self.whole).drop(connection)

    def hold(self, connection: Connection) -> None:
        """Something waits for this one, if it looks from here."""
        (self.patching if connection.patches else self.whole).hold(connection)

    def __contains__(self, connection: Connection) -> bool:
        return connection in (self.patching if connection.patches else self.whole)

    def all(self) -> tuple[Connection, ...]:
        """Everybody who looks from here."""
        return (*self.whole, *self.patching)

    @property
    def size(self) -> int:
        """How many look from here."""
        return self.whole.size + self.patching.size

    def show(self, now: Showing, seat: int | None) -> None:
        """Show an entry to everybody here: what changed, to those who want that and have seen the one before."""
        view = now.view(seat)
        before = self.fields if self.n == now.n - 1 else None
        fields = self.fields = None if view is None else astuple(view)
        self.n = now.n
        if before is not None and fields is not None and self.patching.size:
            self.patching.write(now.patched(seat, view.__struct_fields__, before, fields))
            if not self.whole.size:
                return
        frame = framed(now.whole(seat, view))
        self.whole.write(frame)
        if before is None or fields is None:
            self.patching.write(frame)

    def tell(self, frame: bytes) -> None:
        """Write this to everybody here."""
        self.whole.write(frame)
        self.patching.write(frame)


class Viewers:
    """The viewpoints of one room's table."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self.points: dict[int | None, Viewpoint] = {}
        self._recent: deque[Shown] = deque(maxlen=MOST_RECENT)

    def __bool__(self) -> bool:
        return bool(self.points)

    def __contains__(self, connection: Connection) -> bool:
        return any(connection in point for point in self.points.values())

    @property
    def was_aside(self) -> bool:
        """Whether the last entry was something said, not a move that was waited for."""
        entry = self._recent[-1].entry if self._recent else None
        return isinstance(entry, Moved) and entry.aside

    @property
    def _table(self) -> Table:
        table = self._room.table
        assert table
        return table

    # Who looks.

    def add(self, connection: Connection) -> int | None:
        """Show the table to this connection from now on; from which seat it looks."""
        seat = self._table.seat_of(connection.user.id)
        if seat not in self.points:
            self.points[seat] = Viewpoint()
            if None in self.points:  # watchers are shown everything last: there may be many of them
                self.points[None] = self.points.pop(None)
        self.points[seat].add(connection)
        return seat

    def drop(self, connection: Connection) -> None:
        """Show it no more."""
        for seat, point in list(self.points.items()):
            point.drop(connection)
            if not point.size:
                del self.points[seat]

    def hold(self, connection: Connection) -> None:
        """Something waits for this connection."""
        for point in self.points.values():
            point.hold(connection)

    def place(self) -> bool:
        """Who sat down, left or stood in sees the table from another seat now; whether anybody did."""
        seat_of = self._table.seat_of
        points = self.points.items()
        moved = [one for seat, point in points for one in point.all() if seat_of(one.user.id) != seat]
        for connection in moved:
            self.drop(connection)
        for connection in moved:
            self.add(connection)
            self.show_whole(connection)
        return bool(moved)

    # What one of them is shown.

    def show_whole(self, connection: Connection, shown: Shown | None = None) -> None:
        """The table as it is now, with the entry that led to it or without."""
        table = self._table
        now = Showing(table, table.dues(), self._room.hub.now(), shown)
        seat = table.seat_of(connection.user.id)
        connection.send(now.whole(seat, now.view(seat)))

    def recent(self, last: int) -> list[Shown] | None:
        """The entries after this one, if all of them are remembered."""
        if not self._recent or self._recent[0].n > last + 1:
            return None
        return [shown for shown in self._recent if shown.n > last]

    def show_missed(self, connection: Connection, missed: list[Shown]) -> None:
        """These entries one by one, and with the last of them what is so now."""
        table = self._table
        seat = table.seat_of(connection.user.id)
        for shown in missed[:-1]:
            connection.send(past(table, shown, seat))
        self.show_whole(connection, missed[-1] if missed else None)

    # What all of them are shown.

    def load(self) -> None:
        """The table was read anew: everybody gets it whole."""
        self._recent.clear()
        for point in self.points.values():
            point.n = 0
            for connection in point.all():
                self.show_whole(connection)

    def advance(self, table: Table, dues: Dues, entry: Entry, events: tuple[Any, ...]) -> None:
        """The entry is in the log: show it to each viewpoint that somebody has."""
        shown = Shown(table.n, entry, tuple(events))  # plain ones: those of a judge hold the states around them
        self._recent.append(shown)
        hub = self._room.hub
        now = Showing(table, dues, hub.now(), shown)
        for seat, point in self.points.items():
            try:
                point.show(now, seat)
            except Exception:  # the entry stands; whoever cannot be shown it comes back for a whole view
                log.exception("an entry could not be shown", extra={"table": table.id, "entry": table.n})
        hub.metrics.updates += len(self.points)

    def tell(self, message: Message, seat: int | None) -> None:
        """A message to everybody of a viewpoint."""
        self.points[seat].tell(framed(message))
