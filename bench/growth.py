"""How the cost of moves, updates, connections and loading a table grows with their number.

`make bench-growth` prints a table for each and draws docs/images/growth.svg.
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

import bench.node  # noqa: F401  # adds the game to the catalogue
from bench.chart import panel, sheet
from bench.peers.processes import HERE
from bench.peers.run import ROOT, Figures, machine, measure, raise_file_limit
from protocol.messages import Move
from server.tables.state.decisions import follow_up, move
from server.tables.state.entries import Entry, Opened, Sat, decode_entry, encode_entry
from server.tables.state.table import Table, folded

encode = msgspec.msgpack.Encoder().encode

SPARE_FILES = 200  # open files of a process besides its connections
TIMEOUT_S = 600  # for opening twenty thousand connections and measuring


@dataclass(frozen=True)
class Series:
    """One quantity that grows, how to measure at each size, and the units of the figures."""

    title: str
    x_label: str
    unit: str  # of the figure for one of many
    total_unit: str
    measure: Callable[[int, IO[str]], tuple[int, float, float]]  # returns the size, the total, and the figure for one
    sizes: tuple[int, ...]


def scenario(name: str, options: dict[str, int], log: IO[str]) -> Figures:
    """Run a scenario of the peers' benchmark against one node and return its figures."""
    target = json.loads((HERE / "targets.json").read_text())["Cheeseboard"]
    figures = measure(target, name, options, log, TIMEOUT_S)
    if "error" in figures:
        raise RuntimeError(figures["error"])
    return figures


def by_tables(tables: int, log: IO[str]) -> tuple[int, float, float]:
    """Measure a move with this many tables, or as many as the limit of open files allows: each has four connections."""
    tables = min(tables, (raise_file_limit() - SPARE_FILES) // 4)
    longer = {"warm": 5, "secs": 15} if tables >= 1000 else {}
    found = scenario("throughput", {"tables": tables, **longer}, log)
    return tables, found["moves_per_s"], found["cpu_s_per_1000"]


def by_spectators(spectators: int, log: IO[str]) -> tuple[int, float, float]:
    """Measure an update to one of this many spectators.

    With few spectators moves come faster, so that the work of an idle node does not count as theirs.
    """
    pace = {"moves": 500, "every": 20} if spectators < 1000 else {"moves": 50, "every": 250}
    found = scenario("fanout", {"spectators": spectators, **pace}, log)
    ms = found["server_cpu_ms_per_move"]
    return spectators, ms, 1000 * ms / (spectators + 4)


def by_connections(connections: int, log: IO[str]) -> tuple[int, float, float]:
    """Measure the memory of one of this many idle connections."""
    found = scenario("idle", {"tables": connections // 4}, log)
    return connections, found["full_mb"], found["kb_per_connection"]


def by_length(moves: int, log: IO[str]) -> tuple[int, float, float]:
    """Measure loading a table with this many moves in its log."""
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
        "idle connections, four per table",
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
    """Build the log of a table with this many moves."""
    entries: list[Entry] = [Opened(0, "pile", {}, 4, "normal", False, "u0", "code", bytes(32))]
    entries += [Sat(0, seat, f"u{seat}", f"U{seat}") for seat in range(4)]
    table = folded("growth", list(enumerate(entries, 1)))
    (start,) = follow_up(table, 0)
    entries.append(start.entry)
    table = table.after(start.entry, start.events)
    for number in range(moves):
        entry, table = _moved(table, number)
        entries.append(entry)
    return [encode_entry(entry) for entry in entries]


def _moved(table: Table, number: int) -> tuple[Entry, Table]:
    seat = number % 4
    raw = msgspec.Raw(encode({"type": "play", "card": number & 0x3FFF}))
    message = Move(id=1, table="growth", ask=table.asks[seat].n, key=f"k{number}", move=raw)
    (step,) = move(table, f"u{seat}", message, number)
    return step.entry, table.after(step.entry, step.events)


def cold_load(moves: int) -> float:
    """Return the milliseconds that decoding and folding a log of this many moves takes."""
    log = log_of(moves)
    best = 1e9
    for _ in range(3):
        began = time.process_time()
        folded("growth", [(n, decode_entry(entry)) for n, entry in enumerate(log, 1)])
        best = min(best, time.process_time() - began)
    return best * 1000


def _short(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 1000 else f"{figure:,.3f}"


def measure_series(series: Series, max_size: int, log: IO[str]) -> list[tuple[int, float, float]]:
    """Measure at every size up to `max_size`. A size that fails is printed and left out."""
    rows = []
    for size in (size for size in series.sizes if size <= max_size):
        began = time.monotonic()
        try:
            rows.append(series.measure(size, log))
            text = f"{_short(rows[-1][1])} {series.total_unit}, {rows[-1][2]:.4f} {series.unit}"
        except RuntimeError as fault:
            text = f"failed: {fault}"
        print(f"{series.title}, {size}: {text} ({time.monotonic() - began:.0f} s)", file=sys.stderr, flush=True)
    return rows


def main() -> None:
    """Measure, print the tables and write the chart."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=10_000, help="leave out larger sizes")
    parser.add_argument("--only", default=",".join(SERIES), help="a comma-separated selection of: %(default)s")
    parser.add_argument("--image", type=Path, default=ROOT / "docs" / "images" / "growth.svg")
    chosen = parser.parse_args()
    raise_file_limit()
    (HERE / "results").mkdir(exist_ok=True)
    with (HERE / "results" / "servers.log").open("a") as log:
        found = {name: measure_series(SERIES[name], chosen.most, log) for name in chosen.only.split(",")}
    print(f"\n`python -m bench.growth {' '.join(sys.argv[1:])}`".replace(" `", "`") + f", {machine()} at the end")
    panels = []
    for name, rows in found.items():
        series = SERIES[name]
        print(f"\n| {series.x_label} | {series.total_unit} | {series.unit} |\n|---|---|---|")
        print("\n".join(f"| {size:,} | {_short(total)} | {each:.3f} |" for size, total, each in rows))
        if rows:
            panels.append(panel(series.title, series.x_label, series.unit, [(size, each) for size, _, each in rows]))
    if panels:
        chosen.image.write_text(sheet(panels))
        print(f"\n{chosen.image}")
    if any(
        len(rows) < len([size for size in SERIES[name].sizes if size <= chosen.most]) for name, rows in found.items()
    ):
        sys.exit("not everything could be measured")


if __name__ == "__main__":
    main()
