"""The state of Cheesonomics after each event."""

from __future__ import annotations

from typing import assert_never

from games.cheesonomics import churn, events, market, phases
from games.cheesonomics.events import Event
from games.cheesonomics.pieces import tidy
from games.cheesonomics.table import State
from games.kit import put, replace, without


def apply(state: State | None, event: Event) -> State:
    if state is None:
        assert isinstance(event, events.Dealt)
        return _dealt(event)
    match event:
        case events.Awaited(phase):
            return replace(state, phase=phase)
        case events.TurnCame(seat):
            return replace(state, turn=seat, phase=phases.Turn(), tray=put(state.tray, seat, None))
        case (
            events.GaveBack()
            | events.Gave()
            | events.TookShown()
            | events.Churned()
            | events.Collected()
            | events.Protected()
        ):
            return churn.apply_churn(state, event)
        case events.Produced(seat, _, wedges):
            hands = put(state.hands, seat, without(state.hands[seat], wedges))
            wheels = put(state.wheels, seat, tidy(state.wheels[seat] + wedges))
            return replace(state, hands=hands, wheels=wheels, churns=0)
        case events.Drew(seat, wedges):
            hands = put(state.hands, seat, tidy(state.hands[seat] + wedges))  # type: ignore[operator]
            return replace(state, hands=hands, pile=state.pile[len(wedges) :])
        case events.Sold(seat, _, wedges, curds):
            return replace(
                state,
                wheels=put(state.wheels, seat, without(state.wheels[seat], wedges)),
                sold=put(state.sold, seat, tidy(state.sold[seat] + wedges)),
                curds=put(state.curds, seat, state.curds[seat] + curds),
                churns=0,
            )
        case (
            events.Flipped() | events.Replaced() | events.Took() | events.Kept() | events.SwapNamed() | events.Swapped()
        ):
            return market.apply_market(state, event)
        case events.LastSaleCame(seat):
            return replace(state, turn=seat, phase=phases.LastSale())
        case events.Declined() | events.PassedOver():
            return state
        case events.Ended():
            return _ended(state, event)
        case events.Dealt():
            raise ValueError("a game is dealt once")
        case _:
            assert_never(event)


def _dealt(event: events.Dealt) -> State:
    seats = len(event.hands)
    return State(
        sharp=event.sharp,
        start=event.start,
        knives=event.knives,
        tray=(None,) * seats,
        hands=event.hands,  # type: ignore[arg-type]
        pile=event.pile,  # type: ignore[arg-type]
        out=event.out,  # type: ignore[arg-type]
        wheels=((),) * seats,
        sold=((),) * seats,
        curds=(0,) * seats,
        market=event.market,
        downs=event.downs,  # type: ignore[arg-type]
        supplies=event.supplies,  # type: ignore[arg-type]
        discard=event.discard,  # type: ignore[arg-type]
        spare=event.spare,  # type: ignore[arg-type]
        turn=event.start,
        phase=phases.Turn(),
        gifts=(None,) * seats,
    )


def _ended(state: State, event: events.Ended) -> State:
    """ECO-17: unsold wedges and hands leave the game."""
    nothing: tuple[tuple[str, ...], ...] = ((),) * len(state.hands)
    gone = tuple(wedge for group in state.hands + state.wheels for wedge in group)
    return replace(
        state,
        phase=phases.Over(event.result, event.scores),
        hands=nothing,
        wheels=nothing,
        out=state.out + gone,
        curds=tuple(score.total for score in event.scores),
    )
