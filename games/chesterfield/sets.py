"""CCA-25 to CCA-33: laying down sets, upkeep, the final merge, and the result."""

from __future__ import annotations

from typing import assert_never

from games.chesterfield import events, moves, phases
from games.chesterfield.deck import HAND, POINTS, UPKEEP, Cheeses
from games.chesterfield.events import Event
from games.chesterfield.moves import Move
from games.chesterfield.table import Set, State, scores, set_points
from games.core import Outcome, Seat
from games.kit import Story, places_by
from games.offers import ENDLESS, Choice, Offer, Range, Subset, offer
from games.refusals import Tried


def offers(state: State, seat: Seat, phase: phases.SetPhase, tried: Tried | None) -> tuple[Offer, ...]:
    hand, own = state.hands[seat], state.sets[seat]
    found: tuple[Offer, ...]
    match phase:
        case phases.LayingDown():
            found = (*_lay_offers(hand, tried), *_melt_offers(hand, own, tried), offer(moves.Finish))
            if tried:
                why = "sets on the table get no more cards before the final merge"
                tried.refuse("CCA-27", why, moves.Merge, moves.StandIn)
                tried.only(found, "CCA-25", "lay down sets, melt Gruyere, or say that you are done")
        case phases.Upkeep():
            least, most = _discard_limits(state, seat)
            found = (offer(moves.Keep, discard=Subset(hand, least, most)),)
            if tried:
                tried.needs(moves.Keep, "CCA-28", "discard cards of your own hand", discard=Subset(hand, 0, len(hand)))
                why = f"discard {least} to {most} cards, and pay $4 for each other card above the fourth"
                tried.among(moves.Keep, found, "CCA-28", why)
                tried.only(found, "CCA-28", "choose which cards to discard, and pay for the others above the fourth")
        case phases.Merging():
            found = (*_merge_offers(hand, own, tried), *_melt_offers(hand, own, tried), offer(moves.Finish))
            if tried:
                tried.refuse("CCA-30", "no new sets are laid at the final merge", moves.LayDown)
                tried.only(found, "CCA-30", "merge cards into your own sets, or say that you are done")
        case _:
            assert_never(phase)
    return found


def _lay_offers(hand: Cheeses, tried: Tried | None) -> tuple[Offer, ...]:
    """CCA-26, and CCA-31 for the stand-in: a Cheddar beside at least one real card of another cheese."""
    found = []
    for cheese in dict.fromkeys(hand):
        held = hand.count(cheese)
        if held >= 2:
            found.append(offer(moves.LayDown, cheese=cheese, cards=Range(2, held), cheddar=False))
        if cheese != "Cheddar" and "Cheddar" in hand:
            found.append(offer(moves.LayDown, cheese=cheese, cards=Range(1, held), cheddar=True))
    if tried:
        _refuse_lay(tried, hand)
        tried.among(moves.LayDown, found, "CCA-26", "you need two of the same cheese, or one plus a Cheddar")
    return tuple(found)


def _refuse_lay(tried: Tried, hand: Cheeses) -> None:
    """Refuse a set for every reason but its size."""
    tried.needs(moves.LayDown, "CCA-2", "there is no such cheese", cheese=Choice(tuple(POINTS)))
    without_one = offer(moves.LayDown, cheddar=False)
    if "Cheddar" not in hand:
        tried.among(moves.LayDown, (without_one,), "CCA-31", "you hold no Cheddar to stand in")
    others = offer(moves.LayDown, cheese=Choice(tuple(cheese for cheese in POINTS if cheese != "Cheddar")))
    tried.among(moves.LayDown, (without_one, others), "CCA-31", "in a set of Cheddar every Cheddar is a real card")
    held = [offer(moves.LayDown, cheese=cheese, cards=Range(-ENDLESS, hand.count(cheese))) for cheese in set(hand)]
    tried.among(moves.LayDown, held, "CCA-26", "you do not hold that many cards of that cheese")
    beside = offer(moves.LayDown, cards=Range(1, ENDLESS))
    why = "a Cheddar needs a real card of the cheese that it stands in for"
    tried.among(moves.LayDown, (without_one, beside), "CCA-31", why)


