"""Cheesonomics: churn, produce and sell cheese; most curds win. 2-5 seats; mild and sharp.

The box
ECO-1   100 cheese wedges: 5 animals x 5 colours x 4 copies. Two of the four carry the animal's market symbol [R].
        Wedges that are alike are interchangeable. A symbol is seen wherever its wedge is seen.
ECO-2   25 two-sided market wedges. Each side has a colour, and some have a ribbon (MARKET_BACKS [R]).
ECO-3   Five knives, and a tray with a space for each colour and each animal.

Setting up
ECO-4   With 2, 3, 4 or 5 seats, 60, 40, 20 or 0 of the shuffled cheese wedges leave the game unseen.
ECO-5   Fifteen market wedges, each with a random side up, form three public wheels of five. The sides that are down are
        not public. The other ten leave the game (mild).
ECO-6   Each seat gets five wedges that only it sees, and a random knife. The seat whose knife is first in the alphabet
        starts; turns go clockwise. The bank never runs out [R].

A turn
ECO-7   The seat takes its knife off the tray, then churns, produces or sells. It may not churn if the last
        3 x seats turns were all churns [R].
ECO-8   Churn: name a trait (a colour or an animal) on which no knife lies. Every opponent with a match chooses a
        matching wedge to give, all at once and finally. The others show the churner their hands; who they are is
        public [R]. When all gifts are in, the churner sees everything together and takes a wedge from each shown hand.
ECO-9   Then it gives one wedge, held or received, back to each opponent. All hands keep their size.
ECO-10  Only giver and receiver see a gift [R]. Only the churner sees a shown hand [R].
ECO-11  The churner's knife goes on that space: nobody else may name it until the churner's next turn.
ECO-12  Produce: lay all wedges of one trait from the hand into one's own public wheels, then draw back to five.
ECO-13  Sell: one to three wedges of one trait from one's own wheels. Each brings one curd for each market wedge that
        shows its colour, and two for one with a ribbon. A colour that no market wedge shows cannot be sold.
ECO-14  Sold wedges go to the seat's fulfilment pile, which only it may look at until the end. Money is public [R].
ECO-15  Then the seat flips one market wedge that shows a colour that it just sold.

The end
ECO-16  When the pile is empty, the game ends after that turn. Each seat after it and before the starting seat may make
        one last sale, which does not change the market, or decline. A seat with nothing to sell is passed over.
ECO-17  Each unsold wedge on the wheels brings 1 curd. These wedges and the hands leave the game.
ECO-18  For each animal, every seat that sold the most of it, at least one, gets as many curds as it sold of it.
ECO-19  Most curds win. Ties are broken by more different colours sold; if still tied, the victory is shared.
ECO-20  Hands have five wedges until the pile is empty, so on every turn something can be done.

Sharp
ECO-21  The ten other market wedges are dealt: 5, 3, 2 or 2 to each of 2, 3, 4 or 5 seats. The rest is the market
        discard. A seat alone sees its own market wedges, both sides.
ECO-22  After a sale the seat replaces a market wedge that shows a sold colour by one of its own, either side up [R].
        Then it flips (ECO-15), unless nothing shows a sold colour now. Then it takes (ECO-23).
ECO-23  [R] It takes a wedge of its choice from the discard, and the replaced one goes there. Only this seat looks
        through the discard, and only now or in the swap of ECO-25. If the discard is empty, it keeps the replaced
        one. All sizes stay and are public.
ECO-24  Nobody may look at the down sides in the market.
ECO-25  If a sold wedge carries a symbol, the seat may swap once: put a market wedge of its own on the discard and take
        another [R]; or name an opponent, see that supply, and then choose in one move which of its wedges to take and
        which own one to give. A swap that was named cannot be withdrawn [R]. The kind of swap and with whom is public,
        the wedges are not.
ECO-26  Last sales replace, flip and swap [R] nothing.
"""

from __future__ import annotations

from typing import assert_never

import msgspec

