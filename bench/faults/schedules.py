"""The schedules: which fault, on which store, what is promised, and how long each is repeated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bench.faults import faults, machines, topologies
from bench.faults.faults import Fault
from bench.faults.slow_disk import has_compiler
from bench.faults.world import World


@dataclass(frozen=True)
class Schedule:
    """One row of the table of results. `weight` is its share of the time.

    `promised` is whether the durability in use promises that nothing acknowledged is lost by this fault. Each
    repetition kills `kills` processes of the kind `killed`. `world` are arguments of `kind`.
    """

    name: str
    fault: Fault
    weight: float = 1.0
    promised: bool = True
    kills: int = 0
    killed: str = ""  # node or store
    world: dict[str, Any] = field(default_factory=dict)
    kind: type[World] = World
    missing: Callable[[], str] = lambda: ""  # why it cannot run here

    @property
    def text(self) -> str:
        """What the fault is, in one sentence."""
        return (self.fault.__doc__ or "").strip().partition("\n")[0]


def _no_compiler() -> str:
    return "" if has_compiler() else "there is no C compiler for the slow disk"


PROXIED = {"proxied": True}
REPLICATED = {"replicated": True}
ALWAYS = {"appendfsync": "always"}
DISK = {"DURABILITY": "disk", **ALWAYS}
REPLICA = {"DURABILITY": "replica"}

SCHEDULES = (
    Schedule("node kill", faults.kill_node, weight=7, kills=1, killed="node"),
    Schedule("kill of all nodes", faults.kill_all_nodes, weight=8, kills=2, killed="node"),
    Schedule(
        "loss of a machine behind nginx",
        machines.lose_machine,
        kind=machines.Machines,
        kills=2,
        killed="node",
        missing=machines.missing,
    ),
    Schedule("rolling restart", faults.restart_nodes, weight=2),
    Schedule("node stopped for up to 1.2 s", faults.pause_node),
    Schedule("node hung", faults.hang_node, weight=2),
    Schedule("store kill, everysec", faults.kill_store, kills=1, killed="store", weight=2, promised=False),
    Schedule("store kill, always", faults.kill_store, kills=1, killed="store", weight=1, world=ALWAYS),
    Schedule(
        "slow disk and store kill, everysec",
        faults.kill_store,
        kills=1,
        killed="store",
        promised=False,
        world={"disk_ms": 1500},
        missing=_no_compiler,
    ),
    Schedule(
        "power cut, everysec",
        faults.cut_power,
        kills=1,
        killed="store",
        promised=False,
        world={"disk_ms": 5},
        missing=_no_compiler,
    ),
    Schedule("store stopped for up to 2.5 s", faults.pause_store),
    Schedule("store connections stalled for up to 4 s", faults.stall_connections, world=PROXIED),
    Schedule("store connections silent for ever", faults.abandon_connections, world=PROXIED),
    Schedule("store connections reset", faults.cut_connections, world=PROXIED),
    Schedule("store connections delayed", faults.delay_connections, world=PROXIED),
    Schedule("store out of memory", faults.fill_store),
    Schedule("store read-only", faults.make_read_only),
    Schedule("store without enough replicas", faults.miss_replicas),
    Schedule("FUNCTION FLUSH", faults.flush_functions),
    Schedule("CLIENT KILL", faults.kill_clients),
    Schedule("CLIENT PAUSE", faults.pause_clients),
    Schedule("failover, replica in step", faults.fail_over_in_step, kills=1, killed="store", world=REPLICATED),
    Schedule(
        "failover, replica behind", faults.fail_over_behind, kills=1, killed="store", promised=False, world=REPLICATED
    ),
    Schedule("demoted and promoted again, replica behind", faults.demote_and_promote, promised=False, world=REPLICATED),
    Schedule(
        "failover by sentinels",
        topologies.fail_over_by_sentinel,
        weight=2,
        promised=False,
        kind=topologies.SentinelWorld,
        kills=1,
        killed="store",
    ),
    Schedule("cluster: slots migrate", topologies.migrate_slots, kind=topologies.ClusterWorld),
    Schedule(
        "cluster: death of a primary",
        topologies.lose_primary,
        weight=2,
        promised=False,
        kind=topologies.ClusterWorld,
        kills=1,
        killed="store",
    ),
    Schedule(
        "durability disk: slow disk and store kill",
        faults.kill_store,
        kills=1,
        killed="store",
        world={"disk_ms": 20, **DISK},
        missing=_no_compiler,
    ),
    Schedule(
        "durability disk: power cut",
        faults.cut_power,
        kills=1,
        killed="store",
        world={"disk_ms": 5, **DISK},
        missing=_no_compiler,
    ),
    Schedule(
        "durability replica: failover, replica behind",
        faults.fail_over_behind,
        kills=1,
        killed="store",
        world={**REPLICATED, **REPLICA},
    ),
    Schedule(
        "durability replica: demoted and promoted again", faults.demote_and_promote, world={**REPLICATED, **REPLICA}
    ),
    Schedule(
        "durability replica: failover by sentinels",
        topologies.fail_over_by_sentinel,
        weight=2,
        kills=1,
        killed="store",
        kind=topologies.SentinelWorld,
        world=REPLICA,
    ),
    Schedule(
        "durability replica: death of a cluster's primary",
        topologies.lose_primary,
        weight=2,
        kills=1,
        killed="store",
        kind=topologies.ClusterWorld,
        world=REPLICA,
    ),
)


def choose(words: str) -> list[Schedule]:
    """The schedules whose names contain one of these words, which are separated by commas; all for an empty text."""
    wanted = [word.strip().lower() for word in words.split(",") if word.strip()]
    return [one for one in SCHEDULES if not wanted or any(word in one.name.lower() for word in wanted)]
