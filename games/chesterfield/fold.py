"""The state of Chesterfield after each event."""

from __future__ import annotations

from typing import assert_never

from games.chesterfield import events, phases
from games.chesterfield.deck import BANK, Cheeses
from games.chesterfield.events import Event
from games.chesterfield.table import Set, State
from games.core import Seat
from games.kit import BidMade, Dropped, TurnCame, open_auction, put, replace, step, without


def apply(state: State | None, event: Event) -> State:
    if state is None:
        assert isinstance(event, events.Dealt)
        return _lay_out(event)
    phase = state.phase
    match event:
        case TurnCame() | Dropped() | BidMade():
            assert isinstance(phase, phases.Bidding)
            return replace(state, phase=replace(phase, auction=step(phase.auction, event)))
        case events.Finished(seat):
            assert isinstance(phase, phases.Laying)
            return replace(state, phase=replace(phase, done=put(phase.done, seat, True)))
        case events.CashedIn(seat, cards, dollars):
            taken = _hand_less(state, seat, cards)
            banks = put(state.banks, seat, state.banks[seat] + dollars)
            return replace(taken, banks=banks, charity=state.charity - dollars, discard=state.discard + cards)
        case events.AuctioneerFound(seat, paid, _):
            banks = put(state.banks, seat, state.banks[seat] - paid)
            return replace(state, auctioneer=seat, banks=banks, charity=state.charity + paid, phase=phases.Choosing())
        case events.Presented(seat, card, price):
            auction = open_auction(seat, len(state.hands))
            return replace(state, block=without(state.block, (card,)), phase=phases.CheeseAuction(card, price, auction))
        case events.Sold() | events.Unsold() | events.Defaulted():
            return _closed(state, event)
        case events.ChoiceCame():
            return replace(state, phase=phases.Choosing())
        case events.Laid() | events.Melted() | events.Merged() | events.StoodIn():
            return _with_set(state, event)
        case events.BlockDealt(first, cards):
            opened = phases.AuctioneerAuction(open_auction(first, len(state.hands)))
            left = state.deck[len(cards) :]
            return replace(state, first=first, auctioneer=None, block=cards, deck=left, phase=opened)
        case events.MergingBegan():
            return replace(state, phase=phases.Merging((False,) * len(state.hands)))
        case events.Ended(result):
            return replace(state, phase=phases.Over(result))
        case (
            events.ActionPlayed()
            | events.LastRoundCalled()
            | events.SilenceFell()
            | events.SecretBidMade()
            | events.SecretsRevealed()
            | events.CameShort()
        ):
            return _in_auction(state, event)
        case events.UpkeepBegan() | events.UpkeepChosen() | events.UpkeepRevealed():
            return _in_upkeep(state, event)
        case events.Dealt():
            raise ValueError("a game is dealt once")
        case _:
            assert_never(event)


def _lay_out(event: events.Dealt) -> State:
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
        phase=phases.AuctioneerAuction(open_auction(event.first, seats)),
    )


def _hand_less(state: State, seat: Seat, cards: Cheeses) -> State:
    return replace(state, hands=put(state.hands, seat, without(state.hands[seat], cards)))


def _in_auction(
    state: State,
    event: events.ActionPlayed
    | events.LastRoundCalled
    | events.SilenceFell
    | events.SecretBidMade
    | events.SecretsRevealed
    | events.CameShort,
) -> State:
    phase = state.phase
    assert isinstance(phase, phases.CheeseAuction | phases.SilentAuction)
    card, price, auction, actions = phase.card, phase.price, phase.auction, phase.actions
    match event:
        case events.ActionPlayed(seat, action):
            return replace(_hand_less(state, seat, (action,)), phase=replace(phase, actions=(*actions, action)))
        case events.LastRoundCalled(turns):
            return replace(state, phase=replace(phase, auction=replace(auction, last=turns)))
        case events.SilenceFell():
            nothing = (None,) * len(state.hands)
            return replace(state, phase=phases.SilentAuction(card, price, auction, actions, nothing))
        case events.SecretBidMade(seat, amount):
            assert isinstance(phase, phases.SilentAuction)
            return replace(state, phase=replace(phase, secrets=put(phase.secrets, seat, amount)))
        case events.SecretsRevealed(_, bids, bidder):
            bid = None if bidder is None else bids[bidder]
            return replace(state, phase=replace(phase, auction=replace(auction, bids=bids, bid=bid, bidder=bidder)))
        case events.CameShort(_, owed):
            return replace(state, phase=phases.Paying(card, price, auction, actions, owed))
        case _:
            assert_never(event)


def _closed(state: State, event: events.Unsold | events.Sold | events.Defaulted) -> State:
    """Return the state after a cheese auction: seats lay down sets."""
    phase = state.phase
    assert isinstance(phase, phases.Selling)
    after = replace(state, phase=phases.LayingDown((False,) * len(state.hands)))
    if isinstance(event, events.Unsold):
        return replace(after, discard=(*state.discard, event.card, *phase.actions))
    gone = tuple(action for action in phase.actions if action != "Bleu")
    if isinstance(event, events.Sold):
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


def _with_set(state: State, event: events.Laid | events.Melted | events.Merged | events.StoodIn) -> State:
    own = state.sets[event.seat]
    match event:
        case events.Laid(_, cheese, cards, cheddar):
            own = (*own, Set(cheese, cards, cheddar))
            gone = (cheese,) * cards + ("Cheddar",) * cheddar
        case events.Melted(_, onto):
            own = put(own, onto, replace(own[onto], gruyere=True))
            gone = ("Gruyere",)
        case events.Merged(_, onto, cards):
            own = put(own, onto, replace(own[onto], cards=own[onto].cards + cards))
            gone = (own[onto].cheese,) * cards
        case events.StoodIn(_, onto):
            own = put(own, onto, replace(own[onto], cheddar=True))
            gone = ("Cheddar",)
        case _:
            assert_never(event)
    return replace(_hand_less(state, event.seat, gone), sets=put(state.sets, event.seat, own))


def _in_upkeep(state: State, event: events.UpkeepBegan | events.UpkeepChosen | events.UpkeepRevealed) -> State:
    match event:
        case events.UpkeepBegan():
            return replace(state, auctioneer=None, phase=phases.Upkeep((None,) * len(state.hands)))
        case events.UpkeepChosen(seat, discard):
            assert isinstance(state.phase, phases.Upkeep)
            return replace(state, phase=replace(state.phase, choices=put(state.phase.choices, seat, discard)))
        case events.UpkeepRevealed(discards, dollars):
            return replace(
                state,
                hands=tuple(without(hand, gone) for hand, gone in zip(state.hands, discards, strict=True)),
                discard=state.discard + tuple(card for gone in discards for card in gone),
                banks=tuple(bank + more for bank, more in zip(state.banks, dollars, strict=True)),
                charity=state.charity - sum(dollars),
            )
        case _:
            assert_never(event)
