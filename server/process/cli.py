"""The command line: `cheeseboard run`, `token`, `tokens`, `revoke`, `backup`, and the commands of moderation.py,
repair.py, replays.py and bots/."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from protocol.codec import ProtocolError
from protocol.messages import SCOPES
from server.process import logging_setup, moderation, repair, replays
from server.process.backup import back_up
from server.process.embedded_valkey import EmbeddedValkey
from server.process.settings import BadSetting, Settings
from server.process.store_check import check_store
from server.process.supervisor import Supervisor
from server.requests.accounts import Accounts
from server.requests.bot_tokens import BotTokens
from server.store.open_store import open_store
from server.store.store import Store
from server.tables.rooms.service_clock import utc_text, wall_clock_ms
from server.tables.state.names import clean_name

OPERATOR = "operator"  # the owner of bots that are made on the command line
BOTS = {
    "arena": "let bots play many games against each other",
    "rerun": "ask a bot about a decision of a recorded game",
    "conform": "play the server to a bot and see how it copes",
}


def main(arguments: list[str] | None = None) -> None:
    """Run the command that the command line names."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments and arguments[0] in BOTS:  # the server imports nothing of bots/
        os.execv(sys.executable, [sys.executable, "-m", "bots", *arguments])
    chosen = _parser().parse_args(arguments)
    try:
        _run(chosen)
    except BrokenPipeError:  # the reader of the list has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (BadSetting, ProtocolError) as fault:
        sys.exit(f"cheeseboard: {fault}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cheeseboard", description="Play, watch and build bots for table games.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("run", help="serve everything: store, nodes and house bots")
    token = commands.add_parser("token", help="make a token for a bot")
    token.add_argument("--bot", required=True, metavar="NAME", help="the name that others see")
    token.add_argument("--owner", default="operator", help="whose bot it is")
    commands.add_parser("tokens", help="list the bots that were made here, with last use")
    revoke = commands.add_parser("revoke", help="revoke a bot's token")
    revoke.add_argument("bot", help="the bot's id, as `cheeseboard tokens` lists it")
    moderation.add_parsers(commands)
    repair.add_parser(commands)
    replays.add_parsers(commands)
    backup = commands.add_parser("backup", help="copy the embedded store while the service runs")
    backup.add_argument("folder", type=Path, help="a new folder for the copy")
    for name, does in BOTS.items():
        commands.add_parser(name, help=does, add_help=False)
    return parser


def _run(chosen: argparse.Namespace) -> None:
    """Run a command of the server."""
    match chosen.command:
        case "run":
            settings = Settings.from_environment()
            logging_setup.set_up("supervisor", settings.log_level)
            Supervisor(settings).run()
        case "token":
            asyncio.run(_token(chosen.bot, chosen.owner))
        case "tokens":
            asyncio.run(_tokens())
        case "revoke":
            asyncio.run(_revoke(chosen.bot))
        case "backup":
            size = back_up(Settings.from_environment(), chosen.folder)
            print(f"{chosen.folder}: {size} bytes")  # noqa: T201
        case "repair":
            asyncio.run(_repair(chosen))
        case "import":
            asyncio.run(_import(chosen.file))
        case "verify" | "replay":
            replays.verify_file(chosen)
        case _:
            logging_setup.set_up("operator", "warning")
            asyncio.run(_moderate(chosen))


@contextlib.asynccontextmanager
async def _store() -> AsyncIterator[Store]:
    """The store of the service that runs here."""
    settings = Settings.from_environment()
    url = settings.redis_url or EmbeddedValkey(settings.data).url
    try:
        url = check_store(url)
    except BadSetting:
        if settings.redis_url:
            raise
        raise BadSetting(f"no service runs with the data folder {settings.data}: start it first, or set DATA") from None
    store = open_store(url)
    await store.start()
    try:
        yield store
    finally:
        await store.close()


async def _moderate(chosen: argparse.Namespace) -> None:
    """Carry out a command about users."""
    async with _store() as store:
        await moderation.run(chosen, store)


async def _repair(chosen: argparse.Namespace) -> None:
    """Show or mend a log."""
    async with _store() as store:
        await repair.run(chosen, store)


async def _import(path: str) -> None:
    """Keep a replay file in the store."""
    async with _store() as store:
        await replays.import_file(path, store)


@contextlib.asynccontextmanager
async def _bot_tokens() -> AsyncIterator[BotTokens]:
    async with _store() as store:
        yield BotTokens(store, Accounts(store))


async def _token(name: str, owner: str) -> None:
    """Make a bot and print its token, which is never shown again."""
    async with _bot_tokens() as tokens:
        _, token = await tokens.make(OPERATOR, clean_name(owner), name, SCOPES, wall_clock_ms())
    print(token)  # noqa: T201


async def _tokens() -> None:
    """List the bots that were made on the command line."""
    async with _bot_tokens() as tokens:
        for bot in await tokens.of(OPERATOR):
            used = "never used" if bot.used is None else f"last used {utc_text(bot.used)}"
            print(f"{bot.user}  {bot.name}  made {utc_text(bot.made)}  {used}", flush=True)  # noqa: T201


async def _revoke(user: str) -> None:
    """Revoke the token of any bot."""
    async with _bot_tokens() as tokens:
        await tokens.revoke(None, user)


if __name__ == "__main__":
    main()
