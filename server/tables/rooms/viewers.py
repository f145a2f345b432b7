"""The viewers of a table on this node, by viewpoint, and what they are shown.

A viewpoint is a seat, or None for spectators. Each update is encoded once for all viewers that get the same one.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Literal

import msgspec

from protocol.messages import Chat, Dismissed, Update
from server.delivery.frames import encode_frame
from server.delivery.outbox import FlushQueue
from server.metrics import Metrics
from server.tables.rooms.chat import Wishes, write_chat
from server.tables.rooms.service_clock import ServiceClock
from server.tables.rooms.viewpoint import Viewer, Viewpoint
from server.tables.state.deadlines import SeatDeadlines, seat_deadlines
from server.tables.state.delay import Delay, Step, is_hidden, visibility_of
from server.tables.state.table import EntryWithEvents, Table, with_events
from server.tables.state.updates import UpdateBuilder, past_update

log = logging.getLogger("cheeseboard.viewers")

MAX_RECENT = 16  # entries kept for viewers who resume
POSTPONE_MIN = 64  # from this many spectators on, they are written to after the players and the other nodes


class Viewers:
    """All viewers of one table on this node."""

    def __init__(self, queue: FlushQueue, clock: ServiceClock, metrics: Metrics) -> None:
        self._queue = queue
        self._clock = clock
        self._metrics = metrics
        self._seats: dict[Viewer, int | None] = {}
        self.points: dict[int | None, Viewpoint] = {}  # only those that have viewers
        self._recent: deque[EntryWithEvents] = deque(maxlen=MAX_RECENT)
        self.wishes = Wishes()
        self.delay = Delay()
        self._postponed: tuple[list[Step], UpdateBuilder] | None = None  # the update that is postponed for spectators

    def __bool__(self) -> bool:
        return bool(self._seats)

    def __contains__(self, viewer: Viewer) -> bool:
        return viewer in self._seats

    # Who sees the table, and from where.

    @property
    def spectators(self) -> int:
        """The number of viewers without a seat."""
        return self.points[None].size if None in self.points else 0

    @property
    def watchers(self) -> int:
        """The number of users who watch: whoever watches over many connections counts once."""
        return len({viewer.user for viewer, seat in self._seats.items() if seat is None})

    def seats_here(self, table: Table | None) -> tuple[int, ...]:
        """The seats whose owners look at the table, not only their stand-ins."""
        seats = tuple(seat for seat in self.points if seat is not None)
        if table is None:
            return seats
        return tuple(seat for seat in seats if self._owner_looks(seat, table))

    def _owner_looks(self, seat: int, table: Table) -> bool:
        chair = table.chairs[seat]
        if chair.stand_in is None:
            return True
        return any(at == seat and viewer.user == chair.user for viewer, at in self._seats.items())

    @property
    def named(self) -> tuple[str, ...]:
        """The names of watchers who want to be named."""
        return self.wishes.names(self._seats)

    def add(self, viewer: Viewer, table: Table) -> int | None:
        """Show the table to this viewer from now on; returns the viewpoint."""
        self.settle()
        self.remove(viewer)
        seat = table.seat_of(viewer.user)
        if seat not in self.points:
            self.points[seat] = Viewpoint(self._queue)
            if None in self.points:  # spectators come last, because there may be many of them
                self.points[None] = self.points.pop(None)
        self._seats[viewer] = seat
        self.points[seat].group(viewer).add(viewer.outbox)
        self.points[seat].info_hash = None
        return seat

    def welcome(self, viewer: Viewer, table: Table, info: Callable[[int | None], msgspec.Struct]) -> None:
        """Show the table to this viewer from now on, beginning with the `table` message for its viewpoint."""
        self.settle()
        self.remove(viewer)
        seat = table.seat_of(viewer.user)
        message = info(seat)
        frame = encode_frame(message)
        if seat in self.points:
            self.points[seat].show_info(frame)
        self.add(viewer, table)
        self.points[seat].info_hash = hash(frame)
        viewer.outbox.send(message)

    def show_info_again(self, viewer: Viewer, info: Callable[[int | None], msgspec.Struct]) -> None:
        """Send the `table` message to one viewer, who may have missed the last one."""
        self.settle()
        seat = self._seats[viewer]
        message = info(seat)
        if hash(encode_frame(message)) != self.points[seat].info_hash:
            self.points[seat].info_hash = None
        viewer.outbox.send(message)

    def remove(self, viewer: Viewer) -> None:
        """Stop showing the table to this viewer."""
        if viewer in self._seats:
            self.settle()
            seat = self._seats.pop(viewer)
            point = self.points[seat]
            point.group(viewer).remove(viewer.outbox)
            if not point.size:
                del self.points[seat]

    def leave(self, viewer: Viewer) -> None:
        """Stop showing the table to this viewer, and forget its wishes, until it opens the table again."""
        self.remove(viewer)
        self.wishes.forget(viewer)

    def remove_moved(self, table: Table) -> tuple[Viewer, ...]:
        """Remove and return the viewers that see this table from another viewpoint than before."""
        moved = tuple(viewer for viewer, seat in self._seats.items() if table.seat_of(viewer.user) != seat)
        for viewer in moved:
            self.remove(viewer)
        return moved

    def eject(self, table: Table) -> bool:
        """Remove the viewers who may no longer see the table, and tell them why; returns whether there were any."""
        rules = table.rules
        if not rules.locked and not rules.dismissed and rules.watching.see != "nobody":
            return False
        found = [(viewer, _reason_to_eject(table, viewer.user)) for viewer in self._seats]
        for viewer, reason in found:
            if reason is not None:
                self.leave(viewer)
                viewer.outbox.send(Dismissed(table=table.id, reason=reason))
                viewer.ejected(table.id)
        return any(reason for _, reason in found)

    def place_all(self, table: Table) -> None:
        """Move every viewer to the viewpoint that it has at this table."""
        for viewer in self.remove_moved(table):
            self.add(viewer, table)

    # Entries.

    def show(
        self, table: Table, deadlines: SeatDeadlines, step: EntryWithEvents, moved: tuple[Viewer, ...] = ()
    ) -> None:
        """Show the entry that led to this table; viewers that `moved` are added again and get a whole view."""
        self.settle()
        self._recent.append(EntryWithEvents(step.n, step.entry))  # without the values of its events, to save memory
        update = UpdateBuilder(table, deadlines, self._clock.now(), step)
        for_watchers = self.delay.advance(table, step)
        for seat, point in tuple(self.points.items()):  # a slow viewer may be disconnected in this loop
            try:
                if seat is None:
                    self._show_watchers(for_watchers, update)
                else:
                    point.show(update, seat)
            except Exception:  # the entry is committed; these viewers catch up with the next one
                log.exception("an entry could not be shown", extra={"table": table.id, "entry": table.n})
        for viewer in moved:
            self.add(viewer, table)
            self._send(viewer, table, update, None if is_hidden(table) else step)
        self._metrics.updates += len(self.points)

    def _show_watchers(self, steps: list[Step], present: UpdateBuilder) -> None:
        """Show watchers the entries that they may see now; `present` builds updates of the last entry of the table.

        POSTPONE_MIN spectators or more get them two turns of the event loop later. So answers to players and
        announcements to other nodes, which are written in the next turn, do not wait for thousands of writes.
        """
        self._postponed = steps, present
        if self.spectators < POSTPONE_MIN:
            self.settle()
        elif steps:
            loop = asyncio.get_running_loop()
            loop.call_soon(loop.call_soon, self.settle)

    def settle(self) -> None:
        """Flush the postponed update to spectators. Call this before sending them anything else."""
        postponed, self._postponed = self._postponed, None
        point = self.points.get(None)
        if postponed is None or point is None:
            return
        steps, present = postponed
        try:
            for table, step in steps:
                late = step.n < present.n
                update = UpdateBuilder(table, seat_deadlines(table), table.at, step) if late else present
                point.show_to_watchers(update, self.delay.visibility)
        except Exception:  # the entry is committed; these viewers catch up with the next one
            log.exception("an entry could not be shown to spectators")

    def show_whole(self, viewer: Viewer, table: Table, step: EntryWithEvents | None = None) -> None:
        """Show the table as it is now to one viewer, with the entry that led to it if `step` is given.

        A watcher gets the table as of the delayed entry.
        """
        self._send(viewer, table, None, step)

    def _send(
        self, viewer: Viewer, table: Table, update: UpdateBuilder | None, step: EntryWithEvents | None = None
    ) -> None:
        """Send an update with a whole view to one viewer. P6: a failure concerns no other viewer."""
        self.settle()
        try:
            seat = table.seat_of(viewer.user)
            if seat is None:
                viewer.outbox.send(self._whole_for_watchers(table, step))
                return
            update = update or UpdateBuilder(table, seat_deadlines(table), self._clock.now(), step)
            viewer.outbox.send(update.whole(seat, update.view(seat)))
        except Exception:
            log.exception("a table could not be shown")

    def _whole_for_watchers(self, table: Table, step: EntryWithEvents | None) -> Update:
        """The update with all that watchers may see now; `step` is the entry that led to it."""
        seen = self.delay.table_seen(table)
        if seen is None:
            return Update(table=table.id, n=0, by="house")
        now = seen.at if is_hidden(table) else self._clock.now()
        update = UpdateBuilder(seen, seat_deadlines(seen), now, step)
        kind, seat = visibility_of(table)
        if kind in ("public", "seat"):
            return update.whole(seat, update.view(seat), asked=False)
        return update.open_whole()

    def entry_seen(self, user: str, table: Table) -> int:
        """The number of the last entry that this user may see now."""
        return table.n if table.seat_of(user) is not None else self.delay.entry_seen(table)

    def recent(self, table: Table, last: int, until: int) -> list[EntryWithEvents] | None:
        """The entries after `last`, up to `until`, if this node remembers all of them."""
        if not self._recent or self._recent[0].n > last + 1:
            return None
        return [with_events(table, step.n, step.entry) for step in self._recent if last < step.n <= until]

    def show_missed(self, viewer: Viewer, table: Table, missed: list[EntryWithEvents]) -> None:
        """Show these entries, which the viewer may see, one by one; the last of them comes with the whole view."""
        seat = viewpoint_of(table, viewer.user)
        for step in missed[:-1]:
            viewer.outbox.send(past_update(table, step, seat))
        self.show_whole(viewer, table, missed[-1] if missed else None)

    def show_all(self, table: Table) -> None:
        """Show the whole table to every viewer: it was folded anew from its log, which may have lost entries."""
        self._recent.clear()
        for point in self.points.values():
            point.forget_view()
        for viewer in tuple(self._seats):
            self.show_whole(viewer, table)

    # Other messages.

    def show_info(self, info: Callable[[int | None], msgspec.Struct]) -> None:
        """Send every viewer the `table` message for its viewpoint, if it is another one than before."""
        self.settle()
        for seat, point in tuple(self.points.items()):  # a viewer may be disconnected in this loop
            point.show_info(encode_frame(info(seat)))

    def show_chat(self, chat: Chat, table: Table) -> None:
        """Show a chat message to the viewers who get it."""
        self.settle()
        write_chat(chat, table, self._seats, self.points, self.wishes.hearing)


def viewpoint_of(table: Table, user: str) -> int | None:
    """The seat as which this user sees events: their own, or the one that watchers are shown; None is the public."""
    seat = table.seat_of(user)
    if seat is not None:
        return seat
    kind, shown = visibility_of(table)
    return shown if kind == "seat" else None


def _reason_to_eject(table: Table, user: str) -> Literal["dismissed", "table_locked", "no_watchers"] | None:
    return "no_watchers" if table.refuses_watcher(user) else table.keeps_away(user)
