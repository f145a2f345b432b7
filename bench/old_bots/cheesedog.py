"""Cheesedog: what to shed first.

The rookie plays the lowest rank it may, all of it, and keeps 2s and 10s for when nothing else goes. The master deals
the cards that it cannot see many times, plays each likely move on for some rounds as rookies would, and takes the one
after which its cards are least likely to make it the Cheesedog.
"""

from __future__ import annotations

import math
import random
from statistics import fmean, pstdev
from typing import Any

from bench.old_bots import cheesedog_ahead as ahead
from bots.sdk import Move, Offer, View

PLAYOUTS = 96
STEP = 12  # playouts after which moves that do badly are given up
SURE = 0.5  # standard errors by which another move has to be better than the usual one


def rookie(view: View, offers: list[Offer], chance: random.Random) -> Move:
    """The lowest rank, and all of it, unless it is a 2 or a 10."""
    plays = [offer["fill"] for offer in offers if offer["move"] == "play"]
    if not plays:
        return _no_choice(offers[0], chance)
    best = min(plays, key=_usually)
    return {"type": "play", "rank": best["rank"], "count": 1 if best["rank"] in (2, 10) else best["count"]["most"]}


def _usually(fill: dict[str, Any]) -> tuple[bool, int]:
    """What a rookie plays first."""
    return fill["rank"] in (2, 10), fill["rank"]


def _no_choice(offer: Offer, chance: random.Random) -> Move:
    """Pick up, or turn over any card."""
    if offer["move"] == "pick_up":
        return {"type": "pick_up"}
    return {"type": "turn_over", "place": chance.choice(offer["fill"]["place"]["of"])}


def master(view: View, offers: list[Offer], chance: random.Random) -> Move:
    """The move after which this seat is least likely to be the Cheesedog."""
    plays = [offer["fill"] for offer in offers if offer["move"] == "play"]
    if not plays:
        return _no_choice(offers[0], chance)
    moves = _likely(plays)
    if len(moves) == 1:
        rank, count = moves[0]
        return {"type": "play", "rank": rank, "count": count}
    rank, count = _best(view, moves, chance)
    return {"type": "play", "rank": rank, "count": count}


def _best(view: View, moves: list[tuple[int, int]], chance: random.Random) -> tuple[int, int]:
    """The first move, the usual one, unless another does clearly better in the same imagined deals."""
    table, hidden, me = ahead.read(view), ahead.unseen(view), view["me"]
    gains: dict[tuple[int, int], list[float]] = {move: [] for move in moves[1:]}
    while gains and len(next(iter(gains.values()))) < PLAYOUTS:
        for _ in range(STEP):
            chance.shuffle(hidden)
            ahead.deal(table, me, hidden)
            usual = table.copy().outlook(me, *moves[0])
            for move, own in gains.items():
                own.append(table.copy().outlook(me, *move) - usual)
        gains = {move: own for move, own in gains.items() if fmean(own) + SURE * _error(own) > 0}
    sure = {move: fmean(own) - SURE * _error(own) for move, own in gains.items()}
    best = max(sure, key=lambda move: sure[move], default=moves[0])
    return best if sure.get(best, 0.0) > 0 else moves[0]


def _error(gains: list[float]) -> float:
    """The standard error of their mean."""
    return pstdev(gains) / math.sqrt(len(gains))


def _likely(plays: list[dict[str, Any]]) -> list[tuple[int, int]]:
    """The moves worth a thought, the usual one first: each rank, whole or one card, and single 2s and 10s."""
    moves: list[tuple[int, int]] = []
    for fill in sorted(plays, key=_usually):
        rank, most = fill["rank"], fill["count"]["most"]
        if most > 1 and rank not in (2, 10):
            moves.append((rank, most))
        moves.append((rank, 1))
    return moves
