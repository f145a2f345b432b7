"""A Python file's `choose` behind the arena's lines: python -m bots.line path/to/mybot.py

What the file prints goes to the error output, so that it cannot be taken for a move.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import inspect
import json
import random
import sys
from collections.abc import Awaitable
from pathlib import Path

from bots.choice import Choose, Chosen, parts


def load(path: Path) -> Choose:
    """The file's `choose`."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    spec.loader.exec_module(module)
    choose: Choose | None = getattr(module, "choose", None)
    if choose is None:
        raise ImportError(f"{path} has no choose(view, offers, chance)")
    return choose


async def _done(chosen: Awaitable[Chosen]) -> Chosen:
    return await chosen


def main(path: Path) -> None:
    """Answer line by line until there are no more."""
    answers = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):
        choose = load(path)
        for line in sys.stdin:
            asked = json.loads(line)
            try:
                chosen = choose(asked["view"], asked["offers"], random.Random(asked["seed"]))
                move, _ = parts(asyncio.run(_done(chosen)) if inspect.isawaitable(chosen) else chosen)
                answer = json.dumps(move)
            except Exception as fault:
                answer = json.dumps({"fault": f"{type(fault).__name__}: {fault}"})
            answers.write(answer + "\n")
            answers.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
