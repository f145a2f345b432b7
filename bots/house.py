"""The house bots: one process that plays any number of seats, with one connection for each token.

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

from bots.house_metrics import HouseMetrics
from bots.offers import Move, Offer, View
from bots.pace import hesitation, is_watched, pause
from bots.sdk import Bot, Info, run_all
from bots.search_pool import SearchPool
from bots.seats import Decision, Seat
from bots.turn import AnyChoose, ChooseWithTurn, Turn
from protocol.messages import DEFAULT_LEVEL, Level

USUAL_PAUSE_MS = 900
PAUSE_MS = int(os.environ.get("BOT_PAUSE_MS", USUAL_PAUSE_MS))  # before an ordinary move that somebody watches


def choose_for(info: Info, pool: SearchPool) -> AnyChoose:
    """The `choose` of the level that this bot's seat has; a seat for whose player it stands in has none."""
    level: Level = info["seats"][info["you"]].get("level") or DEFAULT_LEVEL
    return pool.player(info["game"], level) or _thoughtful(info, level, pool)


def _thoughtful(info: Info, level: Level, pool: SearchPool) -> ChooseWithTurn:
    """A `choose` that searches, and hesitates if the best alternatives are close."""
    search = pool.search(info["game"], level)

    async def choose(view: View, offers: list[Offer], chance: random.Random, turn: Turn) -> Move:
        thought = await search(view, offers, chance, turn)
        if thought.margin is not None and is_watched(info):
            await asyncio.sleep(hesitation(thought.margin) * PAUSE_MS / 1000)
        return thought.move

    return choose


def seconds_before(seat: Seat, decision: Decision) -> float:
    """The wait before a decision. With a shorter BOT_PAUSE_MS bots wait less for what pages show, too."""
    beat = decision.time_shown_ms() / USUAL_PAUSE_MS
    return pause(seat.info, seat.shown, decision.offers, beat) * PAUSE_MS / 1000


async def main(url: str, tokens: list[str]) -> None:
    """Play until SIGTERM."""
    metrics = HouseMetrics()
    pool = SearchPool(count=metrics.decided)
    bots = [Bot(url, token, lambda info: choose_for(info, pool)) for token in tokens]
    for bot in bots:
        bot.pause = seconds_before
        bot.on_answer = metrics.answered
    playing = asyncio.create_task(run_all(bots))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, playing.cancel)
    try:
        await playing
    except asyncio.CancelledError:
        return
    finally:
        pool.close()


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING, format="bots: %(message)s")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole process group; the supervisor sends SIGTERM
    uvloop.run(main(sys.argv[1], json.load(sys.stdin)))
