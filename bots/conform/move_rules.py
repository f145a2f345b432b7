"""What holds for every move of a bot, in every situation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bots.conform.connection import Failed
from protocol.messages import Move


@dataclass
class Asks:
    """The asks of one table. `order` has their numbers in the order in which they were sent; one may return (P25)."""

    order: dict[int, int] = field(default_factory=dict)
    asides: set[int] = field(default_factory=set)
    current: int | None = None
    answered: int | None = None  # the last one, by that order, for which a move came

    def note(self, update: dict[str, Any]) -> None:
        """An update is sent to the bot."""
        if "ask" in update and update["ask"]["n"] != self.current:
            self.current = update["ask"]["n"]
            self.order[self.current] = max(self.order.values(), default=0) + 1
        if "asides" in update:
            self.asides.add(update["asides"]["n"])

    def check(self, move: Move, is_new: bool) -> None:
        """Raise Failed if the move answers an ask that was never sent, or one that the bot has left behind."""
        if move.ask in self.asides:
            return
        if move.ask not in self.order:
            sent = sorted({*self.order, *self.asides})
            at = f"a move at table {move.table} answers ask {move.ask}"
            raise Failed(f"P31: {at}, which was never sent there; sent were {sent}")
        last = self.answered
        if last is not None and is_new and self.order[move.ask] < self.order[last]:
            raise Failed(f"P33: a new move answers the old ask {move.ask}, although ask {last} was already answered")
        if last is None or self.order[move.ask] > self.order[last]:
            self.answered = move.ask


class MoveRules:
    """Checks each move: it answers an ask that was sent, and its key is used for that ask only."""

    def __init__(self, table: str) -> None:
        self._asks = {table: Asks()}
        self._ask_by_key: dict[tuple[str, str], int] = {}

    def note_update(self, update: dict[str, Any]) -> None:
        """An update is sent to the bot."""
        self._asks.setdefault(update["table"], Asks()).note(update)

    def check(self, move: Move) -> None:
        """Raise Failed if the move breaks a rule that does not depend on the situation."""
        is_new = (move.table, move.key) not in self._ask_by_key
        before = self._ask_by_key.setdefault((move.table, move.key), move.ask)
        if before != move.ask:
            raise Failed(f"P32: the key {move.key!r} was used for ask {before} and again for ask {move.ask}")
        if move.table in self._asks:
            self._asks[move.table].check(move, is_new)
