"""Cheesonomics: churn, produce and sell cheese; most curds win. 2-5 seats; mild and sharp.

The box
ECO-1   100 cheese wedges: 5 animals x 5 colours x 4 copies. Two of the four carry the animal's market symbol [R].
        Like wedges are interchangeable; a symbol is seen wherever its wedge is.
ECO-2   25 two-sided market wedges, each side a colour, some with a ribbon (MARKET_BACKS [R]).
ECO-3   Five knives; a tray with a space for each colour and each animal.

Setting up
ECO-4   Of the shuffled cheese 60, 40, 20 or 0 wedges leave unseen with 2, 3, 4 or 5 seats.
ECO-5   Fifteen market wedges, a random side up, form three public wheels of five; what is down is not public.
        The other ten leave the game (mild).
ECO-6   Five wedges to each seat, seen by it only, and a random knife. The first knife in the alphabet starts,
        then clockwise. The bank never runs out [R].

A turn
ECO-7   The seat takes its knife off the tray, then churns, produces or sells. It may not churn if the last
        3 x seats turns were all churns [R].
ECO-8   Churn: name a trait on which no knife lies. Every opponent with a match gives one of its choice, all at
        once and finally. The others, who are public [R], show the churner their hands; when all gifts are in,
        it sees everything together and takes one from each shown hand.
ECO-9   Then it gives one wedge, held or received, back to each opponent. All hands keep their size.
ECO-10  A gift is seen by giver and receiver only [R], a shown hand by the churner only [R].
ECO-11  The churner's knife goes on that space: nobody else may name it until the churner's next turn.
ECO-12  Produce: lay all wedges of one trait from the hand into the own public wheels; draw back to five.
ECO-13  Sell: one to three wedges of one trait from the own wheels. Each brings one curd for each market wedge
        showing its colour, two for one with a ribbon. A colour that nothing shows cannot be sold.
ECO-14  Sold wedges go to the seat's fulfilment pile, which only it may look at until the end. Money is public [R].
ECO-15  Then the seat flips one market wedge showing a colour that it just sold.

The end
ECO-16  When the pile is empty the game ends after that turn; each seat after it and before the starting seat may
        make one last sale, market untouched, or decline; a seat with nothing to sell is passed over.
ECO-17  Each unsold wedge on the wheels brings 1 curd; those and the hands leave the game.
ECO-18  For each animal, every seat that sold the most of it, at least one, gets as many curds as it sold of it.
ECO-19  Most curds win; then more different colours sold; then the victory is shared.
ECO-20  Hands are five until the pile is empty, so every turn has something that can be done.

Sharp
ECO-21  The ten other market wedges are dealt, 5, 3, 2 or 2 each with 2, 3, 4 or 5 seats; the rest is the market
        discard. A seat alone sees its own, both sides.
ECO-22  After a sale the seat replaces a market wedge showing a sold colour by one of its own, either side up [R];
        then flips (ECO-15), unless nothing shows a sold colour now; then takes.
ECO-23  It takes a wedge of its choice from the discard, which it alone looks through, only now, and the replaced
        one goes there; if the discard was empty it keeps the replaced one. All sizes stay and are public.
ECO-24  Down sides in the market may not be looked at.
ECO-25  If a wedge sold carries a symbol, the seat may swap once: put an own market wedge on the discard and take
        another [R]; or name an opponent and a wedge to give, then see its supply and take one. Once named it
        cannot be withdrawn [R]. The kind of swap and with whom is public, the wedges are not.
ECO-26  Last sales replace, flip and swap [R] nothing.
"""

from __future__ import annotations

from typing import assert_never

import msgspec

