"""A fast simulation of the rest of a game of Chesterfield: each card goes to the seat that would pay most for it.

Cheeses are numbers here, in the order of the deck's table. All seats value cards and spend money like rookies.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from bots.offers import View
from games.chesterfield.deck import BLEU_POINTS, DECK, GRUYERE_POINTS, HAND, KINDS, ROQUEFORT_PRICE, UPKEEP

NAMES = tuple(KINDS)
NUMBER = {name: number for number, name in enumerate(NAMES)}
POINTS = tuple(kind.points for kind in KINDS.values())
TRADES = tuple(kind.trade for kind in KINDS.values())
CHEDDAR, GRUYERE = NUMBER["Cheddar"], NUMBER["Gruyere"]
PLAIN = tuple(range(GRUYERE + 1, len(NAMES)))  # the table begins with the two that go with other sets

HOPE = 0.25  # share of its points that a card is worth before it fits anything
WITH_CHEDDAR = 0.8  # the same, if a Cheddar can stand in for a second one
GAIN = 2.5  # points of a card on average
SPREAD = 0.3  # random deviation of limits from the model, relative

Bids = Sequence[int | None]


class Simulation:
    """A table with every card known. Lists are by seat.

    `lying` says of which cheeses there are sets, `open` has the points of the sets without a Cheddar, and `bare`
    counts the sets without a Gruyere.
    """

    __slots__ = ("banks", "bare", "hands", "lying", "open", "scores")

    def __init__(
        self,
        hands: list[list[int]],
        banks: list[int],
        scores: list[int],
        lying: list[list[bool]],
        open_sets: list[list[int]],
        bare: list[int],
    ) -> None:
        self.hands = hands
        self.banks = banks
        self.scores = scores
        self.lying = lying
        self.open = open_sets
        self.bare = bare

    def copy(self) -> Simulation:
        return Simulation(
            [hand[:] for hand in self.hands],
            self.banks[:],
            self.scores[:],
            [row[:] for row in self.lying],
            [row[:] for row in self.open],
            self.bare[:],
        )

    def gain(self, seat: int, card: int) -> float:
        """The points that this card would add; a part of them if it fits nothing yet."""
        hand, points = self.hands[seat], POINTS[card]
        if card > GRUYERE:
            if hand[card] or self.lying[seat][card]:
                return points * (1 + HOPE)
            return points * (WITH_CHEDDAR if hand[CHEDDAR] else HOPE)
        if card == CHEDDAR:
            best = max(self.open[seat], default=0)
            singles = max((POINTS[one] for one in PLAIN if hand[one] == 1 and not self.lying[seat][one]), default=0)
            return max(best, singles, 1.5) if not hand[CHEDDAR] else 2.0
        return GRUYERE_POINTS + 0.5 if self.bare[seat] else points if hand[GRUYERE] else 1.0

    def means(self, card: int, to_come: int, blocks_left: int) -> list[float]:
        """What each seat would pay on average, as far as its money allows."""
        found = []
        share = len(self.banks) / (GAIN * to_come)
        for seat, bank in enumerate(self.banks):
            money = bank
            if blocks_left:
                gap = HAND - sum(self.hands[seat])
                money += UPKEEP * blocks_left * gap if gap > 0 else 0
            found.append(self.gain(seat, card) * money * share)
        return found

    def limits(self, means: Sequence[float], chance: random.Random) -> list[int]:
        """What each seat would pay at most."""
        found = []
        for mean, bank in zip(means, self.banks, strict=True):
            limit = int(mean * (1 - SPREAD + 2 * SPREAD * chance.random()))
            found.append(limit if limit < bank else bank)
        return found

    def take(self, seat: int, card: int, blocks_left: int) -> None:
        hand = self.hands[seat]
        hand[card] += 1
        if hand[card] > 1 or hand[CHEDDAR] or hand[GRUYERE]:
            self.lay(seat, blocks_left)

    def lay(self, seat: int, blocks_left: int) -> None:
        """Lay down what scores, like a rookie."""
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
        """CCA-28 and CCA-29; a hand that is too large discards its least valuable cards."""
        for seat, hand in enumerate(self.hands):
            gap = HAND - sum(hand)
            while gap < 0:
                held = [card for card in range(len(NAMES)) if hand[card]]
                worst = min(held, key=lambda card: self.lying[seat][card] * 10 + POINTS[card])
                hand[worst] -= 1
                gap += 1
            self.banks[seat] += UPKEEP * gap

    def finish(self) -> list[int]:
        """The final scores, after everything that can be merged is merged."""
        for seat, hand in enumerate(self.hands):
            for card in range(len(NAMES)):
                if self.lying[seat][card]:
                    self.scores[seat] += POINTS[card] * hand[card]
            if not self.lying[seat][CHEDDAR]:
                self.scores[seat] += sum(sorted(self.open[seat], reverse=True)[: hand[CHEDDAR]])
            if not self.lying[seat][GRUYERE]:
                self.scores[seat] += GRUYERE_POINTS * min(hand[GRUYERE], self.bare[seat])
        return self.scores

    def close(self, card: int, sale: tuple[int, int], bids: Bids, actions: Sequence[str], blocks_left: int) -> None:
        """CCA-18 to CCA-24: sell the present card to this winner at this price, under these actions."""
        winner, price = sale
        if "Feta" in actions:
            for seat, bid in enumerate(bids):
                if seat != winner:
                    self.banks[seat] = max(0, self.banks[seat] - (bid or 0))
        self.scores[winner] += BLEU_POINTS * actions.count("Bleu")
        owed = price + ROQUEFORT_PRICE * actions.count("Roquefort")
        if owed <= self.banks[winner]:
            self.banks[winner] -= owed
            self.take(winner, card, blocks_left)


def read(view: View) -> Simulation:
    """The table of a view, without the hidden cards."""
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
    return Simulation(hands, list(view["banks"]), list(view["scores"]), lying, spare, bare)


def unseen(view: View) -> list[int]:
    """The hidden cards: in other hands, the block, the deck or the Reserved Cheese."""
    left = list(DECK)
    seen = [*view["hand"], *view["discard"], *view["actions"], *(card for card in view["block"] if card)]
    seen += [view["card"]] * (view["card"] is not None) + ["Bleu"] * sum(view["bleus"])
    for one in (one for sets in view["sets"] for one in sets):
        seen += [one["cheese"]] * one["cards"] + ["Cheddar"] * one["cheddar"] + ["Gruyere"] * one["gruyere"]
    for card in seen:
        left.remove(card)
    return [NUMBER[card] for card in left]
