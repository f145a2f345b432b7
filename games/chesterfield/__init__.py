"""Chesterfield Charity Cheese Auction: buy cheese at auction and lay down sets of it. 2-8 seats.

Components
CCA-1   44 cards: each has a name, points for a set, a trade value in dollars and perhaps an action.
CCA-2   The deck is the table KINDS [R].

Setting up
CCA-3   Four cards face down are the Reserved Cheese. Nobody sees them before the end, and then everybody does.
CCA-4   Each seat has four cards that only it sees, and $20. Money is public, hand sizes too [R].
CCA-5   Four cards face down are the first block. With n seats there are 10 - n blocks.
CCA-6   The first player is drawn by lot [R].
CCA-7   A block is an auctioneer auction, then four cheese auctions, each followed by laying down sets, then upkeep.
        After it the first-player card moves left and the next block is dealt, until no cards are left.

The auctioneer auction
CCA-8   Turns go round to the left from the first player. On a turn a seat may cash in cards for their trade value,
        in public, and then bids or drops out. There are no actions. A seat with an empty hand and a bank too small
        for a bid drops out by itself [R].
CCA-9   A bid is higher than the standing bid and at most the seat's bank. The first bid is at least $1 [R].
CCA-10  A seat that drops is out. The auction ends with one seat left and a bid, or with no seat left.
CCA-11  The winner pays and is Auctioneer. If nobody bid, the first player is Auctioneer and pays nothing.
CCA-12  The Auctioneer alone sees the cards of the block that have not been auctioned yet.

A cheese auction
CCA-13  The Auctioneer shows a card of the block and names a starting price, at most its own bank. This is not a
        bid [R].
CCA-14  Turns go round to the left from the Auctioneer. On a turn a seat may cash in cards and play actions, in any
        order, and then bids or drops out. The first bid is at least the starting price, later bids are higher than
        the standing bid, and no bid is above the seat's bank.
CCA-15  Actions last for this auction. A seat that has dropped out plays none, but may play some and then drop.
CCA-16  The auction ends with one seat left that has bid, or with no seat left. A seat that is alone and has not bid
        may bid or drop.
CCA-17  If nobody bid, the card and all actions are discarded, Bleu too.
CCA-18  Otherwise the winner pays and takes the card. The actions are discarded, except Bleu.
CCA-19  A winner that cannot pay because of Roquefort cashes in cards until it can, or defaults; with an empty hand
        it defaults by itself. Then the card is discarded, and the winner pays nothing, or its bid under Feta, and
        takes the Bleus [R].
CCA-20  Pecorino: every other seat still in has one more turn. Its player, if still in, has the very last turn [R].
        A later Pecorino fixes the end anew.
CCA-21  Feta: every seat that bid pays its own highest bid [R]. Several Fetas count as one [R].
CCA-22  Roquefort: the winner pays $5 more for each [R].
CCA-23  Emmental: it ends the turn and all playing of actions. Each seat still in makes one secret bid, at least its
        last open bid and at most its bank. A bid below the starting price does not count. The highest wins, and of
        tied bids the first from the Auctioneer [R]. Before the reveal others see only that a seat has bid.
CCA-24  Bleu: the winner takes each Bleu and scores -3 for it at once, even when it defaults [R].

Laying down sets
CCA-25  After each cheese auction all seats lay down sets at once [R], each until it says that it is done. A seat is
        done by itself if it has no card, or one card and no set of its own without a Gruyere [R].
CCA-26  A set is two or more cards of one cheese. It scores points x (size - 1).
CCA-27  A set is not added to before the final merge. More cards of that cheese are a set of their own.

Upkeep
CCA-28  A seat with more than four cards pays $4 for each card above the fourth or discards cards, down to four. All
        seats decide at once, the discards are revealed together, and nothing is cashed in [R].
CCA-29  A seat with fewer than four cards gains $4 for each card missing, at the reveal, also after the last
        block [R].

The end
CCA-30  Each seat may merge cards from its hand into its own sets of that cheese, all at once, until it is done. A seat
        with no card or no set is done by itself [R]. There are no new sets, and hands that are left are never shown.
CCA-31  One Cheddar may stand in for a card of a set: when the set is laid, beside a real card, or at the merge [R].
CCA-32  A Gruyere may be melted across a set of one's own, one to a set, for 2 points more [R].
CCA-33  Most points win. Ties are broken by the best single set; if still tied, the victory is shared [R].
"""

from __future__ import annotations

from typing import assert_never

from games.about import About
from games.chance import Chance
from games.chesterfield import auctions, events, moves, phases, sets
from games.chesterfield.deck import BLOCK, DECK, HAND, POINTS, RESERVED
from games.chesterfield.events import Event as Event
from games.chesterfield.fold import apply as apply
from games.chesterfield.moves import Move as Move
from games.chesterfield.table import Options as Options
from games.chesterfield.table import State as State
from games.chesterfield.table import to_act as to_act
from games.chesterfield.visibility import View as View
from games.chesterfield.visibility import imagine as imagine
from games.chesterfield.visibility import show as show
from games.chesterfield.visibility import view as view
from games.core import Beat, Outcome, Seat
from games.kit import Drop, Story, cut
from games.offers import Offer
from games.refusals import Tried

TITLE = "Chesterfield Charity Cheese Auction"
BLURB = "Buy cheese at auction, play tricks on the bidding, and lay down the best sets."
PREFIX = "CCA"
SEATS = range(2, 9)
ABOUT = About(
    minutes=(15, 30),
    weight="medium",
    how=(
        "Cards are sold one by one: bid more or drop out, and the last one in pays.",
        "Two or more cards of one cheese are a set: lay sets down for points.",
        "Cards also play tricks on the bidding. Most points at the end win.",
    ),
)


