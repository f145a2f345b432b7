"""Do My Bidding as the masters' search sees it: one decision for each lot, how high to bid for it."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from bots.do_my_bidding_table import Picture, Table, even_limit, lots_left, read, unseen
from bots.offers import View
from games.do_my_bidding.values import AGENT_PLACES, LOT_SIZES

EAGERNESS = 0.9  # of the others: 1 spends a purse evenly over the points for sale in the round
SPREAD = 0.3  # random deviation of their limits, relative
HEEDED = 0.4  # how often the others follow the advice of their patrons
LIMITS = 8  # that are compared for the lot at hand
MINE = (0.2, 0.85, 0.7)  # times the even limit in the first, the second and later rounds,
MINE_LAST = (0.3, 0.06)  # and in the last: so much, and more for each lot left. The best policy against the others'
LATER = (1.0, 0.0, 0.6, 1.4, 2.2)  # times that: what is compared for later lots
MATCHES = 0.25  # of a painting, for each one of its patron's: 12 of the 48 others have its artist or its colour
SCALE = 5.0  # points: the scale of the logistic function from lead to chance of winning


class Auction:
    """The auction at hand: likely limits of all agents in this deal (-1 for one that has dropped), and the bids."""

    __slots__ = ("bidder", "limits", "standing")

    def __init__(self, limits: list[float], bidder: int | None, standing: int) -> None:
        self.limits = limits
        self.bidder = bidder
        self.standing = standing


class Imagined:
    """A table with an order of the deck. `row` has the lots of this round that are not sold yet.

    `luck` has a row for each later sale, with a random number for each patron. All options of a deal share it, so that
    they differ in nothing else.
    """

    __slots__ = ("auction", "deck", "luck", "me", "number", "row", "table")

    def __init__(
        self,
        table: Table,
        row: list[list[Picture]],
        deck: list[Picture],
        luck: list[list[float]],
        number: int,
        me: int,
        auction: Auction | None,
    ) -> None:
        self.table = table
        self.row = row
        self.deck = deck
        self.luck = luck
        self.number = number
        self.me = me
        self.auction = auction

    def copy(self) -> Imagined:
        return Imagined(self.table.copy(), self.row, self.deck, self.luck, self.number, self.me, self.auction)

    def options(self) -> Sequence[float]:
        return LATER if self.row else ()

    def advance(self, option: object, chance: random.Random) -> object:
        assert isinstance(option, int | float)
        rounds = AGENT_PLACES[len(self.table.purses)]
        last = self.number == len(rounds) - 1
        result: object = option
        if self.auction:
            result = agent, price = sale(self.auction, self.me, int(option))
            self.auction = None
            patron = (agent - rounds[self.number]) % len(self.table.purses)
            self.table.sell(self.row[0], agent, patron, min(price, self.table.purses[patron]), last)
        else:
            self._auction(last, option)
        self.row = self.row[1:]
        if not self.row:
            self._end_round(last)
        return result

    def value(self, chance: random.Random) -> float:
        rounds = len(AGENT_PLACES[len(self.table.purses)])
        while self.row:
            last = self.number == rounds - 1
            for _ in range(len(self.row)):
                self._auction(last, 1.0)
                self.row = self.row[1:]
            self._end_round(last)
        scores, me = self.table.scores, self.me
        lead = scores[me] - max(score for seat, score in enumerate(scores) if seat != me)
        return 1 / (1 + math.exp(-lead / SCALE))

    def _end_round(self, last: bool) -> None:
        """DMB-18, and DMB-8 and DMB-9 for the next round."""
        table = self.table
        table.purses = [purse + more for purse, more in zip(table.purses, table.envelopes, strict=True)]
        table.envelopes = [0] * len(table.purses)
        if last:
            return
        self.number += 1
        sizes = LOT_SIZES[len(table.purses)]
        row = sorted(self.deck[: sum(sizes)], key=lambda one: one[2])
        self.row = [row[sum(sizes[:place]) :][:size] for place, size in enumerate(sizes)]
        self.deck = self.deck[sum(sizes) :]

    def _auction(self, last: bool, mine: float) -> None:
        """Sell a lot to the agent with the highest limit; `mine` goes into this seat's."""
        table, lot = self.table, self.row[0]
        seats = len(table.purses)
        places = AGENT_PLACES[seats][self.number]
        luck, self.luck = self.luck[0], self.luck[1:]
        paintings, values = sum(map(len, self.row)), sum(art[2] for one in self.row for art in one)
        my_patron = (self.me - places) % seats
        mine *= MINE_LAST[0] + MINE_LAST[1] * len(self.row) if last else MINE[min(self.number, len(MINE) - 1)]
        top = second = -1
        winner = 0
        for patron, purse in enumerate(table.purses):
            if purse > top or purse > second:
                factor = mine if patron == my_patron else 1 - SPREAD + 2 * SPREAD * luck[patron]
                left = values + MATCHES * paintings * table.owned[patron].bit_count()
                part = EAGERNESS * seats * factor * table.worth(patron, lot) / left
                limit = int(purse * part) if part < 1 else purse
                if limit > top:
                    top, second, winner = limit, top, patron
                elif limit > second:
                    second = limit
        price = top if top <= second else second + 1
        table.sell(lot, (winner + places) % seats, winner, price, last)


