"""The values: phases, the state, moves, events, the view."""

from __future__ import annotations

from typing import Literal

import msgspec

from games.cheesonomics.pieces import MarketWedge, MarketWedges, Side, Trait, Wedge, Wedges
from games.core import Outcome, Seat, Value


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Mild, or sharp with market wedges of one's own."""

    variant: Literal["mild", "sharp"] = "mild"


class Score(Value, frozen=True):
    """How a seat's curds came about; `most` is what it sold of each animal and got curds for, in order of ANIMALS."""

    sales: int
    unsold: int
    sold: tuple[int, ...]
    most: tuple[int, ...]
    colours: int
    total: int


class Turn(Value, frozen=True):
    """The seat whose turn it is may churn, produce or sell."""


class Gifts(Value, frozen=True):
    """Opponents with a match choose a gift; `showing` have none."""

    trait: Trait
    choosing: tuple[Seat, ...]
    showing: tuple[Seat, ...]


class Picking(Value, frozen=True):
    """The churner takes a wedge from each hand that it is shown."""

    trait: Trait
    showing: tuple[Seat, ...]


class GivingBack(Value, frozen=True):
    """The churner owes these seats a wedge."""

    trait: Trait
    owed: tuple[Seat, ...]


class Replacing(Value, frozen=True):
    """The seller replaces a market wedge of a colour that it sold; a swap may follow later."""

    colours: tuple[str, ...]
    swap: bool


class Flipping(Value, frozen=True):
    """The seller flips a market wedge of a colour that it sold."""

    colours: tuple[str, ...]
    swap: bool


class Taking(Value, frozen=True):
    """The seller takes a market wedge from the discard."""

    swap: bool


class Swapping(Value, frozen=True):
    """The seller may swap a market wedge."""


class Exchanging(Value, frozen=True):
    """The seller has named a swap, with the discard if `other` is None, and takes a market wedge."""

    other: Seat | None


class LastSale(Value, frozen=True):
    """The seat may make a last sale."""


class Over(Value, frozen=True):
    """The game is over."""

    result: Outcome
    scores: tuple[Score, ...]


# What a phase holds is public.
Phase = Turn | Gifts | Picking | GivingBack | Replacing | Flipping | Taking | Swapping | Exchanging | LastSale | Over


class State(Value, frozen=True):
    """The whole table. Market places 0 to 14 are three wheels of five.

    `gifts` notes what each seat gave in this churn: until all gifts are in, it is still in that seat's hand.
    """

    sharp: bool
    start: Seat
    knives: tuple[str, ...]
    tray: tuple[Trait | None, ...]  # the space on which each seat's knife lies
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
    phase: Phase
    gifts: tuple[Wedge | None, ...]
    churns: int = 0  # ECO-7: turns in a row that were churns
    replaced: tuple[Side, Side] | None = None  # the replaced market wedge, up side first, until the seller has taken
    offered: MarketWedge | None = None  # what the seller gives in a swap, until it has taken


class Churn(Value, frozen=True):
    """Ask every opponent for a wedge of this colour or animal."""

    trait: Trait


class Give(Value, frozen=True):
    """Give the churner this wedge."""

    wedge: Wedge


class TakeShown(Value, frozen=True):
    """Take this wedge from the hand that the seat shows."""

    seat: Seat
    wedge: Wedge


class GiveBack(Value, frozen=True):
    """Give this wedge to a seat that gave one."""

    seat: Seat
    wedge: Wedge


class Produce(Value, frozen=True):
    """Lay all wedges of this colour or animal into the own wheels."""

    trait: Trait


class Sell(Value, frozen=True):
    """Sell these wedges, all of this colour or animal, from the own wheels."""

    trait: Trait
    wedges: Wedges


class Replace(Value, frozen=True):
    """Put the own market wedge at this place of the market, with this side up."""

    place: int
    wedge: MarketWedge
    up: Side


class Flip(Value, frozen=True):
    """Turn over the market wedge at this place."""

    place: int


class Take(Value, frozen=True):
    """Take this market wedge from the discard, or from the supply of the seat that was named."""

    wedge: MarketWedge


class SwapDiscard(Value, frozen=True):
    """Put this market wedge on the discard, to take another."""

    wedge: MarketWedge


class SwapSeat(Value, frozen=True):
    """Give this market wedge to the seat, to take another of its supply."""

    seat: Seat
    wedge: MarketWedge


class Decline(Value, frozen=True):
    """Make no swap, or no last sale."""


Move = Churn | Give | TakeShown | GiveBack | Produce | Sell | Replace | Flip | Take | SwapDiscard | SwapSeat | Decline


class Dealt(Value, frozen=True):
    """The set-up. What the viewer may not see is None."""

    sharp: bool
    start: Seat
    knives: tuple[str, ...]
    hands: tuple[tuple[Wedge | None, ...], ...]
    pile: tuple[Wedge | None, ...]
    out: tuple[Wedge | None, ...]
    market: tuple[Side, ...]
    downs: tuple[Side | None, ...]
    supplies: tuple[tuple[MarketWedge | None, ...], ...]
    discard: tuple[MarketWedge | None, ...]
    spare: tuple[MarketWedge | None, ...]


