"""The end of a turn and of the game: last sales and scoring (ECO-16 to ECO-19)."""

from __future__ import annotations

from games.cheesonomics import events, phases
from games.cheesonomics.events import Event
from games.cheesonomics.pieces import ANIMAL, ANIMALS, COLOUR, prices
from games.cheesonomics.table import State
from games.core import Outcome, Seat
from games.kit import Story, places_by


def end_turn(story: Story[State, Event], seat: Seat) -> None:
    if story.state.pile:
        story.add(events.TurnCame((seat + 1) % len(story.state.hands)))
    else:
        last_sale_after(story, seat)


def last_sale_after(story: Story[State, Event], seat: Seat) -> None:
    """ECO-16: ask the next seat, before the starting seat, that can sell something; if there is none, end the game."""
    state = story.state
    n = len(state.hands)
    seat = (seat + 1) % n
    while seat != state.start:
        if can_sell(state, seat):
            story.add(events.LastSaleCame(seat))
            return
        story.add(events.PassedOver(seat))
        seat = (seat + 1) % n
    scores = count(state)
    story.add(events.Ended(placing(scores), scores))


def can_sell(state: State, seat: Seat) -> bool:
    price = prices(state.market)
    return any(price[COLOUR[wedge]] for wedge in state.wheels[seat])


def count(state: State) -> tuple[phases.Score, ...]:
    """ECO-17 and ECO-18."""
    sold = [tuple(sum(ANIMAL[wedge] == animal for wedge in pile) for animal in ANIMALS) for pile in state.sold]
    highest = tuple(map(max, zip(*sold, strict=True)))
    scores = []
    for seat, own in enumerate(sold):
        most = tuple(n if n == high else 0 for n, high in zip(own, highest, strict=True))
        unsold = len(state.wheels[seat])
        colours = len({COLOUR[wedge] for wedge in state.sold[seat]})
        total = state.curds[seat] + unsold + sum(most)
        scores.append(phases.Score(state.curds[seat], unsold, own, most, colours, total))
    return tuple(scores)


def placing(scores: tuple[phases.Score, ...]) -> Outcome:
    """ECO-19: by curds, then by colours sold."""
    places = places_by([(score.total, score.colours) for score in scores])
    return Outcome(places, "ECO-16", tuple(score.total for score in scores))
