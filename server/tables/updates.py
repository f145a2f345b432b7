"""What a viewpoint is told: the table as it is now, with the entry that led to it, as that seat may see it."""

from __future__ import annotations

from typing import Any

from protocol.messages import Ask, Update
from server.entries import Entry, Moved, Started
from server.frames import framed
from server.inner import Inner
from server.table import Dues, Table, codec

Patch = dict[str, dict[str, Any]]
Fields = tuple[Any, ...]
Events = tuple[Any, ...]
Compared = tuple[Any, Any, bool, tuple[Any, ...] | None]


class Shown(Inner, frozen=True):
    """An entry with its events as values."""

    n: int
    entry: Entry
    events: tuple[Any, ...]


class Showing:
    """A table at this moment, after this entry; without one, just as it is."""

    __slots__ = ("_acting", "_by", "_compared", "_left", "_seat", "_shown", "_told", "_view", "n", "table")

    def __init__(self, table: Table, dues: Dues, now: int, shown: Shown | None = None) -> None:
        self.table = table
        self.n = table.n
        self._view = table.game.view
        self._shown = shown
        self._seat: int | None = None
        self._by: Any = "house"
        if shown is not None and isinstance(shown.entry, Moved):
            self._seat, self._by = shown.entry.seat, shown.entry.by
        left: dict[int, int | None] = {}
        for seat, due in dues.items():
            left[seat] = None if due is None else due - now if due > now else 0
        self._left, self._acting = left, tuple(left.items())
        self._compared: dict[str, Compared] = {}
        self._told: list[tuple[Fields, Fields, Events, bytes]] = []

    def view(self, seat: int | None) -> Any:
        """What may be seen from this seat, once the game has begun; None before."""
        state = self.table.state
        return None if state is None else self._view(state, seat)

    def patched(self, seat: int | None, names: tuple[str, ...], before: Fields, fields: Fields) -> bytes:
        """The frame with what changed in a view: the same one for all who are asked nothing and are told the same."""
        table = self.table
        events = seen(table, self._shown, seat) if self._shown else ()
        if seat in table.asks or seat in table.asides:
            return self._frame(seat, events, self._patch(names, before, fields))
        for old, new, told, frame in self._told:
            if told == events and _alike(old, new, before, fields):
                return frame
        frame = self._frame(None, events, self._patch(names, before, fields))
        self._told.append((before, fields, events, frame))
        return frame

    def _frame(self, seat: int | None, events: Events, patch: Patch) -> bytes:
        return framed(self._update(seat, events, patch=patch))

    def _patch(self, names: tuple[str, ...], before: Fields, fields: Fields) -> Patch:
        """The fields that are not as before: set anew, or lists that only grew.

        Views of one table share most of what is in them, so what was compared for one seat is known for the next.
        """
        put: dict[str, Any] = {}
        add: dict[str, Any] = {}
        compared = self._compared
        for name, old, new in zip(names, before, fields, strict=True):
            if old is new:
                continue
            known = compared.get(name)
            if known is None or known[0] is not old or known[1] is not new:
                known = compared[name] = _compare(old, new)
            if known[3] is not None:
                add[name] = known[3]
            elif not known[2]:
                put[name] = new
        if not add:
            return {"set": put} if put else {}
        return {"set": put, "add": add} if put else {"add": add}

    def whole(self, seat: int | None, view: Any) -> Update:
        """The update with the whole view."""
        shown = self._shown
        if shown is None:
            return self._update(seat, (), view=view)
        return self._update(seat, seen(self.table, shown, seat), view=view, at=shown.entry.at)

    def _update(self, seat: int | None, events: Events, **more: Any) -> Update:
        """What is told to somebody who looks from this seat, or to one who is asked nothing."""
        table = self.table
        asked, said = (None, None) if seat is None else (table.asks.get(seat), table.asides.get(seat))
        if asked and seat is not None:
            more["ask"] = Ask(n=asked.n, offers=asked.offers, left_ms=self._left[seat])
        if said:
            more["asides"] = Ask(n=said.n, offers=said.offers)
        return Update(
            table=table.id, n=self.n, seat=self._seat, by=self._by, events=events, acting=self._acting, **more
        )


def past(table: Table, shown: Shown, seat: int | None) -> Update:
    """An entry as this viewpoint may see it, without what is so now."""
    entry, events = shown.entry, seen(table, shown, seat)
    if isinstance(entry, Moved):
        return Update(table=table.id, n=shown.n, seat=entry.seat, by=entry.by, at=entry.at, events=events)
    return Update(table=table.id, n=shown.n, by="house", at=entry.at, events=events)


def seen(table: Table, shown: Shown, seat: int | None) -> tuple[Any, ...]:
    """The events of an entry as this viewpoint may see them."""
    show, told = table.game.show, []
    for event in shown.events:
        one = show(event, seat)
        if one is not None:
            told.append(one)
    return tuple(told)


def read_again(table: Table, n: int, entry: Entry) -> Shown:
    """An entry from the log, with its events as values."""
    events = codec(table.opened.game).events.decode(entry.events) if isinstance(entry, Moved | Started) else ()
    return Shown(n, entry, events)


def _alike(old: Fields, new: Fields, before: Fields, fields: Fields) -> bool:
    """Whether what changed from old to new is what changed from before: nothing in a field, or the same to the same."""
    for was, came, then, now in zip(old, new, before, fields, strict=True):
        if was is then and came is now:
            continue
        if (was != came or then != now) and (was != then or came != now):
            return False
    return True


def _compare(old: Any, new: Any) -> Compared:
    """Both, whether they are the same, and what was added at the end if that is all that changed."""
    if old == new:
        return old, new, True, None
    if type(new) is tuple and type(old) is tuple and old and new[: len(old)] == old:
        return old, new, False, new[len(old) :]
    return old, new, False, None
