"""A store that is one server: the embedded one, or one that Sentinel watches."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterable, Sequence

from server.store.answers import FUNCTION_MISSING, StoreLost, Then, pack
from server.store.durability import Durability
from server.store.functions import FunctionLoader
from server.store.keys import SHARDS
from server.store.redis_connection import RedisConnection
from server.store.rollback_guard import RollbackGuard
from server.store.sentinel_server import SentinelServer
from server.store.store import Part, Store
from server.store.store_server import StoreServer

log = logging.getLogger("cheeseboard.store")

WATCH_S = 1.0  # how often sentinels are asked whether the primary is still the same

ALL_SHARDS = range(SHARDS)


class SingleStore(Store):
    """One server. It loads the functions if it is used by a node, which has a name."""

    def __init__(self, server: StoreServer, node: str = "", durability: Durability = "process") -> None:
        super().__init__(durability)
        self._connection = RedisConnection(server, guard=RollbackGuard(node, waits=self.waits))
        self._watching: asyncio.Task[None] | None = None
        self._is_watched = isinstance(server, SentinelServer)
        self._functions = FunctionLoader(self._connection) if node else None
        self._connection.on_lost = self._lost
        self._connection.on_reconnect = self._reconnected
        self._connection.on_rollback = self._rolled_back
        self._connection.on_refused = self._refused
        self._connection.on_error = self._error
        self._connection.on_stall = lambda seconds: self.on_stalled(seconds)

    async def start(self) -> None:
        await self._connection.start()
        if self._is_watched:
            self._watching = asyncio.get_running_loop().create_task(self._watch())
        if self._functions:
            await self._functions.load()

    async def _watch(self) -> None:
        """Leave a primary that sentinels have replaced: it may take writes for many seconds, and then loses them."""
        while True:
            await asyncio.sleep(WATCH_S)
            with contextlib.suppress(StoreLost):
                if self._connection.is_up and await self._connection.server.find() != self._connection.address:
                    log.warning("the sentinels have named another primary: reconnecting")
                    self._connection.give_up()

    async def close(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
        await self._connection.close()

    def connections(self) -> Sequence[RedisConnection]:
        return (self._connection,)

    def connection(self, key: str) -> RedisConnection:
        return self._connection

    def of_table(self, table: str) -> RedisConnection:
        return self._connection

    def group(self, names: Iterable[str]) -> list[list[str]]:
        return [list(names)]

    def send(self, then: Then, *command: Part) -> None:
        self._connection.send(then, *command)

    def _send_guarded(self, then: Then, *command: Part) -> None:
        self._connection.send_guarded(then, pack(command))

    def refresh_soon(self) -> None:
        pass  # there is no other server

    def _lost(self) -> None:
        self.on_unverified(ALL_SHARDS)

    def _reconnected(self) -> None:
        if self._functions:
            self._functions.load_soon()
        self.on_moved()
        self.on_back(ALL_SHARDS)

    def _rolled_back(self) -> None:
        """The server has lost commands, though the connection stayed up."""
        self.on_unverified(ALL_SHARDS)
        self._reconnected()
        self.on_rollback()

    def _refused(self, error: str) -> None:
        """A server that refuses writes may be about to lose its last ones: it may have been replaced."""
        self.on_unverified(ALL_SHARDS)

    def _error(self, text: str) -> None:
        if FUNCTION_MISSING in text and self._functions:
            self._functions.load_soon()
        elif text.startswith("READONLY") and self._is_watched:
            log.warning("the store is no longer the primary: looking for the new one")
            self._connection.give_up()
