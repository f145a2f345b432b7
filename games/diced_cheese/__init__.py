"""Diced Cheese: roll eight wedges into a wheel; three rounds win. 2-8 seats.

The dice
DIC-1   Eight wedge dice. A die lands on a face, with a heading (0-359 degrees) and a place on the table. Faces: goat
        (flat side up), queso (holes up), no-gouda (on its edge: out of play), tower (upright on its rind).
DIC-2   Goat, queso and no-gouda have 30 % each and tower 10 % [R]; every heading is as likely.
DIC-3   Who starts: every seat rolls a die. A single tower starts; of several, only they roll again; if there is none,
        the same ones roll again. This happens by itself, without mishaps.

A turn
DIC-4   A round starts with all eight dice available and nothing in the wheel.
DIC-5   The seat rolls all dice that are available. It is asked to, and out of time it is done for it.
DIC-6   Every goat goes to the wheel until the round ends. Eight in the wheel win the round.
DIC-7   Five or more towers win the round at once, those standing from earlier rolls of the turn included [R]. A roll
        is read in the order DIC-13, DIC-12, DIC-6, DIC-7, DIC-8, DIC-9, DIC-10.
DIC-8   If any queso shows, exactly the quesos are rolled again; towers stay standing and no-goudas stay out [R].
DIC-9   Else, if any tower stands, all dice that are not in the wheel are rolled again, no-goudas too.
DIC-10  Else the turn has failed. A last single die points at the seat that goes on, by the heading of its own latest
        throw [R]; of several dice, the next seat does. It rolls all dice that are not in the wheel.
DIC-11  Three rounds win the game. The next round starts at the left of a round's winner [R].

Mishaps, an option
DIC-12  Each die rolled falls off the table with 0.5 % chance [R]. The seat has 5 seconds to fetch; that rolls the
        fallen dice again, which may fall again, and only then is the roll read, as a whole. Too late: it is
        never read, and the next seat goes on with all dice that are not in the wheel.
DIC-13  With 0.5 % chance a roll of two or more dice, but not a fetch, ends with one on top of another [R]: the round
        is void and the next seat starts a new one.
DIC-14  Nothing is hidden.

Variants, an option; no mishaps and no DIC-3 in them
DIC-15  Speed Cheese [R]: every seat has its own eight dice and all roll at once, once in 400 ms, by DIC-6 to DIC-9. A
        seat with only no-gouda outside its wheel starts over with eight. Three rounds win. A roll names its round.
DIC-16  Towers of Eight [R]: every seat has its own eight dice. Towers are set aside and the rest rolled again; the
        fewest rolls for eight towers win, and ties share the win. A seat that can no longer tie stops by itself.
"""

from __future__ import annotations

from typing import assert_never

from games.chance import Chance
from games.core import Game, IllegalMove, Limit, Offer, Outcome, Seat, offer
from games.diced_cheese import races, turns
from games.diced_cheese.dice import throw
from games.diced_cheese.table import (
    FETCH_MS,
    PAUSE_MS,
    CameLate,
    Ended,
    Event,
    Fell,
    Fetch,
    Fetched,
    Finished,
    Late,
    Move,
    Opened,
    Options,
    Read,
    Roll,
    Rolled,
    RolledToStart,
    RoundBegan,
    RoundWon,
    Stacked,
    StartedOver,
    State,
    Stopped,
    TurnPassed,
    View,
    apply,
)
from games.kit import Story


def setup(seats: int, options: Options, chance: Chance) -> tuple[Event, ...]:
    classic = options.variant == "classic"
    events: list[Event] = [Opened(seats, options.variant, options.mishaps and classic)]
    starters = tuple(range(seats))
    while classic and len(starters) > 1:  # DIC-3
        throws = tuple(throw(seat, False, chance) for seat in starters)
        events.append(RolledToStart(throws))
        starters = tuple(landed.die for landed in throws if landed.face == "tower") or starters
    return (*events, RoundBegan(1, starters[0] if classic else None))


