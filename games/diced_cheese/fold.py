"""The state of Diced Cheese after each event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from games.core import Seat
from games.diced_cheese import events
from games.diced_cheese.dice import FRESH, Dice, Die, Throws, Where
from games.diced_cheese.events import Event
from games.diced_cheese.table import LastRoll, State
from games.kit import put, replace, without


def _set_of(state: State, seat: Seat) -> int:
    """Return the index of the set of dice that this seat rolls."""
    return 0 if state.variant == "classic" else seat


def apply(state: State | None, event: Event) -> State:
    if state is None:
        assert isinstance(event, events.Opened)
        n = event.seats
        sets = 1 if event.variant == "classic" else n
        return State(event.variant, event.mishaps, (0,) * n, (FRESH,) * sets, (0,) * n, (None,) * n, (None,) * sets)
    match event:
        case events.Rolled(seat, throws):
            dice, last = _landed(state, seat, throws)
            return replace(state, dice=dice, last=last, rolls=put(state.rolls, seat, state.rolls[seat] + 1))
        case events.Read(seat, wheres):
            return replace(state, dice=_moved(state, seat, wheres))
        case events.TurnPassed(seat):
            return replace(state, turn=seat)
        case events.RoundWon(seat):
            return replace(state, wins=put(state.wins, seat, state.wins[seat] + 1))
        case events.Fell(seat, numbers):
            wheres = tuple("fallen" if number in numbers else die.where for number, die in enumerate(state.dice[0]))
            return replace(state, dice=_moved(state, seat, wheres), phase="fetch")
        case events.Fetched(seat, throws):
            dice, last = _landed(state, seat, throws)
            return replace(state, dice=dice, last=last, phase="roll")
        case events.CameLate(seat):
            wheres = tuple("wheel" if die.where == "wheel" else "available" for die in state.dice[0])
            return replace(state, dice=_moved(state, seat, wheres), phase="roll")
        case events.Stacked():
            return state
        case events.StartedOver(seat):
            return replace(state, dice=put(state.dice, seat, _gathered(state.dice[seat])))
        case events.Opened():
            raise ValueError("a table is laid once")
        case _:
            return _apply_rounds(state, event)


def _apply_rounds(
    state: State, event: events.RolledToStart | events.RoundBegan | events.Finished | events.Stopped | events.Ended
) -> State:
    match event:
        case events.RolledToStart(throws):
            rolled = {throw.die: throw for throw in (*state.start, *throws)}
            return replace(state, start=tuple(rolled.values()))
        case events.RoundBegan(number, seat):
            n = len(state.wins)
            return replace(
                state,
                phase="race" if seat is None else "roll",
                round=number,
                turn=seat,
                racing=tuple(range(n)) if seat is None else (),
                dice=tuple([_gathered(dice) for dice in state.dice]),
                rolls=(0,) * n,
            )
        case events.Finished(seat, rolls):
            return replace(state, needed=put(state.needed, seat, rolls), racing=without(state.racing, (seat,)))
        case events.Stopped(seat):
            return replace(state, racing=without(state.racing, (seat,)))
        case events.Ended(result):
            return replace(state, phase="over", turn=None, racing=(), result=result)
        case _:
            assert_never(event)


def _landed(state: State, seat: Seat, throws: Throws) -> tuple[tuple[Dice, ...], tuple[LastRoll | None, ...]]:
    """Return the dice and the last rolls after these throws, which are not read yet."""
    mine = _set_of(state, seat)
    dice = list(state.dice[mine])
    for throw in throws:
        dice[throw.die] = Die(throw.face, throw.heading, throw.x, throw.y, "thrown")
    last = LastRoll(seat, tuple([throw.die for throw in throws]))
    return put(state.dice, mine, tuple(dice)), put(state.last, mine, last)


def _gathered(dice: Dice) -> Dice:
    """Return the dice, all available."""
    return tuple([Die(die.face, die.heading, die.x, die.y, "available") for die in dice])


def _moved(state: State, seat: Seat, wheres: Sequence[Where]) -> tuple[Dice, ...]:
    """Return the sets of dice, with those of this seat moved to these positions."""
    mine = _set_of(state, seat)
    dice = list(state.dice[mine])
    for number, where in enumerate(wheres):
        die = dice[number]
        if die.where != where:
            dice[number] = Die(die.face, die.heading, die.x, die.y, where)
    return put(state.dice, mine, tuple(dice))
