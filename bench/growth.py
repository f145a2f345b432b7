"""How the cost of a move grows with tables and spectators, a cold load with its log, and memory with connections.

`make bench-growth` prints a table of each and draws docs/images/growth.svg.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import msgspec

import bench.node  # noqa: F401  # puts the game in the catalogue
from bench.chart import panel, sheet
from bench.peers.run import HERE, ROOT, Figures, machine, measure, most_files
from protocol.messages import Move
from server.entries import Entry, Opened, Sat, read_entry, write_entry
from server.table import Table, folded

encode = msgspec.msgpack.Encoder().encode

SPARE_FILES = 200  # that a process has open beside its connections
MOST_S = 600  # to open twenty thousand connections and measure


@dataclass(frozen=True)
class Series:
    """What grows, how it is measured at each size, and what one of many costs."""

    title: str
    of: str
    unit: str
    total: str  # the figure as it is found, in the unit of the whole
    measured: Callable[[int, IO[str]], tuple[int, float, float]]  # how many, the whole, and of each
    sizes: tuple[int, ...]


def scenario(name: str, options: dict[str, int], log: IO[str]) -> Figures:
    """The figures of a scenario of the peers' benchmark, against one node."""
    target = json.loads((HERE / "targets.json").read_text())["Cheeseboard"]
    figures = measure(target, name, options, log, MOST_S)
    if "error" in figures:
        raise RuntimeError(figures["error"])
    return figures


def by_tables(tables: int, log: IO[str]) -> tuple[int, float, float]:
    """A move at so many tables, or at as many as may be open here: each has four connections."""
    tables = min(tables, (most_files() - SPARE_FILES) // 4)
    longer = {"warm": 5, "secs": 15} if tables >= 1000 else {}
    found = scenario("throughput", {"tables": tables, **longer}, log)
    return tables, found["moves_per_s"], found["cpu_s_per_1000"]


def by_spectators(spectators: int, log: IO[str]) -> tuple[int, float, float]:
    """An update to one of so many; with few, moves come faster, since what a node does anyhow would count as theirs."""
    pace = {"moves": 500, "every": 20} if spectators < 1000 else {"moves": 50, "every": 250}
    found = scenario("fanout", {"spectators": spectators, **pace}, log)
    ms = found["server_cpu_ms_per_move"]
    return spectators, ms, 1000 * ms / (spectators + 4)


def by_connections(connections: int, log: IO[str]) -> tuple[int, float, float]:
    """A connection that is idle, one of so many."""
    found = scenario("idle", {"tables": connections // 4}, log)
    return connections, found["full_mb"], found["kb_per_connection"]


def by_length(moves: int, log: IO[str]) -> tuple[int, float, float]:
    """An entry of a log of so many that is loaded."""
    ms = cold_load(moves)
    return moves, ms, 1000 * ms / moves


SERIES = {
    "tables": Series(
        "A move, by tables", "tables", "CPU ms per move, store included", "moves/s", by_tables, (10, 100, 1000, 5000)
    ),
    "spectators": Series(
        "An update, by spectators",
        "spectators",
        "server CPU µs per update delivered",
        "CPU ms/move",
        by_spectators,
        (10, 100, 1000, 5000),
    ),
    "connections": Series(
        "A connection, by connections",
        "idle connections, four to a table",
        "KB of the node per connection",
        "MB of the node",
        by_connections,
        (1000, 4000, 10000),
    ),
    "log": Series(
        "A cold load, by the length of the log",
        "moves in the log",
        "CPU µs per move",
        "CPU ms",
        by_length,
        (10, 100, 1000, 5000),
    ),
}


def log_of(moves: int) -> list[bytes]:
    """The log of a table on which so many moves were made."""
    entries: list[Entry] = [Opened(0, "pile", {}, 4, "normal", False, "u0", "code", bytes(32))]
    entries += [Sat(0, seat, f"u{seat}", f"U{seat}") for seat in range(4)]
    table = folded("growth", list(enumerate(entries, 1)))
    start = table.follow_up(0)
    assert start
    entries.append(start.entry)
    table = table.after(start.entry, start.events)
    for number in range(moves):
        entry, table = _moved(table, number)
        entries.append(entry)
    return [write_entry(entry) for entry in entries]


def _moved(table: Table, number: int) -> tuple[Entry, Table]:
    seat = number % 4
    raw = msgspec.Raw(encode({"type": "play", "card": number & 0x3FFF}))
    decision = table.move(
        f"u{seat}", Move(id=1, table="growth", ask=table.asks[seat].n, key=f"k{number}", move=raw), number
    )
    return decision.entry, table.after(decision.entry, decision.events)


def cold_load(moves: int) -> float:
    """Milliseconds to read and fold a log of so many moves."""
    log = log_of(moves)
    best = 1e9
    for _ in range(3):
        began = time.process_time()
        folded("growth", [(n, read_entry(entry)) for n, entry in enumerate(log, 1)])
        best = min(best, time.process_time() - began)
    return best * 1000


def _short(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 1000 else f"{figure:,.3f}"


def grown(series: Series, most: int, log: IO[str]) -> list[tuple[int, float, float]]:
    """The figures at every size that works; what does not is said, and the rest goes on."""
    rows = []
    for size in (size for size in series.sizes if size <= most):
        began = time.monotonic()
        try:
            rows.append(series.measured(size, log))
            said = f"{_short(rows[-1][1])} {series.total}, {rows[-1][2]:.4f} {series.unit}"
        except RuntimeError as fault:
            said = f"failed: {fault}"
        print(f"{series.title}, {size}: {said} ({time.monotonic() - began:.0f} s)", file=sys.stderr, flush=True)
    return rows


def main() -> None:
    """Measure everything and write it down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=10_000, help="leave out what is larger")
    parser.add_argument("--only", default=",".join(SERIES), help="of these, parted by commas: %(default)s")
    parser.add_argument("--image", type=Path, default=ROOT / "docs" / "images" / "growth.svg")
    chosen = parser.parse_args()
    most_files()
    (HERE / "results").mkdir(exist_ok=True)
    with (HERE / "results" / "servers.log").open("a") as log:
        found = {name: grown(SERIES[name], chosen.most, log) for name in chosen.only.split(",")}
    print(f"\n`python -m bench.growth {' '.join(sys.argv[1:])}`".replace(" `", "`") + f", {machine()} at the end")
    panels = []
    for name, rows in found.items():
        series = SERIES[name]
        print(f"\n| {series.of} | {series.total} | {series.unit} |\n|---|---|---|")
        print("\n".join(f"| {size:,} | {_short(total)} | {each:.3f} |" for size, total, each in rows))
        if rows:
            panels.append(panel(series.title, series.of, series.unit, [(size, each) for size, _, each in rows]))
    if panels:
        chosen.image.write_text(sheet(panels))
        print(f"\n{chosen.image}")
    if any(
        len(rows) < len([size for size in SERIES[name].sizes if size <= chosen.most]) for name, rows in found.items()
    ):
        sys.exit("not everything could be measured")


if __name__ == "__main__":
    main()
