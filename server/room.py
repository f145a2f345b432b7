"""A table as this node holds it: folded, watched, and changed by one command at a time.

The append settles races between nodes: a command is judged against the folded table, its entry is appended if it
is the next one, and only then is it acknowledged and shown. Refused, the node reads what it missed and judges
the command again.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from protocol.codec import ProtocolError
from protocol.messages import Ask, Chat, Result, SeatInfo, Update
from protocol.messages import Table as TableInfo
from server.edge import binary_frame
from server.entries import Entry, Moved, Opened, Resumed, Started, read_entry
from server.log import channel
from server.store import Answer
from server.table import Again, Decision, Table, codec, folded, opened

if TYPE_CHECKING:
    from server.connection import Connection
    from server.hub import Hub

log = logging.getLogger("cheeseboard.room")
encode = msgspec.msgpack.Encoder().encode

MOST_QUEUED = 256  # commands waiting for this table on this node; more are answered "busy"
MOST_RECENT = 64  # entries kept as values for those who resume
MOST_MISSED = 500  # entries sent one by one to somebody who resumes; further behind, a whole view

Left = dict[int, int | None]
Judge = Callable[[Table, int], Decision | None]


class Command(msgspec.Struct, gc=False):
    """Something that somebody wants of the table, and where the answer goes.

    `judge` answers the entry that does it, or None if it only looks. `key` is what makes it the same
    command when it is sent again. `knows` is an entry that whoever sent it has seen: a table that is not as far
    is read again before it is judged.
    """

    judge: Judge
    done: Callable[[int, bool], object]
    failed: Callable[[ProtocolError], object]
    at: int
    key: tuple[str, str] | None = None
    knows: int = 0


class Shown(msgspec.Struct, frozen=True, gc=False):
    """An entry with its events as values."""

    n: int
    entry: Entry
    events: tuple[Any, ...]


class Report(msgspec.Struct, frozen=True, array_like=True):
    """Whom a node has at the table, and when it said so."""

    node: str
    at: int
    watchers: int
    seats: tuple[int, ...]


class Room:
    """One table on this node."""

    def __init__(self, table: str, hub: Hub) -> None:
        self.id = table
        self.hub = hub
        self.table: Table | None = None
        self.viewers: dict[int | None, dict[Connection, None]] = {}
        self.reports: dict[str, Report] = {}
        self.used_at = 0
        self._queue: deque[Command] = deque()
        self._recent: deque[Shown] = deque(maxlen=MOST_RECENT)
        self._keys: dict[tuple[str, str], int] = {}
        self._views: dict[int | None, tuple[int, Any]] = {}
        self._busy = False
        self._running = False
        self._read = False  # the log was read just now
        self._due_at = 0  # time brings nothing about before this, unless there was an outage
        self._outages: tuple[tuple[int, int], ...] = ()  # that this table was last looked at with
        self._heard = 0  # the highest entry that another node has told of
        self._behind = False  # something may have been missed while the store was asked
        self._listening = False

    # Commands.

    def submit(self, command: Command) -> None:
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
    def was_aside(self) -> bool:
        """Whether the last entry was something said, not a move that was waited for."""
        entry = self._recent[-1].entry if self._recent else None
        return isinstance(entry, Moved) and entry.aside

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
                if self.table is None or not self._is_fresh(self.table, self._queue[0]):
                    self.catch_up()
                else:
                    self._take(self.table, self._queue[0])
        finally:
            self._running = self._read = False

    def _is_fresh(self, table: Table, command: Command) -> bool:
        """Whether the table is as far as the log, as far as this node can know."""
        return self._read or (self._listening and command.knows <= table.n)

    def _take(self, table: Table, command: Command) -> None:
        """Judge one command: commit it, answer it, or refuse it."""
        if command.key is not None and command.key in self._keys:
            self._queue.popleft()
            command.done(self._keys[command.key], True)
            return
        try:
            decision, own = self._judge(table, command)
            if decision is not None:
                self._commit(decision, command if own else None)
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

    def _judge(self, table: Table, command: Command) -> tuple[Decision | None, bool]:
        """What the command does, unless time has brought about something before it."""
        at = max(command.at, table.at)
        outages = self.hub.outages
        quiet = at < self._due_at and outages is self._outages
        if not quiet and table.status == "running" and self.hub.knows_time(at):
            late = table.tick(at, outages)
            if late is not None:
                return late, False
            self._due_at, self._outages = table.deadline(), outages
        return command.judge(table, at), True

    def open(self, entry: Opened) -> None:
        """Put entry 1 of a new table in its log."""
        self._append(opened(self.id, entry), Decision(entry), None)

    def _commit(self, decision: Decision, command: Command | None) -> None:
        assert self.table
        self._append(self.table.after(decision.entry, decision.events), decision, command)

    def _append(self, following: Table, decision: Decision, command: Command | None) -> None:
        self._busy = True
        deadline = following.deadline()

        def committed(answer: Answer) -> None:
            self._busy = False
            if answer == -1:
                self._due_at = deadline
                self._committed(following, decision, command)
            elif isinstance(answer, Exception):
                log.warning("an append was not answered", extra={"table": self.id, "error": str(answer)})
                self._give_up()
            else:
                self.hub.metrics.conflicts += 1
                self.catch_up()

        self.hub.log.append(self.id, following.n, decision.entry, deadline, committed)

    def _committed(self, following: Table, decision: Decision, command: Command | None) -> None:
        if command is not None:
            self._queue.popleft()
        self._advance(following, decision.entry, decision.events or ())
        self.hub.committed(self, decision.entry)
        if command is not None:
            command.done(following.n, False)
        self._read = True  # the append was the next one, so nothing was missed before it
        then = following.follow_up(following.at)
        if then is not None:
            self._commit(then, None)
        else:
            self._go_on()

    def _go_on(self) -> None:
        """The store has answered: read what was missed meanwhile, or take up the next command."""
        if self._behind or (self.table is not None and self._heard > self.table.n):
            self.catch_up()
        else:
            self.run()

    def _give_up(self) -> None:
        """The store is away: nobody knows what is in the log, so nothing is answered as done."""
        self.table = None
        queue, self._queue = self._queue, deque()
        for command in queue:
            command.failed(ProtocolError("unavailable", "the store is away; send this again", retry_after_ms=500))

    # The log.

    def catch_up(self) -> None:
        """Read the entries that are missing here, then go on."""
        if self._busy:
            self._behind = True
            return
        self._busy = True
        self._behind = False
        base = self.table

        def missed(answer: list[tuple[int, Entry]] | Exception) -> None:
            self._busy = False
            if isinstance(answer, Exception):
                self._give_up()
                return
            if base is None and not answer:
                self._no_table()
                return
            if base is None:
                self._load(answer)
            else:
                for _, entry in answer:
                    self._fold(entry)
            if self.table and not self._behind:
                self._heard = self.table.n
            self._read = True
            self._go_on()

        self.hub.log.read(self.id, base.n if base else 0, missed)

    def _load(self, entries: list[tuple[int, Entry]]) -> None:
        """Fold the whole log; whoever was watching gets it whole."""
        self.table = folded(self.id, entries)
        self._due_at = 0
        self.hub.metrics.loads += 1
        self._keys = {(entry.user, entry.key): n for n, entry in entries if isinstance(entry, Moved)}
        self._recent.clear()
        self._views.clear()
        for connections in self.viewers.values():
            for connection in connections:
                self.show_whole(connection)
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
        events: tuple[Any, ...] = ()
        self._due_at = 0
        if isinstance(entry, Moved | Started):
            events = codec(self.table.opened.game).events.decode(entry.events)
        self._advance(self.table.after(entry, events or None), entry, events)

    def listen(self) -> None:
        """Hear what other nodes commit, as long as somebody watches here."""
        if not self._listening:
            self._listening = True
            self.hub.feed.listen(channel(self.id), self._on_word, self.catch_up)

    def _on_word(self, word: bytes) -> None:
        head, _, body = word.partition(b" ")
        if head == b"chat":
            self._show_chat(msgspec.msgpack.decode(body, type=Chat))
        elif head == b"here":
            self._on_report(msgspec.msgpack.decode(body, type=Report))
        else:
            n = int(head)
            self._heard = max(self._heard, n)
            if self._busy or self.table is None or n <= self.table.n:
                return
            if n == self.table.n + 1:
                self._fold(read_entry(body))
            else:
                self.catch_up()

    def _advance(self, following: Table, entry: Entry, events: tuple[Any, ...]) -> None:
        """The entry is in the log: it is the table now, and everybody may see it."""
        before = self.table
        self.table = following
        if isinstance(entry, Moved):
            self._keys[(entry.user, entry.key)] = following.n
        shown = Shown(following.n, entry, tuple(events))  # plain ones: those of a judge hold the states around them
        self._recent.append(shown)
        self._broadcast(shown)
        changed = before is None or before.chairs is not following.chairs or not isinstance(entry, (Moved, Resumed))
        if changed or following.status != "running":
            self._place_viewers()
            self.show_info()

    # Viewers.

    def join(self, connection: Connection, last: int | None) -> None:
        """Show the table to this connection from now on, beginning with what it has missed since `last`."""
        assert self.table
        seat = self.table.seat_of(connection.user.id)
        self.viewers.setdefault(seat, {})[connection] = None
        self.listen()
        connection.send(self.info(seat))
        self.hub.presence.changed(self)
        if last is None or not 0 <= self.table.n - last <= MOST_MISSED:
            self.show_whole(connection)
        elif self._recent and self._recent[0].n <= last + 1:
            self._show_missed(connection, [shown for shown in self._recent if shown.n > last])
        elif last == self.table.n:
            self.show_whole(connection)
        else:
            self._read_missed(connection, last)

    def _read_missed(self, connection: Connection, last: int) -> None:
        """Somebody was away for longer than this node remembers: read it again."""
        assert self.table
        game = self.table.opened.game
        until = self.table.n

        def read(answer: list[tuple[int, Entry]] | Exception) -> None:
            if isinstance(answer, Exception) or self.table is None:
                return
            missed = []
            for n, entry in answer:
                events = codec(game).events.decode(entry.events) if isinstance(entry, Moved | Started) else ()
                if n <= until:
                    missed.append(Shown(n, entry, events))
            if self.table.n == until:
                self._show_missed(connection, missed)
            else:  # it went on meanwhile, and those updates are on their way already
                self.show_whole(connection)

        self.hub.log.read(self.id, last, read)

    def leave(self, connection: Connection) -> None:
        """Show it no more."""
        for seat in list(self.viewers):
            self.viewers[seat].pop(connection, None)
            if not self.viewers[seat]:
                del self.viewers[seat]
        if not self.viewers:
            self._listening = False
            self._views.clear()
            self.hub.feed.stop(channel(self.id))
        self.hub.presence.changed(self)

    def _place_viewers(self) -> None:
        """Who sat down, left or stood in sees the table from another seat now."""
        assert self.table
        table = self.table
        placed: dict[int | None, dict[Connection, None]] = {}
        moved = []
        for seat, connections in self.viewers.items():
            for connection in connections:
                now = table.seat_of(connection.user.id)
                placed.setdefault(now, {})[connection] = None
                if now != seat:
                    moved.append(connection)
        self.viewers = placed
        for connection in moved:
            self.show_whole(connection)
        if moved:
            self.hub.presence.changed(self)

    def show_whole(self, connection: Connection) -> None:
        """The table as it is now, without what led to it."""
        assert self.table
        seat = self.table.seat_of(connection.user.id)
        connection.send(self._update(None, seat, self._left(), self._view(seat)))

    def refresh(self, connection: Connection) -> None:
        """Everything anew for somebody who could not keep up."""
        if self.table is not None:
            connection.send(self.info(self.table.seat_of(connection.user.id)))
            self.show_whole(connection)

    def _show_missed(self, connection: Connection, missed: list[Shown]) -> None:
        assert self.table
        seat = self.table.seat_of(connection.user.id)
        if not missed:
            self.show_whole(connection)
            return
        for shown in missed[:-1]:
            connection.send(self._past(shown, seat))
        connection.send(self._update(missed[-1], seat, self._left(), self._view(seat)))

    def show_info(self) -> None:
        """Who sits here, to everybody who watches."""
        if self.table is None:
            return
        for seat, connections in self.viewers.items():
            frame = binary_frame(encode(self.info(seat)))
            for connection in connections:
                connection.write(frame)

    def _broadcast(self, shown: Shown) -> None:
        """The entry to each viewpoint that somebody has: encoded once, written to many."""
        assert self.table
        left = self._left()
        for seat, connections in self.viewers.items():
            try:
                self._show(shown, seat, left, connections)
            except Exception:  # the entry stands; whoever cannot be shown it comes back for a whole view
                log.exception("an entry could not be shown", extra={"table": self.id, "entry": shown.n})
        self.hub.metrics.updates += len(self.viewers)

    def _show(self, shown: Shown, seat: int | None, left: Left, connections: Iterable[Connection]) -> None:
        view = self._view(seat)
        n, before = self._views.get(seat, (0, None))
        follows = n == shown.n - 1 and before is not None and view is not None
        whole = patched = b""
        for connection in connections:
            if follows and connection.patches:
                if not patched:
                    patched = binary_frame(encode(self._update(shown, seat, left, None, _patch(before, view))))
                connection.write(patched)
            else:
                if not whole:
                    whole = binary_frame(encode(self._update(shown, seat, left, view)))
                connection.write(whole)
        self._views[seat] = (shown.n, view)

    def _view(self, seat: int | None) -> Any:
        assert self.table
        return None if self.table.state is None else self.table.game.view(self.table.state, seat)

    def _left(self) -> Left:
        """How many milliseconds each seat that is asked still has."""
        assert self.table
        now = self.hub.now()
        return {seat: None if due is None else max(0, due - now) for seat, due in self.table.dues().items()}

    def _update(
        self, shown: Shown | None, seat: int | None, left: Left, view: Any, patch: dict[str, Any] | None = None
    ) -> Update:
        """What is so now, with the entry that led to it."""
        table = self.table
        assert table
        ask = aside = None
        if seat is not None:
            asked, said = table.asks.get(seat), table.asides.get(seat)
            ask = Ask(n=asked.n, offers=asked.offers, left_ms=left[seat]) if asked else None
            aside = Ask(n=said.n, offers=said.offers) if said else None
        entry = shown.entry if shown else None
        moved = entry if isinstance(entry, Moved) else None
        return Update(
            table=self.id,
            n=shown.n if shown else table.n,
            seat=moved.seat if moved else None,
            by=moved.by if moved else "house",
            at=entry.at if entry and patch is None else None,
            events=self._seen(shown, seat) if shown else (),
            view=view,
            patch=patch,
            ask=ask,
            asides=aside,
            acting=tuple(left.items()),
        )

    def _past(self, shown: Shown, seat: int | None) -> Update:
        """An entry as this viewpoint may see it, without what is so now."""
        entry, events = shown.entry, self._seen(shown, seat)
        if isinstance(entry, Moved):
            return Update(table=self.id, n=shown.n, seat=entry.seat, by=entry.by, at=entry.at, events=events)
        return Update(table=self.id, n=shown.n, by="house", at=entry.at, events=events)

    def _seen(self, shown: Shown, seat: int | None) -> tuple[Any, ...]:
        assert self.table
        show = self.table.game.show
        return tuple([seen for event in shown.events if (seen := show(event, seat)) is not None])

    # Who is here, and what they say.

    def _on_report(self, report: Report) -> None:
        self.reports[report.node] = report
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
        frame = binary_frame(encode(chat))
        for seat, connections in self.viewers.items():
            if chat.seat is not None or seat is None:
                for connection in connections:
                    connection.write(frame)

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


def _patch(before: Any, view: Any) -> dict[str, dict[str, Any]]:
    """The fields of a view that are not as before: set anew, or lists that only grew."""
    put: dict[str, Any] = {}
    add: dict[str, Any] = {}
    for name in view.__struct_fields__:
        old, new = getattr(before, name), getattr(view, name)
        if old is new or old == new:
            continue
        if type(new) is tuple and type(old) is tuple and old and new[: len(old)] == old:
            add[name] = new[len(old) :]
        else:
            put[name] = new
    patch = {"set": put} if put else {}
    if add:
        patch["add"] = add
    return patch


def look(table: Table, at: int) -> None:
    """The judge of commands that only want the table to be there."""


def nothing(*_: object) -> None:
    """The answer to commands that nobody waits for."""
