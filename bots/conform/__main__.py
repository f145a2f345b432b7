"""The command line of the kit: `cheeseboard conform -- CMD...`, described in docs/bots.md."""

from __future__ import annotations

import argparse
import asyncio
import secrets
import shutil
import sys

from bots.conform.report import ALL, Finding, as_json, as_text, chosen, failed, go_through_all
from bots.conform.stage import CODE
from games import GAMES

FIRST = "cheesedog"  # the game of all situations that are not about a game


def main(arguments: list[str]) -> None:
    """Do what the command line says."""
    wanted = _parser().parse_args(arguments)
    if wanted.list:
        for one in ALL:
            sys.stdout.write(f"{one.name:28} {'required' if one.required else 'recommended':12} {one.title}\n")
        return
    try:
        findings = _go(wanted)
    except (ValueError, OSError) as fault:
        sys.exit(f"cheeseboard: {fault}")
    except KeyboardInterrupt:
        sys.exit(130)
    sys.stdout.write(as_json(findings) if wanted.json else as_text(findings))
    sys.exit(1 if failed(findings, wanted.strict) else 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cheeseboard conform", description="Play the server to a bot, through one situation after another."
    )
    parser.add_argument(
        "--games",
        default=",".join([FIRST, *(name for name in GAMES if name != FIRST)]),
        help="those that the bot plays, with commas between; the first one for most situations",
    )
    parser.add_argument("--only", default="", metavar="NAMES", help="only these situations, with commas between")
    parser.add_argument("--list", action="store_true", help="list the situations and go")
    parser.add_argument("--patience", type=float, default=15.0, metavar="S", help="how long an answer may take")
    parser.add_argument("--jobs", type=int, default=4, help="situations at a time")
    parser.add_argument("--strict", action="store_true", help="fail also for what is only recommended")
    parser.add_argument("--json", action="store_true", help="the report for machines")
    parser.add_argument("--port", type=int, default=0, help="without a command: wait here for the bot to connect")
    parser.add_argument(
        "command", nargs="*", metavar="CMD", help="starts the bot; {url}, {token}, {code} are filled in"
    )
    return parser


def _go(wanted: argparse.Namespace) -> list[Finding]:
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
        raise ValueError("name the command that starts the bot, after --, or a --port to wait at")
    return asyncio.run(
        go_through_all(situations, wanted.command, games[0], wanted.patience, wanted.jobs, wanted.port, token)
    )


if __name__ == "__main__":
    main(sys.argv[1:])
