"""Chesterfield as the masters' search sees it: one decision for each card, how high to bid for it.

The decision at hand is a turn of an auction, a secret bid, or the card and the price that the Auctioneer presents.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

from bots.chesterfield_simulation import (
    CHEDDAR,
    GAIN,
    GRUYERE,
    NUMBER,
    PLAIN,
    POINTS,
    SPREAD,
    TRADES,
    WITH_CHEDDAR,
    Simulation,
    read,
    unseen,
)
from bots.memory import ChesterfieldMemory
from bots.offers import View
from games.chesterfield.deck import BLOCK, HAND, TRADE, UPKEEP

# The policy of this seat in the rest of a game, the best that was found against that of the others: it expects income,
# counts on pairs by the cards that are still unseen, and does not keep single cards that hardly become a pair.
MINE = 0.6  # times the limit at which its money is spread evenly over the points for sale
LATER = (MINE, 0.0, 0.4, 0.9, 1.4)  # times that limit: what is compared for later cards
INCOME = 8  # dollars for each block to come
PAIRED = 0.5  # of its points: what a single card is worth if another one is sure to come,
HOPE = 0.15  # and if not
TOO_LITTLE = 2.4  # points: a single card that is worth less is cashed in before upkeep
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

    __slots__ = ("auction", "block", "deck", "me", "table", "unseen")

    def __init__(
        self,
        table: Simulation,
        block: list[int],
        deck: list[int],
        me: int,
        auction: Auction | None,
        unseen: list[int],
    ) -> None:
        self.table = table
        self.block = block
        self.deck = deck
        self.me = me
        self.auction = auction
        self.unseen = unseen  # by cheese, the cards that this seat cannot place

    def copy(self) -> Imagined:
        return Imagined(self.table.copy(), self.block[:], self.deck, self.me, self.auction, self.unseen[:])

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
            self._sell(self.block.pop(0), option, chance)
            if not self.block:
                self._cash_in()
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
        card = NUMBER[option.card]
        self.block.remove(card)
        self._sell(card, MINE, chance, option.price)

    def _sell(self, card: int, mine: float, chance: random.Random, price: int = 0) -> None:
        """Sell a card that was in the block to the seat with the highest limit; `mine` goes into this seat's."""
        table, me = self.table, self.me
        left, to_come = len(self.deck) // BLOCK, len(self.deck) + len(self.block)
        means = table.means(card, to_come + 1, left)
        money = table.banks[me] + left * max(INCOME, UPKEEP * (HAND - sum(table.hands[me])))
        means[me] = mine * self._gain(card, to_come) * money * len(means) / (GAIN * (to_come + 1))
        self.unseen[card] -= 1
        limits = table.limits(means, chance)
        top = max(limits)
        if top >= price:
            winner = limits.index(top)
            limits[winner] = -1
            table.banks[winner] -= min(top, max(price, max(limits) + 1))
            table.take(winner, card, left)

    def _gain(self, card: int, to_come: int) -> float:
        """What this card is worth to this seat when so many are still to come."""
        table, me = self.table, self.me
        if card <= GRUYERE or table.hands[me][card] or table.lying[me][card]:
            return table.gain(me, card)
        hope = self._hope(card, self.unseen[card] - 1, to_come)
        return POINTS[card] * (max(hope, WITH_CHEDDAR) if table.hands[me][CHEDDAR] else hope)

    def _hope(self, card: int, others: int, to_come: int) -> float:
        """What part of its points a single card is worth, if so many others like it are unseen."""
        if others <= 0:
            return HOPE
        share = min(1.0, to_come / max(1, sum(self.unseen)))
        return float(HOPE + PAIRED * (1 - (1 - share) ** others))

    def _cash_in(self) -> None:
        """Cash in this seat's single cards that are worth too little, at the end of a block."""
        if not self.deck:
            return
        table, me, to_come = self.table, self.me, len(self.deck)
        hand = table.hands[me]
        for card in PLAIN:
            if hand[card] != 1 or table.lying[me][card]:
                continue
            if POINTS[card] * self._hope(card, self.unseen[card], to_come) < TOO_LITTLE:
                hand[card] = 0
                table.banks[me] += TRADES[card]

    def _end_block(self) -> None:
        self.table.upkeep()
        self.block, self.deck = self.deck[:BLOCK], self.deck[BLOCK:]

    def value(self, chance: random.Random) -> float:
        while self.block:
            while self.block:
                self._sell(self.block.pop(0), MINE, chance)
            self._cash_in()
            self._end_block()
        scores, me = self.table.finish(), self.me
        lead = scores[me] - max(score for seat, score in enumerate(scores) if seat != me)
        return 1 / (1 + math.exp(-lead / SCALE))


class Decision:
    """A turn of an auction, or what to present. Deals weigh by how well they explain the bids for the card."""

    def __init__(
        self, view: View, options: Sequence[Option] | Sequence[Present], memory: ChesterfieldMemory | None = None
    ) -> None:
        self._view, self._options = view, options
        self._table, self._hidden = read(view), unseen(view)
        self._single = memory is not None and memory.laid  # the others have laid down their pairs
        self._known: list[list[int]] = [[] for _ in view["hands"]]
        if memory is not None:
            for seat, cards in enumerate(memory.known):
                if seat != view["me"]:
                    self._known[seat] = [NUMBER[card] for card in cards]
                    for number in self._known[seat]:
                        self._hidden.remove(number)
        to_place = self._hidden + [NUMBER[card] for card in view["block"] if card]
        self._unseen = [to_place.count(card) for card in range(len(POINTS))]

    def options(self) -> Sequence[Option] | Sequence[Present]:
        return self._options

    def deal(self, chance: random.Random) -> tuple[Imagined, float]:
        view, hidden = self._view, self._hidden[:]
        me, table = view["me"], self._table.copy()
        chance.shuffle(hidden)
        for seat, size in enumerate(view["hands"]):
            if seat != me:
                hidden = self._deal_hand(table, seat, size, hidden)
        block = [NUMBER[card] for card in view["block"] if card]
        missing = len(view["block"]) - len(block)
        block += hidden[:missing]
        deck = hidden[missing : missing + BLOCK * view["blocks_left"]]
        if not view["card"]:
            return Imagined(table, block, deck, me, None, self._unseen), 1.0
        means = table.means(NUMBER[view["card"]], len(deck) + len(block) + 1, view["blocks_left"])
        auction = Auction(view, table.limits(means, chance), jumps=chance.random() < JUMPS)
        return Imagined(table, block, deck, me, auction, self._unseen), _weight(auction, means, me)

    def _deal_hand(self, table: Simulation, seat: int, size: int, hidden: list[int]) -> list[int]:
        """Give a seat its known cards, and hidden ones that make no set with the others; what is left of those."""
        hand, lying = table.hands[seat], table.lying[seat]
        for card in self._known[seat]:
            hand[card] += 1
        missing = size - len(self._known[seat])
        left: list[int] = []
        for card in hidden:
            if missing and not (self._single and hand[card] and card > GRUYERE and not lying[card]):
                hand[card] += 1
                missing -= 1
            else:
                left.append(card)
        for card in left[:missing]:
            hand[card] += 1
        return left[missing:]


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
