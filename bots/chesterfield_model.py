"""Chesterfield as the masters' search sees it: one decision for each card, how high to bid for it.

The decision at hand is a turn of an auction, a secret bid, or the card and the price that the Auctioneer presents.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

from bots.chesterfield_simulation import NUMBER, SPREAD, Simulation, read, unseen
from bots.offers import View
from games.chesterfield.deck import BLOCK, TRADE

MINE = 0.9  # times the usual limit: the best policy of this seat against that of the others
LATER = (MINE, 0.0, 0.6, 1.3, 2.0)  # times the usual limit: what is compared for later cards
SCALE = 4.0  # points: the scale of the logistic function from lead to chance of winning
JUMPS = 0.4  # how often the others bid as high as they can in their last turn
DOUBT = 0.1  # the least weight for what a seat did: the model of its limits may be wrong


class Option(NamedTuple):
    """A way to take a turn: up to what to bid, after an action or a card that is cashed in."""

    limit: int
    action: str | None = None
    cashed: str | None = None


class Present(NamedTuple):
    """A card to put up at this price."""

    card: str
    price: int


class Auction:
    """The auction at hand: likely limits of all seats in this deal, and what has been bid and played."""

    __slots__ = (
        "actions",
        "bidder",
        "bids",
        "card",
        "dropped",
        "jumps",
        "last",
        "limits",
        "lowest",
        "silent",
        "standing",
    )

    def __init__(self, view: View, limits: list[int], jumps: bool) -> None:
        auction = view["auction"]
        self.card = NUMBER[view["card"]]
        self.limits = limits
        self.actions: list[str] = list(view["actions"])
        self.bids: list[int | None] = list(auction["bids"])
        self.dropped: list[bool] = list(auction["dropped"])
        self.bidder: int | None = auction["bidder"]
        self.standing: int = -1 if auction["bid"] is None else auction["bid"]
        self.lowest: int = max(self.standing + 1, view["price"])
        self.silent: bool = view["phase"] == "silent_auction"
        self.last: Sequence[int] | None = auction["last"]  # the turns after this one, once a Pecorino was played
        self.jumps = jumps  # whether the others bid as high as they can in their last turn

    def sale(self, me: int, limit: int, action: str | None = None) -> tuple[int, int] | None:
        """The winner and the price if this seat bids up to the limit and the others to theirs; None if nobody bids."""
        if self.silent or action == "Emmental":
            return self._silent_sale(me, limit)
        if action == "Pecorino":
            seats = len(self.limits)
            return self._last_sale(me, limit, [(me + step) % seats for step in range(1, seats + 1)])
        if self.last is not None:
            return self._last_sale(me, limit, self.last)
        standing, bidder, lowest = self.standing, self.bidder, self.lowest
        others = [
            (max(own, standing) if seat == bidder else own, seat)
            for seat, own in enumerate(self.limits)
            if seat != me and not self.dropped[seat] and (seat == bidder or own >= lowest)
        ]
        high, rival = max(others, default=(-1, me))
        if limit >= lowest and limit > high:
            return me, max(lowest, high + 1)
        if rival == me:
            return None if bidder != me else (me, standing)
        second = max((other[0] for other in others if other[1] != rival), default=-1)
        push = max(second, limit)
        if rival == bidder and push <= standing:
            return rival, standing
        return rival, min(high, max(lowest, push + 1))

    def _last_sale(self, me: int, limit: int, last: Sequence[int]) -> tuple[int, int] | None:
        """CCA-20: the turns that are left after this one. A seat without a further turn bids its limit at once."""
        standing, bidder, lowest = self.standing, self.bidder, self.lowest
        if limit >= lowest:
            standing = lowest if me in last else limit
            bidder, lowest = me, standing + 1
        for seat in last:
            if self.dropped[seat] or seat == bidder or (seat == me and limit < lowest):
                continue
            own = limit if seat == me else self.limits[seat]
            if own >= lowest:
                standing = own if self.jumps and seat != me else lowest
                bidder, lowest = seat, standing + 1
        return None if bidder is None else (bidder, standing)

    def _silent_sale(self, me: int, bid: int) -> tuple[int, int] | None:
        """CCA-23: the winner pays what it bid; a tie is taken for lost."""
        rivals = [
            (max(own, self.bids[seat] or 0), seat)
            for seat, own in enumerate(self.limits)
            if seat != me and not self.dropped[seat]
        ]
        high, rival = max(rivals, default=(-1, me))
        if bid > high:
            return (me, bid) if bid >= self.lowest - (self.standing >= 0) else None
        return (rival, high) if high >= self.lowest - (self.standing >= 0) else None


class Imagined:
    """A table with every card known. `block` has the cards that are sold before the next upkeep."""

    __slots__ = ("auction", "block", "deck", "me", "table")

    def __init__(self, table: Simulation, block: list[int], deck: list[int], me: int, auction: Auction | None) -> None:
        self.table = table
        self.block = block
        self.deck = deck
        self.me = me
        self.auction = auction

    def copy(self) -> Imagined:
        return Imagined(self.table.copy(), self.block[:], self.deck, self.me, self.auction)

    def options(self) -> Sequence[float]:
        return LATER if self.block else ()

    def advance(self, option: object, chance: random.Random) -> object:
        result: object = option
        if isinstance(option, Option):
            result = self._take_turn(option)
        elif isinstance(option, Present):
            self._present(option, chance)
        else:
            assert isinstance(option, float)
            self._sell(chance, option)
        if not self.block:
            self._end_block()
        return result

    def _take_turn(self, option: Option) -> object:
        auction, table, me = self.auction, self.table, self.me
        assert auction
        sale = auction.sale(me, option.limit, option.action)
        actions = auction.actions
        if option.action:
            table.hands[me][NUMBER[option.action]] -= 1
            actions = [*actions, option.action]
        if option.cashed:
            table.hands[me][NUMBER[option.cashed]] -= 1
            table.banks[me] += TRADE[option.cashed]
        if sale:
            table.close(auction.card, sale, auction.bids, actions, len(self.deck) // BLOCK)
        return sale, option.action, option.cashed

    def _present(self, option: Present, chance: random.Random) -> None:
        """Sell this card of the block, unless the price is too high for everybody."""
        card, left = NUMBER[option.card], len(self.deck) // BLOCK
        means = self.table.means(card, len(self.deck) + len(self.block), left)
        self.block.remove(card)
        limits = self.table.limits(means, chance)
        top = max(limits)
        if top >= option.price:
            winner = limits.index(top)
            limits[winner] = -1
            self.table.banks[winner] -= min(top, max(option.price, max(limits) + 1))
            self.table.take(winner, card, left)

    def _sell(self, chance: random.Random, mine: float) -> None:
        """Sell the next card to the seat with the highest limit; this seat's is `mine` times the usual."""
        table, deck = self.table, self.deck
        left = len(deck) // BLOCK
        means = table.means(self.block[0], len(deck) + len(self.block), left)
        means[self.me] *= mine
        card = self.block.pop(0)
        limits = table.limits(means, chance)
        top = max(limits)
        winner = limits.index(top)
        limits[winner] = -1
        table.banks[winner] -= min(top, max(limits) + 1)
        table.take(winner, card, left)

    def _end_block(self) -> None:
        self.table.upkeep()
        self.block, self.deck = self.deck[:BLOCK], self.deck[BLOCK:]

    def value(self, chance: random.Random) -> float:
        while self.block:
            while self.block:
                self._sell(chance, MINE)
            self._end_block()
        scores, me = self.table.finish(), self.me
        lead = scores[me] - max(score for seat, score in enumerate(scores) if seat != me)
        return 1 / (1 + math.exp(-lead / SCALE))