def to_act(state: State) -> tuple[Seat, ...]:
    return state.racing if state.turn is None else (state.turn,)


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    if seat not in to_act(state):
        return ()
    if state.phase == "fetch":
        return (offer(Fetch),)
    return (offer(Roll, round=_named(state)),)


def _named(state: State) -> int | None:
    """DIC-15: the round that a roll names."""
    return state.round if state.variant == "speed" else None


def refuse(state: State, seat: Seat, move: Move) -> IllegalMove:
    if state.result:
        return IllegalMove(state.result.rule, "the game is over")
    if seat not in to_act(state):
        if state.turn is None:
            return IllegalMove("DIC-16", "you have stopped: wait for the others")
        return IllegalMove("DIC-5", f"it is seat {state.turn}'s turn")
    match move:
        case Roll():
            if state.phase == "fetch":
                return IllegalMove("DIC-12", "a die has fallen off the table: fetch it first")
            if state.variant == "speed":
                return IllegalMove("DIC-15", f"this is round {state.round}, so a roll for another one does not count")
            return IllegalMove("DIC-15", "a roll names a round in Speed Cheese only")
        case Fetch():
            return IllegalMove("DIC-12", "no die has fallen off the table")
        case Late():
            return IllegalMove("DIC-12", "only the clock says who is too late")
        case _:
            assert_never(move)


def play(state: State, seat: Seat, move: Move, chance: Chance) -> tuple[Event, ...]:
    story = Story(apply, state)
    match move:
        case Roll():
            (turns if state.variant == "classic" else races).roll(story, seat, chance)
        case Fetch():
            turns.fetch(story, seat, chance)
        case Late():
            turns.lose(story, seat)
        case _:
            assert_never(move)
    return story.told()


def view(state: State, seat: Seat | None) -> View:
    return View(
        me=seat,
        variant=state.variant,
        mishaps=state.mishaps,
        phase=state.phase,
        round=state.round,
        turn=state.turn,
        racing=state.racing,
        wins=state.wins,
        dice=state.dice,
        wheels=tuple(sum(die.where == "wheel" for die in dice) for dice in state.dice),
        rolls=state.rolls,
        needed=state.needed,
        start=state.start,
        last=state.last,
        result=state.result,
    )


def show(event: Event, seat: Seat | None) -> Event | None:
    """DIC-14."""
    match event:
        case Rolled() | Read() | TurnPassed() | RoundWon() | RoundBegan() | Fell() | Fetched() | Stacked() | CameLate():
            return event
        case Opened() | RolledToStart() | StartedOver() | Finished() | Stopped() | Ended():
            return event
        case _:
            assert_never(event)


def limit(state: State) -> Limit | None:
    if state.phase == "fetch":
        return Limit(within_ms=FETCH_MS)
    if state.phase == "race" and state.variant == "speed":
        return Limit(pause_ms=PAUSE_MS)
    return None


def absent(state: State, seat: Seat) -> Move:
    return Late() if state.phase == "fetch" else Roll(_named(state))


def outcome(state: State) -> Outcome | None:
    return state.result


def imagine(view: View, seat: Seat, chance: Chance) -> State:
    return State(
        variant=view.variant,
        mishaps=view.mishaps,
        wins=view.wins,
        dice=view.dice,
        rolls=view.rolls,
        needed=view.needed,
        phase=view.phase,
        round=view.round,
        turn=view.turn,
        racing=view.racing,
        start=view.start,
        last=view.last,
        result=view.result,
    )


GAME = Game(
    name="diced_cheese",
    title="Diced Cheese",
    blurb="Roll eight wedges of cheese into a wheel before anybody else does.",
    prefix="DIC",
    seats=range(2, 9),
    options=Options,
    state=State,
    moves=Move,
    events=Event,
    views=View,
    setup=setup,
    to_act=to_act,
    offers=offers,
    play=play,
    refuse=refuse,
    apply=apply,
    view=view,
    show=show,
    absent=absent,
    outcome=outcome,
    imagine=imagine,
    limit=limit,
)