def setup(seats: int, options: Options, chance: Chance) -> tuple[Event, ...]:
    first = chance.below(seats)
    reserved, *hands, block, deck = cut(chance.shuffled(DECK), (RESERVED, *(HAND,) * seats, BLOCK))
    return (events.Dealt(first, reserved, tuple(hands), block, deck),)


def offers(state: State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    phase = state.phase
    if seat not in to_act(state):
        if tried:
            _refuse_waiting(phase, seat, tried)
        return ()
    if isinstance(phase, phases.Auctions):
        return auctions.offers(state, seat, phase, tried)
    return () if isinstance(phase, phases.Over) else sets.offers(state, seat, phase, tried)


def _refuse_waiting(phase: phases.Phase, seat: Seat, tried: Tried) -> None:
    """Refuse a move of a seat that the table does not wait for."""
    match phase:
        case phases.AuctioneerAuction(auction):
            if auction.dropped[seat]:
                tried.refuse("CCA-10", "you have dropped out of this auction")
            tried.refuse("CCA-8", f"it is the turn of seat {auction.turn + 1}")
        case phases.CheeseAuction(auction=auction):
            if auction.dropped[seat]:
                tried.refuse("CCA-15", "you have dropped out, so you play no more actions", moves.PlayAction)
                tried.refuse("CCA-14", "you have dropped out of this auction")
            tried.refuse("CCA-14", f"it is the turn of seat {auction.turn + 1}")
        case phases.Choosing():
            tried.refuse("CCA-13", "the Auctioneer chooses a card")
        case phases.SilentAuction(auction=auction):
            why = (
                "you have dropped out of this auction" if auction.dropped[seat] else "your secret bid is made and final"
            )
            tried.refuse("CCA-23", why)
        case phases.Paying():
            tried.refuse("CCA-19", "wait until the winner has found the money")
        case phases.LayingDown():
            tried.refuse("CCA-25", "you are done with laying down")
        case phases.Upkeep(choices):
            if choices[seat] is None:
                tried.refuse("CCA-28", "you have no more than four cards, so there is nothing to decide")
            tried.refuse("CCA-28", "you have decided, so wait for the others")
        case phases.Merging():
            tried.refuse("CCA-30", "you are done with merging")
        case phases.Over(result):
            tried.refuse(result.rule, "the game is over")
        case _:
            assert_never(phase)


def play(state: State, seat: Seat, move: Move, chance: Chance) -> tuple[Event, ...]:
    story = Story(apply, state)
    if isinstance(state.phase, phases.Auctions):
        auctions.play(story, seat, move)
    else:
        sets.play(story, seat, move)
    _go_on(story)
    return story.applied()


def _go_on(story: Story[State, Event]) -> None:
    """CCA-7: start one phase after the other until a seat has something to decide."""
    while not isinstance(story.state.phase, phases.Auctions):
        state = story.state
        if isinstance(state.phase, phases.Laying):
            sets.finish_by_themselves(story)
        if to_act(story.state):
            return
        match state.phase:
            case phases.LayingDown():
                story.add(events.ChoiceCame() if state.block else events.UpkeepBegan())
            case phases.Upkeep():
                sets.reveal_upkeep(story)
                _deal_block(story)
            case phases.Merging():
                story.add(events.Ended(sets.result(state), state.reserved))
            case _:
                return


def _deal_block(story: Story[State, Event]) -> None:
    """CCA-7: deal the next block, or begin the final merge (CCA-30) if no cards are left.

    No seat drops out by itself here (CCA-8): a seat with an empty hand has just gained dollars at upkeep.
    """
    state = story.state
    if state.deck:
        story.add(events.BlockDealt((state.first + 1) % len(state.hands), state.deck[:BLOCK]))
    else:
        story.add(events.MergingBegan())


def absent(state: State, seat: Seat) -> Move:
    """Spend nothing: drop, bid the least, default or finish. Discard as few cards as possible, the lowest first."""
    match state.phase:
        case phases.AuctioneerAuction() | phases.CheeseAuction():
            return Drop()
        case phases.Choosing():
            return moves.Present(state.block[0], 0)
        case phases.SilentAuction(auction=auction):
            return moves.BidSecretly(auction.bids[seat] or 0)
        case phases.Paying():
            return moves.Default()
        case phases.Upkeep():
            least = offers(state, seat)[0].fill["discard"].least
            return moves.Keep(tuple(sorted(state.hands[seat], key=lambda card: POINTS[card])[:least]))
        case _:
            return moves.Finish()


def beat(state: State, happened: tuple[Event, ...]) -> Beat | None:
    """Secret bids are turned over one by one, upkeep is counted out, and the gavel falls.

    If an entry has several of them, the page shows only the first, in the order of `beat` in
    web-client/games/chesterfield.js.
    """
    secrets = next((event for event in happened if isinstance(event, events.SecretsRevealed)), None)
    if secrets is not None:
        return Beat(700 + min(600 * sum(bid is not None for bid in secrets.secrets), 1500))
    if any(isinstance(event, events.UpkeepRevealed) and any(event.dollars) for event in happened):
        return Beat(2000)
    gavel = events.Sold, events.Unsold, events.AuctioneerFound
    return Beat(1500) if any(isinstance(event, gavel) for event in happened) else None


def outcome(state: State) -> Outcome | None:
    return state.phase.result if isinstance(state.phase, phases.Over) else None
