"""What a room tells the rest of its node."""

from __future__ import annotations

from typing import Protocol, TypeVar

from server.tables.state.decisions import Decision
from server.tables.state.fold_log import LogFault
from server.tables.state.table import Table

R = TypeVar("R", contravariant=True)


class RoomObserver(Protocol[R]):
    """What a node does outside of a table when something happens at it."""

    def committed(self, room: R, before: Table | None, decision: Decision, /) -> None:
        """This node appended entries."""

    def conflicted(self) -> None:
        """Another node was faster with an append."""

    def loaded(self) -> None:
        """A table was folded from its whole log."""

    def broken(self, room: R, fault: LogFault, /) -> None:
        """The log of a table cannot be folded to its end."""

    def viewers_changed(self, room: R, /) -> None:
        """A viewer came, went or sees the table from another seat."""

    def attendance_changed(self, room: R, /) -> None:
        """A node reported who is at the table."""
