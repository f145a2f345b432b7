"""The pieces: cheese wedges, market wedges and knives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

Trait = str  # a colour or an animal
Wedge = str  # animal, colour, and a star for the market symbol: "cow-red", "yak-blue*"
Wedges = tuple[Wedge, ...]
Side = str  # a colour, and a plus for the ribbon: "red", "blue+"
MarketWedge = str  # its two sides, in the order of COLOURS: "red/blue+"
MarketWedges = tuple[MarketWedge, ...]

COLOURS = ("red", "orange", "yellow", "green", "blue")
ANIMALS = ("cow", "sheep", "goat", "yak", "reindeer")
TRAITS: tuple[Trait, ...] = COLOURS + ANIMALS  # ECO-3: the spaces of the tray
KNIVES = ("cheddar", "Edam", "feta", "Gouda", "parmesan")  # ECO-3, in alphabetical order

PLAIN, MARKED = 2, 2  # ECO-1 [R]: of each animal and colour, copies without and with the symbol
CHEESE: Wedges = tuple(
    f"{animal}-{colour}{mark}" for animal in ANIMALS for colour in COLOURS for mark in ("",) * PLAIN + ("*",) * MARKED
)
ANIMAL = {wedge: wedge.split("-")[0] for wedge in CHEESE}
COLOUR = {wedge: wedge.split("-")[1].rstrip("*") for wedge in CHEESE}

# ECO-2 [R]: for each front colour, the steps to the back's colour, and the ribbons on front and back
MARKET_BACKS = ((1, "", ""), (2, "", "+"), (3, "", ""), (4, "", ""), (1, "+", ""))

HAND = 5  # ECO-6
MOST_SOLD = 3  # ECO-13
WHEEL = 5  # ECO-5: market wedges to a wheel
WHEELS = 3
REMOVED = {2: 60, 3: 40, 4: 20, 5: 0}  # ECO-4
SUPPLY = {2: 5, 3: 3, 4: 2, 5: 2}  # ECO-21
CHURN_ROUNDS = 3  # ECO-7 [R]: rounds of nothing but churns after which nobody may churn


def market_wedge(side: Side, other: Side) -> MarketWedge:
    """Return the wedge with these two sides, in any order."""
    first, second = sorted((side, other), key=lambda each: COLOURS.index(each.rstrip("+")))
    return f"{first}/{second}"


MARKET: MarketWedges = tuple(
    market_wedge(colour + front, COLOURS[(index + step) % len(COLOURS)] + back)
    for index, colour in enumerate(COLOURS)
    for step, front, back in MARKET_BACKS
)
SIDES: dict[MarketWedge, tuple[Side, Side]] = {
    wedge: (side, other) for wedge in MARKET for side, _, other in (wedge.partition("/"),)
}
SIDE_COLOUR: dict[Side, str] = {side: side.rstrip("+") for sides in SIDES.values() for side in sides}
SIDE_PRICE: dict[Side, int] = {side: 2 if side.endswith("+") else 1 for side in SIDE_COLOUR}  # ECO-13


def other_side(wedge: MarketWedge, side: Side) -> Side:
    first, second = SIDES[wedge]
    return second if side == first else first


def marked(wedge: Wedge) -> bool:
    """Return whether the wedge carries its animal's market symbol."""
    return wedge.endswith("*")


def has(wedge: Wedge, trait: Trait) -> bool:
    return ANIMAL[wedge] == trait or COLOUR[wedge] == trait


@lru_cache(maxsize=1000)  # a market stays for several moves
def prices(market: tuple[Side, ...]) -> Mapping[str, int]:
    """ECO-13: return the price of each colour; 0 if no market wedge shows it."""
    price = dict.fromkeys(COLOURS, 0)
    for side in market:
        price[SIDE_COLOUR[side]] += SIDE_PRICE[side]
    return price


def tidy(wedges: Iterable[str]) -> tuple[str, ...]:
    """Sort the wedges: they are always kept in this order, so that their order reveals nothing."""
    return tuple(sorted(wedges))


def kinds(wedges: Iterable[str]) -> tuple[str, ...]:
    """Return the wedges without duplicates."""
    return tuple(dict.fromkeys(wedges))