from games.chance import Chance
from games.cheesonomics.churn import (
    apply_churn,
    gift_offers,
    give,
    give_back,
    give_back_offers,
    name,
    name_offers,
    pick_offers,
    refuse_gift,
    refuse_give_back,
    refuse_name,
    refuse_pick,
    take_shown,
)
from games.cheesonomics.ending import last_sale_after
from games.cheesonomics.market import (
    apply_market,
    decline_swap,
    flip,
    flip_offers,
    name_swap,
    refuse_flip,
    refuse_replace,
    refuse_sell,
    refuse_swap,
    refuse_take,
    replace_offers,
    replace_wedge,
    sell,
    sell_offers,
    swap_offers,
    take,
    take_offers,
)
from games.cheesonomics.pieces import CHEESE, HAND, KNIVES, MARKET, REMOVED, SIDES, SUPPLY, WHEEL, WHEELS, tidy
from games.cheesonomics.produce import produce, produce_offers, refuse_produce
from games.cheesonomics.sight import imagine, show, view
from games.cheesonomics.table import (
    Awaited,
    Churn,
    Churned,
    Collected,
    Dealt,
    Decline,
    Declined,
    Drew,
    Ended,
    Event,
    Exchanging,
    Flip,
    Flipped,
    Flipping,
    Gave,
    GaveBack,
    Gifts,
    Give,
    GiveBack,
    GivingBack,
    Kept,
    LastSale,
    LastSaleCame,
    Move,
    Options,
    Over,
    PassedOver,
    Picking,
    Produce,
    Produced,
    Protected,
    Replace,
    Replaced,
    Replacing,
    Sell,
    Sold,
    State,
    SwapDiscard,
    SwapNamed,
    Swapped,
    Swapping,
    SwapSeat,
    Take,
    TakeShown,
    Taking,
    Took,
    TookShown,
    Turn,
    TurnCame,
    View,
)
from games.core import Game, IllegalMove, Offer, Outcome, Seat, fillings, offer
from games.kit import Story, put, replace, without


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
    dealt = Dealt(
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
    return (dealt, TurnCame(start))


def to_act(state: State) -> tuple[Seat, ...]:
    match state.phase:
        case Gifts(_, choosing):
            return choosing
        case Over():
            return ()
        case _:
            return (state.turn,)


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    if seat not in to_act(state):
        return ()
    match state.phase:
        case Turn():
            return name_offers(state) + produce_offers(state, seat) + sell_offers(state, seat)
        case Gifts() as phase:
            return gift_offers(state, seat, phase)
        case Picking() as phase:
            return pick_offers(state, phase)
        case GivingBack() as phase:
            return give_back_offers(state, seat, phase)
        case Replacing() as phase:
            return replace_offers(state, seat, phase)
        case Flipping() as phase:
            return flip_offers(state, phase)
        case Taking() | Exchanging():
            return take_offers(state)
        case Swapping():
            return (*swap_offers(state, seat), offer(Decline))
        case LastSale():
            return (*sell_offers(state, seat), offer(Decline))
        case Over():
            return ()
        case _:
            assert_never(state.phase)


def refuse(state: State, seat: Seat, move: Move) -> IllegalMove:
    if isinstance(state.phase, Over):
        return IllegalMove(state.phase.result.rule, "the game is over")
    if seat not in to_act(state):
        if isinstance(state.phase, Gifts):
            return IllegalMove("ECO-8", "the others are choosing their gifts; a choice is final")
        return IllegalMove("ECO-6", f"it is seat {state.turn}'s turn")
    match state.phase, move:
        case Turn(), Churn():
            return refuse_name(state, move)
        case Turn(), Produce():
            return refuse_produce(move)
        case Turn() | LastSale(), Sell():
            return refuse_sell(state, seat, move)
        case Gifts() as phase, Give():
            return refuse_gift(state, seat, phase, move)
        case Picking() as phase, TakeShown():
            return refuse_pick(phase, move)
        case GivingBack() as phase, GiveBack():
            return refuse_give_back(phase, move)
        case Replacing() as phase, Replace():
            return refuse_replace(state, seat, phase, move)
        case Flipping() as phase, Flip():
            return refuse_flip(phase, move)
        case Taking() | Exchanging(), Take():
            return refuse_take(state, move)
        case Swapping(), SwapDiscard() | SwapSeat():
            return refuse_swap(state, seat, move)
        case phase, _:
            return IllegalMove(*AWAITED[type(phase)])


AWAITED = {
    Turn: ("ECO-7", "churn, produce or sell"),
    Gifts: ("ECO-8", "choose the wedge that you give"),
    Picking: ("ECO-8", "take a wedge from each hand that you are shown"),
    GivingBack: ("ECO-9", "give a wedge back to each opponent"),
    Replacing: ("ECO-22", "replace a market wedge by one of your own"),
    Flipping: ("ECO-15", "flip a market wedge of a colour that you sold"),
    Taking: ("ECO-23", "take a market wedge from the discard"),
    Swapping: ("ECO-25", "swap a market wedge or decline"),
    Exchanging: ("ECO-25", "take the market wedge for which you swap"),
    LastSale: ("ECO-16", "make a last sale or decline"),
}


def play(state: State, seat: Seat, move: Move, chance: Chance) -> tuple[Event, ...]:
    story = Story(apply, state)
    match state.phase, move:
        case Turn(), Churn(trait):
            name(story, seat, trait)
        case Turn(), Produce(trait):
            produce(story, seat, trait)
        case Turn() | LastSale(), Sell():
            sell(story, seat, move)
        case Gifts() as phase, Give():
            give(story, seat, phase, move)
        case Picking() as phase, TakeShown():
            take_shown(story, seat, phase, move)
        case GivingBack() as phase, GiveBack():
            give_back(story, seat, phase, move)
        case Replacing() as phase, Replace():
            replace_wedge(story, seat, phase, move)
        case Flipping() as phase, Flip():
            flip(story, seat, phase, move)
        case Taking() | Exchanging() as phase, Take():
            take(story, seat, phase, move)
        case Swapping(), SwapDiscard() | SwapSeat():
            name_swap(story, seat, move)
        case Swapping(), Decline():
            decline_swap(story, seat)
        case LastSale(), Decline():
            story.add(Declined(seat))
            last_sale_after(story, seat)
        case phase, _:
            raise AssertionError(f"{move} is never offered in {phase}")
    return story.told()


def apply(state: State | None, event: Event) -> State:
    if state is None:
        assert isinstance(event, Dealt)
        return _dealt(event)
    match event:
        case Awaited(phase):
            return replace(state, phase=phase)
        case TurnCame(seat):
            return replace(state, turn=seat, phase=Turn(), tray=put(state.tray, seat, None))
        case GaveBack() | Gave() | TookShown() | Churned() | Collected() | Protected():
            return apply_churn(state, event)
        case Produced(seat, _, wedges):
            hands = put(state.hands, seat, without(state.hands[seat], wedges))
            wheels = put(state.wheels, seat, tidy(state.wheels[seat] + wedges))
            return replace(state, hands=hands, wheels=wheels, churns=0)
        case Drew(seat, wedges):
            hands = put(state.hands, seat, tidy(state.hands[seat] + wedges))  # type: ignore[operator]
            return replace(state, hands=hands, pile=state.pile[len(wedges) :])
        case Sold(seat, _, wedges, curds):
            return replace(
                state,
                wheels=put(state.wheels, seat, without(state.wheels[seat], wedges)),
                sold=put(state.sold, seat, tidy(state.sold[seat] + wedges)),
                curds=put(state.curds, seat, state.curds[seat] + curds),
                churns=0,
            )
        case Flipped() | Replaced() | Took() | Kept() | SwapNamed() | Swapped():
            return apply_market(state, event)
        case LastSaleCame(seat):
            return replace(state, turn=seat, phase=LastSale())
        case Declined() | PassedOver():
            return state
        case Ended():
            return _ended(state, event)
        case Dealt():
            raise ValueError("a game is dealt once")
        case _:
            assert_never(event)


def _dealt(event: Dealt) -> State:
    seats = len(event.hands)
    return State(
        sharp=event.sharp,
        start=event.start,
        knives=event.knives,
        tray=(None,) * seats,
        hands=event.hands,  # type: ignore[arg-type]
        pile=event.pile,  # type: ignore[arg-type]
        out=event.out,  # type: ignore[arg-type]
        wheels=((),) * seats,
        sold=((),) * seats,
        curds=(0,) * seats,
        market=event.market,
        downs=event.downs,  # type: ignore[arg-type]
        supplies=event.supplies,  # type: ignore[arg-type]
        discard=event.discard,  # type: ignore[arg-type]
        spare=event.spare,  # type: ignore[arg-type]
        turn=event.start,
        phase=Turn(),
        gifts=(None,) * seats,
    )


def _ended(state: State, event: Ended) -> State:
    """ECO-17: unsold wedges and hands leave the game."""
    nothing: tuple[tuple[str, ...], ...] = ((),) * len(state.hands)
    gone = tuple(wedge for group in state.hands + state.wheels for wedge in group)
    return replace(
        state,
        phase=Over(event.result, event.scores),
        hands=nothing,
        wheels=nothing,
        out=state.out + gone,
        curds=tuple(score.total for score in event.scores),
    )


def absent(state: State, seat: Seat) -> Move:
    """Produce, decline, or the first of what else there is to do."""
    first = offers(state, seat)[0]
    match state.phase:
        case Turn():
            first = produce_offers(state, seat)[0]
        case Swapping() | LastSale():
            return Decline()
    move: Move = msgspec.convert(next(fillings(first)), Move)
    return move


def outcome(state: State) -> Outcome | None:
    return state.phase.result if isinstance(state.phase, Over) else None


GAME = Game(
    name="cheesonomics",
    title="Cheesonomics",
    blurb="Churn, produce and sell cheese while the market moves under your knives.",
    prefix="ECO",
    seats=range(2, 6),
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
