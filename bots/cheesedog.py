"""A sensible Cheesedog player: shed low cards first, keep the lifelines, clear when it is dear to follow."""

from __future__ import annotations

import random

from bots.sdk import Move, Offer, View

DEAR = {2: 6, 10: 7, 7: 1, 9: 1, 14: 2}  # how gladly a rank is kept: 2 and 10 save a turn later


def choose(view: View, offers: list[Offer], chance: random.Random) -> Move:
    """The cheapest rank that may be played, and all cards of it that are not lifelines."""
    plays = [offer for offer in offers if offer["move"] == "play"]
    if not plays:
        offer = offers[0]
        place = offer["fill"].get("place")
        return {"type": offer["move"]} if place is None else {"type": "turn_over", "place": chance.choice(place["of"])}
    best = min(plays, key=lambda offer: _price(view, offer["fill"]["rank"], offer["fill"]["count"]["most"]))
    rank, most = best["fill"]["rank"], best["fill"]["count"]["most"]
    keep_rest = rank in (2, 10) and len(view["hand"]) > most
    return {"type": "play", "rank": rank, "count": 1 if keep_rest else most}


def _price(view: View, rank: int, most: int) -> float:
    """What playing this rank costs: high cards and lifelines are worth keeping, a big pile worth clearing."""
    price = rank / 4 + DEAR.get(rank, 0) - (most - 1)
    if rank == 10 and len(view["pile"]) > 8:
        price -= 6
    left = len(view["hand"]) - most
    return price - 5 if left == 0 else price
