"""The history checker: what the clients of a table saw and were promised, against the log of that table.

The log is folded with the games' own code, and every message is compared with what its viewer may see.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import msgspec

from bench.faults.history import StoredLog, TableHistory
from bench.faults.streams import Expected, check_feed
from server.store.table_log import first_stray
from server.tables.finished import replay
from server.tables.state.entries import Entry, Moved, decode_entry
from server.tables.state.table import Table, opened


@dataclass(frozen=True)
class Finding:
    """Something that must not be. `column` is the column of the table of results that counts it."""

    column: str  # lost, doubled, forked, unequal or unfinished
    table: str
    text: str

    def __str__(self) -> str:
        return f"{self.column}: {self.table}: {self.text}"


def check_table(history: TableHistory, promised: bool = True) -> list[Finding]:
    """Return all that is wrong with a table.

    If survival is not `promised`, the store may have lost the last entries: what was shown of them has to be replaced
    by a whole view later on.
    """
    checks = _Checks(history, promised)
    checks.run()
    return checks.findings


class _Checks:
    def __init__(self, history: TableHistory, promised: bool) -> None:
        self.findings: list[Finding] = []
        self._history = history
        self._promised = promised
        self._entries: list[Entry] = []
        self._tables: list[Table] = []  # after each entry

    def _found(self, column: str, text: str) -> None:
        self.findings.append(Finding(column, self._history.table, text))

    def run(self) -> None:
        """Run all checks; those that need a log that can be folded only if it can."""
        history = self._history
        if not history.log:
            if self._promised:
                self._found("lost", "the table was opened, and has no log")
            self._count_lost()
            return
        self._check_chain(history.log)
        self._fold()
        self._check_reads()
        self._check_keys()
        self._count_lost()
        self._check_order()
        for answer in history.strays:
            self._found("unequal", f"an answer without a request: {answer}")
        if len(self._tables) == len(history.log) and self._tables and not self._lost_its_end():
            self._check_end()
            self._check_feeds()
            self._check_replay()

    # The log.

    def _check_chain(self, log: StoredLog) -> None:
        """Entries are numbered from 1 without gaps, and each id follows from the entries before it."""
        numbers = [int(id.partition(b"-")[0]) for id, _ in log]  # noqa: A001
        if numbers != list(range(1, len(log) + 1)):
            self._found("forked", f"the numbers of the entries have a gap: {numbers[:3]} ... {numbers[-3:]}")
        stray = first_stray([(id, [b"e", entry]) for id, entry in log])  # noqa: A001
        if stray < len(log):
            self._found("forked", f"entry {numbers[stray]} does not follow from the one before")

    def _fold(self) -> None:
        try:
            for _, stored in self._history.log:
                entry = decode_entry(stored)
                self._tables.append(
                    self._tables[-1].after(entry) if self._tables else opened(self._history.table, entry)
                )
                self._entries.append(entry)
        except Exception as fault:  # whatever the games' code raises for a log that cannot be
            self._found("forked", f"the log cannot be folded: {type(fault).__name__}: {fault}")

    def _check_reads(self) -> None:
        """What was in the log stays there: earlier reads are the beginning of the log."""
        log = self._history.log
        for read in self._history.reads if self._promised else ():
            if read != log[: len(read)]:
                self._found("forked", f"a read of {len(read)} entries is not the beginning of the log")

    # Moves and their keys.

    def _check_keys(self) -> None:
        history, seen = self._history, set[tuple[str, str]]()
        for n, entry in enumerate(self._entries, 1):
            if not isinstance(entry, Moved) or entry.by == "clock":
                continue
            key = entry.user, entry.key
            if key in seen:
                self._found("doubled", f"key {entry.key} is in the log again at entry {n}")
            seen.add(key)
            sent = history.sent.get(key)
            if entry.user not in history.seats:
                if sent is None and any(entry.key == other for _, other in history.sent):
                    self._found("unequal", f"entry {n} has the key of another user")
                continue  # a house bot
            if sent is None:
                self._found("unequal", f"entry {n} is a move that nobody sent")
                continue
            move = msgspec.msgpack.decode(entry.move)
            if not _same_move(move, sent.move) or (entry.aside, entry.seat) != (sent.aside, history.seats[entry.user]):
                self._found("unequal", f"entry {n} is not the move that was sent: {move} instead of {sent.move}")
            if key in history.refused and self._promised:
                self._found("unequal", f"entry {n} was refused with {history.refused[key]}, and is in the log")

    def _count_lost(self) -> None:
        """Every acknowledged key is in the log at its number."""
        where = {(entry.user, entry.key): n for n, entry in enumerate(self._entries, 1) if isinstance(entry, Moved)}
        lost = set[tuple[str, str]]()
        for ack in self._history.acknowledged:
            key = ack.user, ack.key
            if where.get(key) != ack.n and key not in lost:
                lost.add(key)
                self._found("lost", f"key {ack.key} was acknowledged at {ack.n}, and is at {where.get(key)}")

    def _check_order(self) -> None:
        """A user's decisions are in the log in the order in which they were acknowledged."""
        last = dict[str, int]()
        for ack in self._history.acknowledged if self._promised else ():
            sent = self._history.sent.get((ack.user, ack.key))
            if sent is None:
                self._found("unequal", f"key {ack.key} was acknowledged, and nobody sent it")
            elif not sent.aside and not ack.again:
                if ack.n <= last.get(ack.user, 0):
                    self._found("unequal", f"entry {ack.n} was acknowledged after entry {last[ack.user]}")
                last[ack.user] = ack.n

    # What was shown.

    def _lost_its_end(self) -> bool:
        """Whether the store has lost the end of a game after everybody had seen it and left.

        Then the game has no end, or the clock has brought it to another one.
        """
        left_ms, table = self._history.left_ms, self._tables[-1]
        return not self._promised and left_ms > 0 and (table.status != "ended" or left_ms < table.at)

    def _check_end(self) -> None:
        table = self._tables[-1]
        if table.status != "ended":
            why = f" ({table.closed})" if table.closed else ""
            self._found("unfinished", f"the table is {table.status} after entry {table.n}{why}")
        for user, seat in self._history.seats.items():
            if table.owned_seat(user) != seat:
                self._found("unequal", f"seat {seat} belongs to another user than {user}")

    def _check_feeds(self) -> None:
        expected = Expected(self._tables, self._entries)
        for user, feed in self._history.feeds.items():
            for text in check_feed(expected, self._history.seats.get(user), feed, self._promised):
                self._found("unequal", f"{user}: {text}")

    # The replay.

    def _check_replay(self) -> None:
        """The replay is that of the log, and playing it again from its seed gives the same."""
        table, text = self._tables[-1], self._history.replay
        if table.status != "ended":
            return
        if text is None:
            self._found("unequal", "there is no replay")
            return
        lines = [line for line in text.split("\n") if line]
        if lines != list(replay.lines(table.id, list(enumerate(self._entries, 1)))):
            self._found("unequal", "the replay is not that of the log")
        try:
            replay.verify(lines)
        except replay.BadReplay as fault:
            self._found("unequal", f"the replay does not verify: {fault}")
        if sha256(table.opened.seed).hexdigest() != table.commitment:
            self._found("unequal", "the seed is not the one of the commitment")


def _same_move(logged: dict[str, Any], sent: dict[str, Any]) -> bool:
    """Whether a logged move is the one that was sent; a set may be logged in another order."""
    return logged.keys() == sent.keys() and all(
        logged[name] == value
        or (isinstance(value, list) and sorted(map(repr, value)) == sorted(map(repr, logged[name])))
        for name, value in sent.items()
    )
