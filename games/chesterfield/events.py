"""The events of Chesterfield."""

from __future__ import annotations

from games.chesterfield.deck import Cheese, Cheeses
from games.core import Outcome, Seat, Value
from games.kit import BidMade, Dropped, TurnCame


class Dealt(Value, frozen=True):
    """The deal. A card that the viewer may not see is None."""

    first: Seat
    reserved: tuple[Cheese | None, ...]
    hands: tuple[tuple[Cheese | None, ...], ...]
    block: tuple[Cheese | None, ...]
    deck: tuple[Cheese | None, ...]


class CashedIn(Value, frozen=True):
    """A seat discarded cards for dollars."""

    seat: Seat
    cards: Cheeses
    dollars: int


class AuctioneerFound(Value, frozen=True):
    """A seat paid this much and became Auctioneer. It sees the block; others see None for each card."""

    seat: Seat
    paid: int
    block: tuple[Cheese | None, ...]


class Presented(Value, frozen=True):
    """The Auctioneer put a card up at a starting price."""

    seat: Seat
    card: Cheese
    price: int


class ActionPlayed(Value, frozen=True):
    """A seat played a card for its action."""

    seat: Seat
    card: Cheese


class LastRoundCalled(Value, frozen=True):
    """A Pecorino fixed the end of the auction: these turns follow the present one."""

    turns: tuple[Seat, ...]


class SilenceFell(Value, frozen=True):
    """An Emmental made the rest of the auction silent."""


class SecretBidMade(Value, frozen=True):
    """A seat made its secret bid; others see None."""

    seat: Seat
    amount: int | None


class SecretsRevealed(Value, frozen=True):
    """The secret bids were revealed. `bids` has, for each seat whose bid counts, its highest bid; `bidder` wins."""

    secrets: tuple[int | None, ...]
    bids: tuple[int | None, ...]
    bidder: Seat | None


class Unsold(Value, frozen=True):
    """Nobody bid: the card and the actions were discarded."""

    card: Cheese


class CameShort(Value, frozen=True):
    """The winner owes more than its bank holds."""

    seat: Seat
    owed: int


class Sold(Value, frozen=True):
    """The winner took the card and these Bleus, seats paid, and the other actions were discarded."""

    seat: Seat
    card: Cheese
    payments: tuple[int, ...]
    bleus: int


class Defaulted(Value, frozen=True):
    """The winner did not pay, and the card was discarded. `by_itself`: its hand was empty. The rest is as in Sold."""

    seat: Seat
    card: Cheese
    payments: tuple[int, ...]
    bleus: int
    by_itself: bool


class Laid(Value, frozen=True):
    """A seat laid down a set."""

    seat: Seat
    cheese: Cheese
    cards: int
    cheddar: bool


class Melted(Value, frozen=True):
    """A seat laid a Gruyere across its set at this place."""

    seat: Seat
    onto: int


class Merged(Value, frozen=True):
    """A seat merged cards into its set at this place."""

    seat: Seat
    onto: int
    cards: int


class StoodIn(Value, frozen=True):
    """A seat merged a Cheddar as stand-in into its set at this place."""

    seat: Seat
    onto: int


class Finished(Value, frozen=True):
    """A seat is done. `by_itself`: everybody could see that it had nothing to lay, and it was not asked."""

    seat: Seat
    by_itself: bool = False


class ChoiceCame(Value, frozen=True):
    """The Auctioneer chooses the next card."""


class UpkeepBegan(Value, frozen=True):
    """The block is over, and upkeep begins."""


class UpkeepChosen(Value, frozen=True):
    """A seat chose what to discard; others see None."""

    seat: Seat
    discard: Cheeses | None


class UpkeepRevealed(Value, frozen=True):
    """Seats discarded these cards, and gained these dollars; a number below 0 was paid."""

    discards: tuple[Cheeses, ...]
    dollars: tuple[int, ...]


class BlockDealt(Value, frozen=True):
    """The first-player card moved and a block was dealt; nobody sees it yet."""

    first: Seat
    cards: tuple[Cheese | None, ...]


class MergingBegan(Value, frozen=True):
    """The last block is over and seats may merge."""


class Ended(Value, frozen=True):
    """The game is over and the Reserved Cheese is shown."""

    result: Outcome
    reserved: Cheeses


Event = (
    Dealt
    | CashedIn
    | BidMade
    | Dropped
    | TurnCame
    | AuctioneerFound
    | Presented
    | ActionPlayed
    | LastRoundCalled
    | SilenceFell
    | SecretBidMade
    | SecretsRevealed
    | Unsold
    | CameShort
    | Sold
    | Defaulted
    | Laid
    | Melted
    | Merged
    | StoodIn
    | Finished
    | ChoiceCame
    | UpkeepBegan
    | UpkeepChosen
    | UpkeepRevealed
    | BlockDealt
    | MergingBegan
    | Ended
)
