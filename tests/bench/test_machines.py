"""Several machines over one store, behind a balancer that hashes `?table=`."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.faults.checker import check_table
from bench.faults.machines import Machines, missing

SEED = "machines"


def node_name(pid: int) -> bytes:
    """The name that the supervisor gave to a node."""
    words = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return next(word for word in words if word.startswith(b"CHEESEBOARD_NODE="))


@pytest.mark.slow
@pytest.mark.skipif(bool(missing()), reason=missing())
async def test_two_machines_over_one_store_play_behind_a_balancer_that_hashes_the_table(tmp_path: Path) -> None:
    world = Machines(tmp_path, SEED)
    try:
        await world.start()
        assert len({node_name(pid) for pid in world.nodes()}) == 4, "nodes that share a store differ in their names"
        for party in world.parties:
            party.set_think(1.0)  # so that no table ends meanwhile
            for client in party.clients:
                client.is_routed = True
                client.drop()  # it comes back with the table in its address
        tables = [party.histories[-1].table for party in world.parties]
        assert await world.until(lambda: all(len(world.nodes_at(table)) == 1 for table in tables), 15)
        await world.finish(60)
        assert [str(finding) for history in world.histories() for finding in check_table(history)] == []
    finally:
        await world.stop()
