"""Long computations in slices, so that live games have the event loop between them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from time import perf_counter
from typing import TypeVar

T = TypeVar("T")
SLICE_S = 0.002  # how long a computation has the event loop
REST_S = 0.004  # how long, at least, live games have it after each slice


class Slices:
    """Gives each of several computations a slice in turn, so that a short one is done before a long one.

    A node has one of these for all computations that anybody can ask for; together they get a third of its time.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()  # fair: those who wait get it in the order in which they came

    async def run(self, steps: Iterator[object]) -> None:
        """Do all steps. A step should take less than a slice."""
        is_done = False
        while not is_done:
            async with self._turn:
                is_done = _run_slice(steps)
                await asyncio.sleep(REST_S)

    async def last(self, items: Iterator[T]) -> T | None:
        """Compute all items and return the last one; None if there are none."""
        kept: deque[T] = deque(maxlen=1)
        await self.run(map(kept.append, items))
        return kept[0] if kept else None


def _run_slice(steps: Iterator[object]) -> bool:
    """Do some steps; returns whether there are no more."""
    end = perf_counter() + SLICE_S
    return all(perf_counter() <= end for _ in steps)


async def in_slices(items: Iterator[T]) -> list[T]:
    """All items, computed without keeping the event loop from live games."""
    made: list[T] = []
    started = perf_counter()
    for item in items:
        made.append(item)
        if perf_counter() - started > SLICE_S:
            await asyncio.sleep(REST_S)
            started = perf_counter()
    return made
