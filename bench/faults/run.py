"""Runs one schedule: causes its fault again and again, lets all tables finish, and checks their histories."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from bench.faults.checker import Finding, check_table
from bench.faults.history import TableHistory
from bench.faults.party import Party
from bench.faults.schedules import Schedule
from bench.faults.world import World
from server.process.child import waited_for_cpu_s
from server.tables.state.entries import Moved, decode_entry

RECOVERY_S = 30.0  # for all tables to go on after a fault
FINISH_S = 90.0  # for all tables to end after the last fault
WARM_UP_S = 0.5
WATCH_S = 0.02
LATE_S = 0.25

log = logging.getLogger("faults")


class OwnDelay:
    """How late the event loop of this process runs: the clients are in it, and count its delays as pauses."""

    def __init__(self) -> None:
        self.worst_s = 0.0  # since it was last taken
        self._task = asyncio.get_running_loop().create_task(self._watch())

    async def _watch(self) -> None:
        while True:
            due, cpu, waited = time.monotonic() + WATCH_S, time.process_time(), waited_for_cpu_s(os.getpid())
            await asyncio.sleep(WATCH_S)
            late_s = time.monotonic() - due
            if late_s > LATE_S:
                used_s, waited_s = time.process_time() - cpu, waited_for_cpu_s(os.getpid()) - waited
                log.debug("-- late by %.2f s, %.2f s of it at work, %.2f s waiting for a CPU", late_s, used_s, waited_s)
            self.worst_s = max(self.worst_s, late_s)

    def take(self) -> float:
        """The worst delay since the last call."""
        worst_s, self.worst_s = self.worst_s, 0.0
        return worst_s

    def stop(self) -> None:
        """Watch no longer."""
        self._task.cancel()


@dataclass
class Outcome:
    """What came of one schedule."""

    schedule: Schedule
    seed: str
    repetitions: int = 0
    acknowledged: int = 0
    entries: int = 0
    by_clock: int = 0
    tables: int = 0
    seconds: float = 0.0
    pauses_s: list[float] = field(default_factory=list)
    late_s: list[float] = field(default_factory=list)  # how late this process itself was, in each repetition
    unrecovered: int = 0
    findings: list[Finding] = field(default_factory=list)
    histories: list[TableHistory] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # about parties that did not go on
    error: str = ""

    def count(self, column: str) -> int:
        """How many findings a column of the table has."""
        return sum(finding.column == column for finding in self.findings)


async def run_schedule(
    schedule: Schedule, seed: str, seconds: float, repetitions: int | None = None, logs: Path | None = None
) -> Outcome:
    """Repeat a fault for this long, or this often, and check what came of it.

    All logs of the run stay in the folder `logs`, in one named after the schedule.
    """
    outcome = Outcome(schedule, seed)
    began = time.monotonic()
    with _folder(schedule, logs) as folder:
        settings = {"LOG_LEVEL": "info", **schedule.world} if logs else schedule.world
        world = schedule.kind(folder, seed, **settings)
        try:
            await world.start()
            await asyncio.sleep(WARM_UP_S)
            await _repeat(world, schedule, outcome, seconds, repetitions)
            await world.finish(FINISH_S)
            outcome.histories = world.histories()
        except (OSError, RuntimeError, TimeoutError) as fault:
            outcome.error = f"{type(fault).__name__}: {fault}"
        finally:
            await world.stop()
            outcome.seconds = time.monotonic() - began
    _check(outcome)
    return outcome


@contextlib.contextmanager
def _folder(schedule: Schedule, logs: Path | None) -> Iterator[Path]:
    """The folder of a run. In one that is kept, what the clients do is written to `clients.log`."""
    if logs is None:
        with tempfile.TemporaryDirectory(prefix="faults-") as name:
            yield Path(name)
        return
    folder = logs.resolve() / "".join(letter if letter.isalnum() else "-" for letter in schedule.name)
    folder.mkdir(parents=True)
    handler = logging.FileHandler(folder / "clients.log")
    handler.setFormatter(logging.Formatter("%(asctime)s.%(msecs)03d %(message)s", "%Y-%m-%dT%H:%M:%S"))
    log.addHandler(handler)
    log.setLevel(logging.DEBUG)
    try:
        yield folder
    finally:
        log.removeHandler(handler)
        handler.close()


async def _repeat(world: World, schedule: Schedule, outcome: Outcome, seconds: float, repetitions: int | None) -> None:
    chance = random.Random(f"{outcome.seed}-{schedule.name}")
    gc.disable()  # collecting among all that the clients remember takes seconds, which would count as pauses
    end, delay = time.monotonic() + seconds, OwnDelay()
    while outcome.repetitions < repetitions if repetitions else time.monotonic() < end or not outcome.repetitions:
        await asyncio.to_thread(world.read_logs)
        await asyncio.sleep(chance.uniform(0.0, 0.3))
        log.debug("-- fault %d begins", outcome.repetitions + 1)
        delay.take()
        began = time.monotonic()
        await schedule.fault(world, chance)
        over = time.monotonic()
        log.debug("-- fault %d is over", outcome.repetitions + 1)
        outcome.repetitions += 1

        def recovered(over: float = over) -> bool:
            return all(party.done_at and party.done_at[-1] > over for party in world.parties) and world.nodes_are_up()

        if not await world.until(recovered, RECOVERY_S):
            outcome.unrecovered += 1
            outcome.notes += [str(party) for party in world.parties if not party.done_at or party.done_at[-1] <= over]
        pauses_s = {party.game: round(_pause_s(party, began, over), 3) for party in world.parties}
        log.debug("-- pauses after fault %d: %s", outcome.repetitions, pauses_s)
        outcome.pauses_s.append(max(pauses_s.values()))
        outcome.late_s.append(delay.take())
    delay.stop()
    gc.enable()


def _pause_s(party: Party, began: float, over: float) -> float:
    """The longest time without an answer for a party, from before a fault until the first answer after it."""
    first = next((index for index, at in enumerate(party.done_at) if at > began), None)
    if first is None:
        return time.monotonic() - began
    times = party.done_at[max(0, first - 1) :]
    until = next((index for index, at in enumerate(times) if at > over), len(times) - 1)
    times = times[: until + 1]
    return max((after - before for before, after in pairwise(times)), default=0.0)


def _check(outcome: Outcome) -> None:
    outcome.tables = len(outcome.histories)
    for history in outcome.histories:
        outcome.findings += check_table(history, outcome.schedule.promised)
        outcome.acknowledged += len({(ack.user, ack.key) for ack in history.acknowledged})
        outcome.entries += len(history.log)
        outcome.by_clock += _moves_by_clock(history)


def _moves_by_clock(history: TableHistory) -> int:
    by = Counter(entry.by for _, stored in history.log if isinstance(entry := decode_entry(stored), Moved))
    return by["clock"]
