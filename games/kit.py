"""What several games share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from msgspec.structs import replace

from games.core import Apply, E, S

__all__ = ["Story", "put", "replace", "without"]

T = TypeVar("T")


class Story(Generic[S, E]):
    """Events as they happen: each is applied at once, so that the next can follow from it."""

    __slots__ = ("_apply", "events", "state")

    def __init__(self, apply: Apply[S, E], state: S) -> None:
        self._apply = apply
        self.state = state
        self.events: list[E] = []

    def add(self, event: E) -> None:
        """Let this happen."""
        self.state = self._apply(self.state, event)
        self.events.append(event)


def put(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """The items with another one at this place."""
    return (*items[:index], item, *items[index + 1 :])


def without(items: Iterable[T], gone: Iterable[T]) -> tuple[T, ...]:
    """The items less these, one for one; of like ones the first leaves first."""
    left = list(items)
    for item in gone:
        left.remove(item)
    return tuple(left)
