"""What house bots cost, and whether masters delay anybody: people and rookies on a real service.

    python -m bench.house [--tables 500] [--masters 20] [--seconds 60]

Each table has one person with human think times and three rookies, the games in turn. The service runs as `cheeseboard
run` does. It is measured twice, without and with tables of masters beside: how long people wait for the answer to a
move, how long rookies take beyond their pauses (from the metric `cheeseboard_bot_answer_seconds`), and the CPU time.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import uvloop

from bench.load import PLAYED, SEED, ThinkTime, cpu_s, percentile
from bench.peers.run import machine, raise_file_limit
from bench.players import Player, Tally
from tests.service import Service
from tests.stores import free_ports

SEATS = 4
JOINS_AT_ONCE = 10
SETTLE_S = 10.0
WANTED_S = 1.5  # p99 of a rookie's answer beyond its pause, at most
METRIC = "cheeseboard_bot_answer_seconds"


class Person:
    """One person who plays against house bots, table after table."""

    def __init__(self, game: str, level: str, player: Player) -> None:
        self._game, self._level, self.player = game, level, player

    async def sit(self) -> None:
        """Open a table with house bots on the other seats, which starts the game."""
        made = await self.player.request("create", game=self._game, seats=SEATS, bots=self._level)
        assert made.table
        await self.player.play_at(made.table)

    async def play_forever(self) -> None:
        """Open another table whenever one is over."""
        while True:
            await self.player.over.wait()
            await self.sit()


@dataclass
class Found:
    """The figures of one run."""

    acks: list[float]
    answers: dict[str, dict[float, float]]  # of each level: the number of answers within so many seconds
    house_cpu_s: float
    workers_cpu_s: float
    nodes_cpu_s: float
    seconds: float


def answers(port: int) -> dict[str, dict[float, float]]:
    """The cumulative histogram of answers so far, by level."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
        lines = answer.read().decode().splitlines()
    found: dict[str, dict[float, float]] = {}
    for line in lines:
        if line.startswith(f"{METRIC}_bucket{{"):
            labels = dict(part.split("=") for part in line[line.index("{") + 1 : line.index("}")].split(","))
            level, bound = labels["level"].strip('"'), float(labels["le"].strip('"'))
            row = found.setdefault(level, {})
            row[bound] = row.get(bound, 0) + float(line.split()[-1])
    return found


def within(histogram: dict[float, float], percent: float) -> float:
    """The smallest bound of the histogram below which so many per cent of the answers are; nan without answers."""
    total = max(histogram.values(), default=0)
    return next(
        (bound for bound in sorted(histogram) if total and histogram[bound] >= total * percent / 100), float("nan")
    )


def children(process: int) -> list[int]:
    """The ids of the processes that this one has started."""
    return [
        int(one) for task in Path(f"/proc/{process}/task").iterdir() for one in (task / "children").read_text().split()
    ]


async def join_all(people: list[Person], port: int) -> None:
    """Let all people connect and sit down, a few at a time."""
    remaining = iter(people)

    async def join_next() -> None:
        for person in remaining:
            await person.player.join("127.0.0.1", port)
            await person.sit()

    await asyncio.gather(*(join_next() for _ in range(JOINS_AT_ONCE)))


async def measure(service: Service, metrics_port: int, tables: int, masters: int, seconds: float) -> Found:
    """Let people play, and measure for this long after they have settled."""
    tally, think, chance = Tally(), ThinkTime(), random.Random(SEED)
    levels = ["rookie"] * tables + ["master"] * -(-masters // (SEATS - 1))
    people = [
        Person(PLAYED[number % len(PLAYED)], level, Player(think.draw, tally, chance))
        for number, level in enumerate(levels)
    ]
    await join_all(people, int(service.http.rpartition(":")[2]))
    playing = [asyncio.create_task(person.play_forever()) for person in people]
    await asyncio.sleep(min(SETTLE_S, seconds))
    house, nodes = service.children("bots.house"), service.children("server.app")
    workers = [worker for process in house for worker in children(process)]
    before = await asyncio.to_thread(answers, metrics_port)
    groups = (house, workers, nodes)
    cpu = [sum(map(cpu_s, group)) for group in groups]
    tally.ack_s = []
    await asyncio.sleep(seconds)
    used = [sum(map(cpu_s, group)) - then for group, then in zip(groups, cpu, strict=True)]
    after = await asyncio.to_thread(answers, metrics_port)
    for task in playing:
        task.cancel()
    for person in people:
        person.player.close()
    new = {
        level: {bound: count - before.get(level, {}).get(bound, 0) for bound, count in row.items()}
        for level, row in after.items()
    }
    return Found(list(tally.ack_s), new, used[0], used[1], used[2], seconds)


def run(tables: int, masters: int, seconds: float) -> Found:
    """Measure a fresh service."""
    (metrics_port,) = free_ports(1)
    with tempfile.TemporaryDirectory() as folder:
        service = Service(
            Path(folder) / "data", BOT_PAUSE_MS=900, BOT_THINK_MS=400, METRICS_PORT=metrics_port, ANALYST=0
        )
        try:
            return uvloop.run(measure(service, metrics_port, tables, masters, seconds))
        finally:
            service.stop()


def report(name: str, found: Found) -> list[str]:
    """The figures of a run in words, a line each."""
    rookies = found.answers.get("rookie", {})
    decisions = max(rookies.values(), default=0)
    lines = [
        f"{name}:",
        f"  people: {len(found.acks)} moves, answered within {1000 * percentile(found.acks, 50):.1f} ms (p50) and"
        f" {1000 * percentile(found.acks, 99):.1f} ms (p99)",
        f"  rookies: {decisions:.0f} moves, 99 % within {within(rookies, 99):g} s beyond the pause, wanted at most"
        f" {WANTED_S} s",
    ]
    if "master" in found.answers:
        own = found.answers["master"]
        lines.append(f"  masters: {max(own.values()):.0f} moves, 99 % within {within(own, 99):g} s beyond the pause")
    every = sum(max(row.values(), default=0) for row in found.answers.values())
    lines.append(
        f"  CPU: house process {100 * found.house_cpu_s / found.seconds:.1f} % of a core"
        f" ({1000 * found.house_cpu_s / max(1, every):.2f} ms a bot's move), searches"
        f" {100 * found.workers_cpu_s / found.seconds:.1f} %, nodes {100 * found.nodes_cpu_s / found.seconds:.1f} %"
        f" ({1000 * found.nodes_cpu_s / max(1, every + len(found.acks)):.2f} ms a move)"
    )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--masters", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60)
    chosen = parser.parse_args()
    raise_file_limit()
    print(f"{chosen.tables} tables of a person and three rookies, {chosen.seconds:g} s; {machine()}")
    for name, masters in (("without masters", 0), (f"with {chosen.masters} masters", chosen.masters)):
        print("\n".join(report(name, run(chosen.tables, masters, chosen.seconds))), flush=True)


if __name__ == "__main__":
    main()
