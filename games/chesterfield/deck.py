"""The deck (CCA-1, CCA-2) and the numbers of the rulebook."""

from __future__ import annotations

import msgspec

Cheese = str
Cheeses = tuple[Cheese, ...]


class Kind(msgspec.Struct, frozen=True):
    """One kind of cheese: how many cards of it there are, and what is printed on them."""

    cards: int
    points: int
    trade: int


KINDS = {  # CCA-2 [R]
    "Cheddar": Kind(7, 2, 2),
    "Gruyere": Kind(7, 3, 2),
    "Pecorino": Kind(6, 3, 3),
    "Feta": Kind(6, 4, 3),
    "Roquefort": Kind(5, 4, 3),
    "Emmental": Kind(5, 4, 4),
    "Camembert": Kind(4, 5, 5),
    "Bleu": Kind(4, 2, 1),
}
POINTS = {cheese: kind.points for cheese, kind in KINDS.items()}
TRADE = {cheese: kind.trade for cheese, kind in KINDS.items()}
DECK: Cheeses = tuple(cheese for cheese, kind in KINDS.items() for _ in range(kind.cards))
ACTIONS = frozenset(("Pecorino", "Feta", "Roquefort", "Emmental", "Bleu"))  # played in a cheese auction
ROQUEFORT_PRICE = 5  # CCA-22
BLEU_POINTS = -3  # CCA-24 [R]
GRUYERE_POINTS = 2  # CCA-32 [R]

BANK = 20  # CCA-4
HAND = 4  # CCA-4 and, at upkeep, CCA-28
RESERVED = 4  # CCA-3
BLOCK = 4  # CCA-5
UPKEEP = 4  # dollars for a card too many or too few: CCA-28, CCA-29