from games.about import About
from games.chance import Chance
from games.cheesonomics import churn, events, market, moves, phases
from games.cheesonomics.ending import last_sale_after
from games.cheesonomics.events import Event as Event
from games.cheesonomics.fold import apply as apply
from games.cheesonomics.moves import Move as Move
from games.cheesonomics.pieces import CHEESE, HAND, KNIVES, MARKET, REMOVED, SIDES, SUPPLY, WHEEL, WHEELS, tidy
from games.cheesonomics.produce import produce, produce_offers
from games.cheesonomics.table import Options as Options
from games.cheesonomics.table import State as State
from games.cheesonomics.visibility import View as View
from games.cheesonomics.visibility import imagine as imagine
from games.cheesonomics.visibility import show as show
from games.cheesonomics.visibility import view as view
from games.core import Beat, Outcome, Seat
from games.kit import Story
from games.offers import Offer, fillings, offer
from games.refusals import Tried

TITLE = "Cheesonomics"
BLURB = "Churn, produce and sell cheese while the market moves under your knives."
PREFIX = "ECO"
VERSION = 2  # in version 1 a swap named the wedge to give (ECO-25)
SEATS = range(2, 6)
ABOUT = About(
    minutes=(30, 45),
    weight="heavy",
    how=(
        "On your turn: get wedges of one kind from everybody, lay wedges out in your wheels, or sell up to three.",
        "A colour brings one curd for each market wedge that shows it, two with a ribbon. Selling usually lowers it.",
        "The game ends with the pile of cheese. Most curds win.",
    ),
    choices={
        "variant": (
            ("Mild", "One market for all."),
            ("Sharp", "You also have market wedges of your own and put one in whenever you sell."),
        ),
    },
)


def setup(seats: int, options: Options, chance: Chance) -> tuple[Event, ...]:
    knives = chance.shuffled(KNIVES)[:seats]
    start = min(range(seats), key=lambda seat: KNIVES.index(knives[seat]))  # ECO-6
    cheese = chance.shuffled(CHEESE)
    out, cheese = cheese[: REMOVED[seats]], cheese[REMOVED[seats] :]
    wedges = chance.shuffled(MARKET)
    laid, left = wedges[: WHEEL * WHEELS], wedges[WHEEL * WHEELS :]
    sides = [SIDES[wedge] if chance.below(2) else SIDES[wedge][::-1] for wedge in laid]
    sharp = options.variant == "sharp"
    size = SUPPLY[seats] if sharp else 0
    dealt = events.Dealt(
        sharp=sharp,
        start=start,
        knives=knives,
        hands=tuple(tidy(cheese[seat * HAND : (seat + 1) * HAND]) for seat in range(seats)),
        pile=cheese[seats * HAND :],
        out=out,
        market=tuple(up for up, _ in sides),
        downs=tuple(down for _, down in sides),
        supplies=tuple(tidy(left[seat * size : (seat + 1) * size]) for seat in range(seats)),
        discard=tidy(left[seats * size :]) if sharp else (),
        spare=() if sharp else left,
    )
    return (dealt, events.TurnCame(start))


def to_act(state: State) -> tuple[Seat, ...]:
    match state.phase:
        case phases.Gifts(_, choosing):
            return choosing
        case phases.Over():
            return ()
        case _:
            return (state.turn,)


