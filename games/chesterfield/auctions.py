"""CCA-8 to CCA-24: the auctioneer auction, the cheese auctions and the actions in them."""

from __future__ import annotations

from typing import assert_never

from games.chesterfield.moves import (
    ActionPlayed,
    AuctioneerFound,
    BidSecretly,
    CameShort,
    CashedIn,
    CashIn,
    Default,
    Defaulted,
    Event,
    LastRoundCalled,
    Move,
    PlayAction,
    Present,
    Presented,
    SecretBidMade,
    SecretsRevealed,
    SilenceFell,
    Sold,
    Unsold,
)
from games.chesterfield.table import (
    ACTIONS,
    ROQUEFORT_PRICE,
    TRADE,
    AuctioneerAuction,
    Auctions,
    Bidding,
    CheeseAuction,
    Cheeses,
    Choosing,
    Paying,
    Selling,
    SilentAuction,
    State,
    to_act,
)
from games.core import IllegalMove, Offer, One, Pick, Range, Seat, offer
from games.kit import Auction, Bid, BidMade, Drop, Dropped, Story, go_round, ring, turn_offers


def offers(state: State, seat: Seat, phase: Auctions) -> tuple[Offer, ...]:
    hand, bank = state.hands[seat], state.banks[seat]
    match phase:
        case CheeseAuction():
            actions = tuple(dict.fromkeys([card for card in hand if card in ACTIONS]))
            plays = (offer(PlayAction, card=One(actions)),) if actions else ()
            return (*plays, *_cash_in(hand), *turn_offers(_least(phase), bank))
        case AuctioneerAuction():
            return (*_cash_in(hand), *turn_offers(_least(phase), bank))
        case Choosing():
            return (offer(Present, card=One(tuple(dict.fromkeys(state.block))), price=Range(0, bank)),)
        case SilentAuction():
            return (offer(BidSecretly, amount=Range(phase.auction.bids[seat] or 0, bank)),)
        case Paying():
            return (*_cash_in(hand), offer(Default))
        case _:
            assert_never(phase)


def _cash_in(hand: Cheeses) -> tuple[Offer, ...]:
    return (offer(CashIn, cards=Pick(hand, 1, len(hand))),) if hand else ()


def _least(phase: Bidding) -> int:
    """The lowest bid: CCA-9 and CCA-14."""
    if phase.auction.bid is not None:
        return phase.auction.bid + 1
    return phase.price if isinstance(phase, CheeseAuction) else 1


def play(story: Story[State, Event], seat: Seat, move: Move) -> None:
    match move:
        case Drop():
            story.add(Dropped(seat))
            _pass_on(story)
        case Bid(amount):
            story.add(BidMade(seat, amount))
            _pass_on(story)
        case CashIn(cards):
            story.add(CashedIn(seat, cards, sum(TRADE[card] for card in cards)))
            if isinstance(story.state.phase, Paying):
                _pay_or_default(story)
            else:
                _drop_if_stuck(story)
        case Present(card, price):
            story.add(Presented(seat, card, price))
        case PlayAction(card):
            _act(story, seat, card)
        case BidSecretly(amount):
            story.add(SecretBidMade(seat, amount))
            if not to_act(story.state):
                _reveal(story)
        case Default():
            _default(story, by_itself=False)
        case _:
            raise AssertionError(f"{move} is no move of an auction")


def _drop_if_stuck(story: Story[State, Event]) -> None:
    """CCA-8: the seat whose turn it is drops by itself if it cannot bid."""
    turn = _auction(story.state).turn
    if _stuck(story.state, turn):
        story.add(Dropped(turn, by_itself=True))
        _pass_on(story)


def _stuck(state: State, seat: Seat) -> bool:
    assert isinstance(state.phase, Bidding)
    return not state.hands[seat] and state.banks[seat] < _least(state.phase)


def _auction(state: State) -> Auction:
    assert isinstance(state.phase, Bidding)
    return state.phase.auction


def _pass_on(story: Story[State, Event]) -> None:
    """The turn goes round, or the auction is over: CCA-10 and CCA-16."""
    if go_round(story, _auction, _stuck):
        return
    if isinstance(story.state.phase, AuctioneerAuction):
        _find_auctioneer(story)
    else:
        _close(story)


def _find_auctioneer(story: Story[State, Event]) -> None:
    """CCA-11 and CCA-12."""
    state = story.state
    auction = _auction(state)
    winner = state.first if auction.bidder is None else auction.bidder
    story.add(AuctioneerFound(winner, auction.bid or 0, state.block))


def _act(story: Story[State, Event], seat: Seat, card: str) -> None:
    """CCA-14: Feta, Roquefort and Bleu count when the auction closes, the other two at once."""
    story.add(ActionPlayed(seat, card))
    if card == "Emmental":  # CCA-23
        story.add(SilenceFell())
        return
    if card == "Pecorino":  # CCA-20
        dropped = _auction(story.state).dropped
        others = ring(seat, len(dropped))[1:]
        story.add(LastRoundCalled((*(other for other in others if not dropped[other]), seat)))
    _drop_if_stuck(story)


