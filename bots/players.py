"""Which bot plays which game at which level.

A game without a bot of its own is played by the generic one.
"""

from __future__ import annotations

import random
from typing import NamedTuple, Protocol

from bots import cheesedog, cheesonomics, chesterfield, do_my_bidding
from bots.budget import Budget
from bots.generic import generic_bot, only_move
from bots.memory import MEMORIES, Memory
from bots.offers import Choose, Move, Offer, View, fill
from bots.turn import Turn
from protocol.messages import Level

DEALS = Budget(deals=60)  # of a master where no time is given, so that a seed chooses the same moves everywhere
MAX_MEMORIES = 1_000  # seats; of more, those that decided longest ago forget


class OwnBot(Protocol):
    """A module with a bot for one game."""

    def rookie(self, view: View, offers: list[Offer], chance: random.Random, /) -> Move:
        """Choose at once, without a search."""

    def obvious(self, view: View, offers: list[Offer], /) -> Move | None:
        """A move that a master makes without a search, if there is one."""

    def judge(
        self, view: View, offers: list[Offer], chance: random.Random, budget: Budget, memory: Memory | None, /
    ) -> list[tuple[Move, float]]:
        """The alternatives with their values, the best first; empty for a decision that a master does not search."""


OWN_BOTS: dict[str, OwnBot] = {
    "chesterfield": chesterfield,
    "do_my_bidding": do_my_bidding,
    "cheesedog": cheesedog,
    "cheesonomics": cheesonomics,
}


def random_move(view: View, offers: list[Offer], chance: random.Random) -> Move:
    """Any legal move of any game."""
    return fill(chance.choice(offers), chance)


class Thought(NamedTuple):
    """A move, and how much better than the next alternative it is, if alternatives were compared."""

    move: Move
    margin: float | None = None


class SearchTask(NamedTuple):
    """A decision that a master searches, and how long it may take."""

    game: str
    level: Level
    view: View
    offers: list[Offer]
    chance: random.Random
    budget: Budget
    memory: Memory | None


def think(task: SearchTask) -> Thought:
    """Choose a move by a search. What a game's master does not search it does like the rookie."""
    game, level, view, offers, chance, budget, memory = task
    own = OWN_BOTS.get(game)
    if own is None:
        move = generic_bot(game, level, budget)(view, offers, chance)
        assert isinstance(move, dict)
        return Thought(move)
    at_once = own.obvious(view, offers)
    if at_once is not None:
        return Thought(at_once)
    judged = own.judge(view, offers, chance, budget, memory)
    if not judged:
        return Thought(own.rookie(view, offers, chance))
    return Thought(judged[0][0], judged[0][1] - judged[1][1] if len(judged) > 1 else None)


class Master:
    """The `choose` of masters in one game. It remembers what each of its seats has seen."""

    def __init__(self, game: str, budget: Budget | None = None) -> None:
        self._game = game
        self._budget = budget or DEALS
        self._memories: dict[tuple[str, int], Memory] = {}  # of the last MAX_MEMORIES seats

    def __call__(self, view: View, offers: list[Offer], chance: random.Random, turn: Turn | None = None) -> Move:
        memory = self.remember(turn)
        at_once = self.at_once(view, offers, chance, turn)
        if at_once is not None:
            return at_once
        return think(SearchTask(self._game, "master", view, offers, chance, self._budget, memory)).move

    def at_once(self, view: View, offers: list[Offer], chance: random.Random, turn: Turn | None) -> Move | None:
        """What needs no search: something to say first, or the only legal move."""
        if turn is not None and turn.asides and self._game == "do_my_bidding":
            said = do_my_bidding.advise(view, chance, do_my_bidding.MASTERS_LIMIT)
            if said is not None:
                return said
        return only_move(offers)

    def remember(self, turn: Turn | None) -> Memory | None:
        """The memory of the seat after the events of this turn; None if events are missing."""
        if turn is None or self._game not in MEMORIES:
            return None
        key = turn.table, turn.seat
        first = any(event["type"] == "dealt" for event in turn.events)
        memory = MEMORIES[self._game]() if first else self._memories.pop(key, None)
        if memory is None or not turn.complete:
            return None
        for event in turn.events:
            memory.see(event)
        self._memories[key] = memory
        if len(self._memories) > MAX_MEMORIES:
            self._memories.pop(next(iter(self._memories)))
        return memory


def player(game: str, level: Level, budget: Budget | None = None) -> Choose:
    """The `choose` for a game and a level. A master without a budget thinks about a fixed number of deals."""
    if level == "random":
        return random_move
    own = OWN_BOTS.get(game)
    if own is None:
        return generic_bot(game, level, budget)
    return own.rookie if level == "rookie" else Master(game, budget)


def quick_player(game: str) -> Choose:
    """A `choose` that answers at once: the game's own rookie, or random moves."""
    return OWN_BOTS[game].rookie if game in OWN_BOTS else random_move
