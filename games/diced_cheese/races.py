"""The variants, in which every seat has its own dice."""

from __future__ import annotations

from games.chance import Chance
from games.core import Outcome, Seat
from games.diced_cheese import events
from games.diced_cheese.dice import Where, read, throw, to_roll
from games.diced_cheese.events import Event
from games.diced_cheese.table import State
from games.diced_cheese.turns import win_round
from games.kit import Story


def roll(story: Story[State, Event], seat: Seat, chance: Chance) -> None:
    numbers = to_roll(story.state.dice[seat])
    story.add(events.Rolled(seat, tuple([throw(number, False, chance) for number in numbers])))
    if story.state.variant == "speed":
        _read_speed(story, seat)
    else:
        _read_towers(story, seat)


def _read_speed(story: Story[State, Event], seat: Seat) -> None:
    """DIC-15: the first wheel or five towers win the round."""
    wheres, rule = read(story.state.dice[seat])
    story.add(events.Read(seat, wheres, rule))
    if rule in ("DIC-6", "DIC-7"):
        win_round(story, seat, rule)
    elif rule == "DIC-10":
        story.add(events.StartedOver(seat))


def _read_towers(story: Story[State, Event], seat: Seat) -> None:
    """DIC-16: a seat stops once it has used the fewest rolls that any seat needed."""
    wheres: tuple[Where, ...] = tuple(
        ["standing" if die.face == "tower" else "available" for die in story.state.dice[seat]]
    )
    story.add(events.Read(seat, wheres, "DIC-16"))
    if "available" not in wheres:
        story.add(events.Finished(seat, story.state.rolls[seat]))
    state = story.state
    best = min((rolls for rolls in state.needed if rolls is not None), default=None)
    if best is None:
        return
    for other in state.racing:
        if state.rolls[other] >= best:
            story.add(events.Stopped(other))
    if not story.state.racing:
        places = tuple(1 if rolls == best else 1 + state.needed.count(best) for rolls in state.needed)
        story.add(events.Ended(Outcome(places, "DIC-16")))
