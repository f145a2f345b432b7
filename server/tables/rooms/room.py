"""A room: one table on this node. It judges one command at a time, commits its entries and shows them.

A command is judged against the folded table, and its entries are appended to the log by compare-and-set. Only then is
the command acknowledged and shown. If the append is refused, another node was faster: the room reads what it
missed and judges the command again.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from functools import partial

import msgspec

from protocol.codec import ProtocolError
from protocol.messages import Chat
from server.store.answers import Answer
from server.store.table_channel import CHAT, PRESENCE, TableChannel
from server.store.table_log import StoredEntry, TableLog, chained, is_conflict, is_moved, numbered
from server.tables.rooms.commands import MAYBE_STALE, Command, Commit
from server.tables.rooms.known_faults import KnownFaults
from server.tables.rooms.room_deadline import RoomDeadline
from server.tables.rooms.room_observer import RoomObserver
from server.tables.rooms.service_clock import ServiceClock
from server.tables.rooms.sync import LogSync, busy, unavailable
from server.tables.rooms.viewers import Viewers
from server.tables.rooms.viewpoint import Viewer
from server.tables.state.deadlines import SeatDeadlines, next_deadline_ms, seat_deadlines
from server.tables.state.decisions import AlreadyDone, Decision, follow_up, follow_ups, tables_after
from server.tables.state.delay import Delay
from server.tables.state.entries import Entry, Moved, decode_entries, encode_entry
from server.tables.state.fold_log import LogFault
from server.tables.state.presence_reports import PresenceReports, read_report
from server.tables.state.table import EntryWithEvents, Table, opened, with_events
from server.tables.state.table_info import message_for, messages_for, same_message

log = logging.getLogger("cheeseboard.room")

MAX_MISSED = 500  # entries sent one by one to a viewer who resumes; one further behind gets a whole view
MAX_CONFLICTS = 5  # refused appends without a change of the table, before its commands are answered "busy"
MAX_QUEUED = 256  # commands that wait for this table on this node; further ones are answered "busy"


class Room:
    """The queue of commands of one table, and its commits."""

    def __init__(
        self,
        table: str,
        log: TableLog,
        channel: TableChannel,
        clock: ServiceClock,
        observer: RoomObserver[Room],
        viewers: Viewers,
    ) -> None:
        self.id = table
        self.viewers = viewers
        self.presence_reports = PresenceReports()
        self.used_at = 0  # when it was last looked for, or its last viewer left
        self.host_away_since: int | None = None  # kept by HostPresence
        self.deadline = RoomDeadline(table, clock)
        self.sync = LogSync(table, log, channel, self)
        self._log = log
        self._channel = channel
        self._clock = clock
        self._observer = observer
        self._queue: deque[Command] = deque()
        self._running = False
        self._conflicts = 0  # refused appends since the table last changed

    @property
    def table(self) -> Table | None:
        """The table as far as this node knows it."""
        return self.sync.table

    @property
    def idle(self) -> bool:
        """Whether the table has no viewers here and nothing is under way."""
        return not self.viewers and not self.working

    @property
    def working(self) -> bool:
        """Whether a command waits, or a read or an append is under way."""
        return self.sync.busy or bool(self._queue)

    # The queue.

    def submit(self, command: Command) -> None:
        """Judge the command after those that came before it."""
        if len(self._queue) >= MAX_QUEUED:
            self._refuse(command, busy())
            return
        self._queue.append(command)
        self._run()

    def _run(self) -> None:
        """Judge the next commands until one has to wait for the store."""
        if self._running:
            return  # an answer led to this command: the loop below takes it
        self._running = True
        sync = self.sync
        try:
            while self._queue and not sync.busy:
                command = self._queue[0]
                if sync.is_current(command.min_entry):
                    assert sync.table
                    self._judge(sync.table, command)
                else:
                    sync.catch_up()
        finally:
            self._running = sync.just_read = False

    def _judge(self, table: Table, command: Command) -> None:
        """Commit the command, answer it, or refuse it."""
        key = command.key
        if key is not None:
            done_at = self.sync.keys.get(hash(key))
            if done_at is not None:
                self._queue.popleft()
                self._finish(command, done_at, None, True)
                return
        at = command.at if command.at > table.at else table.at
        try:
            if not self.deadline.is_ahead(at):
                decision = self.deadline.overdue(table, at, self.faults(at))
                if decision:
                    self._commit(table, decision, None)
                    return
            decision = command.judge(table, at)
            if decision:
                self._commit(table, decision, command)
                return
        except AlreadyDone as done:
            if not self.sync.read_first():
                self._queue.popleft()
                self._finish(command, done.n, None, True)
        except ProtocolError as fault:
            if fault.code not in MAYBE_STALE or not self.sync.read_first():
                self._queue.popleft()
                self._refuse(command, fault)
        except Exception:
            log.exception("a command failed", extra={"table": self.id})
            self._queue.popleft()
            self._refuse(command, ProtocolError("internal", "this went wrong on our side; nothing was changed"))
        else:
            self._queue.popleft()
            self._finish(command, table.n, None, False)

    def _finish(self, command: Command, n: int, entry: Entry | None, again: bool) -> None:
        """Answer a command. P6: an answer that fails must not stop the queue."""
        try:
            command.done(n, entry, again)
        except Exception:
            log.exception("the answer to a command failed", extra={"table": self.id})

    def _refuse(self, command: Command, fault: ProtocolError) -> None:
        """Answer a command with an error. P6: a refusal that fails must not stop the queue."""
        try:
            command.failed(fault)
        except Exception:
            log.exception("the refusal of a command failed", extra={"table": self.id})

    def faults(self, now: int) -> KnownFaults:
        """The faults of the service that concern the seats."""
        return KnownFaults(self._clock, self.presence_reports, self.viewers.points, now)

    # Commits.

    def open(self, decision: Decision, command: Command) -> None:
        """Append the first entries of a new table; `command` gets the answer."""
        first = opened(self.id, decision[0].entry)
        self._queue.append(command)
        self._append([first, *tables_after(first, decision[1:])], decision, command)

    def _commit(self, table: Table, decision: Decision, command: Command | None) -> None:
        self._append(tables_after(table, decision), decision, command)

    def _append(self, tables: list[Table], decision: Decision, command: Command | None) -> None:
        """Append the decided entries and what they lead to; `tables` are the tables after each decided entry."""
        steps = decision
        if self.sync.table is None or tables[-1].chairs is not self.sync.table.chairs:
            steps += follow_ups(tables)
        last = tables[-1]
        deadlines = seat_deadlines(last)
        deadline = next_deadline_ms(last, deadlines)
        is_stored = self.deadline.set(deadline)
        commit = Commit(tables, steps, deadlines, decision[-1], command)
        sync = self.sync
        sync.busy = True
        entries = chained(steps[0].n, [encode_entry(step.entry) for step in steps], sync.chain)
        then = partial(self._appended, commit, entries)
        if len(steps) == 1 and isinstance(steps[0].entry, Moved):
            due = None if is_stored else deadline
            self._log.append_move(self.id, sync.last, entries[0], sync.own_last, due, then)
        else:
            self._log.append(self.id, sync.last, entries, deadline, then)

    def _appended(self, commit: Commit, entries: list[StoredEntry], answer: Answer) -> None:
        """The store answered: the append succeeded, conflicted with another node's, or its result is unknown."""
        self.sync.busy = False
        if type(answer) is bytes:
            if self._log.publishes_later or (len(entries) == 1 and isinstance(commit.decided.entry, Moved)):
                for index, step in enumerate(commit.steps):
                    self._channel.announce(step.n, entries[index][1])
            self._committed(commit, entries)
            if commit.command is not None:
                self._queue.popleft()
                self._finish(commit.command, commit.decided.n, commit.decided.entry, False)
            self.synced()
        elif is_conflict(answer):
            self._observer.conflicted()
            self._conflicts += 1
            if is_moved(answer):
                self.sync.mark_unverified()
            if self._conflicts > MAX_CONFLICTS:
                self._conflicts = 0
                self.failed(busy)
            else:
                self.sync.catch_up()
        else:
            log.warning("an append failed", extra={"table": self.id, "error": str(answer)})
            self.sync.unconfirmed.update(new[0] for new in entries)
            self.failed(unavailable)

    def _committed(self, commit: Commit, entries: list[StoredEntry]) -> None:
        """The entries are in the log: they are the table now, and viewers may see them."""
        start = before = self.sync.table
        last = commit.tables[-1]
        self._conflicts = 0
        for index, after in enumerate(commit.tables):
            step = commit.steps[index]
            self.sync.advance(after, step.entry, entries[index])
            self._show(before, after, step, commit.deadlines if after is last else seat_deadlines(after))
            before = after
        self.sync.own_last = True
        self.sync.just_read = True  # the append was the next one, so nothing was missed before it
        try:
            self._observer.committed(self, start, commit.steps)
        except Exception:
            log.exception("bookkeeping after a commit failed", extra={"table": self.id})
        if not same_message(start, last, commit.steps[-1].entry):
            self.show_info()

    def synced(self) -> None:
        """The store answered: read what was missed meanwhile, or judge the next command."""
        if self.sync.is_behind:
            self.sync.catch_up()
        elif self._queue:
            self._run()
        else:
            self.sync.just_read = False

    # The log.

    def loaded(self, table: Table, delay: Delay) -> None:
        """The whole log was read: every viewer gets the seats and a whole view."""
        self.deadline.forget()
        self.viewers.delay = delay
        self._observer.loaded()
        self._eject(table)
        self.viewers.place_all(table)
        self.show_info()
        self.viewers.show_all(table)
        more = follow_up(table, table.at)
        if more:  # a log of an older release may end before it
            self._commit(table, more, None)

    def folded(self, before: Table, after: Table, step: EntryWithEvents) -> None:
        """Another node's entry was folded."""
        self.deadline.forget()
        self._conflicts = 0
        self._show(before, after, step, seat_deadlines(after))
        if not same_message(before, after, step.entry):
            self.show_info()

    def broken(self, fault: LogFault) -> None:
        """The log cannot be folded to its end, so the table is closed."""
        self._observer.broken(self, fault)

    def vanished(self, table: Table) -> None:
        """The store has lost the table: tell everybody who views it."""
        self.viewers.show_info(messages_for(table, self.presence_reports, self._clock.now()))

    def failed(self, make_fault: Callable[[], ProtocolError]) -> None:
        """The table's state is unknown: refuse all queued commands.

        If the table has viewers, its log is read again soon.
        """
        self.sync.forget()
        if self.viewers and make_fault is unavailable:
            self._observer.viewers_changed(self)
        queue, self._queue = self._queue, deque()
        for command in queue:
            self._refuse(command, make_fault())

    def subscribe(self) -> None:
        """Subscribe to what other nodes commit, for as long as the table has viewers here."""
        self._channel.subscribe(self._on_message, self.sync.catch_up)

    def _on_message(self, kind: bytes, payload: bytes) -> None:
        if kind == CHAT:
            if self.table is not None:
                self.viewers.show_chat(msgspec.msgpack.decode(payload, type=Chat), self.table)
        elif kind == PRESENCE:
            if self.presence_reports.add(read_report(payload)):
                self._channel.others_subscribe()
            self.show_info()
            self._observer.attendance_changed(self)
        else:
            self.sync.announced(int(kind), payload)

    # Viewers.

    def _show(self, before: Table | None, after: Table, step: EntryWithEvents, deadlines: SeatDeadlines) -> None:
        """Show an entry to every viewer, from the seat that the viewer has after it."""
        moved: tuple[Viewer, ...] = ()
        same_users = before is not None and before.chairs is after.chairs and before.rules is after.rules
        if before is None or not same_users or before.status != after.status:
            self._eject(after)
            moved = self.viewers.remove_moved(after)
        self.viewers.show(after, deadlines, step, moved)
        if moved:
            self._observer.viewers_changed(self)

    def _eject(self, table: Table) -> None:
        """End the feeds of viewers who may no longer see the table."""
        if self.viewers.eject(table):
            self._left()

    def join(self, viewer: Viewer, last: int | None) -> None:
        """Show the table to this viewer from now on, beginning with the entries after `last`."""
        table = self.table
        assert table
        self.subscribe()
        self.viewers.welcome(viewer, table, self.info)
        self._observer.viewers_changed(self)
        until = self.viewers.entry_seen(viewer.user, table)
        if last is None or not 0 < until - last <= MAX_MISSED:
            self.viewers.show_whole(viewer, table)
            return
        missed = self.viewers.recent(table, last, until)
        if missed is not None:
            self.viewers.show_missed(viewer, table, missed)
        else:
            self._log.read(self.id, last, partial(self._read_missed, viewer, table))

    def _read_missed(self, viewer: Viewer, table: Table, answer: Answer) -> None:
        """Show entries that this node no longer remembers to a viewer who resumes."""
        if self.table is None:
            return  # when the table is read again every viewer gets a whole view
        if self.table.n == table.n and not isinstance(answer, Exception):
            until = self.viewers.entry_seen(viewer.user, table)
            missed = [with_events(table, n, entry) for n, entry in decode_entries(numbered(answer)) if n <= until]
            self.viewers.show_missed(viewer, table, missed)
        else:  # newer entries were shown meanwhile, or the log could not be read
            self.viewers.show_whole(viewer, self.table)

    def leave(self, viewer: Viewer) -> None:
        """Stop showing the table to this viewer."""
        self.viewers.leave(viewer)
        self._left()

    def _left(self) -> None:
        if not self.viewers:
            self._channel.unsubscribe()
            self.used_at = self._clock.now()
        self._observer.viewers_changed(self)

    def refresh(self, viewer: Viewer) -> None:
        """Send everything again to a viewer that did not keep up."""
        if self.table is not None and viewer in self.viewers:
            self.viewers.show_info_again(viewer, self.info)
            self.viewers.show_whole(viewer, self.table)

    def show_info(self) -> None:
        """Send the seats and the status of the table to every viewer."""
        if self.table is not None:
            self.viewers.show_info(messages_for(self.table, self.presence_reports, self._clock.now()))

    def info(self, seat: int | None) -> msgspec.Struct:
        """The message with the seats and the status of the table, for this viewpoint."""
        assert self.table
        return message_for(self.table, self.presence_reports, self._clock.now(), seat)
