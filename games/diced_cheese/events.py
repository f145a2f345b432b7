"""The events of Diced Cheese."""

from __future__ import annotations

from games.core import Outcome, Seat, Value
from games.diced_cheese.dice import Throws, Where
from games.diced_cheese.table import Variant


class Opened(Value, frozen=True):
    """A game began, for this many seats and with these options."""

    seats: int
    variant: Variant
    mishaps: bool


class RolledToStart(Value, frozen=True):
    """Seats rolled a die each for the start. The number of a die is the number of its seat."""

    throws: Throws


class RoundBegan(Value, frozen=True):
    """All dice were reset and a round began with this seat; in a variant, with all seats at once."""

    round: int
    seat: Seat | None


class Rolled(Value, frozen=True):
    """A seat rolled all its available dice."""

    seat: Seat
    throws: Throws


class Fetched(Value, frozen=True):
    """A seat rolled the fallen dice again."""

    seat: Seat
    throws: Throws


class Stacked(Value, frozen=True):
    """One die ended on top of another and the round is void."""

    seat: Seat
    top: int
    under: int


class Fell(Value, frozen=True):
    """These dice fell off the table and the seat must fetch."""

    seat: Seat
    dice: tuple[int, ...]


class CameLate(Value, frozen=True):
    """The dice were not fetched in time: the roll does not count and the turn is lost."""

    seat: Seat


class Read(Value, frozen=True):
    """A roll was read: where each die went, and the rule that applied."""

    seat: Seat
    wheres: tuple[Where, ...]
    rule: str


class TurnPassed(Value, frozen=True):
    """The dice went on to this seat. The die `pointer` points at it; if None, it is the next seat."""

    seat: Seat
    pointer: int | None


class RoundWon(Value, frozen=True):
    """A seat won the round, by a wheel (DIC-6) or by towers (DIC-7)."""

    seat: Seat
    rule: str


class StartedOver(Value, frozen=True):
    """In Speed Cheese a seat starts its wheel over with eight dice."""

    seat: Seat


class Finished(Value, frozen=True):
    """In Towers of Eight a seat has eight towers, after this many rolls."""

    seat: Seat
    rolls: int


class Stopped(Value, frozen=True):
    """In Towers of Eight a seat can no longer tie, and stops by itself."""

    seat: Seat


class Ended(Value, frozen=True):
    """The game is over."""

    result: Outcome


Event = (
    Opened
    | RolledToStart
    | RoundBegan
    | Rolled
    | Fetched
    | Stacked
    | Fell
    | CameLate
    | Read
    | TurnPassed
    | RoundWon
    | StartedOver
    | Finished
    | Stopped
    | Ended
)
