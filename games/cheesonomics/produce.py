"""Producing (ECO-12)."""

from __future__ import annotations

from games.cheesonomics.ending import end_turn
from games.cheesonomics.pieces import ANIMAL, COLOUR, HAND, Trait, has, kinds
from games.cheesonomics.table import Drew, Event, Produce, Produced, State
from games.core import IllegalMove, Offer, One, Seat, offer
from games.kit import Story


def produce_offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    hand = state.hands[seat]
    traits = kinds([COLOUR[wedge] for wedge in hand]) + kinds([ANIMAL[wedge] for wedge in hand])
    return (offer(Produce, trait=One(traits)),)


def refuse_produce(move: Produce) -> IllegalMove:
    return IllegalMove("ECO-12", f"you hold no {move.trait} wedge")


def produce(story: Story[State, Event], seat: Seat, trait: Trait) -> None:
    wedges = tuple([wedge for wedge in story.state.hands[seat] if has(wedge, trait)])
    story.add(Produced(seat, trait, wedges))
    state = story.state
    story.add(Drew(seat, state.pile[: HAND - len(state.hands[seat])]))
    end_turn(story, seat)
