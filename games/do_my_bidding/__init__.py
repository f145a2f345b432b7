"""Do My Bidding: bid with somebody else's money for somebody else's collection. 3-5 seats.

Components
DMB-1   49 paintings: seven artists by seven colours, each pair once, values 1 to 7 as a Latin square [R].
DMB-2   A seat has a purse, an envelope, a score and a collection, all public [R]; only the order of the
        deck is hidden. The bank never runs out [R].

Setting up
DMB-3   The paintings of value 1 are shuffled and each seat is given one; the others leave the game. It scores
        nothing, and later paintings match it [R].
DMB-4   The other 42 are the deck. Purses hold $15, scores are 0, the first-bidder token is drawn by lot.
DMB-5   A seat's agent sits 1, 1 or 2 places to its left with 3, 4 or 5 seats; the seat is its agent's patron.

Rounds
DMB-6   With 4 or 5 seats there are four rounds; agent cards move one seat left after each, so that in the
        fourth everybody is their own agent.
DMB-7   With 3 seats there are five: the agent is the left neighbour in rounds 1 and 3, the right one in 2 and
        4, oneself in 5.
DMB-8   A round deals 8 paintings (7 with 3 seats), lowest value leftmost; of equal ones the first dealt.
DMB-9   The first two are one lot, the next two another, each further one a lot of its own; sold left to right.

The auction of a lot
DMB-10  The seat with the token opens, with 0 or more. Clockwise each seat raises or drops; the last one in wins.
DMB-11  A bid is higher than the standing one and at most the purse of the bidder's patron.
DMB-12  Nor is it more than $1 above the largest purse that another seat still in bids with; so for opening too.
DMB-13  A seat that cannot raise drops by itself; an opener that can bid only 0 opens by itself.
DMB-14  The patron's purse pays the bank; the paintings go to the patron's collection.
DMB-15  The patron scores the values, 1 for each pair of a new and an old painting that share artist or colour
        [R], and 1 if the two new ones of a lot share artist or colour.
DMB-16  The agent's envelope gets as many dollars from the bank, except in the last round.
DMB-17  The token moves one seat left after every lot, also from round to round.

The end of a round and of the game
DMB-18  Each envelope is emptied into its seat's own purse.
DMB-19  At any time a patron may suggest, for all to see, that its agent drops or bids up to some amount within
        the purse [R]. A later suggestion replaces it, it lapses with the lot, and the last round has none.
DMB-20  The highest score wins; tied seats share the victory [R].
"""

from __future__ import annotations

from typing import assert_never

import msgspec

from games.chance import Chance
from games.core import Game, IllegalMove, Offer, Outcome, Range, Seat, Value, offer
from games.kit import (
    Auction,
    Bid,
    BidMade,
    Drop,
    Dropped,
    Story,
    TurnCame,
    cut,
    go_round,
    open_auction,
    places_by,
    put,
    replace,
    step,
    turn_offers,
)