class Decision:
    """The decision how high to bid for the lot at hand. An option is a limit; one below the lowest bid is to drop."""

    def __init__(self, view: View, least: int, most: int) -> None:
        self._view = view
        self._table, self._lots, self._unseen = read(view), lots_left(view), unseen(view)
        self._least, self._most = least, most

    def options(self) -> Sequence[int]:
        step = max(1, math.ceil((self._most - self._least) / (LIMITS - 2)))
        even = int(even_limit(self._table, self._view["patrons"][self._view["me"]], self._lots, EAGERNESS))
        limits = {self._least - 1, *range(self._least, self._most, step), self._most}
        return sorted(limits, key=lambda limit: abs(limit - even))

    def deal(self, chance: random.Random) -> tuple[Imagined, float]:
        deck = chance.sample(self._unseen, len(self._unseen))
        auction = Auction(self._likely_limits(chance), self._view["auction"]["bidder"], self._least - 1)
        view = self._view
        return Imagined(self._table, self._lots, deck, self._luck(chance), view["round"] - 1, view["me"], auction), 1.0

    def _luck(self, chance: random.Random) -> list[list[float]]:
        """What chance adds to the limits of all patrons in all sales after this one."""
        patrons = range(len(self._table.purses))
        rounds = len(AGENT_PLACES[len(patrons)]) - self._view["round"]
        sales = len(self._lots) - 1 + rounds * len(LOT_SIZES[len(patrons)])
        return [[chance.random() for _ in patrons] for _ in range(sales)]

    def _likely_limits(self, chance: random.Random) -> list[float]:
        """A likely limit of each agent for the lot at hand, at least its own bid; -1 for an agent that has dropped."""
        auction = self._view["auction"]
        limits = []
        for agent, patron in enumerate(self._view["patrons"]):
            limit = even_limit(self._table, patron, self._lots, EAGERNESS) * chance.uniform(1 - SPREAD, 1 + SPREAD)
            advice = self._view["advice"][patron]
            if advice is not None and chance.random() < HEEDED:
                limit = -1.0 if advice["up_to"] is None else advice["up_to"]
            limit = min(self._table.purses[patron], max(limit, auction["bids"][agent] or 0))
            limits.append(-1.0 if auction["dropped"][agent] else limit)
        return limits


def sale(auction: Auction, me: int, limit: int) -> tuple[int, int]:
    """The winner and the price if this seat bids up to the limit."""
    standing = auction.standing
    others = [(int(own), agent) for agent, own in enumerate(auction.limits) if agent != me and own >= 0]
    others = [other for other in others if other[0] > standing or other[1] == auction.bidder]
    high, rival = max(others, default=(-1, me))
    if limit > standing and limit > high:
        return me, min(limit, max(standing + 1, high + 1))
    if rival == me:
        return me, max(0, standing)
    second = max((other[0] for other in others if other[1] != rival), default=standing)
    push = limit if limit > standing else standing
    raised = standing if rival == auction.bidder and push == standing else standing + 1
    return rival, min(max(raised, min(high, max(second, push) + 1)), max(high, standing))
