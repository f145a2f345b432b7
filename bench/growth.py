"""How the cost of a move grows with tables and spectators, a cold load with its log, and memory with connections.

`make bench-growth` prints a table of each and writes the plots into docs/images.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from pathlib import Path

import msgspec

import bench.node  # noqa: F401  # puts the game in the catalogue
from bench.peers.run import HERE, ROOT, measure
from protocol.messages import Move
from server.entries import Entry, Opened, Sat, read_entry, write_entry
from server.table import Table, folded

encode = msgspec.msgpack.Encoder().encode

# What grows, the scenario and its option, how far, and the figure that is looked at.
SERIES = (
    ("tables", "throughput", "tables", (10, 100, 1000, 5000), "cpu_s_per_1000", "CPU ms per move, store included"),
    ("spectators", "fanout", "spectators", (10, 100, 1000, 5000), "server_cpu_ms_per_move", "CPU ms per move"),
    ("connections", "idle", "tables", (250, 1000, 2500), "full_mb", "MB of the node, four connections a table"),
)


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


def plot(title: str, unit: str, points: list[tuple[int, float]]) -> str:
    """A small line chart, both axes from nought."""
    wide, high = 480, 240
    most_x, most_y = points[-1][0], max(y for _, y in points) or 1
    at = [(50 + x / most_x * (wide - 80), high - 30 - y / most_y * (high - 70)) for x, y in points]
    line = " ".join(f"{x:.0f},{y:.0f}" for x, y in at)
    dots = "".join(
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="3"/><text x="{x:.0f}" y="{y - 8:.0f}">{value:.3g}</text>'
        f'<text x="{x:.0f}" y="{high - 12}">{number:,}</text>'
        for (x, y), (number, value) in zip(at, points, strict=True)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" font-family="sans-serif" font-size="10" '
        f'text-anchor="middle"><rect width="{wide}" height="{high}" fill="#fff"/>'
        f'<text x="{wide // 2}" y="16" font-size="12">{title}: {unit}</text>'
        f'<polyline points="{line}" fill="none" stroke="#b5651d" stroke-width="2"/>{dots}</svg>\n'
    )


def main() -> None:
    """Measure everything and write it down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=5000, help="leave out what is larger")
    parser.add_argument("--images", type=Path, default=ROOT / "docs" / "images")
    chosen = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    target = json.loads((HERE / "targets.json").read_text())["Cheeseboard"]
    chosen.images.mkdir(parents=True, exist_ok=True)
    (HERE / "results").mkdir(exist_ok=True)
    found: dict[str, tuple[str, list[tuple[int, float]]]] = {}
    with (HERE / "results" / "servers.log").open("a") as log:
        for title, scenario, option, sizes, key, unit in SERIES:
            points = []
            for size in (size for size in sizes if size <= chosen.most):
                figures = measure(target, scenario, {option: size}, log)
                print(title, size, json.dumps(figures), file=sys.stderr, flush=True)
                if key in figures:
                    points.append((size, float(figures[key])))
            found[title] = (unit, points)
    found["moves in the log"] = ("ms of CPU to load the table", [(n, cold_load(n)) for n in (10, 100, 1000, 5000)])
    for title, (unit, points) in found.items():
        if points:
            (chosen.images / f"growth-{title.split()[0]}.svg").write_text(plot(title, unit, points))
        print(f"\n| {title} | {unit} |\n|---|---|\n" + "\n".join(f"| {n:,} | {y:.3f} |" for n, y in points))


if __name__ == "__main__":
    main()
