"""Checks before the start whether the store at REDIS_URL can be used: reachable, recent and durable enough."""

from __future__ import annotations

import contextlib
from typing import Any

import redis

from server.process.settings import BadSetting
from server.store.address import StoreUrl
from server.store.durability import Durability

CLIENT: dict[str, Any] = {
    "protocol": 2,
    "socket_connect_timeout": 3,
    "socket_timeout": 3,
    "decode_responses": True,
}


def check_store(url: str, durability: Durability = "process") -> str:
    """Raise BadSetting if the store is not reachable, too old or not as durable as it has to be.

    Returns the URL that nodes have to use, which is another one if a plain URL leads to a node of a cluster.
    """
    try:
        with primary_of(url) as client:
            version = str(client.info("server")["redis_version"])
            if int(version.split(".")[0]) < 7:
                raise BadSetting(f"the store at REDIS_URL is version {version}, and 7.0 or later is needed: upgrade it")
            clustered = client.info("cluster")["cluster_enabled"] == 1
            _check_durability(client, durability)
            for place, primary in (_primaries(url, client) if clustered else {}).items():
                with primary:
                    _check_durability(primary, durability, f"the primary {place} of ")
    except (redis.RedisError, ValueError, OSError) as fault:
        raise BadSetting(f"the store at REDIS_URL is not reachable ({fault}): start it, or unset REDIS_URL") from None
    if clustered == (StoreUrl.parse(url).kind == "cluster"):
        return url
    if clustered and url.startswith(("redis://", "rediss://")):
        return url.replace("://", "+cluster://", 1)
    what = "needs redis+cluster://" if clustered else "is no cluster"
    raise BadSetting(f"the store at REDIS_URL {what}: change the URL")


def _primaries(url: str, node: redis.Redis) -> dict[str, redis.Redis]:
    """Clients of all primaries of a cluster that can be reached; one that is being replaced cannot."""
    plain = StoreUrl.parse(url if "+cluster" in url else url.replace("://", "+cluster://", 1))
    ranges: Any = node.execute_command("CLUSTER", "SLOTS")  # type: ignore[no-untyped-call]
    own = node.connection_pool.connection_kwargs["host"]  # a node need not name itself
    places = {(primary[0] if primary[0] not in (None, "", "?") else own, primary[1]) for _, _, primary, *_ in ranges}
    found = {}
    for host, port in sorted(places):
        client = redis.Redis.from_url(plain.at(host, port), **CLIENT)
        with contextlib.suppress(redis.ConnectionError):
            client.ping()
            found[f"{host}:{port}"] = client
    return found


def _check_durability(client: redis.Redis, durability: Durability, which: str = "") -> None:
    """Raise BadSetting if the store cannot hold what DURABILITY promises. Nodes check each server that they use."""
    if durability == "disk":
        found: Any = client.config_get("append*")
        if (found.get("appendonly"), found.get("appendfsync")) != ("yes", "always"):
            raise BadSetting(
                f"DURABILITY is 'disk': set appendonly yes and appendfsync always in {which}the store at REDIS_URL"
            )
    state: Any = client.info("replication")
    if durability == "replica" and state["role"] == "master" and not state["connected_slaves"]:
        raise BadSetting(f"DURABILITY is 'replica', but {which}the store at REDIS_URL has no replica: connect one")


def primary_of(url: str) -> redis.Redis:
    """A client of the server at a URL, of the primary that sentinels name, or of some node of a cluster."""
    parsed, fault = StoreUrl.parse(url), redis.ConnectionError("no host is named")
    for host in parsed.hosts:
        client = redis.Redis.from_url(host, **CLIENT)
        try:
            if parsed.kind == "cluster":
                client.ping()
            if parsed.kind != "sentinel":
                return client
            found: Any = client.sentinel_get_master_addr_by_name(parsed.service)
            if found:
                return redis.Redis.from_url(parsed.at(*found), **CLIENT)
            fault = redis.ConnectionError(f"the sentinel knows no primary named {parsed.service!r}")
        except redis.ConnectionError as problem:
            fault = problem
    raise fault
