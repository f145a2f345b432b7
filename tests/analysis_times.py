"""How long the analysis of a game of each kind takes on one core: `python -m tests.analysis_times [GAME ...]`."""

from __future__ import annotations

import itertools
import sys
import tempfile
import time
from pathlib import Path

from bots import game_analysis as analysis
from bots.arena import Contest, play_game
from bots.entrants import make_entrant
from games import GAMES


def main() -> None:
    """Let rookies play one game of each kind with three seats, and analyse it."""
    print("| game | decisions | games from each | whole | one decision | 100 games from the middle |")
    print("|---|---|---|---|---|---|")
    for game in [GAMES[name] for name in sys.argv[1:] or GAMES]:
        with tempfile.TemporaryDirectory() as folder:
            contest = Contest(game.name, ("rookie",) * 3, 1, 7, save=folder)
            play_game(contest, 0, 0, [make_entrant(bot, game.name, 10) for bot in contest.bots])
            text = next(Path(folder).iterdir()).read_text(encoding="utf-8")
        recorded = analysis.read(text.split("\n"))
        middle = recorded.moments[len(recorded.moments) // 2].n
        took = [time.process_time()]
        whole = analysis.whole(recorded, lambda share: None)
        took.append(time.process_time())
        analysis.decision(recorded, middle, lambda share: None)
        took.append(time.process_time())
        analysis.playouts(recorded, middle, lambda share: None)
        took.append(time.process_time())
        times = " | ".join(f"{after - before:.1f} s" for before, after in itertools.pairwise(took))
        print(f"| {game.title} | {len(recorded.moments)} | {whole['games']} | {times} |", flush=True)


if __name__ == "__main__":
    main()
