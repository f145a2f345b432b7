"""What is in the box: cheese wedges, market wedges, knives."""

from __future__ import annotations

from collections.abc import Iterable

Trait = str  # a colour or an animal
Wedge = str  # animal, colour, and a star for the market symbol: "cow-red", "yak-blue*"
Wedges = tuple[Wedge, ...]
Side = str  # a colour, and a plus for the ribbon: "red", "blue+"
MarketWedge = str  # both sides, neither of them first: "red/blue+"
MarketWedges = tuple[MarketWedge, ...]

COLOURS = ("red", "orange", "yellow", "green", "blue")
ANIMALS = ("cow", "sheep", "goat", "yak", "reindeer")
TRAITS: tuple[Trait, ...] = COLOURS + ANIMALS  # ECO-3: the spaces of the tray
KNIVES = ("cheddar", "Edam", "feta", "Gouda", "parmesan")  # ECO-3, in the order of the alphabet

PLAIN, MARKED = 2, 2  # ECO-1 [R]: of each animal and colour, copies without and with the symbol
CHEESE: Wedges = tuple(
    f"{animal}-{colour}{mark}" for animal in ANIMALS for colour in COLOURS for mark in ("",) * PLAIN + ("*",) * MARKED
)
ANIMAL = {wedge: wedge.split("-")[0] for wedge in CHEESE}
COLOUR = {wedge: wedge.split("-")[1].rstrip("*") for wedge in CHEESE}

# ECO-2 [R]: for each front colour, how far on the back's colour is; ribbons on front and back
MARKET_BACKS = ((1, "", ""), (2, "", "+"), (3, "", ""), (4, "", ""), (1, "+", ""))

HAND = 5  # ECO-6
MOST_SOLD = 3  # ECO-13
WHEEL = 5  # ECO-5: market wedges to a wheel
WHEELS = 3
REMOVED = {2: 60, 3: 40, 4: 20, 5: 0}  # ECO-4
SUPPLY = {2: 5, 3: 3, 4: 2, 5: 2}  # ECO-21
CHURN_ROUNDS = 3  # ECO-7 [R]: after this many rounds of churns only, no churn


def market_wedge(side: Side, other: Side) -> MarketWedge:
    """The wedge with these two sides; which is named first makes no difference."""
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
    """Whether the wedge carries its animal's market symbol."""
    return wedge.endswith("*")


def has(wedge: Wedge, trait: Trait) -> bool:
    return ANIMAL[wedge] == trait or COLOUR[wedge] == trait


def prices(market: Iterable[Side]) -> dict[str, int]:
    """ECO-13: what a wedge of each colour brings; 0 if nothing shows it."""
    price = dict.fromkeys(COLOURS, 0)
    for side in market:
        price[SIDE_COLOUR[side]] += SIDE_PRICE[side]
    return price


def tidy(wedges: Iterable[str]) -> tuple[str, ...]:
    """Wedges in the one order in which they are kept, so that their order tells nothing."""
    return tuple(sorted(wedges))


def kinds(wedges: Iterable[str]) -> tuple[str, ...]:
    """The wedges, like ones once."""
    return tuple(dict.fromkeys(wedges))
