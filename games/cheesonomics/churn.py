"""Churning: the name, the gifts, the shown hands, what is given back (ECO-8 to ECO-11)."""

from __future__ import annotations

from typing import assert_never

from games.cheesonomics.ending import end_turn
from games.cheesonomics.pieces import CHURN_ROUNDS, TRAITS, Trait, has, kinds, tidy
from games.cheesonomics.table import (
    Awaited,
    Churn,
    Churned,
    ChurnEvent,
    Collected,
    Event,
    Gave,
    GaveBack,
    Gifts,
    Give,
    GiveBack,
    GivingBack,
    Picking,
    Protected,
    State,
    TakeShown,
    TookShown,
)
from games.core import IllegalMove, Offer, One, Seat, offer
from games.kit import Story, put, replace, without


def may_churn(state: State) -> bool:
    """ECO-7: not after three rounds of nothing but churns."""
    return state.churns < CHURN_ROUNDS * len(state.hands)


def name_offers(state: State) -> tuple[Offer, ...]:
    if not may_churn(state):
        return ()
    return (offer(Churn, trait=One(tuple([trait for trait in TRAITS if trait not in state.tray]))),)


def gift_offers(state: State, seat: Seat, phase: Gifts) -> tuple[Offer, ...]:
    return (offer(Give, wedge=One(kinds([wedge for wedge in state.hands[seat] if has(wedge, phase.trait)]))),)


def pick_offers(state: State, phase: Picking) -> tuple[Offer, ...]:
    return tuple(offer(TakeShown, seat=giver, wedge=One(kinds(state.hands[giver]))) for giver in phase.showing)


def give_back_offers(state: State, seat: Seat, phase: GivingBack) -> tuple[Offer, ...]:
    return (offer(GiveBack, seat=One(phase.owed), wedge=One(kinds(state.hands[seat]))),)


def refuse_name(state: State, move: Churn) -> IllegalMove:
    if not may_churn(state):
        return IllegalMove("ECO-7", "everybody has churned for three rounds: produce or sell")
    if move.trait in state.tray:
        knife = state.knives[state.tray.index(move.trait)]
        return IllegalMove("ECO-11", f"the {knife} knife lies on {move.trait}")
    return IllegalMove("ECO-8", f"{move.trait} is neither a colour nor an animal")


def refuse_gift(state: State, seat: Seat, phase: Gifts, move: Give) -> IllegalMove:
    if move.wedge not in state.hands[seat]:
        return IllegalMove("ECO-8", f"you do not hold {move.wedge}")
    return IllegalMove("ECO-8", f"{phase.trait} is asked for and you have some, so {move.wedge} will not do")


def refuse_pick(phase: Picking, move: TakeShown) -> IllegalMove:
    if move.seat not in phase.showing:
        return IllegalMove("ECO-8", f"seat {move.seat} shows you no hand from which to take")
    return IllegalMove("ECO-8", f"there is no {move.wedge} in that hand")


def refuse_give_back(phase: GivingBack, move: GiveBack) -> IllegalMove:
    if move.seat not in phase.owed:
        return IllegalMove("ECO-9", f"you owe seat {move.seat} no wedge")
    return IllegalMove("ECO-9", f"you do not hold {move.wedge}")


def name(story: Story[State, Event], seat: Seat, trait: Trait) -> None:
    state = story.state
    n = len(state.hands)
    opponents = tuple((seat + step) % n for step in range(1, n))
    matching = tuple([other for other in opponents if any(has(wedge, trait) for wedge in state.hands[other])])
    showing = tuple([other for other in opponents if other not in matching])
    story.add(Churned(seat, trait, matching, showing))
    if matching:
        story.add(Awaited(Gifts(trait, matching, showing)))
    else:
        _collect(story, trait, showing)


def give(story: Story[State, Event], seat: Seat, phase: Gifts, move: Give) -> None:
    story.add(Gave(seat, move.wedge))
    if len(phase.choosing) == 1:
        _collect(story, phase.trait, phase.showing)


def _collect(story: Story[State, Event], trait: Trait, showing: tuple[Seat, ...]) -> None:
    state = story.state
    shown = tuple([hand if owner in showing else None for owner, hand in enumerate(state.hands)])
    story.add(Collected(state.turn, state.gifts, shown))
    if showing:
        story.add(Awaited(Picking(trait, showing)))
    else:
        _ask_back(story, trait)


def take_shown(story: Story[State, Event], seat: Seat, phase: Picking, move: TakeShown) -> None:
    story.add(TookShown(seat, move.seat, move.wedge))
    if len(phase.showing) == 1:
        _ask_back(story, phase.trait)


def _ask_back(story: Story[State, Event], trait: Trait) -> None:
    """ECO-9: every opponent has given one, so every opponent gets one."""
    n = len(story.state.hands)
    story.add(Awaited(GivingBack(trait, tuple((story.state.turn + step) % n for step in range(1, n)))))


def give_back(story: Story[State, Event], seat: Seat, phase: GivingBack, move: GiveBack) -> None:
    story.add(GaveBack(seat, move.seat, move.wedge))
    if len(phase.owed) == 1:
        story.add(Protected(seat, phase.trait))
        end_turn(story, seat)


def apply_churn(state: State, event: ChurnEvent) -> State:
    phase = state.phase
    match event:
        case GaveBack(seat, receiver, wedge):
            assert isinstance(phase, GivingBack)
            assert wedge is not None
            giving = replace(phase, owed=without(phase.owed, (receiver,)))
            return _hand_over(replace(state, phase=giving), seat, receiver, wedge)
        case Gave(seat, wedge):
            assert isinstance(phase, Gifts)
            left = replace(phase, choosing=without(phase.choosing, (seat,)))
            return replace(state, phase=left, gifts=put(state.gifts, seat, wedge))
        case Collected(seat, gifts):
            for giver, gift in enumerate(gifts):
                if gift is not None:
                    state = _hand_over(state, giver, seat, gift)
            return state
        case TookShown(seat, giver, wedge):
            assert isinstance(phase, Picking)
            assert wedge is not None
            picking = replace(phase, showing=without(phase.showing, (giver,)))
            state = replace(state, phase=picking, gifts=put(state.gifts, giver, wedge))
            return _hand_over(state, giver, seat, wedge)
        case Protected(seat, trait):
            nothing = (None,) * len(state.gifts)
            return replace(state, tray=put(state.tray, seat, trait), gifts=nothing, churns=state.churns + 1)
        case Churned():
            return state
        case _:
            assert_never(event)


def _hand_over(state: State, giver: Seat, receiver: Seat, wedge: str) -> State:
    hands = list(state.hands)
    hands[giver] = without(hands[giver], (wedge,))
    hands[receiver] = tidy((*hands[receiver], wedge))
    return replace(state, hands=tuple(hands))
