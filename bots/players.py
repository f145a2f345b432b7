"""Which bot plays which game at which level.

Diced Cheese leaves nothing to choose, so every level plays it the same way: the one move there is.
"""

from __future__ import annotations

import random

from bots import cheesedog, cheesonomics, chesterfield, do_my_bidding
from bots.sdk import Choose, Move, Offer, View, fill

LEVELS = ("random", "rookie", "master")


def by_chance(view: View, offers: list[Offer], chance: random.Random) -> Move:
    """Any legal move of any game."""
    return fill(chance.choice(offers), chance)


ROOKIES: dict[str, Choose] = {
    "chesterfield": chesterfield.rookie,
    "do_my_bidding": do_my_bidding.rookie,
    "cheesedog": cheesedog.rookie,
    "cheesonomics": cheesonomics.rookie,
}
MASTERS: dict[str, Choose] = {
    "chesterfield": chesterfield.master,
    "do_my_bidding": do_my_bidding.master,
    "cheesedog": cheesedog.master,
    "cheesonomics": cheesonomics.master,
}


def player(game: str, level: str) -> Choose:
    """The `choose` for a game and level; a game without a player of its own is played by chance."""
    if level == "random":
        return by_chance
    rookie = ROOKIES.get(game, by_chance)
    return MASTERS.get(game, rookie) if level == "master" else rookie
