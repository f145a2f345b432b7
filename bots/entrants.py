"""The kinds of bots in the arena: a house bot by its level, a Python file with `choose`, or any executable.

A Python file runs in a process of its own and uses the same protocol as an executable: one JSON line for each
decision, one JSON line with the move in return (docs/arena.md). A bot that crashes or hangs therefore loses a decision
and disturbs nobody else.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import random
import re
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, Protocol

from bots.budget import read_budget
from bots.offers import Choose, Move, Offer, View, finished
from bots.players import player
from bots.turn import AnyChoose, Turn, taking_turn
from protocol.messages import LEVELS

MADE_BY = re.compile(r"[a-zA-Z_][\w.]*:[a-zA-Z_]\w*")  # module:function, which makes a `choose` for a game
MAX_LINE_BYTES = 1 << 20
MAX_STARTS = 10  # of a bot's process: when it has failed this often, it is not started again


NO_TURN = Turn("", "", 0, {}, 0, [])


class Fault(Exception):  # noqa: N818
    """A bot has made no legal move; `kind` is one of the kinds in docs/arena.md."""

    def __init__(self, kind: str, what: str) -> None:
        super().__init__(what)
        self.kind = kind


class UnknownBot(Exception):  # noqa: N818
    """The text names no bot: no level, no file, no executable."""


class Entrant(Protocol):
    """A bot in the arena."""

    def decide(self, view: View, offers: list[Offer], chance: random.Random, turn: Callable[[], Turn]) -> Move:
        """The bot's move; raises Fault. `turn` makes the circumstances of the decision, for bots that want them."""

    def close(self) -> None:
        """Release the bot's resources."""


class LocalBot:
    """A house bot, or another `choose`, in this process."""

    def __init__(self, choose: AnyChoose) -> None:
        self._choose = taking_turn(choose)
        self._needs_turn = self._choose is choose

    def decide(self, view: View, offers: list[Offer], chance: random.Random, turn: Callable[[], Turn]) -> Move:
        try:
            move, _ = finished(self._choose(view, offers, chance, turn() if self._needs_turn else NO_TURN))
        except Exception as fault:
            raise Fault("crash", f"{type(fault).__name__}: {fault}") from fault
        return move

    def close(self) -> None:
        pass


class ProcessBot:
    """A bot in a process of its own, which is started with the first decision and again after a failure."""

    def __init__(self, command: list[str], timeout_s: float) -> None:
        self._command = command
        self._timeout_s = timeout_s
        self._starts = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._rest = b""

    def decide(self, view: View, offers: list[Offer], chance: random.Random, turn: Callable[[], Turn]) -> Move:
        asked = {**turn().as_dict(), "view": view, "offers": offers, "seed": chance.getrandbits(32)}
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
            raise Fault("crash", f"the process is gone: {fault}") from None
        try:
            move = json.loads(answer)
        except ValueError:
            self.close()  # what else it may have written would be read as the next answer
            raise Fault("garbage", f"expected a JSON object on one line, got {answer[:80]!r}") from None
        if not isinstance(move, dict):
            raise Fault("garbage", f"expected a JSON object on one line, got {answer[:80]!r}")
        if "fault" in move:
            raise Fault("crash", str(move["fault"])[:200])
        return move

    def close(self) -> None:
        """Kill the process and its children."""
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
            if self._starts == MAX_STARTS:
                raise Fault("retired", f"its process failed {MAX_STARTS} times and is not started again")
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
                if len(self._rest) > MAX_LINE_BYTES:
                    raise Fault("garbage", f"more than {MAX_LINE_BYTES} bytes for one answer")
        line, _, self._rest = self._rest.partition(b"\n")
        return line


def make_entrant(spec: str, game: str, timeout_s: float) -> Entrant:
    """The bot that a level, a Python file or a command names; raises UnknownBot."""
    level, _, budget = spec.partition(":")
    if level in LEVELS:
        return LocalBot(player(game, level, read_budget(budget) if budget else None))
    if MADE_BY.fullmatch(spec):
        return LocalBot(_made_by(spec, game))
    path = Path(spec)
    if path.suffix == ".py":
        if not path.is_file():
            raise UnknownBot(f"there is no file {spec}")
        return ProcessBot([sys.executable, "-m", "bots.json_lines", str(path.resolve())], timeout_s)
    command = spec.split()
    if not command or shutil.which(command[0]) is None:
        kinds = f"one of {', '.join(LEVELS)}, nor a .py file, nor a module:function, nor an executable"
        raise UnknownBot(f"{spec!r} is neither {kinds}")
    return ProcessBot(command, timeout_s)


def _made_by(spec: str, game: str) -> Choose:
    """What the function that `package.module:function` names makes for this game."""
    module, _, name = spec.partition(":")
    try:
        make: Callable[[str], Choose] = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as fault:
        raise UnknownBot(f"there is no {spec}: {fault}") from None
    return make(game)


def labels(specs: Iterable[str]) -> dict[str, str]:
    """The names of these bots in reports: the name of the program, with as much more as tells it from the others."""
    wanted = list(dict.fromkeys(specs))
    names = {spec: _name(spec) for spec in wanted}
    for spec in wanted:
        if sum(_name(other) == _name(spec) for other in wanted) > 1:
            names[spec] = spec
    return names


def _name(spec: str) -> str:
    if MADE_BY.fullmatch(spec):
        return spec.partition(":")[2]
    return Path(spec if Path(spec).exists() else spec.split()[0]).name
