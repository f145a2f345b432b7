"""A fast simulation of some rounds of Cheesedog between rookies, and an evaluation of the table after them.

A card is its rank here, 2 to 14; a hand is a list of counts by rank.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import exp
from operator import mul

from bots.memory import CheesedogMemory
from bots.offers import View
from games.cheesedog.values import DECK, RANK

Play = tuple[int, int]  # rank and number of cards

MIN_TURNS = 12  # after these a simulation stops when the pile is empty
MAX_TURNS = 60  # of a simulation
PLACE = 0.01  # of the value: what each place better than the last but one is worth

# What is legal on each rank, in a rookie's order: the lowest rank first, 2s and 10s last.
ON = {top: (*(rank for rank in range(top, 15) if rank not in (2, 10)), 2, *(10,) * (top <= 10)) for top in range(2, 15)}
UNDER_EIGHT = (3, 4, 5, 6, 7, 8, 2)

# How likely a seat is to become the Cheesedog when a new pile starts, relative to the others: e to the power of the
# sum of these for its cards. Fitted by logistic regression to 180,000 such positions of four rookies with 10 % random
# moves.
HAND = (0, 0, -0.02, 0.05, 0.04, 0.03, 0.01, -0.04, -0.03, -0.03, -0.02, -0.06, -0.08, -0.11, -0.12)  # by rank
UP = (0, 0, 0.0, 0.12, 0.16, 0.16, 0.10, 0.12, 0.08, 0.08, 0.0, 0.01, -0.04, -0.10, -0.08)  # by rank
DOWN = 0.28  # for each face-down card
CARDS = 1.44  # times the logarithm of (number of cards + 1)


class Simulation:
    """A table with every card known, and a seat that searches for its plays (bots/search.py).

    Lists are by seat; the last face-down card of a row is turned over first.
    """

    __slots__ = ("direction", "downs", "escaped", "hands", "low", "me", "pile", "seat", "sizes", "turns", "ups")

    def __init__(
        self,
        hands: list[list[int]],
        sizes: list[int],
        ups: list[list[int]],
        downs: list[list[int]],
        pile: list[int],
        direction: int,
        low: bool,
        escaped: list[int],
        me: int,
    ) -> None:
        self.hands = hands
        self.sizes = sizes
        self.ups = ups
        self.downs = downs
        self.pile = pile
        self.direction = direction
        self.low = low
        self.escaped = escaped
        self.me = me
        self.seat = me
        self.turns = 0

    def copy(self) -> Simulation:
        return Simulation(
            [hand[:] for hand in self.hands],
            self.sizes[:],
            self.ups[:],
            [row[:] for row in self.downs],
            self.pile[:],
            self.direction,
            self.low,
            self.escaped[:],
            self.me,
        )

    def options(self) -> Sequence[Play]:
        """The plays worth comparing at this seat's turn, the rookie's first; empty if it has escaped or lost."""
        if self.seat != self.me or self.me in self.escaped or len(self.escaped) == len(self.hands) - 1:
            return ()
        return plays_to_compare(self.hands[self.me], self._order())

    def advance(self, option: object, chance: random.Random) -> object:
        """Make this play, and let the others play until this seat has a choice."""
        assert isinstance(option, tuple)
        me = self.me
        self.seat = self.put(me, option[0], option[1])
        self.turns += 1
        others = len(self.hands) - 1
        while me not in self.escaped and len(self.escaped) < others and self.turns < MAX_TURNS:
            if self.seat == me and len(self.options()) > 1:
                break
            self.seat = self.turn(self.seat)
            self.turns += 1
        return option

    def value(self, chance: random.Random) -> float:
        """How likely this seat is not to become the Cheesedog."""
        me, others = self.me, len(self.hands) - 1
        until = self.turns + MIN_TURNS
        while True:
            if me in self.escaped:
                return 1.0 - PLACE * self.escaped.index(me)
            if len(self.escaped) == others:
                return 0.0
            if self.turns >= MAX_TURNS or (self.turns >= until and not self.pile):
                break
            self.seat = self.turn(self.seat)
            self.turns += 1
        dangers = [self.danger(seat) for seat in range(others + 1)]
        return (1 - PLACE * (len(self.escaped) + 1)) * (1 - dangers[me] / sum(dangers))

    def danger(self, seat: int) -> float:
        """How likely this seat is to become the Cheesedog, relative to the others."""
        if seat in self.escaped:
            return 0.0
        ups, downs = self.ups[seat], len(self.downs[seat])
        cards = self.sizes[seat] + len(ups) + downs
        known = sum(map(mul, self.hands[seat], HAND)) + sum(UP[rank] for rank in ups)
        return float((cards + 1) ** CARDS * exp(known + DOWN * downs))

    def turn(self, seat: int) -> int:
        """Make a rookie's move; returns the next seat."""
        if not self.sizes[seat]:
            return self.turn_over(seat)
        hand = self.hands[seat]
        for rank in self._order():
            if hand[rank]:
                return self.put(seat, rank, 1 if rank in (2, 10) else hand[rank])
        return self.pick_up(seat)

    def _order(self) -> tuple[int, ...]:
        """The legal ranks, in a rookie's order."""
        if not self.pile:
            return ON[2]
        return UNDER_EIGHT if self.low else ON[self.pile[-1]]

    def turn_over(self, seat: int) -> int:
        """Play a face-down card, or pick it up with the pile; returns the next seat."""
        rank = self.downs[seat].pop()
        if rank in self._order():
            return self._land(seat, rank, 1)
        self.pile.append(rank)
        return self.pick_up(seat)

    def pick_up(self, seat: int) -> int:
        """Take the pile into the hand; returns the next seat."""
        hand = self.hands[seat]
        for rank in self.pile:
            hand[rank] += 1
        self.sizes[seat] += len(self.pile)
        self.pile = []
        self.low = False
        return self._next(seat)

    def put(self, seat: int, rank: int, count: int) -> int:
        """Play cards from the hand; returns the next seat."""
        self.hands[seat][rank] -= count
        self.sizes[seat] -= count
        return self._land(seat, rank, count)

    def _land(self, seat: int, rank: int, count: int) -> int:
        """Put cards on the pile with all their effects; returns the next seat."""
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


