"""What the host of a table decides."""

from __future__ import annotations

from typing import Any

from protocol.messages import Appoint, Change, CloseTable, Configure, Dismiss, Readmit, Swap
from server.requests.connected_bots import ConnectedBots
from server.requests.connection import Connection
from server.requests.game_choice import changed
from server.requests.limits.limiter import Limiter
from server.requests.table_commands import submit_request
from server.tables.rooms.commands import Judge
from server.tables.rooms.rooms import Rooms
from server.tables.rooms.service_clock import ServiceClock
from server.tables.state import host_decisions
from server.tables.state.decisions import Decision
from server.tables.state.table import Table

RATES = "host_changes_per_minute", "address_host_changes_per_hour"

HostMessage = Dismiss | Readmit | Configure | Appoint | Change | Swap | CloseTable


class HostRequests:
    """Answers dismiss, readmit, configure, appoint, change, swap and close_table."""

    def __init__(self, rooms: Rooms, connected: ConnectedBots, limiter: Limiter, clock: ServiceClock) -> None:
        self._rooms = rooms
        self._connected = connected
        self._limiter = limiter
        self._clock = clock

    def handlers(self) -> dict[type, Any]:
        """The requests that are answered here."""
        return dict.fromkeys((Dismiss, Readmit, Configure, Appoint, Change, Swap, CloseTable), self.decide)

    def decide(self, connection: Connection, message: HostMessage) -> None:
        """Submit the host's decision to the table."""
        self._limiter.check(connection.requester, *RATES)
        judge = self._judge(connection.account.id, message)
        submit_request(connection, message.id, self._rooms, message.table, judge, self._clock.now())

    def _judge(self, host: str, message: HostMessage) -> Judge:
        def judge(table: Table, at: int) -> Decision:
            match message:
                case Dismiss():
                    return host_decisions.dismiss(table, host, message.user, at, self._connected.users)
                case Readmit():
                    return host_decisions.readmit(table, host, message.user, at)
                case Configure():
                    return host_decisions.configure(table, host, message, at)
                case Appoint():
                    return host_decisions.appoint(table, host, message.user, at)
                case Change():
                    return host_decisions.change(table, host, changed(table.opened, message), at)
                case Swap():
                    return host_decisions.swap(table, host, message.seat, message.other, at)
                case CloseTable():
                    return host_decisions.close_table(table, host, at)

        return judge
