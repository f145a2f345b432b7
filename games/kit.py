"""Parts that several games use: tuples, places, and the open auction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace as replace

from games.core import S, Seat, Value
from games.offers import Offer, Range, offer
from games.story import Story as Story

T = TypeVar("T")


class Auction(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An open auction. Seats take turns to bid more or to drop out.

    `bids` has the last bid of each seat; `bid` and `bidder` are the standing bid. `last` is None until the last turns
    are fixed; then it has the turns that follow the present one.
    """

    turn: Seat
    bids: tuple[int | None, ...]
    dropped: tuple[bool, ...]
    bid: int | None = None
    bidder: Seat | None = None
    last: tuple[Seat, ...] | None = None


class Bid(Value, frozen=True):
    """Bid this many dollars."""

    amount: int


class Drop(Value, frozen=True):
    """Drop out of this auction."""


class BidMade(Value, frozen=True):
    """A seat bid. `by_itself`: it had no other move and was not asked."""

    seat: Seat
    amount: int
    by_itself: bool = False


class Dropped(Value, frozen=True):
    """A seat dropped out. `by_itself`: it could not bid and was not asked."""

    seat: Seat
    by_itself: bool = False


class TurnCame(Value, frozen=True):
    """It is this seat's turn to bid."""

    seat: Seat


def once_per_state(function: Callable[[S], T]) -> Callable[[S], T]:
    """Wrap the function so that it returns its last result again if it is called with the same state.

    A game builds the views of all seats from one state, one after the other. What they have in common is then computed
    once and is the same object in all of them, which also makes them fast to compare.
    """
    last: tuple[Any, Any] = (None, None)

    def kept(state: S) -> T:
        nonlocal last
        found = last
        if found[0] is not state:
            found = last = (state, function(state))
        result: T = found[1]
        return result

    return kept


def copied(source: Value, names: Iterable[str]) -> dict[str, Any]:
    """Return these fields of a value as keyword arguments for another: the public fields of a state or a view."""
    return {name: getattr(source, name) for name in names}


def put(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """Return the items with the one at this index replaced."""
    changed = list(items)
    changed[index] = item
    return tuple(changed)


def without(items: Iterable[T], gone: Iterable[T]) -> tuple[T, ...]:
    """Return the items without these. Each of these removes one item: the first that is equal to it."""
    left = list(items)
    for item in gone:
        left.remove(item)
    return tuple(left)


def cut(cards: Sequence[T], sizes: Iterable[int]) -> tuple[tuple[T, ...], ...]:
    """Cut the cards into packets of these sizes, from the top. The last packet has the cards that are left."""
    packets = []
    start = 0
    for size in sizes:
        packets.append(tuple(cards[start : start + size]))
        start += size
    return (*packets, tuple(cards[start:]))


@cache
def ring(first: Seat, seats: int) -> tuple[Seat, ...]:
    """Return all seats in turn order, starting with this one."""
    return (*range(first, seats), *range(first))


def places_by(marks: Sequence[Any]) -> tuple[int, ...]:
    """Return the place of each seat. The highest mark is first; equal marks share a place."""
    return tuple(1 + sum(other > mark for other in marks) for mark in marks)


def open_auction(first: Seat, seats: int) -> Auction:
    """Return an auction in which nobody has bid or dropped out."""
    return Auction(first, (None,) * seats, (False,) * seats)


def step(auction: Auction, event: BidMade | Dropped | TurnCame) -> Auction:
    """Return the auction after this event."""
    if isinstance(event, TurnCame):
        last = auction.last
        return replace(auction, turn=event.seat, last=None if last is None else last[last.index(event.seat) + 1 :])
    if isinstance(event, Dropped):
        return replace(auction, dropped=put(auction.dropped, event.seat, True))
    bids = put(auction.bids, event.seat, event.amount)
    return replace(auction, bids=bids, bid=event.amount, bidder=event.seat)


def turn_offers(least: int, most: int, may_drop: bool = True) -> tuple[Offer, ...]:
    """Return the offers that end a turn: a bid from `least` to `most`, if there is one, and to drop out."""
    bid = (offer(Bid, amount=Range(least, most)),) if least <= most else ()
    return (*bid, offer(Drop)) if may_drop else bid


def go_round(story: Story[S, Any], auction: Callable[[S], Auction], stuck: Callable[[S, Seat], bool]) -> bool:
    """Pass the turn on after a bid or a drop. Seats that are stuck drop out by themselves.

    Return False if the auction is over.
    """
    while (seat := _next_turn(auction(story.state))) is not None:
        story.add(TurnCame(seat))
        if not stuck(story.state, seat):
            return True
        story.add(Dropped(seat, by_itself=True))
    return False


def _next_turn(auction: Auction) -> Seat | None:
    """Return the seat that bids next. None: nobody is left, the only one left has bid, or the last turn is over."""
    left = auction.dropped.count(False)
    if left == 0 or (left == 1 and auction.bidder is not None):
        return None
    seats = len(auction.dropped)
    turns = ring((auction.turn + 1) % seats, seats) if auction.last is None else auction.last
    for seat in turns:
        if not auction.dropped[seat]:
            return seat
    return None
