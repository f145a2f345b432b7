"""The bots' part of the command line: `cheeseboard arena`, `cheeseboard rerun` and `cheeseboard conform`."""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bots import rerun, round_robin, sequential
from bots.arena import Contest, PlayedGame, run, run_until
from bots.arena_report import as_dict, as_svg, as_text, make_report
from bots.conform.__main__ import main as conform
from bots.entrants import Fault, UnknownBot, labels, make_entrant
from bots.progress import progress_bar
from games import GAMES
from games.core import option_choices


def main(arguments: list[str] | None = None) -> None:
    """Run the command that the arguments name."""
    parser = argparse.ArgumentParser(prog="cheeseboard", description="Build and measure bots.")
    commands = parser.add_subparsers(dest="command", required=True)
    _arena_arguments(commands.add_parser("arena", help="let bots play many games against each other"))
    _rerun_arguments(commands.add_parser("rerun", help="ask a bot about one decision of a recorded game"))
    commands.add_parser("conform", help="test a bot against a simulated server", add_help=False)
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["conform"]:
        conform(arguments[1:])
        return
    chosen = parser.parse_args(arguments)
    try:
        _arena(chosen) if chosen.command == "arena" else _rerun(chosen)
    except (UnknownBot, rerun.BadRerun, Fault, OSError, ImportError, ValueError) as fault:
        sys.exit(f"cheeseboard: {fault}")


def _arena_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument(
        "--seats", required=True, help="for each seat a level, path/to/mybot.py or a command, separated by commas"
    )
    parser.add_argument(
        "--games",
        type=int,
        default=500,
        help="rounded up so that each deal is played in every rotation; default %(default)s",
    )
    parser.add_argument("--seed", type=int, default=1, help="the same seed plays the same games; default %(default)s")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes; default %(default)s")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="write a plot as SVG")
    parser.add_argument(
        "--round-robin", action="store_true", help="let every group of --table bots of --seats play --games games"
    )
    parser.add_argument("--table", type=int, default=3, help="seats of a table in a round robin; default %(default)s")
    parser.add_argument(
        "--until-sure", action="store_true", help="stop as soon as it is sure which of two bots is better"
    )
    for name, default, what in (
        ("--alpha", 0.05, "error rate if the second bot is better"),
        ("--beta", 0.05, "error rate if the first bot is better"),
        ("--edge", 0.03, "difference from 50 %% that matters"),
    ):
        about = f"with --until-sure: {what}; default %(default)s"
        parser.add_argument(name, type=_rate, default=default, help=about)
    parser.add_argument("--save", type=Path, metavar="FOLDER", help="write a replay of each game into this folder")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    parser.add_argument(
        "--timeout",
        type=float,
        default=10.0,
        metavar="S",
        help="seconds for a decision of a file or command; default %(default)s",
    )


def _rate(text: str) -> float:
    """A number between 0 and 0.5."""
    number = float(text)
    if not 0 < number < 0.5:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 0.5")
    return number


def _rerun_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("replay", type=Path)
    parser.add_argument("--until", type=int, required=True, metavar="N", help="the entry with the recorded decision")
    parser.add_argument("--seat", type=int, help="default: the seat of that entry")
    parser.add_argument("--bot", required=True, help="a level, path/to/mybot.py or a command")
    parser.add_argument("--seed", type=int, default=1, help="for the bot's random choices; default %(default)s")
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")
    parser.add_argument(
        "--timeout", type=float, default=10.0, metavar="S", help="seconds for the decision; default %(default)s"
    )


