"""Do My Bidding: bid with somebody else's money for somebody else's collection. 3-5 seats.

Components
DMB-1   49 paintings: seven artists and seven colours, each pair once; the values 1 to 7 are a Latin square [R].
DMB-2   A seat has a purse, an envelope, a score and a collection, all public [R]; only the order of the
        deck is hidden. The bank never runs out [R].

Setting up
DMB-3   The paintings of value 1 are shuffled and each seat gets one; the others leave the game. This painting
        scores nothing, but later paintings can match it [R].
DMB-4   The other 42 are the deck. Purses hold $15, scores are 0, and the first-bidder token is drawn by lot.
DMB-5   With 3, 4 or 5 seats, a seat's agent sits 1, 1 or 2 places to its left. The seat is its agent's patron.

Rounds
DMB-6   With 4 or 5 seats there are four rounds. The agent cards move one seat left after each, so in the fourth
        round every seat is its own agent.
DMB-7   With 3 seats there are five rounds. The agent is the left neighbour in rounds 1 and 3, the right
        neighbour in rounds 2 and 4, and the seat itself in round 5.
DMB-8   A round deals 8 paintings (7 with 3 seats) in order of value, the lowest leftmost; of equal values, the one
        dealt first.
DMB-9   The first two paintings are one lot, the next two another, and each further one is a lot of its own. Lots
        are sold from left to right.

The auction of a lot
DMB-10  The seat with the token opens with 0 or more. Then each seat in turn raises or drops out. The last one in wins.
DMB-11  A bid is higher than the standing bid and at most the purse of the bidder's patron.
DMB-12  A bid, also the opening bid, is at most $1 above the largest purse with which any other seat still in can bid.
DMB-13  [R] A seat that cannot raise drops out by itself. An opener that can bid only 0 opens with 0 by itself.
DMB-14  The patron's purse pays the bank; the paintings go to the patron's collection.
DMB-15  The patron scores the values, 1 for each old painting that shares artist or colour with a new one (once for
        the lot, even if it matches both new ones), and 1 if the two new ones of a lot share artist or colour.
DMB-16  The agent's envelope gets a dollar from the bank for each of these points, except in the last round.
DMB-17  The token moves one seat left after every lot, also after the last lot of a round.

The end of a round and of the game
DMB-18  Each envelope is emptied into its seat's own purse.
DMB-19  At any time a patron may suggest in public that its agent drops out or bids up to an amount within the
        patron's purse [R]. A later suggestion replaces it, it ends with the lot, and the last round has none.
DMB-20  The highest score wins; tied seats share the victory [R].
"""

from __future__ import annotations

from functools import cache
from typing import assert_never

from games.about import About
from games.chance import Chance
from games.core import Beat, Outcome, Seat
from games.do_my_bidding.values import (
    AGENT_PLACES,
    DECK,
    LOT_SIZES,
    PURSE,
    STARTS,
    Advice,
    Art,
    Arts,
    Dealt,
    Ended,
    Lot,
    LotCalled,
    RoundBegan,
    RoundEnded,
    Sale,
    Sold,
    Suggest,
    Suggested,
)
from games.do_my_bidding.values import Event as Event
from games.do_my_bidding.values import Move as Move
from games.do_my_bidding.values import Options as Options
from games.do_my_bidding.values import State as State
from games.do_my_bidding.values import View as View
from games.kit import (
    Auction,
    Bid,
    BidMade,
    Drop,
    Dropped,
    Story,
    TurnCame,
    copied,
    cut,
    go_round,
    once_per_state,
    open_auction,
    places_by,
    put,
    replace,
    step,
    turn_offers,
)
from games.offers import ENDLESS, Offer, Range, offer
from games.refusals import Tried

TITLE = "Do My Bidding"
BLURB = "Bid with another player's money for another player's walls, and hope that your own agent does as well."
PREFIX = "DMB"
VERSION = 2  # version 1 counted an old painting twice that matches both of a lot (DMB-15)
SEATS = range(3, 6)
ABOUT = About(
    minutes=(20, 40),
    weight="medium",
    how=(
        "You bid for paintings with another player's money, and somebody else bids with yours.",
        "Whoever owns a painting scores its value, and more for the same artist or colour.",
        "You earn a dollar for each point of your patron. Most points at the end win.",
    ),
)


def setup(seats: int, options: Options, chance: Chance) -> tuple[Event, ...]:
    ones = chance.shuffled(STARTS)
    dealt = Dealt(chance.below(seats), ones[:seats], ones[seats:], chance.shuffled(DECK))
    story = Story(apply, apply(None, dealt))
    _begin_round(story)
    _call_lots(story)
    return (dealt, *story.events)


def to_act(state: State) -> tuple[Seat, ...]:
    return (state.auction.turn,) if state.auction else ()


