"""Analyses one finished game: reads a job from standard input, and writes progress and the result as JSON lines.

The job is a line of JSON: {"kind": "whole", "decision" or "playouts", "n": an entry, "replay": the text of the file}.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time

from bots import game_analysis as analysis

MAX_MOVES = int(os.environ.get("ANALYST_MOVES", analysis.MAX_MOVES))
REPORT_S = 0.5  # the shortest time between two reports of progress


def main() -> None:
    """Do the job on idle cores, so that live games have the CPU first."""
    lower_priority()
    job = json.loads(sys.stdin.readline())
    reported = 0.0

    def progress(share: float) -> None:
        nonlocal reported
        if time.monotonic() - reported >= REPORT_S:
            reported = time.monotonic()
            _write({"progress": round(share, 2)})

    try:
        recorded = analysis.read(job["replay"].split("\n"))
        if job["kind"] == "whole":
            _write({"result": analysis.whole(recorded, progress, MAX_MOVES)})
        else:
            one = analysis.decision if job["kind"] == "decision" else analysis.playouts
            _write({"result": one(recorded, job["n"], progress)})
    except analysis.BadAnalysis as fault:
        _write({"fault": str(fault)})


def lower_priority() -> None:
    """Run only where nothing else wants to (SCHED_IDLE), or with the lowest priority where that is not allowed."""
    os.nice(19)
    if hasattr(os, "SCHED_IDLE"):  # Linux: a process that wakes up treats the core of this one as idle
        with contextlib.suppress(OSError):  # some sandboxes refuse it
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _write(line: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
