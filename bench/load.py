"""Real games under load: tables of the five games at once, four players each, over websockets to a real service.

`make bench-load` measures human think times, then no think time with one node and with two, each on a fresh service.
`make bench-load ARGS=--quick` tries it with few tables for a few seconds, `ARGS=--short` measures all tables for a
quarter of the time. `ARGS="--beside FOLDER"` compares with another compiled checkout, both in turn, `--runs` times:
without think time all games together and each by itself, then human think times; always with one node.
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
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import IO, Any

import uvloop
from prometheus_client import CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector

from bench.peers.processes import CLIENT_CORE, HERE
from bench.peers.run import ROOT, Figures, Serving, machine, raise_file_limit, serving
from bench.players import Ask, Party, Player, Tally
from games import GAMES

SEATS = 4
PLAYED = [name for name, game in GAMES.items() if SEATS in game.seats]
SEED = 1
THINK_S, THINK_SIGMA = 2.5, 0.6  # human think time: its median, and the sigma of its logarithm
MAX_SHARE_OF_TIME_LEFT = 0.8  # the longest think time, as a share of the time left for the decision
JOINS_AT_ONCE = 10  # parties that connect at the same time
JOIN_TIMEOUT_S = 120


@dataclass(frozen=True)
class Size:
    """The number of tables, and the length of each phase: spread the tables over their games, settle, measure."""

    tables: int = 500
    spread_s: float = 20
    settle_s: float = 10
    measured_s: float = 60


Pair = tuple[Figures, Figures]  # of the other checkout and of this one
CONNECTION_KB = 17  # of the node, for a connection without a table: docs/performance.md
QUICK = Size(20, 3, 2, 10)
SHORT = Size(500, 8, 4, 15)
COMPARED = Size(200, 3, 1, 6)  # of each game, with --beside


class ThinkTime:
    """The think time of all players: human, or none."""

    def __init__(self, median_s: float = THINK_S) -> None:
        self.human = True
        self._median_s = median_s
        self._chance = random.Random(SEED)

    def draw(self, ask: Ask) -> float:
        """Draw the think time for this ask, in seconds."""
        if not self.human:
            return 0.0
        longest = MAX_SHARE_OF_TIME_LEFT * ask.left_ms / 1000 if ask.left_ms is not None else math.inf
        return min(longest, self._chance.lognormvariate(math.log(self._median_s), THINK_SIGMA))


def cpu_s(process: int) -> float:
    """Return the CPU seconds of a process so far, including all its threads."""
    threads = Path(f"/proc/{process}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


def rss_kb(process: int) -> int:
    """Return the resident memory of a process."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


def lag_s(folder: Path) -> float:
    """Return the latest loop lag, the maximum of all nodes, read from their metrics files without asking the nodes."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(folder))  # type: ignore[no-untyped-call]
    lag = registry.get_sample_value("cheeseboard_loop_lag_seconds")
    assert lag is not None
    return lag


def percentile(values: Iterable[float], percent: float) -> float:
    """Return the value below which `percent` of the values are."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))] if ordered else math.nan


async def join_all(parties: list[Party], port: int) -> None:
    """Let all parties connect and start, a few at a time."""
    remaining = iter(parties)

    async def join_next() -> None:
        for party in remaining:
            await party.join("127.0.0.1", port)

    async with asyncio.timeout(JOIN_TIMEOUT_S):
        await asyncio.gather(*(join_next() for _ in range(JOINS_AT_ONCE)))


async def let_play(seconds: float, phase: str, tally: Tally, folder: Path) -> list[float]:
    """Let the players play for this time and print the progress. Return the loop lags of the nodes meanwhile."""
    lags, began, next_print = [], time.monotonic(), time.monotonic()
    while (now := time.monotonic()) < began + seconds:
        lags.append(lag_s(folder))
        if now >= next_print:
            next_print += 5
            print(
                f"  {phase}, {now - began:.0f} of {seconds:.0f} s: {tally.decisions} decisions, "
                f"{tally.ended} tables over, {sum(tally.refused.values())} refused, {tally.lost} connections lost",
                file=sys.stderr,
                flush=True,
            )
        await asyncio.sleep(0.1)
    return lags


