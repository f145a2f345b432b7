"""Diced Cheese: roll eight wedges into a wheel; three rounds win. 2-8 seats.

The dice
DIC-1   Eight wedge dice. A die lands on a face, with a heading (0-359 degrees) and a place on the table. Faces: goat
        (flat side up), queso (holes up), no-gouda (on its edge: out of play), tower (upright on its rind).
DIC-2   Goat, queso and no-gouda have a chance of 30 % each, tower 10 % [R]. All headings are equally likely.
DIC-3   To find who starts, every seat rolls a die. A single tower starts. If there are several, only they roll again;
        if there is none, the same seats roll again. This happens by itself, without mishaps.

A turn
DIC-4   A round starts with all eight dice available and nothing in the wheel.
DIC-5   The seat rolls all dice that are available. It is asked to; if its time runs out, the server rolls for it.
DIC-6   Every goat goes to the wheel until the round ends. Eight dice in the wheel win the round.
DIC-7   Five or more towers win the round at once, also while quesos show [R], including those that stand from earlier
        rolls of the turn [R]. A roll is read in the order DIC-13, DIC-12, DIC-6, DIC-7, DIC-8, DIC-9, DIC-10.
DIC-8   If any queso shows, exactly the quesos are rolled again. Towers stay standing and no-goudas stay out [R].
DIC-9   Otherwise, if any tower stands, all dice that are not in the wheel are rolled again, no-goudas too.
DIC-10  Otherwise the turn has failed. If one die is left, it points at the seat that goes on, by the heading of its own
        latest throw [R]. If several are left, the next seat goes on. It rolls all dice that are not in the wheel.
DIC-11  Three rounds win the game. The next round starts with the seat to the left of the round's winner [R].

Mishaps, an option
DIC-12  Each rolled die falls off the table with a chance of 0.5 % [R]. The seat has 5 seconds to fetch. A fetch rolls
        the fallen dice again, which may fall again; only then is the roll read, as a whole. If the seat is too late,
        the roll is never read, and the next seat goes on with all dice that are not in the wheel.
DIC-13  With a chance of 0.5 % a roll of two or more dice, but not a fetch, ends with one die on top of another [R].
        Then the round is void and the next seat starts a new one.
DIC-14  Nothing is hidden.

Variants, an option; they have no mishaps and no DIC-3
DIC-15  Speed Cheese [R]: every seat has its own eight dice, and all roll at once, each once in 400 ms, by DIC-6 to
        DIC-9. A seat with only no-goudas outside its wheel starts over with eight. Three rounds win. A roll names its
        round.
DIC-16  Towers of Eight [R]: every seat has its own eight dice. Towers are set aside and the rest is rolled again. The
        fewest rolls for eight towers win; ties share the win. A seat that can no longer tie stops by itself.
"""

from __future__ import annotations

from typing import assert_never

from games.about import About
from games.chance import Chance
from games.core import Beat, Limit, Outcome, Seat
from games.diced_cheese import events, moves, races, turns
from games.diced_cheese.dice import throw
from games.diced_cheese.events import Event as Event
from games.diced_cheese.fold import apply as apply
from games.diced_cheese.moves import Move as Move
from games.diced_cheese.table import FETCH_MS, PAUSE_MS, RACE_START_MS, ROUND_WON_MS
from games.diced_cheese.table import Options as Options
from games.diced_cheese.table import State as State
from games.diced_cheese.table import View as View
from games.kit import Story, copied, once_per_state, replace
from games.offers import Offer, offer
from games.refusals import Tried

TITLE = "Diced Cheese"
BLURB = "Roll eight dice of cheese into a wheel before anybody else does."
PREFIX = "DIC"
SEATS = range(2, 9)
ABOUT = About(
    minutes=(5, 15),
    weight="light",
    how=(
        "Roll the dice. Goats go into the wheel and stay there.",
        "Quesos are rolled again, and a tower keeps your turn alive; without either, the next player goes on.",
        "Whoever puts the eighth die into the wheel wins the round; three rounds win the game.",
    ),
    choices={
        "variant": (
            ("Classic", "One wheel for all: take turns, and put in the last die."),
            ("Speed Cheese", "Everybody rolls at once, each for a wheel of their own."),
            ("Towers of Eight", "Roll until all your eight dice stand upright; the fewest rolls win."),
        ),
        "mishaps": (
            ("with mishaps", "Dice may fall off the table or land on others (classic only)."),
            ("without mishaps", "Dice always land well."),
        ),
    },
)


