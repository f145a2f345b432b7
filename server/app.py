"""One node: all its parts, wired by constructor, and the entry point of its process (`python -m server.app`)."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncIterator
from functools import partial

from starlette.applications import Starlette

from server.delivery.outbox import FlushQueue
from server.metrics import Metrics
from server.process import uvicorn_server
from server.process.settings import Settings
from server.requests.accounts import Accounts
from server.requests.blocking import BlockList, BlockRequests
from server.requests.bot_directory import BotDirectory
from server.requests.bots import BotRequests
from server.requests.client_addresses import ClientAddresses
from server.requests.connected_bots import ConnectedBots
from server.requests.connected_users import ConnectedUsers
from server.requests.finished_games import FinishedGameRequests
from server.requests.handlers import RequestHandlers
from server.requests.hello import HelloRequests
from server.requests.hosting import HostRequests
from server.requests.limiter import Limiter
from server.requests.limits import Limits
from server.requests.names import NameRequests
from server.requests.node_rates import NodeRates
from server.requests.own_token import OwnTokenRequests
from server.requests.playing_on import PlayOnRequests
from server.requests.practice import PracticePool
from server.requests.replay_work import ReplayWork
from server.requests.reports import ReportRequests, Reports
from server.requests.sanctions import Sanctions
from server.requests.seating import SeatingRequests
from server.requests.table_opener import TableOpener
from server.requests.tables import TableRequests
from server.store.announcer import MoveAnnouncer
from server.store.deadline_index import DeadlineIndex
from server.store.durability import Durability
from server.store.fault_counts import FAULTS
from server.store.heartbeats import Heartbeats
from server.store.memory import StoreMemory
from server.store.open_store import open_store
from server.store.pubsub import PubSub
from server.store.quotas import Quotas
from server.store.rollback_notices import RollbackNotices
from server.store.store import Shards
from server.store.table_channel import TableChannel
from server.store.table_log import TableLog
from server.tables.analyses import Analyses
from server.tables.archive import BYTES_LIMIT, Archive
from server.tables.background import BackgroundTasks
from server.tables.bookkeeping import Bookkeeping
from server.tables.clock_skew import ClockSkew
from server.tables.day_files import DayFiles
from server.tables.due_tables import DueTables
from server.tables.lobby import Lobby
from server.tables.node_heartbeat import NodeHeartbeat
from server.tables.presence import Presence
from server.tables.remarks import Remarks
from server.tables.rooms import Rooms
from server.tables.service_clock import ServiceClock
from server.tables.slices import Slices
from server.tables.viewers import Viewers
from server.web.analyses import AnalysisRoutes
from server.web.connections import Connections
from server.web.day_files import DayFileRoutes
from server.web.handover import Handover
from server.web.http import Routes, middleware
from server.web.invitations import Invitations
from server.web.origins import AllowedOrigins
from server.web.replays import ReplayRoutes

log = logging.getLogger("cheeseboard.node")

REPORT_S = 10  # how often a node repeats its reports of viewers and bots


class Node:
    """One process of the service. Read the constructor from top to bottom: each part uses only parts above it."""

    def __init__(
        self,
        redis_url: str,
        name: str,
        handover: Handover | None = None,
        limits: Limits | None = None,
        allowed: AllowedOrigins | None = None,
        durability: Durability = "process",
    ) -> None:
        self._allowed = allowed or AllowedOrigins()
        self.handover = handover or Handover(None, 0, 1)
        self.metrics = Metrics()

        self.store = open_store(redis_url, name, durability)
        self.memory = StoreMemory(self.store)
        self.pubsub = PubSub(self.store)
        self.log = TableLog(self.store)
        deadlines = DeadlineIndex(self.store)
        heartbeats = Heartbeats(self.store, name)
        self.rollback_notices = RollbackNotices(self.store, self.pubsub, name)
        make_channel = partial(TableChannel, pubsub=self.pubsub, announcer=MoveAnnouncer(self.store))

        self.queue = FlushQueue()

        self.clock = ServiceClock(name)
        self.lobby = Lobby(self.store, self.pubsub)
        self.presence = Presence(self.store, self.clock, name)
        bookkeeping = Bookkeeping(self.store, self.lobby, self.presence, self.clock, self.metrics)
        make_viewers = partial(Viewers, self.queue, self.clock, self.metrics)
        self.rooms = Rooms(self.log, make_channel, make_viewers, self.clock, bookkeeping)
        self.rooms.is_home = self.handover.is_home
        self.handover.watchers = self.rooms.watchers
        limits = limits or Limits()
        self.archive = Archive(self.store, deadlines, self.rooms, self.lobby, self.clock, limits[BYTES_LIMIT])
        self.heartbeat = NodeHeartbeat(heartbeats, self.clock, ClockSkew(self.metrics.clock_skew.set))
        self.due_tables = DueTables(
            self.rooms, self.clock, deadlines, self.heartbeat, self.archive, self.presence, bookkeeping
        )

        rates = NodeRates(limits)
        limiter = Limiter(limits, rates, Quotas(self.store), self.clock)
        self.client_addresses = ClientAddresses(self.store, limits, rates, self.clock)
        self.accounts = Accounts(self.store, limits["bots"])
        self.bots = ConnectedBots(self.pubsub, self.accounts)
        self.directory = BotDirectory(self.store, self.accounts, self.bots, self.clock)
        self.users = ConnectedUsers(self.store, self.pubsub)
        self.blocks = BlockList(self.store, self.users, limits)
        tables = TableRequests(self.store, self.rooms, self.lobby.feed, self.presence, limiter, self.clock)
        opener = TableOpener(self.store, self.memory, self.rooms, limiter, self.clock)
        names = NameRequests(self.accounts, self.users, self.rooms, self.clock)
        seating = SeatingRequests(self.store, self.rooms, opener, self.bots, names, limiter, self.clock)
        bots = BotRequests(self.store, self.accounts, self.directory, self.rooms, limiter, self.clock)
        self.bots.on_connected = bots.remind
        own_tokens = OwnTokenRequests(self.store, self.accounts, self.users)
        self.users.on_missed = [self.blocks.reload, own_tokens.check_all]
        self.sanctions = Sanctions(self.store, self.pubsub, self.users, self.clock, tables)
        remarks, slices, work = Remarks(self.store), Slices(), ReplayWork(limits)
        self.handlers = RequestHandlers(
            self.rooms,
            self.clock,
            limiter,
            self.directory,
            self.users,
            tables,
            seating,
            bots,
            HelloRequests(
                self.accounts,
                self.users,
                self.blocks,
                self.sanctions,
                self.directory,
                self.client_addresses,
                limiter,
                self.clock,
                durability,
            ),
            own_tokens,
            names,
            HostRequests(self.rooms, self.bots, self.clock),
            PlayOnRequests(self.archive, opener, self.bots, slices, work),
            FinishedGameRequests(self.archive, remarks, self.sanctions, limiter, self.clock, slices, work),
            PracticePool(self.store, self.rooms, opener, seating, self.clock),
            BlockRequests(self.store, self.blocks, self.rooms, self.clock, seating, bots),
            self.sanctions,
            ReportRequests(Reports(self.store), limiter, self.clock),
        )

        self.connections = Connections(self.handlers, self.queue, self.metrics, self.client_addresses)
        replays = ReplayRoutes(self.archive, remarks, self.client_addresses, slices, self._allowed.embedders)
        invitations = Invitations(self.rooms, self.clock, self.client_addresses)
        analyses = AnalysisRoutes(self.archive, Analyses(self.store), self.client_addresses, self.clock)
        day_files = DayFileRoutes(DayFiles(self.store), self.client_addresses, self.clock)
        self.routes = Routes(self.connections, replays, analyses, day_files, invitations, self.store)
        self._tasks = BackgroundTasks()

    async def start(self) -> None:
        """Connect to the store, and start the loops."""
        await self.store.start()
        await self.pubsub.start()
        self.store.on_unverified = self.rooms.mark_unverified
        self.store.on_back = self._reload
        self.rollback_notices.start()
        await self.client_addresses.start()
        await self.lobby.start()
        self.users.start()
        await self.sanctions.start()
        await self.heartbeat.beat(self.clock.now())
        self._tasks.spawn("checking due tables", self.due_tables.run())
        self._tasks.spawn("keepalive", self.connections.run_keepalive())
        self._tasks.spawn("reporting", self._report())
        self._tasks.spawn("checking the store's memory", self.memory.run(self.metrics.store_memory.set))
        self._tasks.spawn("metrics", self.metrics.run(self.rooms.__len__, FAULTS))
        log.info("the node serves")

    def _reload(self, shards: Shards) -> None:
        """These shards of the store are back, and perhaps on another server: read what was missed."""
        self.rooms.reload_watched(shards)
        self.lobby.reload()

    async def _report(self) -> None:
        while True:
            await asyncio.sleep(REPORT_S)
            self.report()

    def report(self) -> None:
        """Repeat the reports of viewers and bots, and compare the watched tables with their logs."""
        for room in self.rooms:
            if room.viewers:
                self.presence.report_soon(room)
        self.directory.report_all()

    async def drain(self) -> None:
        """Finish what was begun, then send all clients to other nodes."""
        self.connections.draining = True
        log.info("the node drains", extra={"connections": len(self.connections)})
        await self.rooms.settle()
        await self.connections.drain()

    async def stop(self) -> None:
        """Stop the loops, and disconnect from the store."""
        await self._tasks.cancel()
        await self.heartbeat.end()
        self.presence.stop()
        await self.pubsub.close()
        await self.store.close()

    def app(self) -> Starlette:
        """The ASGI application."""

        @contextlib.asynccontextmanager
        async def lifespan(app: Starlette) -> AsyncIterator[None]:
            await self.start()
            yield
            await self.stop()

        return Starlette(lifespan=lifespan, middleware=middleware(self._allowed), routes=self.routes.routes())


def main() -> None:
    """Run a node with the settings of the environment."""
    limits, allowed = Limits.from_environment(os.environ), AllowedOrigins.from_environment(os.environ)
    durability = Settings.from_environment().durability
    uvicorn_server.run(lambda url, name: Node(url, name, Handover.from_environment(), limits, allowed, durability))


if __name__ == "__main__":
    main()
