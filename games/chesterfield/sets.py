"""CCA-25 to CCA-33: laying down sets, upkeep, the final merge and who has won."""

from __future__ import annotations

from typing import assert_never

from games.chesterfield.moves import (
    Event,
    Finish,
    Finished,
    Keep,
    Laid,
    LayDown,
    Melt,
    Melted,
    Merge,
    Merged,
    Move,
    StandIn,
    StoodIn,
    UpkeepChosen,
    UpkeepRevealed,
)
from games.chesterfield.table import (
    HAND,
    POINTS,
    UPKEEP,
    Cheeses,
    Laying,
    LayingDown,
    Merging,
    Set,
    SetPhase,
    State,
    Upkeep,
    scores,
    set_points,
)
from games.core import IllegalMove, Offer, One, Outcome, Pick, Range, Seat, offer
from games.kit import Story, places_by


def offers(state: State, seat: Seat, phase: SetPhase) -> tuple[Offer, ...]:
    hand = state.hands[seat]
    match phase:
        case LayingDown():
            return (*_lay_offers(hand), *_melt_offers(hand, state.sets[seat]), offer(Finish))
        case Upkeep():
            least, most = _discard_limits(state, seat)
            return (offer(Keep, discard=Pick(hand, least, most)),)
        case Merging():
            own = state.sets[seat]
            return (*_merge_offers(hand, own), *_melt_offers(hand, own), offer(Finish))
        case _:
            assert_never(phase)


def _lay_offers(hand: Cheeses) -> tuple[Offer, ...]:
    """CCA-26, and CCA-31 for the stand-in: a Cheddar beside at least one real card of another cheese."""
    found = []
    for cheese in dict.fromkeys(hand):
        held = hand.count(cheese)
        if held >= 2:
            found.append(offer(LayDown, cheese=cheese, cards=Range(2, held), cheddar=False))
        if cheese != "Cheddar" and "Cheddar" in hand:
            found.append(offer(LayDown, cheese=cheese, cards=Range(1, held), cheddar=True))
    return tuple(found)


def _melt_offers(hand: Cheeses, own: tuple[Set, ...]) -> tuple[Offer, ...]:
    """CCA-32."""
    bare = tuple(place for place, one in enumerate(own) if not one.gruyere)
    return (offer(Melt, onto=One(bare)),) if bare and "Gruyere" in hand else ()


def _merge_offers(hand: Cheeses, own: tuple[Set, ...]) -> tuple[Offer, ...]:
    """CCA-30, and CCA-31 for the stand-in."""
    merges = tuple(
        offer(Merge, onto=place, cards=Range(1, held))
        for place, one in enumerate(own)
        if (held := hand.count(one.cheese))
    )
    pure = tuple(place for place, one in enumerate(own) if not one.cheddar and one.cheese != "Cheddar")
    return (*merges, offer(StandIn, onto=One(pure))) if pure and "Cheddar" in hand else merges


