"""The viewers of one viewpoint of a table, and what they were last shown: a seat, or the watchers."""

from __future__ import annotations

from collections.abc import Callable

from server.delivery.broadcast import BroadcastGroup
from server.delivery.frames import encode_frame
from server.delivery.outbox import FlushQueue, Outbox
from server.tables.state.delay import Visibility
from server.tables.state.updates import LastView, LastViews, UpdateBuilder


class Viewer:
    """A connection that looks at tables: its user, and whether it wants patches instead of whole views.

    `ejected` is called with the table that this viewer may no longer see. Chat of `blocked` users is not shown.
    """

    __slots__ = ("blocked", "ejected", "outbox", "patches", "user")

    def __init__(
        self, user: str, patches: bool, outbox: Outbox, ejected: Callable[[str], object] = lambda table: None
    ) -> None:
        self.user = user
        self.patches = patches
        self.outbox = outbox
        self.ejected = ejected
        self.blocked: frozenset[str] = frozenset()


class Viewpoint:
    """The viewers of one seat, or the spectators, and what they were last shown.

    `info_hash` is the hash of the frame of the last `table` message, or None if one of the viewers has not got it.
    """

    __slots__ = ("_last", "_lasts", "_seat", "info_hash", "patching", "whole")

    def __init__(self, queue: FlushQueue) -> None:
        self.whole = BroadcastGroup(queue)
        self.patching = BroadcastGroup(queue)
        self._last = LastView()
        self._lasts: LastViews | None = None  # of watchers who see all seats
        self._seat: int | None = None  # whose view was shown last
        self.info_hash: int | None = None

    def group(self, viewer: Viewer) -> BroadcastGroup:
        """The group of viewers that get the same frames as this one."""
        return self.patching if viewer.patches else self.whole

    @property
    def size(self) -> int:
        """The number of viewers."""
        return self.whole.size + self.patching.size

    def show(self, update: UpdateBuilder, seat: int | None, asked: bool = True) -> None:
        """Show an entry as this seat sees it, with what the seat is asked unless `asked` is false.

        Viewers that want patches and have seen the view before it get a patch.
        """
        if seat != self._seat:
            self._seat = seat
            self._last.forget()
        view = update.view(seat)
        before, fields = self._last.advance(update, view)
        if before is not None and fields is not None and self.patching.size:
            self.patching.write(update.patch_frame(seat, view.__struct_fields__, before, fields, asked))
            if not self.whole.size:
                return
        frame = encode_frame(update.whole(seat, view, asked))
        self.whole.write(frame)
        if before is None or fields is None:
            self.patching.write(frame)

    def show_to_watchers(self, update: UpdateBuilder, visibility: Visibility) -> None:
        """Show an entry to watchers, as far as `visibility` allows."""
        kind, seat = visibility
        if kind in ("public", "seat"):
            self._lasts = None
            self.show(update, seat, asked=False)
            return
        if self._lasts is None:
            self._lasts = LastViews(update.seats)
            self._last.forget()
        patched = update.open_patch(self._lasts)
        if patched is not None and self.patching.size:
            self.patching.write(encode_frame(patched))
        if self.whole.size or patched is None:
            frame = encode_frame(update.open_whole())
            self.whole.write(frame)
            if patched is None:
                self.patching.write(frame)

    def forget_view(self) -> None:
        """Make the next update a whole view for everybody."""
        self._last.forget()
        self._lasts = None

    def show_info(self, frame: bytes) -> None:
        """Write a `table` message to all viewers, unless it is the one that they have."""
        info_hash = hash(frame)
        if info_hash != self.info_hash:
            self.info_hash = info_hash
            self.write(frame)

    def write(self, frame: bytes) -> None:
        """Write a frame to all viewers."""
        self.whole.write(frame)
        self.patching.write(frame)