async def measure_window(served: Serving, seconds: float, tally: Tally) -> Figures:
    """Measure for this many seconds while the players play."""
    processes = [*served.nodes, served.store]
    tally.ack_s, decisions, by_clock = [], tally.decisions, tally.by_clock
    refused, began = tally.refused.copy(), time.perf_counter()
    cpu = [*map(cpu_s, processes), time.process_time()]
    lags = await let_play(seconds, "measuring", tally, served.folder)
    used = [now - then for now, then in zip([*map(cpu_s, processes), time.process_time()], cpu, strict=True)]
    return {
        "seconds": time.perf_counter() - began,
        "decisions": tally.decisions - decisions,
        "p50_ms": 1000 * percentile(tally.ack_s, 50),
        "p99_ms": 1000 * percentile(tally.ack_s, 99),
        "lag_p99_ms": 1000 * percentile(lags, 99),
        "nodes_cpu_s": used[:-2],
        "store_cpu_s": used[-2],
        "client_cpu_s": used[-1],
        "by_clock": (tally.by_clock - by_clock) / SEATS,
        "refused": dict(tally.refused - refused),
    }


async def measure(served: Serving, size: Size, human: bool, games: list[str]) -> Figures:
    """Play these games at a running service, and measure its processes from outside."""
    tally, think_time, chance = Tally(), ThinkTime(), random.Random(SEED)
    parties = [
        Party(games[number % len(games)], [Player(think_time.draw, tally, chance) for _ in range(SEATS)], tally)
        for number in range(size.tables)
    ]
    await join_all(parties[:1], served.port)  # so that modules loaded on first use do not count as memory of the tables
    await asyncio.sleep(1)
    processes = [*served.nodes, served.store]
    empty = [rss_kb(process) for process in processes]
    await join_all(parties[1:], served.port)
    playing = [asyncio.create_task(party.play_forever()) for party in parties]
    think_time.human = False  # so that each table is at another point of its game when the measurement starts
    await let_play(size.spread_s, "spreading", tally, served.folder)
    think_time.human = human
    await let_play(size.settle_s, "settling", tally, served.folder)
    figures = await measure_window(served, size.measured_s, tally)
    grown = [rss_kb(process) - then for process, then in zip(processes, empty, strict=True)]
    broken = [repr(task.exception()) for task in playing if task.done()]
    for task in playing:
        task.cancel()
    return {
        **figures,
        "node_kb_per_table": sum(grown[:-1]) / (size.tables - 1),
        "store_kb_per_started": grown[-1] / (tally.started - 1),
        "started": tally.started,
        "lost": tally.lost,
        "broken": broken,
    }


def measure_service(
    nodes: int, size: Size, human: bool, log: IO[str], games: list[str] = PLAYED, checkout: Path = ROOT
) -> Figures:
    """Measure a fresh service with this many nodes. If that fails, the result has only `error`."""
    print(f"{'human think times' if human else 'no think time'}, nodes: {nodes}", file=sys.stderr, flush=True)
    target: dict[str, Any] = {"cmd": ["ours", "-m", "bench.node"], "store": True, "nodes": nodes}  # in all checkouts
    try:
        with serving({**target, "checkout": str(checkout)}, log) as served:
            figures = uvloop.run(measure(served, size, human, games))
    except (OSError, RuntimeError) as fault:
        figures = {"error": f"{type(fault).__name__}: {fault}"}
    print(f"  {json.dumps(figures)}", file=sys.stderr, flush=True)
    return figures


def share(figures: Figures, key: str) -> str:
    """Format a CPU time as a share of one core, for each node separately."""
    used = figures[key] if isinstance(figures[key], list) else [figures[key]]
    return " + ".join(f"{100 * one / figures['seconds']:.0f} %" for one in used)


def human_columns(figures: Figures) -> list[tuple[str, str]]:
    """Format the figures of the run with human think times: latency and cost."""
    return [
        ("decisions/s", f"{figures['decisions'] / figures['seconds']:,.0f}"),
        ("ack p50 ms", f"{figures['p50_ms']:.2f}"),
        ("p99 ms", f"{figures['p99_ms']:.2f}"),
        ("loop lag p99 ms", f"{figures['lag_p99_ms']:.1f}"),
        ("CPU of node", share(figures, "nodes_cpu_s")),
        ("store", share(figures, "store_cpu_s")),
        ("clients", share(figures, "client_cpu_s")),
        ("node KB/table, 4 connections included", f"{figures['node_kb_per_table']:.0f}"),
        ("store KB/table started", f"{figures['store_kb_per_started']:.1f}"),
        ("moves by the clock", f"{figures['by_clock']:.0f}"),
    ]


def throughput_columns(figures: Figures) -> list[tuple[str, str]]:
    """Format the figures of a run without think time: decisions per second, and per second of CPU."""
    decisions, nodes = figures["decisions"], figures["nodes_cpu_s"]
    return [
        ("decisions/s", f"{decisions / figures['seconds']:,.0f}"),
        ("decisions per CPU-s of the nodes", f"{decisions / sum(nodes):,.0f}"),
        ("CPU of nodes", share(figures, "nodes_cpu_s")),
        ("store", share(figures, "store_cpu_s")),
        ("clients", share(figures, "client_cpu_s")),
        ("ack p50 ms", f"{figures['p50_ms']:.0f}"),
        ("p99 ms", f"{figures['p99_ms']:.0f}"),
        ("tables started", f"{figures['started']:,}"),
        ("moves by the clock", f"{figures['by_clock']:.0f}"),
    ]


