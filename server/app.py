"""One node: its layers, wired by constructor, and the entry point of its process (`python -m server.app`)."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncIterator

from starlette.applications import Starlette

from server.delivery.outbox import FlushQueue
from server.metrics import Metrics
from server.process import uvicorn_server
from server.process.settings import Settings
from server.requests.layer import RequestLayer
from server.requests.limits.limits import Limits
from server.store.durability import Durability
from server.store.fault_counts import FAULTS
from server.store.layer import StoreLayer
from server.store.store import Shards
from server.tables.background import BackgroundTasks
from server.tables.finished.archive import BYTES_LIMIT
from server.tables.layer import TableLayer
from server.web.handover import NodeSlot
from server.web.http import middleware
from server.web.layer import WebLayer
from server.web.origins import AllowedOrigins

log = logging.getLogger("cheeseboard.node")

ALONE = NodeSlot()
REPORT_S = 10  # how often a node repeats its reports of viewers and bots
DROP_S = 1  # how often it drops the rooms of tables that are over


class Node:
    """One process of the service. Each layer is wired by its own module and gets the layers below; the parts of a layer
    get single parts, never a layer."""

    def __init__(
        self,
        redis_url: str,
        name: str,
        slot: NodeSlot = ALONE,
        limits: Limits | None = None,
        allowed: AllowedOrigins | None = None,
        durability: Durability = "process",
    ) -> None:
        limits, self._allowed = limits or Limits(), allowed or AllowedOrigins()
        self.slot, self.metrics, self.queue = slot, Metrics(), FlushQueue()
        shared = StoreLayer(redis_url, name, durability)
        tables = TableLayer(shared, name, self.queue, self.metrics, slot.is_home, limits[BYTES_LIMIT])
        requests = RequestLayer(shared, tables, limits, durability)
        web = WebLayer(shared.store, tables, requests, self.queue, self.metrics, slot, self._allowed)

        # What the node starts, reports and stops, and what tests look at.
        self.store, self.pubsub, self.memory = shared.store, shared.pubsub, shared.memory
        self.rollback_notices = shared.rollback_notices
        self.clock, self.heartbeat, self.due_tables = tables.clock, tables.heartbeat, tables.due_tables
        self.rooms, self.lobby, self.presence, self.archive = (
            tables.rooms,
            tables.lobby,
            tables.presence,
            tables.archive,
        )
        self.accounts, self.users, self.bots = requests.accounts, requests.users, requests.bots
        self.blocks, self.own_account, self.sanctions = requests.blocks, requests.own_account, requests.sanctions
        self.directory, self.client_addresses = requests.directory, requests.client_addresses
        self.handlers, self.connections = requests.handlers, web.connections
        self.handover, self.routes = web.handover, web.routes
        self._tasks = BackgroundTasks()

    async def start(self) -> None:
        """Connect to the store, and start the loops."""
        await self.store.start()
        await self.pubsub.start()
        self.store.on_unverified = self.rooms.mark_unverified
        self.store.on_back = self._reload
        self.store.on_stalled = self.heartbeat.stalled
        self.rollback_notices.start()
        await self.client_addresses.start()
        await self.lobby.start()
        self.users.start(self.blocks.reload, self.own_account.check_all)
        await self.sanctions.start()
        await self.heartbeat.beat(self.clock.now())
        self._tasks.spawn("checking due tables", self.due_tables.run())
        self._tasks.spawn("keepalive", self.connections.run_keepalive())
        self._tasks.spawn("reporting", self._report())
        self._tasks.spawn("dropping rooms", self._drop_rooms())
        self._tasks.spawn("checking the store's memory", self.memory.run(self.metrics.store_memory.set))
        self._tasks.spawn("metrics", self.metrics.run(self.rooms.__len__, FAULTS))
        log.info("node ready")

    def _reload(self, shards: Shards) -> None:
        """These shards of the store are back, and perhaps lack something: read what was missed, store what is lost."""
        self.rooms.reload_watched(shards)
        self.lobby.reload()
        self.own_account.store_lost()

    async def _report(self) -> None:
        while True:
            await asyncio.sleep(REPORT_S)
            self.report()

    async def _drop_rooms(self) -> None:
        while True:
            await asyncio.sleep(DROP_S)
            self.rooms.drop_over()

    def report(self) -> None:
        """Repeat the reports of viewers and bots, and compare the watched tables with their logs."""
        for room in self.rooms:
            if room.viewers:
                self.presence.report_soon(room)
        self.directory.report_all()

    async def drain(self) -> None:
        """Finish what was begun, then send all clients to other nodes."""
        self.connections.draining = True
        log.info("node draining", extra={"connections": len(self.connections)})
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
    uvicorn_server.run(lambda url, name: Node(url, name, NodeSlot.from_environment(), limits, allowed, durability))


if __name__ == "__main__":
    main()
