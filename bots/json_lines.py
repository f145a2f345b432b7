"""Run the `choose` of a Python file as a process that reads and writes JSON lines, for the arena.

python -m bots.json_lines path/to/mybot.py

The file's own output goes to stderr, so that it is not mistaken for a move.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import random
import sys
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

from bots.offers import finished
from bots.turn import AnyChoose, Turn, taking_turn

FIELDS = tuple(one.name for one in fields(Turn))


def load(path: Path) -> AnyChoose | Mapping[str, AnyChoose]:
    """Import the file and return its `choose`, or its map with one for each game."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    spec.loader.exec_module(module)
    choose: AnyChoose | Mapping[str, AnyChoose] | None = getattr(module, "choose", None)
    if choose is None:
        raise ImportError(f"{path} has no choose(view, offers, chance)")
    return choose


def choose_for(game: str, choose: AnyChoose | Mapping[str, AnyChoose]) -> AnyChoose:
    """The `choose` for this game."""
    if not isinstance(choose, Mapping):
        return choose
    if game not in choose:
        raise ValueError(f"choose has no function for {game}, only for {', '.join(choose)}")
    return choose[game]


def main(path: Path) -> None:
    """Answer each line of stdin with a line on stdout."""
    answers = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):
        choose = load(path)
        for line in sys.stdin:
            asked = json.loads(line)
            try:
                turn = Turn(**{name: asked[name] for name in FIELDS})
                chance = random.Random(asked["seed"])
                now = taking_turn(choose_for(turn.game, choose))
                move, _ = finished(now(asked["view"], asked["offers"], chance, turn))
                answer = json.dumps(move)
            except Exception as fault:
                answer = json.dumps({"fault": f"{type(fault).__name__}: {fault}"})
            answers.write(answer + "\n")
            answers.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
