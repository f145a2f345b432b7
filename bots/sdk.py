"""Everything a bot author needs: write `choose(view, offers, chance)` and call `run`. docs/bots.md shows how.

    from bots.sdk import fill, run

    def choose(view, offers, chance):
        return fill(chance.choice(offers), chance)

    run(choose, "ws://127.0.0.1:8000/ws", token="...")

The bot is asked whenever a seat of its may act. It reconnects and resumes by itself, sends a move again with
the same key until it is answered, and never has to remember anything: view and offers are whole each time.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bots.bot import Bot, Refused
from bots.choice import Choose, Chosen, Info, Move, Offer, View, fill, parts
from games import GAMES

__all__ = [
    "Bot",
    "Choose",
    "Chosen",
    "Info",
    "Move",
    "Offer",
    "Refused",
    "View",
    "fill",
    "parts",
    "run",
    "run_all",
]

log = logging.getLogger("cheeseboard.bot")


@dataclass(frozen=True)
class Wish:
    """What a bot is to do: one of the first three, or to wait for invitations."""

    join: str | None = None
    game: str | None = None
    practice: str | None = None
    seats: int = 4
    times: int | None = None


def run(
    choose: Choose | Mapping[str, Choose],
    url: str,
    token: str,
    join: str | None = None,
    *,
    tables: int = 1,
    accept: Callable[[dict[str, Any]], bool] | None = None,
    **wish: Any,
) -> list[Info]:
    """Play with this `choose`, or with one for each game; what is known of the finished tables.

    `join=CODE` sits down at that table and ends with it. `game=NAME` opens a table against house bots and ends
    with it. `practice=NAME` plays in the practice pool, `times` tables or for ever; `seats` is how many seats
    those tables have. With none of these the bot waits for invitations, to `tables` tables at once; `accept` is
    given each invitation and may say no.
    """
    if not logging.getLogger().handlers:
        logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    wanted = Wish(join, **wish)
    one = None if isinstance(choose, Mapping) else choose
    chooses = choose if isinstance(choose, Mapping) else dict.fromkeys(GAMES, choose)
    waits = not (wanted.join or wanted.game or wanted.practice)
    plays = {"games": list(chooses), "tables": tables} if waits else None
    try:
        return asyncio.run(
            _run(Bot(address(url), token, lambda info: one or chooses[info["game"]], plays), wanted, accept)
        )
    except Refused as no:
        sys.exit(f"refused: {no}")
    except KeyboardInterrupt:
        return []


def address(url: str) -> str:
    """Where to connect: the service's address may be given as for a browser, and with or without /ws."""
    scheme, _, rest = url.partition("://")
    if scheme not in ("http", "https", "ws", "wss") or not rest.strip("/"):
        raise Refused({"code": "bad_address", "message": f"{url} is no address such as http://127.0.0.1:8000/"})
    return f"{scheme.replace('http', 'ws')}://{rest.rstrip('/').removesuffix('/ws')}/ws"


async def _run(bot: Bot, wish: Wish, accept: Callable[[dict[str, Any]], bool] | None) -> list[Info]:
    ended: asyncio.Queue[Info] = asyncio.Queue()
    finished: list[Info] = []
    bot.accept = accept or bot.accept

    def end(info: Info) -> None:
        log.info("%s at table %s %s", info["game"], info["table"], _result(info))
        ended.put_nowait(info)

    bot.on_end = end
    playing = asyncio.create_task(bot.run())
    wishing = asyncio.create_task(_fulfil(bot, wish, ended, finished))
    try:
        await asyncio.wait((playing, wishing), return_when=asyncio.FIRST_COMPLETED)
        for task in (playing, wishing):
            if task.done():
                task.result()
    finally:
        for task in (playing, wishing):
            task.cancel()
        await asyncio.gather(playing, wishing, return_exceptions=True)
    return finished


async def _fulfil(bot: Bot, wish: Wish, ended: asyncio.Queue[Info], finished: list[Info]) -> None:
    await bot.welcomed.wait()
    log.info("%s is here", bot.welcome["user"]["name"])
    begin: Callable[[Bot, Wish], Coroutine[Any, Any, str]] | None = None
    if wish.join:
        begin = _join
    elif wish.game:
        begin = _open
    elif wish.practice:
        begin = _practise
    if begin is None:
        while True:
            await ended.get()
    left = 1 if begin is not _practise else wish.times
    while left is None or left > 0:
        table = await begin(bot, wish)
        await bot.play_at(table)
        while (info := await ended.get())["table"] != table:
            pass
        finished[:] = [*finished, info] if left is not None else [info]
        left = None if left is None else left - 1


async def _join(bot: Bot, wish: Wish) -> str:
    table: str = (await bot.insist("open", code=wish.join))["table"]
    await bot.insist("sit", table=table)
    return table


async def _open(bot: Bot, wish: Wish) -> str:
    assert wish.game
    made = await bot.insist("create", game=wish.game, seats=_seats(bot, wish.game, wish.seats), bots="rookie")
    return str(made["table"])


async def _practise(bot: Bot, wish: Wish) -> str:
    assert wish.practice
    seats = _seats(bot, wish.practice, wish.seats)
    return str((await bot.insist("practice", game=wish.practice, seats=seats))["table"])


def _seats(bot: Bot, game: str, wanted: int) -> int:
    """As many seats as wanted, as far as the game allows."""
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
    """Play with several tokens in one process, for ever."""
    await asyncio.gather(*(bot.run() for bot in bots))
