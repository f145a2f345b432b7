"""Makes the store that REDIS_URL describes."""

from __future__ import annotations

from server.store.address import StoreUrl
from server.store.cluster_store import ClusterStore
from server.store.durability import Durability
from server.store.sentinel_server import SentinelServer
from server.store.single_store import SingleStore
from server.store.store import Store
from server.store.store_server import StoreServer


def open_store(url: str, node: str = "", durability: Durability = "process") -> Store:
    """The store at this URL, not connected yet; `node` is the name of the node that uses it, if it is one."""
    parsed = StoreUrl.parse(url)
    if parsed.kind == "cluster":
        return ClusterStore(parsed, node, durability)
    if parsed.kind == "sentinel":
        return SingleStore(SentinelServer(parsed, durability), node, durability)
    return SingleStore(StoreServer.at(url, durability), node, durability)
