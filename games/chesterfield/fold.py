"""How the table of Chesterfield changes with each event."""

from __future__ import annotations

from typing import assert_never

from games.chesterfield.moves import (
    ActionPlayed,
    AuctioneerFound,
    BlockDealt,
    CameShort,
    CashedIn,
    ChoiceCame,
    Dealt,
    Defaulted,
    Ended,
    Event,
    Finished,
    Laid,
    LastRoundCalled,
    Melted,
    Merged,
    MergingBegan,
    Presented,
    SecretBidMade,
    SecretsRevealed,
    SilenceFell,
    Sold,
    StoodIn,
    Unsold,
    UpkeepBegan,
    UpkeepChosen,
    UpkeepRevealed,
)
from games.chesterfield.table import (
    BANK,
    AuctioneerAuction,
    Bidding,
    CheeseAuction,
    Cheeses,
    Choosing,
    Laying,
    LayingDown,
    Merging,
    Over,
    Paying,
    Selling,
    Set,
    SilentAuction,
    State,
    Upkeep,
)
from games.core import Seat
from games.kit import BidMade, Dropped, TurnCame, open_auction, put, replace, step, without


def apply(state: State | None, event: Event) -> State:
    if state is None:
        assert isinstance(event, Dealt)
        return _lay_out(event)
    phase = state.phase
    match event:
        case TurnCame() | Dropped() | BidMade():
            assert isinstance(phase, Bidding)
            return replace(state, phase=replace(phase, auction=step(phase.auction, event)))
        case Finished(seat):
            assert isinstance(phase, Laying)
            return replace(state, phase=replace(phase, done=put(phase.done, seat, True)))
        case CashedIn(seat, cards, dollars):
            taken = _hand_less(state, seat, cards)
            banks = put(state.banks, seat, state.banks[seat] + dollars)
            return replace(taken, banks=banks, charity=state.charity - dollars, discard=state.discard + cards)
        case AuctioneerFound(seat, paid, _):
            banks = put(state.banks, seat, state.banks[seat] - paid)
            return replace(state, auctioneer=seat, banks=banks, charity=state.charity + paid, phase=Choosing())
        case Presented(seat, card, price):
            auction = open_auction(seat, len(state.hands))
            return replace(state, block=without(state.block, (card,)), phase=CheeseAuction(card, price, auction))
        case Sold() | Unsold() | Defaulted():
            return _closed(state, event)
        case ChoiceCame():
            return replace(state, phase=Choosing())
        case Laid() | Melted() | Merged() | StoodIn():
            return _with_set(state, event)
        case BlockDealt(first, cards):
            opened = AuctioneerAuction(open_auction(first, len(state.hands)))
            left = state.deck[len(cards) :]
            return replace(state, first=first, auctioneer=None, block=cards, deck=left, phase=opened)
        case MergingBegan():
            return replace(state, phase=Merging((False,) * len(state.hands)))
        case Ended(result):
            return replace(state, phase=Over(result))
        case ActionPlayed() | LastRoundCalled() | SilenceFell() | SecretBidMade() | SecretsRevealed() | CameShort():
            return _in_auction(state, event)
        case UpkeepBegan() | UpkeepChosen() | UpkeepRevealed():
            return _in_upkeep(state, event)
        case Dealt():
            raise ValueError("a game is dealt once")
        case _:
            assert_never(event)


def _lay_out(event: Dealt) -> State:
    seats = len(event.hands)
    return State(
        first=event.first,
        reserved=event.reserved,  # type: ignore[arg-type]
        hands=event.hands,  # type: ignore[arg-type]
        block=event.block,  # type: ignore[arg-type]
        deck=event.deck,  # type: ignore[arg-type]
        banks=(BANK,) * seats,
        sets=((),) * seats,
        bleus=(0,) * seats,
        phase=AuctioneerAuction(open_auction(event.first, seats)),
    )


def _hand_less(state: State, seat: Seat, cards: Cheeses) -> State:
    return replace(state, hands=put(state.hands, seat, without(state.hands[seat], cards)))


