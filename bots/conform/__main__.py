"""The command line of the conformance kit, `cheeseboard conform -- CMD...`; docs/bots.md describes it."""

from __future__ import annotations

import argparse
import asyncio
import secrets
import shutil
import sys

from bots.conform.report import ALL, Finding, as_json, as_text, chosen, failed, run_all
from bots.conform.server import CODE
from bots.progress import progress_bar
from games import GAMES

FIRST = "cheesedog"  # played in the situations that are not about one game


def main(arguments: list[str]) -> None:
    """Run the situations that the arguments select; exit code 1 if the bot fails."""
    wanted = _parser().parse_args(arguments)
    if wanted.list:
        for one in ALL:
            sys.stdout.write(f"{one.name:28} {'required' if one.required else 'recommended':12} {one.title}\n")
        return
    try:
        findings = _run(wanted)
    except (ValueError, OSError) as fault:
        sys.exit(f"cheeseboard: {fault}")
    except KeyboardInterrupt:
        sys.exit(130)
    sys.stdout.write(as_json(findings) if wanted.json else as_text(findings))
    sys.exit(1 if failed(findings, wanted.strict) else 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cheeseboard conform", description="Test a bot against a simulated server, one situation after another."
    )
    parser.add_argument(
        "--games",
        default=",".join([FIRST, *(name for name in GAMES if name != FIRST)]),
        help="games that the bot plays, separated by commas; most situations use the first",
    )
    parser.add_argument("--only", default="", metavar="NAMES", help="run only these situations, separated by commas")
    parser.add_argument("--list", action="store_true", help="list the situations and exit")
    parser.add_argument("--patience", type=float, default=15.0, metavar="S", help="seconds that an answer may take")
    parser.add_argument("--jobs", type=int, default=4, help="situations that run at the same time")
    parser.add_argument("--strict", action="store_true", help="fail also if a recommended situation fails")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument(
        "--port", type=int, default=0, help="without a command: wait on this port for the bot to connect"
    )
    parser.add_argument(
        "command", nargs="*", metavar="CMD", help="command that starts the bot; {url}, {token} and {code} are replaced"
    )
    return parser


def _run(wanted: argparse.Namespace) -> list[Finding]:
    games = wanted.games.split(",")
    for game in games:
        if game not in GAMES:
            raise ValueError(f"there is no game {game!r}: {', '.join(GAMES)}")
    situations = chosen(games, [name for name in wanted.only.split(",") if name])
    token = secrets.token_urlsafe(24)
    if wanted.command:
        if shutil.which(wanted.command[0]) is None:
            raise ValueError(f"{wanted.command[0]} cannot be run")
    elif wanted.port:
        sys.stderr.write(f"url ws://127.0.0.1:{wanted.port}/ws  token {token}  code {CODE}\n")
    else:
        raise ValueError("name the command that starts the bot, after --, or a --port to wait on")
    progress = progress_bar(len(situations), "situations")
    playing = run_all(situations, wanted.command, games[0], wanted.patience, wanted.jobs, wanted.port, token, progress)
    return asyncio.run(playing)


if __name__ == "__main__":
    main(sys.argv[1:])
