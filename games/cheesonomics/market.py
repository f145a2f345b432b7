"""Selling, and moving the market after a sale (ECO-13 to ECO-15, ECO-22 to ECO-25)."""

from __future__ import annotations

from typing import assert_never

from games.cheesonomics.ending import end_turn, last_sale_after
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
    has,
    kinds,
    marked,
    market_wedge,
    other_side,
    prices,
    tidy,
)
from games.cheesonomics.table import (
    Awaited,
    Declined,
    Event,
    Exchanging,
    Flip,
    Flipped,
    Flipping,
    Kept,
    LastSale,
    MarketEvent,
    Replace,
    Replaced,
    Replacing,
    Sell,
    Sold,
    State,
    SwapDiscard,
    SwapNamed,
    Swapped,
    Swapping,
    SwapSeat,
    Take,
    Taking,
    Took,
)
from games.core import IllegalMove, Offer, One, Pick, Seat, offer
from games.kit import Story, put, replace, without


def sell_offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    if not state.wheels[seat]:
        return ()
    price = prices(state.market)
    of: dict[Trait, list[Wedge]] = {}
    for wedge in state.wheels[seat]:
        colour = COLOUR[wedge]
        if price[colour]:
            of.setdefault(colour, []).append(wedge)
            of.setdefault(ANIMAL[wedge], []).append(wedge)
    return tuple(
        [
            offer(Sell, trait=trait, wedges=Pick(tuple(wedges), 1, min(MOST_SOLD, len(wedges))))
            for trait, wedges in of.items()
        ]
    )


def places_showing(state: State, colours: tuple[str, ...]) -> tuple[int, ...]:
    return tuple([place for place, side in enumerate(state.market) if SIDE_COLOUR[side] in colours])


def replace_offers(state: State, seat: Seat, phase: Replacing) -> tuple[Offer, ...]:
    places = One(places_showing(state, phase.colours))
    return tuple(offer(Replace, place=places, wedge=own, up=One(SIDES[own])) for own in kinds(state.supplies[seat]))


def flip_offers(state: State, phase: Flipping) -> tuple[Offer, ...]:
    return (offer(Flip, place=One(places_showing(state, phase.colours))),)


def take_offers(state: State) -> tuple[Offer, ...]:
    return (offer(Take, wedge=One(kinds(_source(state)))),)


def _source(state: State) -> tuple[MarketWedge, ...]:
    """Where the seller takes a market wedge from."""
    if isinstance(state.phase, Exchanging) and state.phase.other is not None:
        return state.supplies[state.phase.other]
    return state.discard


def swap_offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    own = One(kinds(state.supplies[seat]))
    others = tuple(other for other in range(len(state.hands)) if other != seat)
    with_discard = (offer(SwapDiscard, wedge=own),) if state.discard else ()
    return (*with_discard, offer(SwapSeat, seat=One(others), wedge=own))


def refuse_sell(state: State, seat: Seat, move: Sell) -> IllegalMove:
    if move.trait not in TRAITS:
        return IllegalMove("ECO-13", f"{move.trait} is neither a colour nor an animal")
    if not 1 <= len(move.wedges) <= MOST_SOLD:
        return IllegalMove("ECO-13", f"a sale is of one to three wedges, not {len(move.wedges)}")
    price = prices(state.market)
    left = list(state.wheels[seat])
    for wedge in move.wedges:
        if wedge not in left:
            return IllegalMove("ECO-13", f"there are not that many of {wedge} in your wheels")
        left.remove(wedge)
        if not has(wedge, move.trait):
            return IllegalMove("ECO-13", f"you sell {move.trait}, and {wedge} is not that")
        if not price[COLOUR[wedge]]:
            return IllegalMove("ECO-13", f"nothing in the market shows {COLOUR[wedge]}, so it cannot be sold")
    raise AssertionError("such a sale is offered")


def refuse_replace(state: State, seat: Seat, phase: Replacing, move: Replace) -> IllegalMove:
    if move.wedge not in state.supplies[seat]:
        return IllegalMove("ECO-22", f"you have no market wedge {move.wedge}")
    if move.up not in SIDES[move.wedge]:
        return IllegalMove("ECO-22", f"{move.wedge} has no side {move.up}")
    return IllegalMove("ECO-22", f"no market wedge at place {move.place} shows {' or '.join(phase.colours)}")


def refuse_flip(phase: Flipping, move: Flip) -> IllegalMove:
    return IllegalMove("ECO-15", f"no market wedge at place {move.place} shows {' or '.join(phase.colours)}")


def refuse_take(state: State, move: Take) -> IllegalMove:
    rule = "ECO-25" if isinstance(state.phase, Exchanging) else "ECO-23"
    return IllegalMove(rule, f"there is no {move.wedge} to be taken")