def _in_auction(
    state: State, event: ActionPlayed | LastRoundCalled | SilenceFell | SecretBidMade | SecretsRevealed | CameShort
) -> State:
    phase = state.phase
    assert isinstance(phase, CheeseAuction | SilentAuction)
    card, price, auction, actions = phase.card, phase.price, phase.auction, phase.actions
    match event:
        case ActionPlayed(seat, action):
            return replace(_hand_less(state, seat, (action,)), phase=replace(phase, actions=(*actions, action)))
        case LastRoundCalled(turns):
            return replace(state, phase=replace(phase, auction=replace(auction, last=turns)))
        case SilenceFell():
            nothing = (None,) * len(state.hands)
            return replace(state, phase=SilentAuction(card, price, auction, actions, nothing))
        case SecretBidMade(seat, amount):
            assert isinstance(phase, SilentAuction)
            return replace(state, phase=replace(phase, secrets=put(phase.secrets, seat, amount)))
        case SecretsRevealed(_, bids, bidder):
            bid = None if bidder is None else bids[bidder]
            return replace(state, phase=replace(phase, auction=replace(auction, bids=bids, bid=bid, bidder=bidder)))
        case CameShort(_, owed):
            return replace(state, phase=Paying(card, price, auction, actions, owed))
        case _:
            assert_never(event)


def _closed(state: State, event: Unsold | Sold | Defaulted) -> State:
    """The end of a cheese auction: laying down follows."""
    phase = state.phase
    assert isinstance(phase, Selling)
    after = replace(state, phase=LayingDown((False,) * len(state.hands)))
    if isinstance(event, Unsold):
        return replace(after, discard=(*state.discard, event.card, *phase.actions))
    gone = tuple(action for action in phase.actions if action != "Bleu")
    if isinstance(event, Sold):
        after = replace(after, hands=put(state.hands, event.seat, (*state.hands[event.seat], event.card)))
    else:
        gone = (event.card, *gone)
    return replace(
        after,
        discard=state.discard + gone,
        banks=tuple(bank - paid for bank, paid in zip(state.banks, event.payments, strict=True)),
        charity=state.charity + sum(event.payments),
        bleus=put(state.bleus, event.seat, state.bleus[event.seat] + event.bleus),
    )


def _with_set(state: State, event: Laid | Melted | Merged | StoodIn) -> State:
    own = state.sets[event.seat]
    match event:
        case Laid(_, cheese, cards, cheddar):
            own = (*own, Set(cheese, cards, cheddar))
            gone = (cheese,) * cards + ("Cheddar",) * cheddar
        case Melted(_, onto):
            own = put(own, onto, replace(own[onto], gruyere=True))
            gone = ("Gruyere",)
        case Merged(_, onto, cards):
            own = put(own, onto, replace(own[onto], cards=own[onto].cards + cards))
            gone = (own[onto].cheese,) * cards
        case StoodIn(_, onto):
            own = put(own, onto, replace(own[onto], cheddar=True))
            gone = ("Cheddar",)
        case _:
            assert_never(event)
    return replace(_hand_less(state, event.seat, gone), sets=put(state.sets, event.seat, own))


def _in_upkeep(state: State, event: UpkeepBegan | UpkeepChosen | UpkeepRevealed) -> State:
    match event:
        case UpkeepBegan():
            return replace(state, auctioneer=None, phase=Upkeep((None,) * len(state.hands)))
        case UpkeepChosen(seat, discard):
            assert isinstance(state.phase, Upkeep)
            return replace(state, phase=replace(state.phase, choices=put(state.phase.choices, seat, discard)))
        case UpkeepRevealed(discards, dollars):
            return replace(
                state,
                hands=tuple(without(hand, gone) for hand, gone in zip(state.hands, discards, strict=True)),
                discard=state.discard + tuple(card for gone in discards for card in gone),
                banks=tuple(bank + more for bank, more in zip(state.banks, dollars, strict=True)),
                charity=state.charity - sum(dollars),
            )
        case _:
            assert_never(event)
