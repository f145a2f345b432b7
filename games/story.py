"""The events of one move, one after the other."""

from __future__ import annotations

from typing import Generic

from games.core import AppliedEvents, Apply, E, S


class Story(Generic[S, E]):
    """The events of one move. Each is applied at once, so that the next one can depend on the new state."""

    __slots__ = ("_apply", "_before", "events", "state")

    def __init__(self, apply: Apply[S, E], state: S) -> None:
        self._apply = apply
        self._before = state
        self.state = state
        self.events: list[E] = []

    def add(self, event: E) -> None:
        """Add an event and apply it."""
        self.state = self._apply(self.state, event)
        self.events.append(event)

    def applied(self) -> AppliedEvents[E]:
        """Return the events with the state after them, so that `fold` does not apply them again."""
        events = AppliedEvents(self.events)
        events.applied = (self._apply, self._before, self.state)
        return events