def offers(state: State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    auction = state.auction
    if not auction or seat != auction.turn:
        if tried:
            _refuse_waiting(auction, tried)
        return ()
    least = 0 if auction.bid is None else auction.bid + 1  # DMB-10, DMB-11
    purse = _purse(state, seat)
    others = max(  # the largest purse with which any other seat still in can bid
        state.purses[patron]
        for patron, agent in enumerate(state.agents)
        if agent != seat and not auction.dropped[agent]
    )
    if tried:
        if auction.bid is None:
            tried.needs(Bid, "DMB-10", "open with $0 or more", amount=Range(least, ENDLESS))
            tried.refuse("DMB-10", "you have the first-bidder token, so you open, with $0 or more", Drop)
        tried.needs(Bid, "DMB-11", f"bid at least ${least}", amount=Range(least, ENDLESS))
        tried.needs(Bid, "DMB-11", f"your patron's purse holds only ${purse}", amount=Range(least, purse))
        why = f"nobody else still in can bid more than ${others}, so bid at most ${others + 1}"
        tried.needs(Bid, "DMB-12", why, amount=Range(least, others + 1))
    return turn_offers(least, min(purse, others + 1), may_drop=auction.bid is not None)


def _refuse_waiting(auction: Auction | None, tried: Tried) -> None:
    if auction:
        tried.refuse("DMB-10", f"it is the turn of seat {auction.turn + 1}")
    else:
        tried.refuse("DMB-20", "the game is over")


def asides(state: State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    """DMB-19: return what a patron may suggest, whoever's turn it is."""
    if not state.auction:
        return ()
    if _is_last_round(state):
        if tried:
            tried.refuse("DMB-19", "in the last round you are your own agent, so there is nobody to advise", Suggest)
        return ()
    purse = state.purses[seat]
    suggestions = _suggestions(purse)
    if tried:
        tried.among(Suggest, suggestions, "DMB-19", f"suggest from $0 to ${purse}, what your own purse holds")
    return suggestions


@cache
def _suggestions(purse: int) -> tuple[Offer, ...]:
    return (offer(Suggest, up_to=None), offer(Suggest, up_to=Range(0, purse)))


def _purse(state: State, seat: Seat) -> int:
    """Return the purse that this seat bids with: its patron's."""
    return state.purses[state.agents.index(seat)]


def _stuck(state: State, seat: Seat) -> bool:
    """DMB-13. DMB-12 never forbids the next dollar: the standing bidder is still in and has at least its bid."""
    standing = _auction(state).bid
    assert standing is not None
    return _purse(state, seat) <= standing


def _is_last_round(state: State) -> bool:
    return state.round == len(AGENT_PLACES[len(state.purses)])


def play(state: State, seat: Seat, move: Move, chance: Chance) -> tuple[Event, ...]:
    story = Story(apply, state)
    match move:
        case Bid():
            story.add(BidMade(seat, move.amount))
        case Drop():
            story.add(Dropped(seat))
        case Suggest():
            return (Suggested(seat, state.agents[seat], move.up_to),)
        case _:
            assert_never(move)
    if not go_round(story, _auction, _stuck):
        _sell(story)
        _call_lots(story)
    return story.applied()


def _auction(state: State) -> Auction:
    assert state.auction
    return state.auction


def _begin_round(story: Story[State, Event]) -> None:
    """DMB-5 to DMB-9."""
    state = story.state
    seats = len(state.purses)
    places = AGENT_PLACES[seats][state.round]
    agents = tuple((seat + places) % seats for seat in range(seats))
    sizes = LOT_SIZES[seats]
    row = sorted(state.deck[: sum(sizes)], key=lambda art: art.value)
    story.add(RoundBegan(state.round + 1, agents, cut(row, sizes)[:-1]))
    story.add(LotCalled(0, state.token))


def _call_lots(story: Story[State, Event]) -> None:
    """DMB-13: sell lots without asking until a seat has something to decide."""
    while story.state.auction and _purse(story.state, story.state.token) == 0:
        story.add(BidMade(story.state.token, 0, by_itself=True))
        if go_round(story, _auction, _stuck):
            return
        _sell(story)


def _sell(story: Story[State, Event]) -> None:
    """DMB-14 to DMB-18: sell the lot, and call the next one if there is one."""
    state = story.state
    auction = _auction(state)
    assert auction.bidder is not None
    assert auction.bid is not None
    patron = state.agents.index(auction.bidder)
    arts = state.lots[state.lot].arts
    values = sum(art.value for art in arts)
    matches = count_matches(state.collections[patron], arts)
    earned = 0 if _is_last_round(state) else values + matches
    token = (state.token + 1) % len(state.purses)  # DMB-17
    story.add(Sold(Sale(auction.bidder, patron, auction.bid, values, matches), earned, token))
    if state.lot + 1 < len(state.lots):
        story.add(LotCalled(state.lot + 1, story.state.token))
        return
    state = story.state
    story.add(RoundEnded(tuple(purse + more for purse, more in zip(state.purses, state.envelopes, strict=True))))
    if _is_last_round(state):
        story.add(Ended(Outcome(places_by(state.scores), "DMB-20", state.scores)))
    else:
        _begin_round(story)


def count_matches(old: Arts, new: Arts) -> int:
    """DMB-15: count the old paintings that match a new one, and add one if the two new ones match each other."""
    matches = sum(any(_alike(art, other) for art in new) for other in old)
    return matches + (len(new) == 2 and _alike(*new))


def _alike(art: Art, other: Art) -> bool:
    return art.artist == other.artist or art.colour == other.colour


def apply(state: State | None, event: Event) -> State:
    if state is None:
        assert isinstance(event, Dealt)
        return _lay_out(event)
    match event:
        case TurnCame() | Dropped() | BidMade():
            return replace(state, auction=step(_auction(state), event))
        case Sold():
            return _sold(state, event)
        case LotCalled(lot, token):
            return replace(state, lot=lot, token=token, auction=open_auction(token, len(state.purses)))
        case Suggested(patron, _, up_to):
            return replace(state, advice=put(state.advice, patron, Advice(up_to)))
        case RoundBegan(number, agents, lots):
            left = state.deck[sum(len(arts) for arts in lots) :]
            return replace(state, round=number, agents=agents, lots=tuple(Lot(arts) for arts in lots), deck=left)
        case RoundEnded(purses):
            return replace(state, purses=purses, envelopes=(0,) * len(purses))
        case Ended(result):
            return replace(state, result=result)
        case Dealt():
            raise ValueError("a game is dealt once")
        case _:
            assert_never(event)


def _lay_out(event: Dealt) -> State:
    seats = len(event.starts)
    return State(
        purses=(PURSE,) * seats,
        collections=tuple((art,) for art in event.starts),
        box=event.box,
        deck=event.deck,  # type: ignore[arg-type]
        token=event.token,
        envelopes=(0,) * seats,
        scores=(0,) * seats,
        advice=(None,) * seats,
    )


def _sold(state: State, event: Sold) -> State:
    sale, earned = event.sale, event.earned
    patron = sale.patron
    arts = state.lots[state.lot].arts
    return replace(
        state,
        lots=put(state.lots, state.lot, Lot(arts, sale)),
        purses=put(state.purses, patron, state.purses[patron] - sale.price),
        collections=put(state.collections, patron, state.collections[patron] + arts),
        scores=put(state.scores, patron, state.scores[patron] + sale.values + sale.matches),
        envelopes=put(state.envelopes, sale.agent, state.envelopes[sale.agent] + earned),
        bank=state.bank + sale.price - earned,
        token=event.token,
        advice=(None,) * len(state.advice),
        auction=None,
    )


PUBLIC = (
    "round",
    "agents",
    "purses",
    "envelopes",
    "scores",
    "collections",
    "lots",
    "lot",
    "token",
    "auction",
    "advice",
    "box",
    "bank",
    "result",
)


@once_per_state
def public_view(state: State) -> View:
    seats = range(len(state.purses))
    return View(
        me=None,
        rounds=len(AGENT_PLACES[len(seats)]),
        patrons=tuple(state.agents.index(agent) for agent in seats),
        deck=len(state.deck),
        **copied(state, PUBLIC),
    )


def view(state: State, seat: Seat | None) -> View:
    public = public_view(state)
    return public if seat is None else replace(public, me=seat)


def show(event: Event, seat: Seat | None) -> Event | None:
    match event:
        case TurnCame() | Dropped() | BidMade() | Sold() | LotCalled():
            return event
        case Suggested() | RoundBegan() | RoundEnded() | Ended():
            return event
        case Dealt():
            return replace(event, deck=(None,) * len(event.deck))
        case _:
            assert_never(event)


def absent(state: State, seat: Seat) -> Move:
    """Open with 0, or drop out."""
    return Bid(0) if _auction(state).bid is None else Drop()


def beat(state: State, events: tuple[Event, ...]) -> Beat | None:
    """The gavel falls, for each lot that is sold (DMB-13)."""
    sold = sum(isinstance(event, Sold) for event in events)
    return Beat(400 + 1000 * sold) if sold else None


def outcome(state: State) -> Outcome | None:
    return state.result


def imagine(view: View, seat: Seat, chance: Chance) -> State:
    seen = {art for arts in view.collections for art in arts}
    seen.update(art for lot in view.lots for art in lot.arts)
    return State(
        deck=chance.shuffled([art for art in DECK if art not in seen]),
        **copied(view, PUBLIC),
    )
