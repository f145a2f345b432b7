"""Chesterfield Charity Cheese Auction: buy cheese at auction and lay down sets of it. 2-8 seats.

Components
CCA-1   44 cards: each has a name, points for a set, a trade value in dollars and perhaps an action.
CCA-2   The deck is the table KINDS [R].

Setting up
CCA-3   Four cards face down are the Reserved Cheese, which nobody sees before the end, when all do.
CCA-4   Each seat has four cards that only it sees, and $20. Money and hand sizes are public.
CCA-5   Four cards face down are the first block; with n seats there are 10 - n blocks.
CCA-6   The first player is drawn by lot [R].
CCA-7   A block: auctioneer auction; four times a cheese auction and then laying down; upkeep. Then the
        first-player card moves left and the next block is dealt, until no cards are left.

The auctioneer auction
CCA-8   From the first player to the left: a turn cashes in any cards for their trade value, in the open, and
        then bids or drops; no actions. An empty hand with too small a bank drops by itself [R].
CCA-9   A bid is higher than the standing one and at most the bank; the first is at least $1 [R].
CCA-10  A seat that drops is out. It ends with one seat left and a bid, or with none left.
CCA-11  The winner pays and is Auctioneer; if nobody bid, the first player is, for nothing.
CCA-12  The Auctioneer alone sees the cards of the block that have not been auctioned yet.

A cheese auction
CCA-13  The Auctioneer shows a card of the block and names a starting price, at most its own bank; it is no bid [R].
CCA-14  From the Auctioneer to the left: a turn cashes in cards and plays actions, in any order, and then bids or
        drops. The first bid is at least the starting price, later ones higher than the standing one.
CCA-15  Actions last for this auction; a seat that dropped plays none, but may play and then drop.
CCA-16  It ends with one seat left that has bid, or with none left; alone without a bid, a seat may bid or drop.
CCA-17  No bid: the card and all actions are discarded, Bleu too.
CCA-18  Else the winner pays and takes the card; actions are discarded, except Bleu.
CCA-19  A winner that Roquefort makes short cashes in until it can pay, or defaults, with an empty hand by itself:
        the card is discarded, it pays nothing, or its bid under Feta, and takes the Bleus [R].
CCA-20  Pecorino: every other seat still in has one more turn, then its player, if still in, the very last [R];
        a later Pecorino fixes the end anew.
CCA-21  Feta: every seat that bid pays its own highest bid [R]. Several are as one.
CCA-22  Roquefort: the winner pays $5 more, for each [R].
CCA-23  Emmental: ends the turn and all actions; seats still in make one secret bid each, at least their last open
        bid and at most their bank; below the starting price is no bid. The highest wins, a tie goes to
        the first from the Auctioneer [R]. Before the reveal others see only that a seat has bid.
CCA-24  Bleu: the winner takes each Bleu and scores -3 for it at once, even when it defaults [R].

Laying down sets
CCA-25  All seats at once, each until it says that it is done. A seat with no card, or with one card and no own
        set free for a Gruyere, is done by itself [R].
CCA-26  A set is two or more cards of one cheese; it scores points x (size - 1).
CCA-27  It is not added to before the final merge; more of that cheese is a set of its own.

Upkeep
CCA-28  A seat with more than four cards pays $4 for each above the fourth or discards, down to four. All decide at
        once, what they discard is revealed together, and nothing is cashed in [R].
CCA-29  A seat with fewer gains $4 for each card missing, with the reveal; after the last block too [R].

The end
CCA-30  Each seat may merge cards from its hand into its own sets of that cheese, all at once until done; with no
        card or no set it is done by itself [R]. No new sets; hands that are left are never shown.
CCA-31  One Cheddar may stand in for a card of a set: when it is laid, beside a real card, or at the merge [R].
CCA-32  A Gruyere may be melted across an own set that lies, one to a set: 2 points more [R].
CCA-33  Most points win; then the best single set; then the victory is shared.
"""

from __future__ import annotations

from games.chance import Chance
from games.chesterfield import auctions, sets
from games.chesterfield.course import apply
from games.chesterfield.moves import (
    BidSecretly,
    BlockDealt,
    ChoiceCame,
    Dealt,
    Default,
    Ended,
    Event,
    Finish,
    Keep,
    MergingBegan,
    Move,
    Present,
    UpkeepBegan,
)
from games.chesterfield.sight import View, imagine, show, view
from games.chesterfield.table import (
    BLOCK,
    DECK,
    HAND,
    POINTS,
    RESERVED,
    AuctioneerAuction,
    Auctions,
    CheeseAuction,
    Choosing,
    Laying,
    LayingDown,
    Merging,
    Options,
    Over,
    Paying,
    SilentAuction,
    State,
    Upkeep,
    to_act,
)
from games.core import Game, IllegalMove, Offer, Outcome, Seat
from games.kit import Drop, Story, cut


