"""What an analysis of a finished game costs live games: `make bench-analysis`.

Tables of real games are played at a human pace on two nodes while the analyst works. First a game is analysed without
interruption, which shows how long that takes. Then the process of a second analysis is stopped and continued in turns
of some seconds, so that figures with and without it come from the same minute. Not compiled.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import uvloop

from bench.load import PLAYED, SEATS, SEED, ThinkTime, cpu_s, join_all, percentile
from bench.peers.run import Serving, machine, raise_file_limit, serving
from bench.players import Party, Player, Tally
from bots.arena import Contest, play_game
from bots.entrants import make_entrant
from server.store.open_store import open_store
from server.tables.analyses import Analyses, Analysis
from server.tables.service_clock import wall_clock_ms

ROOT = Path(__file__).resolve().parents[1]
GAME, DECISIONS = "chesterfield", 200  # a game of that kind with at least so many decisions
TURN_S = 4.0  # how long the analysis is stopped, and then works
SPREAD_S, SETTLE_S = 10.0, 5.0
LIMIT_S = 300.0


def recorded(seed: int) -> tuple[str, int]:
    """A replay file of a game of three rookies with enough decisions, and how many it has."""
    while True:
        with tempfile.TemporaryDirectory() as folder:
            contest = Contest(GAME, ("rookie",) * 3, 1, seed, save=folder)
            play_game(contest, 0, 0, [make_entrant(bot, GAME, 10) for bot in contest.bots])
            text = next(Path(folder).iterdir()).read_text(encoding="utf-8")
        moves = text.count('"type":"moved"')
        if moves >= DECISIONS:
            return text, moves
        seed += 1


@contextlib.contextmanager
def analyst(address: str) -> Iterator[int]:
    """Run the analyst as the supervisor does; its process id."""
    environment = {**os.environ, "REDIS_URL": address}
    with subprocess.Popen([sys.executable, "-m", "server.process.analyst"], cwd=ROOT, env=environment) as process:
        try:
            yield process.pid
        finally:
            process.terminate()


def working(analyst_pid: int) -> list[int]:
    """The processes that compute analyses."""
    children = Path(f"/proc/{analyst_pid}/task/{analyst_pid}/children").read_text().split()
    return list(map(int, children))


class Turn:
    """What is measured during the turns with the analysis, or during those without it."""

    def __init__(self) -> None:
        self.answers_s: list[float] = []
        self.decisions = 0
        self.cpu_s = 0.0

    def row(self, name: str) -> list[str]:
        """The figures, formatted."""
        medians = f"{1000 * statistics.median(self.answers_s):.2f}"
        return [
            name,
            medians,
            f"{1000 * percentile(self.answers_s, 99):.2f}",
            f"{1000 * self.cpu_s / self.decisions:.3f}",
        ]


async def in_turns(served: Serving, tally: Tally, pid: int, analyses: Analyses, table: str) -> dict[bool, Turn]:
    """Stop and continue the analysis in turns until it is done."""
    turns = {False: Turn(), True: Turn()}
    runs = True
    while (await _state(analyses, table)).state != "done" or not turns[False].decisions:
        runs = not runs
        for child in working(pid):
            os.kill(child, signal.SIGCONT if runs else signal.SIGSTOP)
        await asyncio.sleep(0.2)
        tally.ack_s, decisions, cpu = [], tally.decisions, sum(map(cpu_s, served.nodes))
        await asyncio.sleep(TURN_S)
        if runs and not working(pid):
            break  # it was done during this turn
        turns[runs].answers_s += tally.ack_s
        turns[runs].decisions += tally.decisions - decisions
        turns[runs].cpu_s += sum(map(cpu_s, served.nodes)) - cpu
    return turns


async def _state(analyses: Analyses, table: str) -> Analysis:
    found = await analyses.find(table, "whole", 0)
    assert found
    return found


async def measure(served: Serving, tables: int, pid: int, address: str) -> None:
    """Play, analyse and print."""
    tally, think, chance = Tally(), ThinkTime(), random.Random(SEED)
    parties = [
        Party(PLAYED[number % len(PLAYED)], [Player(think.draw, tally, chance) for _ in range(SEATS)], tally)
        for number in range(tables)
    ]
    await join_all(parties, served.port)
    playing = [asyncio.create_task(party.play_forever()) for party in parties]
    think.human = False  # so that each table is at another point of its game
    await asyncio.sleep(SPREAD_S)
    think.human = True
    await asyncio.sleep(SETTLE_S)
    store = open_store(address)
    await store.start()
    analyses = Analyses(store)
    text, moves = await asyncio.to_thread(recorded, SEED)
    began = time.monotonic()
    await analyses.ask("alone", "whole", 0, text, wall_clock_ms())
    async with asyncio.timeout(LIMIT_S):
        while (await _state(analyses, "alone")).state != "done":  # noqa: ASYNC110
            await asyncio.sleep(0.2)
    print(f"A game of {moves} decisions was analysed in {time.monotonic() - began:.0f} s.\n")
    await analyses.ask("turns", "whole", 0, text, wall_clock_ms())
    while not working(pid):  # noqa: ASYNC110  # the analyst is another process
        await asyncio.sleep(0.1)
    turns = await in_turns(served, tally, pid, analyses, "turns")
    print("| | answer: median ms | p99 ms | CPU ms per decision, nodes |")
    print("|---|---|---|---|")
    rows = [turns[False].row("no analysis"), turns[True].row("analysis runs")]
    for row in rows:
        print(f"| {' | '.join(row)} |")
    changes = [
        f"{100 * (float(after) / float(before) - 1):+.0f} %"
        for before, after in zip(*(row[1:] for row in rows), strict=True)
    ]
    print(f"| change | {' | '.join(changes)} |")
    print(f"\n{turns[False].decisions} decisions without the analysis, {turns[True].decisions} with it.")
    for task in playing:
        task.cancel()
    await store.close()


def main() -> None:
    """Measure a fresh service."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100)
    chosen = parser.parse_args()
    raise_file_limit()
    print(f"{machine()}; {chosen.tables} tables, two nodes, not compiled\n")
    target = {"cmd": ["ours", "-m", "server.app"], "store": True, "nodes": 2, "plain": True}
    with open(os.devnull, "w") as log, serving(target, log) as served:
        address = f"unix://{served.folder}/store.sock"
        with analyst(address) as pid:
            for process in (*served.nodes, served.store):  # as operators run it: a waking node takes an idle core
                os.sched_setaffinity(process, os.sched_getaffinity(0))
            uvloop.run(measure(served, chosen.tables, pid, address))


if __name__ == "__main__":
    main()
