"""The operator's command about a table whose log cannot be folded: `cheeseboard repair TABLE [--truncate]`."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from typing import Any

import msgspec

from server.process.settings import BadSetting
from server.store import keys
from server.store.quotas import Quotas
from server.store.store import Store
from server.store.table_log import numbered
from server.tables.rooms.service_clock import wall_clock_ms
from server.tables.state.fold_log import FoldedLog, fold_log

AROUND = 3  # entries shown before and after the fault
SHOWN = ("seat", "user", "by", "key", "reason")  # fields of an entry that are shown; moves and seeds are secret


def add_parser(commands: Any) -> None:
    """Add the command to the subparsers of the command line."""
    parser = commands.add_parser("repair", help="show why a table's log cannot be folded, and mend it")
    parser.add_argument("table", help="the id of the table, as in its address and in the log of the service")
    parser.add_argument("--truncate", action="store_true", help="remove all entries from the fault on")


async def run(chosen: argparse.Namespace, store: Store) -> None:
    """Carry out the command."""
    table = chosen.table
    answer = await store.call("XRANGE", keys.table_log(table), "-", "+")
    if not answer:
        raise BadSetting(f"there is no log of a table {table}")
    folded = fold_log(table, answer)
    if folded.fault is None:
        _say(f"The log of table {table} has {len(answer)} entries and no fault.")
        return
    _say(f"The log of table {table} has {len(answer)} entries, and the first {folded.good} are good.")
    _say(f"The fault: {folded.fault.detail}")
    for found in answer[max(0, folded.good - AROUND) : folded.good + AROUND]:
        _say(("  good  " if answer.index(found) < folded.good else "  bad   ") + _line(found))
    if not chosen.truncate:
        _say(f"`cheeseboard repair {table} --truncate` removes the entries from the fault on. What they say is lost.")
        return
    await _truncate(store, table, answer, folded)
    _say(f"Removed {len(answer) - folded.good} entries. The table goes on after entry {folded.good}.")


async def _truncate(store: Store, table: str, answer: list[Any], folded: FoldedLog) -> None:
    """Cut the log back to its last good entry, and give the table back to the service."""
    if not folded.good:
        raise BadSetting("no entry of this log is good, so nothing would be left")
    last, end = answer[folded.good - 1][0], answer[-1][0]
    log, deadlines = keys.table_log(table), keys.deadlines(keys.shard(table))
    await store.call("FCALL", "remove_strays", 1, log, last, end)
    left = await store.call("XRANGE", log, "-", "+")
    mended = fold_log(table, left)
    if mended.fault is not None or mended.table is None or len(left) != folded.good:
        raise BadSetting("the log was changed by somebody else meanwhile: look at it again")
    for user in mended.table.users:
        Quotas(store).add(keys.user_tables(user), table)
    await store.call("ZADD", deadlines, wall_clock_ms(), table)
    await store.call("SPUBLISH", keys.table_channel(table), b"0 ")  # nodes that hold the table read its log again


def _line(found: Any) -> str:
    """An entry on one line, without what is secret."""
    ((n, payload),) = numbered([found])
    try:
        entry = msgspec.msgpack.decode(payload)
        when = datetime.fromtimestamp(entry["at"] / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        fields = " ".join(f"{name}={entry[name]}" for name in SHOWN if name in entry)
        return f"{n}  {when}  {entry['type']} {fields}"
    except Exception:
        return f"{n}  {len(payload)} bytes that are not an entry: {payload[:40].hex()}"


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201
