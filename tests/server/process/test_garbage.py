"""Collections of garbage stop the event loop, so none of them may have much to do."""

from __future__ import annotations

import gc
from typing import Any

from server.process.uvicorn_server import GC_THRESHOLDS

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
