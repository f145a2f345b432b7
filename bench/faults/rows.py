"""The rows of the table of results. They are saved, so that the rows of several runs can be added up."""

from __future__ import annotations

from pathlib import Path

import msgspec

from bench.faults.run import Outcome

COUNTED = ("lost", "doubled", "forked", "unequal", "unfinished")


class Row(msgspec.Struct):
    """What came of one fault, in one run or in several; `runs` says when, at which commit and under which load."""

    fault: str
    promised: bool
    killed: str = ""  # node or store
    kills: int = 0
    repetitions: int = 0
    acknowledged: int = 0
    tables: int = 0
    found: dict[str, int] = {}
    unrecovered: int = 0
    pauses_s: list[float] = []
    late_s: list[float] = []  # how late the clients' own process was in each repetition
    errors: list[str] = []
    runs: list[str] = []

    @property
    def broken(self) -> list[str]:
        """What has to be zero and is not."""
        columns = COUNTED if self.promised else COUNTED[1:]
        found = [f"{self.found[column]} {column}" for column in columns if self.found[column]]
        return self.errors + found + ([f"{self.unrecovered} times not recovered"] if self.unrecovered else [])


def row_of(outcome: Outcome, run: str) -> Row:
    """The row of one schedule in one run."""
    schedule = outcome.schedule
    return Row(
        schedule.name,
        schedule.promised,
        schedule.killed,
        schedule.kills * outcome.repetitions,
        outcome.repetitions,
        outcome.acknowledged,
        outcome.tables,
        {column: outcome.count(column) for column in COUNTED},
        outcome.unrecovered,
        [round(pause, 3) for pause in outcome.pauses_s],
        [round(late, 3) for late in outcome.late_s],
        [outcome.error] if outcome.error else [],
        [run],
    )


def add_up(rows: list[Row]) -> list[Row]:
    """One row for each fault, in the order in which the faults came first."""
    sums: dict[tuple[str, bool], Row] = {}
    for row in rows:
        same = sums.setdefault((row.fault, row.promised), Row(row.fault, row.promised, row.killed))
        same.kills += row.kills
        same.repetitions += row.repetitions
        same.acknowledged += row.acknowledged
        same.tables += row.tables
        same.unrecovered += row.unrecovered
        same.found = {column: same.found.get(column, 0) + row.found[column] for column in COUNTED}
        same.pauses_s = same.pauses_s + row.pauses_s
        same.late_s = same.late_s + row.late_s
        same.errors = same.errors + row.errors
        same.runs = same.runs + row.runs
    return list(sums.values())


def save(path: Path, row: Row) -> None:
    """Add a row to a file, which has one row in each line."""
    with path.open("ab") as file:
        file.write(msgspec.json.encode(row) + b"\n")


def load(path: Path) -> list[Row]:
    """The rows of a file."""
    return [msgspec.json.decode(line, type=Row) for line in path.read_bytes().splitlines()]
