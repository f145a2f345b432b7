"""Churning: naming a trait, gifts, shown hands, and giving back (ECO-8 to ECO-11)."""

from __future__ import annotations

from typing import assert_never

from games.cheesonomics import events, moves, phases
from games.cheesonomics.ending import end_turn
from games.cheesonomics.events import ChurnEvent, Event
from games.cheesonomics.pieces import CHURN_ROUNDS, TRAITS, Trait, has, kinds, tidy
from games.cheesonomics.table import State
from games.core import Seat
from games.kit import Story, put, replace, without
from games.offers import Choice, Offer, offer
from games.refusals import Tried


def may_churn(state: State) -> bool:
    """ECO-7: return False after three rounds of nothing but churns."""
    return state.churns < CHURN_ROUNDS * len(state.hands)


def name_offers(state: State, tried: Tried | None) -> tuple[Offer, ...]:
    if not may_churn(state):
        if tried:
            tried.refuse("ECO-7", "everybody has churned for three rounds, so produce or sell", moves.Churn)
        return ()
    free = Choice(tuple([trait for trait in TRAITS if trait not in state.tray]))
    if tried:
        tried.needs(moves.Churn, "ECO-8", "name a colour or an animal", trait=Choice(TRAITS))
        knives = " and on ".join(trait for trait in TRAITS if trait not in free.of)
        tried.needs(moves.Churn, "ECO-11", f"a knife lies on {knives}, so name something else", trait=free)
    return (offer(moves.Churn, trait=free),)


def gift_offers(state: State, seat: Seat, phase: phases.Gifts, tried: Tried | None) -> tuple[Offer, ...]:
    hand = state.hands[seat]
    gifts = Choice(kinds([wedge for wedge in hand if has(wedge, phase.trait)]))
    if tried:
        tried.needs(moves.Give, "ECO-8", "give a wedge that you hold", wedge=Choice(hand))
        tried.needs(moves.Give, "ECO-8", f"you have some {phase.trait}, so give one of those", wedge=gifts)
    return (offer(moves.Give, wedge=gifts),)


def pick_offers(state: State, phase: phases.Picking, tried: Tried | None) -> tuple[Offer, ...]:
    shown = tuple(
        offer(moves.TakeShown, seat=giver, wedge=Choice(kinds(state.hands[giver]))) for giver in phase.showing
    )
    if tried:
        tried.needs(moves.TakeShown, "ECO-8", "take from a hand that you are shown", seat=Choice(phase.showing))
        tried.among(moves.TakeShown, shown, "ECO-8", "take a wedge that is in that hand")
    return shown


def give_back_offers(state: State, seat: Seat, phase: phases.GivingBack, tried: Tried | None) -> tuple[Offer, ...]:
    owed, held = Choice(phase.owed), Choice(kinds(state.hands[seat]))
    if tried:
        tried.needs(moves.GiveBack, "ECO-9", "you owe that player no wedge", seat=owed)
        tried.needs(moves.GiveBack, "ECO-9", "give a wedge that you hold", wedge=held)
    return (offer(moves.GiveBack, seat=owed, wedge=held),)


def name(story: Story[State, Event], seat: Seat, trait: Trait) -> None:
    state = story.state
    n = len(state.hands)
    opponents = tuple((seat + step) % n for step in range(1, n))
    matching = tuple([other for other in opponents if any(has(wedge, trait) for wedge in state.hands[other])])
    showing = tuple([other for other in opponents if other not in matching])
    story.add(events.Churned(seat, trait, matching, showing))
    if matching:
        story.add(events.Awaited(phases.Gifts(trait, matching, showing)))
    else:
        _collect(story, trait, showing)


def give(story: Story[State, Event], seat: Seat, phase: phases.Gifts, move: moves.Give) -> None:
    story.add(events.Gave(seat, move.wedge))
    if len(phase.choosing) == 1:
        _collect(story, phase.trait, phase.showing)


def _collect(story: Story[State, Event], trait: Trait, showing: tuple[Seat, ...]) -> None:
    state = story.state
    shown = tuple([hand if owner in showing else None for owner, hand in enumerate(state.hands)])
    story.add(events.Collected(state.turn, state.gifts, shown))
    if showing:
        story.add(events.Awaited(phases.Picking(trait, showing)))
    else:
        _ask_back(story, trait)


def take_shown(story: Story[State, Event], seat: Seat, phase: phases.Picking, move: moves.TakeShown) -> None:
    story.add(events.TookShown(seat, move.seat, move.wedge))
    if len(phase.showing) == 1:
        _ask_back(story, phase.trait)


def _ask_back(story: Story[State, Event], trait: Trait) -> None:
    """ECO-9: ask the churner to give a wedge back to every opponent, as every opponent has given one."""
    n = len(story.state.hands)
    story.add(events.Awaited(phases.GivingBack(trait, tuple((story.state.turn + step) % n for step in range(1, n)))))


def give_back(story: Story[State, Event], seat: Seat, phase: phases.GivingBack, move: moves.GiveBack) -> None:
    story.add(events.GaveBack(seat, move.seat, move.wedge))
    if len(phase.owed) == 1:
        story.add(events.Protected(seat, phase.trait))
        end_turn(story, seat)


def apply_churn(state: State, event: ChurnEvent) -> State:
    phase = state.phase
    match event:
        case events.GaveBack(seat, receiver, wedge):
            assert isinstance(phase, phases.GivingBack)
            assert wedge is not None
            giving = replace(phase, owed=without(phase.owed, (receiver,)))
            return _hand_over(replace(state, phase=giving), seat, receiver, wedge)
        case events.Gave(seat, wedge):
            assert isinstance(phase, phases.Gifts)
            left = replace(phase, choosing=without(phase.choosing, (seat,)))
            return replace(state, phase=left, gifts=put(state.gifts, seat, wedge))
        case events.Collected(seat, gifts):
            for giver, gift in enumerate(gifts):
                if gift is not None:
                    state = _hand_over(state, giver, seat, gift)
            return state
        case events.TookShown(seat, giver, wedge):
            assert isinstance(phase, phases.Picking)
            assert wedge is not None
            picking = replace(phase, showing=without(phase.showing, (giver,)))
            state = replace(state, phase=picking, gifts=put(state.gifts, giver, wedge))
            return _hand_over(state, giver, seat, wedge)
        case events.Protected(seat, trait):
            nothing = (None,) * len(state.gifts)
            return replace(state, tray=put(state.tray, seat, trait), gifts=nothing, churns=state.churns + 1)
        case events.Churned():
            return state
        case _:
            assert_never(event)


def _hand_over(state: State, giver: Seat, receiver: Seat, wedge: str) -> State:
    hands = list(state.hands)
    hands[giver] = without(hands[giver], (wedge,))
    hands[receiver] = tidy((*hands[receiver], wedge))
    return replace(state, hands=tuple(hands))
