"""Who sees what at Chesterfield: views, events as viewers see them, and states imagined from views."""

from __future__ import annotations

from typing import assert_never

import msgspec

from games.chance import Chance
from games.chesterfield import events, phases
from games.chesterfield.deck import BLEU_POINTS, BLOCK, DECK, HAND, RESERVED, UPKEEP, Cheese, Cheeses
from games.chesterfield.events import Event
from games.chesterfield.table import Set, State, scores, set_points, to_act
from games.core import Outcome, Seat, Value
from games.kit import Auction, BidMade, Dropped, TurnCame, copied, cut, once_per_state, put, replace, without


class SeenSet(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A set that was laid, with its points."""

    cheese: Cheese
    cards: int
    cheddar: bool
    gruyere: bool
    points: int


class View(Value, frozen=True):
    """What a seat may know; `me` and `hand` are None for a spectator.

    `phase` is auctioneer_auction, choosing, cheese_auction, silent_auction, paying, laying_down, upkeep, merging or
    over. `waiting` has the seats that the game waits for. `secret` and `discarding` are decisions of the viewer that
    are not revealed yet. The cards of the block are None unless the viewer is the Auctioneer.
    """

    me: Seat | None
    phase: str
    waiting: tuple[Seat, ...]
    first: Seat
    auctioneer: Seat | None
    hand: Cheeses | None
    hands: tuple[int, ...]
    banks: tuple[int, ...]
    sets: tuple[tuple[SeenSet, ...], ...]
    bleus: tuple[int, ...]
    bleu_points: tuple[int, ...]
    scores: tuple[int, ...]
    block: tuple[Cheese | None, ...]
    blocks_left: int
    card: Cheese | None
    price: int | None
    auction: Auction | None
    actions: Cheeses
    owed: int | None
    secret: int | None
    discarding: Cheeses | None
    discard: Cheeses
    reserved: Cheeses | None
    deck: int
    charity: int
    result: Outcome | None


PUBLIC = ("first", "auctioneer", "banks", "bleus", "discard", "charity")


@once_per_state
def public_view(state: State) -> View:
    phase = state.phase
    selling = phase if isinstance(phase, phases.Selling) else None
    bidding = phase if isinstance(phase, phases.AuctioneerAuction) else selling
    over = phase if isinstance(phase, phases.Over) else None
    return View(
        me=None,
        phase=str(phase.__struct_config__.tag),
        waiting=to_act(state),
        hand=None,
        hands=tuple(map(len, state.hands)),
        sets=tuple(tuple(map(_seen_set, sets)) for sets in state.sets),
        bleu_points=tuple(BLEU_POINTS * bleus for bleus in state.bleus),
        scores=scores(state),
        block=(None,) * len(state.block),
        blocks_left=len(state.deck) // BLOCK,
        card=selling.card if selling else None,
        price=selling.price if selling else None,
        auction=bidding.auction if bidding else None,
        actions=selling.actions if selling else (),
        owed=phase.owed if isinstance(phase, phases.Paying) else None,
        secret=None,
        discarding=None,
        reserved=state.reserved if over else None,  # CCA-3
        deck=len(state.deck),
        result=over.result if over else None,
        **copied(state, PUBLIC),
    )


def view(state: State, seat: Seat | None) -> View:
    public, phase = public_view(state), state.phase
    if seat is None:
        return public
    return replace(
        public,
        me=seat,
        hand=state.hands[seat],
        block=state.block if seat == state.auctioneer else public.block,  # CCA-12
        secret=phase.secrets[seat] if isinstance(phase, phases.SilentAuction) else None,
        discarding=phase.choices[seat] if isinstance(phase, phases.Upkeep) else None,
    )


def _seen_set(one: Set) -> SeenSet:
    return SeenSet(one.cheese, one.cards, one.cheddar, one.gruyere, set_points(one))


def show(event: Event, seat: Seat | None) -> Event | None:
    match event:
        case (
            TurnCame()
            | events.Finished()
            | Dropped()
            | BidMade()
            | events.Presented()
            | events.Sold()
            | events.CashedIn()
            | events.ChoiceCame()
        ):
            return event
        case events.Dealt():
            return events.Dealt(
                event.first,
                (None,) * len(event.reserved),
                tuple(hand if owner == seat else (None,) * len(hand) for owner, hand in enumerate(event.hands)),
                (None,) * len(event.block),
                (None,) * len(event.deck),
            )
        case events.BlockDealt():
            return replace(event, cards=(None,) * len(event.cards))
        case events.AuctioneerFound(seat=owner):
            return event if seat == owner else replace(event, block=(None,) * len(event.block))
        case events.SecretBidMade(seat=owner):
            return event if seat == owner else events.SecretBidMade(owner, None)
        case events.UpkeepChosen(seat=owner):
            return event if seat == owner else events.UpkeepChosen(owner, None)
        case (
            events.SilenceFell() | events.SecretsRevealed() | events.Unsold() | events.CameShort() | events.Defaulted()
        ):
            return event
        case (
            events.Laid()
            | events.Melted()
            | events.Merged()
            | events.StoodIn()
            | events.ActionPlayed()
            | events.LastRoundCalled()
        ):
            return event
        case events.UpkeepBegan() | events.UpkeepRevealed() | events.MergingBegan() | events.Ended():
            return event
        case _:
            assert_never(event)


def imagine(view: View, seat: Seat, chance: Chance) -> State:
    assert view.hand is not None
    unseen = chance.shuffled(without(DECK, _seen(view)))
    known_block = tuple(card for card in view.block if card is not None)
    sizes = [0 if owner == seat else size for owner, size in enumerate(view.hands)]
    sizes += [len(view.block) - len(known_block), 0 if view.reserved else RESERVED]
    *hands, block, reserved, deck = cut(unseen, sizes)
    hands[seat] = view.hand
    return State(
        reserved=view.reserved or reserved,
        hands=tuple(hands),
        block=known_block or block,
        deck=deck,
        sets=tuple(tuple(Set(s.cheese, s.cards, s.cheddar, s.gruyere) for s in sets) for sets in view.sets),
        phase=_imagine_phase(view, seat, tuple(hands), chance),
        **copied(view, PUBLIC),
    )


def _seen(view: View) -> Cheeses:
    """Return every card whose place the viewer knows."""
    assert view.hand is not None
    seen = [*view.hand, *view.discard, *view.actions, *(view.reserved or ())]
    seen += [card for card in (*view.block, view.card) if card is not None]
    seen += ["Bleu"] * sum(view.bleus)
    for one in (one for sets in view.sets for one in sets):
        seen += [one.cheese] * one.cards + ["Cheddar"] * one.cheddar + ["Gruyere"] * one.gruyere
    return tuple(seen)


def _imagine_phase(view: View, seat: Seat, hands: tuple[Cheeses, ...], chance: Chance) -> phases.Phase:
    done = tuple(other not in view.waiting for other in range(len(hands)))
    match view.phase:
        case "choosing":
            return phases.Choosing()
        case "laying_down":
            return phases.LayingDown(done)
        case "merging":
            return phases.Merging(done)
        case "upkeep":
            choices = [
                _imagine_discard(hand, view.banks[other], chance) if done[other] and len(hand) > HAND else None
                for other, hand in enumerate(hands)
            ]
            return phases.Upkeep(put(tuple(choices), seat, view.discarding))
        case "over":
            assert view.result
            return phases.Over(view.result)
        case _:
            return _imagine_auction(view, seat, done, chance)


def _imagine_auction(view: View, seat: Seat, done: tuple[bool, ...], chance: Chance) -> phases.Phase:
    auction = view.auction
    assert auction
    if view.card is None or view.price is None:
        return phases.AuctioneerAuction(auction)
    if view.owed is not None:
        return phases.Paying(view.card, view.price, auction, view.actions, view.owed)
    if view.phase == "cheese_auction":
        return phases.CheeseAuction(view.card, view.price, auction, view.actions)
    secrets = [
        _imagine_bid(bid or 0, view.banks[other], chance) if done[other] and not auction.dropped[other] else None
        for other, bid in enumerate(auction.bids)
    ]
    return phases.SilentAuction(view.card, view.price, auction, view.actions, put(tuple(secrets), seat, view.secret))


def _imagine_bid(least: int, most: int, chance: Chance) -> int:
    return least + chance.below(most - least + 1)


def _imagine_discard(hand: Cheeses, bank: int, chance: Chance) -> Cheeses:
    over = len(hand) - HAND
    least = max(0, over - bank // UPKEEP)
    return chance.shuffled(hand)[: _imagine_bid(least, over, chance)]
