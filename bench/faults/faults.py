"""The faults. Each function causes one, waits while it lasts, and ends it."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections.abc import Awaitable, Callable
from typing import Any

import redis

from bench.faults.world import World

Fault = Callable[[Any, random.Random], Awaitable[None]]  # of the world that its schedule names

HUNG_S = 8.0  # a hung node that is not replaced by then is continued
RESTART_S = 15.0
LAG_S = 0.4  # how far a lagging replica is behind


# Nodes.


async def kill_node(world: World, chance: random.Random) -> None:
    """Kill one node."""
    os.kill(chance.choice(world.nodes()), signal.SIGKILL)


async def kill_all_nodes(world: World, chance: random.Random) -> None:
    """Kill all nodes at once."""
    for pid in world.nodes():
        os.kill(pid, signal.SIGKILL)


async def restart_nodes(world: World, chance: random.Random) -> None:
    """Ask one node after the other to end, and wait until it is replaced."""
    for pid in world.nodes():
        os.kill(pid, signal.SIGTERM)
        await world.until(lambda gone=pid: gone not in world.nodes() and world.nodes_are_up(), RESTART_S)  # type: ignore[misc]


async def pause_node(world: World, chance: random.Random) -> None:
    """Stop a node for a time in which nobody notices that it hangs."""
    pid = chance.choice(world.nodes())
    os.kill(pid, signal.SIGSTOP)
    await asyncio.sleep(chance.uniform(0.3, 1.2))
    os.kill(pid, signal.SIGCONT)


async def hang_node(world: World, chance: random.Random) -> None:
    """Stop a node until the supervisor has replaced it."""
    pid = chance.choice(world.nodes())
    os.kill(pid, signal.SIGSTOP)
    if not await world.until(lambda: pid not in world.nodes(), HUNG_S):
        os.kill(pid, signal.SIGCONT)


async def kill_in_turn(world: World, chance: random.Random) -> None:
    """Kill a node, or the store, in turn: a little of both for the test suite."""
    world.turn += 1
    await (kill_store if world.turn % 3 == 0 else kill_node)(world, chance)


# The store.


async def kill_store(world: World, chance: random.Random) -> None:
    """Kill the store and start it again."""
    world.store.kill()
    await asyncio.sleep(chance.uniform(0.0, 0.3))
    await asyncio.to_thread(world.store.start)


async def cut_power(world: World, chance: random.Random) -> None:
    """Kill the store, forget what was not synced to its disk, and start it again."""
    world.store.cut_power()
    await asyncio.to_thread(world.store.start)


async def pause_store(world: World, chance: random.Random) -> None:
    """Stop the store for a while."""
    world.store.pause()
    await asyncio.sleep(chance.uniform(0.3, 2.5))
    world.store.resume()


async def fill_store(world: World, chance: random.Random) -> None:
    """Let the store have no memory left for a while."""
    await _while_set(world, chance, "maxmemory", "1mb", "0")


async def miss_replicas(world: World, chance: random.Random) -> None:
    """Let the store refuse writes for want of replicas for a while."""
    await _while_set(world, chance, "min-replicas-to-write", "3", "0")


async def _while_set(world: World, chance: random.Random, name: str, value: str, normal: str) -> None:
    await _admin(world.store.admin.config_set, name, value)
    await asyncio.sleep(chance.uniform(0.2, 1.0))
    await _admin(world.store.admin.config_set, name, normal)


async def make_read_only(world: World, chance: random.Random) -> None:
    """Let the store be a replica of nobody for a while: it refuses writes and keeps its data."""
    await _admin(world.store.admin.replicaof, "127.0.0.1", "1")
    await asyncio.sleep(chance.uniform(0.2, 1.0))
    await _admin(world.store.admin.replicaof, "NO", "ONE")


async def flush_functions(world: World, chance: random.Random) -> None:
    """Delete the functions of the service from the store."""
    await _admin(world.store.admin.execute_command, "FUNCTION", "FLUSH", "SYNC")


async def kill_clients(world: World, chance: random.Random) -> None:
    """Let the store close the connections of all nodes."""
    for kind in ("normal", "pubsub"):
        await _admin(world.store.admin.execute_command, "CLIENT", "KILL", "TYPE", kind, "SKIPME", "yes")


async def pause_clients(world: World, chance: random.Random) -> None:
    """Let the store answer nobody, or no writes, for a while."""
    ms = chance.randint(200, 1500)
    await _admin(world.store.admin.execute_command, "CLIENT", "PAUSE", ms, chance.choice(("ALL", "WRITE")))
    await asyncio.sleep(ms / 1000)


async def _admin(call: Callable[..., Any], *args: Any) -> Any:
    """Call the store from a thread."""
    return await asyncio.to_thread(call, *args)


# The connection to the store.


async def stall_connections(world: World, chance: random.Random) -> None:
    """Let all connections to the store stay open and pass nothing on."""
    assert world.proxy
    world.proxy.stall()
    await asyncio.sleep(chance.uniform(1.0, 4.0))
    world.proxy.flow()


async def abandon_connections(world: World, chance: random.Random) -> None:
    """Let all present connections to the store be silent for ever; new ones work."""
    assert world.proxy
    world.proxy.abandon()


async def cut_connections(world: World, chance: random.Random) -> None:
    """Reset all connections to the store."""
    assert world.proxy
    world.proxy.cut()


async def delay_connections(world: World, chance: random.Random) -> None:
    """Delay everything between the service and the store for a while."""
    assert world.proxy
    world.proxy.delay_s = chance.uniform(0.02, 0.2)
    await asyncio.sleep(1.0)
    world.proxy.delay_s = 0.0


# Failover: the replica takes over, and the proxy leads to it.


async def fail_over_in_step(world: World, chance: random.Random) -> None:
    """Promote the replica when it has all entries: nothing is written meanwhile."""
    assert world.replica
    await _admin(world.store.admin.execute_command, "CLIENT", "PAUSE", 5000, "WRITE")
    await _admin(_await_replica, world)
    await _promote(world)


async def fail_over_behind(world: World, chance: random.Random) -> None:
    """Kill the store while its replica is behind, and promote the replica."""
    assert world.link
    world.link.stall()
    await asyncio.sleep(chance.uniform(LAG_S / 2, LAG_S * 2))
    await _promote(world)


async def demote_and_promote(world: World, chance: random.Random) -> None:
    """Make the store a replica of its replica, which is behind, and then the primary again; connections stay open."""
    assert world.link
    assert world.replica
    world.link.stall()
    await asyncio.sleep(chance.uniform(LAG_S / 2, LAG_S * 2))
    replica = world.replica
    await _admin(replica.admin.replicaof, "NO", "ONE")
    world.link.flow()
    world.link.cut()
    await _admin(world.store.admin.replicaof, "127.0.0.1", replica.port)
    await world.until(lambda: _follows(world.store.admin), RESTART_S)
    await _admin(world.store.admin.replicaof, "NO", "ONE")
    await world.attach_replica()


async def _promote(world: World) -> None:
    """Kill the store, let its replica take over, and start the old store again as the replica."""
    assert world.replica
    assert world.link
    assert world.proxy
    world.store.kill()
    world.link.cut()
    world.link.flow()
    await _admin(world.replica.admin.replicaof, "NO", "ONE")
    world.swap()
    world.proxy.switch(world.store.port)
    await asyncio.to_thread(world.replica.start)
    await world.attach_replica()


def _await_replica(world: World) -> None:
    """Wait until the replica has everything that was written."""
    assert world.replica
    end = time.monotonic() + RESTART_S
    while time.monotonic() < end:
        theirs = world.replica.admin.info("replication")["slave_repl_offset"]
        if theirs >= world.store.admin.info("replication")["master_repl_offset"]:
            return
        time.sleep(0.005)
    raise RuntimeError("the replica did not catch up")


def _follows(admin: redis.Redis) -> bool:
    try:
        return bool(admin.info("replication").get("master_link_status") == "up")
    except redis.RedisError:
        return False
