"""A table as this node holds it: folded, watched, and changed by one command at a time.

The append settles races between nodes: a command is judged against the folded table, its entry is appended if it
is the next one, and only then is it acknowledged and shown. Refused, the node reads what it missed and judges
the command again.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from protocol.codec import ProtocolError
from protocol.messages import Chat, Result, SeatInfo
from protocol.messages import Table as TableInfo
from server.entries import Entry, Moved, Opened, Resumed, read_entry, write_entry
from server.feed import Channel
from server.inner import Inner
from server.log import channel, read_entries, refused
from server.presence import Report, read_report
from server.showing import read_again
from server.store import Answer
from server.table import Again, Decision, Dues, Table, folded, opened
from server.viewers import Viewers

if TYPE_CHECKING:
    from server.connection import Connection
    from server.hub import Hub

log = logging.getLogger("cheeseboard.room")

MOST_MISSED = 500  # entries sent one by one to somebody who resumes; further behind, a whole view
MOST_QUEUED = 256  # commands waiting for this table on this node; more are answered "busy"

Judge = Callable[[Table, int], Decision | None]


class Wanted(Protocol):
    """Something that somebody wants of the table, and where the answer goes.

    `judge` answers the entry that does it, or None if it only looks. `key` is what makes it the same
    command when it is sent again. `knows` is an entry that whoever sent it has seen: a table that is not as far
    is read again before it is judged.
    """

    @property
    def at(self) -> int: ...
    @property
    def key(self) -> tuple[str, str] | None: ...
    @property
    def knows(self) -> int: ...

    def judge(self, table: Table, at: int, /) -> Decision | None: ...
    def done(self, n: int, again: bool, /) -> object: ...
    def failed(self, fault: ProtocolError, /) -> object: ...


class Command(Inner, frozen=True):
    """Something wanted, put together from functions."""

    judge: Judge
    done: Callable[[int, bool], object]
    failed: Callable[[ProtocolError], object]
    at: int
    key: tuple[str, str] | None = None
    knows: int = 0


class Room:
    """One table on this node."""

    def __init__(self, table: str, hub: Hub) -> None:
        self.id = table
        self.hub = hub
        self.table: Table | None = None
        self.viewers = Viewers(self)
        self.reports: dict[str, Report] = {}
        self.used_at = 0
        self._queue: deque[Wanted] = deque()
        self._keys: dict[tuple[str, str], int] = {}
        self._busy = False
        self._running = False
        self._read = False  # the log was read just now
        self.due_at = 0  # time brings nothing about before this, unless there was an outage
        self._outages: tuple[tuple[int, int], ...] = ()  # that this table was last looked at with
        self._heard = 0  # the highest entry that another node has told of
        self._behind = False  # something may have been missed while the store was asked
        self._name = channel(table)
        self._channel: Channel | None = None  # on which this node hears what others commit
        self._doubtful = False  # the store was away: the log may be shorter than the table

    # Commands.

    def submit(self, command: Wanted) -> None:
        """Have the command judged, after those that came before it."""
        if len(self._queue) >= MOST_QUEUED:
            fault = ProtocolError("busy", "too much is asked of this table at once", retry_after_ms=500)
            command.failed(fault)
            return
        self._queue.append(command)
        self.run()

    @property
    def idle(self) -> bool:
        """Whether nobody looks at the table here and nothing is under way."""
        return not self.viewers and not self._queue and not self._busy

    @property
    def working(self) -> bool:
        """Whether something is under way that has not been answered."""
        return self._busy or bool(self._queue)

    def run(self) -> None:
        """Take up the next commands until one has to wait for the store."""
        if self._running:
            return  # an answer led to the next command: the loop below takes it up
        self._running = True
        try:
            while self._queue and not self._busy:
                table, command = self.table, self._queue[0]
                sure = self._channel is not None and not self._doubtful
                if table is not None and (self._read or (sure and command.knows <= table.n)):
                    self._take(table, command)
                else:  # the table may not be as far as the log, or farther
                    self.catch_up()
        finally:
            self._running = self._read = False

    def _take(self, table: Table, command: Wanted) -> None:
        """Judge one command: commit it, answer it, or refuse it."""
        if command.key is not None and command.key in self._keys:
            self._queue.popleft()
            command.done(self._keys[command.key], True)
            return
        at = command.at if command.at > table.at else table.at
        try:
            quiet = at < self.due_at and self.hub.outages is self._outages
            late = None if quiet else self._late(table, at)
            decision = command.judge(table, at) if late is None else late
            if decision is not None:
                self._commit(decision, command if late is None else None)
                return
        except Again as again:
            self._queue.popleft()
            command.done(again.n, True)
        except ProtocolError as fault:
            self._queue.popleft()
            command.failed(fault)
        except Exception:
            log.exception("a command failed", extra={"table": self.id})
            self._queue.popleft()
            command.failed(ProtocolError("internal", "this went wrong on our side; nothing was changed"))
        else:
            self._queue.popleft()
            command.done(table.n, False)

    def _late(self, table: Table, at: int) -> Decision | None:
        """What time has brought about before this moment, if anything."""
        outages = self.hub.outages
        if table.status != "running" or not self.hub.knows_time(at):
            return None
        late = table.tick(at, outages)
        if late is None:
            self._expect(table.deadline(table.dues()))
            self._outages = outages
        return late

    def _expect(self, deadline: int) -> bool:
        """The table is due then; whether it was before, so that somebody looks at it in time anyway.

        Who looks too early puts it off. So after every entry the deadline that stands in the store is no later than the
        entry's own, and a later one need not be written.
        """
        before, self.due_at = self.due_at, deadline
        if 0 < before <= deadline:
            return True
        self.hub.expect(deadline, self.id)
        return False

    def open(self, entry: Opened) -> None:
        """Put entry 1 of a new table in its log."""
        self._append(opened(self.id, entry), Decision(entry), None)

    def _commit(self, decision: Decision, command: Wanted | None) -> None:
        assert self.table
        self._append(self.table.after(decision.entry, decision.events), decision, command)

    def _append(self, following: Table, decision: Decision, command: Wanted | None) -> None:
        dues = following.dues()
        deadline = following.deadline(dues)
        stands = self._expect(deadline)
        packed = write_entry(decision.entry)
        then = partial(self._appended, following, dues, decision, command, packed)
        self._busy = True
        if isinstance(decision.entry, Moved):
            self.hub.log.append_move(self.id, following.n, packed, None if stands else deadline, then)
        else:
            self.hub.log.append(self.id, following.n, packed, deadline, then)

    def _appended(
        self,
        following: Table,
        dues: Dues,
        decision: Decision,
        command: Wanted | None,
        packed: bytes,
        answer: Answer,
    ) -> None:
        """The store has answered: the entry is in the log, or another one is, or nobody knows."""
        self._busy = False
        if type(answer) is bytes:
            if isinstance(decision.entry, Moved):
                self.hub.telling.tell(self._name, self._channel, following.n, packed)
            self._committed(following, dues, decision, command)
        elif refused(answer):
            self.hub.metrics.conflicts += 1
            self.catch_up()
        else:
            log.warning("an append was not answered", extra={"table": self.id, "error": str(answer)})
            self._give_up(_away)

    def _committed(self, following: Table, dues: Dues, decision: Decision, command: Wanted | None) -> None:
        if command is not None:
            self._queue.popleft()
        before = self.table
        quiet = self._advance(following, dues, decision.entry, decision.events or ())
        self.hub.committed(self, decision.entry)
        if not quiet and before is not None:
            self.hub.unseated(self.id, before.users - following.users)
        if command is not None:
            command.done(following.n, False)
        self._read = True  # the append was the next one, so nothing was missed before it
        then = None if quiet else following.follow_up(following.at)
        if then is not None:
            self._commit(then, None)
        else:
            self._go_on()

    def _go_on(self) -> None:
        """The store has answered: read what was missed meanwhile, or take up the next command."""
        if self._behind or (self.table is not None and self._heard > self.table.n):
            self.catch_up()
        elif self._queue:
            self.run()
        else:
            self._read = False

    def _give_up(self, fault: Callable[[], ProtocolError]) -> None:
        """Nobody knows what is in the log, so nothing is answered as done."""
        self.table = None
        queue, self._queue = self._queue, deque()
        for command in queue:
            command.failed(fault())

    # The log.

    def catch_up(self) -> None:
        """Read the entries that are missing here, then go on."""
        if self._busy:
            self._behind = True
            return
        self._busy = True
        self._behind = False
        base, heard = self.table, self._heard

        def missed(answer: Answer) -> None:
            self._busy = False
            if isinstance(answer, Exception):
                self._give_up(_away)
                return
            if base is None and not answer:
                self._no_table()
                return
            self._doubtful = False
            try:
                entries = read_entries(answer)
                if base is None:
                    self._load(entries)
                elif not entries or (entries[0][0], entries[0][1].at) != (base.n, base.at):
                    self.table = None  # the store came back without its last entries, and is the truth all the same
                    self.catch_up()
                    return
                else:
                    for _, entry in entries[1:]:
                        self._fold(entry)
            except Exception:
                log.exception("a log cannot be read", extra={"table": self.id})
                self._give_up(_unreadable)
                return
            if self.table and self._heard == heard:  # what was told since the question may not be in the answer
                self._heard = self.table.n
            self._read = True
            self._go_on()

        after = base.n - 1 if base else 0  # the last entry that is known is read again, to see that it is there
        self.hub.log.read(self.id, after, missed)

    def compare(self, length: Answer) -> None:
        """The log is this long: if that is not what is known here, a word was missed, or entries were lost.

        Nothing is known here after the store has refused something.
        """
        if isinstance(length, int) and (self.table is None or length != self.table.n):
            self.catch_up()

    def doubt(self) -> None:
        """The store was away: see what is left of the log before anything is added to it."""
        self._doubtful = True

    def _load(self, entries: list[tuple[int, Entry]]) -> None:
        """Fold the whole log; whoever was watching gets it whole."""
        self.table = folded(self.id, entries)
        self.due_at = 0
        self.hub.metrics.loads += 1
        self._keys = {(entry.user, entry.key): n for n, entry in entries if isinstance(entry, Moved)}
        self.viewers.load()
        follow = self.table.follow_up(self.table.at)
        if follow is not None:  # the node that should have done it died
            self._commit(follow, None)

    def _no_table(self) -> None:
        queue, self._queue = self._queue, deque()
        for command in queue:
            command.failed(ProtocolError("no_table", "there is no such table", field="table"))
        self.hub.forget(self)

    def _fold(self, entry: Entry) -> None:
        """An entry that another node committed."""
        assert self.table
        self.due_at = 0
        shown = read_again(self.table, self.table.n + 1, entry)
        following = self.table.after(entry, shown.events or None)
        self._advance(following, following.dues(), entry, shown.events)

    def listen(self) -> None:
        """Hear what other nodes commit, as long as somebody watches here."""
        if self._channel is None:
            self._channel = self.hub.feed.listen(self._name, self._on_word, self.catch_up)

    def _on_word(self, word: bytes) -> None:
        head, _, body = word.partition(b" ")
        if head == b"chat":
            self._show_chat(msgspec.msgpack.decode(body, type=Chat))
        elif head == b"here":
            self._on_report(read_report(body))
        else:
            n = int(head)
            self._heard = max(self._heard, n)
            if self._busy or self.table is None or n <= self.table.n:
                return
            if self._channel is not None:
                self._channel.others = True
            if n == self.table.n + 1:
                self._fold(read_entry(body))
            else:
                self.catch_up()

    def _advance(self, following: Table, dues: Dues, entry: Entry, events: tuple[Any, ...]) -> bool:
        """The entry is in the log: it is the table now, and everybody may see it.

        Answers whether the game goes on with everybody where they were.
        """
        before = self.table
        self.table = following
        if isinstance(entry, Moved):
            self._keys[entry.user, entry.key] = following.n
        self.viewers.advance(following, dues, entry, events)
        same = before is not None and before.chairs is following.chairs and isinstance(entry, (Moved, Resumed))
        quiet = same and following.status == "running"
        if not quiet:
            if self.viewers.place():
                self.hub.presence.changed(self)
            self.show_info()
        return quiet

    # Viewers.

    def join(self, connection: Connection, last: int | None) -> None:
        """Show the table to this connection from now on, beginning with what it has missed since `last`."""
        table = self.table
        assert table
        self.listen()
        seat = self.viewers.add(connection)
        connection.send(self.info(seat))
        self.hub.presence.changed(self)
        if last is None or last == table.n or not 0 <= table.n - last <= MOST_MISSED:
            self.viewers.show_whole(connection)
            return
        missed = self.viewers.recent(last)
        if missed is not None:
            self.viewers.show_missed(connection, missed)
        else:
            self._read_missed(connection, table, last)

    def _read_missed(self, connection: Connection, table: Table, last: int) -> None:
        """Somebody was away for longer than this node remembers: read it again."""

        def read(answer: Answer) -> None:
            if self.table is None:
                return  # when it is read again everybody gets it whole
            if self.table.n == table.n and not isinstance(answer, Exception):
                missed = [read_again(table, n, entry) for n, entry in read_entries(answer) if n <= table.n]
                self.viewers.show_missed(connection, missed)
            else:  # it went on meanwhile, and those updates are on their way already; or nobody knows what was missed
                self.viewers.show_whole(connection)

        self.hub.log.read(self.id, last, read)

    def leave(self, connection: Connection) -> None:
        """Show it no more."""
        self.viewers.drop(connection)
        if not self.viewers:
            self._channel = None
            self.hub.feed.stop(self._name)
        self.hub.presence.changed(self)

    def refresh(self, connection: Connection) -> None:
        """Everything anew for somebody who could not keep up."""
        if self.table is not None and connection in self.viewers:
            connection.send(self.info(self.table.seat_of(connection.user.id)))
            self.viewers.show_whole(connection)

    def show_info(self) -> None:
        """Who sits here, to everybody who watches."""
        if self.table is not None:
            for seat in self.viewers.points:
                self.viewers.tell(self.info(seat), seat)

    # Who is here, and what they say.

    def _on_report(self, report: Report) -> None:
        self.reports[report.node] = report
        if self._channel is not None and report.node != self.hub.node:
            self._channel.others = True
        self.show_info()
        self.hub.lobby.watch_count(self)

    def fresh_reports(self, now: int) -> list[Report]:
        """What the nodes that live have said of who is here."""
        return [report for report in self.reports.values() if now - report.at < 30_000]

    def watchers(self, now: int) -> int:
        """How many watch, on all nodes."""
        return sum(report.watchers for report in self.fresh_reports(now))

    def _show_chat(self, chat: Chat) -> None:
        """What a seat says is for everybody, what a watcher says for watchers."""
        for seat in self.viewers.points:
            if chat.seat is not None or seat is None:
                self.viewers.tell(chat, seat)

    def seats(self, now: int) -> tuple[SeatInfo, ...]:
        """The seats as everybody may know them."""
        assert self.table
        here = {seat for report in self.fresh_reports(now) for seat in report.seats}
        return tuple(
            SeatInfo(
                kind="free" if not chair.user else "held" if chair.held else "bot" if chair.bot else "person",
                user=chair.user,
                name=chair.name,
                level=chair.level,
                owner=chair.owner,
                here=seat in here,
                stand_in=chair.stand_in_name,
            )
            for seat, chair in enumerate(self.table.chairs)
        )

    def info(self, seat: int | None) -> TableInfo:
        """The table and who sits at it, for this viewpoint."""
        table = self.table
        assert table
        now = self.hub.now()
        result = None
        if table.outcome:
            result = Result(places=table.outcome.places, rule=table.outcome.rule, points=table.outcome.points)
        return TableInfo(
            table=table.id,
            code=table.opened.code,
            game=table.opened.game,
            options=table.opened.options,
            speed=table.opened.speed,
            public=table.opened.public,
            status=table.status,
            host=table.host,
            seats=self.seats(now),
            commitment=table.commitment,
            watchers=self.watchers(now),
            you=seat,
            result=result,
            seed=table.opened.seed.hex() if table.status == "ended" else None,
            rematch=table.rematch,
        )


def look(table: Table, at: int) -> None:
    """The judge of commands that only want the table to be there."""


def _away() -> ProtocolError:
    return ProtocolError("unavailable", "the store is away; send this again", retry_after_ms=500)


def _unreadable() -> ProtocolError:
    return ProtocolError("internal", "this table cannot be read on our side; nothing was changed")


def nothing(*_: object) -> None:
    """The answer to commands that nobody waits for."""