def _reveal(story: Story[State, Event]) -> None:
    """CCA-23: the highest secret bid that counts wins, of tied ones the first from the Auctioneer."""
    state = story.state
    phase = state.phase
    assert isinstance(phase, SilentAuction)
    assert state.auctioneer is not None
    secrets, opened = phase.secrets, phase.auction.bids
    counted = tuple(secret if secret is not None and secret >= phase.price else None for secret in secrets)
    silent = [seat for seat in ring(state.auctioneer, len(counted)) if counted[seat] is not None]
    bidder = max(silent, key=lambda seat: counted[seat] or 0, default=None)
    bids = tuple(own if secret is None else secret for own, secret in zip(opened, counted, strict=True))
    story.add(SecretsRevealed(secrets, bids, bidder))
    _close(story)


def _close(story: Story[State, Event]) -> None:
    """CCA-17 to CCA-19: somebody has won, or nobody bid."""
    phase = story.state.phase
    assert isinstance(phase, CheeseAuction | SilentAuction)
    auction = phase.auction
    if auction.bidder is None or auction.bid is None:
        story.add(Unsold(phase.card))
        return
    owed = auction.bid + ROQUEFORT_PRICE * phase.actions.count("Roquefort")
    if owed > story.state.banks[auction.bidder]:
        story.add(CameShort(auction.bidder, owed))
        _pay_or_default(story)
    else:
        _sell(story, owed)


def _pay_or_default(story: Story[State, Event]) -> None:
    """CCA-19: the winner pays as soon as it can, and defaults by itself when nothing is left to cash in."""
    state = story.state
    phase = state.phase
    assert isinstance(phase, Paying)
    (winner,) = to_act(state)
    if state.banks[winner] >= phase.owed:
        _sell(story, phase.owed)
    elif not state.hands[winner]:
        _default(story, by_itself=True)


def _sell(story: Story[State, Event], owed: int) -> None:
    phase = _decided(story.state)
    winner = phase.auction.bidder
    assert winner is not None
    story.add(Sold(winner, phase.card, _payments(phase, owed), phase.actions.count("Bleu")))


def _default(story: Story[State, Event], by_itself: bool) -> None:
    phase = _decided(story.state)
    winner, bid = phase.auction.bidder, phase.auction.bid
    assert winner is not None
    assert bid is not None
    owed = bid if "Feta" in phase.actions else 0
    story.add(Defaulted(winner, phase.card, _payments(phase, owed), phase.actions.count("Bleu"), by_itself))


def _decided(state: State) -> Selling:
    assert isinstance(state.phase, Selling)
    return state.phase


def _payments(phase: Selling, owed: int) -> tuple[int, ...]:
    """What each seat pays when the winner pays `owed`; under Feta the others pay their bids too (CCA-21)."""
    feta = "Feta" in phase.actions
    return tuple(
        owed if seat == phase.auction.bidder else (bid or 0) if feta else 0
        for seat, bid in enumerate(phase.auction.bids)
    )


def refuse(state: State, seat: Seat, move: Move, phase: Auctions) -> IllegalMove:
    bank = state.banks[seat]
    match phase, move:
        case Choosing(), Present(card, _) if card not in state.block:
            return IllegalMove("CCA-13", f"there is no {card} left in the block")
        case Choosing(), Present():
            return IllegalMove("CCA-13", f"the starting price is from 0 to your own bank, ${bank}")
        case Choosing(), _:
            return IllegalMove("CCA-13", "choose a card of the block and its starting price")
        case SilentAuction(), BidSecretly(amount) if amount > bank:
            return IllegalMove("CCA-23", f"your bank holds ${bank}, so you cannot bid ${amount}")
        case SilentAuction(), BidSecretly():
            return IllegalMove(
                "CCA-23", f"your secret bid is at least your last open bid, ${phase.auction.bids[seat] or 0}"
            )
        case SilentAuction(), _:
            return IllegalMove("CCA-23", "the auction is silent: make one secret bid and nothing else")
        case _, CashIn(cards):
            return IllegalMove(
                "CCA-8", "cash in one or more cards of your hand" if cards else "name the cards to cash in"
            )
        case Paying(), _:
            return IllegalMove("CCA-19", f"you owe ${phase.owed} and have ${bank}: cash in cards or default")
        case CheeseAuction(), PlayAction(card) if card not in ACTIONS:
            return IllegalMove("CCA-14", f"{card} has no action in a cheese auction")
        case CheeseAuction(), PlayAction(card):
            return IllegalMove("CCA-14", f"you hold no {card}")
        case AuctioneerAuction(), PlayAction():
            return IllegalMove("CCA-8", "no actions are played in the auctioneer auction")
        case AuctioneerAuction() | CheeseAuction(), Bid(amount):
            rule = "CCA-9" if isinstance(phase, AuctioneerAuction) else "CCA-14"
            least = _least(phase)
            if amount < least:
                return IllegalMove(rule, f"bid at least ${least}, not ${amount}")
            return IllegalMove(rule, f"your bank holds ${bank}, so you cannot bid ${amount}")
        case _:
            return IllegalMove("CCA-14", "on your turn cash in, play actions, and then bid or drop")
