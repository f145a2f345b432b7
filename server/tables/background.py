"""Tasks that nobody awaits: kept alive until they end, and logged if they fail."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from server.store.answers import StoreLost

log = logging.getLogger("cheeseboard.background")


class BackgroundTasks:
    """A set of running tasks."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def __bool__(self) -> bool:
        return bool(self._tasks)

    def spawn(self, what: str, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine beside everything else; `what` names it in the log if it fails."""
        task = asyncio.get_running_loop().create_task(_logged(what, work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: work.close())  # a task that is cancelled before it has begun never runs `work`

    async def cancel(self) -> None:
        """Cancel all of them and wait until they have ended."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def _logged(what: str, work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except StoreLost as lost:
        log.warning("%s failed: %s", what, lost)
    except Exception:
        log.exception("%s failed", what)
