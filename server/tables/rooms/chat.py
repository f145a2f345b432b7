"""Chat at a table: which viewers get a message, and the wishes of viewers about chat and names."""

from __future__ import annotations

from collections.abc import Mapping

from protocol.messages import Chat
from server.delivery.frames import encode_frame
from server.tables.rooms.viewpoint import Viewer, Viewpoint
from server.tables.state.delay import is_hidden, players_hear_watchers
from server.tables.state.table import Table

MAX_NAMED = 20  # watchers of a table that one node lists by name


class Wishes:
    """What viewers of one table wish: to be listed by name while they watch, and to get what watchers say.

    A viewer keeps its wishes when it sits down or gets up.
    """

    def __init__(self) -> None:
        self._named: dict[Viewer, str] = {}
        self.hearing: set[Viewer] = set()  # viewers who want to get what watchers say when they have a seat

    def set(self, viewer: Viewer, name: str | None, hears: bool) -> None:
        """Record under which name a viewer wants to be listed, if any, and whether it wants to hear watchers."""
        self.forget(viewer)
        if name is not None:
            self._named[viewer] = name
        if hears:
            self.hearing.add(viewer)

    def forget(self, viewer: Viewer) -> None:
        """The viewer has left the table."""
        self._named.pop(viewer, None)
        self.hearing.discard(viewer)

    def names(self, seats: Mapping[Viewer, int | None]) -> tuple[str, ...]:
        """The names of watchers who want to be named, the first MAX_NAMED of them; `seats` has those of all viewers."""
        found = {viewer.user: name for viewer, name in self._named.items() if seats.get(viewer, 0) is None}
        return tuple(found.values())[:MAX_NAMED]

    def hears(self, viewer: Viewer, table: Table, chat: Chat) -> bool:
        """Whether this viewer gets this chat message: of players, or of watchers."""
        if table.seat_of(viewer.user) is None:
            return watchers_hear(table, chat)
        return chat.seat is not None or (viewer in self.hearing and players_hear_watchers(table))


def reads_past(table: Table, user: str) -> bool:
    """Whether this user gets the last messages on opening the table.

    The address of a replay has the id of its table, and may reach people who were not invited to the table. When a
    private table is over, its chat is therefore only for the owners of its seats.
    """
    over = table.status in ("ended", "closed")
    return table.opened.public or not over or table.owned_seat(user) is not None


def watchers_hear(table: Table, chat: Chat) -> bool:
    """Whether watchers may get this message. Players' chat is withheld while the watchers' view is delayed."""
    return chat.seat is None or not is_hidden(table)


def write_chat(
    chat: Chat,
    table: Table,
    seats: Mapping[Viewer, int | None],
    points: Mapping[int | None, Viewpoint],
    hearing: set[Viewer],
) -> None:
    """Write a message to the viewers who get it. Those who block its user are out of their groups meanwhile."""
    frame = encode_frame(chat)
    blocking = [viewer for viewer in seats if chat.user in viewer.blocked]
    for viewer in blocking:
        points[seats[viewer]].group(viewer).remove(viewer.outbox)
    for seat, point in tuple(points.items()):
        hears = watchers_hear(table, chat) if seat is None else chat.seat is not None
        if hears:
            point.write(frame)
    if chat.seat is None and players_hear_watchers(table):
        for viewer in tuple(hearing):
            if seats.get(viewer) is not None and viewer not in blocking:
                viewer.outbox.write(frame)
    for viewer in blocking:
        if viewer in seats:
            points[seats[viewer]].group(viewer).add(viewer.outbox)
