"""Worlds on stores of several servers: a Redis Cluster, and a primary that sentinels watch."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import redis

from bench.faults.world import World
from server.store import keys
from server.store.cluster_store import slot_of
from tests.stores import Cluster, StoreProcess, Watched, command, wait_until

MIGRATED = 3  # slots in one repetition
NODE_TIMEOUT_MS = 1000  # so long without an answer, and a primary of the cluster is replaced


def replicas_of(world: World) -> int:
    """How many replicas a primary has. At durability `replica` two: one is promoted, and the other confirms moves."""
    return 2 if world.settings.get("DURABILITY") == "replica" else 1


class ClusterWorld(World):
    """The service on a cluster of three primaries with some replicas each."""

    cluster: Cluster

    async def start_store(self) -> str:
        """Start the servers."""
        self.cluster = await asyncio.to_thread(Cluster, self.folder, replicas_of(self))
        self.cluster.set_node_timeout(NODE_TIMEOUT_MS)
        return self.cluster.url

    async def stop_store(self) -> None:
        """Stop the servers."""
        if hasattr(self, "cluster"):
            self.cluster.stop()

    def read(self, table: str) -> Any:
        """Read the log of a table from the primary that has it."""
        key = keys.table_log(table)
        wait_until(lambda: self.cluster.owner(key).client.ping())
        return self.cluster.owner(key).client.xrange(key)


async def migrate_slots(world: ClusterWorld, chance: random.Random) -> None:
    """Migrate slots of tables that are in play to other primaries."""
    for party in chance.sample(world.parties, MIGRATED):
        await asyncio.to_thread(_migrate, world.cluster, keys.table_log(party.histories[-1].table), chance)


def _migrate(cluster: Cluster, key: str, chance: random.Random) -> None:
    source = cluster.owner(key)
    target = chance.choice([one for one in cluster.primaries if one is not source])
    names = cluster.begin_migration(key, target)
    while names:
        cluster.migrate(source, target, *names)
        names = list(command(source.client, "CLUSTER", "GETKEYSINSLOT", slot_of(key), 1000))
    cluster.end_migration(key, source, target)


async def lose_primary(world: ClusterWorld, chance: random.Random) -> None:
    """Kill a primary of the cluster, wait until its replica has taken over, and start it again as a replica."""
    primaries = [one for one in world.cluster.nodes if _is_primary(one)]
    await asyncio.to_thread(_lose, world.cluster, chance.choice(primaries), len(primaries))


async def fail_over_by_sentinel(world: SentinelWorld, chance: random.Random) -> None:
    """Kill the primary, wait until the sentinels have promoted its replica, and start it again as a replica."""
    lost, *others = sorted(world.servers, key=_is_primary, reverse=True)
    lost.kill()
    await asyncio.to_thread(wait_until, lambda: any(_is_primary(one) and world.named_by_all(one) for one in others))
    promoted = next(filter(_is_primary, others))
    await asyncio.to_thread(lost.start_again)  # without data: it must not be asked before it is a replica
    await asyncio.to_thread(command, lost.client, "REPLICAOF", "127.0.0.1", promoted.port)
    await asyncio.to_thread(wait_until, lambda: all(_follows(one) for one in world.servers if one is not promoted))


def _lose(cluster: Cluster, lost: StoreProcess, primaries: int) -> None:
    lost.kill()
    others = [one for one in cluster.nodes if one is not lost]
    wait_until(lambda: sum(map(_is_primary, others)) == primaries)
    lost.start_again()
    cluster.set_node_timeout(NODE_TIMEOUT_MS)  # it begins with the patience of its command line
    wait_until(lambda: _follows(lost))


class SentinelWorld(World):
    """The service on a primary with some replicas, which three sentinels watch."""

    watched: Watched

    @property
    def servers(self) -> list[StoreProcess]:
        """The primary and its replicas, whichever is which."""
        return [self.watched.primary, *self.watched.replicas]

    def named_by_all(self, server: StoreProcess) -> bool:
        """Whether all sentinels name this server as the primary."""
        words = ("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "board")
        return all(int(command(one.client, *words)[1]) == server.port for one in self.watched.sentinels)

    async def start_store(self) -> str:
        """Start the servers and the sentinels."""
        self.watched = await asyncio.to_thread(Watched, self.folder, replicas_of(self))
        return self.watched.url

    async def stop_store(self) -> None:
        """Stop everything."""
        if hasattr(self, "watched"):
            self.watched.stop()

    def read(self, table: str) -> Any:
        """Read the log of a table from the primary."""
        wait_until(lambda: any(map(_is_primary, self.servers)))
        return next(one for one in self.servers if _is_primary(one)).client.xrange(keys.table_log(table))


def _is_primary(server: StoreProcess) -> bool:
    try:
        return bool(server.client.info("replication")["role"] == "master")
    except redis.RedisError:
        return False


def _follows(server: StoreProcess) -> bool:
    info = server.client.info("replication")
    return bool(info["role"] == "slave" and info["master_link_status"] == "up")
