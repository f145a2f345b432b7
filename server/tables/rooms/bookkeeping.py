"""What a commit leads to outside of its table: figures, the lobby, users' lists of tables, and messages to bots."""

from __future__ import annotations

import logging

import msgspec

from protocol.messages import Message, Seated
from server.metrics import Metrics
from server.store import keys
from server.store.quotas import Quotas
from server.store.store import Store
from server.tables.rooms.host_presence import HostPresence
from server.tables.rooms.lobby import Lobby
from server.tables.rooms.lobby_order import Listing
from server.tables.rooms.presence import Presence
from server.tables.rooms.room import Room
from server.tables.rooms.service_clock import ServiceClock
from server.tables.state import house_bots
from server.tables.state.decisions import Decision
from server.tables.state.entries import Moved, Relayed, Resumed, Sat
from server.tables.state.fold_log import LogFault
from server.tables.state.table import Table
from server.tables.state.table_info import invitation, lobby_table

log = logging.getLogger("cheeseboard.tables")

encode = msgspec.msgpack.Encoder().encode


class Bookkeeping:
    """Observes the rooms of a node (RoomObserver)."""

    def __init__(self, store: Store, lobby: Lobby, presence: Presence, clock: ServiceClock, metrics: Metrics) -> None:
        self._store = store
        self._quotas = Quotas(store)
        self._lobby = lobby
        self._presence = presence
        self._clock = clock
        self._metrics = metrics
        self._hosts = HostPresence(clock)

    def committed(self, room: Room, before: Table | None, decision: Decision) -> None:
        """Count the entries; tell the lobby and the users whose seats changed."""
        table, last = room.table, decision[-1].entry
        assert table
        if isinstance(last, Moved) and len(decision) == 1:
            self._metrics.moves[table.opened.game, last.by] += 1
            if table.status == "running" and last.by != "clock":
                return
        else:
            for step in decision:
                if isinstance(step.entry, Resumed):
                    self._metrics.given_back.inc(step.entry.ms / 1000)
                elif isinstance(step.entry, Moved):
                    self._metrics.moves[table.opened.game, step.entry.by] += 1
        for step in decision:
            if isinstance(step.entry, (Sat, Relayed)):
                self._tell_seat(table, step.entry.user, step.entry.seat)
            elif isinstance(step.entry, Moved) and step.entry.by == "clock" and table.status == "running":
                chair = table.chairs[step.entry.seat]
                if chair.bot or chair.stand_in:  # the bot may never have received the news of its seat
                    self._tell_seat(table, chair.stand_in or chair.user or "", step.entry.seat)
        if before is not None:
            for user in before.users - table.users:
                self._quotas.remove(keys.user_tables(user), table.id)
        self.list(room)
        if table.status in ("ended", "closed") and (before is None or before.status != table.status):
            self._metrics.ended.labels(table.opened.game, table.status).inc()
            log.info("a table is over", extra={"table": table.id, "game": table.opened.game, "how": table.status})

    def _tell_seat(self, table: Table, user: str, seat: int) -> None:
        self._quotas.add(keys.user_tables(user), table.id)
        if table.chairs[seat].bot and user not in house_bots.USERS:  # an open invitation to this table is answered
            self._store.send_logged("ending an invitation", "ZREM", keys.bot_invitations(user), table.id)
        if user in house_bots.USERS or table.chairs[seat].bot:
            send_to_user(self._store, user, Seated(table=table.id, seat=seat, game=table.opened.game))

    def list(self, room: Room) -> None:
        """Bring the lobby up to date about a public table."""
        table = room.table
        assert table
        if not table.opened.public:
            return
        if table.status in ("ended", "closed") or table.rules.locked:
            self._lobby.remove(table.id)
        else:
            listed = lobby_table(table, room.presence_reports, self._clock.now())
            self._lobby.publish(Listing(table.at, table.host, table.opened.origin, listed))

    def conflicted(self) -> None:
        """Count an append that another node was faster with."""
        self._metrics.conflicts += 1

    def loaded(self) -> None:
        """Count a table that was folded from its whole log."""
        self._metrics.loads += 1

    def broken(self, room: Room, fault: LogFault) -> None:
        """Tell the operator once that a table is closed because its log cannot be folded to its end."""
        self._metrics.broken_logs.inc()
        form = "a table is closed because its log cannot be folded: %s. `cheeseboard repair %s` shows more"
        log.error(form, fault.detail, room.id, extra={"table": room.id})

    def viewers_changed(self, room: Room) -> None:
        """Report who is at the table."""
        self._presence.report_soon(room)

    def attendance_changed(self, room: Room) -> None:
        """Bring the lobby's number of spectators up to date, and find another host if the host is away."""
        self._hosts.attendance_changed(room)
        listed = self._lobby.find(room.id)
        if listed and room.table and listed.table.watchers != room.presence_reports.watchers(self._clock.now()):
            self.list(room)


def send_to_user(store: Store, user: str, message: Message) -> None:
    """Send a message to the connections of a bot, on whichever nodes they are (P44)."""
    store.send_logged("sending a message to a bot", "SPUBLISH", keys.user_channel(user), encode(message))


def invite_holder(store: Store, room: Room, user: str) -> None:
    """Invite a bot to the seat that is held for it at this table, if one still is."""
    invited = None if room.table is None else invitation(room.table, user)
    if invited is not None:
        send_to_user(store, user, invited)
