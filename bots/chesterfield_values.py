"""What cards of Chesterfield are worth to a seat, and what it can spend on them."""

from __future__ import annotations

from collections import Counter

from bots.offers import View
from games.chesterfield.deck import BLOCK, GRUYERE_POINTS, HAND, POINTS, UPKEEP

EAGERNESS = 1.0  # 1 spends the money evenly over the points for sale; more spends it earlier
GAIN = 2.5  # points that a card brings on average


def worth(hand: Counter[str], sets: list[View], chances: dict[str, float]) -> float:
    """The points that this hand can still make with these sets; `chances` are those of pairing a single card."""
    total = 0.0
    gains = [float(POINTS[one["cheese"]]) for one in sets if not one["cheddar"] and one["cheese"] != "Cheddar"]
    bare = sum(not one["gruyere"] for one in sets)
    lying = {one["cheese"] for one in sets}
    for cheese, held in hand.items():
        if cheese in ("Cheddar", "Gruyere") or not held:
            continue
        points = POINTS[cheese]
        if held >= 2:
            total += points * (held if cheese in lying else held - 1)
            gains.append(points)
            bare += 1
        elif cheese in lying:
            total += points
        else:
            hope = points * chances.get(cheese, 0.0)
            total += hope
            gains.append(points - hope)
    gains.sort(reverse=True)
    cheddars, gruyeres = hand["Cheddar"], hand["Gruyere"]
    stood_in = sum(gains[:cheddars])
    as_set = float(POINTS["Cheddar"] * (cheddars - ("Cheddar" not in lying))) if cheddars > 1 else 0.0
    total += max(stood_in, as_set)
    melted = float(GRUYERE_POINTS * min(gruyeres, bare))
    if gruyeres:
        as_set = float(POINTS["Gruyere"] * (gruyeres - ("Gruyere" not in lying)))
        melted = max(melted, as_set, chances.get("Gruyere", 0.0) * GRUYERE_POINTS)
    return total + melted


def held(view: View) -> Counter[str]:
    """The number of cards of each cheese in the hand."""
    return Counter(view["hand"])


def gain(view: View, card: str, chances: dict[str, float]) -> float:
    """The points that this card adds."""
    hand, sets = held(view), view["sets"][view["me"]]
    before = worth(hand, sets, chances)
    hand[card] += 1
    return worth(hand, sets, chances) - before


def loss(view: View, hand: Counter[str], card: str, chances: dict[str, float]) -> float:
    """The points that this hand loses with this card."""
    sets = view["sets"][view["me"]]
    return worth(hand, sets, chances) - worth(hand - Counter([card]), sets, chances)


def cards_to_come(view: View) -> int:
    """The number of cards still to be sold, the present one included."""
    left: int = BLOCK * view["blocks_left"] + len(view["block"]) + (view["card"] is not None)
    return left


def rate(view: View) -> float:
    """Dollars for a point: all money that this seat will have, divided by its even share of the points for sale."""
    income = UPKEEP * max(0, HAND - len(view["hand"])) * view["blocks_left"]
    money: int = view["banks"][view["me"]] + income
    return EAGERNESS * money * len(view["hands"]) / (GAIN * cards_to_come(view))


def limit(view: View, points: float) -> float:
    """The highest bid for so many points, less the surcharges of actions in force."""
    surcharge: int = 5 * view["actions"].count("Roquefort")
    return points * rate(view) - surcharge
