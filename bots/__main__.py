"""The bots' part of the command line: `cheeseboard arena`, `cheeseboard rerun` and `cheeseboard conform`."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bots import rerun
from bots.arena import Contest, run
from bots.conform.__main__ import main as conform
from bots.entrants import BadEntrant, Fault, entrant
from bots.figures import as_map, as_svg, as_text, report
from games import GAMES
from games.core import option_choices


def main(arguments: list[str] | None = None) -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="cheeseboard", description="Build and measure bots.")
    commands = parser.add_subparsers(dest="command", required=True)
    _arena_arguments(commands.add_parser("arena", help="let bots play many games against each other"))
    _rerun_arguments(commands.add_parser("rerun", help="ask a bot about a decision of a recorded game"))
    commands.add_parser("conform", help="play the server to a bot", add_help=False)
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["conform"]:
        conform(arguments[1:])
        return
    chosen = parser.parse_args(arguments)
    try:
        _arena(chosen) if chosen.command == "arena" else _rerun(chosen)
    except (BadEntrant, rerun.BadRerun, Fault, OSError, ImportError, ValueError) as fault:
        sys.exit(f"cheeseboard: {fault}")


def _arena_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument(
        "--seats", required=True, help="a level, path/to/mybot.py or a command for each seat, with commas between"
    )
    parser.add_argument(
        "--games", type=int, default=500, help="rounded up to whole deals in every rotation; default %(default)s"
    )
    parser.add_argument("--seed", type=int, default=1, help="the same one plays the same games; default %(default)s")
    parser.add_argument("--jobs", type=int, default=1, help="processes; default %(default)s")
    parser.add_argument("--json", action="store_true", help="the report for machines")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="write an SVG")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    parser.add_argument(
        "--timeout", type=float, default=10.0, metavar="S", help="for a decision of a strange bot; default %(default)s"
    )


def _rerun_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("replay", type=Path)
    parser.add_argument("--until", type=int, required=True, metavar="N", help="the entry that decided it then")
    parser.add_argument("--seat", type=int, help="the seat of that entry if not given")
    parser.add_argument("--bot", required=True, help="a level, path/to/mybot.py or a command")
    parser.add_argument("--seed", type=int, default=1, help="for the bot's own chance; default %(default)s")
    parser.add_argument("--json", action="store_true")
    parser.add_argument(
        "--timeout", type=float, default=10.0, metavar="S", help="for the decision; default %(default)s"
    )


def _arena(chosen: argparse.Namespace) -> None:
    bots = tuple(spec.strip() for spec in chosen.seats.split(","))
    seats = GAMES[chosen.game].seats
    if len(bots) not in seats:
        raise ValueError(f"{chosen.game} has {seats[0]} to {seats[-1]} seats, and --seats names {len(bots)}")
    if chosen.games < 1 or chosen.jobs < 1:
        raise ValueError("--games and --jobs are at least 1")
    for spec in set(bots):
        entrant(spec, chosen.game, chosen.timeout)  # says what is wrong with it before anything is played
    if chosen.plot:
        _must_be_writable(chosen.plot)
    options = tuple(_option(chosen.game, text) for text in chosen.option)
    deals = -(-chosen.games // len(bots))
    contest = Contest(chosen.game, bots, deals, chosen.seed, options, chosen.timeout)
    started = time.perf_counter()
    played = run(contest, chosen.jobs, _progress(deals * len(bots)))
    found = report(contest, played, time.perf_counter() - started, chosen.jobs)
    if chosen.plot:
        chosen.plot.write_text(as_svg(found), encoding="utf-8")
    sys.stdout.write(json.dumps(as_map(found), indent=1) + "\n" if chosen.json else as_text(found))


def _must_be_writable(plot: Path) -> None:
    try:
        plot.open("a").close()
    except OSError as fault:
        raise ValueError(f"--plot {plot} cannot be written: {fault.strerror}") from None


def _option(game: str, text: str) -> tuple[str, Any]:
    choices = option_choices(GAMES[game])
    name, _, value = text.partition("=")
    for choice in choices.get(name, ()):
        if str(choice).lower() == value.lower():
            return name, choice
    known = "; ".join(f"{option}={'|'.join(map(str, values))}" for option, values in choices.items())
    raise ValueError(f"{game} has no option {text!r}; it has {known or 'none'}")


def _progress(total: int) -> Callable[[int], None]:
    """A bar with the time left, on a terminal only."""
    started = time.monotonic()

    def show(done: int) -> None:
        if not sys.stderr.isatty():
            return
        left_s = (time.monotonic() - started) / done * (total - done)
        bar = "#" * (30 * done // total)
        end = "\n" if done == total else ""
        sys.stderr.write(f"\r[{bar:<30}] {done}/{total} games, {_clock(left_s)} left {end}")
        sys.stderr.flush()

    return show


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def _rerun(chosen: argparse.Namespace) -> None:
    with chosen.replay.open(encoding="utf-8") as file:
        at = rerun.decision(file, chosen.until, chosen.seat)
    found = rerun.answer(at, rerun.chooser(chosen.bot, at.game.name, chosen.timeout), chosen.seed)
    sys.stdout.write(json.dumps(found, ensure_ascii=False, indent=1) + "\n" if chosen.json else rerun.as_text(found))


if __name__ == "__main__":
    main()
