"""The house bots of Chesterfield.

Both levels value a card by the points that it adds to their hand and sets, and spread their money over the cards that
are still to be sold. The rookie bids up to that value; it cashes cards in for a bid that it could not pay, and plays
actions: against the winner before it drops, for itself while it bids. The master deals the hidden cards many times and
simulates the rest of the game after each of its options: limits for the card on sale, actions against its winner,
cards to cash in, and as Auctioneer a starting price that nobody will pay.
"""

from __future__ import annotations

import math
import random
from collections import Counter

from bots import chesterfield_values as values
from bots.budget import Budget
from bots.chesterfield_model import Decision, Option, Present
from bots.memory import ChesterfieldMemory, Memory
from bots.offers import Move, Offer, View
from bots.search import search
from games.chesterfield.deck import GRUYERE_POINTS, POINTS, TRADE, UPKEEP

OFFICE = 1  # dollars that a master pays to be Auctioneer, at most
NO_LIMIT = 10_000  # dollars: more than anybody has
CHEAP = 0.3  # of the limit for a card: less than that is bid without a search
LIMITS = 6  # that a master compares
DEAREST = 12  # dollars that a rookie pays for a point, at most
AT_ONCE = 0.6  # of its money and cards: what a rookie pays for one card at most while another block is to come
UNDER_FETA = 0.5  # of its limit: what a rookie bids when everybody pays
BLEU_POINTS = 3  # that a Bleu costs the winner (CCA-24)
RAISE = 0.25  # how often a rookie raises by more than a dollar
PRICED = 0.3  # how often it names a starting price
ACTS = {"Bleu": 0.4, "Roquefort": 0.25, "Feta": 0.25, "Pecorino": 0.3, "Emmental": 0.15}  # how often it plays an action
HOPE = dict.fromkeys(POINTS, 0.3)  # of pairing a single card, when a rookie gives one away
SMALL = 1.3  # points that an action or a card to cash in may cost


def rookie(view: View, offers: list[Offer], chance: random.Random) -> Move:
    """Buy what makes or extends a set, and lay down whatever scores."""
    by_move = {offer["move"]: offer["fill"] for offer in offers}
    match view["phase"]:
        case "auctioneer_auction":
            least = by_move.get("bid", {"amount": {"least": 99}})["amount"]["least"]
            return {"type": "bid", "amount": least} if least <= chance.randint(0, 3) else {"type": "drop"}
        case "choosing":
            most = min(3, by_move["present"]["price"]["most"])
            price = chance.randint(0, most) if chance.random() < PRICED else 0
            return {"type": "present", "card": chance.choice(by_move["present"]["card"]["of"]), "price": price}
        case "cheese_auction":
            return _rookies_turn(view, by_move, chance)
        case "silent_auction":
            return _bid_in_secret(view, by_move, _rookies_limit(view))
        case "paying":
            return _pay(view, {})
    return _arrange(view, offers, {})


def _rookies_limit(view: View) -> float:
    """The highest bid of a rookie for the card on sale, with the actions in force."""
    card, actions = view["card"], view["actions"]
    gain = values.gain(view, card, {}) + 0.25 * POINTS[card] - BLEU_POINTS * actions.count("Bleu")
    limit: float = min(values.limit(view, gain), DEAREST * gain)
    if view["blocks_left"]:
        limit = min(limit, AT_ONCE * (view["banks"][view["me"]] + sum(TRADE[card] for card in view["hand"])))
    return limit * UNDER_FETA if "Feta" in actions else limit


