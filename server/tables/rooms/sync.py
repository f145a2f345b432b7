"""Keeps the folded table of a room equal to its log: reads what is missing, and folds what other nodes announce."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol
from zlib import crc32

from protocol.codec import ProtocolError
from server.store.answers import Answer
from server.store.table_channel import TableChannel
from server.store.table_log import (
    NO_ENTRY,
    StoredEntry,
    TableLog,
    chain_after,
    entry_id,
    first_stray,
    numbered,
    stored,
)
from server.tables.state.delay import Delay
from server.tables.state.entries import Entry, Moved, decode_entries, decode_entry
from server.tables.state.fold_log import VANISHED, LogFault, MoveKeys, closed, fold_log
from server.tables.state.table import EntryWithEvents, Table, with_events

log = logging.getLogger("cheeseboard.sync")

UNAVAILABLE_MS = 250  # when clients send a request again while the store is away; adds to the pause of every failover


class SyncObserver(Protocol):
    """The room whose table is kept."""

    def loaded(self, table: Table, delay: Delay, /) -> None:
        """The whole log was read; `delay` is what watchers see of it."""

    def folded(self, before: Table, after: Table, step: EntryWithEvents, /) -> None:
        """An entry of another node was folded."""

    def broken(self, fault: LogFault, /) -> None:
        """The log cannot be folded to its end."""

    def vanished(self, table: Table, /) -> None:
        """The store has lost the log of this table, which is closed now."""

    def synced(self) -> None:
        """The log was read to its end."""

    def failed(self, make_fault: Callable[[], ProtocolError], /) -> None:
        """The table's state is unknown: the log could not be read, or there is none."""


