"""Which bot plays which game at which level."""

from __future__ import annotations

import random

from bots import cheesedog
from bots.sdk import Choose, Move, Offer, View, fill

ROOKIES: dict[str, Choose] = {"cheesedog": cheesedog.choose}


def by_chance(view: View, offers: list[Offer], chance: random.Random) -> Move:
    """Any legal move of any game."""
    return fill(chance.choice(offers), chance)


def player(game: str, level: str) -> Choose:
    """The `choose` for a game and level."""
    return by_chance if level == "random" else ROOKIES.get(game, by_chance)
