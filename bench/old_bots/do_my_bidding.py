"""Do My Bidding: how high to go for a lot.

Both levels bid one dollar at a time up to a limit. The rookie shares the purse out over the points still for sale in
the round. The master plays the rest of the game many times, lot by lot, with the limits that the others may have
in mind, and takes the limit after which it wins most often.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from bots.sdk import Move, Offer, View
from games.do_my_bidding.values import AGENT_PLACES, ARTISTS, COLOURS, DECK, LOT_SIZES

Picture = tuple[int, int, int]  # artist, colour, value

PLAYOUTS = 20
CHEAP = 0.4  # of an even limit: so little is bid without a thought
LIMITS = 8  # how many limits the master compares
EAGER = 0.9  # of an even share of the round's points, what a purse is thought to buy
SPREAD = 0.3  # how far others' limits may lie from that
SMOOTH = 5.0  # points ahead that make a win likely
PICTURES = {
    (artist, colour): (i, j, 1 + (i + j + 5) % 7)
    for i, artist in enumerate(ARTISTS)
    for j, colour in enumerate(COLOURS)
}


@dataclass(slots=True)
class Table:
    """What a playout changes: by seat, and for patrons how many paintings they own of each artist and colour."""

    purses: list[int]
    envelopes: list[int]
    scores: list[int]
    artists: list[list[int]]
    colours: list[list[int]]

    def copy(self) -> Table:
        return Table(
            self.purses[:],
            self.envelopes[:],
            self.scores[:],
            [row[:] for row in self.artists],
            [row[:] for row in self.colours],
        )

    def worth(self, patron: int, lot: Sequence[Picture]) -> int:
        """DMB-15: what the patron would score."""
        artists, colours = self.artists[patron], self.colours[patron]
        if len(lot) == 1:
            ((artist, colour, value),) = lot
            return value + artists[artist] + colours[colour]
        total = sum(value + artists[artist] + colours[colour] for artist, colour, value in lot)
        if lot[0][0] == lot[1][0] or lot[0][1] == lot[1][1]:
            total += 1
        return total

    def sell(self, lot: Sequence[Picture], agent: int, patron: int, price: int, last: bool) -> None:
        """DMB-14 to DMB-16."""
        worth = self.worth(patron, lot)
        self.purses[patron] -= price
        self.scores[patron] += worth
        if not last:
            self.envelopes[agent] += worth
        for artist, colour, _ in lot:
            self.artists[patron][artist] += 1
            self.colours[patron][colour] += 1


def picture(art: View) -> Picture:
    return PICTURES[art["artist"], art["colour"]]


def read(view: View) -> Table:
    """The table of a view."""
    owned = [[picture(art) for art in arts] for arts in view["collections"]]
    return Table(
        list(view["purses"]),
        list(view["envelopes"]),
        list(view["scores"]),
        [[sum(one[0] == artist for one in arts) for artist in range(7)] for arts in owned],
        [[sum(one[1] == colour for one in arts) for colour in range(7)] for arts in owned],
    )


def lots_left(view: View) -> list[list[Picture]]:
    """The lot that is being sold and those after it in this round."""
    return [[picture(art) for art in lot["arts"]] for lot in view["lots"][view["lot"] :]]


def even_limit(table: Table, patron: int, lots: Sequence[Sequence[Picture]], eager: float) -> float:
    """What the first of these lots may cost if the purse is to buy an even share of the round's points."""
    worths = [table.worth(patron, lot) for lot in lots]
    return eager * table.purses[patron] * worths[0] * len(table.purses) / sum(worths)


def rookie(view: View, offers: list[Offer], chance: random.Random) -> Move:
    """Go up to an even share of the purse."""
    limit = even_limit(read(view), view["patrons"][view["me"]], lots_left(view), 1.0) * chance.uniform(0.8, 1.2)
    return _bid_up_to(offers, limit)


def _bid_up_to(offers: list[Offer], limit: float) -> Move:
    """The least bid if it is within the limit or must be made."""
    least = next(offer for offer in offers if offer["move"] == "bid")["fill"]["amount"]["least"]
    if least <= limit or len(offers) == 1:
        return {"type": "bid", "amount": least}
    return {"type": "drop"}


def master(view: View, offers: list[Offer], chance: random.Random) -> Move:
    """Compare limits by playing on, each with the same chances."""
    bid = next((offer["fill"]["amount"] for offer in offers if offer["move"] == "bid"), None)
    if bid is None or len(offers) == 1:
        return _bid_up_to(offers, 0)
    least, most = bid["least"], bid["most"]
    table, lots = read(view), lots_left(view)
    if least <= CHEAP * even_limit(table, view["patrons"][view["me"]], lots, EAGER):
        return _bid_up_to(offers, least)
    step = max(1, math.ceil((most - least) / (LIMITS - 2)))
    limits = [least - 1, *range(least, most, step), most]
    unseen = _unseen(view)
    utility = dict.fromkeys(limits, 0.0)
    for _ in range(PLAYOUTS):
        deck = chance.sample(unseen, len(unseen))
        minds = _minds(view, table, lots, chance)
        seed = chance.getrandbits(32)
        done: dict[tuple[int, int], float] = {}
        for limit in limits:
            sale = _sale(view, minds, limit, least - 1)
            if sale not in done:
                done[sale] = _play_on(view, table.copy(), lots, deck, sale, random.Random(seed))
            utility[limit] += done[sale]
    best = max(limits, key=lambda limit: utility[limit])
    return _bid_up_to(offers, best)


