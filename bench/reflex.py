"""A reflex for Do My Bidding, to measure rookies against: it bids up to the points of the lot, and drops above that.

    cheeseboard arena do_my_bidding --seats bench.reflex:reflex,rookie,rookie,rookie

A rookie may lose to a person who has understood the game, but not by much to a reflex.
"""

from __future__ import annotations

import random

from bots.do_my_bidding_table import lots_left, read
from bots.offers import Choose, Move, Offer, View


def reflex(game: str, dollars: float = 1.0) -> Choose:
    """Pay so many dollars for a point."""
    assert game == "do_my_bidding"

    def choose(view: View, offers: list[Offer], chance: random.Random) -> Move:
        least: int = next(offer for offer in offers if offer["move"] == "bid")["fill"]["amount"]["least"]
        worth = read(view).worth(view["patrons"][view["me"]], lots_left(view)[0])
        if least <= dollars * worth or len(offers) == 1:
            return {"type": "bid", "amount": least}
        return {"type": "drop"}

    return choose


def generous(game: str) -> Choose:
    """Pay twice as much."""
    return reflex(game, 2.0)
