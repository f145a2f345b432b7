"""Tasks that nobody awaits."""

from __future__ import annotations

import asyncio
import gc

from server.tables.background import BackgroundTasks


async def test_a_task_that_is_cancelled_before_it_begins_leaves_nothing_behind() -> None:
    tasks = BackgroundTasks()
    tasks.spawn("waiting", asyncio.sleep(60))
    await tasks.cancel()
    assert not tasks
    gc.collect()  # a coroutine that was never awaited would warn here, and warnings are errors