class Art(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A painting."""

    artist: str
    colour: str
    value: int


Arts = tuple[Art, ...]

ARTISTS = ("Monet", "Cassatt", "Hokusai", "Kahlo", "O'Keeffe", "Van Gogh", "Vermeer")  # DMB-1 [R]
COLOURS = ("pink", "red", "orange", "yellow", "green", "blue", "violet")
ARTS: Arts = tuple(
    Art(artist, colour, 1 + (i + j + 5) % 7) for i, artist in enumerate(ARTISTS) for j, colour in enumerate(COLOURS)
)
STARTS: Arts = tuple(art for art in ARTS if art.value == 1)  # DMB-3
DECK: Arts = tuple(art for art in ARTS if art.value > 1)  # DMB-4
PURSE = 15
AGENT_PLACES = {  # places to the left at which the agent sits, round by round: DMB-5, DMB-6, DMB-7
    3: (1, 2, 1, 2, 0),
    4: (1, 2, 3, 0),
    5: (2, 3, 4, 0),
}
LOT_SIZES = {3: (2, 2, 1, 1, 1), 4: (2, 2, 1, 1, 1, 1), 5: (2, 2, 1, 1, 1, 1)}  # DMB-8, DMB-9


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Do My Bidding has no options."""


class Sale(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """How a lot was sold: the patron paid `price` and scored `values` and `matches` (DMB-15)."""

    agent: Seat
    patron: Seat
    price: int
    values: int
    matches: int


class Lot(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One or two paintings for sale, or sold."""

    arts: Arts
    sale: Sale | None = None


class Advice(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A patron's suggestion that stands: bid up to this much, or drop if it is None."""

    up_to: int | None


class State(Value, frozen=True):
    """The whole table. `agents` is the agent of each seat; the bank holds what it took less what it gave."""

    purses: tuple[int, ...]
    collections: tuple[Arts, ...]
    box: Arts  # DMB-3: the start cards that left the game
    deck: Arts
    token: Seat
    envelopes: tuple[int, ...]
    scores: tuple[int, ...]
    advice: tuple[Advice | None, ...]  # by patron
    bank: int = 0
    round: int = 0  # from 1
    agents: tuple[Seat, ...] = ()
    lots: tuple[Lot, ...] = ()
    lot: int = 0  # the place of the one being sold
    auction: Auction | None = None
    result: Outcome | None = None


class Suggest(Value, frozen=True):
    """Suggest to your agent to bid up to this much for the present lot, or to drop (None)."""

    up_to: int | None


Move = Bid | Drop | Suggest


class Dealt(Value, frozen=True):
    """The start cards and the deck. A painting that the viewer may not see is None."""

    token: Seat
    starts: Arts
    box: Arts
    deck: tuple[Art | None, ...]


class RoundBegan(Value, frozen=True):
    """The agents of the round took their places and its lots were dealt from the deck."""

    round: int
    agents: tuple[Seat, ...]
    lots: tuple[Arts, ...]


class LotCalled(Value, frozen=True):
    """A lot is up for sale, and the seat with the token is to open."""

    lot: int
    token: Seat


class Suggested(Value, frozen=True):
    """A patron advised its agent."""

    patron: Seat
    agent: Seat
    up_to: int | None


class Sold(Value, frozen=True):
    """The present lot was sold and scored for the patron, the agent earned this much, and the token moved on."""

    sale: Sale
    earned: int
    token: Seat


class RoundEnded(Value, frozen=True):
    """Each envelope was emptied into its own seat's purse."""

    purses: tuple[int, ...]


class Ended(Value, frozen=True):
    """The game is over."""

    result: Outcome


Event = Dealt | RoundBegan | LotCalled | BidMade | Dropped | TurnCame | Suggested | Sold | RoundEnded | Ended


class View(Value, frozen=True):
    """What anybody may know; `deck` is how many paintings are left in it.

    A score is the values of a collection without its first painting, plus one for every pair in it that matches.
    """

    me: Seat | None
    round: int
    rounds: int
    agents: tuple[Seat, ...]
    patrons: tuple[Seat, ...]
    purses: tuple[int, ...]
    envelopes: tuple[int, ...]
    scores: tuple[int, ...]
    collections: tuple[Arts, ...]
    lots: tuple[Lot, ...]
    lot: int
    token: Seat
    auction: Auction | None
    advice: tuple[Advice | None, ...]
    box: Arts
    deck: int
    bank: int
    result: Outcome | None


def setup(seats: int, options: Options, chance: Chance) -> tuple[Event, ...]:
    ones = chance.shuffled(STARTS)
    dealt = Dealt(chance.below(seats), ones[:seats], ones[seats:], chance.shuffled(DECK))
    story = Story(apply, apply(None, dealt))
    _begin_round(story)
    _call_lots(story)
    return (dealt, *story.events)


def to_act(state: State) -> tuple[Seat, ...]:
    return (state.auction.turn,) if state.auction else ()


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    if not state.auction or seat != state.auction.turn:
        return ()
    least, most = _limits(state, seat)
    return turn_offers(least, most, may_drop=state.auction.bid is not None)


def asides(state: State, seat: Seat) -> tuple[Offer, ...]:
    """DMB-19: what a patron may suggest, whoever's turn it is."""
    if not state.auction or _is_last_round(state):
        return ()
    return (offer(Suggest, up_to=None), offer(Suggest, up_to=Range(0, state.purses[seat])))


def _limits(state: State, seat: Seat) -> tuple[int, int]:
    """The lowest and the highest bid: DMB-10, DMB-11 and DMB-12."""
    auction = _auction(state)
    least = 0 if auction.bid is None else auction.bid + 1
    others = max(
        state.purses[patron]
        for patron, agent in enumerate(state.agents)
        if agent != seat and not auction.dropped[agent]
    )
    return least, min(_purse(state, seat), others + 1)


def _purse(state: State, seat: Seat) -> int:
    """What this seat bids with: its patron's purse."""
    return state.purses[state.agents.index(seat)]


def _stuck(state: State, seat: Seat) -> bool:
    """DMB-13. The bidder is still in, with a purse that holds its bid, so DMB-12 never forbids the next dollar."""
    standing = _auction(state).bid
    assert standing is not None
    return _purse(state, seat) <= standing


def _is_last_round(state: State) -> bool:
    return state.round == len(AGENT_PLACES[len(state.purses)])


def refuse(state: State, seat: Seat, move: Move) -> IllegalMove:
    auction = state.auction
    if not auction:
        return IllegalMove("DMB-20", "the game is over")
    if isinstance(move, Suggest):
        if _is_last_round(state):
            return IllegalMove("DMB-19", "in the last round you are your own agent, so there is nobody to advise")
        return IllegalMove("DMB-19", f"suggest an amount from 0 to your own purse, ${state.purses[seat]}")
    if seat != auction.turn:
        return IllegalMove("DMB-10", f"it is seat {auction.turn}'s turn")
    if isinstance(move, Drop):
        return IllegalMove("DMB-10", "you hold the first-bidder token, so you must open, with 0 or more")
    least, most = _limits(state, seat)
    purse = _purse(state, seat)
    if move.amount < least:
        return IllegalMove("DMB-11", f"bid at least ${least}, not ${move.amount}")
    if move.amount > purse:
        return IllegalMove("DMB-11", f"your patron's purse holds ${purse}, so you cannot bid ${move.amount}")
    return IllegalMove("DMB-12", f"nobody else still in can bid more than ${most - 1}, so you bid at most ${most}")


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
    return story.told()


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
    """Sell lots by themselves until a seat has something to decide (DMB-13)."""
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
    """DMB-15: the pairs of a new painting with an old one, or with the other new one, that share artist or colour."""
    matches = 0
    for art in new:
        matches += sum(art.artist == other.artist or art.colour == other.colour for other in old)
        old = (*old, art)
    return matches


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


def view(state: State, seat: Seat | None) -> View:
    seats = range(len(state.purses))
    return View(
        me=seat,
        round=state.round,
        rounds=len(AGENT_PLACES[len(seats)]),
        agents=state.agents,
        patrons=tuple(state.agents.index(agent) for agent in seats),
        purses=state.purses,
        envelopes=state.envelopes,
        scores=state.scores,
        collections=state.collections,
        lots=state.lots,
        lot=state.lot,
        token=state.token,
        auction=state.auction,
        advice=state.advice,
        box=state.box,
        deck=len(state.deck),
        bank=state.bank,
        result=state.result,
    )


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
    """Open with 0, or drop."""
    return Bid(0) if _auction(state).bid is None else Drop()


def outcome(state: State) -> Outcome | None:
    return state.result


def imagine(view: View, seat: Seat, chance: Chance) -> State:
    seen = {art for arts in view.collections for art in arts}
    seen.update(art for lot in view.lots for art in lot.arts)
    return State(
        purses=view.purses,
        collections=view.collections,
        box=view.box,
        deck=chance.shuffled([art for art in DECK if art not in seen]),
        token=view.token,
        envelopes=view.envelopes,
        scores=view.scores,
        advice=view.advice,
        bank=view.bank,
        round=view.round,
        agents=view.agents,
        lots=view.lots,
        lot=view.lot,
        auction=view.auction,
        result=view.result,
    )


GAME = Game(
    name="do_my_bidding",
    title="Do My Bidding",
    blurb="Bid with your neighbour's money for your neighbour's walls, and hope that your own agent does as well.",
    prefix="DMB",
    seats=range(3, 6),
    options=Options,
    state=State,
    moves=Move,
    events=Event,
    views=View,
    setup=setup,
    to_act=to_act,
    offers=offers,
    play=play,
    refuse=refuse,
    apply=apply,
    view=view,
    show=show,
    absent=absent,
    outcome=outcome,
    imagine=imagine,
    asides=asides,
)
