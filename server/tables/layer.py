"""The parts of the tables of one node. Read the constructor from top to bottom: each part uses only parts above it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from server.delivery.outbox import FlushQueue
from server.metrics import Metrics
from server.store.layer import StoreLayer
from server.store.table_channel import TableChannel
from server.tables.due_tables import DueTables
from server.tables.finished.analyses import Analyses
from server.tables.finished.archive import Archive
from server.tables.finished.day_files import DayFiles
from server.tables.finished.remarks import Remarks
from server.tables.finished.slices import Slices
from server.tables.rooms.bookkeeping import Bookkeeping
from server.tables.rooms.clock_skew import ClockSkew
from server.tables.rooms.lobby import Lobby
from server.tables.rooms.node_heartbeat import NodeHeartbeat
from server.tables.rooms.presence import Presence
from server.tables.rooms.rooms import Rooms
from server.tables.rooms.service_clock import ServiceClock
from server.tables.rooms.viewers import Viewers


class TableLayer:
    """The tables that this node serves, running and finished, and its clock.

    `is_home` says whether this node is the home of a table; `log_bytes` is the limit archive.BYTES_LIMIT.
    """

    def __init__(
        self,
        shared: StoreLayer,
        node: str,
        queue: FlushQueue,
        metrics: Metrics,
        is_home: Callable[[str], bool],
        log_bytes: int,
    ) -> None:
        store, pubsub, deadlines = shared.store, shared.pubsub, shared.deadlines
        self.clock = ServiceClock(node)
        self.lobby = Lobby(store, pubsub)
        self.presence = Presence(store, self.clock, node)
        bookkeeping = Bookkeeping(store, self.lobby, self.presence, self.clock, metrics)
        make_channel = partial(TableChannel, pubsub=pubsub, announcer=shared.announcer)
        make_viewers = partial(Viewers, queue, self.clock, metrics)
        self.rooms = Rooms(shared.log, make_channel, make_viewers, self.clock, bookkeeping, is_home)
        self.archive = Archive(store, deadlines, self.rooms, self.lobby, self.clock, log_bytes)
        self.heartbeat = NodeHeartbeat(shared.heartbeats, self.clock, ClockSkew(metrics.clock_skew.set))
        self.due_tables = DueTables(
            self.rooms, self.clock, deadlines, self.heartbeat, self.archive, self.presence, bookkeeping
        )
        self.remarks = Remarks(store)
        self.analyses = Analyses(store)
        self.day_files = DayFiles(store)
        self.slices = Slices()
