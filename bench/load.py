"""Real games at load: tables of the five games at once, four players each, over websockets to a real service.

`make bench-load` measures, each time on a fresh service, people who think, then players who do not with one node
and with two. `make bench-load ARGS=--quick` tries it with few tables for a few seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import math
import os
import random
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import uvloop
from prometheus_client.mmap_dict import MmapedDict

from bench.crowd import Ask, Party, Player, Tally
from bench.peers.run import CLIENT_CORE, HERE, Figures, Serving, machine, most_files, serving
from games import GAMES

SEATS = 4
SEED = 1
THINK_S, SPREAD = 2.5, 0.6  # people: the median of a decision, and the sigma of its logarithm
HURRY = 0.8  # nobody thinks for more than this part of the time that is left
AT_ONCE = 10  # parties that come in at the same time
MOST_COMING_S = 120


@dataclass(frozen=True)
class Size:
    """How many tables, and the seconds of each stretch: to get them going, to settle, and that are measured."""

    tables: int = 500
    spread_s: float = 20
    settle_s: float = 10
    measured_s: float = 60


QUICK = Size(20, 3, 2, 10)


class Mind:
    """How long players think, for all of them alike: like people, or not at all."""

    def __init__(self) -> None:
        self.slow = True
        self._chance = random.Random(SEED)

    def think(self, ask: Ask) -> float:
        """Seconds for this ask."""
        if not self.slow:
            return 0.0
        longest = HURRY * ask.left_ms / 1000 if ask.left_ms is not None else math.inf
        return min(longest, self._chance.lognormvariate(math.log(THINK_S), SPREAD))


def cpu_s(process: int) -> float:
    """The CPU seconds of a process so far, all its threads."""
    threads = Path(f"/proc/{process}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


def rss_kb(process: int) -> int:
    """The memory of a process."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


def lag_s(folder: Path) -> float:
    """How late the event loop of a node was last: the nodes' gauge, read where they write it, at no cost to them."""
    return max(
        float(value)
        for file in folder.glob("gauge_livemax_*.db")
        for key, value, *_ in MmapedDict.read_all_values_from_file(str(file))  # type: ignore[no-untyped-call]
        if "cheeseboard_loop_lag_seconds" in key
    )


def at(values: Iterable[float], percent: float) -> float:
    """The value that so many percent are not above."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))] if ordered else math.nan


async def come(parties: list[Party], port: int) -> None:
    """Have all parties come in and begin, a few at a time."""
    waiting = iter(parties)

    async def usher() -> None:
        for party in waiting:
            await party.join("127.0.0.1", port)

    async with asyncio.timeout(MOST_COMING_S):
        await asyncio.gather(*(usher() for _ in range(AT_ONCE)))


async def pass_time(seconds: float, doing: str, tally: Tally, folder: Path) -> list[float]:
    """Let them play so long and say now and then how it goes; the lags of the nodes' loops meanwhile."""
    lags, began, said = [], time.monotonic(), time.monotonic()
    while (now := time.monotonic()) < began + seconds:
        lags.append(lag_s(folder))
        if now >= said:
            said += 5
            print(
                f"  {doing}, {now - began:.0f} of {seconds:.0f} s: {tally.decisions} decisions, "
                f"{tally.ended} tables over, {sum(tally.refused.values())} refused, {tally.lost} connections lost",
                file=sys.stderr,
                flush=True,
            )
        await asyncio.sleep(0.1)
    return lags


async def window(served: Serving, seconds: float, tally: Tally) -> Figures:
    """What happens in so many seconds."""
    processes = [*served.nodes, served.store]
    tally.took_s, decisions, by_clock = [], tally.decisions, tally.by_clock
    refused, began = tally.refused.copy(), time.perf_counter()
    cpu = [*map(cpu_s, processes), time.process_time()]
    lags = await pass_time(seconds, "measuring", tally, served.folder)
    used = [now - then for now, then in zip([*map(cpu_s, processes), time.process_time()], cpu, strict=True)]
    return {
        "seconds": time.perf_counter() - began,
        "decisions": tally.decisions - decisions,
        "p50_ms": 1000 * at(tally.took_s, 50),
        "p99_ms": 1000 * at(tally.took_s, 99),
        "lag_p99_ms": 1000 * at(lags, 99),
        "nodes_cpu_s": used[:-2],
        "store_cpu_s": used[-2],
        "client_cpu_s": used[-1],
        "by_clock": (tally.by_clock - by_clock) / SEATS,
        "refused": dict(tally.refused - refused),
    }


async def measure(served: Serving, size: Size, people: bool) -> Figures:
    """Play at a service that runs, and look at it from outside."""
    tally, mind, chance = Tally(), Mind(), random.Random(SEED)
    games = list(GAMES)
    parties = [
        Party(games[number % len(games)], [Player(mind.think, tally, chance) for _ in range(SEATS)], tally)
        for number in range(size.tables)
    ]
    await come(parties[:1], served.port)  # what every node has to load anyhow
    await asyncio.sleep(1)
    processes = [*served.nodes, served.store]
    empty = [rss_kb(process) for process in processes]
    await come(parties[1:], served.port)
    playing = [asyncio.create_task(party.play_on()) for party in parties]
    mind.slow = False  # so that the tables are anywhere in their games
    await pass_time(size.spread_s, "getting going", tally, served.folder)
    mind.slow = people
    await pass_time(size.settle_s, "settling", tally, served.folder)
    found = await window(served, size.measured_s, tally)
    grown = [rss_kb(process) - then for process, then in zip(processes, empty, strict=True)]
    broken = [repr(task.exception()) for task in playing if task.done()]
    for task in playing:
        task.cancel()
    return {
        **found,
        "node_kb_per_table": sum(grown[:-1]) / (size.tables - 1),
        "store_kb_per_begun": grown[-1] / (tally.begun - 1),
        "begun": tally.begun,
        "lost": tally.lost,
        "broken": broken,
    }


