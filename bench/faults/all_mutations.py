"""Plants every mutation in recorded histories, to see that the checker catches it."""

from __future__ import annotations

import copy

import bench.faults.log_mutations
import bench.faults.stream_mutations  # noqa: F401  # both enter their mutations
from bench.faults.checker import check_table
from bench.faults.history import TableHistory
from bench.faults.mutations import MUTATIONS, Mutate


def plant_all(histories: list[TableHistory]) -> dict[str, str]:
    """Plant every mutation in the first history that has a place for it. Return what each was caught by, or ''."""
    sound = sorted((one for one in histories if not check_table(one)), key=lambda one: len(one.log))
    return {name: plant(mutate, sound) for name, mutate in MUTATIONS.items()}


def plant(mutate: Mutate, histories: list[TableHistory]) -> str:
    """Plant a mutation in the first history that has a place for it. Return what it was caught by, or ''."""
    for history in histories:
        changed = copy.deepcopy(history)
        if mutate(changed):
            findings = check_table(changed)
            return f"{findings[0].column}: {findings[0].text}"[:110] if findings else ""
    return ""