def setup(seats: int, options: Options, chance: Chance) -> tuple[Event, ...]:
    classic = options.variant == "classic"
    begun: list[Event] = [events.Opened(seats, options.variant, options.mishaps and classic)]
    starters = tuple(range(seats))
    while classic and len(starters) > 1:  # DIC-3
        throws = tuple(throw(seat, False, chance) for seat in starters)
        begun.append(events.RolledToStart(throws))
        starters = tuple(landed.die for landed in throws if landed.face == "tower") or starters
    return (*begun, events.RoundBegan(1, starters[0] if classic else None))


def to_act(state: State) -> tuple[Seat, ...]:
    return state.racing if state.turn is None else (state.turn,)


def offers(state: State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    if seat not in to_act(state):
        if tried:
            _refuse_waiting(state, tried)
        return ()
    if tried:
        tried.refuse("DIC-12", "only the clock says who is too late", moves.Late)
    if state.phase == "fetch":
        if tried:
            tried.refuse("DIC-12", "a die has fallen off the table, so fetch it first", moves.Roll)
        return (offer(moves.Fetch),)
    roll = offer(moves.Roll, round=_named(state))
    if tried:
        tried.refuse("DIC-12", "no die has fallen off the table", moves.Fetch)
        speed = state.variant == "speed"
        why = (
            f"this is round {state.round}, so roll for this one"
            if speed
            else "only in Speed Cheese a roll names a round"
        )
        tried.among(moves.Roll, (roll,), "DIC-15", why)
    return (roll,)


def _refuse_waiting(state: State, tried: Tried) -> None:
    if state.result:
        tried.refuse(state.result.rule, "the game is over")
    elif state.turn is None:
        tried.refuse("DIC-16", "you have stopped, so wait for the others")
    else:
        tried.refuse("DIC-5", f"it is the turn of seat {state.turn + 1}")


def _named(state: State) -> int | None:
    """DIC-15: return the round that a roll names."""
    return state.round if state.variant == "speed" else None


def play(state: State, seat: Seat, move: Move, chance: Chance) -> tuple[Event, ...]:
    story = Story(apply, state)
    match move:
        case moves.Roll():
            (turns if state.variant == "classic" else races).roll(story, seat, chance)
        case moves.Fetch():
            turns.fetch(story, seat, chance)
        case moves.Late():
            turns.lose(story, seat)
        case _:
            assert_never(move)
    return story.applied()


PUBLIC = (
    "variant",
    "mishaps",
    "phase",
    "round",
    "turn",
    "racing",
    "wins",
    "dice",
    "rolls",
    "needed",
    "start",
    "last",
    "result",
)


@once_per_state
def public_view(state: State) -> View:
    return View(
        me=None,
        wheels=tuple(sum(die.where == "wheel" for die in dice) for dice in state.dice),
        **copied(state, PUBLIC),
    )


def view(state: State, seat: Seat | None) -> View:
    public = public_view(state)
    return public if seat is None else replace(public, me=seat)


def show(event: Event, seat: Seat | None) -> Event | None:
    """DIC-14."""
    match event:
        case (
            events.Rolled()
            | events.Read()
            | events.TurnPassed()
            | events.RoundWon()
            | events.RoundBegan()
            | events.Fell()
            | events.Fetched()
            | events.Stacked()
            | events.CameLate()
        ):
            return event
        case (
            events.Opened()
            | events.RolledToStart()
            | events.StartedOver()
            | events.Finished()
            | events.Stopped()
            | events.Ended()
        ):
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
    return moves.Late() if state.phase == "fetch" else moves.Roll(_named(state))


def beat(state: State, happened: tuple[Event, ...]) -> Beat | None:
    """The dice tumble. DIC-15: a race starts for all at once, from round 2 on after its win has been seen."""
    kinds = {type(event) for event in happened}
    if state.variant == "speed" and events.RoundBegan in kinds:
        return Beat(RACE_START_MS + (ROUND_WON_MS if events.RoundWon in kinds else 0), hold=True)
    if events.RolledToStart in kinds:
        return Beat(2000)
    if state.variant == "classic" and kinds & {events.Rolled, events.Fetched} and events.Fell not in kinds:
        return Beat(1800)
    return None


def outcome(state: State) -> Outcome | None:
    return state.result


def imagine(view: View, seat: Seat, chance: Chance) -> State:
    return State(
        **copied(view, PUBLIC),
    )