def plays_to_compare(hand: Sequence[int], legal: Sequence[int]) -> list[Play]:
    """Of each rank all cards or one, of 2s and 10s one; these in the rookie's order of ranks."""
    plays: list[Play] = []
    for rank in legal:
        held = hand[rank]
        if held > 1 and rank not in (2, 10):
            plays.append((rank, held))
        if held:
            plays.append((rank, 1))
    return plays


def read(view: View) -> Simulation:
    """The table of a view, without the hidden cards."""
    hands = [[0] * 15 for _ in view["hands"]]
    for card in view["hand"]:
        hands[view["me"]][RANK[card]] += 1
    return Simulation(
        hands,
        list(view["hands"]),
        [[RANK[card] for card in row] for row in view["ups"]],
        [[0] * sum(row) for row in view["downs"]],
        [RANK[card] for card in view["pile"]],
        view["direction"],
        view["low"],
        list(view["escaped"]),
        view["me"],
    )


def unseen_cards(view: View) -> list[str]:
    """The hidden cards: in other hands or face down."""
    left = list(DECK)
    for card in (*view["hand"], *view["pile"], *view["discard"], *(card for row in view["ups"] for card in row)):
        left.remove(card)
    return left


class Decision:
    """The decision which cards to play."""

    def __init__(self, view: View, plays: Sequence[Play], memory: CheesedogMemory | None = None) -> None:
        self._table, self._plays, self._memory = read(view), plays, memory
        left = unseen_cards(view)
        self._known: list[list[int]] = [[] for _ in self._table.sizes]
        if memory is not None:
            for seat, cards in enumerate(memory.known):
                if seat != self._table.me:
                    self._known[seat] = [RANK[card] for card in cards]
                    for card in cards:
                        left.remove(card)
        self._hidden = [RANK[card] for card in left]

    def options(self) -> Sequence[Play]:
        return self._plays

    def deal(self, chance: random.Random) -> tuple[Simulation, float]:
        """Deal the hidden cards, so that they fit what the others have done."""
        table = self._table.copy()
        hidden = self._hidden[:]
        chance.shuffle(hidden)
        seats = [seat for seat in range(len(table.sizes)) if seat != table.me]
        chance.shuffle(seats)
        for seat in seats:
            table.hands[seat], hidden = self._hand(seat, hidden, chance)
        for seat, row in enumerate(table.downs):
            table.downs[seat] = hidden[: len(row)]
            hidden = hidden[len(row) :]
        return table, 1.0

    def _hand(self, seat: int, hidden: list[int], chance: random.Random) -> tuple[list[int], list[int]]:
        """A hand for this seat, and the hidden cards that are left: cards that hardly fit are mostly passed over."""
        hand, known = [0] * 15, self._known[seat]
        for rank in known:
            hand[rank] += 1
        wanted = self._table.sizes[seat] - len(known)
        if self._memory is None:
            taken, left = hidden[:wanted], hidden[wanted:]
        else:
            odds = self._memory.odds[seat]
            taken, left = [], []
            for rank in hidden:
                fits = len(taken) < wanted and (odds[rank] == 1.0 or chance.random() < odds[rank])
                (taken if fits else left).append(rank)
            missing = wanted - len(taken)
            taken, left = taken + left[:missing], left[missing:]
        for rank in taken:
            hand[rank] += 1
        return hand, left
