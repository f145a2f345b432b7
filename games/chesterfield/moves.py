"""What seats of Chesterfield may do, and what then happened."""

from __future__ import annotations

from games.chesterfield.table import Cheese, Cheeses
from games.core import Outcome, Seat, Value
from games.kit import Bid, BidMade, Drop, Dropped, TurnCame


class CashIn(Value, frozen=True):
    """Discard these cards for their trade value."""

    cards: Cheeses


class Present(Value, frozen=True):
    """Put a card of the block up for auction at a starting price."""

    card: Cheese
    price: int


class PlayAction(Value, frozen=True):
    """Play a card from your hand for its action."""

    card: Cheese


class BidSecretly(Value, frozen=True):
    """Make your one secret bid."""

    amount: int


class Default(Value, frozen=True):
    """Admit that you cannot or will not pay."""


class LayDown(Value, frozen=True):
    """Lay down a set of this many real cards, and a Cheddar to stand in if `cheddar`."""

    cheese: Cheese
    cards: int
    cheddar: bool


class Melt(Value, frozen=True):
    """Lay a Gruyere across your own set at this place."""

    onto: int


class Merge(Value, frozen=True):
    """Merge this many cards into your own set of that cheese at this place."""

    onto: int
    cards: int


class StandIn(Value, frozen=True):
    """Merge a Cheddar as stand-in into your own set at this place."""

    onto: int


class Finish(Value, frozen=True):
    """Say that you are done."""


class Keep(Value, frozen=True):
    """Discard these cards and pay for every other card above the fourth."""

    discard: Cheeses


Move = (
    CashIn
    | Bid
    | Drop
    | Present
    | PlayAction
    | BidSecretly
    | Default
    | LayDown
    | Melt
    | Merge
    | StandIn
    | Finish
    | Keep
)


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
    """A seat paid this much, became Auctioneer and looked at the block; others see None for each card."""

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
    """A Pecorino fixed the end: after this turn come these."""

    turns: tuple[Seat, ...]


class SilenceFell(Value, frozen=True):
    """An Emmental made the rest of the auction silent."""


class SecretBidMade(Value, frozen=True):
    """A seat made its secret bid; others see None."""

    seat: Seat
    amount: int | None


class SecretsRevealed(Value, frozen=True):
    """The secret bids were shown. `bids` is then each seat's highest bid that counts, `bidder` who wins."""

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
    """The winner took the card, seats paid, the winner scored these Bleus, other actions were discarded."""

    seat: Seat
    card: Cheese
    payments: tuple[int, ...]
    bleus: int


class Defaulted(Value, frozen=True):
    """The winner did not pay: the card was discarded, all else is as when sold. `by_itself` with an empty hand."""

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
    """A seat is done; `by_itself` when it had nothing to lay that anybody could think of."""

    seat: Seat
    by_itself: bool = False


class ChoiceCame(Value, frozen=True):
    """The Auctioneer is to choose the next card."""


class UpkeepBegan(Value, frozen=True):
    """The block is over and upkeep is due."""


class UpkeepChosen(Value, frozen=True):
    """A seat chose what to discard; others see None."""

    seat: Seat
    discard: Cheeses | None


class UpkeepRevealed(Value, frozen=True):
    """Seats discarded these cards and paid, or gained where the number is above 0, these dollars."""

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
