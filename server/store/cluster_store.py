"""A store that is a cluster: a connection to each primary, chosen by the slot of a command's key.

A command that a primary refuses because the slot is elsewhere is sent there. Then the map is read again. Tables whose
slot has changed its primary are unverified, like those of a primary whose connection was lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import cycle, islice

import hiredis
from redis.crc import key_slot

from server.store import keys
from server.store.address import StoreUrl
from server.store.answers import FUNCTION_MISSING, Answer, StoreLost, Then, pack
from server.store.cluster_map import SLOTS, ClusterMap, NodeAddress, Redirect, ask_connections, ask_servers
from server.store.durability import Durability
from server.store.functions import FunctionLoader
from server.store.redis_connection import RedisConnection
from server.store.rollback_guard import RollbackGuard
from server.store.store import Part, Store
from server.store.store_server import StoreServer

log = logging.getLogger("cheeseboard.store")

RETRY_S = 0.05  # a command whose keys are being migrated, or whose new primary is not connected yet, is sent again
MAX_TRIES = 20  # after so many refusals it has failed
CONNECT_S = 3.0  # how long the start waits for the primaries
REFRESH_S = 0.1  # the map is not read more often than this

SHARD_SLOTS = tuple(key_slot(keys.deadlines(shard).encode()) for shard in range(keys.SHARDS))
WITHOUT_KEY = {"PING", "INFO", "DBSIZE", "CLUSTER"}


@lru_cache(10_000)
def slot_of(key: str | bytes) -> int:
    """The slot of a key or a sharded channel."""
    return int(key_slot(key.encode() if isinstance(key, str) else key))


def _slot(command: tuple[Part, ...]) -> int:
    """The slot of a command, whose first key decides: all of them are in one slot."""
    return slot_of(command[3 if command[0] == "FCALL" else 1])


class Sending:
    """A command on its way: who gets the answer, whether it is guarded, and how often it was sent."""

    __slots__ = ("command", "guarded", "then", "tries")

    def __init__(self, then: Then, command: tuple[Part, ...], guarded: bool) -> None:
        self.then = then
        self.command = command
        self.guarded = guarded
        self.tries = 0

    def to(self, connection: RedisConnection, answered: Callable[[Sending, RedisConnection, Answer], object]) -> None:
        """Send the command over this connection; `answered` gets its answer."""
        self.tries += 1
        then = partial(answered, self, connection)
        if self.guarded:
            connection.send_guarded(then, pack(self.command))
        else:
            connection.send(then, *self.command)


class ClusterStore(Store):
    """The primaries of a cluster. The functions are loaded if a node uses the store, which has a name."""

    def __init__(self, url: StoreUrl, node: str = "", durability: Durability = "process") -> None:
        super().__init__(durability)
        self._durability = durability
        self._url = url
        self._seeds = tuple(StoreServer.at(host) for host in url.hosts)
        self._node = node
        self._nowhere = RedisConnection(self._seeds[0])  # never connected: for slots without a primary
        self._primaries: dict[NodeAddress, RedisConnection] = {}
        self._slots = [self._nowhere] * SLOTS
        self._shards = [self._nowhere] * keys.SHARDS
        self._epoch = 0
        self._stale = False  # the map has to be read again
        self._refreshing: asyncio.Task[None] | None = None

    @classmethod
    def at(cls, url: str, node: str = "") -> ClusterStore:
        """The cluster at a redis+cluster:// URL."""
        return cls(StoreUrl.parse(url), node)

    async def start(self) -> None:
        self._use(await ask_servers(self._seeds, 0))
        with contextlib.suppress(TimeoutError):  # a primary that is being replaced is connected later
            async with asyncio.timeout(CONNECT_S):
                await asyncio.gather(*(connection.started() for connection in self.connections()))
        await self.ping()

    async def close(self) -> None:
        if self._refreshing is not None:
            self._refreshing.cancel()
        closing, self._primaries = self.connections(), {}
        for connection in closing:
            await connection.close()

    # Routes.

    def connections(self) -> Sequence[RedisConnection]:
        return tuple(self._primaries.values())

    def connection(self, key: str) -> RedisConnection:
        return self._slots[slot_of(key)]

    def of_table(self, table: str) -> RedisConnection:
        return self._shards[keys.shard(table)]

    def group(self, names: Iterable[str]) -> list[list[str]]:
        return [[name] for name in names]

    def _shards_of(self, connection: RedisConnection) -> frozenset[int]:
        return frozenset(shard for shard, serving in enumerate(self._shards) if serving is connection)

    # Commands.

    def send(self, then: Then, *command: Part) -> None:
        self._send(Sending(then, command, False))

    def _send_guarded(self, then: Then, *command: Part) -> None:
        self._send(Sending(then, command, True))

    def _send(self, sending: Sending) -> None:
        if sending.command[0] in WITHOUT_KEY:
            sending.to(next((one for one in self.connections() if one.is_up), self._nowhere), self._answered)
        else:
            sending.to(self._slots[_slot(sending.command)], self._answered)

    def _answered(self, sending: Sending, connection: RedisConnection, answer: Answer) -> None:
        """Give the answer to its caller, or send the command again if it was refused because its slot has moved."""
        if not isinstance(answer, hiredis.ReplyError) or sending.tries >= MAX_TRIES:
            sending.then(answer)
            return
        redirect = Redirect.parse(str(answer), connection.server.address.host)
        if redirect is None and not str(answer).startswith("TRYAGAIN"):
            sending.then(answer)
            return
        target = connection if redirect is None else self._open(redirect.place)
        if redirect is None or not target.is_up:
            asyncio.get_running_loop().call_later(RETRY_S, self._send, sending)
            return
        if redirect.once:
            target.send_logged("asking for a slot that is moving", "ASKING")
        sending.to(target, self._answered)

    # The primaries.

    def _open(self, place: NodeAddress) -> RedisConnection:
        """The connection to a primary; a new one is up soon."""
        connection = self._primaries.get(place)
        if connection is None:
            server = StoreServer.at(self._url.at(*place), self._durability)
            guard = RollbackGuard(self._node, "", self.waits)
            connection = self._primaries[place] = RedisConnection(server, guard=guard)
            functions = FunctionLoader(connection) if self._node else None
            connection.on_lost = partial(self._lost, connection)
            connection.on_reconnect = partial(self._back, connection, functions)
            connection.on_rollback = partial(self._rolled_back, connection, functions)
            connection.on_refused = partial(self._refused, connection)
            connection.on_error = partial(self._error, functions)
            connection.on_stall = lambda seconds: self.on_stalled(seconds)
            connection.start_soon()
        return connection

    def _lost(self, connection: RedisConnection) -> None:
        if connection in self.connections():  # otherwise it was closed on purpose
            self.on_unverified(self._shards_of(connection))
            self.refresh_soon()

    def _back(self, connection: RedisConnection, functions: FunctionLoader | None) -> None:
        if functions:
            functions.load_soon()
        self.on_back(self._shards_of(connection))

    def _rolled_back(self, connection: RedisConnection, functions: FunctionLoader | None) -> None:
        """The counter of a primary has gone back."""
        self._choose_counter(connection)
        self.on_unverified(self._shards_of(connection))
        self._back(connection, functions)
        self.on_rollback()

    def _refused(self, connection: RedisConnection, error: str) -> None:
        """A primary refuses writes, and may be about to lose its last ones; or another one has the counter's slot."""
        if error.startswith(("MOVED", "ASK")):
            self._choose_counter(connection)
        self.on_unverified(self._shards_of(connection))

    def _error(self, functions: FunctionLoader | None, text: str) -> None:
        if FUNCTION_MISSING in text and functions:
            functions.load_soon()
        elif text.startswith(("MOVED", "CLUSTERDOWN", "READONLY")):
            self.refresh_soon()

    def _choose_counter(self, connection: RedisConnection) -> None:
        """Let a primary count in a shard that it serves, and in another one than before if it serves several."""
        shards = sorted(self._shards_of(connection))
        names = [keys.write_counters(shard) for shard in shards]
        at = names.index(connection.guard.key) + 1 if connection.guard.key in names else 0
        connection.guard.use(next(islice(cycle(names), at, None), ""))

    # The map.

    def refresh_soon(self) -> None:
        """Read the map again, until every primary in it is connected."""
        self._stale = True
        if self._refreshing is None or self._refreshing.done():
            self._refreshing = asyncio.get_running_loop().create_task(self._refresh())

    async def _refresh(self) -> None:
        while self._stale or not all(connection.is_up for connection in self.connections()):
            self._stale = False
            try:
                found = await ask_connections(self.connections(), self._epoch)
                self._use(found or await ask_servers(self._seeds, self._epoch))
            except StoreLost as lost:
                log.warning("the map of the cluster cannot be read, will be retried: %s", lost)
                self._stale = True
            await asyncio.sleep(REFRESH_S)

    def _use(self, found: ClusterMap) -> None:
        """Send commands as this map says from now on."""
        self._epoch = found.epoch
        self._slots = [self._nowhere] * SLOTS
        for place, ranges in found.ranges.items():
            for begin, end in ranges:
                self._slots[begin : end + 1] = [self._open(place)] * (end + 1 - begin)
        before, self._shards = self._shards, [self._slots[slot] for slot in SHARD_SLOTS]
        moved = {shard for shard in range(keys.SHARDS) if self._shards[shard] is not before[shard]}
        for place in self._primaries.keys() - found.ranges.keys():
            gone = self._primaries.pop(place)
            gone.report_downtime()
            gone.abandon()
        for connection in self.connections():
            of_connection = self._shards_of(connection)
            if connection.guard.key not in map(keys.write_counters, of_connection):
                self._choose_counter(connection)
                moved |= of_connection
        if moved:
            log.info("slots of the cluster have moved", extra={"shards": len(moved)})
            self.on_unverified(moved)
        self.on_moved()
        self.on_back({shard for shard in moved if self._shards[shard].is_up})
