"""The command line: `cheeseboard run`, `token`, `replay`, and what `python -m bots` does."""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import sys
from pathlib import Path

from server import logs
from server.embedded import Embedded, check_store
from server.people import People, Person, clean_name
from server.replay import BadReplay, verify
from server.settings import BadSetting, Settings
from server.store import Store
from server.supervisor import Supervisor

BOTS = {
    "arena": "let bots play many games against each other",
    "rerun": "ask a bot about a decision of a recorded game",
}


def main(arguments: list[str] | None = None) -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="cheeseboard", description="Play, watch and build bots for table games.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("run", help="serve everything: store, nodes and house bots")
    token = commands.add_parser("token", help="make a token for a bot")
    token.add_argument("--bot", required=True, metavar="NAME", help="the name that others see")
    token.add_argument("--owner", default="operator", help="whose bot it is")
    replay = commands.add_parser("replay", help="play a replay file again and compare")
    replay.add_argument("file", type=Path)
    for name, does in BOTS.items():
        commands.add_parser(name, help=does, add_help=False)
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments and arguments[0] in BOTS:  # bots are not for the server to import
        os.execv(sys.executable, [sys.executable, "-m", "bots", *arguments])
    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "run":
            settings = Settings.from_environment()
            logs.set_up("supervisor", settings.log_level)
            Supervisor(settings).run()
        elif chosen.command == "token":
            print(asyncio.run(_token(chosen.bot, chosen.owner)))  # noqa: T201
        else:
            _replay(chosen.file)
    except BadSetting as fault:
        sys.exit(f"cheeseboard: {fault}")


async def _token(name: str, owner: str) -> str:
    """A new bot's token, kept in the store of the service that runs here."""
    settings = Settings.from_environment()
    url = settings.redis_url or Embedded(settings.data).url
    try:
        check_store(url)
    except BadSetting:
        if settings.redis_url:
            raise
        raise BadSetting(f"no service runs with the data folder {settings.data}: start it first") from None
    store = Store(url)
    await store.start()
    token = secrets.token_urlsafe(32)
    await People(store).keep(Person("b" + secrets.token_hex(6), clean_name(name), True, clean_name(owner)), token)
    await store.close()
    return token


def _replay(path: Path) -> None:
    try:
        with path.open(encoding="utf-8") as file:
            entries = verify(file)
    except (OSError, UnicodeDecodeError, BadReplay) as fault:
        sys.exit(f"cheeseboard: {os.fspath(path)}: {fault}")
    print(f"{path}: {entries} entries play again to the same final state")  # noqa: T201


if __name__ == "__main__":
    main()