def _arena(chosen: argparse.Namespace) -> None:
    bots = tuple(spec.strip() for spec in chosen.seats.split(","))
    seats = GAMES[chosen.game].seats
    at_table = chosen.table if chosen.round_robin else len(bots)
    if at_table not in seats:
        named = "--table" if chosen.round_robin else "--seats"
        raise ValueError(f"{chosen.game} has {seats[0]} to {seats[-1]} seats, and {named} names {at_table}")
    if chosen.games < 1 or chosen.jobs < 1:
        raise ValueError("--games and --jobs must be at least 1")
    for spec in set(bots):  # so that a bot that cannot be entered is reported before the first game
        make_entrant(spec, chosen.game, chosen.timeout)
    if chosen.plot:
        _must_be_writable(chosen.plot)
    if chosen.save:
        chosen.save.mkdir(parents=True, exist_ok=True)
    if chosen.round_robin and chosen.until_sure:
        raise ValueError("--round-robin and --until-sure exclude each other")
    options = tuple(_option(chosen.game, text) for text in chosen.option)
    deals = -(-chosen.games // at_table)
    contest = Contest(chosen.game, bots, deals, chosen.seed, options, chosen.timeout, str(chosen.save or ""))
    if chosen.round_robin:
        _round_robin(chosen, contest)
    else:
        _contest(chosen, contest)


def _contest(chosen: argparse.Namespace, contest: Contest) -> None:
    started, progress = time.perf_counter(), progress_bar(contest.deals * len(contest.bots), "games")
    verdict = ""
    if chosen.until_sure:
        played, verdict = _until_sure(chosen, contest, progress)
    else:
        played = run(contest, chosen.jobs, progress)
    found = make_report(contest, played, time.perf_counter() - started, chosen.jobs)
    if chosen.plot:
        chosen.plot.write_text(as_svg(found), encoding="utf-8")
    verdicts = {"verdict": verdict} if verdict else {}
    text = as_text(found) + (f"\n{verdict}\n" if verdict else "")
    sys.stdout.write(json.dumps({**as_dict(found), **verdicts}, indent=1) + "\n" if chosen.json else text)


def _until_sure(
    chosen: argparse.Namespace, contest: Contest, progress: Callable[[int], None]
) -> tuple[list[PlayedGame], str]:
    """Play until it is sure which of the two bots is better; the games, and the verdict in words."""
    two = list(dict.fromkeys(contest.bots))
    if len(two) != 2:
        raise ValueError(
            "--until-sure compares two bots: name two different ones in --seats, each as often as you like"
        )
    a, b = ([at for at, bot in enumerate(contest.bots) if bot == one] for one in two)
    test = sequential.ErrorRates(chosen.alpha, chosen.beta, chosen.edge)

    def judge(played: list[PlayedGame]) -> sequential.Verdict:
        deals = itertools.groupby(played, key=lambda one: one.deal)
        return sequential.first_verdict([sequential.score(list(games), a, b) for _, games in deals], test)

    def stop(played: list[PlayedGame]) -> int | None:
        found = judge(played)
        return found.deals if found.better else None

    played = run_until(contest, chosen.jobs, progress, stop)
    found, names = judge(played), labels(contest.bots)
    first, second = names[two[0]], names[two[1]]
    sure = {
        1: f"{first} is better than {second}",
        -1: f"{second} is better than {first}",
        0: f"It is not sure whether {first} or {second} is better",
    }[found.better]
    return played, (
        f"{sure}: {first} was ahead in {100 * found.score:.1f} % after {found.deals} deals (log likelihood ratio"
        f" {found.llr:.2f}, bounds {found.lower:.2f} and {found.upper:.2f}; edge {test.edge:g}, error rates"
        f" {test.alpha:g} and {test.beta:g})."
    )


def _round_robin(chosen: argparse.Namespace, contest: Contest) -> None:
    if len(set(contest.bots)) != len(contest.bots) or len(contest.bots) < chosen.table:
        raise ValueError(f"--round-robin needs at least {chosen.table} different bots, each named once")
    groups = len(round_robin.groups(contest.bots, chosen.table))
    progress = progress_bar(groups * contest.deals * chosen.table, "games")
    results = round_robin.play_all(contest, chosen.table, chosen.jobs, progress)
    found = round_robin.make_table(contest, chosen.table, results)
    if chosen.plot:
        chosen.plot.write_text(round_robin.as_svg(found), encoding="utf-8")
    text = round_robin.as_text(found)
    sys.stdout.write(json.dumps(round_robin.as_dict(found), indent=1) + "\n" if chosen.json else text)


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


def _rerun(chosen: argparse.Namespace) -> None:
    with chosen.replay.open(encoding="utf-8") as file:
        at = rerun.decision(file, chosen.until, chosen.seat)
    found = rerun.answer(at, rerun.chooser(chosen.bot, at.game.name, chosen.timeout), chosen.seed)
    sys.stdout.write(json.dumps(found, ensure_ascii=False, indent=1) + "\n" if chosen.json else rerun.as_text(found))


if __name__ == "__main__":
    main()
