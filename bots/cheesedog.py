"""The house bots of Cheesedog.

The rookie plays all its cards of the lowest legal rank, and keeps 2s and 10s until nothing else is legal. The master
searches (bots/search.py) for the play after which it is least likely to become the Cheesedog.
"""

from __future__ import annotations

import random

from bots import cheesedog_simulation as simulation
from bots.budget import Budget
from bots.memory import CheesedogMemory, Memory
from bots.offers import Move, Offer, View
from bots.search import search


def rookie(view: View, offers: list[Offer], chance: random.Random) -> Move:
    """Play all cards of the lowest legal rank; of 2s and 10s, which come last, only one."""
    plays = [offer["fill"] for offer in offers if offer["move"] == "play"]
    if not plays:
        return _no_choice(offers[0], chance)
    best = min(plays, key=lambda fill: _rookies_order(fill["rank"]))
    return {"type": "play", "rank": best["rank"], "count": 1 if best["rank"] in (2, 10) else best["count"]["most"]}


def _rookies_order(rank: int) -> tuple[bool, int]:
    """Sorts ranks: the lowest first, 2s and 10s last."""
    return rank in (2, 10), rank


def _no_choice(offer: Offer, chance: random.Random) -> Move:
    """Pick up, or turn over a random card."""
    if offer["move"] == "pick_up":
        return {"type": "pick_up"}
    return {"type": "turn_over", "place": chance.choice(offer["fill"]["place"]["of"])}


def obvious(view: View, offers: list[Offer]) -> Move | None:
    """None: a master searches for every move that is not the only one."""
    return None


def judge(
    view: View, offers: list[Offer], chance: random.Random, budget: Budget, memory: Memory | None = None
) -> list[tuple[Move, float]]:
    """The likely moves with their values, the best first; empty if there is nothing to choose."""
    legal = [offer["fill"]["rank"] for offer in offers if offer["move"] == "play"]
    hand = simulation.read(view).hands[view["me"]]
    plays = simulation.plays_to_compare(hand, sorted(legal, key=_rookies_order))
    if len(plays) < 2:
        return []
    assert memory is None or isinstance(memory, CheesedogMemory)
    found = search(simulation.Decision(view, plays, memory), budget, chance)
    moves: dict[object, Move] = {play: {"type": "play", "rank": play[0], "count": play[1]} for play in plays}
    return [(moves[play], value) for play, value in found]
