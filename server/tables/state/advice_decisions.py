"""Decisions about advice: who may ask what the house's master would do (P65)."""

from __future__ import annotations

from protocol.codec import ProtocolError
from server.tables.state.decisions import Decision, decide, require_side_entries, require_status
from server.tables.state.entries import Advised
from server.tables.state.table import Table


def require_advice(table: Table, user: str, ask: int) -> int:
    """The seat of a user who may ask about this ask: one who plays, and against house bots alone."""
    require_status(table, "running")
    seat = table.owned_seat(user)
    if seat is None or table.chairs[seat].stand_in:
        raise ProtocolError("not_seated", "only who plays a seat may ask the master")
    for other, chair in enumerate(table.chairs):
        if other != seat and chair.level is None:
            raise ProtocolError("not_allowed", "the master advises only in games against house bots alone")
    asked = table.asks.get(seat)
    if asked is None:
        raise ProtocolError("not_asked", "nothing is asked of your seat now", field="ask")
    if asked.n != ask:
        raise ProtocolError("stale_ask", f"ask {asked.n} is current, not ask {ask}", field="ask", ask=asked.n)
    require_side_entries(table)
    return seat


def advise(table: Table, user: str, ask: int, now: int) -> Decision:
    """Record that a user has asked the master."""
    return decide(table, Advised(now, require_advice(table, user, ask)))
