"""The events of Cheesonomics."""

from __future__ import annotations

from games.cheesonomics.phases import Phase, Score
from games.cheesonomics.pieces import MarketWedge, Side, Trait, Wedge, Wedges
from games.core import Outcome, Seat, Value


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
    """A seat named a colour or animal. Opponents are `matching`, or `showing` their hands."""

    seat: Seat
    trait: Trait
    matching: tuple[Seat, ...]
    showing: tuple[Seat, ...]


class Gave(Value, frozen=True):
    """A seat has chosen its gift."""

    seat: Seat
    wedge: Wedge | None


class Collected(Value, frozen=True):
    """All gifts went to the churner, which now sees the hands without a match. Both by seat."""

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
    """Wedges went from the wheels to the fulfilment pile, for this many curds."""

    seat: Seat
    trait: Trait
    wedges: Wedges
    curds: int


class Replaced(Value, frozen=True):
    """A seat replaced a market wedge by one of its own."""

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
    """A seat named a swap. If `other` is None, it swaps with the discard and gives this wedge.

    In games from before ECO-25 changed, `wedge` is also what the seat gives another seat.
    """

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
    """This seat has nothing to sell and was passed over."""

    seat: Seat


class Ended(Value, frozen=True):
    """The game is over. Unsold wedges and hands have left it."""

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