class LogSync:
    """The table of a log as far as this node knows it, and the idempotency keys of its moves.

    `busy` is whether a read or an append is under way: only one is at a time. `just_read` is whether the
    log was read, or appended to, in this event-loop turn, so that the table is up to date. An unverified table may be
    ahead of its log, because the store may have lost entries. The table of a log with a `fault` is closed.
    """

    def __init__(self, table: str, log: TableLog, channel: TableChannel, observer: SyncObserver) -> None:
        self._id = table
        self._log = log
        self._channel = channel
        self._observer = observer
        self.table: Table | None = None
        self.last: StoredEntry = NO_ENTRY  # the table's last entry
        self.chain = 0  # the running CRC-32 of the log up to that entry
        self.own_last = False  # this node has appended that entry, over the present store connection
        self.unconfirmed: set[bytes] = set()  # ids of appends whose result is unknown
        self.keys: MoveKeys = {}
        self.fault: LogFault | None = None  # why the log could not be folded to its end when it was last read
        self.busy = False
        self.just_read = False
        self._unverified = False
        self._read_again = False  # something may have been appended while busy
        self._announced = 0  # the highest entry that another node has announced
        self._forgotten: Table | None = None  # the table when it was last known

    def is_current(self, min_entry: int) -> bool:
        """Whether a command may be judged by the table as it is here."""
        table = self.table
        if table is None:
            return False
        return self.just_read or (self._channel.subscribed and not self._unverified and min_entry <= table.n)

    @property
    def is_behind(self) -> bool:
        """Whether entries are known to be missing here."""
        return self._read_again or (self.table is not None and self._announced > self.table.n)

    def advance(self, table: Table, entry: Entry, last: StoredEntry) -> None:
        """Set the table that follows from an entry which is in the log, stored as `last`."""
        self.table = table
        self.last = last
        self.chain = crc32(last[1], self.chain)
        self.own_last = False
        if isinstance(entry, Moved):
            self.keys[hash((entry.user, entry.key))] = table.n

    def mark_unverified(self) -> None:
        """The store may have lost entries: compare the table with the log before anything is appended."""
        self._unverified = True
        self.own_last = False

    def forget(self) -> None:
        """Drop the table, because the content of the log is unknown."""
        self._forgotten = self.table or self._forgotten
        self.table = None
        self.last = NO_ENTRY
        self.chain = 0

    # Reading.

    def catch_up(self) -> None:
        """Read the entries that are missing here."""
        if self.busy:
            self._read_again = True
            return
        self.busy = True
        self._read_again = False
        base, announced = self.table, self._announced
        after = base.n - 1 if base else 0  # the last known entry is read again, to see that it is still there
        self._log.read(self._id, after, partial(self._read, base, announced))

    def read_first(self) -> bool:
        """Read the log before an answer that a newer entry may contradict; returns False if it was just read."""
        if not self.just_read:
            self.catch_up()
            return True
        return False

    def _read(self, base: Table | None, announced: int, answer: Answer) -> None:
        self.busy = False
        if isinstance(answer, Exception):
            self._observer.failed(unavailable)
            return
        if base is None and not answer:
            lost, self._forgotten = self._forgotten, None
            if lost is not None and lost.status in ("open", "running"):
                self._observer.vanished(closed(lost, VANISHED))
            self._observer.failed(no_table)
            return
        self._unverified = False
        if base is None:
            self._load(answer)
            if self.table is None:
                self._observer.failed(unreadable)
                return
        elif not self._fold_new(base, answer):
            self.forget()
            self.catch_up()
            return
        if self.table and self._announced == announced:  # a later announcement may not be in this answer
            self._announced = self.table.n
        self.just_read = True
        self._observer.synced()

    def _without_strays(self, answer: list[Any]) -> list[Any]:
        """The entries that form a chain. Entries of this node behind a lost one were not acknowledged: remove them."""
        found = first_stray(answer)
        strays = [id for id, _ in answer[found:]]  # noqa: A001
        if not strays or not self.unconfirmed.issuperset(strays):
            return answer
        log.warning("removing entries behind a lost one", extra={"table": self._id, "entries": strays})
        self._log.remove_strays(self._id, answer[found - 1][0], strays[-1])
        return answer[:found]

    def _load(self, answer: list[Any]) -> None:
        """Fold the whole log, or the good entries of a broken one."""
        folded = fold_log(self._id, self._without_strays(answer))
        before, self.fault = self.fault, folded.fault
        if self.fault is not None and (before is None or self.fault.detail != before.detail):
            self._observer.broken(self.fault)
        self.table, self.keys = folded.table, folded.keys
        if folded.good:
            self._set_last(answer[folded.good - 1])
        if self.table is not None:
            _guarded(self._id, partial(self._observer.loaded, self.table, folded.delay))

    def _fold_new(self, base: Table, answer: list[Any]) -> bool:
        """Fold the entries after the last known one; returns False if the whole log must be read instead."""
        if self.fault is not None:
            return False
        if not answer or stored(answer[0]) != self.last:
            if base.status in ("open", "running"):  # the log of a table that is over expires
                log.warning("the store lost entries of a table", extra={"table": self._id, "known": base.n})
            return False
        answer = self._without_strays(answer)
        if first_stray(answer) < len(answer):
            return False
        try:
            for found, (n, entry) in zip(answer[1:], decode_entries(numbered(answer[1:])), strict=True):
                self._fold(n, entry, stored(found))
        except Exception:
            return False
        self._set_last(answer[-1])
        return True

    def _set_last(self, found: Any) -> None:
        self.last = stored(found)
        self.chain = chain_after(self.last)
        self.unconfirmed.clear()

    def _fold(self, n: int, entry: Entry, last: StoredEntry) -> None:
        before = self.table
        assert before
        step = with_events(before, n, entry)
        after = before.after(entry, step.events)
        if after.n != n:
            raise ValueError(f"entry {n} of table {self._id} comes after entry {before.n}")
        self.advance(after, entry, last)
        _guarded(self._id, partial(self._observer.folded, before, after, step))

    def check_length(self, length: Answer) -> None:
        """Compare the table with the length of its log, and read the log if they differ.

        A difference means that an announcement was missed, or that the store lost entries.
        """
        if not isinstance(length, int) or (self.table is not None and length == self.table.n):
            return
        if self.table is not None and length < self.table.n and not self.busy:
            self.forget()  # the last entry may still be there, and one before it missing
        self.catch_up()

    # Announcements.

    def announced(self, n: int, payload: bytes) -> None:
        """Another node announced entry n. The next append behind it makes sure that the log has it.

        Without a payload the store may have lost the entry, or have another one with this number.
        """
        self._announced = max(self._announced, n)
        if self.fault is not None or (self.table is None and not self.busy):
            self.catch_up()  # the operator may have mended the log, or this node has forgotten the table
        elif not payload:
            self._channel.others_subscribe()
            self.catch_up()
            return
        if self.busy or self.table is None or n <= self.table.n:
            return
        self._channel.others_subscribe()
        if n == self.table.n + 1 and not self._unverified and self._folds(n, payload):
            return
        self.catch_up()

    def _folds(self, n: int, payload: bytes) -> bool:
        """Fold an announced entry; returns False if that is not possible, so that the log is read."""
        try:
            self._fold(n, decode_entry(payload), (entry_id(n, self.chain), payload))
        except Exception:
            return False
        return True


def _guarded(table: str, show: Callable[[], None]) -> None:
    """Show what the log says. P6: an exception here must not stop the reading of the log."""
    try:
        show()
    except Exception:
        log.exception("showing entries read from the log failed", extra={"table": table})


def unavailable() -> ProtocolError:
    """The error while the store cannot be used."""
    text = "we could not save this just now: please try again"
    return ProtocolError("unavailable", text, retry_after_ms=UNAVAILABLE_MS)


def no_table() -> ProtocolError:
    """The error for a table without a log."""
    return ProtocolError("no_table", "there is no such table", field="table")


def unreadable() -> ProtocolError:
    """The error for a log without a good first entry: it cannot even be shown as closed."""
    return ProtocolError("no_table", "this table cannot be read any more", field="table")


def busy() -> ProtocolError:
    """The error for a table of which too much is asked."""
    return ProtocolError("busy", "too much is asked of this table at once", retry_after_ms=500)