def played(nodes: int, size: Size, people: bool, log: IO[str]) -> Figures:
    """The figures of one service with so many nodes; what went wrong is under `error`."""
    print(f"{'people who think' if people else 'no think time'}, nodes: {nodes}", file=sys.stderr, flush=True)
    target: dict[str, Any] = {"cmd": ["ours", "-m", "server.node"], "store": True, "nodes": nodes}
    try:
        with serving(target, log) as served:
            figures = uvloop.run(measure(served, size, people))
    except (OSError, RuntimeError) as fault:
        figures = {"error": f"{type(fault).__name__}: {fault}"}
    print(f"  {json.dumps(figures)}", file=sys.stderr, flush=True)
    return figures


def share(figures: Figures, key: str) -> str:
    """A CPU time as a share of one core; of each node apart."""
    used = figures[key] if isinstance(figures[key], list) else [figures[key]]
    return " + ".join(f"{100 * one / figures['seconds']:.0f} %" for one in used)


def people_table(figures: Figures) -> list[tuple[str, str]]:
    """What people would notice, and what they cost."""
    return [
        ("decisions/s", f"{figures['decisions'] / figures['seconds']:,.0f}"),
        ("ack p50 ms", f"{figures['p50_ms']:.2f}"),
        ("p99 ms", f"{figures['p99_ms']:.2f}"),
        ("loop lag p99 ms", f"{figures['lag_p99_ms']:.1f}"),
        ("CPU of node", share(figures, "nodes_cpu_s")),
        ("store", share(figures, "store_cpu_s")),
        ("clients", share(figures, "client_cpu_s")),
        ("node KB/table, 4 connections included", f"{figures['node_kb_per_table']:.0f}"),
        ("store KB/table begun", f"{figures['store_kb_per_begun']:.1f}"),
        ("moves by the clock", f"{figures['by_clock']:.0f}"),
    ]


def rush_table(figures: Figures) -> list[tuple[str, str]]:
    """What the nodes can do, by the clock and by their CPU."""
    decisions, nodes = figures["decisions"], figures["nodes_cpu_s"]
    return [
        ("decisions/s", f"{decisions / figures['seconds']:,.0f}"),
        ("decisions per CPU-s of the nodes", f"{decisions / sum(nodes):,.0f}"),
        ("CPU of nodes", share(figures, "nodes_cpu_s")),
        ("store", share(figures, "store_cpu_s")),
        ("clients", share(figures, "client_cpu_s")),
        ("ack p50 ms", f"{figures['p50_ms']:.0f}"),
        ("p99 ms", f"{figures['p99_ms']:.0f}"),
        ("tables begun", f"{figures['begun']:,}"),
        ("moves by the clock", f"{figures['by_clock']:.0f}"),
    ]


def table(rows: dict[str, Figures], columns: Any) -> str:
    """Rows of figures as a markdown table, and what was wrong with them beneath."""
    good = {name: columns(figures) for name, figures in rows.items() if "error" not in figures}
    lines: list[str] = []
    for name, cells in good.items():
        if not lines:
            lines = ["| | " + " | ".join(title for title, _ in cells) + " |", "|---|" + "---|" * len(cells)]
        lines.append(f"| {name} | " + " | ".join(cell for _, cell in cells) + " |")
    for name, figures in rows.items():
        if "error" in figures:
            lines.append(f"\n{name}: {figures['error']}")
        elif figures["refused"] or figures["lost"] or figures["broken"]:
            lines.append(
                f"\n{name}: refused {figures['refused']}, {figures['lost']} connections lost, "
                f"{len(figures['broken'])} tables given up {figures['broken'][:1]}"
            )
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="does it work? The figures mean little")
    chosen = parser.parse_args()
    size = QUICK if chosen.quick else Size()
    most_files()
    os.sched_setaffinity(0, {int(CLIENT_CORE)})
    gc.disable()
    (HERE / "results").mkdir(exist_ok=True)
    with (HERE / "results" / "servers.log").open("a") as log:
        people = {"one node": played(1, size, True, log)}
        rush = {name: played(nodes, size, False, log) for nodes, name in ((1, "one node"), (2, "two nodes"))}
    print(f"\n`python -m bench.load {' '.join(sys.argv[1:])}`, {machine()} at the end".replace(" `", "`"))
    print(
        f"\n{size.tables} tables of {SEATS} players, {', '.join(GAMES)} in turn, a connection for each seat, "
        f"{size.measured_s:.0f} s. Node 1 has the first core; a second one, the store and all clients have the second."
    )
    print(
        f"\nPeople: {THINK_S} s a decision (median, log-normal with sigma {SPREAD}).\n\n{table(people, people_table)}"
    )
    print(f"\nNo think time.\n\n{table(rush, rush_table)}")
    if any("error" in figures for figures in (*people.values(), *rush.values())):
        sys.exit("not everything could be measured")


if __name__ == "__main__":
    main()
