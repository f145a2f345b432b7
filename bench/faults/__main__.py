"""`make faults`: every fault on a running service, with its histories checked. Exits with 1 if a promise is broken."""

from __future__ import annotations

import argparse
import datetime
import os
import random
import subprocess
import sys
from pathlib import Path

import uvloop

from bench.faults.all_mutations import plant_all
from bench.faults.mutations import MUTATIONS
from bench.faults.report import heading, line, own_delays, summary
from bench.faults.rows import Row, add_up, load, row_of, save
from bench.faults.run import Outcome, run_schedule
from bench.faults.schedules import SCHEDULES, Schedule, choose
from bench.peers.run import machine

OVERHEAD_S = 9.0  # of a schedule, for starting the service, finishing all tables and checking them
MAX_FINDINGS = 10  # printed for each schedule


def main() -> None:
    """Run the chosen schedules and print the table of results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=8.0, help="the time budget for everything")
    parser.add_argument("--only", default="", help="words in the names of schedules, separated by commas")
    parser.add_argument("--seed", default="", help="repeats the choices of clients and faults of another run")
    parser.add_argument("--list", action="store_true", help="list the schedules")
    parser.add_argument("--save", type=Path, help="add the rows to this file")
    parser.add_argument("--logs", type=Path, help="keep the logs of clients, nodes and stores in this folder")
    parser.add_argument("--table", type=Path, help="run nothing: add up the rows of all runs that were saved there")
    chosen = parser.parse_args()
    schedules = choose(chosen.only)
    if chosen.list:
        print("\n".join(f"{one.name}: {one.text}" for one in SCHEDULES))
        return
    if chosen.table:
        _print_saved(chosen.table)
        return
    if not schedules:
        sys.exit(f"no schedule is named like {chosen.only!r}: --list lists them")
    seed = chosen.seed or f"{random.SystemRandom().getrandbits(32):08x}"
    print(_facts(seed), flush=True)
    rows, planted = _run_all(schedules, seed, chosen.minutes * 60, chosen.save, chosen.logs)
    print(f"\n{summary(rows)}")
    _print_planted(planted)
    if not planted or not all(planted.values()) or any(row.broken for row in rows):
        sys.exit(1)


def _commit() -> str:
    return subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")


def _facts(seed: str) -> str:
    """When, where and with which command this was run."""
    words = " ".join(sys.argv[1:])
    return f"{_now()}, commit {_commit()}, `python -m bench.faults {words}`, seed {seed}, {machine()}\n\n{heading()}"


def _print_saved(path: Path) -> None:
    """Print the table of all saved rows, and which runs they are from."""
    rows = add_up(load(path))
    rows.sort(key=lambda row: [one.name for one in SCHEDULES].index(row.fault))
    print("\n".join([heading(), *map(line, rows), "", summary(rows), "", *filter(None, map(own_delays, rows)), ""]))
    for row in rows:
        print(f"{row.fault}: {'; '.join(row.runs)}")


def _run_all(
    schedules: list[Schedule], seed: str, budget_s: float, file: Path | None, logs: Path | None
) -> tuple[list[Row], dict[str, str]]:
    """Run the schedules, each for its share of what is left after the overhead of all.

    Returns the rows, and what the mutations that were planted in the histories were caught by.
    """
    to_run = []
    for schedule in schedules:
        if reason := schedule.missing():
            print(f"left out: {schedule.name}: {reason}", file=sys.stderr, flush=True)
        else:
            to_run.append(schedule)
    share_s = max(0.0, budget_s - OVERHEAD_S * len(to_run)) / sum(one.weight for one in to_run)
    rows: list[Row] = []
    planted: dict[str, str] = {}
    for schedule in to_run:
        outcome = uvloop.run(run_schedule(schedule, seed, share_s * schedule.weight, logs=logs))
        run = f"{_now()}, commit {_commit()}, seed {seed}, load {os.getloadavg()[0]:.1f}"
        rows.append(_report(outcome, row_of(outcome, run)))
        if file:
            save(file, rows[-1])
        planted |= plant_all(outcome.histories, planted)
    return rows, planted


def _report(outcome: Outcome, row: Row) -> Row:
    print(line(row), flush=True)
    if delays := own_delays(row):
        print(f"  {delays}", file=sys.stderr, flush=True)
    unexpected = [one for one in outcome.findings if row.promised or one.column != "lost"]
    for finding in unexpected[:MAX_FINDINGS]:
        print(f"  {finding}", file=sys.stderr, flush=True)
    for note in outcome.notes:
        print(f"  not recovered: {note}", file=sys.stderr, flush=True)
    return row


def _print_planted(planted: dict[str, str]) -> None:
    """Print which of the mutations that were planted in the recorded histories the checker has caught."""
    caught = [name for name, by in planted.items() if by]
    print(f"\n{len(caught)} of {len(planted)} planted mutations of recorded histories were caught:")
    for name in MUTATIONS:
        by = planted.get(name)
        text = "no place for it" if by is None else f"caught ({by})" if by else "NOT CAUGHT"
        print(f"  {name}: {text}")


if __name__ == "__main__":
    main()
