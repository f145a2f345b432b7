"""Jobs from a queue in the store, done one at a time by processes of bots/: what analyst and adviser have in common."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable
from typing import TypeVar

from server.process.child import ROOT, end_with_parent
from server.store.answers import StoreLost

log = logging.getLogger("cheeseboard.analyst")

Job = TypeVar("Job")


async def do_jobs(
    next_job: Callable[[], Awaitable[Job | None]], do: Callable[[Job], Awaitable[None]], poll_s: float
) -> None:
    """Do the jobs of a queue until cancelled. After `poll_s` an empty queue, or a store that is away, is read again."""
    while True:
        try:
            job = await next_job()
            if job is not None:
                await do(job)
                continue
        except StoreLost as fault:
            log.warning("the store is away, will be retried: %s", fault)
        await asyncio.sleep(poll_s)


async def start_worker(command: tuple[str, ...], max_line: int) -> Process:
    """Start a process that reads its work from standard input and answers in lines of at most `max_line` bytes."""
    return await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, stdin=PIPE, stdout=PIPE, limit=max_line, preexec_fn=end_with_parent
    )


async def kill_worker(process: Process) -> None:
    """Kill the process, unless it has ended, and wait for its end."""
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    await process.wait()
