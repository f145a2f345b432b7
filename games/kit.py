"""What several games share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace as replace

from games.core import Offer, Range, S, Seat, Value, offer
from games.story import Story as Story

T = TypeVar("T")


class Auction(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An open auction: seats in turn bid more or drop, and who drops is out.

    `bids` is each seat's own last bid, `bid` and `bidder` the standing one. `last` is None until something
    fixes the end; then it lists the turns still to come after this one.
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
    """A seat bid; `by_itself` when it had no other move and was not asked."""

    seat: Seat
    amount: int
    by_itself: bool = False


class Dropped(Value, frozen=True):
    """A seat dropped out; `by_itself` when it could not have bid and was not asked."""

    seat: Seat
    by_itself: bool = False


class TurnCame(Value, frozen=True):
    """It is this seat's turn to bid."""

    seat: Seat


def put(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """The items with another one at this place."""
    changed = list(items)
    changed[index] = item
    return tuple(changed)


def without(items: Iterable[T], gone: Iterable[T]) -> tuple[T, ...]:
    """The items less these, one for one; of like ones the first leaves first."""
    left = list(items)
    for item in gone:
        left.remove(item)
    return tuple(left)


def cut(cards: Sequence[T], sizes: Iterable[int]) -> tuple[tuple[T, ...], ...]:
    """The cards in packets of these sizes, from the top; what is left over is the last packet."""
    packets = []
    start = 0
    for size in sizes:
        packets.append(tuple(cards[start : start + size]))
        start += size
    return (*packets, tuple(cards[start:]))


@cache
def ring(first: Seat, seats: int) -> tuple[Seat, ...]:
    """All seats in order round the table, from this one to the left."""
    return (*range(first, seats), *range(first))


def places_by(marks: Sequence[Any]) -> tuple[int, ...]:
    """The place of each seat by its mark, the highest first; like marks share a place."""
    return tuple(1 + sum(other > mark for other in marks) for mark in marks)


def open_auction(first: Seat, seats: int) -> Auction:
    """An auction in which everybody is in and nobody has bid."""
    return Auction(first, (None,) * seats, (False,) * seats)


def step(auction: Auction, event: BidMade | Dropped | TurnCame) -> Auction:
    """The auction after this event."""
    if isinstance(event, TurnCame):
        last = auction.last
        return replace(auction, turn=event.seat, last=None if last is None else last[last.index(event.seat) + 1 :])
    if isinstance(event, Dropped):
        return replace(auction, dropped=put(auction.dropped, event.seat, True))
    bids = put(auction.bids, event.seat, event.amount)
    return replace(auction, bids=bids, bid=event.amount, bidder=event.seat)


def turn_offers(least: int, most: int, may_drop: bool = True) -> tuple[Offer, ...]:
    """What ends a turn: a bid within these limits, if there is one, or dropping."""
    bid = (offer(Bid, amount=Range(least, most)),) if least <= most else ()
    return (*bid, offer(Drop)) if may_drop else bid


def go_round(story: Story[S, Any], auction: Callable[[S], Auction], stuck: Callable[[S, Seat], bool]) -> bool:
    """Pass the turn on after a bid or a drop; a seat that is stuck drops by itself.

    False when nobody has the turn because the auction is over.
    """
    while (seat := _next_turn(auction(story.state))) is not None:
        story.add(TurnCame(seat))
        if not stuck(story.state, seat):
            return True
        story.add(Dropped(seat, by_itself=True))
    return False


def _next_turn(auction: Auction) -> Seat | None:
    """Who bids next; None when one seat is left and has bid, when none is left, or when the last turn was taken."""
    left = auction.dropped.count(False)
    if left == 0 or (left == 1 and auction.bidder is not None):
        return None
    seats = len(auction.dropped)
    turns = ring((auction.turn + 1) % seats, seats) if auction.last is None else auction.last
    for seat in turns:
        if not auction.dropped[seat]:
            return seat
    return None
