"""Playback: a finished game as the messages that its viewers received live, one list for each viewpoint.

docs/replay.md describes the answer that is made of it. Presence and chat are missing, because the log does not have
them. The rematch is missing too: a replay that is passed on does not lead to the next table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from protocol.messages import Table as TableMessage
from server.delivery.frames import encode_frame, frame_payload
from server.tables.state.deadlines import seat_deadlines
from server.tables.state.entries import Entry, Moved
from server.tables.state.local_struct import replace
from server.tables.state.presence_reports import PresenceReports
from server.tables.state.table import EntryWithEvents, Table, opened, with_events
from server.tables.state.table_info import table_message
from server.tables.state.updates import LastView, UpdateBuilder

NOBODY = PresenceReports()


class PlaybackEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One entry: its time, the note that a bot left, whether it is an aside, and what each viewpoint receives."""

    n: int
    at: int
    messages: tuple[tuple[msgspec.Raw, ...], ...]
    note: str | None = None
    aside: bool = False


class Point:
    """One viewpoint during the playback."""

    def __init__(self, seat: int | None) -> None:
        self._seat = seat
        self._last = LastView()
        self._info: TableMessage | None = None

    def show(self, table: Table, update: UpdateBuilder) -> tuple[msgspec.Raw, ...]:
        """The messages after an entry: the table, if it has changed, and the update."""
        frame = self._update(update)
        info = table_message(replace(table, rematch=None, rematch_game=None), NOBODY, table.at, self._seat)
        if info == self._info:
            return (_raw(frame),)
        self._info = info
        return _raw(encode_frame(info)), _raw(frame)

    def _update(self, update: UpdateBuilder) -> bytes:
        view = update.view(self._seat)
        before, fields = self._last.advance(update, view)
        if before is None or fields is None:
            return encode_frame(update.whole(self._seat, view))
        return update.patch_frame(self._seat, view.__struct_fields__, before, fields)


def _raw(frame: bytes) -> msgspec.Raw:
    return msgspec.Raw(frame_payload(frame))


def play_back(table: str, entries: Iterable[tuple[int, Entry]], seats: Sequence[int | None]) -> Iterator[PlaybackEntry]:
    """Fold a log and show every entry to the viewpoints of these seats, of which None is the public."""
    points = [Point(seat) for seat in seats]
    folding: Table | None = None
    for n, entry in entries:
        if folding is None:
            folding, step = opened(table, entry), EntryWithEvents(n, entry)
        else:
            step = with_events(folding, n, entry)
            folding = folding.after(entry, step.events)
        update = UpdateBuilder(folding, seat_deadlines(folding), entry.at, step)
        note, aside = (entry.note, entry.aside) if isinstance(entry, Moved) else (None, False)
        shown: Any = tuple(point.show(folding, update) for point in points)
        yield PlaybackEntry(n, entry.at, shown, note, aside)
