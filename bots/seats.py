"""The seats of a bot: what it has seen at each table, and the decision that it is making there."""

from __future__ import annotations

import asyncio
import secrets
import time
from typing import Any

from bots.offers import Info, Offer, View
from bots.turn import ChooseWithTurn, Turn

MAX_EVENTS = 5_000  # kept until the next decision; of more, the turn says that it is not complete


class Decision:
    """One ask, and the idempotency key of its move. `asides` is what the seat may say meanwhile (P34).

    `at` is the time of the entry that led to the ask, by the clock of the server, if that is known.
    """

    def __init__(
        self, ask: dict[str, Any], view: View, asides: dict[str, Any] | None = None, at: int | None = None
    ) -> None:
        self.ask: int = ask["n"]
        self.offers: list[Offer] = ask["offers"]
        self.left_ms: int | None = ask.get("left_ms")
        self.shown_ms: int = ask.get("shown_ms", 0)
        self.view = view
        self.asides = asides
        self.at = at
        self.pause_s = 0.0
        self.key = secrets.token_hex(8)
        self.task: asyncio.Task[None] | None = None
        self.sending = False
        self._asked_at = time.monotonic()

    def time_left_ms(self) -> int | None:
        """The time left now, or None if there is no limit."""
        if self.left_ms is None:
            return None
        return max(0, self.left_ms - round((time.monotonic() - self._asked_at) * 1000))

    def time_shown_ms(self) -> int:
        """How long pages still play out what has led to the ask."""
        return max(0, self.shown_ms - round((time.monotonic() - self._asked_at) * 1000))

    def cancel(self) -> None:
        """Stop choosing. A move that has been sent is not taken back: its answer is awaited."""
        if self.task and not self.sending:
            self.task.cancel()


class Seat:
    """A table at which the bot has a seat."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.last: int | None = None
        self.info: Info = {}
        self.choose: ChooseWithTurn | None = None
        self.decision: Decision | None = None
        self.early: dict[str, Any] | None = None  # an update that came before the table message with this seat
        self.fresh = asyncio.Event()  # set once this connection has shown the current ask
        self._events: list[dict[str, Any]] = []  # at most MAX_EVENTS
        self._complete = True
        self.shown = 0  # events of the last entry

    def note_update(self, update: dict[str, Any]) -> None:
        """Remember what has happened, and whether something may have been missed (P24, P25)."""
        n, events = update["n"], update.get("events", ())
        if n != self.last:
            follows = n - 1 == self.last or (self.last is None and update.get("view") is None)
            if not follows or len(self._events) + len(events) > MAX_EVENTS:
                self._events.clear()
                self._complete = False
            self._events += events
            self.shown = len(events)
        self.last = n

    def turn(self, decision: Decision) -> Turn:
        """The circumstances of this decision; the events are those since the last call."""
        events, self._events = self._events, []
        complete, self._complete = self._complete, True
        return Turn(
            game=self.info["game"],
            table=self.table,
            seat=self.info["you"],
            options=self.info["options"],
            ask=decision.ask,
            events=events,
            complete=complete,
            left_ms=decision.time_left_ms(),
            asides=[] if decision.asides is None else decision.asides["offers"],
        )
