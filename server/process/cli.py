"""The command line: `cheeseboard run`, `token`, `replay`, and what `python -m bots` does."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import sys
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

from protocol.codec import ProtocolError
from server import logs
from server.embedded import Embedded, check_store
from server.people import SCOPES, People, clean_name
from server.replay import BadReplay, verify
from server.settings import BadSetting, Settings
from server.store import Store
from server.supervisor import Supervisor

OPERATOR = "operator"  # who owns the bots that are made on the command line
BOTS = {
    "arena": "let bots play many games against each other",
    "rerun": "ask a bot about a decision of a recorded game",
    "conform": "play the server to a bot and see how it copes",
}


def main(arguments: list[str] | None = None) -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="cheeseboard", description="Play, watch and build bots for table games.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("run", help="serve everything: store, nodes and house bots")
    token = commands.add_parser("token", help="make a token for a bot")
    token.add_argument("--bot", required=True, metavar="NAME", help="the name that others see")
    token.add_argument("--owner", default="operator", help="whose bot it is")
    commands.add_parser("tokens", help="list the bots that were made here, with last use")
    revoke = commands.add_parser("revoke", help="take a bot's token back")
    revoke.add_argument("bot", help="the bot's id, as `cheeseboard tokens` lists it")
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
            asyncio.run(_token(chosen.bot, chosen.owner))
        elif chosen.command == "tokens":
            asyncio.run(_tokens())
        elif chosen.command == "revoke":
            asyncio.run(_revoke(chosen.bot))
        else:
            _replay(chosen.file)
    except BrokenPipeError:  # whoever reads the list has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (BadSetting, ProtocolError) as fault:
        sys.exit(f"cheeseboard: {fault}")


@contextlib.asynccontextmanager
async def _people() -> AsyncIterator[People]:
    """The people in the store of the service that runs here."""
    settings = Settings.from_environment()
    url = settings.redis_url or Embedded(settings.data).url
    try:
        check_store(url)
    except BadSetting:
        if settings.redis_url:
            raise
        raise BadSetting(f"no service runs with the data folder {settings.data}: start it first, or set DATA") from None
    store = Store(url)
    await store.start()
    try:
        yield People(store)
    finally:
        await store.close()


async def _token(name: str, owner: str) -> None:
    """Make a bot and print its token, which is never shown again."""
    async with _people() as people:
        now = time.time_ns() // 1_000_000
        _, token = await people.make_bot(OPERATOR, clean_name(owner), name, SCOPES, now)
    print(token)  # noqa: T201


async def _tokens() -> None:
    """List the bots that were made on the command line."""
    async with _people() as people:
        for bot in await people.bots_of(OPERATOR):
            used = "never used" if bot.used is None else f"last used {_when(bot.used)}"
            print(f"{bot.user}  {bot.name}  made {_when(bot.made)}  {used}", flush=True)  # noqa: T201


async def _revoke(user: str) -> None:
    """Take a bot's token back, whoever's it is."""
    async with _people() as people:
        await people.revoke(None, user)


def _when(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _replay(path: Path) -> None:
    try:
        with path.open(encoding="utf-8") as file:
            entries = verify(file)
    except (OSError, UnicodeDecodeError, BadReplay) as fault:
        sys.exit(f"cheeseboard: {os.fspath(path)}: {fault}")
    print(f"{path}: {entries} entries play again to the same final state")  # noqa: T201


if __name__ == "__main__":
    main()
