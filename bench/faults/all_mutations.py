"""Plants every mutation in recorded histories, to see that the checker catches it."""

from __future__ import annotations

import copy
from collections.abc import Collection

import bench.faults.log_mutations
import bench.faults.stream_mutations  # noqa: F401  # both enter their mutations
from bench.faults.checker import check_table
from bench.faults.history import TableHistory
from bench.faults.mutations import MUTATIONS, Mutate


def plant_all(histories: list[TableHistory], planted: Collection[str] = ()) -> dict[str, str]:
    """Plant every mutation, except those that are `planted` already, in the first history that has a place for it.

    Returns what each was caught by, or ''. Those that found no place are left out: plant them in other histories.
    """
    wanted = {name: mutate for name, mutate in MUTATIONS.items() if name not in planted}
    if not wanted:
        return {}
    sound = sorted((one for one in histories if not check_table(one)), key=lambda one: len(one.log))
    found = {name: plant(mutate, sound) for name, mutate in wanted.items()}
    return {name: caught_by for name, caught_by in found.items() if caught_by is not None}


def plant(mutate: Mutate, histories: list[TableHistory]) -> str | None:
    """Plant a mutation in the first history that has a place for it, if any.

    Returns what it was caught by, or ''; None if it found no place.
    """
    for history in histories:
        changed = copy.deepcopy(history)
        if mutate(changed):
            findings = check_table(changed)
            return f"{findings[0].column}: {findings[0].text}"[:110] if findings else ""
    return None
