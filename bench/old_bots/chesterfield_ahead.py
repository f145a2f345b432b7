"""The rest of a game of Chesterfield, played quickly: every card goes to whoever would pay most for it.

Cheeses are numbers here, in the order of the deck's table; everybody values cards and spends money as a rookie does.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from bots.sdk import View
from games.chesterfield.deck import BLEU_POINTS, BLOCK, DECK, GRUYERE_POINTS, HAND, KINDS, ROQUEFORT_PRICE, UPKEEP

NAMES = tuple(KINDS)
NUMBER = {name: number for number, name in enumerate(NAMES)}
POINTS = tuple(kind.points for kind in KINDS.values())
CHEDDAR, GRUYERE = NUMBER["Cheddar"], NUMBER["Gruyere"]
PLAIN = tuple(range(GRUYERE + 1, len(NAMES)))  # the two that go with other sets come first in the table

HOPE = 0.25  # of its points, what a card is worth that does not fit anything yet
GAIN = 2.5  # points that a card brings on average
SPREAD = 0.35  # how far limits may lie from what the model says
SMOOTH = 4.0  # points ahead that make a win likely


@dataclass(slots=True)
class Ahead:
    """A table by seat. `lying` tells of which cheeses sets lie; `open` are the points of those without a Cheddar, and
    `bare` counts those without a Gruyere."""

    hands: list[list[int]]
    banks: list[int]
    scores: list[int]
    lying: list[list[bool]]
    open: list[list[int]]
    bare: list[int]

    def copy(self) -> Ahead:
        return Ahead(
            [hand[:] for hand in self.hands],
            self.banks[:],
            self.scores[:],
            [row[:] for row in self.lying],
            [row[:] for row in self.open],
            self.bare[:],
        )

    def gain(self, seat: int, card: int) -> float:
        """The points that this card would add, with some hope for one that fits nothing yet."""
        hand, points = self.hands[seat], POINTS[card]
        if card > GRUYERE:
            if hand[card] or self.lying[seat][card]:
                return points + HOPE
            return points * (0.8 if hand[CHEDDAR] else HOPE)
        if card == CHEDDAR:
            best = max(self.open[seat], default=0)
            singles = max((POINTS[one] for one in PLAIN if hand[one] == 1 and not self.lying[seat][one]), default=0)
            return max(best, singles, 1.5) if not hand[CHEDDAR] else 2.0
        return GRUYERE_POINTS + 0.5 if self.bare[seat] else points if hand[GRUYERE] else 1.0

    def limits(self, card: int, to_come: int, blocks_left: int, chance: random.Random) -> list[int]:
        """How much each seat would pay."""
        found = []
        share = len(self.banks) / (GAIN * to_come)
        for seat, bank in enumerate(self.banks):
            money = bank
            if blocks_left:
                gap = HAND - sum(self.hands[seat])
                money += UPKEEP * blocks_left * gap if gap > 0 else 0
            limit = int(self.gain(seat, card) * money * share * (1 - SPREAD + 2 * SPREAD * chance.random()))
            found.append(limit if limit < bank else bank)
        return found

    def take(self, seat: int, card: int, blocks_left: int) -> None:
        hand = self.hands[seat]
        hand[card] += 1
        if hand[card] > 1 or hand[CHEDDAR] or hand[GRUYERE]:
            self.lay(seat, blocks_left)

    def lay(self, seat: int, blocks_left: int) -> None:
        """Lay down what scores, as a rookie would."""
        hand = self.hands[seat]
        for card in PLAIN:
            held = hand[card]
            stands_in = hand[CHEDDAR] > 0 and (held > 1 or POINTS[card] >= 4 or blocks_left < 3)
            if held > 1 or (held == 1 and stands_in and not self.lying[seat][card]):
                self._lie(seat, card, held, stands_in)
        if hand[GRUYERE] > 2 or (hand[GRUYERE] == 2 and not self.bare[seat]):
            self._lie(seat, GRUYERE, hand[GRUYERE], False)
        melted = min(hand[GRUYERE], self.bare[seat])
        hand[GRUYERE] -= melted
        self.bare[seat] -= melted
        self.scores[seat] += GRUYERE_POINTS * melted

    def _lie(self, seat: int, card: int, held: int, stands_in: bool) -> None:
        hand = self.hands[seat]
        hand[card] = 0
        self.scores[seat] += POINTS[card] * (held - 1 + stands_in)
        self.lying[seat][card] = True
        self.bare[seat] += 1
        if stands_in:
            hand[CHEDDAR] -= 1
        else:
            self.open[seat].append(POINTS[card])

    def upkeep(self) -> None:
        """CCA-28 and CCA-29; too many cards are discarded, the least first."""
        for seat, hand in enumerate(self.hands):
            gap = HAND - sum(hand)
            while gap < 0:
                held = [card for card in range(len(NAMES)) if hand[card]]
                worst = min(held, key=lambda card: self.lying[seat][card] * 10 + POINTS[card])
                hand[worst] -= 1
                gap += 1
            self.banks[seat] += UPKEEP * gap

    def finish(self) -> list[int]:
        """The final scores: everything is merged that can be."""
        for seat, hand in enumerate(self.hands):
            for card in range(len(NAMES)):
                if self.lying[seat][card]:
                    self.scores[seat] += POINTS[card] * hand[card]
            if not self.lying[seat][CHEDDAR]:
                self.scores[seat] += sum(sorted(self.open[seat], reverse=True)[: hand[CHEDDAR]])
            if not self.lying[seat][GRUYERE]:
                self.scores[seat] += GRUYERE_POINTS * min(hand[GRUYERE], self.bare[seat])
        return self.scores

    def play_on(self, block: Sequence[int], deck: Sequence[int], me: int, chance: random.Random) -> float:
        """Sell the rest of the block and the deck; how well this seat stands then, from 0 to 1."""
        blocks_left = len(deck) // BLOCK
        while True:
            for place, card in enumerate(block):
                self.sell(card, BLOCK * blocks_left + len(block) - place, blocks_left, chance)
            self.upkeep()
            if not blocks_left:
                break
            block, deck = deck[:BLOCK], deck[BLOCK:]
            blocks_left -= 1
        scores = self.finish()
        ahead = scores[me] - max(score for seat, score in enumerate(scores) if seat != me)
        return 1 / (1 + math.exp(-ahead / SMOOTH))

    def sell(self, card: int, to_come: int, blocks_left: int, chance: random.Random) -> None:
        """To the highest limit, for a dollar more than the second."""
        limits = self.limits(card, to_come, blocks_left, chance)
        top = max(limits)
        winner = limits.index(top)
        limits[winner] = -1
        self.banks[winner] -= min(top, max(limits) + 1)
        self.take(winner, card, blocks_left)

    def close(self, card: int, winner: int, price: int, view: View, actions: Sequence[str], blocks_left: int) -> None:
        """CCA-18 to CCA-24: the present card is sold under these actions."""
        if "Feta" in actions:
            for seat, bid in enumerate(view["auction"]["bids"]):
                if seat != winner:
                    self.banks[seat] = max(0, self.banks[seat] - (bid or 0))
        self.scores[winner] += BLEU_POINTS * actions.count("Bleu")
        owed = price + ROQUEFORT_PRICE * actions.count("Roquefort")
        if owed <= self.banks[winner]:
            self.banks[winner] -= owed
            self.take(winner, card, blocks_left)


def read(view: View) -> Ahead:
    """The table of a view, the others' hands still empty."""
    n, me = len(view["hands"]), view["me"]
    hands = [[0] * len(NAMES) for _ in range(n)]
    for card in view["hand"]:
        hands[me][NUMBER[card]] += 1
    lying = [[any(one["cheese"] == name for one in sets) for name in NAMES] for sets in view["sets"]]
    spare = [
        [POINTS[NUMBER[one["cheese"]]] for one in s if not one["cheddar"] and one["cheese"] != "Cheddar"]
        for s in view["sets"]
    ]
    bare = [sum(not one["gruyere"] for one in sets) for sets in view["sets"]]
    return Ahead(hands, list(view["banks"]), list(view["scores"]), lying, spare, bare)


def unseen(view: View) -> list[int]:
    """The cards that are in the others' hands, in the block, the deck or the Reserved Cheese."""
    left = list(DECK)
    seen = [*view["hand"], *view["discard"], *view["actions"], *(card for card in view["block"] if card)]
    seen += [view["card"]] * (view["card"] is not None) + ["Bleu"] * sum(view["bleus"])
    for one in (one for sets in view["sets"] for one in sets):
        seen += [one["cheese"]] * one["cards"] + ["Cheddar"] * one["cheddar"] + ["Gruyere"] * one["gruyere"]
    for card in seen:
        left.remove(card)
    return [NUMBER[card] for card in left]


def deal(view: View, table: Ahead, hidden: list[int]) -> tuple[list[int], list[int]]:
    """Give the others hands of these hidden cards; the block and the deck."""
    place = 0
    for seat, size in enumerate(view["hands"]):
        if seat != view["me"]:
            for card in hidden[place : place + size]:
                table.hands[seat][card] += 1
            place += size
    known = [NUMBER[card] for card in view["block"] if card]
    missing = len(view["block"]) - len(known)
    block = known + hidden[place : place + missing]
    place += missing
    return block, hidden[place : place + BLOCK * view["blocks_left"]]