def refuse_swap(state: State, seat: Seat, move: SwapDiscard | SwapSeat) -> IllegalMove:
    if isinstance(move, SwapDiscard) and not state.discard:
        return IllegalMove("ECO-25", "the discard is empty")
    if move.wedge not in state.supplies[seat]:
        return IllegalMove("ECO-25", f"you have no market wedge {move.wedge}")
    return IllegalMove("ECO-25", "name one of your opponents")


def sell(story: Story[State, Event], seat: Seat, move: Sell) -> None:
    price = prices(story.state.market)
    last = isinstance(story.state.phase, LastSale)
    curds = sum(price[COLOUR[wedge]] for wedge in move.wedges)
    story.add(Sold(seat, move.trait, tidy(move.wedges), curds))
    sold = {COLOUR[wedge] for wedge in move.wedges}
    colours = tuple(colour for colour in COLOURS if colour in sold)
    if last:  # ECO-26
        last_sale_after(story, seat)
    elif story.state.sharp:
        story.add(Awaited(Replacing(colours, any(marked(wedge) for wedge in move.wedges))))
    else:
        story.add(Awaited(Flipping(colours, swap=False)))


def replace_wedge(story: Story[State, Event], seat: Seat, phase: Replacing, move: Replace) -> None:
    story.add(Replaced(seat, move.place, move.wedge, move.up))
    if places_showing(story.state, phase.colours):
        story.add(Awaited(Flipping(phase.colours, phase.swap)))
    else:
        _replenish(story, seat, phase.swap)


def flip(story: Story[State, Event], seat: Seat, phase: Flipping, move: Flip) -> None:
    story.add(Flipped(seat, move.place, story.state.downs[move.place]))
    if story.state.replaced is None:
        end_turn(story, seat)
    else:
        _replenish(story, seat, phase.swap)


def _replenish(story: Story[State, Event], seat: Seat, swap: bool) -> None:
    """ECO-23."""
    replaced = story.state.replaced
    assert replaced is not None
    if story.state.discard:
        story.add(Awaited(Taking(swap)))
    else:
        story.add(Kept(seat, market_wedge(*replaced)))
        _ask_swap(story, seat, swap)


def take(story: Story[State, Event], seat: Seat, phase: Taking | Exchanging, move: Take) -> None:
    if isinstance(phase, Taking):
        story.add(Took(seat, move.wedge))
        _ask_swap(story, seat, phase.swap)
    else:
        story.add(Swapped(seat, phase.other, story.state.offered, move.wedge))
        end_turn(story, seat)


def _ask_swap(story: Story[State, Event], seat: Seat, swap: bool) -> None:
    if swap:
        story.add(Awaited(Swapping()))
    else:
        end_turn(story, seat)


def name_swap(story: Story[State, Event], seat: Seat, move: SwapDiscard | SwapSeat) -> None:
    other = move.seat if isinstance(move, SwapSeat) else None
    story.add(SwapNamed(seat, other, move.wedge))
    story.add(Awaited(Exchanging(other)))


def decline_swap(story: Story[State, Event], seat: Seat) -> None:
    story.add(Declined(seat))
    end_turn(story, seat)


def apply_market(state: State, event: MarketEvent) -> State:
    match event:
        case Flipped(_, place, up):
            return replace(
                state, market=put(state.market, place, up), downs=put(state.downs, place, state.market[place])
            )
        case Replaced(seat, place, wedge, up):
            assert wedge is not None
            return replace(
                state,
                market=put(state.market, place, up),
                downs=put(state.downs, place, other_side(wedge, up)),
                supplies=_less(state, seat, wedge),
                replaced=(state.market[place], state.downs[place]),
            )
        case Took(seat, wedge):
            assert wedge is not None
            assert state.replaced is not None
            discard = tidy((*without(state.discard, (wedge,)), market_wedge(*state.replaced)))
            return replace(state, supplies=_more(state, seat, wedge), discard=discard, replaced=None)
        case Kept(seat, wedge):
            assert wedge is not None
            return replace(state, supplies=_more(state, seat, wedge), replaced=None)
        case SwapNamed(seat, _, wedge):
            assert wedge is not None
            return replace(state, supplies=_less(state, seat, wedge), offered=wedge)
        case Swapped():
            return _swapped(state, event)
        case _:
            assert_never(event)


def _swapped(state: State, event: Swapped) -> State:
    assert event.given is not None
    assert event.taken is not None
    state = replace(state, supplies=_more(state, event.seat, event.taken), offered=None)
    if event.other is None:
        return replace(state, discard=tidy((*without(state.discard, (event.taken,)), event.given)))
    state = replace(state, supplies=_less(state, event.other, event.taken))
    return replace(state, supplies=_more(state, event.other, event.given))


def _less(state: State, seat: Seat, wedge: MarketWedge) -> tuple[tuple[MarketWedge, ...], ...]:
    return put(state.supplies, seat, without(state.supplies[seat], (wedge,)))


def _more(state: State, seat: Seat, wedge: MarketWedge) -> tuple[tuple[MarketWedge, ...], ...]:
    return put(state.supplies, seat, tidy((*state.supplies[seat], wedge)))
