"""What a master thinks of the alternatives of one decision, for analyses of finished games.

This interface is stable: other parts may rely on it.
"""

from __future__ import annotations

import random

from bots.budget import Budget
from bots.generic import judge_any, only_move
from bots.memory import Memory
from bots.offers import Move, Offer, View
from bots.players import OWN_BOTS


def judge_alternatives(
    game: str, view: View, offers: list[Offer], budget: Budget, seed: int = 0, memory: Memory | None = None
) -> list[tuple[Move, float]]:
    """The moves that a master compares, each with its value from 0 to 1 for the seat of the view, the best first.

    `view` and `offers` are maps as they come over the wire. `Budget(deals=100)` gives the same answer on every
    machine; `Budget(cpu_s=0.4)` is what a master of the service uses. `memory` is what the seat remembers beyond its
    view (bots/memory.py), if it is known.

    The value is roughly the chance to win, in Cheesedog the chance not to become the Cheesedog. Differences matter,
    not the values themselves. Similar moves are grouped: a bid stands for bidding on up to the best limit, and other
    amounts are not listed. The list is empty for a decision without alternatives, and for one that masters make by
    rule of thumb (in Chesterfield what is no bid and no card to present, such as laying down sets; in Cheesonomics
    which wedges to take and to swap).
    """
    if only_move(offers) is not None:
        return []
    chance = random.Random(seed)
    own = OWN_BOTS.get(game)
    if own is None:
        return judge_any(game, view, budget, chance)
    return own.judge(view, offers, chance, budget, memory)
