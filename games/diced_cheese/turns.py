"""A turn of the classic game, with its mishaps."""

from __future__ import annotations

from games.chance import Chance
from games.core import Outcome, Seat
from games.diced_cheese import events
from games.diced_cheese.dice import STACKS, Throws, points_at, read, throw, to_roll
from games.diced_cheese.events import Event
from games.diced_cheese.table import ROUNDS, State, left_of
from games.kit import Story, places_by


def roll(story: Story[State, Event], seat: Seat, chance: Chance) -> None:
    state = story.state
    numbers = to_roll(state.dice[0])
    stack = state.mishaps and len(numbers) > 1 and chance.below(1000) < STACKS
    falls = state.mishaps and not stack  # DIC-13 is checked before DIC-12
    throws = tuple([throw(number, falls, chance) for number in numbers])
    story.add(events.Rolled(seat, throws))
    if stack:  # DIC-13
        top, under, *_ = chance.shuffled(numbers)
        story.add(events.Stacked(seat, top, under))
        story.add(events.RoundBegan(state.round + 1, left_of(state, seat)))
    else:
        _read(story, seat, throws)


def fetch(story: Story[State, Event], seat: Seat, chance: Chance) -> None:
    fallen = [number for number, die in enumerate(story.state.dice[0]) if die.where == "fallen"]
    throws = tuple([throw(number, True, chance) for number in fallen])
    story.add(events.Fetched(seat, throws))
    _read(story, seat, throws)


def lose(story: Story[State, Event], seat: Seat) -> None:
    """DIC-12: the seat is too late."""
    story.add(events.CameLate(seat))
    story.add(events.TurnPassed(left_of(story.state, seat), None))


def _read(story: Story[State, Event], seat: Seat, throws: Throws) -> None:
    """DIC-12, then DIC-6 to DIC-10."""
    fallen = tuple([thrown.die for thrown in throws if thrown.face is None])
    if fallen:
        story.add(events.Fell(seat, fallen))
        return
    dice = story.state.dice[0]
    wheres, rule = read(dice)
    story.add(events.Read(seat, wheres, rule))
    if rule in ("DIC-6", "DIC-7"):
        win_round(story, seat, rule)
    elif rule == "DIC-10":
        if wheres.count("available") == 1:
            pointer = wheres.index("available")
            story.add(events.TurnPassed(points_at(dice[pointer].heading, len(story.state.wins)), pointer))
        else:
            story.add(events.TurnPassed(left_of(story.state, seat), None))


def win_round(story: Story[State, Event], seat: Seat, rule: str) -> None:
    """DIC-11: places are by rounds won."""
    story.add(events.RoundWon(seat, rule))
    state = story.state
    if state.wins[seat] == ROUNDS:
        rule = "DIC-11" if state.variant == "classic" else "DIC-15"
        story.add(events.Ended(Outcome(places_by(state.wins), rule, state.wins)))
    else:
        story.add(events.RoundBegan(state.round + 1, left_of(state, seat) if state.variant == "classic" else None))
