"""Chesterfield: what a card is worth, how high to go for it, and what to do with those one holds.

Both levels value a card by the points that it adds to what they hold and have laid, and share their money out over
the cards still to come. The rookie stops there. The master deals the hidden cards many times and plays the game on
from each of its options: limits for the card on sale, actions against whoever wins it, cards to cash in, and as
Auctioneer prices that spoil a card for everybody.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import NamedTuple

from bench.old_bots import chesterfield_ahead as ahead
from bots.sdk import Move, Offer, View
from games.chesterfield.deck import BLOCK, GRUYERE_POINTS, HAND, POINTS, TRADE, UPKEEP

EAGER = 1.0  # what part of an even share of the money goes for an even share of the points
GAIN = 2.5  # points that a card brings on average
OFFICE = 1  # dollars that a master pays to be Auctioneer
PLAYOUTS = 14
CHEAP = 0.3  # of what a card may cost: so little is bid without a thought
BANKRUPT = 10_000  # more than anybody has
LIMITS = 5  # how many limits a master compares


def worth(hand: Counter[str], sets: list[View], chances: dict[str, float]) -> float:
    """The points that this hand can still make, with the sets that lie: `chances` is that of pairing a single card."""
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
    as_set = POINTS["Cheddar"] * (cheddars if "Cheddar" in lying else cheddars - 1) if cheddars > 1 else 0
    total += max(stood_in, as_set)
    melted: float = GRUYERE_POINTS * min(gruyeres, bare)
    if gruyeres:
        as_set = POINTS["Gruyere"] * (gruyeres - ("Gruyere" not in lying))
        melted = max(melted, as_set, chances.get("Gruyere", 0.0) * GRUYERE_POINTS)
    return total + melted


def rookie(view: View, offers: list[Offer], chance: random.Random) -> Move:
    """Buy what makes or lengthens a set, lay down whatever scores."""
    by_move = {offer["move"]: offer["fill"] for offer in offers}
    match view["phase"]:
        case "auctioneer_auction":
            least = by_move.get("bid", {"amount": {"least": 99}})["amount"]["least"]
            return {"type": "bid", "amount": least} if least <= chance.randint(0, 2) else {"type": "drop"}
        case "choosing":
            return {"type": "present", "card": chance.choice(by_move["present"]["card"]["of"]), "price": 0}
        case "cheese_auction":
            limit = _limit(view, _gain(view, view["card"], {}) + 0.25 * POINTS[view["card"]])
            return _bid_up_to(view, by_move, limit)
        case "silent_auction":
            return _bid_in_secret(view, by_move, _limit(view, _gain(view, view["card"], {})))
        case "paying":
            return _pay(view, {})
    return _tidy_up(view, offers, {})


def _held(view: View) -> Counter[str]:
    """The hand as counts."""
    return Counter(view["hand"])


def _gain(view: View, card: str, chances: dict[str, float]) -> float:
    """The points that this card adds."""
    hand, sets = _held(view), view["sets"][view["me"]]
    before = worth(hand, sets, chances)
    hand[card] += 1
    return worth(hand, sets, chances) - before


def _cards_to_come(view: View) -> int:
    """The cards that will still be sold, with the present one."""
    left: int = BLOCK * view["blocks_left"] + len(view["block"]) + (view["card"] is not None)
    return left


def _rate(view: View) -> float:
    """Dollars for a point: all the money that this seat will have for an even share of the points still for sale."""
    income = UPKEEP * max(0, HAND - len(view["hand"])) * view["blocks_left"]
    money: int = view["banks"][view["me"]] + income
    return EAGER * money * len(view["hands"]) / (GAIN * _cards_to_come(view))


def _limit(view: View, gain: float) -> float:
    """How much a gain may cost, actions that stand counted."""
    surcharge: int = 5 * view["actions"].count("Roquefort")
    return gain * _rate(view) - surcharge


def _bid_up_to(view: View, by_move: dict[str, View], limit: float) -> Move:
    bid = by_move.get("bid")
    if bid is not None and bid["amount"]["least"] <= limit:
        return {"type": "bid", "amount": bid["amount"]["least"]}
    return {"type": "drop"}


def _bid_in_secret(view: View, by_move: dict[str, View], limit: float) -> Move:
    amount = by_move["bid_secretly"]["amount"]
    return {"type": "bid_secretly", "amount": max(amount["least"], min(amount["most"], int(limit)))}


def _pay(view: View, chances: dict[str, float]) -> Move:
    """Cash in what is missed least, if that is less than the card brings; else default."""
    hand = _held(view)
    short = view["owed"] - view["banks"][view["me"]]
    given: list[str] = []
    while short > 0 and +hand:
        card = min(+hand, key=lambda one: (_loss(view, hand, one, chances), -TRADE[one]))
        hand[card] -= 1
        given.append(card)
        short -= TRADE[card]
    return {"type": "default"} if short > 0 else {"type": "cash_in", "cards": given}


def _loss(view: View, hand: Counter[str], card: str, chances: dict[str, float]) -> float:
    """The points that are gone with this card."""
    sets = view["sets"][view["me"]]
    return worth(hand, sets, chances) - worth(hand - Counter([card]), sets, chances)


def _tidy_up(view: View, offers: list[Offer], chances: dict[str, float]) -> Move:
    """Laying down, upkeep and the final merge: take what scores most, keep what is missed most."""
    if view["phase"] == "upkeep":
        return _keep(view, offers[0]["fill"]["discard"], chances)
    moves = [move for offer in offers for move in _layings(view, offer)]
    if not moves:
        return {"type": "finish"}
    return max(moves, key=lambda pair: pair[0])[1]


def _layings(view: View, offer: Offer) -> list[tuple[float, Move]]:
    """The ways to fill an offer of laying down or merging that are worth a thought, with what they score."""
    fill, sets = offer["fill"], view["sets"][view["me"]]
    hand = _held(view)
    match offer["move"]:
        case "lay_down":
            cheese, cards = fill["cheese"], fill["cards"]["most"]
            if cheese == "Gruyere" and any(not one["gruyere"] for one in sets) and cards < 3:
                return []  # across sets they score as much, and leave the others free
            points = POINTS[cheese] * (cards + fill["cheddar"] - 1)
            if fill["cheddar"] and cards == 1 and view["blocks_left"] > 2 and points < 4:
                return []
            if cheese == "Cheddar" and len(hand) > 1 and view["blocks_left"]:
                return []
            return [(points, {"type": "lay_down", "cheese": cheese, "cards": cards, "cheddar": fill["cheddar"]})]
        case "melt":
            return [(GRUYERE_POINTS, {"type": "melt", "onto": fill["onto"]["of"][0]})]
        case "merge":
            cards = fill["cards"]["most"]
            return [(99.0, {"type": "merge", "onto": fill["onto"], "cards": cards})]
        case "stand_in":
            onto = max(fill["onto"]["of"], key=lambda place: POINTS[sets[place]["cheese"]])
            return [(POINTS[sets[onto]["cheese"]], {"type": "stand_in", "onto": onto})]
    return []


def _keep(view: View, discard: View, chances: dict[str, float]) -> Move:
    """Discard whatever is not worth its upkeep."""
    hand = _held(view)
    gone: list[str] = []
    rate = _rate(view) if _cards_to_come(view) else 0.0
    while len(gone) < discard["most"]:
        card = min(+hand, key=lambda one: _loss(view, hand, one, chances))
        if len(gone) >= discard["least"] and _loss(view, hand, card, chances) * rate > UPKEEP:
            break
        if len(gone) >= discard["least"] and not rate and _loss(view, hand, card, chances) > 0:
            break
        hand[card] -= 1
        gone.append(card)
    return {"type": "keep", "discard": gone}


def master(view: View, offers: list[Offer], chance: random.Random) -> Move:
    """As a rookie with sets; in auctions, whatever plays on best."""
    by_move = {offer["move"]: offer["fill"] for offer in offers}
    match view["phase"]:
        case "auctioneer_auction":
            least = by_move.get("bid", {"amount": {"least": 99}})["amount"]["least"]
            return {"type": "bid", "amount": least} if least <= OFFICE else {"type": "drop"}
        case "choosing":
            return _present(view, by_move["present"], chance)
        case "cheese_auction":
            return _best_turn(view, by_move, chance)
    return rookie(view, offers, chance)


class Option(NamedTuple):
    """A way to take one's turn: what to do now, and up to what to bid afterwards."""

    move: Move
    limit: int
    action: str | None = None
    cashed: str | None = None


