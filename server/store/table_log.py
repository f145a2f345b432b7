"""The log of a table: one stream, appended to by compare-and-set.

The id of entry n is n-c, where c is the running CRC-32 of all entries before it: the ids form a chain. An append names
the entry that it follows, and a server-side function refuses it unless the log ends with exactly that entry. So a
log has no gaps and no forks, even if the store has lost entries that a node still believes in.

A move behind an entry that this node has appended itself is the common case, and takes a shorter way: XADD, which
refuses an id that is taken, guarded by the counter of the connection (RollbackGuard). If the store has lost
the entry before, the counter shows it: the move is not acknowledged, and the node removes it again.
(Entries of releases before this rule have the id n-0 and are not part of the chain.)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from hashlib import sha1
from typing import Any
from zlib import crc32

import hiredis

from server.store import keys
from server.store.answers import Answer
from server.store.store import Store

StoredEntry = tuple[bytes, bytes]  # the id of an entry in its stream, and its bytes
NO_ENTRY: StoredEntry = (b"", b"")  # the end of an empty log


class TableLog:
    """Appends entries to logs and reads them; keeps no entries."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.publishes_later = store.waits  # the room announces entries when a replica has them

    def append(
        self, table: str, after: StoredEntry, entries: list[StoredEntry], deadline: int, then: Callable[[Answer], None]
    ) -> None:
        """Append entries together behind the entry `after`, which is NO_ENTRY for a new log.

        The deadline is set and the entries are published in the same atomic step. `then` gets the id of the last
        entry if they are in the log, and otherwise an answer for `is_conflict`.
        """
        log, deadlines = keys.table_log(table), keys.deadlines(keys.shard(table))
        pairs = [part for new in entries for part in new]
        end = (table, after[0], _sha1(after), deadline, "" if self.publishes_later else keys.table_channel(table))
        self._store.send_confirmed(then, "FCALL", "append_entries", 2, log, deadlines, *end, *pairs)

    def append_move(
        self,
        table: str,
        after: StoredEntry,
        move: StoredEntry,
        own: bool,
        deadline: int | None,
        then: Callable[[Answer], None],
    ) -> None:
        """Append one move; `after` and `then` as for `append`.

        `own` is whether this node has appended the entry before it over the present connection. `deadline` is None if
        the stored deadline is early enough. Other nodes are told of the move afterwards.
        """
        if deadline is not None:  # if the append is then refused, the table is only checked too early
            key = keys.deadlines(keys.shard(table))
            self._store.send_logged("setting a deadline", "ZADD", key, "LT", deadline, table)
        id, entry = move  # noqa: A001
        if own:
            form = b"%b$%d\r\n%b\r\n$1\r\ne\r\n$%d\r\n%b\r\n"
            packed = form % (_xadd_prefix(table), len(id), id, len(entry), entry)
            self._store.of_table(table).send_guarded(then, packed)
        else:
            end = (after[0], _sha1(after), id, entry)
            self._store.send_confirmed(then, "FCALL", "append_move", 1, keys.table_log(table), *end)

    def remove_strays(self, table: str, last: bytes, stray: bytes) -> None:
        """Remove the entries behind `last`, of which `stray` is the last one. They were never acknowledged."""
        what, log = "removing entries behind a lost one", keys.table_log(table)
        self._store.send_logged(what, "FCALL", "remove_strays", 1, log, last, stray)

    def read(self, table: str, after: int, then: Callable[[Answer], None]) -> None:
        """Read the entries after this number, for `numbered`."""
        self._store.send_confirmed(then, "XRANGE", keys.table_log(table), f"{after + 1}-0", "+")

    def length(self, table: str, then: Callable[[Answer], None]) -> None:
        """Read the number of entries."""
        self._store.send(then, "XLEN", keys.table_log(table))


@lru_cache(10_000)
def _xadd_prefix(table: str) -> bytes:
    """The beginning of an XADD command in the wire format, which all moves of a table share."""
    return b"*6\r\n" + b"".join(_bulk(word) for word in (b"XADD", keys.table_log(table).encode(), b"NOMKSTREAM"))


def _bulk(text: bytes) -> bytes:
    """A bulk string of the store's protocol."""
    return b"$%d\r\n%b\r\n" % (len(text), text)


def is_conflict(answer: Answer) -> bool:
    """Whether an append was refused because the log does not end as this node believed."""
    taken = isinstance(answer, hiredis.ReplyError) and "XADD" in str(answer)
    return taken or answer is None or isinstance(answer, int) or is_moved(answer)


def is_moved(answer: Answer) -> bool:
    """Whether an append was refused because the table is on another server now; that one must be read first."""
    return isinstance(answer, hiredis.ReplyError) and str(answer).startswith(("MOVED ", "ASK ", "TRYAGAIN"))


def entry_id(n: int, chain: int) -> bytes:
    """The id of entry n; `chain` is the running CRC-32 of the entries before it."""
    return b"%d-%d" % (n, chain)


def chained(first: int, entries: list[bytes], chain: int) -> list[StoredEntry]:
    """These entries with their ids, the first of them with number `first` behind a log with this chain."""
    found = [(entry_id(first, chain), entries[0])]
    for n in range(1, len(entries)):
        chain = crc32(entries[n - 1], chain)
        found.append((entry_id(first + n, chain), entries[n]))
    return found


def chain_after(entry: StoredEntry) -> int:
    """The running CRC-32 of a log up to and including this entry."""
    id, content = entry  # noqa: A001
    return crc32(content, int(id[id.find(b"-") + 1 :] or 0))


def _sha1(entry: StoredEntry) -> str:
    return sha1(entry[1], usedforsecurity=False).hexdigest() if entry[0] else ""


def first_stray(answer: list[Any]) -> int:
    """The index of the first entry in an answer to XRANGE that does not follow from the one before.

    If each follows from the one before, the result is the number of entries.
    """
    if not answer:
        return 0
    id, content = stored(answer[0])  # noqa: A001
    n, chain = int(id[: id.find(b"-")]), chain_after((id, content))
    for index in range(1, len(answer)):
        n += 1
        id, content = stored(answer[index])  # noqa: A001
        if id != entry_id(n, chain):
            if id != entry_id(n, 0):
                return index
            chain = 0
        chain = crc32(content, chain)
    return len(answer)


def numbered(answer: list[Any]) -> list[tuple[int, bytes]]:
    """The numbers and bytes of the entries in an answer to XRANGE."""
    return [(int(id.partition(b"-")[0]), fields[1]) for id, fields in answer]  # noqa: A001


def stored(found: Any) -> StoredEntry:
    """One entry of an answer to XRANGE."""
    id, fields = found  # noqa: A001
    return id, fields[1]
