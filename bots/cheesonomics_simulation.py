"""A fast simulation of the rest of a game of Cheesonomics, by players who produce and sell but do not churn.

A decision is a turn, a last sale, or what follows a turn: a gift, what is given back, or a change of the market.

A wedge is a number here, animal * 5 + colour, and so is a trait: colours first, as on the tray.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from bots.memory import CheesonomicsMemory
from bots.offers import View
from games.cheesonomics.pieces import (
    ANIMAL,
    ANIMALS,
    CHEESE,
    COLOUR,
    COLOURS,
    HAND,
    MOST_SOLD,
    SIDE_COLOUR,
    SIDE_PRICE,
    SIDES,
    TRAITS,
    Wedge,
)

Option = tuple[str, int]  # what to do, and with which trait, wedge or change of the market

NUMBER = {wedge: ANIMALS.index(ANIMAL[wedge]) * 5 + COLOURS.index(COLOUR[wedge]) for wedge in CHEESE}
TRAIT = {trait: number for number, trait in enumerate(TRAITS)}
SIDE = {side: number for number, side in enumerate(sorted(SIDE_COLOUR))}
PRICED = tuple((COLOURS.index(SIDE_COLOUR[side]), SIDE_PRICE[side]) for side in SIDE)  # colour and price of each side
BACKS = tuple(
    tuple(SIDE[other] for pair in SIDES.values() for one, other in (pair, pair[::-1]) if one == side) for side in SIDE
)  # the sides that may be behind each side
ENOUGH = 7  # curds that make a sale worth a turn

# The policy of the searching seat in the rest of a game, the best that was found against that of the others.
PATIENT = 14  # curds that make a sale worth a turn while there is time,
HURRY = 3.4  # and ENOUGH do when the wedges in its wheels, times the number of seats, are so many times the pile,
LATE = 2  # or fewer than so many wedges for each seat are in the pile
DEAR = 6  # curds that count for every wedge beside its price, when this seat chooses what to produce
STOCKED = 2.0  # curds that count for up to three wedges with the same trait in its wheels
FITTING = 0.6  # sharp: how often a seat has a market wedge with the colour of which it has most to sell
MAX_TURNS = 200  # of a simulation
SCALE = 6.0  # curds: the scale of the logistic function from lead to chance of winning


class Simulation:
    """A table with every wedge known, and a seat that searches for its turns (bots/search.py).

    Lists are by seat; `sold` counts the sold wedges of each animal.
    """

    __slots__ = ("curds", "hands", "last", "me", "pile", "prices", "seat", "sharp", "sold", "start", "turns", "wheels")

    def __init__(
        self,
        hands: list[list[int]],
        wheels: list[list[int]],
        curds: list[int],
        sold: list[list[int]],
        pile: list[int],
        prices: list[int],
        start: int,
        me: int,
        seat: int,
        sharp: bool,
    ) -> None:
        self.hands = hands
        self.wheels = wheels
        self.curds = curds
        self.sold = sold
        self.pile = pile
        self.prices = prices
        self.start = start
        self.me = me
        self.seat = seat
        self.sharp = sharp
        self.last = seat
        self.turns = 0

    def copy(self) -> Simulation:
        return Simulation(
            [hand[:] for hand in self.hands],
            [wheel[:] for wheel in self.wheels],
            self.curds[:],
            [row[:] for row in self.sold],
            self.pile[:],
            self.prices[:],
            self.start,
            self.me,
            self.seat,
            self.sharp,
        )

    def options(self) -> Sequence[Option]:
        """What this seat may do in its turn, the policy's choice first: sell or produce a trait."""
        if not self.pile:
            return ()
        me = self.me
        held, stock = [0] * 10, [0] * 10
        for wedge in self.hands[me]:
            held[wedge % 5] += 1
            held[5 + wedge // 5] += 1
        for wedge in self.wheels[me]:
            if self.prices[wedge % 5]:
                stock[wedge % 5] += 1
                stock[5 + wedge // 5] += 1
        found: list[Option] = [("sell", trait) for trait in range(10) if stock[trait] > 1]
        found += [("produce", trait) for trait in range(10) if held[trait] > 1]
        return found or [("produce", self._own_produce())]

    def advance(self, option: object, chance: random.Random) -> object:
        """Do this, and let the others take their turns."""
        assert isinstance(option, tuple)
        me, kind, trait = self.me, option[0], option[1]
        if kind == "sell":
            self.sell(me, self.dearest(me, trait), chance)
        elif kind == "produce":
            self.produce(me, trait)
        elif kind == "churn":
            self.churn(me, trait, chance)
        elif kind == "last_sale":
            self.sell(me, self.dearest(me, trait), chance, last=True)
        elif kind == "give":
            self._give(trait)
        elif kind == "give_back":
            self._give_back(trait)
        elif kind == "flip":
            self._flip(trait, chance)
        else:
            self._replace(trait // len(SIDE), trait % len(SIDE), chance)
        self._pass()
        while self.seat != me and self.pile:
            self.turn(chance)
        return option

    def value(self, chance: random.Random) -> float:
        """Play to the end; how likely this seat is to win."""
        while self.pile and self.turns < MAX_TURNS:
            self.turn(chance)
        return self.end(self.last, self.me, chance)

    def turn(self, chance: random.Random) -> None:
        """A turn by the policy."""
        seat = self.seat
        curds, sale = self.best_sale(seat)
        mine = seat == self.me
        if curds >= (PATIENT if mine and not self._in_a_hurry() else ENOUGH):
            self.sell(seat, sale, chance)
        else:
            self.produce(seat, self._own_produce() if mine else self.best_produce(seat))
        self._pass()

    def _in_a_hurry(self) -> bool:
        """Whether few turns are left for what this seat has to sell."""
        seats, left = len(self.hands), len(self.pile)
        return left < LATE * seats or len(self.wheels[self.me]) * seats >= HURRY * left

    def _own_produce(self) -> int:
        """The trait that this seat produces: many wedges, dear ones, and rather what its wheels have already."""
        prices, worth, stock = self.prices, [0.0] * 10, [0] * 10
        for wedge in self.wheels[self.me]:
            stock[wedge % 5] += 1
            stock[5 + wedge // 5] += 1
        for wedge in self.hands[self.me]:
            colour, animal = wedge % 5, 5 + wedge // 5
            same = min(stock[colour], MOST_SOLD) * prices[colour] / 3 + min(stock[animal], MOST_SOLD)
            value = DEAR + prices[colour] + STOCKED * same
            worth[colour] += value
            worth[animal] += value
        return worth.index(max(worth))

    def _give(self, wedge: int) -> None:
        """ECO-8 and ECO-9: give the churner a wedge, and get back what it needs least."""
        self.hands[self.me].remove(wedge)
        hand = self.hands[self.seat]
        hand.append(wedge)
        back = min(hand, key=lambda one: self._fit(one, self.best_produce(self.seat)))
        hand.remove(back)
        self.hands[self.me].append(back)

    def _give_back(self, wedge: int) -> None:
        """ECO-9: give back this wedge, and to the others that are owed one what is needed least."""
        hand, me = self.hands[self.me], self.me
        best = self.best_produce(me)
        for step in range(1, len(self.hands)):
            other = (me + step) % len(self.hands)
            if len(self.hands[other]) < HAND and len(hand) > HAND:
                hand.remove(wedge)
                self.hands[other].append(wedge)
                wedge = min(hand, key=lambda one: self._fit(one, best))

    def _flip(self, side: int, chance: random.Random) -> None:
        """ECO-15: another side comes up, which nobody has seen."""
        colour, price = PRICED[side]
        self.prices[colour] -= price
        colour, price = PRICED[chance.choice(BACKS[side])]
        self.prices[colour] += price

    def _replace(self, old: int, new: int, chance: random.Random) -> None:
        """ECO-22: another wedge, and then a flip of the same colour, if something shows it."""
        colour, price = PRICED[old]
        self.prices[colour] -= price
        self.prices[PRICED[new][0]] += PRICED[new][1]
        if self.prices[colour]:
            self.prices[colour] -= 1
            self.prices[int(chance.random() * 5)] += 1

    def _pass(self) -> None:
        self.turns += 1
        self.last, self.seat = self.seat, (self.seat + 1) % len(self.hands)

    def dearest(self, seat: int, trait: int) -> list[int]:
        """The most expensive wedges of a trait, as many as may be sold."""
        prices = self.prices
        fits = [wedge for wedge in self.wheels[seat] if trait in (wedge % 5, 5 + wedge // 5) and prices[wedge % 5]]
        fits.sort(key=lambda wedge: -prices[wedge % 5])
        return fits[:MOST_SOLD]

    def best_sale(self, seat: int) -> tuple[int, list[int]]:
        """The curds of the best sale, and its wedges."""
        prices = self.prices
        wheel = sorted(self.wheels[seat], key=[-price for price in prices * 5].__getitem__)
        curds, counts = [0] * 10, [0] * 10
        for wedge in wheel:
            colour, animal = wedge % 5, 5 + wedge // 5
            if counts[colour] < MOST_SOLD:
                counts[colour] += 1
                curds[colour] += prices[colour]
            if counts[animal] < MOST_SOLD:
                counts[animal] += 1
                curds[animal] += prices[colour]
        best = max(curds)
        if not best:
            return 0, []
        trait = curds.index(best)
        fits = [wedge for wedge in wheel if trait in (wedge % 5, 5 + wedge // 5) and prices[wedge % 5]]
        return best, fits[:MOST_SOLD]

    def best_produce(self, seat: int) -> int:
        """The trait with the most wedges in the hand, weighted by their prices."""
        worth = [0.0] * 10
        for wedge in self.hands[seat]:
            price = 3 + self.prices[wedge % 5]
            worth[wedge % 5] += price + 0.5
            worth[5 + wedge // 5] += price
        return worth.index(max(worth))

    def sell(self, seat: int, sale: Sequence[int], chance: random.Random, last: bool = False) -> None:
        for wedge in sale:
            self.wheels[seat].remove(wedge)
            self.curds[seat] += self.prices[wedge % 5]
            self.sold[seat][wedge // 5] += 1
        if not last:
            self._change_market(seat, sale, chance)

    def _change_market(self, seat: int, sale: Sequence[int], chance: random.Random) -> None:
        """ECO-15 and ECO-22: flip a side of a colour that was sold; in the sharp variant replace one before."""
        prices, stock = self.prices, [0] * 5
        for wedge in self.wheels[seat]:
            stock[wedge % 5] += 1
        sold = min((wedge % 5 for wedge in sale), key=stock.__getitem__)
        if self.sharp:
            prices[sold] -= 1
            fits = chance.random() < FITTING
            prices[stock.index(max(stock)) if fits else int(chance.random() * 5)] += 1
        if prices[sold]:
            prices[sold] -= 1
            prices[int(chance.random() * 5)] += 1

    def produce(self, seat: int, trait: int) -> None:
        hand = self.hands[seat]
        out = [wedge for wedge in hand if (wedge % 5 == trait if trait < 5 else 5 + wedge // 5 == trait)]
        self.wheels[seat] += out
        kept = [wedge for wedge in hand if (wedge % 5 != trait if trait < 5 else 5 + wedge // 5 != trait)]
        drawn = min(HAND - len(kept), len(self.pile))
        kept += self.pile[:drawn]
        del self.pile[:drawn]
        self.hands[seat] = kept

    def churn(self, seat: int, trait: int, chance: random.Random) -> None:
        """ECO-8 and ECO-9; the least useful wedges are given back."""
        hand = self.hands[seat]
        others = [other for other in range(len(self.hands)) if other != seat]
        for other in others:
            theirs = self.hands[other]
            fits = [wedge for wedge in theirs if (wedge % 5 == trait if trait < 5 else 5 + wedge // 5 == trait)]
            gift = chance.choice(fits) if fits else max(theirs, key=lambda wedge: self.prices[wedge % 5])
            theirs.remove(gift)
            hand.append(gift)
        best = trait
        for other in others:
            worst = min(hand, key=lambda wedge: self._fit(wedge, best))
            hand.remove(worst)
            self.hands[other].append(worst)

    def _fit(self, wedge: int, trait: int) -> float:
        fits = wedge % 5 == trait if trait < 5 else 5 + wedge // 5 == trait
        return 10 * fits + self.prices[wedge % 5]

    def end(self, last: int, me: int, chance: random.Random) -> float:
        """ECO-16 to ECO-18, when this seat has had the last turn; how likely `me` is to win."""
        n = len(self.hands)
        seat = (last + 1) % n
        while seat != self.start:
            self.sell(seat, self.best_sale(seat)[1], chance, last=True)
            seat = (seat + 1) % n
        totals = [curds + len(wheel) for curds, wheel in zip(self.curds, self.wheels, strict=True)]
        for animal in range(5):
            most = max(row[animal] for row in self.sold)
            for seat, row in enumerate(self.sold):
                if row[animal] == most:
                    totals[seat] += most
        lead = totals[me] - max(total for seat, total in enumerate(totals) if seat != me)
        return 1 / (1 + math.exp(-lead / SCALE))


class Decision:
    """A decision of a seat, in its own turn or, for a gift, in another's."""

    def __init__(self, view: View, options: Sequence[Option], memory: CheesonomicsMemory | None = None) -> None:
        self._view, self._options, self._memory = view, options, memory
        self._table, left = read(view), unseen(view)
        self._known: list[list[int]] = [[] for _ in view["hands"]]
        if memory is not None:
            self._table.sold = [row[:] for row in memory.sold]
            for seat, wedges in enumerate(memory.known):
                if seat != view["me"]:
                    self._known[seat] = [NUMBER[wedge] for wedge in wedges]
                    for number in self._known[seat]:
                        left.remove(number)
        self._hidden = left

    def options(self) -> Sequence[Option]:
        return self._options

    def deal(self, chance: random.Random) -> tuple[Simulation, float]:
        """Deal the hidden wedges. What others have sold goes to seats in proportion to their curds, if forgotten."""
        view, hidden, table = self._view, self._hidden, self._table.copy()
        chance.shuffle(hidden)
        place = 0
        for seat, size in enumerate(view["hands"]):
            if seat != table.me:
                known = self._known[seat]
                table.hands[seat] = known + hidden[place : place + size - len(known)]
                place += size - len(known)
        table.pile = hidden[place : place + view["pile"]]
        place += view["pile"] + view["out"]
        weights = [0 if seat == table.me else curds for seat, curds in enumerate(view["curds"])]
        rest = hidden[place:]
        if self._memory is None and rest and any(weights):
            for wedge, seat in zip(rest, chance.choices(range(len(weights)), weights, k=len(rest)), strict=True):
                table.sold[seat][wedge // 5] += 1
        return table, 1.0


def read(view: View) -> Simulation:
    """The table of a view, without the hidden wedges."""
    n, me = len(view["hands"]), view["me"]
    hands: list[list[int]] = [[] for _ in range(n)]
    hands[me] = [NUMBER[wedge] for wedge in view["hand"]]
    sold = [[sum(ANIMAL[wedge] == animal for wedge in pile or ()) for animal in ANIMALS] for pile in view["sold"]]
    wheels = [[NUMBER[wedge] for wedge in wheel] for wheel in view["wheels"]]
    prices, curds = list(view["prices"]), list(view["curds"])
    return Simulation(hands, wheels, curds, sold, [], prices, view["start"], me, view["turn"], view["sharp"])


def unseen(view: View) -> list[int]:
    """The hidden wedges: in other hands, in the pile, out of the game, or sold by others."""
    left: list[Wedge] = list(CHEESE)
    for group in (view["hand"], *view["wheels"], *view["sold"]):
        for wedge in group or ():
            left.remove(wedge)
    return [NUMBER[wedge] for wedge in left]
