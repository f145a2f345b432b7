"""Builds the updates of a table: an entry and the table after it, as one viewpoint may see them."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import astuple

from protocol.messages import Ask, SeatView, Update
from server.delivery.frames import encode, encode_frame
from server.tables.state.deadlines import SeatDeadlines
from server.tables.state.entries import Moved
from server.tables.state.table import EntryWithEvents, Table

Patch = dict[str, dict[str, Any]]
Fields = tuple[Any, ...]
Events = tuple[Any, ...]


class SharedUpdate:
    """What updates share whose viewpoints have the same changes of the view and see the same events.

    `frame` is the whole frame for the viewpoints that are asked nothing; None until one of them needs it.
    """

    __slots__ = ("_fields", "_was", "events", "frame", "packed", "patch")

    def __init__(self, before: Fields, fields: Fields, events: Events, patch: Patch) -> None:
        self._was = before
        self._fields = fields
        self.events = events
        self.packed: Events | msgspec.Raw = msgspec.Raw(encode(events)) if events else ()
        self.patch = msgspec.Raw(encode(patch))
        self.frame: bytes | None = None

    def is_for(self, before: Fields, fields: Fields, events: Events) -> bool:
        """Whether this is also the update of a viewpoint with these fields and events."""
        same = self.events is events or self.events == events
        return same and _need_same_patch(self._was, self._fields, before, fields)


class UpdateBuilder:
    """Builds updates for the viewpoints of a table after an entry, or of the table as it is if `step` is None.

    Viewpoints share most of their view, so encoded parts and frames made for one are kept for the next.
    """

    __slots__ = (
        "_acting",
        "_by",
        "_left",
        "_now",
        "_public",
        "_seat",
        "_shared",
        "_step",
        "_table",
        "_view",
        "n",
        "seats",
    )

    def __init__(self, table: Table, deadlines: SeatDeadlines, now: int, step: EntryWithEvents | None = None) -> None:
        self._table = table
        self._now = now
        self.n = table.n
        self.seats = len(table.chairs)
        self._view = table.game.view
        self._step = step
        self._seat: int | None = None
        self._by: Any = "house"
        if step is not None and isinstance(step.entry, Moved):
            self._seat, self._by = step.entry.seat, step.entry.by
        left: dict[int, int | None] = {}  # milliseconds that each asked seat has left
        for seat, deadline in deadlines.items():
            left[seat] = None if deadline is None else deadline - now if deadline > now else 0
        self._left, self._acting = left, tuple(left.items())
        self._shared: list[SharedUpdate] = []
        self._public: PublicEvents | None = None

    def view(self, seat: int | None) -> Any:
        """The view of the game from this seat; None before the game has started."""
        state = self._table.state
        return None if state is None else self._view(state, seat)

    def patch_frame(
        self, seat: int | None, names: tuple[str, ...], before: Fields, fields: Fields, asked: bool = True
    ) -> bytes:
        """The frame with the changed fields of a view. Viewpoints that are asked nothing share equal frames."""
        table = self._table
        shared = self._shared_update(names, before, fields, self._events(seat))
        if asked and (seat in table.asks or seat in table.asides):
            return encode_frame(self._update(seat, shared.packed, None, shared.patch))
        frame = shared.frame
        if frame is None:
            frame = shared.frame = encode_frame(self._update(None, shared.packed, None, shared.patch))
        return frame

    def _shared_update(self, names: tuple[str, ...], before: Fields, fields: Fields, events: Events) -> SharedUpdate:
        for one in self._shared:
            if one.is_for(before, fields, events):
                return one
        new = SharedUpdate(before, fields, events, self._patch(names, before, fields))
        self._shared.append(new)
        return new

    def _events(self, seat: int | None) -> Events:
        """The events as this viewpoint may see them."""
        if self._step is None:
            return ()
        public = self._public
        if public is None:
            public = self._public = PublicEvents(self._table, self._step)
        return public.seen_by(seat)

    def _patch(self, names: tuple[str, ...], before: Fields, fields: Fields) -> Patch:
        """The fields that changed: their new values, or what was appended to a list that only grew."""
        put: dict[str, Any] = {}
        add: dict[str, Any] = {}
        for index, new in enumerate(fields):
            old = before[index]
            if old is new:
                continue
            if type(new) is tuple and type(old) is tuple and 0 < len(old) < len(new) and new[: len(old)] == old:
                add[names[index]] = new[len(old) :]
            elif new != old:
                put[names[index]] = new
        if not add:
            return {"set": put} if put else {}
        return {"set": put, "add": add} if put else {"add": add}

    def whole(self, seat: int | None, view: Any, asked: bool = True) -> Update:
        """The update with the whole view of a seat, and with what it is asked unless `asked` is false."""
        step = self._step
        asks = seat if asked else None
        if step is None:
            return self._update(asks, (), view)
        return self._update(asks, self._events(seat), view, at=step.entry.at)

    def open_whole(self) -> Update:
        """The update with the whole views of the public and of all seats, for watchers who see everything."""
        if self._table.state is None:
            return self.whole(None, None)
        views = tuple([SeatView(view=self.view(seat)) for seat in range(self.seats)])
        return msgspec.structs.replace(self.whole(None, self.view(None)), views=views)

    def open_patch(self, lasts: LastViews) -> Update | None:
        """The update with what changed in the views of the public and of all seats; None if one was not shown.

        Records all views as shown.
        """
        patches = []
        for seat, last in lasts.by_seat.items():
            view = self.view(seat)
            before, fields = last.advance(self, view)
            if before is not None and fields is not None:
                patches.append(self._patch(view.__struct_fields__, before, fields))
        if len(patches) < len(lasts.by_seat):
            return None
        views = tuple([SeatView(patch=patch) for patch in patches[1:]])
        return self._update(None, self._events(None), None, patches[0], views=views)

    def _update(
        self,
        seat: int | None,
        events: Events | msgspec.Raw,
        view: Any,
        patch: Patch | msgspec.Raw | None = None,
        at: int | None = None,
        views: tuple[SeatView, ...] = (),
    ) -> Update:
        """The update for this seat, or for a viewpoint that is asked nothing if `seat` is None."""
        table = self._table
        ask = asides = None
        if seat is not None:
            asked, aside = table.asks.get(seat), table.asides.get(seat)
            if asked:
                shown = max(0, asked.at + asked.beat_ms - self._now)
                wait, shown = (shown, 0) if asked.held else (0, shown)
                ask = Ask(n=asked.n, offers=asked.offers, left_ms=self._left[seat], wait_ms=wait, shown_ms=shown)
            if aside:
                asides = Ask(n=aside.n, offers=aside.offers)
        seen: Any = events
        return Update(
            table=table.id,
            n=self.n,
            seat=self._seat,
            by=self._by,
            at=at,
            events=seen,
            view=view,
            patch=patch,
            ask=ask,
            asides=asides,
            acting=self._acting,
            views=views,
        )


class LastView:
    """The fields of the view that a viewpoint was last shown, and the entry that it was shown with."""

    __slots__ = ("_fields", "_n")

    def __init__(self) -> None:
        self._n = 0
        self._fields: Fields | None = None

    def advance(self, update: UpdateBuilder, view: Any) -> tuple[Fields | None, Fields | None]:
        """Record that this view is shown. Returns the fields of the view before it and its own.

        The former are None if the view of the previous entry was not shown, the latter if there is no view yet.
        """
        before = self._fields if self._n == update.n - 1 else None
        fields = self._fields = None if view is None else astuple(view)
        self._n = update.n
        return before, fields

    def forget(self) -> None:
        """Make the next update a whole view."""
        self._n = 0


class LastViews:
    """The views that watchers who see everything were last shown: of the public (None) and of all seats."""

    __slots__ = ("by_seat",)

    def __init__(self, seats: int) -> None:
        self.by_seat: dict[int | None, LastView] = {seat: LastView() for seat in (None, *range(seats))}


def past_update(table: Table, step: EntryWithEvents, seat: int | None) -> Update:
    """The update of an earlier entry: its events as this viewpoint may see them, without a view."""
    entry, events = step.entry, visible_events(table, step, seat)
    if isinstance(entry, Moved):
        return Update(table=table.id, n=step.n, seat=entry.seat, by=entry.by, at=entry.at, events=events)
    return Update(table=table.id, n=step.n, by="house", at=entry.at, events=events)


class PublicEvents:
    """The events of an entry as viewpoints see them. An event that the public sees whole, every seat sees whole."""

    __slots__ = ("_all_whole", "_events", "_seen", "_show")

    def __init__(self, table: Table, step: EntryWithEvents) -> None:
        self._show = table.game.show
        self._events = step.events
        self._seen = [self._show(event, None) for event in step.events]
        self._all_whole: Events | None = None
        for index, event in enumerate(step.events):
            if self._seen[index] is not event:
                return
        self._all_whole = tuple(self._seen)

    def seen_by(self, seat: int | None) -> Events:
        """The events as this viewpoint may see them: if all are seen whole, one tuple for all viewpoints."""
        if self._all_whole is not None:
            return self._all_whole
        visible = []
        for index, event in enumerate(self._events):
            shown = self._seen[index]
            if shown is not event and seat is not None:
                shown = self._show(event, seat)
            if shown is not None:
                visible.append(shown)
        return tuple(visible)


def visible_events(table: Table, step: EntryWithEvents, seat: int | None) -> Events:
    """The events of an entry as this viewpoint may see them."""
    show, visible = table.game.show, []
    for event in step.events:
        shown = show(event, seat)
        if shown is not None:
            visible.append(shown)
    return tuple(visible)


def _need_same_patch(old: Fields, new: Fields, other_old: Fields, other_new: Fields) -> bool:
    """Whether two viewpoints need the same patch: each field is unchanged for both, or has the same old and new value
    for both."""
    for index, came in enumerate(new):
        was, other_was, other_came = old[index], other_old[index], other_new[index]
        if (was is came and other_was is other_came) or (was is other_was and came is other_came):
            continue
        if (was != came or other_was != other_came) and (was != other_was or came != other_came):
            return False
    return True
