"""The house bots: one process that plays any number of seats under the names it was given.

python -m bots.house ws://127.0.0.1:8000/ws  < tokens.json
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import random
import signal
import sys

import uvloop

from bots.sdk import Bot, Choose, Info, run_all
from bots.thinking import Thinkers

PAUSE_MS = int(os.environ.get("BOT_PAUSE_MS", "900"))  # how long a bot seems to think when people are at the table


def choose_for(info: Info, thinkers: Thinkers) -> Choose:
    """The player for this bot's seat: of the level that the seat was given."""
    seat = info["you"]
    return thinkers.player(info["game"], info["seats"][seat].get("level") or "rookie")


def pause(info: Info) -> float:
    """People like to see what a bot does; bots among themselves do not wait.

    A table that a person has opened for bots alone is one to watch, also before anybody is known to.
    """
    people = [seat for seat in info["seats"] if seat["kind"] == "person"]
    for_show = not people and info["host"].startswith("u")
    seen = for_show or info.get("watchers", 0) > 0 or any("stand_in" not in seat or seat.get("here") for seat in people)
    return random.uniform(0.5, 1.5) * PAUSE_MS / 1000 if seen else 0.0


async def main(url: str, tokens: list[str]) -> None:
    """Play until told to stop."""
    thinkers = Thinkers()
    bots = [Bot(url, token, lambda info: choose_for(info, thinkers)) for token in tokens]
    for bot in bots:
        bot.pause = pause
    playing = asyncio.create_task(run_all(bots))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, playing.cancel)
    try:
        await playing
    except asyncio.CancelledError:
        return
    finally:
        thinkers.close()


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING, format="bots: %(message)s")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the supervisor says when to stop
    uvloop.run(main(sys.argv[1], json.load(sys.stdin)))
