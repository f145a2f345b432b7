"""The options and the state of Cheesonomics."""

from __future__ import annotations

from typing import Literal

import msgspec

from games.cheesonomics import phases
from games.cheesonomics.pieces import MarketWedge, MarketWedges, Side, Trait, Wedge, Wedges
from games.core import Seat, Value


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Mild, or sharp: seats then have market wedges of their own."""

    variant: Literal["mild", "sharp"] = "mild"


class State(Value, frozen=True):
    """The whole table. Market places 0 to 14 are three wheels of five.

    `gifts` has what each seat gave in this churn. Until all gifts are in, a gift is still in its giver's hand.
    """

    sharp: bool
    start: Seat
    knives: tuple[str, ...]
    tray: tuple[Trait | None, ...]  # the space of each seat's knife
    hands: tuple[Wedges, ...]
    pile: Wedges  # the first is drawn first
    out: Wedges
    wheels: tuple[Wedges, ...]
    sold: tuple[Wedges, ...]  # the fulfilment piles
    curds: tuple[int, ...]
    market: tuple[Side, ...]
    downs: tuple[Side, ...]
    supplies: tuple[MarketWedges, ...]
    discard: MarketWedges
    spare: MarketWedges  # market wedges out of the game
    turn: Seat
    phase: phases.Phase
    gifts: tuple[Wedge | None, ...]
    churns: int = 0  # ECO-7: turns in a row that were churns
    replaced: tuple[Side, Side] | None = None  # the replaced market wedge, up side first, until the seller has taken
    offered: MarketWedge | None = None  # what the seller gives the discard in a swap, until it has taken
