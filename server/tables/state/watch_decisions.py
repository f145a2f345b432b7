"""Decisions about what watchers of a table see: what the host proposes, and who agrees to it (P58, P59)."""

from __future__ import annotations

from protocol.codec import ProtocolError
from protocol.messages import PUBLIC_VIEW, WatchRule
from server.tables.state.decisions import AlreadyDone, Decision, decide, require_side_entries
from server.tables.state.entries import Consented
from server.tables.state.table import Table


def checked_rule(rule: WatchRule, seats: int) -> WatchRule | None:
    """The rule if it fits a table with this many seats, or None if it is the default, the public view."""
    if (rule.seat is not None) != (rule.see == "seat"):
        raise ProtocolError("bad_field", 'a seat is named with "seat", and only then', field="watching.seat")
    if rule.seat is not None and rule.seat >= seats:
        raise ProtocolError("bad_field", f"this table has seats 0 to {seats - 1}", field="watching.seat")
    if rule.late is not None and rule.see != "all":
        raise ProtocolError("bad_field", 'watchers are late only if they see "all"', field="watching.late")
    return None if rule == PUBLIC_VIEW else rule


def consent(table: Table, user: str, rule: WatchRule, agree: bool, now: int) -> Decision:
    """Agree to what the host proposes, or refuse it; without a proposal, to showing one's own seat."""
    if table.status not in ("open", "running"):
        raise ProtocolError("table_over", f"the table is {table.status}")
    seat = table.owned_seat(user)
    if seat is None or table.chairs[seat].held:
        raise ProtocolError("not_seated", "you have no seat at this table")
    rules = table.rules
    if rules.proposed is not None:
        if rule != rules.proposed:
            raise ProtocolError("bad_field", "the host proposes something else", field="watching")
        if agree and user in rules.agreeing:
            raise AlreadyDone(table.n)
    else:
        if rule != rules.watching or rule.see != "seat" or rule.seat != seat:
            raise ProtocolError("bad_field", "nobody asks you to agree to this", field="watching")
        if agree == (user in rules.agreed):
            raise AlreadyDone(table.n)
    require_side_entries(table)
    return decide(table, Consented(now, user, agree))
