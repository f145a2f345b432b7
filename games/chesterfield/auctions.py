"""CCA-8 to CCA-24: the auctioneer auction, the cheese auctions and the actions in them."""

from __future__ import annotations

from typing import assert_never

from games.chesterfield import events, moves, phases
from games.chesterfield.deck import ACTIONS, ROQUEFORT_PRICE, TRADE, Cheeses
from games.chesterfield.events import Event
from games.chesterfield.moves import Move
from games.chesterfield.table import State, to_act
from games.core import Seat
from games.kit import Auction, Bid, BidMade, Drop, Dropped, Story, go_round, ring, turn_offers
from games.offers import ENDLESS, Choice, Offer, Range, Subset, offer
from games.refusals import Tried


def offers(state: State, seat: Seat, phase: phases.Auctions, tried: Tried | None) -> tuple[Offer, ...]:
    hand, bank = state.hands[seat], state.banks[seat]
    found: tuple[Offer, ...]
    match phase:
        case phases.CheeseAuction():
            actions = Choice(tuple(dict.fromkeys([card for card in hand if card in ACTIONS])))
            plays = (offer(moves.PlayAction, card=actions),) if actions.of else ()
            found = (*plays, *_cash_in(hand), *turn_offers(_least(phase), bank))
            if tried:
                tried.needs(moves.PlayAction, "CCA-14", "you hold no such card with an action", card=actions)
                _refuse_turn(tried, "CCA-14", "CCA-14", hand, bank, _least(phase))
                tried.only(found, "CCA-14", "on your turn cash in cards, play actions, and then bid or drop")
        case phases.AuctioneerAuction():
            found = (*_cash_in(hand), *turn_offers(_least(phase), bank))
            if tried:
                _refuse_turn(tried, "CCA-8", "CCA-9", hand, bank, _least(phase))
                tried.refuse("CCA-8", "no actions are played in the auctioneer auction", moves.PlayAction)
                tried.only(found, "CCA-8", "on your turn cash in cards, and then bid or drop")
        case phases.Choosing():
            found = _present_offers(state.block, bank, tried)
        case phases.SilentAuction():
            least = phase.auction.bids[seat] or 0
            found = (offer(moves.BidSecretly, amount=Range(least, bank)),)
            if tried:
                why = f"your secret bid is from ${least}, your last open bid, to ${bank}, what your bank holds"
                tried.among(moves.BidSecretly, found, "CCA-23", why)
                tried.only(found, "CCA-23", "the auction is silent, so make one secret bid and nothing else")
        case phases.Paying():
            found = (*_cash_in(hand), offer(moves.Default))
            if tried:
                tried.needs(moves.CashIn, "CCA-19", CASH_IN, cards=Subset(hand, 1, len(hand)))
                tried.only(
                    found, "CCA-19", f"you owe ${phase.owed} and have ${bank}, so cash in cards or give up the card"
                )
        case _:
            assert_never(phase)
    return found


def _present_offers(block: Cheeses, bank: int, tried: Tried | None) -> tuple[Offer, ...]:
    cards, price = Choice(tuple(dict.fromkeys(block))), Range(0, bank)
    found = (offer(moves.Present, card=cards, price=price),)
    if tried:
        tried.needs(moves.Present, "CCA-13", "that card is not in the block", card=cards)
        why = f"the starting price is from $0 to ${bank}, what your own bank holds"
        tried.needs(moves.Present, "CCA-13", why, price=price)
        tried.only(found, "CCA-13", "choose a card of the block and name its starting price")
    return found


def _cash_in(hand: Cheeses) -> tuple[Offer, ...]:
    return (offer(moves.CashIn, cards=Subset(hand, 1, len(hand))),) if hand else ()


CASH_IN = "cash in one card of your hand or more"


def _refuse_turn(tried: Tried, cash: str, bids: str, hand: Cheeses, bank: int, least: int) -> None:
    """Refuse to cash in, or a bid, by these rules."""
    tried.needs(moves.CashIn, cash, CASH_IN, cards=Subset(hand, 1, len(hand)))
    tried.needs(Bid, bids, f"bid at least ${least}", amount=Range(least, ENDLESS))
    tried.needs(Bid, bids, f"your bank holds only ${bank}", amount=Range(least, bank))


def _least(phase: phases.Bidding) -> int:
    """CCA-9 and CCA-14: return the lowest possible bid."""
    if phase.auction.bid is not None:
        return phase.auction.bid + 1
    return phase.price if isinstance(phase, phases.CheeseAuction) else 1


def play(story: Story[State, Event], seat: Seat, move: Move) -> None:
    match move:
        case Drop():
            story.add(Dropped(seat))
            _pass_on(story)
        case Bid(amount):
            story.add(BidMade(seat, amount))
            _pass_on(story)
        case moves.CashIn(cards):
            story.add(events.CashedIn(seat, cards, sum(TRADE[card] for card in cards)))
            if isinstance(story.state.phase, phases.Paying):
                _pay_or_default(story)
            else:
                _drop_if_stuck(story)
        case moves.Present(card, price):
            story.add(events.Presented(seat, card, price))
        case moves.PlayAction(card):
            _act(story, seat, card)
        case moves.BidSecretly(amount):
            story.add(events.SecretBidMade(seat, amount))
            if not to_act(story.state):
                _reveal(story)
        case moves.Default():
            _default(story, by_itself=False)
        case _:
            raise AssertionError(f"{move} is no move of an auction")


