"""The house bots of Do My Bidding.

Both levels bid up to a limit, and now and then advise their own agent. The rookie spreads most of the purse over the
points still for sale in the round, listens to the advice of its patron, and sometimes raises by more than a dollar. The
master searches for the best limit (bots/search.py): each simulation sells the rest of the lots one by one, to agents
with likely limits.
"""

from __future__ import annotations

import random

from bots.budget import Budget
from bots.do_my_bidding_model import EAGERNESS, Decision
from bots.do_my_bidding_table import even_limit, lots_left, read
from bots.memory import Memory
from bots.offers import Move, Offer, View
from bots.search import search
from bots.turn import Turn

CHEAP = 0.1  # of the even limit: less than that is bid without a search
EAGER = (0.55, 0.85)  # times the even limit: what a rookie bids up to
HEEDS = 0.6  # how often a rookie follows the advice of its patron
ADVISES = 0.06  # how often a bot advises its agent when it has a turn, until it has done so for the lot
MASTERS_LIMIT = 0.8  # times the even limit: what a master advises
RAISE = 0.3  # how often it raises by more than a dollar


def rookie(view: View, offers: list[Offer], chance: random.Random, turn: Turn | None = None) -> Move:
    """Bid up to a part of the even limit, or to what the patron advised; now and then advise first."""
    said = advise(view, chance, chance.uniform(*EAGER)) if turn is not None and turn.asides else None
    if said is not None:
        return said
    patron = view["patrons"][view["me"]]
    limit = even_limit(read(view), patron, lots_left(view), 1.0) * chance.uniform(*EAGER)
    advice = view["advice"][patron]
    if advice is not None and chance.random() < HEEDS:
        limit = -1 if advice["up_to"] is None else advice["up_to"]
    move = _bid_up_to(offers, limit)
    if move["type"] == "bid" and chance.random() < RAISE:
        most = min(limit, next(offer for offer in offers if offer["move"] == "bid")["fill"]["amount"]["most"])
        move["amount"] = chance.randint(move["amount"], max(move["amount"], int(move["amount"] + most) // 2))
    return move


def advise(view: View, chance: random.Random, eagerness: float) -> Move | None:
    """DMB-19: now and then tell the own agent up to what to bid for this lot, or to leave it."""
    me = view["me"]
    agent_bids = any(
        patron == me and not out for patron, out in zip(view["patrons"], view["auction"]["dropped"], strict=True)
    )
    if view["advice"][me] is not None or not agent_bids or chance.random() >= ADVISES:
        return None
    limit = int(even_limit(read(view), me, lots_left(view), eagerness))
    standing = view["auction"]["bid"]
    leave = limit < 1 or (standing is not None and standing >= limit)
    return {"type": "suggest", "up_to": None if leave else min(limit, view["purses"][me])}


def _bid_up_to(offers: list[Offer], limit: float) -> Move:
    """The lowest bid if it is within the limit or the only offer; otherwise drop."""
    least = next(offer for offer in offers if offer["move"] == "bid")["fill"]["amount"]["least"]
    if least <= limit or len(offers) == 1:
        return {"type": "bid", "amount": least}
    return {"type": "drop"}


def obvious(view: View, offers: list[Offer]) -> Move | None:
    """The only move, or a low bid, which a master makes without a search."""
    if len(offers) == 1:
        return _bid_up_to(offers, 0)
    low = CHEAP * even_limit(read(view), view["patrons"][view["me"]], lots_left(view), EAGERNESS)
    move = _bid_up_to(offers, low)
    return move if move["type"] == "bid" else None


def judge(
    view: View, offers: list[Offer], chance: random.Random, budget: Budget, memory: Memory | None = None
) -> list[tuple[Move, float]]:
    """The lowest bid and dropping, with their values, the better one first; empty if there is nothing to search."""
    bid = next((offer["fill"]["amount"] for offer in offers if offer["move"] == "bid"), None)
    if bid is None or len(offers) == 1:
        return []
    least = bid["least"]
    decision = Decision(view, least, bid["most"])
    values: dict[str, tuple[Move, float]] = {}
    for limit, value in search(decision, budget, chance):
        assert isinstance(limit, int)
        move: Move = {"type": "bid", "amount": least} if limit >= least else {"type": "drop"}
        values.setdefault(move["type"], (move, value))
    return list(values.values())
