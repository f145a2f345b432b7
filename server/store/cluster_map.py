"""Which primary of a cluster serves which slots, as the cluster itself says."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Iterable
from typing import Any, NamedTuple

import hiredis

from server.store.answers import Answer, StoreLost
from server.store.redis_connection import RedisConnection
from server.store.store_server import StoreServer

SLOTS = 16384
ASK_S = 0.5  # timeout of one node's answer
ASK_SERVER_S = 3.0  # timeout of one node's answer over a new connection, including the connect

NodeAddress = tuple[str, int]  # host and port of a node

INFO = re.compile(rb"^(cluster_state|cluster_current_epoch):(\w+)", re.MULTILINE)
REDIRECT = re.compile(r"(MOVED|ASK) (\d+) (.*):(\d+)$")


class ClusterMap(NamedTuple):
    """The slots of each primary, as ranges with both ends, at an epoch of the cluster."""

    epoch: int
    ranges: dict[NodeAddress, list[tuple[int, int]]]


class Redirect(NamedTuple):
    """The answer that another node has the slot of a command: for good, or for this command only (`once`)."""

    once: bool
    place: NodeAddress

    @classmethod
    def parse(cls, text: str, host: str) -> Redirect | None:
        """Read an error; `host` is the one that answered, which need not repeat its own name."""
        found = REDIRECT.match(text)
        return found and cls(found[1] == "ASK", (found[3] or host, int(found[4])))


async def ask_connections(connections: Iterable[RedisConnection], epoch: int) -> ClusterMap | None:
    """The map of the first node that knows one, not older than `epoch`."""
    return await _first((_ask(connection) for connection in connections if connection.is_up), epoch, ASK_S)


async def ask_servers(servers: Iterable[StoreServer], epoch: int) -> ClusterMap:
    """The map of the first node that knows one, over new connections. Raises StoreLost if none does."""
    found = await _first(map(_ask_server, servers), epoch, ASK_SERVER_S)
    if found is None:
        raise StoreLost("no node of the cluster knows its state")
    return found


async def _first(asked: Iterable[Awaitable[ClusterMap]], epoch: int, within_s: float) -> ClusterMap | None:
    """The first answer that is recent enough."""
    tasks = [asyncio.ensure_future(asyncio.wait_for(one, within_s)) for one in asked]
    try:
        for answer in asyncio.as_completed(tasks):
            try:
                found = await answer
            except (OSError, StoreLost, hiredis.HiredisError):
                continue
            if found.epoch >= epoch:
                return found
    finally:
        for task in tasks:
            task.cancel()
    return None


async def _ask_server(server: StoreServer) -> ClusterMap:
    connection = RedisConnection(server)
    await connection.start()
    try:
        return await _ask(connection)
    finally:
        await connection.close()


async def _ask(connection: RedisConnection) -> ClusterMap:
    ranges, info = connection.request("CLUSTER", "SLOTS"), connection.request("CLUSTER", "INFO")
    return _read(await ranges, await info, (await connection.server.find()).host)


def _read(ranges: Answer, info: Answer, host: str) -> ClusterMap:
    """The map in the answers of a node; `host` is that of the node, which need not name itself."""
    if isinstance(ranges, Exception) or isinstance(info, Exception):
        raise StoreLost(str(ranges))
    fields = dict(INFO.findall(info))
    if fields.get(b"cluster_state") != b"ok":
        raise StoreLost("the cluster is down")
    found: dict[NodeAddress, list[tuple[int, int]]] = {}
    for begin, end, primary, *_ in ranges:
        found.setdefault(_place(primary, host), []).append((begin, end))
    return ClusterMap(int(fields[b"cluster_current_epoch"]), found)


def _place(node: list[Any], host: str) -> NodeAddress:
    name = (node[0] or b"").decode()
    return name if name not in ("", "?") else host, node[1]