def _unseen(view: View) -> list[Picture]:
    """The paintings that may still be in the deck."""
    seen = {picture(art) for arts in view["collections"] for art in arts}
    seen |= {picture(art) for lot in view["lots"] for art in lot["arts"]}
    return [one for one in (PICTURES[art.artist, art.colour] for art in DECK) if one not in seen]


def _minds(view: View, table: Table, lots: Sequence[Sequence[Picture]], chance: random.Random) -> list[float]:
    """How far each agent may go for the present lot: those who bid go at least as far as that; -1 who dropped."""
    auction = view["auction"]
    minds = []
    for agent, patron in enumerate(view["patrons"]):
        limit = even_limit(table, patron, lots, EAGER) * chance.uniform(1 - SPREAD, 1 + SPREAD)
        own = auction["bids"][agent]
        limit = min(table.purses[patron], max(limit, own or 0))
        minds.append(-1.0 if auction["dropped"][agent] else limit)
    return minds


def _sale(view: View, minds: list[float], limit: int, standing: int) -> tuple[int, int]:
    """Who would win and at what price if this seat went up to the limit."""
    me, bidder = view["me"], view["auction"]["bidder"]
    others = [(int(mind), agent) for agent, mind in enumerate(minds) if agent != me and mind >= 0]
    others = [other for other in others if other[0] > standing or other[1] == bidder]
    high, rival = max(others, default=(-1, me))
    if limit > standing and limit > high:
        return me, min(limit, max(standing + 1, high + 1))
    if rival == me:
        return me, max(0, standing)
    second = max((other[0] for other in others if other[1] != rival), default=standing)
    push = limit if limit > standing else standing
    price = max(standing if rival == bidder and push == standing else standing + 1, min(high, max(second, push) + 1))
    return rival, min(price, max(high, standing))


def _play_on(
    view: View,
    table: Table,
    lots: list[list[Picture]],
    deck: list[Picture],
    sale: tuple[int, int],
    chance: random.Random,
) -> float:
    """How well this seat stands at the end if the lot is sold so and everybody then bids evenly."""
    seats, me = len(table.purses), view["me"]
    rounds = AGENT_PLACES[seats]
    number = view["round"] - 1
    agent, price = sale
    patron = view["patrons"][agent]
    table.sell(lots[0], agent, patron, min(price, table.purses[patron]), number == len(rounds) - 1)
    row = lots[1:]
    while True:
        places, last = rounds[number], number == len(rounds) - 1
        left = sum(2 * len(lot) + sum(one[2] for one in lot) for lot in row)
        for lot in row:
            _auction(table, lot, left, places, last, chance)
            left -= 2 * len(lot) + sum(one[2] for one in lot)
        table.purses = [purse + more for purse, more in zip(table.purses, table.envelopes, strict=True)]
        table.envelopes = [0] * seats
        if last:
            break
        number += 1
        row, deck = _deal(deck, LOT_SIZES[seats])
    ahead = table.scores[me] - max(score for seat, score in enumerate(table.scores) if seat != me)
    return 1 / (1 + math.exp(-ahead / SMOOTH))


def _deal(deck: list[Picture], sizes: Sequence[int]) -> tuple[list[list[Picture]], list[Picture]]:
    """DMB-8 and DMB-9."""
    row = sorted(deck[: sum(sizes)], key=lambda one: one[2])
    lots = [row[sum(sizes[:place]) :][:size] for place, size in enumerate(sizes)]
    return lots, deck[sum(sizes) :]


def _auction(table: Table, lot: Sequence[Picture], left: float, places: int, last: bool, chance: random.Random) -> None:
    """Sell a lot to the highest of the limits that the agents have in mind; `left` are the points still for sale."""
    seats = len(table.purses)
    top = second = -1
    winner = 0
    share = EAGER * seats / left
    for patron, purse in enumerate(table.purses):
        if purse > top or purse > second:
            part = share * table.worth(patron, lot) * (1 - SPREAD + 2 * SPREAD * chance.random())
            limit = int(purse * part) if part < 1 else purse
            if limit > top:
                top, second, winner = limit, top, patron
            elif limit > second:
                second = limit
    price = top if top <= second else second + 1
    table.sell(lot, (winner + places) % seats, winner, price, last)
