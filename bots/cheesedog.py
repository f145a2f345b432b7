"""Cheesedog: what to shed first.

The rookie plays the lowest rank it may, all of it, and keeps 2s and 10s for when nothing else goes. The master deals
the cards that it cannot see many times, plays each likely move on as rookies would, and takes the one after which
it is the Cheesedog least often.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from itertools import accumulate, pairwise
from statistics import fmean, pstdev

from bots.sdk import Move, Offer, View
from games.cheesedog import DECK, RANK

PLAYOUTS = 48
STEP = 12  # playouts after which moves that do badly are given up
MOVES = 8  # how many moves the master compares
SURE = 0.5  # standard errors by which another move has to be better than the usual one
LATE = 0.1  # what escaping late costs, of what being the Cheesedog does
LONGEST = 400  # turns of a playout
ORDER: tuple[int, ...] = (3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14)  # what a rookie sheds first; 2 and 10 come last
LOW_ORDER: tuple[int, ...] = (3, 4, 5, 6, 7, 8)


def rookie(view: View, offers: list[Offer], chance: random.Random) -> Move:
    """The lowest rank, and all of it, unless it is a 2 or a 10."""
    plays = [offer["fill"] for offer in offers if offer["move"] == "play"]
    if not plays:
        return _no_choice(offers[0], chance)
    best = min(plays, key=lambda fill: (fill["rank"] in (2, 10), fill["rank"]))
    return {"type": "play", "rank": best["rank"], "count": 1 if best["rank"] in (2, 10) else best["count"]["most"]}


def _no_choice(offer: Offer, chance: random.Random) -> Move:
    """Pick up, or turn over any card."""
    if offer["move"] == "pick_up":
        return {"type": "pick_up"}
    return {"type": "turn_over", "place": chance.choice(offer["fill"]["place"]["of"])}


def master(view: View, offers: list[Offer], chance: random.Random) -> Move:
    """The move after which this seat escapes most often and soonest."""
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
    unseen, me = _unseen(view), view["me"]
    gains: dict[tuple[int, int], list[float]] = {move: [] for move in moves[1:]}
    while gains and len(next(iter(gains.values()))) < PLAYOUTS:
        for _ in range(STEP):
            chance.shuffle(unseen)
            dealt = _imagine(view, unseen)
            usual = dealt.copy().outlook(me, *moves[0])
            for move, own in gains.items():
                own.append(dealt.copy().outlook(me, *move) - usual)
        gains = {move: own for move, own in gains.items() if fmean(own) + SURE * _error(own) > 0}
    sure = {move: fmean(own) - SURE * _error(own) for move, own in gains.items()}
    best = max(sure, key=lambda move: sure[move], default=moves[0])
    return best if sure.get(best, 0.0) > 0 else moves[0]


def _error(gains: list[float]) -> float:
    """The standard error of their mean."""
    return pstdev(gains) / math.sqrt(len(gains))


def _likely(plays: list[dict[str, object]]) -> list[tuple[int, int]]:
    """The moves worth a thought, the usual one first: the lowest ranks, whole or one card, and single 2s and 10s."""
    moves: list[tuple[int, int]] = []
    for fill in sorted(plays, key=lambda fill: (fill["rank"] in (2, 10), fill["rank"])):
        rank, most = fill["rank"], fill["count"]["most"]  # type: ignore[index]
        assert isinstance(rank, int)
        if rank not in (2, 10):
            moves.append((rank, most))
        if most > 1 or rank in (2, 10):
            moves.append((rank, 1))
    special = sorted((move for move in moves if move[0] in (2, 10)), reverse=True)  # a 2 goes on anything later too
    plain = [move for move in moves if move[0] not in (2, 10)]
    return plain[: max(1, MOVES - len(special))] + special


def _unseen(view: View) -> list[int]:
    """The ranks of the cards that lie hidden somewhere."""
    left = list(DECK)
    for card in (*view["hand"], *view["pile"], *view["discard"], *(card for row in view["ups"] for card in row)):
        left.remove(card)
    return [RANK[card] for card in left]


def _imagine(view: View, unseen: list[int]) -> Playout:
    """A playout from this view with the hidden cards in this order."""
    n, me = len(view["hands"]), view["me"]
    sizes = [0 if seat == me else size for seat, size in enumerate(view["hands"])]
    sizes += [sum(row) for row in view["downs"]]
    ends = [0, *accumulate(sizes)]
    parts = [unseen[start:end] for start, end in pairwise(ends)]
    hands = [[0] * 15 for _ in range(n)]
    for seat in range(n):
        own = [RANK[card] for card in view["hand"]] if seat == me else parts[seat]
        for rank in own:
            hands[seat][rank] += 1
    return Playout(
        hands,
        list(view["hands"]),
        [[RANK[card] for card in row] for row in view["ups"]],
        parts[n:],
        [RANK[card] for card in view["pile"]],
        view["direction"],
        view["low"],
        list(view["escaped"]),
    )


@dataclass(slots=True)
class Playout:
    """A table with every card known, by rank: hands as counts, the rest as lists."""

    hands: list[list[int]]
    sizes: list[int]
    ups: list[list[int]]
    downs: list[list[int]]
    pile: list[int]
    direction: int
    low: bool
    escaped: list[int]

    def copy(self) -> Playout:
        return Playout(
            [hand[:] for hand in self.hands],
            self.sizes[:],
            self.ups[:],
            [row[:] for row in self.downs],
            self.pile[:],
            self.direction,
            self.low,
            self.escaped[:],
        )

    def outlook(self, me: int, rank: int, count: int) -> float:
        """How good it is for this seat to play this now: 1 to escape at once, 0 to be the Cheesedog."""
        n = len(self.hands)
        seat = self._put(me, rank, count)
        for _ in range(LONGEST):
            if me in self.escaped:
                return 1 - LATE * self.escaped.index(me) / (n - 1)
            if len(self.escaped) == n - 1:
                return 0.0
            seat = self._turn(seat)
        return 0.3

    def _turn(self, seat: int) -> int:
        """Play as a rookie does; who is next."""
        hand, pile = self.hands[seat], self.pile
        if not self.sizes[seat]:
            rank = self.downs[seat].pop()
            top = pile[-1] if pile else 2
            if rank == 2 or (rank <= 8 if self.low and pile else rank >= top):
                return self._put(seat, rank, 0)
            pile.append(rank)
            return self._pick_up(seat)
        if self.low and pile:
            least, order = 0, LOW_ORDER
        else:
            least, order = (pile[-1] if pile else 0), ORDER
        for rank in order:
            if rank >= least and hand[rank]:
                return self._put(seat, rank, hand[rank])
        if hand[10] and not (self.low and pile) and least <= 10:
            return self._put(seat, 10, 1)
        if hand[2]:
            return self._put(seat, 2, 1)
        return self._pick_up(seat)

    def _pick_up(self, seat: int) -> int:
        hand = self.hands[seat]
        for rank in self.pile:
            hand[rank] += 1
        self.sizes[seat] += len(self.pile)
        self.pile = []
        self.low = False
        return self._next(seat)

    def _put(self, seat: int, rank: int, count: int) -> int:
        """Put cards on the pile from the hand (or one turned over, if `count` is 0); who is next."""
        pile = self.pile
        self.low = False
        if count:
            self.hands[seat][rank] -= count
            self.sizes[seat] -= count
        else:
            count = 1
        pile += [rank] * count
        clears = rank == 10 or (len(pile) >= 4 and pile[-4:] == [rank] * 4)
        skips = 0
        if clears:
            self.pile = []
        elif rank == 7:
            skips = count
        elif rank == 8:
            self.low = True
        elif rank == 9 and count % 2:
            self.direction = -self.direction
        if not self.sizes[seat]:
            if self.ups[seat]:
                for one in self.ups[seat]:
                    self.hands[seat][one] += 1
                self.sizes[seat] = len(self.ups[seat])
                self.ups[seat] = []
            elif not self.downs[seat]:
                self.escaped.append(seat)
                clears = False
        if clears:
            return seat
        for _ in range(skips):
            seat = self._next(seat)
        return self._next(seat)

    def _next(self, seat: int) -> int:
        n = len(self.hands)
        for _ in range(n):
            seat = (seat + self.direction) % n
            if seat not in self.escaped:
                return seat
        return seat