def _rookies_turn(view: View, by_move: dict[str, View], chance: random.Random) -> Move:
    """One turn of a cheese auction: cash in, play an action, bid or drop."""
    limit, bid = _rookies_limit(view), by_move.get("bid")
    if bid is None and "cash_in" in by_move:
        cards = _cash_for_bid(view, limit)
        if cards:
            return {"type": "cash_in", "cards": cards}
    bids = bid is not None and bid["amount"]["least"] <= limit
    action = _rookies_action(view, by_move, limit if bids else None, chance)
    if action is not None:
        return {"type": "play_action", "card": action}
    if bid is None or not bids:
        return {"type": "drop"}
    least, most = bid["amount"]["least"], min(bid["amount"]["most"], int(limit))
    higher = chance.randint(least, max(least, (least + most) // 2)) if chance.random() < RAISE else least
    return {"type": "bid", "amount": higher}


def _cash_for_bid(view: View, limit: float) -> list[str]:
    """The cards to cash in so that the lowest bid can be paid; none if it is above the limit or costs points."""
    standing = view["auction"]["bid"]
    lowest = view["price"] if standing is None else standing + 1
    hand, short = values.held(view), lowest - view["banks"][view["me"]]
    cards: list[str] = []
    while short > 0 and lowest <= limit:
        free = [card for card in +hand if card != view["card"] and values.loss(view, hand, card, HOPE) < SMALL]
        if not free:
            return []
        card = max(free, key=lambda one: TRADE[one])
        hand[card] -= 1
        cards.append(card)
        short -= TRADE[card]
    return cards


def _rookies_action(view: View, by_move: dict[str, View], limit: float | None, chance: random.Random) -> str | None:
    """An action card that helps now and costs no points; `limit` is None for a seat that is about to drop."""
    if "play_action" not in by_move:
        return None
    auction, me, actions = view["auction"], view["me"], view["actions"]
    others = sum(not dropped for dropped in auction["dropped"]) - 1
    standing = auction["bid"] or 0
    hand = values.held(view)
    for card in by_move["play_action"]["card"]["of"]:
        match card:
            case "Bleu" | "Roquefort":
                helps = limit is None and auction["bidder"] not in (None, me)
            case "Feta":
                helps = limit is None and auction["bidder"] not in (None, me) and standing >= 4 and card not in actions
            case "Pecorino":
                helps = limit is not None and others > 0 and standing >= 0.5 * limit and card not in actions
            case _:  # Emmental
                helps = limit is not None and others > 1 and limit >= 6 + standing
        if helps and values.loss(view, hand, card, HOPE) < SMALL and chance.random() < ACTS[card]:
            return str(card)
    return None


def _bid_in_secret(view: View, by_move: dict[str, View], limit: float) -> Move:
    amount = by_move["bid_secretly"]["amount"]
    return {"type": "bid_secretly", "amount": max(amount["least"], min(amount["most"], int(limit)))}


def _pay(view: View, chances: dict[str, float]) -> Move:
    """Cash in the cards with the smallest loss until the debt is paid; default if they do not suffice."""
    hand, won = values.held(view), Counter([view["card"]])  # what was won counts, but cannot be cashed in
    short = view["owed"] - view["banks"][view["me"]]
    given: list[str] = []
    while short > 0 and +hand:
        card = min(+hand, key=lambda one: (values.loss(view, hand + won, one, chances), -TRADE[one]))
        hand[card] -= 1
        given.append(card)
        short -= TRADE[card]
    return {"type": "default"} if short > 0 else {"type": "cash_in", "cards": given}


def _arrange(view: View, offers: list[Offer], chances: dict[str, float]) -> Move:
    """Laying down, upkeep and the final merge: do what scores most, discard what costs least."""
    if view["phase"] == "upkeep":
        return _keep(view, offers[0]["fill"]["discard"], chances)
    moves = [move for offer in offers for move in _layings(view, offer)]
    if not moves:
        return {"type": "finish"}
    return max(moves, key=lambda pair: pair[0])[1]


def _layings(view: View, offer: Offer) -> list[tuple[float, Move]]:
    """The sensible ways to fill an offer of laying down or merging, with their scores."""
    fill, sets = offer["fill"], view["sets"][view["me"]]
    hand = values.held(view)
    match offer["move"]:
        case "lay_down":
            cheese, cards = fill["cheese"], fill["cards"]["most"]
            if cheese == "Gruyere" and any(not one["gruyere"] for one in sets) and cards < 3:
                return []  # melted over sets they score as much, and the rest of the hand stays free
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
    """Discard the cards that are not worth their upkeep."""
    hand = values.held(view)
    gone: list[str] = []
    rate = values.rate(view) if values.cards_to_come(view) else 0.0
    while len(gone) < discard["most"]:
        card = min(+hand, key=lambda one: values.loss(view, hand, one, chances))
        if len(gone) >= discard["least"] and values.loss(view, hand, card, chances) * rate > UPKEEP:
            break
        if len(gone) >= discard["least"] and not rate and values.loss(view, hand, card, chances) > 0:
            break
        hand[card] -= 1
        gone.append(card)
    return {"type": "keep", "discard": gone}


def obvious(view: View, offers: list[Offer]) -> Move | None:
    """A bid for the office or a low bid, which a master makes without a search."""
    least = next((offer["fill"]["amount"]["least"] for offer in offers if offer["move"] == "bid"), NO_LIMIT)
    if view["phase"] == "auctioneer_auction":
        return {"type": "bid", "amount": least} if least <= OFFICE else {"type": "drop"}
    if view["phase"] != "cheese_auction" or view["actions"]:
        return None
    low = least <= CHEAP * values.limit(view, values.gain(view, view["card"], {}))
    return {"type": "bid", "amount": least} if low else None


def judge(
    view: View, offers: list[Offer], chance: random.Random, budget: Budget, memory: Memory | None = None
) -> list[tuple[Move, float]]:
    """The options with their values, the best first; empty for decisions that are not searched."""
    assert memory is None or isinstance(memory, ChesterfieldMemory)
    by_move = {offer["move"]: offer["fill"] for offer in offers}
    match view["phase"]:
        case "choosing":
            ways: dict[Option | Present, Move] = _ways_to_present(by_move["present"])
        case "cheese_auction":
            ways = _ways_to_bid(view, by_move)
        case "silent_auction":
            amount = by_move["bid_secretly"]["amount"]
            ways = {
                Option(bid): {"type": "bid_secretly", "amount": bid} for bid in _steps(amount["least"], amount["most"])
            }
        case _:
            return []
    found: dict[str, tuple[Move, float]] = {}
    for option, value in search(Decision(view, list(ways), memory), budget, chance):  # type: ignore[arg-type]
        move = ways[option]  # type: ignore[index]
        found.setdefault(str(move), (move, value))
    return list(found.values())


def _ways_to_present(fill: View) -> dict[Option | Present, Move]:
    """Every card, at no price or the highest."""
    ways = [Present(card, price) for card in fill["card"]["of"] for price in {0, fill["price"]["most"]}]
    return {way: {"type": "present", "card": way.card, "price": way.price} for way in ways}


def _ways_to_bid(view: View, by_move: dict[str, View]) -> dict[Option | Present, Move]:
    """Limits, dropping, and what a seat can do before it bids or drops."""
    ways: dict[Option | Present, Move] = {Option(-1): {"type": "drop"}}
    top = int(2.5 * values.limit(view, POINTS[view["card"]])) + 1
    bank, last = view["banks"][view["me"]], view["auction"]["last"]
    limits: list[int] = []
    if "bid" in by_move:
        least, most = by_move["bid"]["amount"]["least"], by_move["bid"]["amount"]["most"]
        limits = _steps(least, max(least, min(most, top)))
        only_turn = last is not None and view["me"] not in last
        ways |= {Option(limit): {"type": "bid", "amount": limit if only_turn else least} for limit in limits}
    if "play_action" in by_move:
        ways |= _ways_to_act(view, by_move["play_action"]["card"]["of"], limits)
    if "cash_in" in by_move:
        ways |= _ways_to_cash_in(view, bank, top, limits)
    return ways


def _ways_to_act(view: View, cards: list[str], limits: list[int]) -> dict[Option | Present, Move]:
    """Actions against the winner before dropping, and a last round or a silent auction for a seat that wants to win."""
    against = view["auction"]["bidder"] not in (None, view["me"])
    ways: dict[Option | Present, Move] = {}
    for card in cards:
        move: Move = {"type": "play_action", "card": card}
        if card == "Pecorino" and card not in view["actions"]:
            ways |= {Option(limit, action=card): move for limit in limits[len(limits) // 2 :]}
        elif card == "Emmental":
            ways |= {Option(limit, action=card): move for limit in limits[1::2]}
        elif against and (card in ("Bleu", "Roquefort") or (card == "Feta" and card not in view["actions"])):
            ways[Option(-1, action=card)] = move
    return ways


def _ways_to_cash_in(view: View, bank: int, top: int, limits: list[int]) -> dict[Option | Present, Move]:
    """A card for a bid above what the bank holds, and at the end of a block one that upkeep pays better."""
    ways: dict[Option | Present, Move] = {}
    for card in dict.fromkeys(view["hand"]):
        move: Move = {"type": "cash_in", "cards": [card]}
        if not view["block"] and view["blocks_left"]:
            single = card != view["card"] and view["hand"].count(card) == 1
            ways |= {Option(limit, cashed=card): move for limit in (-1, *limits[1::2] * single)}
        if bank < top and card != view["card"]:
            ways[Option(bank + TRADE[card], cashed=card)] = move
    return ways


def _steps(least: int, most: int) -> list[int]:
    """Some amounts from the least to the most."""
    step = max(1, math.ceil((most - least) / (LIMITS - 1)))
    return sorted({*range(least, most, step), most})
