"""Looking at tables: feeds of tables and of the lobby, their past, and chat."""

from __future__ import annotations

from collections.abc import Coroutine
from functools import partial
from typing import Any

from protocol.codec import ProtocolError
from protocol.messages import Chat, Close, History, Lobby, Ok, Open, Say
from server.requests import chat_history
from server.requests.connection import Connection
from server.requests.limits.limiter import Limiter
from server.requests.open_tables import open_table
from server.store import keys
from server.store.answers import StoreLost
from server.store.quotas import Quotas
from server.store.store import Store
from server.store.table_channel import CHAT
from server.tables.background import BackgroundTasks
from server.tables.rooms.chat import reads_past
from server.tables.rooms.commands import FunctionCommand
from server.tables.rooms.history import past_entries, read_entries
from server.tables.rooms.lobby_feed import LobbyFeed
from server.tables.rooms.presence import Presence
from server.tables.rooms.room import Room
from server.tables.rooms.rooms import Rooms
from server.tables.rooms.service_clock import ServiceClock
from server.tables.rooms.sync import unavailable
from server.tables.rooms.viewers import viewpoint_of
from server.tables.state import names
from server.tables.state.admission import require_view, require_voice
from server.tables.state.decisions import NOTHING, Decision
from server.tables.state.entries import Entry
from server.tables.state.table import Table

CHAT_RATES = "chats_per_10_s", "address_chats_per_10_s", "address_chats_per_hour"
CODE_RATES = "codes_missed_per_hour", "address_codes_missed_per_hour"


