"""Producing (ECO-12)."""

from __future__ import annotations

from games.cheesonomics import events, moves
from games.cheesonomics.ending import end_turn
from games.cheesonomics.events import Event
from games.cheesonomics.pieces import ANIMAL, COLOUR, HAND, Trait, has, kinds
from games.cheesonomics.table import State
from games.core import Seat
from games.kit import Story
from games.offers import Choice, Offer, offer
from games.refusals import Tried


def produce_offers(state: State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    hand = state.hands[seat]
    traits = Choice(kinds([COLOUR[wedge] for wedge in hand]) + kinds([ANIMAL[wedge] for wedge in hand]))
    if tried:
        tried.needs(moves.Produce, "ECO-12", "produce a colour or an animal of which you hold a wedge", trait=traits)
    return (offer(moves.Produce, trait=traits),)


def produce(story: Story[State, Event], seat: Seat, trait: Trait) -> None:
    wedges = tuple([wedge for wedge in story.state.hands[seat] if has(wedge, trait)])
    story.add(events.Produced(seat, trait, wedges))
    state = story.state
    story.add(events.Drew(seat, state.pile[: HAND - len(state.hands[seat])]))
    end_turn(story, seat)
