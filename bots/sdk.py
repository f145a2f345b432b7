"""The SDK for authors of bots: write `choose(view, offers, chance)` and call `run`. docs/bots.md explains it.

    from bots.sdk import fill, run

    def choose(view, offers, chance):
        return fill(chance.choice(offers), chance)

    run(choose, "ws://127.0.0.1:8000/ws", token="...")

`choose` is called whenever one of the bot's seats may act. If it takes a fourth argument, it also gets a `Turn`: the
table and what happened since the last call. The SDK reconnects, resumes, and sends a move with the same
key until it is answered. `choose` needs no memory: view and offers are complete each time.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bots.connection import Bot, Refused
from bots.offers import Choose, Chosen, Info, Move, Offer, View, fill, parts
from bots.turn import AnyChoose, Turn
from games import GAMES
from protocol.messages import DEFAULT_LEVEL

__all__ = [
    "Bot",
    "Choose",
    "Chosen",
    "Info",
    "Move",
    "Offer",
    "Refused",
    "Turn",
    "View",
    "fill",
    "parts",
    "run",
    "run_all",
]

log = logging.getLogger("cheeseboard.bot")


@dataclass(frozen=True)
class Plan:
    """What a bot is to do: one of the first three, or none of them to wait for invitations."""

    join: str | None = None
    game: str | None = None
    practice: str | None = None
    seats: int = 4
    times: int | None = None


def run(
    choose: AnyChoose | Mapping[str, AnyChoose],
    url: str,
    token: str,
    join: str | None = None,
    *,
    tables: int = 1,
    accept: Callable[[dict[str, Any]], bool] | None = None,
    **plan: Any,
) -> list[Info]:
    """Play with this `choose`, or with one for each game; returns the last `table` message of each finished table.

    `join=CODE` sits down at that table and returns when it has ended. `game=NAME` opens a table against house bots
    and returns when it has ended. `practice=NAME` plays in the practice pool, `times` tables or for ever. `seats` is
    the number of seats of such tables. With none of these the bot waits for invitations and plays at up to `tables`
    tables at once; `accept` is called with each invitation and returns whether to take it.
    """
    if not logging.getLogger().handlers:
        logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    wanted = Plan(join, **plan)
    every_game = None if isinstance(choose, Mapping) else choose
    by_game = choose if isinstance(choose, Mapping) else dict.fromkeys(GAMES, choose)
    waits = not (wanted.join or wanted.game or wanted.practice)
    plays = ({} if every_game else {"games": list(by_game)}) | {"tables": tables} if waits else None
    try:
        return asyncio.run(
            _run(Bot(address(url), token, lambda info: every_game or by_game[info["game"]], plays), wanted, accept)
        )
    except Refused as no:
        sys.exit(f"refused: {no}")
    except KeyboardInterrupt:
        return []


def address(url: str) -> str:
    """The address of the websocket, from the service's address as for a browser or with /ws at its end."""
    scheme, _, rest = url.partition("://")
    if scheme not in ("http", "https", "ws", "wss") or not rest.strip("/"):
        raise Refused({"code": "bad_address", "message": f"{url} is not an address such as http://127.0.0.1:8000/"})
    return f"{scheme.replace('http', 'ws')}://{rest.rstrip('/').removesuffix('/ws')}/ws"


async def _run(bot: Bot, plan: Plan, accept: Callable[[dict[str, Any]], bool] | None) -> list[Info]:
    ended: asyncio.Queue[Info] = asyncio.Queue()
    finished: list[Info] = []
    bot.accept = accept or bot.accept

    def end(info: Info) -> None:
        log.info("%s at table %s %s", info["game"], info["table"], _result(info))
        ended.put_nowait(info)

    bot.on_end = end
    playing = asyncio.create_task(bot.run())
    following = asyncio.create_task(_follow(bot, plan, ended, finished))
    try:
        await asyncio.wait((playing, following), return_when=asyncio.FIRST_COMPLETED)
        for task in (playing, following):
            if task.done():
                task.result()
    finally:
        for task in (playing, following):
            task.cancel()
        await asyncio.gather(playing, following, return_exceptions=True)
    return finished


async def _follow(bot: Bot, plan: Plan, ended: asyncio.Queue[Info], finished: list[Info]) -> None:
    await bot.welcomed.wait()
    log.info("connected as %s", bot.welcome["user"]["name"])
    sit_down: Callable[[Bot, Plan], Coroutine[Any, Any, str]] | None = None
    if plan.join:
        sit_down = _join
    elif plan.game:
        sit_down = _open
    elif plan.practice:
        sit_down = _practise
    if sit_down is None:
        while True:
            await ended.get()
    left = 1 if sit_down is not _practise else plan.times
    while left is None or left > 0:
        table = await sit_down(bot, plan)
        await bot.play_at(table)
        while (info := await ended.get())["table"] != table:
            pass
        finished[:] = [*finished, info] if left is not None else [info]
        left = None if left is None else left - 1


async def _join(bot: Bot, plan: Plan) -> str:
    table: str = (await bot.insist("open", code=plan.join))["table"]
    await bot.insist("sit", table=table)
    return table


async def _open(bot: Bot, plan: Plan) -> str:
    assert plan.game
    made = await bot.insist("create", game=plan.game, seats=_seats(bot, plan.game, plan.seats), bots=DEFAULT_LEVEL)
    return str(made["table"])


async def _practise(bot: Bot, plan: Plan) -> str:
    assert plan.practice
    seats = _seats(bot, plan.practice, plan.seats)
    table = str((await bot.insist("practice", game=plan.practice, seats=seats))["table"])
    log.info("waiting at table %s until it has %s bots", table, seats)
    return table


def _seats(bot: Bot, game: str, wanted: int) -> int:
    """The number of seats nearest to the wanted one that the game allows."""
    for one in bot.welcome["games"]:
        if one["name"] == game:
            return int(min(one["seats"][1], max(one["seats"][0], wanted)))
    return wanted


def _result(info: Info) -> str:
    seat, result = info.get("you"), info.get("result")
    if result is None or seat is None:
        return f"is {info['status']}"
    return f"is over: place {result['places'][seat]} of {len(result['places'])}"


async def run_all(bots: Iterable[Bot]) -> None:
    """Run several bots in one process, for ever."""
    await asyncio.gather(*(bot.run() for bot in bots))