def offers(state: State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    if seat not in to_act(state):
        if tried:
            _refuse_waiting(state, seat, tried)
        return ()
    found = _offers(state, seat, tried)
    if tried:
        tried.only(found, *AWAITED[type(state.phase)])
    return found


def _offers(state: State, seat: Seat, tried: Tried | None) -> tuple[Offer, ...]:
    match state.phase:
        case phases.Turn():
            return (
                churn.name_offers(state, tried)
                + produce_offers(state, seat, tried)
                + market.sell_offers(state, seat, tried)
            )
        case phases.Gifts() as phase:
            return churn.gift_offers(state, seat, phase, tried)
        case phases.Picking() as phase:
            return churn.pick_offers(state, phase, tried)
        case phases.GivingBack() as phase:
            return churn.give_back_offers(state, seat, phase, tried)
        case phases.Replacing() as phase:
            return market.replace_offers(state, seat, phase, tried)
        case phases.Flipping() as phase:
            return market.flip_offers(state, phase, tried)
        case phases.Exchanging(other) if other is not None and state.offered is None:
            return market.exchange_offers(state, seat, other, tried)
        case phases.Taking() | phases.Exchanging():
            return market.take_offers(state, tried)
        case phases.Swapping():
            return (*market.swap_offers(state, seat, tried), offer(moves.Decline))
        case phases.LastSale():
            return (*market.sell_offers(state, seat, tried), offer(moves.Decline))
        case phases.Over():
            return ()
        case _:
            assert_never(state.phase)


def _refuse_waiting(state: State, seat: Seat, tried: Tried) -> None:
    """Refuse a move of a seat that the table does not wait for."""
    match state.phase:
        case phases.Over(result):
            tried.refuse(result.rule, "the game is over")
        case phases.Gifts(showing=showing):
            if seat == state.turn or seat in showing:
                tried.refuse("ECO-8", "wait until everybody who has a match has chosen a gift")
            tried.refuse("ECO-8", "you have chosen your gift, and that is final")
        case _:
            tried.refuse("ECO-6", f"it is the turn of seat {state.turn + 1}")


AWAITED: dict[type, tuple[str, str]] = {
    phases.Turn: ("ECO-7", "on your turn churn, produce or sell"),
    phases.Gifts: ("ECO-8", "choose the wedge that you give"),
    phases.Picking: ("ECO-8", "take a wedge from each hand that you are shown"),
    phases.GivingBack: ("ECO-9", "give a wedge back to each opponent"),
    phases.Replacing: ("ECO-22", "replace a market wedge by one of your own"),
    phases.Flipping: ("ECO-15", "flip a market wedge of a colour that you sold"),
    phases.Taking: ("ECO-23", "take a market wedge from the discard"),
    phases.Swapping: ("ECO-25", "swap a market wedge or decline"),
    phases.Exchanging: ("ECO-25", "complete the swap that you named"),
    phases.LastSale: ("ECO-16", "make a last sale or decline"),
}


def play(state: State, seat: Seat, move: Move, chance: Chance) -> tuple[Event, ...]:
    story = Story(apply, state)
    match state.phase:
        case phases.Turn() | phases.LastSale():
            _play_turn(story, seat, move)
        case phases.Gifts() as phase:
            assert isinstance(move, moves.Give)
            churn.give(story, seat, phase, move)
        case phases.Picking() as phase:
            assert isinstance(move, moves.TakeShown)
            churn.take_shown(story, seat, phase, move)
        case phases.GivingBack() as phase:
            assert isinstance(move, moves.GiveBack)
            churn.give_back(story, seat, phase, move)
        case phases.Replacing() as phase:
            assert isinstance(move, moves.Replace)
            market.replace_wedge(story, seat, phase, move)
        case phases.Flipping() as phase:
            assert isinstance(move, moves.Flip)
            market.flip(story, seat, phase, move)
        case phases.Taking() | phases.Exchanging() as phase:
            assert isinstance(move, (moves.Take, moves.Exchange))
            market.take(story, seat, phase, move)
        case phases.Swapping():
            market.swap(story, seat, move)
        case phases.Over():
            raise AssertionError("the game is over")
        case _:
            assert_never(state.phase)
    return story.applied()


def _play_turn(story: Story[State, Event], seat: Seat, move: Move) -> None:
    match move:
        case moves.Churn(trait):
            churn.name(story, seat, trait)
        case moves.Produce(trait):
            produce(story, seat, trait)
        case moves.Sell():
            market.sell(story, seat, move)
        case moves.Decline():
            story.add(events.Declined(seat))
            last_sale_after(story, seat)
        case _:
            raise AssertionError(f"{move} is no move of a turn")


def absent(state: State, seat: Seat) -> Move:
    """Produce or decline, or else make the first move that is offered."""
    first = offers(state, seat)[0]
    match state.phase:
        case phases.Turn():
            first = produce_offers(state, seat)[0]
        case phases.Swapping() | phases.LastSale():
            return moves.Decline()
    move: Move = msgspec.convert(next(fillings(first)), Move)
    return move


def beat(state: State, happened: tuple[Event, ...]) -> Beat | None:
    """A market wedge is turned over, and the curds are counted at the end."""
    lengths = {events.Flipped: 1000, events.Ended: 1800}
    ms = sum(lengths.get(type(event), 0) for event in happened)
    return Beat(ms) if ms else None


def outcome(state: State) -> Outcome | None:
    return state.phase.result if isinstance(state.phase, phases.Over) else None