def _melt_offers(hand: Cheeses, own: tuple[Set, ...], tried: Tried | None) -> tuple[Offer, ...]:
    """CCA-32."""
    bare = Choice(tuple(place for place, one in enumerate(own) if not one.gruyere))
    if tried:
        if "Gruyere" not in hand:
            tried.refuse("CCA-32", "you hold no Gruyere", moves.Melt)
        tried.needs(moves.Melt, "CCA-32", NO_SET, onto=Range(0, len(own) - 1))
        tried.needs(moves.Melt, "CCA-32", "a Gruyere lies across that set already", onto=bare)
    return (offer(moves.Melt, onto=bare),) if bare.of and "Gruyere" in hand else ()


NO_SET = "you have no set at that place"


def _merge_offers(hand: Cheeses, own: tuple[Set, ...], tried: Tried | None) -> tuple[Offer, ...]:
    """CCA-30, and CCA-31 for the stand-in."""
    merges = tuple(
        offer(moves.Merge, onto=place, cards=Range(1, held))
        for place, one in enumerate(own)
        if (held := hand.count(one.cheese))
    )
    pure = Choice(tuple(place for place, one in enumerate(own) if not one.cheddar and one.cheese != "Cheddar"))
    if tried:
        tried.needs(moves.Merge, "CCA-30", NO_SET, onto=Range(0, len(own) - 1))
        tried.among(moves.Merge, merges, "CCA-30", "merge one card or more, and no more than you hold of that cheese")
        if "Cheddar" not in hand:
            tried.refuse("CCA-31", "you hold no Cheddar to stand in", moves.StandIn)
        tried.needs(moves.StandIn, "CCA-30", NO_SET, onto=Range(0, len(own) - 1))
        why = "a Cheddar stands in only once in a set, and never in a set of Cheddar"
        tried.needs(moves.StandIn, "CCA-31", why, onto=pure)
    return (*merges, offer(moves.StandIn, onto=pure)) if pure.of and "Cheddar" in hand else merges


def _discard_limits(state: State, seat: Seat) -> tuple[int, int]:
    """CCA-28: return the fewest cards that the seat must discard to be able to pay, and the most that it may."""
    over = len(state.hands[seat]) - HAND
    return max(0, over - state.banks[seat] // UPKEEP), over


def play(story: Story[State, Event], seat: Seat, move: Move) -> None:
    match move:
        case moves.LayDown(cheese, cards, cheddar):
            story.add(events.Laid(seat, cheese, cards, cheddar))
        case moves.Melt(onto):
            story.add(events.Melted(seat, onto))
        case moves.Merge(onto, cards):
            story.add(events.Merged(seat, onto, cards))
        case moves.StandIn(onto):
            story.add(events.StoodIn(seat, onto))
        case moves.Finish():
            story.add(events.Finished(seat))
        case moves.Keep(discard):
            story.add(events.UpkeepChosen(seat, discard))
        case _:
            raise AssertionError(f"{move} is no move with sets")


def finish_by_themselves(story: Story[State, Event]) -> None:
    """CCA-25 and CCA-30: seats that can lay nothing, which everybody can see, are done by themselves."""
    phase = story.state.phase
    assert isinstance(phase, phases.Laying)
    for seat, done in enumerate(phase.done):
        hand, own = story.state.hands[seat], story.state.sets[seat]
        if isinstance(phase, phases.LayingDown):
            nothing = not hand or (len(hand) == 1 and all(one.gruyere for one in own))
        else:
            nothing = not hand or not own
        if nothing and not done:
            story.add(events.Finished(seat, by_itself=True))


def reveal_upkeep(story: Story[State, Event]) -> None:
    """CCA-28 and CCA-29."""
    state = story.state
    assert isinstance(state.phase, phases.Upkeep)
    discards = tuple(choice or () for choice in state.phase.choices)
    kept = (len(hand) - len(gone) for hand, gone in zip(state.hands, discards, strict=True))
    story.add(events.UpkeepRevealed(discards, tuple(UPKEEP * (HAND - cards) for cards in kept)))


def result(state: State) -> Outcome:
    """CCA-33."""
    points = scores(state)
    best = (max(map(set_points, sets), default=0) for sets in state.sets)
    return Outcome(places_by(tuple(zip(points, best, strict=True))), "CCA-33", points)
