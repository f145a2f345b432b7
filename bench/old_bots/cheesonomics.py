"""Cheesonomics: what to do with a turn, and with each thing that comes of it.

The rookie sells when it pays and else lays out whatever it has most of. The master deals the hidden wedges many times
and plays on from each sale, produce and churn that is worth a thought. What follows a choice (gifts, flips,
market wedges) both decide by what they hold.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from bench.old_bots import cheesonomics_ahead as ahead
from bots.sdk import Move, Offer, View
from games.cheesonomics.pieces import ANIMAL, COLOUR, COLOURS, SIDE_COLOUR, SIDE_PRICE, Side, Wedge, has

ENOUGH = 7  # curds for which a rookie sells
PLAYOUTS = 16
CHURNS = 4  # how many churns the master compares


def rookie(view: View, offers: list[Offer], chance: random.Random) -> Move:
    """Sell what brings enough, else produce what there is most of."""
    if view["phase"]["type"] not in ("turn", "last_sale"):
        return _follow_up(view, offers, chance)
    sales = _sales(view, offers)
    best = max(sales, key=lambda sale: _curds(view, sale["wedges"]), default=None)
    if view["phase"]["type"] == "last_sale":
        return best or {"type": "decline"}
    if best and _curds(view, best["wedges"]) >= ENOUGH:
        return best
    return max(_produces(offers), key=lambda move: (_held(view, move["trait"]), chance.random()))


def _price(view: View, wedge: Wedge) -> int:
    price: int = view["prices"][COLOURS.index(COLOUR[wedge])]
    return price


def _curds(view: View, wedges: Iterable[Wedge]) -> int:
    return sum(_price(view, wedge) for wedge in wedges)


def _held(view: View, trait: str) -> int:
    return sum(has(wedge, trait) for wedge in view["hand"])


def _sales(view: View, offers: list[Offer]) -> list[Move]:
    """For each trait, as many of the dearest wedges as may be sold."""
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
    """The churns for what there is most of already, rather in dear colours."""
    traits = [trait for offer in offers if offer["move"] == "churn" for trait in offer["fill"]["trait"]["of"]]
    mean = sum(view["prices"]) / len(COLOURS)

    def promise(trait: str) -> float:
        price = view["prices"][COLOURS.index(trait)] if trait in COLOURS else mean
        return _held(view, trait) + 0.5 * price

    return [{"type": "churn", "trait": trait} for trait in sorted(traits, key=promise, reverse=True)[:CHURNS]]


def master(view: View, offers: list[Offer], chance: random.Random) -> Move:
    """Whatever plays on best."""
    if view["phase"]["type"] != "turn":
        return rookie(view, offers, chance)
    moves = [*_sales(view, offers), *_produces(offers), *_churns(view, offers)]
    utility = [0.0] * len(moves)
    before, hidden = ahead.read(view), ahead.unseen(view)
    me = view["me"]
    after = (me + 1) % len(view["hands"])
    for _ in range(PLAYOUTS):
        chance.shuffle(hidden)
        dealt = before.copy()
        ahead.deal(view, dealt, hidden, chance)
        seed = chance.getrandbits(32)
        for index, move in enumerate(moves):
            table, playing = dealt.copy(), random.Random(seed)
            _do(table, me, move, playing)
            utility[index] += table.play_on(after, me, playing) if table.pile else table.end(me, me, playing)
    return moves[utility.index(max(utility))]


def _do(table: ahead.Ahead, me: int, move: Move, chance: random.Random) -> None:
    if move["type"] == "sell":
        table.sell(me, [ahead.NUMBER[wedge] for wedge in move["wedges"]], chance)
    elif move["type"] == "produce":
        table.produce(me, ahead.TRAIT[move["trait"]])
    else:
        table.churn(me, ahead.TRAIT[move["trait"]], chance)


def _follow_up(view: View, offers: list[Offer], chance: random.Random) -> Move:
    """What comes of a churn or a sale."""
    fill = offers[0]["fill"]
    match offers[0]["move"]:
        case "give":
            return {"type": "give", "wedge": min(fill["wedge"]["of"], key=lambda wedge: _liking(view, wedge))}
        case "take_shown":
            wedge = max(fill["wedge"]["of"], key=lambda wedge: _liking(view, wedge))
            return {"type": "take_shown", "seat": fill["seat"], "wedge": wedge}
        case "give_back":
            wedge = min(fill["wedge"]["of"], key=lambda wedge: _liking(view, wedge))
            return {"type": "give_back", "seat": fill["seat"]["of"][0], "wedge": wedge}
        case "flip":
            return {
                "type": "flip",
                "place": min(fill["place"]["of"], key=lambda place: _stake(view, view["market"][place])),
            }
        case "replace":
            return _replace(view, offers)
        case "take":
            return {"type": "take", "wedge": max(fill["wedge"]["of"], key=lambda wedge: _liked_side(view, wedge))}
    if any(offer["move"] == "decline" for offer in offers):
        return {"type": "decline"}
    raise ValueError(f"nothing is known of {offers[0]['move']}")


def _liking(view: View, wedge: Wedge) -> float:
    """How well a wedge goes with the hand: by those of its colour or its animal beside it, and by its price."""
    colour = sum(COLOUR[other] == COLOUR[wedge] for other in view["hand"])
    animal = sum(ANIMAL[other] == ANIMAL[wedge] for other in view["hand"])
    return max(colour, animal) + 0.2 * min(colour, animal) + 0.3 * _price(view, wedge)


def _stake(view: View, side: Side) -> float:
    """What a price of this colour is to this seat rather than to the others, for as much as this side counts."""
    colour = SIDE_COLOUR[side]
    own = sum(COLOUR[wedge] == colour for wedge in view["wheels"][view["me"]])
    hand = sum(COLOUR[wedge] == colour for wedge in view["hand"])
    theirs = sum(COLOUR[w] == colour for seat, wheel in enumerate(view["wheels"]) if seat != view["me"] for w in wheel)
    return (own + 0.5 * hand - theirs / (len(view["wheels"]) - 1)) * SIDE_PRICE[side]


def _liked_side(view: View, wedge: str) -> float:
    """The better side of a market wedge."""
    first, _, second = wedge.partition("/")
    return max(_stake(view, first), _stake(view, second))


def _replace(view: View, offers: list[Offer]) -> Move:
    """The place, wedge and side that raise the prices of what this seat has."""
    moves = [
        {"type": "replace", "place": place, "wedge": offer["fill"]["wedge"], "up": up}
        for offer in offers
        for place in offer["fill"]["place"]["of"]
        for up in offer["fill"]["up"]["of"]
    ]

    def rise(move: Move) -> float:
        return _stake(view, move["up"]) - _stake(view, view["market"][move["place"]])

    return max(moves, key=rise)
