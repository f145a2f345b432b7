"""The adviser: answers what the house's master would do, one question at a time. It runs beside the analyst.

The search runs in a process of bots/, which starts with the first question and is killed when an answer takes too long.
"""

from __future__ import annotations

import asyncio
import logging
import sys

from server.process.jobs import do_jobs, kill_worker, start_worker
from server.tables.rooms.advice import WAIT_S, AdviceQueue, Job
from server.tables.rooms.service_clock import wall_clock_ms

log = logging.getLogger("cheeseboard.adviser")

POLL_S = 0.2  # how often the queue is looked at
MAX_LINE = 1 << 20  # bytes of an answer
COMMAND = (sys.executable, "-m", "bots.adviser")


class Adviser:
    """Takes questions from the queue and answers them."""

    def __init__(self, queue: AdviceQueue) -> None:
        self._queue = queue
        self._process: asyncio.subprocess.Process | None = None

    async def run(self) -> None:
        """Answer questions until cancelled."""
        try:
            await do_jobs(self._queue.next_job, self.do, POLL_S)
        finally:
            await self.end()

    async def do(self, job: Job) -> None:
        """Answer one question, unless nobody waits for the answer any more."""
        if job.is_late(wall_clock_ms()):
            return
        move = b""
        try:
            async with asyncio.timeout(WAIT_S):
                move = await self._think(job.question)
        except (TimeoutError, ValueError, OSError) as fault:
            log.warning("a question was given up: %r", fault)
        if not move:
            await self.end()
        await self._queue.answer(job, move)

    async def _think(self, question: bytes) -> bytes:
        """Give the question to the process; the packed move, or nothing if the process has died."""
        process = self._process
        if process is None or process.returncode is not None:
            process = self._process = await start_worker(COMMAND, MAX_LINE)
        assert process.stdin
        assert process.stdout
        process.stdin.write(question.hex().encode() + b"\n")
        await process.stdin.drain()
        return bytes.fromhex((await process.stdout.readline()).decode())

    async def end(self) -> None:
        """Stop the process; the next question starts another one."""
        process, self._process = self._process, None
        if process is not None:
            await kill_worker(process)
