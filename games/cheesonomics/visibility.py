"""Who sees what at Cheesonomics: views, events as viewers see them, and states imagined from views."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar, assert_never

from games.chance import Chance
from games.cheesonomics import events, phases
from games.cheesonomics.events import Event
from games.cheesonomics.pieces import (
    CHEESE,
    COLOURS,
    MARKET,
    SIDES,
    MarketWedge,
    MarketWedges,
    Side,
    Trait,
    Wedge,
    Wedges,
    has,
    other_side,
    prices,
    tidy,
)
from games.cheesonomics.table import State
from games.core import Seat, Value
from games.kit import copied, once_per_state, put, replace, without

T = TypeVar("T")


class View(Value, frozen=True):
    """What a seat may know; `me`, `hand` and `supply` are None for a spectator.

    By seat: knives, tray, hands (sizes), wheels, sold, curds, supplies (sizes), gifts and shown. `prices` are in the
    order of COLOURS. None stands for what is not there and for what the viewer may not see.
    """

    me: Seat | None
    sharp: bool
    turn: Seat | None
    phase: phases.Phase
    start: Seat
    knives: tuple[str, ...]
    tray: tuple[Trait | None, ...]
    market: tuple[Side, ...]
    prices: tuple[int, ...]
    hand: Wedges | None
    hands: tuple[int, ...]
    pile: int
    out: int
    wheels: tuple[Wedges, ...]
    curds: tuple[int, ...]
    sold: tuple[Wedges | None, ...]  # the viewer's own; at the end, everybody's
    churns: int
    gifts: tuple[Wedge | None, ...]  # given or received by the viewer in this churn
    shown: tuple[Wedges | None, ...]  # hands that are shown to the viewer
    supply: MarketWedges | None
    supplies: tuple[int, ...]
    discards: int
    discard: MarketWedges | None  # while the viewer may look through it
    opened: MarketWedges | None  # the supply of the seat with which the viewer swaps
    replaced: Side | None  # the side that the replaced market wedge showed
    offered: MarketWedge | None  # what the viewer gives the discard in a swap


PUBLIC = ("sharp", "phase", "start", "knives", "tray", "market", "wheels", "curds", "churns")


@once_per_state
def public_view(state: State) -> View:
    seats = len(state.hands)
    over = isinstance(state.phase, phases.Over)
    price = prices(state.market)
    return View(
        me=None,
        turn=None if over else state.turn,
        prices=tuple(price[colour] for colour in COLOURS),
        hand=None,
        hands=tuple(len(hand) for hand in state.hands),
        pile=len(state.pile),
        out=len(state.out),
        sold=state.sold if over else (None,) * seats,
        gifts=(None,) * seats,
        shown=(None,) * seats,
        supply=None,
        supplies=tuple(len(supply) for supply in state.supplies),
        discards=len(state.discard),
        discard=None,
        opened=None,
        replaced=None if state.replaced is None else state.replaced[0],
        offered=None,
        **copied(state, PUBLIC),
    )


def view(state: State, seat: Seat | None) -> View:
    public = public_view(state)
    if seat is None:
        return public
    sold = public.sold if isinstance(state.phase, phases.Over) else put(public.sold, seat, state.sold[seat])
    own = replace(
        public,
        me=seat,
        hand=state.hands[seat],
        sold=sold,
        gifts=_gifts_seen(state, seat, public.gifts),
        supply=state.supplies[seat],
    )
    return _seen_by_turn(state, own) if seat == state.turn else own


def _gifts_seen(state: State, seat: Seat, unknown: tuple[Wedge | None, ...]) -> tuple[Wedge | None, ...]:
    """ECO-10: the giver knows its gift; the churner knows them all once all are in (ECO-8)."""
    if seat == state.turn and not isinstance(state.phase, phases.Gifts):
        return state.gifts
    return unknown if state.gifts[seat] is None else put(unknown, seat, state.gifts[seat])


def _seen_by_turn(state: State, own: View) -> View:
    """The view of the seat whose turn it is, with all that its turn lets it see."""
    phase = state.phase
    other = phase.other if isinstance(phase, phases.Exchanging) else None
    if other is not None:
        return replace(own, opened=state.supplies[other], offered=state.offered)
    if isinstance(phase, (phases.Taking, phases.Exchanging)):
        return replace(own, discard=state.discard, offered=state.offered)
    if isinstance(phase, phases.Picking):
        hands = tuple(hand if owner in phase.showing else None for owner, hand in enumerate(state.hands))
        return replace(own, shown=hands, offered=state.offered)
    return own if state.offered is None else replace(own, offered=state.offered)


def show(event: Event, seat: Seat | None) -> Event | None:
    match event:
        case (
            events.Awaited()
            | events.TurnCame()
            | events.Sold()
            | events.Flipped()
            | events.Produced()
            | events.Churned()
            | events.Protected()
        ):
            return event
        case events.GaveBack(churner, other) | events.TookShown(churner, other):
            return event if seat in (churner, other) else replace(event, wedge=None)
        case (
            events.Gave(owner)
            | events.Replaced(owner)
            | events.Took(owner)
            | events.Kept(owner)
            | events.SwapNamed(owner)
        ):
            return event if owner == seat else replace(event, wedge=None)
        case events.Collected(churner, gifts, shown):
            if churner == seat:
                return event
            own = tuple(gift if giver == seat else None for giver, gift in enumerate(gifts))
            return events.Collected(churner, own, (None,) * len(shown))
        case events.Drew(owner, wedges):
            return event if owner == seat else events.Drew(owner, _hidden(wedges))
        case events.Swapped(owner, other):
            seen = seat is not None and seat in (owner, other)
            return event if seen else replace(event, given=None, taken=None)
        case events.Dealt():
            return _show_deal(event, seat)
        case events.Declined() | events.LastSaleCame() | events.PassedOver() | events.Ended():
            return event
        case _:
            assert_never(event)


def _show_deal(event: events.Dealt, seat: Seat | None) -> events.Dealt:
    return events.Dealt(
        sharp=event.sharp,
        start=event.start,
        knives=event.knives,
        hands=tuple(hand if owner == seat else _hidden(hand) for owner, hand in enumerate(event.hands)),
        pile=_hidden(event.pile),
        out=_hidden(event.out),
        market=event.market,
        downs=_hidden(event.downs),
        supplies=tuple(own if owner == seat else _hidden(own) for owner, own in enumerate(event.supplies)),
        discard=_hidden(event.discard),
        spare=_hidden(event.spare),
    )


def _hidden(things: Sequence[object]) -> tuple[None, ...]:
    return (None,) * len(things)


def imagine(view: View, seat: Seat, chance: Chance) -> State:
    hands, rest = _imagine_hands(view, seat, chance)
    pile, out, rest = rest[: view.pile], rest[view.pile : view.pile + view.out], rest[view.pile + view.out :]
    downs, replaced, unseen = _imagine_downs(view, chance)
    supplies = tuple(
        _known_supply(view, seat, owner) or _take(unseen, size) for owner, size in enumerate(view.supplies)
    )
    discard = _take(unseen, view.discards) if view.discard is None else view.discard
    offered = view.offered
    if view.sharp and offered is None:
        offered = next(unseen, None)  # ECO-21: all places are filled, so a wedge left over is the one given in a swap
    return State(
        hands=hands,
        pile=pile,
        out=out,
        sold=_imagine_sold(view, rest, chance),
        downs=downs,
        supplies=supplies,
        discard=discard,
        spare=tuple(unseen),
        turn=seat if view.turn is None else view.turn,
        gifts=_imagine_gifts(view, hands, chance),
        replaced=replaced,
        offered=offered,
        **copied(view, PUBLIC),
    )


def _take(unseen: Iterator[str], size: int) -> tuple[str, ...]:
    return tidy(next(unseen) for _ in range(size))


def _imagine_hands(view: View, seat: Seat, chance: Chance) -> tuple[tuple[Wedges, ...], Wedges]:
    """Return hands, and the unseen wedges that are left. Hands agree with what is public: who has a match."""
    assert view.hand is not None
    hands: list[list[Wedge]] = [list(hand or ()) for hand in view.shown]
    hands[seat] = list(view.hand)
    seen = [wedge for group in (*hands, *view.wheels, *view.sold) for wedge in group or ()]
    rest = list(chance.shuffled(without(CHEESE, seen)))
    if isinstance(view.phase, (phases.Gifts, phases.Picking)):
        trait, showing = view.phase.trait, view.phase.showing
        for owner, hand in enumerate(hands):
            matching = isinstance(view.phase, phases.Gifts) and owner != view.turn and owner not in showing
            if matching and not hand:
                hand.append(_draw(rest, [wedge for wedge in rest if has(wedge, trait)], 1)[0])
        for owner in showing:
            missing = view.hands[owner] - len(hands[owner])
            hands[owner] += _draw(rest, [wedge for wedge in rest if not has(wedge, trait)], missing)
    for owner, hand in enumerate(hands):
        hand += _draw(rest, rest, view.hands[owner] - len(hand))
    return tuple(tidy(hand) for hand in hands), tuple(rest)


def _draw(rest: list[Wedge], among: list[Wedge], size: int) -> list[Wedge]:
    drawn = among[:size]
    for wedge in drawn:
        rest.remove(wedge)
    return drawn


def _imagine_gifts(view: View, hands: tuple[Wedges, ...], chance: Chance) -> tuple[Wedge | None, ...]:
    """Return gifts that are chosen but not handed over yet. Unknown gifts of later phases do not matter any more."""
    phase = view.phase
    if not isinstance(phase, phases.Gifts):
        return view.gifts
    undecided = (*phase.choosing, *phase.showing, view.turn, view.me)
    return tuple(
        view.gifts[giver] if giver in undecided else chance.pick([wedge for wedge in hand if has(wedge, phase.trait)])
        for giver, hand in enumerate(hands)
    )


def _imagine_sold(view: View, rest: Wedges, chance: Chance) -> tuple[Wedges, ...]:
    """ECO-14: spread what the others sold at random, in proportion to the curds that they have."""
    piles = [list(pile or ()) for pile in view.sold]
    weights = [curds if pile is None else 0 for curds, pile in zip(view.curds, view.sold, strict=True)]
    for wedge in rest:
        piles[chance.weighted(weights)].append(wedge)
    return tuple(tidy(pile) for pile in piles)


def _known_supply(view: View, seat: Seat, owner: Seat) -> MarketWedges | None:
    if owner == seat:
        return view.supply
    if view.opened is not None and isinstance(view.phase, phases.Exchanging) and owner == view.phase.other:
        return view.opened
    return None


def _imagine_downs(
    view: View, chance: Chance
) -> tuple[tuple[Side, ...], tuple[Side, Side] | None, Iterator[MarketWedge]]:
    """Return the down sides of the market, the replaced wedge, and the other wedges that the viewer does not see."""
    known = (view.supply or ()) + (view.discard or ()) + (view.opened or ())
    if view.offered is not None:
        known += (view.offered,)
    faces = view.market if view.replaced is None else (*view.market, view.replaced)
    wedges = chance.shuffled(without(MARKET, known))
    laid = _lay(faces, wedges)
    downs = tuple(other_side(wedges[laid[place]], face) for place, face in enumerate(faces))
    used = set(laid.values())
    unseen = iter([wedge for index, wedge in enumerate(wedges) if index not in used])
    if view.replaced is None:
        return downs, None, unseen
    return downs[:-1], (view.replaced, downs[-1]), unseen


def _lay(faces: tuple[Side, ...], wedges: MarketWedges) -> dict[int, int]:
    """Return for each place a wedge of its own (its index) that can show the face there.

    This is a matching by augmenting paths.
    """
    lies_at: dict[int, int] = {}

    def lay(place: int, tried: set[int]) -> bool:
        for index, wedge in enumerate(wedges):
            if index not in tried and faces[place] in SIDES[wedge]:
                tried.add(index)
                if index not in lies_at or lay(lies_at[index], tried):
                    lies_at[index] = place
                    return True
        return False

    for place in range(len(faces)):
        assert lay(place, set()), "the market is made of these wedges"
    return {place: index for index, place in lies_at.items()}