class TurnCame(Value, frozen=True):
    """It is this seat's turn, and its knife is off the tray."""

    seat: Seat


class Awaited(Value, frozen=True):
    """The turn goes on with this phase."""

    phase: Phase


class Churned(Value, frozen=True):
    """A seat named a colour or animal: these opponents have a match, those show their hands."""

    seat: Seat
    trait: Trait
    matching: tuple[Seat, ...]
    showing: tuple[Seat, ...]


class Gave(Value, frozen=True):
    """A seat has chosen its gift."""

    seat: Seat
    wedge: Wedge | None


class Collected(Value, frozen=True):
    """All gifts went to the churner, and the hands without a match lie open before it; by seat."""

    seat: Seat
    gifts: tuple[Wedge | None, ...]
    shown: tuple[Wedges | None, ...]


class TookShown(Value, frozen=True):
    """The churner took a wedge from a hand that it was shown."""

    seat: Seat
    giver: Seat
    wedge: Wedge | None


class GaveBack(Value, frozen=True):
    """The churner gave a wedge to this opponent."""

    seat: Seat
    receiver: Seat
    wedge: Wedge | None


class Protected(Value, frozen=True):
    """The churner's knife lies on this space."""

    seat: Seat
    trait: Trait


class Produced(Value, frozen=True):
    """Wedges went from a hand to the wheels before it."""

    seat: Seat
    trait: Trait
    wedges: Wedges


class Drew(Value, frozen=True):
    """Wedges went from the pile to a hand."""

    seat: Seat
    wedges: tuple[Wedge | None, ...]


class Sold(Value, frozen=True):
    """Wedges went from the wheels to the fulfilment pile, for so many curds."""

    seat: Seat
    trait: Trait
    wedges: Wedges
    curds: int


class Replaced(Value, frozen=True):
    """A market wedge made way for one of the seat's own."""

    seat: Seat
    place: int
    wedge: MarketWedge | None
    up: Side


class Flipped(Value, frozen=True):
    """A market wedge was turned over and shows this side now."""

    seat: Seat
    place: int
    up: Side


class Took(Value, frozen=True):
    """A seat took a market wedge from the discard, and the replaced one went there."""

    seat: Seat
    wedge: MarketWedge | None


class Kept(Value, frozen=True):
    """The discard was empty and the seat kept the market wedge that it had replaced."""

    seat: Seat
    wedge: MarketWedge | None


class SwapNamed(Value, frozen=True):
    """A seat named a swap, with the discard if `other` is None, and what it gives."""

    seat: Seat
    other: Seat | None
    wedge: MarketWedge | None


class Swapped(Value, frozen=True):
    """A swap was made."""

    seat: Seat
    other: Seat | None
    given: MarketWedge | None
    taken: MarketWedge | None


class Declined(Value, frozen=True):
    """A seat made no swap, or no last sale."""

    seat: Seat


class LastSaleCame(Value, frozen=True):
    """The pile is empty and this seat may make a last sale."""

    seat: Seat


class PassedOver(Value, frozen=True):
    """This seat has nothing that it could sell last."""

    seat: Seat


class Ended(Value, frozen=True):
    """The game is over; unsold wedges and hands left it."""

    result: Outcome
    scores: tuple[Score, ...]


ChurnEvent = Churned | Gave | Collected | TookShown | GaveBack | Protected
MarketEvent = Replaced | Flipped | Took | Kept | SwapNamed | Swapped
Event = (
    Dealt
    | TurnCame
    | Awaited
    | ChurnEvent
    | Produced
    | Drew
    | Sold
    | MarketEvent
    | Declined
    | LastSaleCame
    | PassedOver
    | Ended
)


class View(Value, frozen=True):
    """What a seat may know; `me`, `hand` and `supply` are None for a spectator.

    Tuples by seat: knives, tray, hands (sizes), wheels, sold, curds, supplies (sizes), gifts, shown. `prices` are in
    order of COLOURS. None stands for what is not there and for what may not be seen.
    """

    me: Seat | None
    sharp: bool
    turn: Seat | None
    phase: Phase
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
    sold: tuple[Wedges | None, ...]  # one's own; all of them when the game is over
    churns: int
    gifts: tuple[Wedge | None, ...]  # given or received by the viewer in this churn
    shown: tuple[Wedges | None, ...]  # hands that lie open before the viewer
    supply: MarketWedges | None
    supplies: tuple[int, ...]
    discards: int
    discard: MarketWedges | None  # while the viewer may look through it
    opened: MarketWedges | None  # the supply from which the viewer takes
    replaced: Side | None  # the side that the replaced market wedge showed
    offered: MarketWedge | None  # what the viewer gives in a swap
