"""The house bots of Cheesonomics.

The rookie sells if the sale brings enough curds, and otherwise churns or produces the trait of which it holds most.
The master deals the hidden wedges many times and simulates the rest of the game after each promising sale, produce
and churn, and after each gift, flip and replacement. Which market wedges to take and to swap both judge by their sides.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from bots import cheesonomics_simulation as simulation
from bots.budget import Budget
from bots.memory import CheesonomicsMemory, Memory
from bots.offers import Move, Offer, View
from bots.search import search
from games.cheesonomics.pieces import ANIMAL, COLOUR, COLOURS, MARKET, SIDE_COLOUR, SIDE_PRICE, Side, Wedge, has

ENOUGH = 7  # curds that make a sale worth a rookie's turn
WANTED = 2  # wedges of a trait that make a rookie want more of it
CHURNED = 0.3  # how often it then churns
DRAWS = 20  # of unknown market wedges, to guess what a swap would bring
CHURNS = 4  # that the master compares
DOUBTFUL = 1.0  # of the value of a wedge: a master compares gifts whose values differ less


def rookie(view: View, offers: list[Offer], chance: random.Random) -> Move:
    """Sell if that brings enough, otherwise churn or produce the trait with the most wedges."""
    if view["phase"]["type"] not in ("turn", "last_sale"):
        return _follow_up(view, offers, chance)
    sales = _sales(view, offers)
    best = max(sales, key=lambda sale: _curds(view, sale["wedges"]), default=None)
    if view["phase"]["type"] == "last_sale":
        return best or {"type": "decline"}
    if best and _curds(view, best["wedges"]) >= ENOUGH:
        return best
    churns = _churns(view, offers)
    if churns and _held(view, churns[0]["trait"]) >= WANTED and chance.random() < CHURNED:
        return churns[0]
    return max(_produces(offers), key=lambda move: (_held(view, move["trait"]), chance.random()))


def _price(view: View, wedge: Wedge) -> int:
    price: int = view["prices"][COLOURS.index(COLOUR[wedge])]
    return price


def _curds(view: View, wedges: Iterable[Wedge]) -> int:
    return sum(_price(view, wedge) for wedge in wedges)


def _held(view: View, trait: str) -> int:
    return sum(has(wedge, trait) for wedge in view["hand"])


def _sales(view: View, offers: list[Offer]) -> list[Move]:
    """For each trait the sale of as many wedges as may be sold, the most expensive ones."""
    moves = []
    for fill in (offer["fill"] for offer in offers if offer["move"] == "sell"):
        dearest = sorted(fill["wedges"]["of"], key=lambda wedge: -_price(view, wedge))
        most = fill["wedges"]["most"]
        moves.append({"type": "sell", "trait": fill["trait"], "wedges": dearest[:most]})
    return moves


def _produces(offers: list[Offer]) -> list[Move]:
    found = []
    for fill in (offer["fill"] for offer in offers if offer["move"] == "produce"):
        traits = fill["trait"]["of"] if isinstance(fill["trait"], dict) else [fill["trait"]]
        found += [{"type": "produce", "trait": trait} for trait in traits]
    return found


def _churns(view: View, offers: list[Offer]) -> list[Move]:
    """The churns for the traits with the most wedges, expensive colours first."""
    traits = [trait for offer in offers if offer["move"] == "churn" for trait in offer["fill"]["trait"]["of"]]
    mean = sum(view["prices"]) / len(COLOURS)

    def promise(trait: str) -> float:
        price = view["prices"][COLOURS.index(trait)] if trait in COLOURS else mean
        return _held(view, trait) + 0.5 * price

    return [{"type": "churn", "trait": trait} for trait in sorted(traits, key=promise, reverse=True)[:CHURNS]]


def obvious(view: View, offers: list[Offer]) -> Move | None:
    """None: a master searches for every move that is not the only one."""
    return None


def judge(
    view: View, offers: list[Offer], chance: random.Random, budget: Budget, memory: Memory | None = None
) -> list[tuple[Move, float]]:
    """The promising moves with their values, the best first; empty for shown hands and for taking and swapping."""
    assert memory is None or isinstance(memory, CheesonomicsMemory)
    named = _alternatives(view, offers)
    if len(named) < 2:
        return [(move, 0.5) for move in named.values()]
    found = search(simulation.Decision(view, list(named), memory), budget, chance)
    return [(named[option], value) for option, value in found]


def _alternatives(view: View, offers: list[Offer]) -> dict[Any, Move]:
    """What a master compares, by the option of the simulation that it is."""
    sides = simulation.SIDE
    match view["phase"]["type"]:
        case "turn":
            moves = [*_sales(view, offers), *_produces(offers), *_churns(view, offers)]
            return {(move["type"], simulation.TRAIT[move["trait"]]): move for move in moves}
        case "last_sale":
            return {("last_sale", simulation.TRAIT[move["trait"]]): move for move in _sales(view, offers)}
        case "gifts" | "giving_back":
            fill = offers[0]["fill"]
            to = {"seat": fill["seat"]["of"][0]} if "seat" in fill else {}
            least = min(_wedge_value(view, wedge) for wedge in fill["wedge"]["of"])
            gifts = [wedge for wedge in reversed(fill["wedge"]["of"]) if _wedge_value(view, wedge) <= least + DOUBTFUL]
            moves = [{"type": offers[0]["move"], **to, "wedge": wedge} for wedge in gifts]
            return {(move["type"], simulation.NUMBER[move["wedge"]]): move for move in moves}
        case "flipping":
            places = offers[0]["fill"]["place"]["of"]
            return {("flip", sides[view["market"][place]]): {"type": "flip", "place": place} for place in places}
        case "replacing":
            return {
                ("replace", sides[view["market"][move["place"]]] * len(sides) + sides[move["up"]]): move
                for move in _replacements(offers)
            }
    return {}


def _follow_up(view: View, offers: list[Offer], chance: random.Random) -> Move:
    """The decisions that follow a churn or a sale."""
    fill = offers[0]["fill"]
    match offers[0]["move"]:
        case "give":
            return {"type": "give", "wedge": min(fill["wedge"]["of"], key=lambda wedge: _wedge_value(view, wedge))}
        case "take_shown":
            wedge = max(fill["wedge"]["of"], key=lambda wedge: _wedge_value(view, wedge))
            return {"type": "take_shown", "seat": fill["seat"], "wedge": wedge}
        case "give_back":
            wedge = min(fill["wedge"]["of"], key=lambda wedge: _wedge_value(view, wedge))
            return {"type": "give_back", "seat": fill["seat"]["of"][0], "wedge": wedge}
        case "flip":
            return {
                "type": "flip",
                "place": min(fill["place"]["of"], key=lambda place: _side_value(view, view["market"][place])),
            }
        case "replace":
            return _replace(view, offers)
        case "take":
            return {
                "type": "take",
                "wedge": max(fill["wedge"]["of"], key=lambda wedge: _market_wedge_value(view, wedge)),
            }
        case "exchange":
            return {
                "type": "exchange",
                "give": min(fill["give"]["of"], key=lambda wedge: _market_wedge_value(view, wedge)),
                "take": max(fill["take"]["of"], key=lambda wedge: _market_wedge_value(view, wedge)),
            }
    if any(offer["move"] == "decline" for offer in offers):
        return _swap(view, offers, chance)
    raise ValueError(f"unknown move {offers[0]['move']}")


def _swap(view: View, offers: list[Offer], chance: random.Random) -> Move:
    """ECO-25: swap the worst market wedge, if the best of some unknown ones is likely to be better."""
    by_move = {offer["move"]: offer["fill"] for offer in offers}
    own = min(view["supply"], key=lambda wedge: _market_wedge_value(view, wedge))
    unknown = [*MARKET]
    for wedge in view["supply"]:
        unknown.remove(wedge)
    worth = [_market_wedge_value(view, wedge) for wedge in unknown]

    def gain(size: int) -> float:
        draws = [max(chance.sample(worth, min(size, len(worth)))) for _ in range(DRAWS)]
        return sum(draws) / DRAWS - _market_wedge_value(view, own)

    gains = {"decline": 0.0}
    if "swap_discard" in by_move:
        gains["swap_discard"] = gain(view["discards"])
    if "swap_seat" in by_move:
        gains["swap_seat"] = gain(view["supplies"][by_move["swap_seat"]["seat"]["of"][0]])
    match max(gains, key=lambda name: gains[name]):
        case "swap_discard":
            return {"type": "swap_discard", "wedge": own}
        case "swap_seat":
            rivals = by_move["swap_seat"]["seat"]["of"]
            return {"type": "swap_seat", "seat": max(rivals, key=lambda seat: view["curds"][seat])}
    return {"type": "decline"}


def _wedge_value(view: View, wedge: Wedge) -> float:
    """The value of a wedge for the hand: by the wedges of the same colour or animal in it, and by its price."""
    colour = sum(COLOUR[other] == COLOUR[wedge] for other in view["hand"])
    animal = sum(ANIMAL[other] == ANIMAL[wedge] for other in view["hand"])
    return max(colour, animal) + 0.2 * min(colour, animal) + 0.3 * _price(view, wedge)


def _side_value(view: View, side: Side) -> float:
    """How much more this side of a market wedge is worth to this seat than to the others."""
    colour = SIDE_COLOUR[side]
    own = sum(COLOUR[wedge] == colour for wedge in view["wheels"][view["me"]])
    hand = sum(COLOUR[wedge] == colour for wedge in view["hand"])
    theirs = sum(COLOUR[w] == colour for seat, wheel in enumerate(view["wheels"]) if seat != view["me"] for w in wheel)
    return (own + 0.5 * hand - theirs / (len(view["wheels"]) - 1)) * SIDE_PRICE[side]


def _market_wedge_value(view: View, wedge: str) -> float:
    """The value of a market wedge: of its better side."""
    first, _, second = wedge.partition("/")
    return max(_side_value(view, first), _side_value(view, second))


def _replace(view: View, offers: list[Offer]) -> Move:
    """The replacement that raises the prices of this seat's wedges most."""

    def gain(move: Move) -> float:
        return _side_value(view, move["up"]) - _side_value(view, view["market"][move["place"]])

    return max(_replacements(offers), key=gain)


def _replacements(offers: list[Offer]) -> list[Move]:
    return [
        {"type": "replace", "place": place, "wedge": offer["fill"]["wedge"], "up": up}
        for offer in offers
        for place in offer["fill"]["place"]["of"]
        for up in offer["fill"]["up"]["of"]
    ]