class TableRequests:
    """Answers open, close, history, lobby and say."""

    def __init__(
        self,
        store: Store,
        rooms: Rooms,
        lobby: LobbyFeed,
        presence: Presence,
        limiter: Limiter,
        clock: ServiceClock,
    ) -> None:
        self._store = store
        self._quotas = Quotas(store)
        self._limiter = limiter
        self._rooms = rooms
        self._lobby = lobby
        self._presence = presence
        self._clock = clock
        self._tasks = BackgroundTasks()

    def handlers(self) -> dict[type, Any]:
        """The requests that are answered here."""
        return {Open: self.open, Close: self.close, History: self.history, Lobby: self.lobby, Say: self.say}

    def lobby(self, connection: Connection, message: Lobby) -> None:
        """Start or end the feed of the lobby."""
        if message.on:
            self._limiter.check(connection.requester, "lobbies_per_minute", "address_lobbies_per_minute")
            self._lobby.follow(connection.outbox)
        else:
            self._lobby.unfollow(connection.outbox)
        connection.send(Ok(id=message.id))

    # Feeds.

    def open(self, connection: Connection, message: Open) -> Coroutine[Any, Any, None] | None:
        """Start the feed of a table, by its id or its invitation code."""
        if message.table is None:
            return self._open_by_code(connection, message)
        if message.code is not None:
            raise ProtocolError("bad_field", "a table is opened by its id or by its code, not by both", field="code")
        self._open(connection, message, message.table)
        return None

    async def _open_by_code(self, connection: Connection, message: Open) -> None:
        if message.code is None:
            raise ProtocolError("missing_field", "a table or a code is needed", field="table")
        code = message.code.lower().replace("-", "").replace(" ", "")
        found = self._store.request("GET", keys.invitation_code(code))
        await self._limiter.take(connection.requester, CODE_RATES)  # every code counts as missed until it is found
        table = await found
        if isinstance(table, Exception):
            raise StoreLost(str(table))
        if table is None:
            raise ProtocolError("no_table", "there is no table with this code", field="code")
        self._limiter.give_back(connection.requester, *CODE_RATES)
        self._open(connection, message, table.decode())

    def _open(self, connection: Connection, message: Open, table: str) -> None:
        known = table in connection.feeds
        most = self._limiter.limits["feeds_bot" if connection.account.bot else "feeds"]
        if len(connection.feeds) >= most and not known:
            raise ProtocolError("too_many_feeds", f"a connection watches at most {most} tables")
        room = connection.feeds[table] = self._rooms.get(table)
        room.subscribe()

        def failed(fault: ProtocolError) -> None:
            connection.refuse(message.id, fault)
            if not known:
                connection.feeds.pop(table, None)
                room.leave(connection.viewer)

        def admit(found: Table, at: int) -> Decision:
            require_view(found, connection.account.id)
            return NOTHING

        done = partial(self._opened, connection, message, room)
        room.submit(FunctionCommand(admit, done, failed, self._clock.now(), min_entry=message.last or 0))

    def _opened(
        self, connection: Connection, message: Open, room: Room, n: int, entry: Entry | None, again: bool
    ) -> None:
        connection.send(Ok(id=message.id, table=room.id, n=_entry_seen(room, connection)))
        if room.id not in connection.feeds:  # the feed or the connection was closed meanwhile
            room.leave(connection.viewer)
            return
        self._list_seat(connection, room)
        self._set_wishes(connection, message, room)
        room.join(connection.viewer, message.last)
        self._tasks.spawn("showing who is at a table", self._show_surroundings(connection, room))

    def _list_seat(self, connection: Connection, room: Room) -> None:
        """List the table among the user's, if they have a seat: the node that seated them may have died before."""
        user, table = connection.account.id, room.table
        seat = None if table is None or table.status not in ("open", "running") else table.owned_seat(user)
        if table is not None and seat is not None and not table.chairs[seat].held:
            self._quotas.add(keys.user_tables(user), table.id)

    def _set_wishes(self, connection: Connection, message: Open, room: Room) -> None:
        name = None
        if message.named and room.table is not None:
            name = names.told_apart(connection.account.name, room.table.names_of_others(connection.account.id))
        room.viewers.wishes.set(connection.viewer, name, message.crowd)

    async def _show_surroundings(self, connection: Connection, room: Room) -> None:
        """Show who is at the table, and the last chat messages."""
        if not room.presence_reports:
            await self._presence.load(room)
            room.show_info()
        for chat in await chat_history.last_messages(self._store, room.id):
            if room.table is None or chat.user in connection.viewer.blocked:
                continue
            may_read = reads_past(room.table, connection.account.id)
            if may_read and room.viewers.wishes.hears(connection.viewer, room.table, chat):
                connection.send(chat)

    def close(self, connection: Connection, message: Close) -> None:
        """End the feed of a table."""
        room = connection.feeds.pop(message.table, None)
        if room is not None:
            room.leave(connection.viewer)
        connection.send(Ok(id=message.id, table=message.table))

    async def history(self, connection: Connection, message: History) -> None:
        """Send past entries of a table that is open, as the viewer may see them when they are sent."""
        room, _ = await open_table(connection, message.table, self._clock.now())
        last = _entry_seen(room, connection)
        before = last + 1 if message.before is None else min(message.before, last + 1)
        first, entries = await read_entries(self._store, room.id, before)
        if room.table is None:
            raise unavailable()
        if connection.feeds.get(room.id) is not room:
            raise ProtocolError("not_open_here", "the table was closed before its past was read", field="table")
        last = min(last, _entry_seen(room, connection))  # the rules may have changed meanwhile
        seat = viewpoint_of(room.table, connection.account.id)
        shown = past_entries(room.table, seat, [entry for entry in entries if entry[0] <= last])
        connection.send(Ok(id=message.id, table=room.id, n=last, first=first, entries=shown))

    def refresh(self, connection: Connection) -> None:
        """Send everything again to a client that did not keep up."""
        self._lobby.refresh(connection.outbox)
        for room in connection.feeds.values():
            room.refresh(connection.viewer)

    def closed(self, connection: Connection) -> None:
        """Forget a connection."""
        self._lobby.forget(connection.outbox)

    # Chat.

    async def say(self, connection: Connection, message: Say) -> None:
        """Send a chat message to everybody at the table, on every node."""
        room, table = await open_table(connection, message.table, self._clock.now())
        text = names.clean_chat(message.text)
        require_voice(table, table.seat_of(connection.account.id))
        await self._limiter.take(connection.requester, CHAT_RATES)
        if room.table is None:
            raise unavailable()
        user, table = connection.account.id, room.table
        seat = table.seat_of(user)
        require_voice(table, seat)
        name = None if seat is None else table.name_at(seat, user)
        if name is None:
            name = names.told_apart(connection.account.name, table.names_of_others(user))
        chat = Chat(table=room.id, name=name, text=text, at=self._clock.now(), seat=seat, user=user)
        payload = chat_history.encode(chat)
        chat_history.keep(self._store, room.id, payload)
        self._store.send_logged(
            "publishing a chat message", "SPUBLISH", keys.table_channel(room.id), CHAT + b" " + payload
        )
        connection.send(Ok(id=message.id))


def _entry_seen(room: Room, connection: Connection) -> int:
    """The number of the last entry that this client may see now."""
    return 0 if room.table is None else room.viewers.entry_seen(connection.account.id, room.table)
