"""200 bot seats at once: 50 tables of four bots over the network, all games, until every table is finished.

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

SEATS_PER_TABLE = 4
BOTS_PER_OWNER = 20
STALLED_S = 60


def choose(view: View, offers: list[Offer], chance: Any) -> Move:
    """Choose a random legal move at once: the benchmark measures the network and the server."""
    return fill(chance.choice(offers), chance)


async def tokens(url: str, count: int) -> list[str]:
    """Make a token for each bot. An owner has at most twenty."""
    made: list[str] = []
    while len(made) < count:
        owner = await Client.join(url, "Owner")
        for number in range(min(BOTS_PER_OWNER, count - len(made))):
            made.append((await owner.request("token", name=f"Bot {len(made) + number}"))["token"])
        await owner.close()
    return made


async def next_end(ended: asyncio.Queue[Info], bots: list[Bot]) -> Info:
    """Wait for the next table to end. Raise an error that names the unfinished tables if no bot decides any more."""
    while True:
        before = sum(bot.decisions for bot in bots)
        try:
            return await asyncio.wait_for(ended.get(), STALLED_S)
        except TimeoutError:
            if sum(bot.decisions for bot in bots) == before:
                waiting = sorted({table for bot in bots for table in bot.seats})
                raise RuntimeError(f"no decision in {STALLED_S} s; not finished: {', '.join(waiting)}") from None


async def play(url: str, seats: int, games: list[str]) -> dict[str, Any]:
    """Seat every bot, start all tables at once, and wait until the last one has ended."""
    ended: asyncio.Queue[Info] = asyncio.Queue()
    bots = [Bot(url, token, lambda info: choose) for token in await tokens(url, seats)]
    for bot in bots:
        bot.on_end = ended.put_nowait
    running = [asyncio.create_task(bot.run()) for bot in bots]
    for bot in bots:
        await bot.welcomed.wait()
    groups = [bots[first : first + SEATS_PER_TABLE] for first in range(0, seats, SEATS_PER_TABLE)]
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
    parser.add_argument("--game", choices=list(GAMES), help="play only this game, not all games in turn")
    wanted = parser.parse_args()
    games = [wanted.game] if wanted.game else [name for name, game in GAMES.items() if SEATS_PER_TABLE in game.seats]
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
    print(f"{found['decisions']} decisions over the network, {rate:.0f} a second (bots, nodes, store on this machine)")
    print(f"load average before: {load:.1f}")
    if found["finished"] != found["tables"]:
        sys.exit("not every table finished")


if __name__ == "__main__":
    main()
