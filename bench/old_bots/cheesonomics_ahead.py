"""The rest of a game of Cheesonomics, played quickly, by players who produce and sell and do not churn.

A wedge is a number here, animal * 5 + colour; a trait too, the colours first, as on the tray.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from bots.sdk import View
from games.cheesonomics.pieces import ANIMAL, ANIMALS, CHEESE, COLOUR, COLOURS, HAND, MOST_SOLD, TRAITS, Wedge

NUMBER = {wedge: ANIMALS.index(ANIMAL[wedge]) * 5 + COLOURS.index(COLOUR[wedge]) for wedge in CHEESE}
TRAIT = {trait: number for number, trait in enumerate(TRAITS)}
ENOUGH = 7  # curds for which a sale is worth a turn
LONGEST = 200  # turns
SMOOTH = 6.0  # curds ahead that make a win likely


@dataclass(slots=True)
class Ahead:
    """A table by seat, with every wedge known; `sold` counts animals."""

    hands: list[list[int]]
    wheels: list[list[int]]
    curds: list[int]
    sold: list[list[int]]
    pile: list[int]
    prices: list[int]
    start: int

    def copy(self) -> Ahead:
        return Ahead(
            [hand[:] for hand in self.hands],
            [wheel[:] for wheel in self.wheels],
            self.curds[:],
            [row[:] for row in self.sold],
            self.pile[:],
            self.prices[:],
            self.start,
        )

    def best_sale(self, seat: int) -> tuple[int, list[int]]:
        """What brings most curds, and how many."""
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
        """The trait of which there is most, rather in dear colours."""
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
            stock = [wedge % 5 for wedge in self.wheels[seat]]
            self.prices[min((wedge % 5 for wedge in sale), key=stock.count)] -= 1
            self.prices[int(chance.random() * 5)] += 1

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
        """ECO-8 and ECO-9, with the worst given back."""
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

    def play_on(self, seat: int, me: int, chance: random.Random) -> float:
        """From this seat's turn to the end; how well `me` stands then, from 0 to 1."""
        n = len(self.hands)
        last = seat
        for _ in range(LONGEST):
            if not self.pile:
                break
            curds, sale = self.best_sale(seat)
            if curds >= ENOUGH:
                self.sell(seat, sale, chance)
            else:
                self.produce(seat, self.best_produce(seat))
            last, seat = seat, (seat + 1) % n
        return self.end(last, me, chance)

    def end(self, last: int, me: int, chance: random.Random) -> float:
        """ECO-16 to ECO-18, after this seat had the last turn."""
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
        ahead = totals[me] - max(total for seat, total in enumerate(totals) if seat != me)
        return 1 / (1 + math.exp(-ahead / SMOOTH))


def read(view: View) -> Ahead:
    """The table of a view, the hidden wedges still missing."""
    n, me = len(view["hands"]), view["me"]
    hands: list[list[int]] = [[] for _ in range(n)]
    hands[me] = [NUMBER[wedge] for wedge in view["hand"]]
    sold = [[sum(ANIMAL[wedge] == animal for wedge in pile or ()) for animal in ANIMALS] for pile in view["sold"]]
    wheels = [[NUMBER[wedge] for wedge in wheel] for wheel in view["wheels"]]
    return Ahead(hands, wheels, list(view["curds"]), sold, [], list(view["prices"]), view["start"])


def unseen(view: View) -> list[int]:
    """The wedges in others' hands, in the pile, out of the game, or sold by others."""
    left: list[Wedge] = list(CHEESE)
    for group in (view["hand"], *view["wheels"], *view["sold"]):
        for wedge in group or ():
            left.remove(wedge)
    return [NUMBER[wedge] for wedge in left]


def deal(view: View, table: Ahead, hidden: list[int], chance: random.Random) -> None:
    """Give out the hidden wedges in this order; what others sold by the curds that they have."""
    place = 0
    for seat, size in enumerate(view["hands"]):
        if seat != view["me"]:
            table.hands[seat] = hidden[place : place + size]
            place += size
    table.pile = hidden[place : place + view["pile"]]
    place += view["pile"] + view["out"]
    weights = [0 if seat == view["me"] else curds for seat, curds in enumerate(view["curds"])]
    rest = hidden[place:]
    if rest and any(weights):
        for wedge, seat in zip(rest, chance.choices(range(len(weights)), weights, k=len(rest)), strict=True):
            table.sold[seat][wedge // 5] += 1