def _drop_if_stuck(story: Story[State, Event]) -> None:
    """CCA-8: let the seat whose turn it is drop out by itself if it cannot bid."""
    turn = _auction(story.state).turn
    if _stuck(story.state, turn):
        story.add(Dropped(turn, by_itself=True))
        _pass_on(story)


def _stuck(state: State, seat: Seat) -> bool:
    assert isinstance(state.phase, phases.Bidding)
    return not state.hands[seat] and state.banks[seat] < _least(state.phase)


def _auction(state: State) -> Auction:
    assert isinstance(state.phase, phases.Bidding)
    return state.phase.auction


def _pass_on(story: Story[State, Event]) -> None:
    """CCA-10 and CCA-16: pass the turn on, or end the auction."""
    if go_round(story, _auction, _stuck):
        return
    if isinstance(story.state.phase, phases.AuctioneerAuction):
        _find_auctioneer(story)
    else:
        _close(story)


def _find_auctioneer(story: Story[State, Event]) -> None:
    """CCA-11 and CCA-12."""
    state = story.state
    auction = _auction(state)
    winner = state.first if auction.bidder is None else auction.bidder
    story.add(events.AuctioneerFound(winner, auction.bid or 0, state.block))


def _act(story: Story[State, Event], seat: Seat, card: str) -> None:
    """CCA-14: Pecorino and Emmental take effect at once, the other actions when the auction closes."""
    story.add(events.ActionPlayed(seat, card))
    if card == "Emmental":  # CCA-23
        story.add(events.SilenceFell())
        return
    if card == "Pecorino":  # CCA-20
        dropped = _auction(story.state).dropped
        others = ring(seat, len(dropped))[1:]
        story.add(events.LastRoundCalled((*(other for other in others if not dropped[other]), seat)))
    _drop_if_stuck(story)


def _reveal(story: Story[State, Event]) -> None:
    """CCA-23: the highest secret bid that counts wins; of tied bids, the first from the Auctioneer."""
    state = story.state
    phase = state.phase
    assert isinstance(phase, phases.SilentAuction)
    assert state.auctioneer is not None
    secrets, opened = phase.secrets, phase.auction.bids
    counted = tuple(secret if secret is not None and secret >= phase.price else None for secret in secrets)
    silent = [seat for seat in ring(state.auctioneer, len(counted)) if counted[seat] is not None]
    bidder = max(silent, key=lambda seat: counted[seat] or 0, default=None)
    bids = tuple(own if secret is None else secret for own, secret in zip(opened, counted, strict=True))
    story.add(events.SecretsRevealed(secrets, bids, bidder))
    _close(story)


def _close(story: Story[State, Event]) -> None:
    """CCA-17 to CCA-19: sell the card to the winner, or discard it if nobody bid."""
    phase = story.state.phase
    assert isinstance(phase, phases.CheeseAuction | phases.SilentAuction)
    auction = phase.auction
    if auction.bidder is None or auction.bid is None:
        story.add(events.Unsold(phase.card))
        return
    owed = auction.bid + ROQUEFORT_PRICE * phase.actions.count("Roquefort")
    if owed > story.state.banks[auction.bidder]:
        story.add(events.CameShort(auction.bidder, owed))
        _pay_or_default(story)
    else:
        _sell(story, owed)


def _pay_or_default(story: Story[State, Event]) -> None:
    """CCA-19: the winner pays as soon as it can, and defaults by itself if it has nothing left to cash in."""
    state = story.state
    phase = state.phase
    assert isinstance(phase, phases.Paying)
    (winner,) = to_act(state)
    if state.banks[winner] >= phase.owed:
        _sell(story, phase.owed)
    elif not state.hands[winner]:
        _default(story, by_itself=True)


def _sell(story: Story[State, Event], owed: int) -> None:
    phase = _decided(story.state)
    winner = phase.auction.bidder
    assert winner is not None
    story.add(events.Sold(winner, phase.card, _payments(phase, owed), phase.actions.count("Bleu")))


def _default(story: Story[State, Event], by_itself: bool) -> None:
    phase = _decided(story.state)
    winner, bid = phase.auction.bidder, phase.auction.bid
    assert winner is not None
    assert bid is not None
    owed = bid if "Feta" in phase.actions else 0
    story.add(events.Defaulted(winner, phase.card, _payments(phase, owed), phase.actions.count("Bleu"), by_itself))


def _decided(state: State) -> phases.Selling:
    assert isinstance(state.phase, phases.Selling)
    return state.phase


def _payments(phase: phases.Selling, owed: int) -> tuple[int, ...]:
    """Return what each seat pays if the winner pays `owed`. Under Feta the others pay their bids too (CCA-21)."""
    feta = "Feta" in phase.actions
    return tuple(
        owed if seat == phase.auction.bidder else (bid or 0) if feta else 0
        for seat, bid in enumerate(phase.auction.bids)
    )