def table(rows: dict[str, Figures], columns: Any) -> str:
    """Format rows of figures as a Markdown table, and the errors below it."""
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
                f"{len(figures['broken'])} tables abandoned {figures['broken'][:1]}"
            )
    return "\n".join(lines)


def measure_both(other: Path, runs: int, size: Size, human: bool, log: IO[str], games: list[str]) -> list[Pair]:
    """Measure both checkouts in turn, the other one first."""
    return [
        (measure_service(1, size, human, log, games, other), measure_service(1, size, human, log, games))
        for _ in range(runs)
    ]


def compared_row(name: str, pairs: list[Pair], figure: Callable[[Figures], float]) -> str:
    """Format the medians of a figure of both checkouts, and the ratio of each run."""
    errors = [figures["error"] for pair in pairs for figures in pair if "error" in figures]
    if errors:
        return f"| {name} | {errors[0]} | | | |"
    before, now = ([figure(pair[index]) for pair in pairs] for index in (0, 1))
    ratios = [new / old for old, new in zip(before, now, strict=True)]
    each = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    return f"| {name} | {median(before):,.1f} | {median(now):,.1f} | {median(ratios):.2f} | {each} |"


def compare(other: Path, whole: Size, runs: int, log: IO[str]) -> str:
    """Compare both checkouts: decisions per CPU second with all games and with each one, and tables of people."""
    part = QUICK if whole is QUICK else COMPARED
    head = ["| | the other checkout | this one | ratio | of each run |", "|---|---|---|---|---|"]
    lines = [f"No think time, {whole.tables} tables ({part.tables} of a single game): decisions per CPU-s.", "", *head]
    for games in (PLAYED, *([name] for name in PLAYED)):
        pairs = measure_both(other, runs, part if len(games) == 1 else whole, False, log, games)
        name = games[0] if len(games) == 1 else "all games"
        lines.append(compared_row(name, pairs, lambda one: one["decisions"] / sum(one["nodes_cpu_s"])))
    pairs = measure_both(other, runs, whole, True, log, PLAYED)
    lines += ["", f"Human think times, {whole.tables} tables.", "", *head]
    lines.append(compared_row("ack p50 ms", pairs, lambda one: one["p50_ms"]))
    lines.append(compared_row("ack p99 ms", pairs, lambda one: one["p99_ms"]))
    beside = f"node KB/table beside {SEATS} connections of {CONNECTION_KB} KB"
    lines.append(compared_row(beside, pairs, lambda one: one["node_kb_per_table"] - SEATS * CONNECTION_KB))
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only try whether it works; the figures mean little")
    parser.add_argument("--short", action="store_true", help="measure for a quarter of the time")
    parser.add_argument("--beside", type=Path, help="a compiled checkout of another commit, to compare with")
    parser.add_argument("--runs", type=int, default=3, help="how often both are measured, with --beside")
    chosen = parser.parse_args()
    size = QUICK if chosen.quick else SHORT if chosen.short else Size()
    raise_file_limit()
    os.sched_setaffinity(0, {int(CLIENT_CORE)})
    gc.disable()
    (HERE / "results").mkdir(exist_ok=True)
    with (HERE / "results" / "servers.log").open("a") as log:
        if chosen.beside:
            compared = compare(chosen.beside, size, chosen.runs, log)
            print(f"\n`python -m bench.load {' '.join(sys.argv[1:])}`, {machine()} at the end\n\n{compared}")
            return
        human = {"one node": measure_service(1, size, True, log)}
        throughput = {
            name: measure_service(nodes, size, False, log) for nodes, name in ((1, "one node"), (2, "two nodes"))
        }
    print(f"\n`python -m bench.load {' '.join(sys.argv[1:])}`, {machine()} at the end".replace(" `", "`"))
    print(
        f"\n{size.tables} tables of {SEATS} players, {', '.join(PLAYED)} in turn, a connection for each seat, "
        f"{size.measured_s:.0f} s. Node 1 runs on core 1; a second node, the store and all clients on core 2."
    )
    print(
        f"\nHuman think times: {THINK_S} s a decision (median, log-normal with sigma {THINK_SIGMA}).\n\n"
        f"{table(human, human_columns)}"
    )
    print(f"\nNo think time.\n\n{table(throughput, throughput_columns)}")
    if any("error" in figures for figures in (*human.values(), *throughput.values())):
        sys.exit("not everything could be measured")


if __name__ == "__main__":
    main()
