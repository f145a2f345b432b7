"""The past of a table, for logs on a page: entries as a viewpoint may see them now, read from the log when asked."""

from __future__ import annotations

from protocol.messages import PastEntry, SeatOwner
from server.store import keys
from server.store.store import Store
from server.store.table_log import numbered
from server.tables.state.entries import Entry, Moved, Renamed, Sat, Started, decode_entries
from server.tables.state.table import Table, folded, with_events
from server.tables.state.updates import visible_events

MAX_HISTORY = 250  # entries in one answer; a client asks again for older ones


async def read_entries(store: Store, table: str, before: int) -> tuple[int, list[tuple[int, Entry]]]:
    """Read the last entries before this one. The first item is the number of the first entry that was looked for."""
    first = max(1, before - MAX_HISTORY)
    if before <= 1:
        return 1, []
    found = await store.call("XRANGE", keys.table_log(table), f"{first}-0", f"({before}-0")
    return first, decode_entries(numbered(found))


def past_entries(table: Table, seat: int | None, entries: list[tuple[int, Entry]]) -> tuple[PastEntry, ...]:
    """These entries as the viewpoint may see them, without those that tell it nothing."""
    shown = []
    started = next((n for n, entry in entries if isinstance(entry, Started)), 0)
    for at, (n, entry) in enumerate(entries):
        events = visible_events(table, with_events(table, n, entry), seat)
        owners = _owners(table.id, entries, at) if n >= started else ()
        if not events and not owners:
            continue
        if isinstance(entry, Moved):
            shown.append(PastEntry(n=n, seat=entry.seat, by=entry.by, at=entry.at, events=events))
        else:
            shown.append(PastEntry(n=n, by="house", at=entry.at, events=events, owners=owners))
    return tuple(shown)


def _owners(table: str, entries: list[tuple[int, Entry]], at: int) -> tuple[SeatOwner, ...]:
    """Who has which seat from this entry on: all seats at the start of the game, and a seat that changes."""
    entry = entries[at][1]
    match entry:
        case Started() if entries[0][0] == 1:
            chairs = enumerate(folded(table, entries[:at]).chairs)
            return tuple(SeatOwner(seat=seat, name=chair.name or "", user=chair.user) for seat, chair in chairs)
        case Sat():
            return (SeatOwner(seat=entry.seat, name=entry.name, user=entry.user),)
        case Renamed():
            return (SeatOwner(seat=entry.seat, name=entry.name),)
        case _:
            return ()
