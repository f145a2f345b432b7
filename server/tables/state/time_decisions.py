"""Decisions that the passing of time leads to: time given back, moves by the clock, and the end of idle tables."""

from __future__ import annotations

from typing import Final

import msgspec

from server.tables.state.deadlines import IDLE_MS, seat_deadlines
from server.tables.state.decisions import NOTHING, Decision, decide, next_chance
from server.tables.state.entries import Closed, Moved, Resumed
from server.tables.state.faults import SeatFaults
from server.tables.state.table import EntryWithEvents, Table

GIVE_BACK_MS = 2_000  # so much lost time or more is given back at once; less, only when the deadline has passed
CLOCK = "clock"  # the user of moves that the clock makes
encode: Final = msgspec.msgpack.Encoder().encode


def overdue(table: Table, now: int, faults: SeatFaults) -> Decision:
    """What the passing of time leads to: time given back, a move by the clock, or the end of an idle table."""
    if table.status != "running":
        return NOTHING
    if given := give_back(table, now, faults, GIVE_BACK_MS):
        return given
    late = sorted((due, seat) for seat, due in seat_deadlines(table).items() if due is not None and now > due)
    if late and (given := give_back(table, now, faults, 1)):
        return given
    for due, seat in late:
        if faults.is_complete(seat, due):
            return _move_by_clock(table, seat, now)
    return decide(table, Closed(now, "nobody moved for a day")) if now > table.at + IDLE_MS else NOTHING


def give_back(table: Table, now: int, faults: SeatFaults, at_least_ms: int) -> Decision:
    """P5: give each asked seat the time back that faults of the service took from it, if it is this much or more."""
    given = []
    for seat, deadline in seat_deadlines(table).items():
        ask = table.asks[seat]
        ms = faults.lost_ms(seat, ask.at) - ask.credit_ms
        if deadline is not None and ms >= at_least_ms:
            given.append(Resumed(now, seat, ms))
    return decide(table, *given)


def _move_by_clock(table: Table, seat: int, now: int) -> Decision:
    chosen = table.game.absent(table.state, seat)
    events = table.game.play(table.state, seat, chosen, next_chance(table))
    raw, packed = msgspec.Raw(encode(chosen)), msgspec.Raw(encode(events))
    entry = Moved(now, seat, "clock", CLOCK, f"clock-{table.n + 1}", raw, packed)
    return (EntryWithEvents(table.n + 1, entry, events),)
