"""What watchers of a table may see now, by its rules, and the entries that they may not see yet.

The delay is a fold of the log like the table itself: live entries and those of a log that is read go through the same
function. Nothing is made for watchers from a table that they may not see, so nothing can come too early.
"""

from __future__ import annotations

from collections import deque
from typing import Final, Literal

from server.tables.state.table import EntryWithEvents, Table

# What watchers see: the public view, the view of one seat, all seats, or all seats late. The number is the seat, or by
# how many entries they are late; if "late" comes with None, they see nothing before the end.
Visibility = tuple[Literal["public", "seat", "all", "late"], int | None]
PUBLIC: Final[Visibility] = ("public", None)
ALL: Final[Visibility] = ("all", None)

Step = tuple[Table, EntryWithEvents]


def visibility_of(table: Table) -> Visibility:
    """What watchers see of this table, by its rules."""
    rule = table.rules.watching
    if table.state is None:
        return PUBLIC
    if rule.see == "seat":
        seat = table.rules.shown_seat(table.chairs)
        return PUBLIC if seat is None else ("seat", seat)
    if rule.see == "all":
        return ALL if table.status == "ended" else ("late", rule.late)
    return PUBLIC


def is_hidden(table: Table) -> bool:
    """Whether watchers may know nothing of the present of this game, not even by messages about the table."""
    return visibility_of(table)[0] == "late"


def players_hear_watchers(table: Table) -> bool:
    """Whether players may get the chat of watchers: not while watchers see more than the players do."""
    return table.status != "running" or table.rules.watching.see in ("public", "nobody")


class Delay:
    """The table as watchers see it (`seen`, None if they see nothing yet), and the entries that they do not see yet."""

    __slots__ = ("_held", "seen", "visibility")

    def __init__(self) -> None:
        self.visibility: Visibility = PUBLIC
        self.seen: Table | None = None
        self._held: deque[Step] = deque()  # at most as many as the rule says, or MAX_LATE

    def advance(self, table: Table, step: EntryWithEvents) -> list[Step]:
        """Add the next entry, and the table after it; returns the entries that watchers may see now, in order."""
        before, self.visibility = self.visibility, visibility_of(table)
        kind, late = self.visibility
        if kind != "late":
            shown = [*self._held, (table, step)] if kind == "all" else [(table, step)]
            self._held.clear()
            self.seen = table
            return shown
        if before[0] != "late" and self.seen is not None and self.seen.state is not None:
            self.seen = None  # the rule has changed during the game: what was seen before no longer counts
        if late is None:
            self._held.clear()
            return []
        step = EntryWithEvents(step.n, step.entry, tuple(step.events))  # AppliedEvents would keep old states alive
        self._held.append((table, step))
        shown = []
        while len(self._held) > late:
            shown.append(self._held.popleft())
            self.seen = shown[-1][0]
        return shown

    def table_seen(self, table: Table) -> Table | None:
        """The table that watchers may see now, if the present one is `table`; None if they see nothing yet."""
        return self.seen if is_hidden(table) else table

    def entry_seen(self, table: Table) -> int:
        """The number of the last entry that watchers may see."""
        seen = self.table_seen(table)
        return 0 if seen is None else seen.n