def _best_turn(view: View, by_move: dict[str, View], chance: random.Random) -> Move:
    """Compare limits, and for a seat that drops what it can do before."""
    auction = view["auction"]
    standing = -1 if auction["bid"] is None else auction["bid"]
    drop = Option({"type": "drop"}, -1)
    options = [drop]
    if "bid" in by_move:
        if by_move["bid"]["amount"]["least"] <= CHEAP * _limit(view, _gain(view, view["card"], {})):
            return _bid_up_to(view, by_move, BANKRUPT)
        least, most = by_move["bid"]["amount"]["least"], by_move["bid"]["amount"]["most"]
        top = min(most, int(2.5 * _limit(view, POINTS[view["card"]])) + 1)
        step = max(1, (top - least) // (LIMITS - 1))
        bid = {"type": "bid", "amount": least}
        options += [Option(bid, limit) for limit in range(least, max(least, top) + 1, step)]
    options += _before_dropping(view, by_move)
    utility = _compare(view, options, standing, chance)
    best = max(range(len(options)), key=lambda index: utility[index])
    return options[best].move


def _before_dropping(view: View, by_move: dict[str, View]) -> list[Option]:
    """Actions against whoever wins, and cards to cash in when the block is at its end."""
    options = []
    if "play_action" in by_move and view["auction"]["bidder"] not in (None, view["me"]):
        for card in by_move["play_action"]["card"]["of"]:
            if card in ("Bleu", "Roquefort") or (card == "Feta" and card not in view["actions"]):
                options.append(Option({"type": "play_action", "card": card}, -1, action=card))
    if "cash_in" in by_move and not view["block"] and view["blocks_left"]:
        for card in dict.fromkeys(view["hand"]):
            options.append(Option({"type": "cash_in", "cards": [card]}, -1, cashed=card))
    return options


def _compare(view: View, options: list[Option], standing: int, chance: random.Random) -> list[float]:
    """How well each option plays on, all in the same imagined deals."""
    utility = [0.0] * len(options)
    before, hidden = ahead.read(view), ahead.unseen(view)
    me, blocks_left, card = view["me"], view["blocks_left"], ahead.NUMBER[view["card"]]
    for _ in range(PLAYOUTS):
        chance.shuffle(hidden)
        dealt = before.copy()
        block, deck = ahead.deal(view, dealt, hidden)
        limits = dealt.limits(card, len(deck) + len(block) + 1, blocks_left, chance)
        seed = chance.getrandbits(32)
        done: dict[object, float] = {}
        for index, option in enumerate(options):
            sale = _sale(view, limits, option.limit, standing)
            key = (sale, option.action, option.cashed)
            if key not in done:
                table = dealt.copy()
                actions = list(view["actions"])
                for gone in (option.action, option.cashed):
                    if gone:
                        table.hands[me][ahead.NUMBER[gone]] -= 1
                if option.action:
                    actions.append(option.action)
                if option.cashed:
                    table.banks[me] += TRADE[option.cashed]
                if sale:
                    table.close(card, *sale, view, actions, blocks_left)
                done[key] = table.play_on(block, deck, me, random.Random(seed))
            utility[index] += done[key]
    return utility


def _sale(view: View, limits: list[int], limit: int, standing: int) -> tuple[int, int] | None:
    """Who would win and at what price if this seat went up to the limit and the others to theirs."""
    me, auction = view["me"], view["auction"]
    lowest = max(standing + 1, view["price"])
    others = [
        (max(own, standing) if seat == auction["bidder"] else own, seat)
        for seat, own in enumerate(limits)
        if seat != me and not auction["dropped"][seat] and (seat == auction["bidder"] or own >= lowest)
    ]
    high, rival = max(others, default=(-1, me))
    if limit >= lowest and limit > high:
        return me, max(lowest, high + 1)
    if rival == me:
        return None if auction["bidder"] != me else (me, standing)
    second = max((other[0] for other in others if other[1] != rival), default=-1)
    push = max(second, limit)
    if rival == auction["bidder"] and push <= standing:
        return rival, standing
    return rival, min(high, max(lowest, push + 1))


def _present(view: View, fill: View, chance: random.Random) -> Move:
    """The card and the price, nothing or all one has, that play on best."""
    most = fill["price"]["most"]
    ways = [(card, price) for card in fill["card"]["of"] for price in {0, most}]
    utility = dict.fromkeys(ways, 0.0)
    before, hidden = ahead.read(view), ahead.unseen(view)
    me, blocks_left = view["me"], view["blocks_left"]
    for _ in range(PLAYOUTS):
        chance.shuffle(hidden)
        dealt = before.copy()
        block, deck = ahead.deal(view, dealt, hidden)
        seed = chance.getrandbits(32)
        for card, price in ways:
            table, playing = dealt.copy(), random.Random(seed)
            number = ahead.NUMBER[card]
            rest = list(block)
            rest.remove(number)
            limits = table.limits(number, len(deck) + len(block), blocks_left, playing)
            top = max(limits)
            winner = limits.index(top)
            if top >= price:
                limits[winner] = -1
                table.banks[winner] -= min(top, max(price, max(limits) + 1))
                table.take(winner, number, blocks_left)
            utility[card, price] += table.play_on(rest, deck, me, playing)
    card, price = max(ways, key=lambda way: utility[way])
    return {"type": "present", "card": card, "price": price}