def setup(seats: int, options: Options, chance: Chance) -> tuple[Event, ...]:
    first = chance.below(seats)
    reserved, *hands, block, deck = cut(chance.shuffled(DECK), (RESERVED, *(HAND,) * seats, BLOCK))
    return (Dealt(first, reserved, tuple(hands), block, deck),)


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    phase = state.phase
    if seat not in to_act(state):
        return ()
    if isinstance(phase, Auctions):
        return auctions.offers(state, seat, phase)
    return () if isinstance(phase, Over) else sets.offers(state, seat, phase)


def refuse(state: State, seat: Seat, move: Move) -> IllegalMove:
    phase = state.phase
    if isinstance(phase, Over):
        return IllegalMove(phase.result.rule, "the game is over")
    if seat not in to_act(state):
        return _refuse_waiting(state, seat)
    if isinstance(phase, Auctions):
        return auctions.refuse(state, seat, move, phase)
    return sets.refuse(state, seat, move, phase)


def _refuse_waiting(state: State, seat: Seat) -> IllegalMove:
    """Why a seat that the table does not wait for may do nothing."""
    match state.phase:
        case AuctioneerAuction(auction) if auction.dropped[seat]:
            return IllegalMove("CCA-10", "you have dropped out of this auction")
        case CheeseAuction(auction=auction) if auction.dropped[seat]:
            return IllegalMove("CCA-15", "you have dropped out of this auction")
        case AuctioneerAuction(auction):
            return IllegalMove("CCA-8", f"it is seat {auction.turn}'s turn")
        case CheeseAuction(auction=auction):
            return IllegalMove("CCA-14", f"it is seat {auction.turn}'s turn")
        case Choosing():
            return IllegalMove("CCA-13", "the Auctioneer chooses a card")
        case SilentAuction():
            return IllegalMove("CCA-23", "you have dropped, or your secret bid is made and final")
        case Paying():
            return IllegalMove("CCA-19", "the winner is finding the money")
        case Upkeep():
            return IllegalMove("CCA-28", "you have nothing to decide, or have decided")
        case Merging():
            return IllegalMove("CCA-30", "you are done with merging")
        case _:
            return IllegalMove("CCA-25", "you are done with laying down")


def play(state: State, seat: Seat, move: Move, chance: Chance) -> tuple[Event, ...]:
    story = Story(apply, state)
    if isinstance(state.phase, Auctions):
        auctions.play(story, seat, move)
    else:
        sets.play(story, seat, move)
    _go_on(story)
    return story.told()


def _go_on(story: Story[State, Event]) -> None:
    """CCA-7: one part of the game follows the other, until some seat is asked."""
    while not isinstance(story.state.phase, Auctions):
        state = story.state
        if isinstance(state.phase, Laying):
            sets.finish_by_themselves(story)
        if to_act(story.state):
            return
        match state.phase:
            case LayingDown():
                story.add(ChoiceCame() if state.block else UpkeepBegan())
            case Upkeep():
                sets.reveal_upkeep(story)
                _deal_block(story)
            case Merging():
                story.add(Ended(sets.result(state), state.reserved))
            case _:
                return


def _deal_block(story: Story[State, Event]) -> None:
    """CCA-7; without cards to deal comes the final merge (CCA-30).

    Nobody drops by itself at once (CCA-8): an empty hand has just gained dollars at upkeep.
    """
    state = story.state
    if state.deck:
        story.add(BlockDealt((state.first + 1) % len(state.hands), state.deck[:BLOCK]))
    else:
        story.add(MergingBegan())


def absent(state: State, seat: Seat) -> Move:
    """Spend nothing: drop, bid the least, default, finish; discard no more than must be, the lowest cards first."""
    match state.phase:
        case AuctioneerAuction() | CheeseAuction():
            return Drop()
        case Choosing():
            return Present(state.block[0], 0)
        case SilentAuction(auction=auction):
            return BidSecretly(auction.bids[seat] or 0)
        case Paying():
            return Default()
        case Upkeep():
            least = offers(state, seat)[0].fill["discard"].least
            return Keep(tuple(sorted(state.hands[seat], key=lambda card: POINTS[card])[:least]))
        case _:
            return Finish()


def outcome(state: State) -> Outcome | None:
    return state.phase.result if isinstance(state.phase, Over) else None


GAME = Game(
    name="chesterfield",
    title="Chesterfield Charity Cheese Auction",
    blurb="Buy cheese at auction, play tricks on the bidding, and lay down the best sets.",
    prefix="CCA",
    seats=range(2, 9),
    options=Options,
    state=State,
    moves=Move,
    events=Event,
    views=View,
    setup=setup,
    to_act=to_act,
    offers=offers,
    play=play,
    refuse=refuse,
    apply=apply,
    view=view,
    show=show,
    absent=absent,
    outcome=outcome,
    imagine=imagine,
)