class Decision:
    """A turn of an auction, or what to present. Deals weigh by how well they explain the bids for the card."""

    def __init__(self, view: View, options: Sequence[Option] | Sequence[Present]) -> None:
        self._view, self._options = view, options
        self._table, self._hidden = read(view), unseen(view)

    def options(self) -> Sequence[Option] | Sequence[Present]:
        return self._options

    def deal(self, chance: random.Random) -> tuple[Imagined, float]:
        view, hidden = self._view, self._hidden
        me, table = view["me"], self._table.copy()
        chance.shuffle(hidden)
        place = 0
        for seat, size in enumerate(view["hands"]):
            if seat != me:
                for card in hidden[place : place + size]:
                    table.hands[seat][card] += 1
                place += size
        block = [NUMBER[card] for card in view["block"] if card]
        missing = len(view["block"]) - len(block)
        block += hidden[place : place + missing]
        place += missing
        deck = hidden[place : place + BLOCK * view["blocks_left"]]
        if not view["card"]:
            return Imagined(table, block, deck, me, None), 1.0
        means = table.means(NUMBER[view["card"]], len(deck) + len(block) + 1, view["blocks_left"])
        auction = Auction(view, table.limits(means, chance), jumps=chance.random() < JUMPS)
        return Imagined(table, block, deck, me, auction), _weight(auction, means, me)


def _weight(auction: Auction, means: Sequence[float], me: int) -> float:
    """How likely the seats were to bid and to drop as they did, if their limits lie round these means."""
    weight = 1.0
    for seat, mean in enumerate(means):
        bid, spread = auction.bids[seat], 2 * SPREAD * mean + 1
        if seat == me or (bid is None and not auction.dropped[seat]):
            continue
        low = mean - spread / 2
        if bid is not None:
            weight *= min(1.0, max(DOUBT, 1 - (bid - low) / spread))
        if auction.dropped[seat]:
            weight *= min(1.0, max(DOUBT, (auction.standing + 1 - low) / spread))
    return weight
