"""Fuzz the service for a given time, and account for every answer: `make fuzz`, `make fuzz SECONDS=60 SEED=...`.

Three processes run at once, each with its own seed: two of them fuzz sessions and then connections of a node, the third
a service over sockets. What goes wrong is printed with the seed and the frames, to be kept as a test. A seed makes the
same choices again, but connections and sockets also depend on the order in which answers come.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections import Counter
from pathlib import Path

from bench.attack.fuzz.parts import PARTS, Counts, run_part
from bench.peers.run import machine

LEAST_FRAMES = 5_000_000  # in the default time
DEFAULT_S = 420.0
GRACE_S = 120.0  # after the time is over, until a process is stopped
FOUND = Path("build") / "fuzz"


class Outcome:
    """What the parts sent and how it was answered, and what went wrong."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.codes: dict[str, Counter[str]] = {}
        self.surprises: list[str] = []

    def add(self, name: str, found: Counts | str) -> None:
        """Add what a process found in a part, or the text of a failure."""
        if isinstance(found, str):
            self.surprises.append(f"part {name}: {found}")
            return
        for part, (count, seen) in found.items():
            self.counts[part] += count
            self.codes[part] = self.codes.get(part, Counter()) + seen

    def show(self) -> None:
        """Print the frames and the answers of each part."""
        for part, count in self.counts.items():
            codes = ", ".join(f"{code} {n:,}" for code, n in self.codes[part].most_common())
            print(f"{part}: {count:,} frames; answers: {codes}")
        print(f"{self.counts.total():,} frames, load average {os.getloadavg()[0]:.1f} at the end")


def main() -> None:
    """Run all parts, and print what was sent and how it was answered."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=DEFAULT_S)
    parser.add_argument("--seed", default="", help="to do the same again; by default, the time")
    chosen = parser.parse_args()
    seed = chosen.seed or f"{time.time_ns():x}"
    print(f"`make fuzz`, {chosen.seconds:.0f} s, seed {seed}, {machine()} at the start", flush=True)
    outcome = _run(seed, chosen.seconds)
    outcome.show()
    if outcome.surprises:
        FOUND.mkdir(parents=True, exist_ok=True)
        kept = FOUND / f"{seed}.txt"
        kept.write_text("\n".join(outcome.surprises), encoding="utf-8")
        shown = "\n".join(surprise[:1000] for surprise in outcome.surprises)
        sys.exit(f"{shown}\nAll of it is in {kept}.")
    if chosen.seconds >= DEFAULT_S and outcome.counts.total() < LEAST_FRAMES:
        sys.exit(f"fewer than {LEAST_FRAMES:,} frames: this machine needs more time")


def _run(seed: str, seconds: float) -> Outcome:
    """Run each part in a process of its own."""
    spawn = multiprocessing.get_context("spawn")
    running = []
    for name in PARTS:
        ours, theirs = spawn.Pipe(duplex=False)
        process = spawn.Process(target=run_part, args=(theirs, name, f"{seed}/{name}", seconds), daemon=True)
        process.start()
        theirs.close()
        running.append((name, process, ours))
    end = time.monotonic() + seconds + GRACE_S
    outcome = Outcome()
    for name, process, ours in running:
        try:
            found = ours.recv() if ours.poll(max(0.0, end - time.monotonic())) else "it did not end in time"
        except EOFError:
            found = "the process broke off"
        process.kill()
        process.join()
        outcome.add(name, found)
    return outcome


if __name__ == "__main__":
    main()
