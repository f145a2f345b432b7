"""The heartbeats of the nodes. A time without one is a fault of ours, which counts on no player's clock (P5)."""

from __future__ import annotations

from typing import NamedTuple

from server.store import keys
from server.store.store import Store

FAULT_MS = 750  # so long without a heartbeat is a fault; a node sends one every half second
MAX_FAULTS = 400  # that are kept; as in heartbeats.lua
GONE_MS = 30_000  # a node without a heartbeat for so long is gone: its clients have found another node

Outage = tuple[int, int]  # begin and end in ms since 1970


class NodeFault(NamedTuple):
    """A time in which one node could not serve its players: it hung, it was dead, or the store did not answer it."""

    begin: int
    end: int
    node: str

    @property
    def is_long(self) -> bool:
        """Whether a heartbeat was missing: the node was silent, and its players may have gone to others."""
        return self.end - self.begin > FAULT_MS


class KnownHeartbeats(NamedTuple):
    """What the store knows: the outages of the service, the faults of nodes, and their last heartbeats."""

    outages: tuple[Outage, ...] = ()
    faults: tuple[NodeFault, ...] = ()
    beats: dict[str, int] = {}  # noqa: RUF012  # never changed
    store_ms: int = 0  # the time of the store


class Heartbeats:
    """Records the heartbeats of this node."""

    def __init__(self, store: Store, node: str) -> None:
        self._store = store
        self._node = node
        self._unreported: list[str] = []  # faults of this node, for the next heartbeat

    async def beat(self, now: int) -> KnownHeartbeats:
        """Record that this node is alive, and return what is known of all nodes.

        Faults of this node that its heartbeats may not show are reported first. A rollback of the store is noticed soon
        after each heartbeat, also while nobody moves.
        """
        places = (keys.LAST_HEARTBEAT, keys.OUTAGES, keys.NODE_HEARTBEATS, keys.NODE_FAULTS)
        if self._unreported:
            self._store.send_until_done("reporting faults", "RPUSH", keys.NODE_FAULTS, *self._unreported)
            self._store.send_logged("bounding the faults", "LTRIM", keys.NODE_FAULTS, -MAX_FAULTS, -1)
            self._unreported = []
        command = ("FCALL", "record_node_heartbeat", len(places), *places, now, FAULT_MS, self._node, GONE_MS)
        outages, faults, beats, store_ms = await self._store.call(*command)
        self._store.check_counters()
        return KnownHeartbeats(
            tuple((int(begin), int(end)) for begin, end in (outage.split() for outage in outages)),
            tuple(_fault(fault.decode()) for fault in faults),
            {node.decode(): int(at) for node, at in zip(beats[::2], beats[1::2], strict=True)},
            int(store_ms),
        )

    def report(self, fault: NodeFault) -> None:
        """Tell all nodes of a fault of this node, with the next heartbeat: where writing is slow, that adds little."""
        self._unreported.append(f"{fault.begin} {fault.end} {fault.node}")

    async def end(self) -> None:
        """The node stops on purpose, after it has sent its clients to other nodes: that is no fault."""
        await self._store.request("HDEL", keys.NODE_HEARTBEATS, self._node)


def _fault(text: str) -> NodeFault:
    begin, end, node = text.split(" ", 2)
    return NodeFault(int(begin), int(end), node)
