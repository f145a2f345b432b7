"""What happens in one move, event by event."""

from __future__ import annotations

from typing import Generic

from games.core import Apply, E, S, Told


class Story(Generic[S, E]):
    """Events as they happen: each is applied at once, so that the next can follow from it."""

    __slots__ = ("_apply", "_before", "events", "state")

    def __init__(self, apply: Apply[S, E], state: S) -> None:
        self._apply = apply
        self._before = state
        self.state = state
        self.events: list[E] = []

    def add(self, event: E) -> None:
        """Let this happen."""
        self.state = self._apply(self.state, event)
        self.events.append(event)

    def told(self) -> Told[E]:
        """What happened, so that `fold` need not apply it once more."""
        told = Told(self.events)
        told.apply, told.before, told.after = self._apply, self._before, self.state
        return told
