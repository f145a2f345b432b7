"""The analyst: a process that analyses finished games, one at a time (`python -m server.process.analyst`).

The adviser (adviser.py) and the maker of the files of days run in it too.

Each job runs in a process of bots/ on idle cores (SCHED_IDLE), which is killed when it takes too long. So a game that
breaks it does no harm, and live games have the CPU first.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
import zlib
from typing import Any

from server.process import logging_setup
from server.process.adviser import Adviser
from server.process.jobs import do_jobs, kill_worker, start_worker
from server.process.settings import Settings
from server.store.open_store import open_store
from server.tables.finished.analyses import Analyses, Analysis, Job, raw
from server.tables.finished.day_files import DayFiles
from server.tables.rooms.advice import AdviceQueue
from server.tables.rooms.service_clock import wall_clock_ms

log = logging.getLogger("cheeseboard.analyst")

DAY_FILES_S = 3600.0  # how often the files of days are looked for
POLL_S = 0.5  # how often the queue is looked at
MAX_JOB_S = 600.0  # a job has little CPU while games are played; one that takes longer is given up
HEARTBEAT_S = 10.0  # how often a job that says nothing is reported to be under way
MAX_LINE = 4 << 20  # bytes of a result
COMMAND = (sys.executable, "-m", "bots.analyst")


class Analyst:
    """Takes jobs from the queue and does them."""

    def __init__(self, analyses: Analyses) -> None:
        self._analyses = analyses

    async def run(self) -> None:
        """Do jobs until cancelled."""
        await do_jobs(self._analyses.next_job, self.do, POLL_S)

    async def do(self, job: Job) -> None:
        """Do one job, and write down its progress and its result."""
        await self._report(job, "running")
        process = await start_worker(COMMAND, MAX_LINE)
        try:
            async with asyncio.timeout(MAX_JOB_S):
                done = await self._follow(job, process)
        except (TimeoutError, ValueError, OSError) as fault:
            log.warning("an analysis was given up: %r", fault, extra={"table": job.table})
            done = False
        finally:
            await kill_worker(process)
        if not done:
            await self._report(job, "failed", fault="this game could not be analysed")

    async def _follow(self, job: Job, process: asyncio.subprocess.Process) -> bool:
        """Give the job to the process, and write down what it says. Returns whether it has come to an end."""
        assert process.stdin
        assert process.stdout
        asked = {"kind": job.kind, "n": job.n, "replay": zlib.decompress(job.replay).decode()}
        process.stdin.write(json.dumps(asked).encode() + b"\n")
        await process.stdin.drain()
        progress = 0.0
        while True:
            try:
                line = await asyncio.wait_for(process.stdout.readline(), HEARTBEAT_S)
            except TimeoutError:  # on a busy machine the process may have nothing to say for long
                await self._report(job, "running", progress=progress)
                continue
            if not line:
                return False
            said = json.loads(line)
            if "result" in said:
                await self._report(job, "done", progress=1.0, result=raw(said["result"]))
                return True
            if "fault" in said:
                await self._report(job, "failed", fault=said["fault"])
                return True
            progress = said["progress"]
            await self._report(job, "running", progress=progress)

    async def _report(self, job: Job, state: Any, **more: Any) -> None:
        await self._analyses.report(job, Analysis(state, wall_clock_ms(), **more))


async def make_day_files(files: DayFiles) -> None:
    """Make the files of days that are over, now and once an hour."""
    while True:
        try:
            await files.make_missing(wall_clock_ms())
        except Exception:  # one game that cannot be read must not end the analyses
            log.exception("making the file of a day failed, will be retried")
        await asyncio.sleep(DAY_FILES_S)


async def main() -> None:
    """Work until SIGTERM."""
    store = open_store(os.environ["REDIS_URL"])
    await store.start()
    parts = Analyst(Analyses(store)).run(), Adviser(AdviceQueue(store)).run(), make_day_files(DayFiles(store))
    working = asyncio.ensure_future(asyncio.gather(*parts))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, working.cancel)
    try:
        await working
    except asyncio.CancelledError:
        return
    finally:
        await store.close()


if __name__ == "__main__":
    logging_setup.set_up("analyst", Settings.from_environment().log_level)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole process group; the supervisor sends SIGTERM
    asyncio.run(main())
