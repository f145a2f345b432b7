"""The network side of one node. Read the constructor from top to bottom: each part uses only parts above it."""

from __future__ import annotations

from server.delivery.outbox import FlushQueue
from server.metrics import Metrics
from server.requests.layer import RequestLayer
from server.requests.remarks import ShownRemarks
from server.store.store import Store
from server.tables.layer import TableLayer
from server.web.analyses import AnalysisRoutes
from server.web.connections import Connections
from server.web.day_files import DayFileRoutes
from server.web.handover import Handover, NodeSlot
from server.web.http import Routes
from server.web.invitations import Invitations
from server.web.origins import AllowedOrigins
from server.web.replay_files import ReplayFileRoutes
from server.web.replays import ReplayRoutes


class WebLayer:
    """The connections and HTTP routes of this node, and the handover of sockets to other nodes."""

    def __init__(
        self,
        store: Store,
        at: TableLayer,
        asked: RequestLayer,
        queue: FlushQueue,
        metrics: Metrics,
        slot: NodeSlot,
        allowed: AllowedOrigins,
    ) -> None:
        addresses, clock = asked.client_addresses, at.clock
        self.handover = Handover(slot, at.rooms.watchers)
        self.connections = Connections(asked.handlers, queue, metrics, addresses)
        remarks = ShownRemarks(at.remarks, asked.sanctions)
        replays = ReplayRoutes(at.archive, remarks, addresses, at.slices, allowed.embedders)
        others = (
            AnalysisRoutes(at.archive, at.analyses, addresses, clock),
            DayFileRoutes(at.day_files, addresses, clock),
            ReplayFileRoutes(asked.replay_reader, addresses),
        )
        self.routes = Routes(self.connections, Invitations(at.rooms, clock, addresses), replays, others, store)
