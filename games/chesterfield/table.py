"""The state of Chesterfield, the seats that it waits for, and the scores."""

from __future__ import annotations

from typing import assert_never

import msgspec

from games.chesterfield import phases
from games.chesterfield.deck import BLEU_POINTS, GRUYERE_POINTS, HAND, POINTS, Cheese, Cheeses
from games.core import Seat, Value


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Chesterfield has no options."""


class Set(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A set that was laid: its real cards, perhaps a Cheddar that stands in, and perhaps a Gruyere across it."""

    cheese: Cheese
    cards: int
    cheddar: bool = False
    gruyere: bool = False


class State(Value, frozen=True):
    """The whole table. `charity` is what the charity took, less what it gave."""

    first: Seat
    reserved: Cheeses
    hands: tuple[Cheeses, ...]
    block: Cheeses
    deck: Cheeses
    banks: tuple[int, ...]
    sets: tuple[tuple[Set, ...], ...]
    bleus: tuple[int, ...]
    phase: phases.Phase
    auctioneer: Seat | None = None
    discard: Cheeses = ()
    charity: int = 0


def to_act(state: State) -> tuple[Seat, ...]:
    phase = state.phase
    match phase:
        case phases.CheeseAuction() | phases.AuctioneerAuction():
            return (phase.auction.turn,)
        case phases.Choosing():
            assert state.auctioneer is not None
            return (state.auctioneer,)
        case phases.LayingDown(done) | phases.Merging(done):
            return tuple([seat for seat, is_done in enumerate(done) if not is_done])
        case phases.SilentAuction(auction=auction, secrets=secrets):
            return tuple(s for s, secret in enumerate(secrets) if secret is None and not auction.dropped[s])
        case phases.Paying(auction=auction):
            assert auction.bidder is not None
            return (auction.bidder,)
        case phases.Upkeep(choices):
            return tuple(s for s, choice in enumerate(choices) if choice is None and len(state.hands[s]) > HAND)
        case phases.Over():
            return ()
        case _:
            assert_never(phase)


def set_points(one: Set) -> int:
    """CCA-26, with CCA-31 and CCA-32."""
    return POINTS[one.cheese] * (one.cards + one.cheddar - 1) + GRUYERE_POINTS * one.gruyere


def scores(state: State) -> tuple[int, ...]:
    return tuple(
        sum(set_points(one) for one in sets) + BLEU_POINTS * state.bleus[seat] for seat, sets in enumerate(state.sets)
    )
