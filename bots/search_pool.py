"""A pool of worker processes for bots that search, so that the event loop stays free for everybody else's moves.

Masters share the pool. The more decisions wait, the less time each of them gets, so that all are made soon.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from bots.budget import Budget
from bots.offers import Offer, View
from bots.players import Master, SearchTask, Thought, player, quick_player, random_move, think
from bots.turn import AnyChoose, Turn
from protocol.messages import Level

WORKERS = 2
MAX_QUEUED = 64  # decisions; when the queue is full, the quick player decides
THINK_S = int(os.environ.get("BOT_THINK_MS", "400")) / 1000  # CPU time for a decision, if the workers are free
LEAST_S = 0.01  # CPU time for a decision, however many wait
PATIENCE = 2.5  # times the CPU time: on a busy machine a search ends after that long, with less

Search = Callable[[View, list[Offer], random.Random, Turn], Awaitable[Thought]]
Count = Callable[[str], None]


def share(queued: int) -> Budget:
    """The budget of a decision when so many, itself included, wait or are being searched."""
    cpu_s = max(LEAST_S, THINK_S * min(1.0, WORKERS / queued))
    return Budget(cpu_s=cpu_s, wall_s=PATIENCE * cpu_s)


def _start_worker() -> None:
    """Give way to everything else on the machine, and end this worker when its parent ends."""
    os.nice(15)
    parent = multiprocessing.parent_process()
    assert parent

    def end_with_parent() -> None:
        parent.join()
        os._exit(0)

    threading.Thread(target=end_with_parent, daemon=True).start()


def _think(task: SearchTask) -> tuple[Thought, bool]:
    """What a worker thinks, and whether time on the clock ran out before the CPU time was used up."""
    cpu, wall, budget = time.thread_time(), time.monotonic(), task.budget
    thought = think(task)
    late = budget.wall_s is not None and time.monotonic() - wall >= budget.wall_s
    return thought, late and (budget.cpu_s is None or time.thread_time() - cpu < budget.cpu_s)


class SearchPool:
    """The workers. They start with the first decision that needs one.

    `count` is called for each decision with how it was made: "full" or "short" search, or "quick" without one.
    """

    def __init__(
        self,
        workers: int = WORKERS,
        max_queued: int = MAX_QUEUED,
        budget: Callable[[int], Budget] = share,
        count: Count = lambda how: None,
    ) -> None:
        self._workers = workers
        self._max_queued = max_queued
        self._budget = budget
        self._count = count
        self._queued = 0
        self._executor: ProcessPoolExecutor | None = None

    def player(self, game: str, level: Level) -> AnyChoose | None:
        """The `choose` for a game and a level that needs no search; None if `search` is needed."""
        choose = player(game, level)
        return choose if choose in (random_move, quick_player(game)) else None

    def search(self, game: str, level: Level) -> Search:
        """A function that chooses in a worker, or quickly if the queue is full or a worker was killed."""
        master = Master(game)
        quick = quick_player(game)

        async def search_in_worker(view: View, offers: list[Offer], chance: random.Random, turn: Turn) -> Thought:
            memory = master.remember(turn)
            at_once = master.at_once(view, offers, chance, turn)
            if at_once is not None:
                return Thought(at_once)
            if self._queued < self._max_queued:
                self._queued += 1
                try:
                    budget, own = self._budget(self._queued), random.Random(chance.getrandbits(32))
                    thought, cut_short = await asyncio.get_running_loop().run_in_executor(
                        self._running(), _think, SearchTask(game, level, view, offers, own, budget, memory)
                    )
                    less = budget.cpu_s is not None and budget.cpu_s < THINK_S
                    self._count("short" if less or cut_short else "full")
                    return thought
                except BrokenProcessPool:
                    self._executor = None  # a worker was killed: the next decision starts new ones
                finally:
                    self._queued -= 1
            self._count("quick")
            move = quick(view, offers, chance)
            assert isinstance(move, dict)
            return Thought(move)

        return search_in_worker

    def close(self) -> None:
        """Stop the workers without waiting for their results."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)

    def _running(self) -> ProcessPoolExecutor:
        if self._executor is None:
            context = multiprocessing.get_context("spawn")  # a forked worker would inherit the sockets
            self._executor = ProcessPoolExecutor(self._workers, context, initializer=_start_worker)
        return self._executor
