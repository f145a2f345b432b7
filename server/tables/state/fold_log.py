"""Folds a log as far as possible, and says why it cannot be folded further."""

from __future__ import annotations

from typing import Any

from server.store.table_log import first_stray, stored
from server.tables.state.delay import Delay
from server.tables.state.entries import Moved, decode_entry
from server.tables.state.local_struct import LocalStruct, replace
from server.tables.state.table import EntryWithEvents, Table, UnknownRules, opened, with_events

DAMAGED = "its log is damaged"
RULES_CHANGED = "it was begun with rules that this service does not have"
VANISHED = "it is lost"

# The number of each move, by the hash of its user and idempotency key. Python's hash has 64 bits and a secret of the
# process: that a new move of a table with 1,000 moves has the hash of another has a chance of 1 in 10**16, and nobody
# can choose keys for it to happen. The keys themselves would take twice the memory.
MoveKeys = dict[int, int]


class LogFault(LocalStruct, frozen=True):
    """Why a log cannot be folded to its end: `reason` is for people, `detail` for the operator.

    `newer` is whether a node of a newer release can fold it.
    """

    reason: str
    detail: str
    newer: bool = False


class FoldedLog(LocalStruct, frozen=True):
    """The table after the first `good` entries of a log, which are all if there is no fault; and the keys of its moves.

    After a fault the table is closed. There is no table if not even the first entry is good. `delay` is what watchers
    see of the log.
    """

    table: Table | None
    good: int
    keys: MoveKeys
    fault: LogFault | None
    delay: Delay


def fold_log(name: str, answer: list[Any]) -> FoldedLog:
    """Fold the entries of an answer to XRANGE that begins with entry 1."""
    end = first_stray(answer)
    fault: LogFault | None = None
    if end < len(answer):
        before, after = (answer[index][0].decode() for index in (end - 1, end))
        fault = LogFault(DAMAGED, f"entry {after} does not follow from entry {before}")
    table: Table | None = None
    keys: MoveKeys = {}
    delay = Delay()
    for index, found in enumerate(answer[:end]):
        id, payload = stored(found)  # noqa: A001
        try:
            entry = decode_entry(payload)
            if table is None:
                table, step = opened(name, entry), EntryWithEvents(1, entry)
            else:
                step = with_events(table, table.n + 1, entry)
                table = table.after(entry, step.events)
            if id.partition(b"-")[0] != b"%d" % table.n:
                raise ValueError(f"it stands in the place of entry {table.n}")
        except UnknownRules as unknown:
            fault, end = LogFault(RULES_CHANGED, str(unknown), unknown.newer), index
            table = unknown.table
            break
        except Exception as broken:
            fault, end = LogFault(DAMAGED, f"entry {id.decode()} cannot be folded: {broken!r}"), index
            break
        delay.advance(table, step)
        if isinstance(entry, Moved):
            keys[hash((entry.user, entry.key))] = table.n
    if fault is not None and table is not None:
        table = closed(table, fault.reason)
    return FoldedLog(table, end, keys, fault, delay)


def closed(table: Table, reason: str) -> Table:
    """The table as it is shown when nothing can be appended to its log any more."""
    return replace(table, status="closed", asks={}, asides={}, closed=reason)
