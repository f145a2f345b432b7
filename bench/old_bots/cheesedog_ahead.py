"""A game of Cheesedog a few rounds ahead, played quickly by rookies, and what the table looks like then.

A card is its rank here, 2 to 14; a hand is how many there are of each rank.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from operator import mul

from bots.sdk import View
from games.cheesedog.values import DECK, RANK

AHEAD = 12  # turns after which a playout ends as soon as the pile has gone
LONGEST = 60  # turns of a playout

# What may be played on each rank, in a rookie's order: the lowest first, 2s and 10s when nothing else goes.
ON = {top: (*(rank for rank in range(top, 15) if rank not in (2, 10)), 2, *(10,) * (top <= 10)) for top in range(2, 15)}
UNDER_EIGHT = (3, 4, 5, 6, 7, 8, 2)

# How likely a seat is to be the Cheesedog when a new pile starts, relative to the others: e to the power of these for
# its cards. Fitted by logistic regression to 180,000 such positions of four rookies who make one move in ten by chance.
HAND = (0, 0, -0.02, 0.05, 0.04, 0.03, 0.01, -0.04, -0.03, -0.03, -0.02, -0.06, -0.08, -0.11, -0.12)  # by rank
UP = (0, 0, 0.0, 0.12, 0.16, 0.16, 0.10, 0.12, 0.08, 0.08, 0.0, 0.01, -0.04, -0.10, -0.08)  # by rank
DOWN = 0.28  # each
CARDS = 1.44  # for the logarithm of their number and one


@dataclass(slots=True)
class Ahead:
    """A table by seat, with every card known; the last face-down card of a row is turned over first."""

    hands: list[list[int]]
    sizes: list[int]
    ups: list[list[int]]
    downs: list[list[int]]
    pile: list[int]
    direction: int
    low: bool
    escaped: list[int]

    def copy(self) -> Ahead:
        return Ahead(
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
        """How likely this seat is not to be the Cheesedog if it plays this now."""
        seat = self.put(me, rank, count)
        for turn in range(LONGEST):
            if me in self.escaped:
                return 1.0
            if len(self.escaped) == len(self.hands) - 1:
                return 0.0
            if turn >= AHEAD and not self.pile:
                break
            seat = self.turn(seat)
        dangers = [self.danger(seat) for seat in range(len(self.hands))]
        return 1 - dangers[me] / sum(dangers)

    def danger(self, seat: int) -> float:
        """How likely this seat is to be the Cheesedog, relative to the others."""
        if seat in self.escaped:
            return 0.0
        ups, downs = self.ups[seat], len(self.downs[seat])
        cards = self.sizes[seat] + len(ups) + downs
        known = sum(map(mul, self.hands[seat], HAND)) + sum(UP[rank] for rank in ups)
        return float((cards + 1) ** CARDS * exp(known + DOWN * downs))

    def turn(self, seat: int) -> int:
        """Play as a rookie does; who is next."""
        if not self.sizes[seat]:
            return self.turn_over(seat)
        hand = self.hands[seat]
        for rank in self._order():
            if hand[rank]:
                return self.put(seat, rank, 1 if rank in (2, 10) else hand[rank])
        return self.pick_up(seat)

    def _order(self) -> tuple[int, ...]:
        """All that may be played now, in a rookie's order."""
        if not self.pile:
            return ON[2]
        return UNDER_EIGHT if self.low else ON[self.pile[-1]]

    def turn_over(self, seat: int) -> int:
        """Play a face-down card, or pick it up with the pile; who is next."""
        rank = self.downs[seat].pop()
        if rank in self._order():
            return self._land(seat, rank, 1)
        self.pile.append(rank)
        return self.pick_up(seat)

    def pick_up(self, seat: int) -> int:
        """The pile goes into the hand; who is next."""
        hand = self.hands[seat]
        for rank in self.pile:
            hand[rank] += 1
        self.sizes[seat] += len(self.pile)
        self.pile = []
        self.low = False
        return self._next(seat)

    def put(self, seat: int, rank: int, count: int) -> int:
        """Play cards from the hand; who is next."""
        self.hands[seat][rank] -= count
        self.sizes[seat] -= count
        return self._land(seat, rank, count)

    def _land(self, seat: int, rank: int, count: int) -> int:
        """What follows from cards that this seat puts on the pile; who is next."""
        pile = self.pile
        pile += [rank] * count
        clears = rank == 10 or (len(pile) >= 4 and pile[-4:] == [rank] * 4)
        self.low = rank == 8 and not clears
        if clears:
            self.pile = []
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
        if clears and seat not in self.escaped:
            return seat
        for _ in range(count if rank == 7 and not clears else 0):
            seat = self._next(seat)
        return self._next(seat)

    def _next(self, seat: int) -> int:
        n = len(self.hands)
        for _ in range(n):
            seat = (seat + self.direction) % n
            if seat not in self.escaped:
                break
        return seat


def read(view: View) -> Ahead:
    """The table of a view, the hidden cards still missing."""
    hands = [[0] * 15 for _ in view["hands"]]
    for card in view["hand"]:
        hands[view["me"]][RANK[card]] += 1
    return Ahead(
        hands,
        list(view["hands"]),
        [[RANK[card] for card in row] for row in view["ups"]],
        [[0] * sum(row) for row in view["downs"]],
        [RANK[card] for card in view["pile"]],
        view["direction"],
        view["low"],
        list(view["escaped"]),
    )


def unseen(view: View) -> list[int]:
    """The cards in others' hands, and those face down."""
    left = list(DECK)
    for card in (*view["hand"], *view["pile"], *view["discard"], *(card for row in view["ups"] for card in row)):
        left.remove(card)
    return [RANK[card] for card in left]


def deal(table: Ahead, me: int, hidden: list[int]) -> None:
    """Give out the hidden cards in this order."""
    place = 0
    for seat, size in enumerate(table.sizes):
        if seat != me:
            hand = table.hands[seat] = [0] * 15
            for rank in hidden[place : place + size]:
                hand[rank] += 1
            place += size
    for seat, row in enumerate(table.downs):
        table.downs[seat] = hidden[place : place + len(row)]
        place += len(row)
