"""Mutations: histories with one planted mistake each, to see that the checker catches every kind of it."""

from __future__ import annotations

from collections.abc import Callable

from bench.faults.history import TableHistory

Mutate = Callable[[TableHistory], bool]  # plants a mistake; False if this history has no place for it
MUTATIONS: dict[str, Mutate] = {}


def mutation(name: str) -> Callable[[Mutate], Mutate]:
    """Enter a mutation under this name."""

    def enter(mutate: Mutate) -> Mutate:
        MUTATIONS[name] = mutate
        return mutate

    return enter
