"""Selling, and the changes of the market after a sale (ECO-13 to ECO-15, ECO-22 to ECO-25)."""

from __future__ import annotations

from typing import assert_never

from games.cheesonomics import events, moves, phases
from games.cheesonomics.ending import end_turn, last_sale_after
from games.cheesonomics.events import Event, MarketEvent
from games.cheesonomics.moves import Move
from games.cheesonomics.pieces import (
    ANIMAL,
    COLOUR,
    COLOURS,
    MOST_SOLD,
    SIDE_COLOUR,
    SIDES,
    TRAITS,
    MarketWedge,
    Trait,
    Wedge,
    Wedges,
    has,
    kinds,
    marked,
    market_wedge,
    other_side,
    prices,
    tidy,
)
from games.cheesonomics.table import State
from games.core import Seat
from games.kit import Story, put, replace, without
from games.offers import Choice, Offer, Subset, offer
from games.refusals import Tried


def sell_offers(state: State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    wheels = state.wheels[seat]
    if tried:
        _refuse_sale(tried, wheels)
    if not wheels:
        return ()
    price = prices(state.market)
    of: dict[Trait, list[Wedge]] = {}
    for wedge in wheels:
        colour = COLOUR[wedge]
        if price[colour]:
            of.setdefault(colour, []).append(wedge)
            of.setdefault(ANIMAL[wedge], []).append(wedge)
    found = [
        offer(moves.Sell, trait=trait, wedges=Subset(tuple(wedges), 1, min(MOST_SOLD, len(wedges))))
        for trait, wedges in of.items()
    ]
    if tried:
        unseen = " or ".join(colour for colour in COLOURS if not price[colour])
        tried.among(moves.Sell, found, "ECO-13", f"the market shows no {unseen}, so you cannot sell that")
    return tuple(found)


def _refuse_sale(tried: Tried, wheels: Wedges) -> None:
    """Refuse a sale for every reason but the market."""
    tried.needs(moves.Sell, "ECO-13", "sell a colour or an animal", trait=Choice(TRAITS))
    everything = Subset(wheels, 0, len(wheels))
    tried.needs(moves.Sell, "ECO-13", "sell wedges that lie in your own wheels", wedges=everything)
    alike = [[wedge for wedge in wheels if has(wedge, trait)] for trait in TRAITS]
    sales = [
        offer(moves.Sell, trait=trait, wedges=Subset(tuple(wedges), 0, len(wedges)))
        for trait, wedges in zip(TRAITS, alike, strict=True)
    ]
    tried.among(moves.Sell, sales, "ECO-13", "sell wedges that all have the colour or the animal that you name")
    tried.needs(moves.Sell, "ECO-13", "sell one, two or three wedges", wedges=Subset(wheels, 1, MOST_SOLD))


def places_showing(state: State, colours: tuple[str, ...]) -> tuple[int, ...]:
    return tuple([place for place, side in enumerate(state.market) if SIDE_COLOUR[side] in colours])


def replace_offers(state: State, seat: Seat, phase: phases.Replacing, tried: Tried | None) -> tuple[Offer, ...]:
    places = Choice(places_showing(state, phase.colours))
    own = kinds(state.supplies[seat])
    found = tuple(offer(moves.Replace, place=places, wedge=wedge, up=Choice(SIDES[wedge])) for wedge in own)
    if tried:
        tried.needs(moves.Replace, "ECO-22", "put in a market wedge of your own", wedge=Choice(own))
        tried.needs(moves.Replace, "ECO-22", _not_shown(phase.colours), place=places)
        tried.among(moves.Replace, found, "ECO-22", "name a side of your market wedge")
    return found


def flip_offers(state: State, phase: phases.Flipping, tried: Tried | None) -> tuple[Offer, ...]:
    places = Choice(places_showing(state, phase.colours))
    if tried:
        tried.needs(moves.Flip, "ECO-15", _not_shown(phase.colours), place=places)
    return (offer(moves.Flip, place=places),)


def _not_shown(colours: tuple[str, ...]) -> str:
    return f"choose a market wedge that shows what you sold: {' or '.join(colours)}"


def take_offers(state: State, tried: Tried | None) -> tuple[Offer, ...]:
    wedges = Choice(kinds(_source(state)))
    if tried:
        rule = "ECO-25" if isinstance(state.phase, phases.Exchanging) else "ECO-23"
        tried.needs(moves.Take, rule, "that market wedge is not among those that you may take", wedge=wedges)
    return (offer(moves.Take, wedge=wedges),)


def _source(state: State) -> tuple[MarketWedge, ...]:
    """Return the market wedges from which the seller takes one.

    In a game from before ECO-25 changed, a seller may have given a wedge already and now takes one from a supply.
    """
    if isinstance(state.phase, phases.Exchanging) and state.phase.other is not None:
        return state.supplies[state.phase.other]
    return state.discard


def swap_offers(state: State, seat: Seat, tried: Tried | None) -> tuple[Offer, ...]:
    own = Choice(kinds(state.supplies[seat]))
    others = Choice(tuple(other for other in range(len(state.hands)) if other != seat))
    if tried:
        if not state.discard:
            tried.refuse("ECO-25", "the discard is empty, so there is nothing to swap with", moves.SwapDiscard)
        tried.needs(moves.SwapDiscard, "ECO-25", "give a market wedge of your own", wedge=own)
        tried.needs(moves.SwapSeat, "ECO-25", "name one of your opponents", seat=others)
    with_discard = (offer(moves.SwapDiscard, wedge=own),) if state.discard else ()
    return (*with_discard, offer(moves.SwapSeat, seat=others))


def exchange_offers(state: State, seat: Seat, other: Seat, tried: Tried | None) -> tuple[Offer, ...]:
    own, theirs = Choice(kinds(state.supplies[seat])), Choice(kinds(state.supplies[other]))
    if tried:
        tried.needs(moves.Exchange, "ECO-25", "give a market wedge of your own", give=own)
        tried.needs(moves.Exchange, "ECO-25", f"take a market wedge of seat {other + 1}", take=theirs)
    return (offer(moves.Exchange, give=own, take=theirs),)


def sell(story: Story[State, Event], seat: Seat, move: moves.Sell) -> None:
    price = prices(story.state.market)
    last = isinstance(story.state.phase, phases.LastSale)
    curds = sum(price[COLOUR[wedge]] for wedge in move.wedges)
    story.add(events.Sold(seat, move.trait, tidy(move.wedges), curds))
    sold = {COLOUR[wedge] for wedge in move.wedges}
    colours = tuple(colour for colour in COLOURS if colour in sold)
    if last:  # ECO-26
        last_sale_after(story, seat)
    elif story.state.sharp:
        story.add(events.Awaited(phases.Replacing(colours, any(marked(wedge) for wedge in move.wedges))))
    else:
        story.add(events.Awaited(phases.Flipping(colours, swap=False)))


def replace_wedge(story: Story[State, Event], seat: Seat, phase: phases.Replacing, move: moves.Replace) -> None:
    story.add(events.Replaced(seat, move.place, move.wedge, move.up))
    if places_showing(story.state, phase.colours):
        story.add(events.Awaited(phases.Flipping(phase.colours, phase.swap)))
    else:
        _replenish(story, seat, phase.swap)


def flip(story: Story[State, Event], seat: Seat, phase: phases.Flipping, move: moves.Flip) -> None:
    story.add(events.Flipped(seat, move.place, story.state.downs[move.place]))
    if story.state.replaced is None:
        end_turn(story, seat)
    else:
        _replenish(story, seat, phase.swap)


def _replenish(story: Story[State, Event], seat: Seat, swap: bool) -> None:
    """ECO-23: let the seller take a market wedge, or keep the replaced one if the discard is empty."""
    replaced = story.state.replaced
    assert replaced is not None
    if story.state.discard:
        story.add(events.Awaited(phases.Taking(swap)))
    else:
        story.add(events.Kept(seat, market_wedge(*replaced)))
        _ask_swap(story, seat, swap)


def take(
    story: Story[State, Event],
    seat: Seat,
    phase: phases.Taking | phases.Exchanging,
    move: moves.Take | moves.Exchange,
) -> None:
    """Take a market wedge: from the discard after a sale, or to complete a swap."""
    if isinstance(move, moves.Exchange):
        assert isinstance(phase, phases.Exchanging)
        _complete_swap(story, seat, phase.other, move.give, move.take)
    elif isinstance(phase, phases.Exchanging):
        _complete_swap(story, seat, phase.other, story.state.offered, move.wedge)
    else:
        story.add(events.Took(seat, move.wedge))
        _ask_swap(story, seat, phase.swap)


def _complete_swap(
    story: Story[State, Event], seat: Seat, other: Seat | None, given: MarketWedge | None, taken: MarketWedge
) -> None:
    story.add(events.Swapped(seat, other, given, taken))
    end_turn(story, seat)


def _ask_swap(story: Story[State, Event], seat: Seat, swap: bool) -> None:
    if swap:
        story.add(events.Awaited(phases.Swapping()))
    else:
        end_turn(story, seat)


def swap(story: Story[State, Event], seat: Seat, move: Move) -> None:
    """ECO-25: name a swap or decline."""
    match move:
        case moves.SwapDiscard(wedge):
            _name_swap(story, seat, None, wedge)
        case moves.SwapSeat(other):
            _name_swap(story, seat, other, None)
        case moves.Decline():
            story.add(events.Declined(seat))
            end_turn(story, seat)
        case _:
            raise AssertionError(f"{move} is no swap")


def _name_swap(story: Story[State, Event], seat: Seat, other: Seat | None, wedge: MarketWedge | None) -> None:
    story.add(events.SwapNamed(seat, other, wedge))
    story.add(events.Awaited(phases.Exchanging(other)))


def apply_market(state: State, event: MarketEvent) -> State:
    match event:
        case events.Flipped(_, place, up):
            return replace(
                state, market=put(state.market, place, up), downs=put(state.downs, place, state.market[place])
            )
        case events.Replaced(seat, place, wedge, up):
            assert wedge is not None
            return replace(
                state,
                market=put(state.market, place, up),
                downs=put(state.downs, place, other_side(wedge, up)),
                supplies=_less(state, seat, wedge),
                replaced=(state.market[place], state.downs[place]),
            )
        case events.Took(seat, wedge):
            assert wedge is not None
            assert state.replaced is not None
            discard = tidy((*without(state.discard, (wedge,)), market_wedge(*state.replaced)))
            return replace(state, supplies=_more(state, seat, wedge), discard=discard, replaced=None)
        case events.Kept(seat, wedge):
            assert wedge is not None
            return replace(state, supplies=_more(state, seat, wedge), replaced=None)
        case events.SwapNamed(seat, _, wedge):
            return state if wedge is None else replace(state, supplies=_less(state, seat, wedge), offered=wedge)
        case events.Swapped():
            return _swapped(state, event)
        case _:
            assert_never(event)


def _swapped(state: State, event: events.Swapped) -> State:
    assert event.given is not None
    assert event.taken is not None
    if state.offered is None:
        state = replace(state, supplies=_less(state, event.seat, event.given))
    state = replace(state, supplies=_more(state, event.seat, event.taken), offered=None)
    if event.other is None:
        return replace(state, discard=tidy((*without(state.discard, (event.taken,)), event.given)))
    state = replace(state, supplies=_less(state, event.other, event.taken))
    return replace(state, supplies=_more(state, event.other, event.given))


def _less(state: State, seat: Seat, wedge: MarketWedge) -> tuple[tuple[MarketWedge, ...], ...]:
    return put(state.supplies, seat, without(state.supplies[seat], (wedge,)))


def _more(state: State, seat: Seat, wedge: MarketWedge) -> tuple[tuple[MarketWedge, ...], ...]:
    return put(state.supplies, seat, tidy((*state.supplies[seat], wedge)))