def _discard_limits(state: State, seat: Seat) -> tuple[int, int]:
    """CCA-28: the fewest cards that leave a price it can pay, and the most."""
    over = len(state.hands[seat]) - HAND
    return max(0, over - state.banks[seat] // UPKEEP), over


def play(story: Story[State, Event], seat: Seat, move: Move) -> None:
    match move:
        case LayDown(cheese, cards, cheddar):
            story.add(Laid(seat, cheese, cards, cheddar))
        case Melt(onto):
            story.add(Melted(seat, onto))
        case Merge(onto, cards):
            story.add(Merged(seat, onto, cards))
        case StandIn(onto):
            story.add(StoodIn(seat, onto))
        case Finish():
            story.add(Finished(seat))
        case Keep(discard):
            story.add(UpkeepChosen(seat, discard))
        case _:
            raise AssertionError(f"{move} is no move with sets")


def finish_by_themselves(story: Story[State, Event]) -> None:
    """CCA-25 and CCA-30: seats that can lay nothing, as everybody can see, are done."""
    phase = story.state.phase
    assert isinstance(phase, Laying)
    for seat, done in enumerate(phase.done):
        hand, own = story.state.hands[seat], story.state.sets[seat]
        if isinstance(phase, LayingDown):
            nothing = not hand or (len(hand) == 1 and all(one.gruyere for one in own))
        else:
            nothing = not hand or not own
        if nothing and not done:
            story.add(Finished(seat, by_itself=True))


def reveal_upkeep(story: Story[State, Event]) -> None:
    """CCA-28 and CCA-29."""
    state = story.state
    assert isinstance(state.phase, Upkeep)
    discards = tuple(choice or () for choice in state.phase.choices)
    kept = (len(hand) - len(gone) for hand, gone in zip(state.hands, discards, strict=True))
    story.add(UpkeepRevealed(discards, tuple(UPKEEP * (HAND - cards) for cards in kept)))


def result(state: State) -> Outcome:
    """CCA-33."""
    points = scores(state)
    best = (max(map(set_points, sets), default=0) for sets in state.sets)
    return Outcome(places_by(tuple(zip(points, best, strict=True))), "CCA-33", points)


def refuse(state: State, seat: Seat, move: Move, phase: SetPhase) -> IllegalMove:
    hand, own = state.hands[seat], state.sets[seat]
    match phase, move:
        case Upkeep(), Keep(discard):
            least, most = _discard_limits(state, seat)
            if least <= len(discard) <= most:
                return IllegalMove("CCA-28", "you discard cards of your own hand")
            return IllegalMove("CCA-28", f"you discard {least} to {most} cards and pay $4 for each other one too many")
        case Upkeep(), _:
            return IllegalMove("CCA-28", "choose which cards to discard; you pay for the others above the fourth")
        case _, Melt(onto):
            return _refuse_melt(hand, own, onto)
        case LayingDown(), LayDown():
            return _refuse_lay(hand, move)
        case LayingDown(), Merge() | StandIn():
            return IllegalMove("CCA-27", "a set that lies is not added to before the final merge")
        case LayingDown(), _:
            return IllegalMove("CCA-25", "lay down sets, melt Gruyere, or say that you are done")
        case Merging(), LayDown():
            return IllegalMove("CCA-30", "no new sets are laid at the final merge")
        case Merging(), Merge(onto) | StandIn(onto) if not 0 <= onto < len(own):
            return IllegalMove("CCA-30", f"you have no set at place {onto}")
        case Merging(), Merge(onto, cards):
            held = hand.count(own[onto].cheese)
            return IllegalMove("CCA-30", f"you hold {held} {own[onto].cheese}, so you cannot merge {cards}")
        case Merging(), StandIn(onto):
            return _refuse_stand_in(hand, own[onto])
        case _:
            return IllegalMove("CCA-30", "merge cards into your own sets, or say that you are done")


def _refuse_melt(hand: Cheeses, own: tuple[Set, ...], onto: int) -> IllegalMove:
    if "Gruyere" not in hand:
        return IllegalMove("CCA-32", "you hold no Gruyere")
    if not 0 <= onto < len(own):
        return IllegalMove("CCA-32", f"you have no set at place {onto}")
    return IllegalMove("CCA-32", "a Gruyere lies across that set already")


def _refuse_lay(hand: Cheeses, move: LayDown) -> IllegalMove:
    held = hand.count(move.cheese)
    if move.cheese not in POINTS:
        return IllegalMove("CCA-2", f"there is no cheese called {move.cheese}")
    if move.cheddar and move.cheese == "Cheddar":
        return IllegalMove("CCA-31", "in a set of Cheddar every Cheddar is a real card")
    if move.cheddar and "Cheddar" not in hand:
        return IllegalMove("CCA-31", "you hold no Cheddar to stand in")
    if move.cheddar and move.cards < 1:
        return IllegalMove("CCA-31", f"a set needs at least one real {move.cheese}")
    if move.cards > held:
        return IllegalMove("CCA-26", f"you hold {held} {move.cheese}, so you cannot lay {move.cards}")
    return IllegalMove("CCA-26", "a set is two or more cards of one cheese")


def _refuse_stand_in(hand: Cheeses, one: Set) -> IllegalMove:
    if "Cheddar" not in hand:
        return IllegalMove("CCA-31", "you hold no Cheddar to stand in")
    if one.cheese == "Cheddar":
        return IllegalMove("CCA-31", "in a set of Cheddar every Cheddar is a real card: merge it as one")
    return IllegalMove("CCA-31", "a Cheddar stands in for a card of that set already")
