"""Where masters think: a few processes beside the one that talks, so that nobody's moves wait for a search."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from bots.players import player
from bots.sdk import Choose, Move, Offer, View

WORKERS = 2
MOST_WAITING = 64  # decisions; when more wait, further ones are a rookie's


def think(game: str, level: str, view: View, offers: list[Offer], seed: int) -> Move:
    """The move, in a worker."""
    move = player(game, level)(view, offers, random.Random(seed))
    assert isinstance(move, dict)
    return move


def _be_modest() -> None:
    """Give way to those who talk, and go when the parent goes."""
    os.nice(5)
    parent = multiprocessing.parent_process()
    assert parent

    def go_with_parent() -> None:
        parent.join()
        os._exit(0)

    threading.Thread(target=go_with_parent, daemon=True).start()


class Thinkers:
    """The processes, started with the first decision."""

    def __init__(self, workers: int = WORKERS, most_waiting: int = MOST_WAITING) -> None:
        self._workers = workers
        self._most_waiting = most_waiting
        self._waiting = 0
        self._pool: ProcessPoolExecutor | None = None

    def player(self, game: str, level: str) -> Choose:
        """A `choose` that leaves the event loop free if the level takes time."""
        quick = player(game, "rookie")
        if level != "master" or player(game, level) is quick:
            return player(game, level)

        async def choose(view: View, offers: list[Offer], chance: random.Random) -> Move:
            if self._waiting < self._most_waiting:
                self._waiting += 1
                try:
                    seed = chance.getrandbits(32)
                    return await asyncio.get_running_loop().run_in_executor(
                        self._ready(), think, game, level, view, offers, seed
                    )
                except BrokenProcessPool:
                    self._pool = None  # a worker was killed: others start with the next decision
                finally:
                    self._waiting -= 1
            return think(game, "rookie", view, offers, chance.getrandbits(32))

        return choose

    def close(self) -> None:
        """Let the workers go, without waiting for what they think."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def _ready(self) -> ProcessPoolExecutor:
        if self._pool is None:
            clean = multiprocessing.get_context("spawn")  # a fork would share the sockets
            self._pool = ProcessPoolExecutor(self._workers, clean, initializer=_be_modest)
        return self._pool
