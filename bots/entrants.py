"""Who can enter the arena: a house bot by its level, a Python file with `choose`, or any executable.

A Python file runs in a process of its own and speaks the same lines as an executable does: one JSON line for
each decision, one JSON line with the move back (docs/arena.md). So a bot that crashes or hangs costs itself
a decision and nobody else anything.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import selectors
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, Protocol

from bots.players import LEVELS, player
from bots.sdk import Choose, Move, Offer, View

LONGEST_LINE = 1 << 20
MOST_STARTS = 10  # a bot whose process failed this often is not started again


class Fault(Exception):  # noqa: N818
    """A bot made no move: it crashed, hung or wrote something else."""

    def __init__(self, kind: str, what: str) -> None:
        super().__init__(what)
        self.kind = kind


class BadEntrant(Exception):  # noqa: N818
    """There is no such bot."""


class Entrant(Protocol):
    """A bot in the arena."""

    def decide(self, game: str, view: View, offers: list[Offer], chance: random.Random) -> Move:
        """Its move, or Fault."""

    def close(self) -> None:
        """Let go of what it holds."""


class House:
    """A house bot, played in this process."""

    def __init__(self, game: str, level: str) -> None:
        self._choose: Choose = player(game, level)

    def decide(self, game: str, view: View, offers: list[Offer], chance: random.Random) -> Move:
        try:
            move = self._choose(view, offers, chance)
        except Exception as fault:
            raise Fault("crash", f"{type(fault).__name__}: {fault}") from fault
        assert isinstance(move, dict)
        return move

    def close(self) -> None:
        pass


class Process:
    """A bot behind a pipe, started when it is first asked and again after a failure."""

    def __init__(self, command: list[str], timeout_s: float) -> None:
        self._command = command
        self._timeout_s = timeout_s
        self._starts = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._rest = b""

    def decide(self, game: str, view: View, offers: list[Offer], chance: random.Random) -> Move:
        asked = {"game": game, "view": view, "offers": offers, "seed": chance.getrandbits(32)}
        line = json.dumps(asked, separators=(",", ":")).encode() + b"\n"
        process = self._running()
        assert process.stdin
        assert process.stdout
        try:
            process.stdin.write(line)
            process.stdin.flush()
            answer = self._read_line(process.stdout)
        except Fault:
            self.close()
            raise
        except OSError as fault:
            self.close()
            raise Fault("crash", f"the process went away: {fault}") from None
        try:
            move = json.loads(answer)
        except ValueError:
            self.close()  # whatever else it wrote is not the answer to the next question
            raise Fault("garbage", f"expected a JSON object on one line, got {answer[:80]!r}") from None
        if not isinstance(move, dict):
            raise Fault("garbage", f"expected a JSON object on one line, got {answer[:80]!r}")
        if "fault" in move:
            raise Fault("crash", str(move["fault"])[:200])
        return move

    def close(self) -> None:
        """End the process and whatever it started."""
        process, self._process, self._rest = self._process, None, b""
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                assert pipe
                pipe.close()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            if self._starts == MOST_STARTS:
                raise Fault("retired", f"its process failed {MOST_STARTS} times and is not started again")
            self._starts += 1
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        return self._process

    def _read_line(self, pipe: IO[bytes]) -> bytes:
        deadline = time.monotonic() + self._timeout_s
        with selectors.DefaultSelector() as waiting:
            waiting.register(pipe, selectors.EVENT_READ)
            while b"\n" not in self._rest:
                left_s = deadline - time.monotonic()
                if left_s <= 0 or not waiting.select(left_s):
                    raise Fault("hang", f"no answer in {self._timeout_s:g} s")
                more = os.read(pipe.fileno(), 1 << 16)
                if not more:
                    raise Fault("crash", "the process ended without an answer")
                self._rest += more
                if len(self._rest) > LONGEST_LINE:
                    raise Fault("garbage", f"more than {LONGEST_LINE} bytes for one answer")
        line, _, self._rest = self._rest.partition(b"\n")
        return line


def entrant(spec: str, game: str, timeout_s: float) -> Entrant:
    """The bot that this names: a level, a Python file, or a command that can be run."""
    if spec in LEVELS:
        return House(game, spec)
    path = Path(spec)
    if path.suffix == ".py":
        if not path.is_file():
            raise BadEntrant(f"there is no file {spec}")
        return Process([sys.executable, "-m", "bots.line", str(path.resolve())], timeout_s)
    command = spec.split()
    if not command or shutil.which(command[0]) is None:
        raise BadEntrant(f"{spec!r} is neither one of {', '.join(LEVELS)}, nor a .py file, nor an executable")
    return Process(command, timeout_s)


def label(spec: str) -> str:
    """What the report calls this bot."""
    return Path(spec if Path(spec).exists() else spec.split()[0]).name
