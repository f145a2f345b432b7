"""Collections of garbage stop the event loop, so none of them may have much to do."""

from __future__ import annotations

import gc
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from server.process.uvicorn_server import GC_THRESHOLDS
from server.web.handshake import Handshake
from tests.client import Client, eventually
from tests.server.conftest import Start, free_limits

MOST = 10_000  # objects freed by one collection: refused handshakes left 50,000, which took 100 ms


def test_garbage_of_many_connections_is_collected_in_small_parts() -> None:
    freed: list[int] = []

    def count(phase: str, info: dict[str, Any]) -> None:
        if phase == "stop":
            freed.append(info["collected"])

    before = gc.get_threshold()
    gc.collect()
    gc.set_threshold(*GC_THRESHOLDS)
    gc.callbacks.append(count)
    try:
        for _ in range(100_000):
            cycle: list[Any] = []
            cycle.append(cycle)
    finally:
        gc.callbacks.remove(count)
        gc.set_threshold(*before)
    assert sum(freed) > 50_000
    assert max(freed) <= MOST


def handshakes() -> int:
    return sum(isinstance(one, Handshake) for one in gc.get_objects())


async def test_a_handshake_leaves_nothing_to_collect_whether_it_was_accepted_or_refused(start: Start) -> None:
    node = await start(limits=free_limits(address_connections=1))
    await eventually(lambda: handshakes() == 0)
    gc.disable()
    try:
        accepted = await Client.connect(node.url, source="127.0.9.9")
        with pytest.raises(InvalidStatus, match="429"):
            await Client.connect(node.url, source="127.0.9.9")
        await accepted.close()
        await eventually(lambda: handshakes() == 0)
    finally:
        gc.enable()
