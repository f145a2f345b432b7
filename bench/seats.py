"""200 bot seats at once: 50 tables of four strangers' bots over the wire, all games, until every table is finished.

python -m bench.seats [--seats 200] [--game NAME]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import uvloop

from bots.sdk import Bot, Info, Move, Offer, View, fill
from games import GAMES
from tests.client import Client
from tests.service import Service

AT_A_TABLE = 4
OF_ONE_OWNER = 20
STILL_S = 60


def choose(view: View, offers: list[Offer], chance: Any) -> Move:
    """Any legal move, at once: what is measured is the wire and the server."""
    return fill(chance.choice(offers), chance)


async def tokens(url: str, count: int) -> list[str]:
    """A token for each bot; nobody has more than twenty."""
    made: list[str] = []
    while len(made) < count:
        owner = await Client.join(url, "Owner")
        for number in range(min(OF_ONE_OWNER, count - len(made))):
            made.append((await owner.request("token", name=f"Bot {len(made) + number}"))["token"])
        await owner.close()
    return made


async def next_end(ended: asyncio.Queue[Info], bots: list[Bot]) -> Info:
    """The next table that has ended; an error that names the tables if nothing moves any more."""
    while True:
        before = sum(bot.decisions for bot in bots)
        try:
            return await asyncio.wait_for(ended.get(), STILL_S)
        except TimeoutError:
            if sum(bot.decisions for bot in bots) == before:
                waiting = sorted({table for bot in bots for table in bot.seats})
                raise RuntimeError(f"no decision in {STILL_S} s; not finished: {', '.join(waiting)}") from None


async def play(url: str, seats: int, games: list[str]) -> dict[str, Any]:
    """Seat every bot, start all tables at once, and wait for the last one to end."""
    ended: asyncio.Queue[Info] = asyncio.Queue()
    bots = [Bot(url, token, lambda info: choose) for token in await tokens(url, seats)]
    for bot in bots:
        bot.on_end = ended.put_nowait
    running = [asyncio.create_task(bot.run()) for bot in bots]
    for bot in bots:
        await bot.welcomed.wait()
    groups = [bots[first : first + AT_A_TABLE] for first in range(0, seats, AT_A_TABLE)]
    tables = []
    for number, group in enumerate(groups):
        made = await group[0].insist("create", game=games[number % len(games)], seats=len(group))
        tables.append(made["table"])
        for bot in group[1:-1]:
            await bot.insist("sit", table=made["table"])
    began = time.perf_counter()
    await asyncio.gather(*(group[-1].insist("sit", table=table) for group, table in zip(groups, tables, strict=True)))
    await asyncio.gather(*(bot.play_at(table) for group, table in zip(groups, tables, strict=True) for bot in group))
    seated = sum(len(bot.seats) for bot in bots)
    ends = [await next_end(ended, bots) for _ in range(seats)]
    seconds = time.perf_counter() - began
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    finished = {info["table"] for info in ends if info["status"] == "ended"}
    return {
        "seats": seats,
        "seated": seated,
        "tables": len(tables),
        "finished": len(finished),
        "decisions": sum(bot.decisions for bot in bots),
        "seconds": seconds,
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seats", type=int, default=200)
    parser.add_argument("--game", choices=list(GAMES), help="instead of all games in turn")
    wanted = parser.parse_args()
    games = [wanted.game] if wanted.game else list(GAMES)
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        service = Service(Path(folder), NODES=os.cpu_count() or 1, BOTS=0)
        try:
            found = uvloop.run(play(service.url, wanted.seats, games))
        finally:
            service.stop()
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"{datetime.now(UTC):%Y-%m-%d}: python -m bench.seats {' '.join(sys.argv[1:])}"
    )
    print(
        f"{found['seats']} bot seats, each with its own connection, at {found['tables']} tables of {', '.join(games)}"
    )
    print(f"{found['finished']} of {found['tables']} tables finished in {found['seconds']:.1f} s")
    rate = found["decisions"] / found["seconds"]
    print(f"{found['decisions']} decisions over the wire, {rate:.0f} a second (bots, nodes and store on this machine)")
    print(f"load of the machine before: {load:.1f}")
    if found["finished"] != found["tables"]:
        sys.exit("not every table finished")


if __name__ == "__main__":
    main()
