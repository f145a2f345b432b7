"""What an analysis of a finished game costs live games: `make bench-analysis`.

Tables of real games are played at a human pace on two nodes while the analyst works. First a game is analysed without
interruption, which shows how long that takes. Then the process that analyses further games is stopped and continued in
turns of some seconds, so that figures with and without it come from the same minutes. Every second turn without it is
also counted by itself: how much these two halves differ is how much the figures vary by chance. Not compiled.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import uvloop

from bench.load import PLAYED, SEATS, SEED, ThinkTime, cpu_s, join_all, percentile
from bench.peers.run import Serving, machine, raise_file_limit, serving
from bench.players import Party, Player, Tally
from bots.arena import Contest, play_game
from bots.entrants import make_entrant
from server.store.open_store import open_store
from server.tables.finished.analyses import Analyses, Analysis
from server.tables.rooms.service_clock import wall_clock_ms

ROOT = Path(__file__).resolve().parents[1]
GAME, DECISIONS = "chesterfield", 200  # a game of that kind with at least so many decisions
TURN_S = 4.0  # how long the analysis is stopped, and then works
TURNS = 16  # of each kind
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


class Turn(NamedTuple):
    """What was measured during a turn, or during several."""

    answers_s: list[float]
    decisions: int
    cpu_s: float

    def figures(self) -> tuple[float, float, float]:
        """The median and the 99th percentile of answers in ms, and the CPU time of the nodes per decision in ms."""
        median, p99 = statistics.median(self.answers_s), percentile(self.answers_s, 99)
        return 1000 * median, 1000 * p99, 1000 * self.cpu_s / self.decisions


def joined(turns: Iterable[Turn]) -> Turn:
    """Several turns as one."""
    answers, decisions, cpu = zip(*turns, strict=True)
    return Turn(list(itertools.chain(*answers)), sum(decisions), sum(cpu))


def changes(before: Turn, after: Turn) -> list[str]:
    """By how much each figure changed, in per cent."""
    pairs = zip(before.figures(), after.figures(), strict=True)
    return [f"{100 * (new / old - 1):+.0f} %" for old, new in pairs]


async def in_turns(served: Serving, tally: Tally, pid: int, analyses: Analyses, text: str) -> list[tuple[bool, Turn]]:
    """Stop and continue analyses in turns; what was measured in each turn, and whether one was running."""
    turns: list[tuple[bool, Turn]] = []
    asked = 0
    while len(turns) < 2 * TURNS:
        if not working(pid):  # the first one, or the next one because the last one was done during its turn
            asked += 1
            await analyses.ask(f"turns{asked}", "whole", 0, text, wall_clock_ms())
            while not working(pid):  # noqa: ASYNC110  # the analyst is another process
                await asyncio.sleep(0.1)
        runs = len(turns) % 2 == 1
        for child in working(pid):
            os.kill(child, signal.SIGCONT if runs else signal.SIGSTOP)
        await asyncio.sleep(0.2)
        tally.ack_s, decisions, cpu = [], tally.decisions, sum(map(cpu_s, served.nodes))
        await asyncio.sleep(TURN_S)
        if working(pid):
            spent = sum(map(cpu_s, served.nodes)) - cpu
            turns.append((runs, Turn(tally.ack_s, tally.decisions - decisions, spent)))
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
    while (state := await _state(analyses, "alone")).state != "done":
        took_s = time.monotonic() - began
        if took_s > LIMIT_S or state.state == "failed":
            sys.exit(f"The analysis is {state.state} after {took_s:.0f} s: is the machine idle but for this?")
        await asyncio.sleep(0.2)
    print(f"A game of {moves} decisions was analysed in {time.monotonic() - began:.0f} s.\n")
    turns = await in_turns(served, tally, pid, analyses, text)
    without = [turn for runs, turn in turns if not runs]
    alone, beside = joined(without), joined(turn for runs, turn in turns if runs)
    print("| | answer: median ms | p99 ms | CPU ms per decision, nodes |")
    print("|---|---|---|---|")
    for name, turn in (("no analysis", alone), ("analysis runs", beside)):
        print("| {} | {:.2f} | {:.2f} | {:.3f} |".format(name, *turn.figures()))
    print(f"| change | {' | '.join(changes(alone, beside))} |")
    by_chance = changes(joined(without[::2]), joined(without[1::2]))
    print(f"| change between two halves of the turns without analysis | {' | '.join(by_chance)} |")
    print(f"\n{alone.decisions} decisions without the analysis, {beside.decisions} with it.")
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
