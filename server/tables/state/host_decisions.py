"""Decisions that only the host of a table makes: who may stay, who may come, who may chat, who is host,
what is played, who sits where, and the end of the table."""

from __future__ import annotations

from collections.abc import Collection

from games import GAMES
from protocol.codec import ProtocolError
from protocol.messages import DEFAULT_LEVEL, Configure
from server.tables.state import house_bots
from server.tables.state.chairs import reseated
from server.tables.state.decisions import (
    AlreadyDone,
    Decision,
    close,
    decide,
    require_host,
    require_seat,
    require_status,
)
from server.tables.state.entries import (
    Appointed,
    Changed,
    Configured,
    Dismissed,
    Entry,
    Opened,
    Proposed,
    Readmitted,
    Sat,
    Swapped,
)
from server.tables.state.rematches import require_room
from server.tables.state.table import Table
from server.tables.state.watch_decisions import checked_rule

MAX_CHANGES = 100  # entries of the host at one table, which bounds the log and the list of users who were sent away


def dismiss(table: Table, host: str, user: str, now: int, connected: Collection[str] = ()) -> Decision:
    """Send a user away. Their seat becomes free; in a running game a house bot takes it."""
    _require_host_of_live_table(table, host)
    if user == host or user in house_bots.USERS:
        raise ProtocolError("bad_field", "a host sends away neither themselves nor house bots", field="user")
    if table.keeps_away(user) == "dismissed":
        raise AlreadyDone(table.n)
    seat = table.owned_seat(user)
    if seat is None:
        return _decide_change(table, Dismissed(now, user))
    gone = Dismissed(now, user, table.chairs[seat].name)
    if table.status == "open":
        return _decide_change(table, gone)
    bot, name = house_bots.choose(table.id, table.users, connected)
    return _decide_change(table, gone, Sat(now, seat, bot, name, True, DEFAULT_LEVEL))


def readmit(table: Table, host: str, user: str, now: int) -> Decision:
    """Let a user who was sent away come back; a seat that a house bot has taken stays the bot's."""
    _require_host_of_live_table(table, host)
    if table.keeps_away(user) != "dismissed":
        raise AlreadyDone(table.n)
    return _decide_change(table, Readmitted(now, user))


def configure(table: Table, host: str, wanted: Configure, now: int) -> Decision:
    """Change who may come, when, and who may chat, and propose what watchers see; None leaves a rule as it is."""
    _require_host_of_live_table(table, host)
    rules, watching = table.rules, wanted.watching
    locked = rules.locked if wanted.locked is None else wanted.locked
    chat = rules.chat if wanted.chat is None else wanted.chat
    late = None if wanted.late == table.opened.late else wanted.late
    entries: list[Entry] = []
    if (locked, chat, late) != (rules.locked, rules.chat, None):
        entries.append(Configured(now, locked, chat, late))
    if watching is not None:
        checked_rule(watching, len(table.chairs))
        if watching != (rules.watching if rules.proposed is None else rules.proposed):
            entries.append(Proposed(now, watching))
    if not entries:
        raise AlreadyDone(table.n)
    return _decide_change(table, *entries)


def appoint(table: Table, host: str, user: str, now: int) -> Decision:
    """Make another player the host: a person or a person's bot who has a seat."""
    _require_host_of_live_table(table, host)
    if user == host:
        raise AlreadyDone(table.n)
    seat = table.owned_seat(user)
    if seat is None or table.chairs[seat].held or table.chairs[seat].level:
        raise ProtocolError("bad_field", "only a player who has a seat at this table can be its host", field="user")
    return _decide_change(table, Appointed(now, user))


def succeed(table: Table, host: str, here: Collection[int], now: int) -> Decision:
    """Make the person the host who has been seated longest of those on the seats in `here`, as `host` is away."""
    if table.host != host or table.status not in ("open", "running"):
        raise AlreadyDone(table.n)
    present = [chair for seat, chair in enumerate(table.chairs) if seat in here]
    heirs = [chair for chair in present if chair.user and not (chair.bot or chair.held or chair.user == host)]
    if not heirs:
        return ()
    heir = min(heirs, key=lambda chair: chair.since).user
    assert heir
    return _decide_change(table, Appointed(now, heir))


def change(table: Table, host: str, opened: Opened, now: int) -> Decision:
    """Change the game, its options, the number of seats and the speed to those of `opened` before the start."""
    _require_host_of_live_table(table, host)
    require_status(table, "open")
    if opened == table.opened:
        raise AlreadyDone(table.n)
    source, same = table.opened.source, (opened.game, opened.options, opened.seats)
    if source is not None and same != (table.opened.game, table.opened.options, table.opened.seats):
        text = "this table plays on from a finished game: only its speed can be changed"
        raise ProtocolError("bad_field", text, field="game")
    require_room(reseated(table.chairs, opened.seats, opened.game == table.opened.game), opened.seats)
    rules = GAMES[opened.game].version
    return _decide_change(table, Changed(now, opened.game, opened.options, opened.seats, opened.speed, rules))


def swap(table: Table, host: str, seat: int, other: int, now: int) -> Decision:
    """Exchange two seats before the start."""
    _require_host_of_live_table(table, host)
    require_status(table, "open")
    require_seat(table, seat)
    require_seat(table, other, "other")
    if seat == other:
        raise AlreadyDone(table.n)
    return _decide_change(table, Swapped(now, seat, other))


def close_table(table: Table, host: str, now: int) -> Decision:
    """Close the table for everybody, also in the middle of a game."""
    if table.status == "closed" and table.host == host:
        raise AlreadyDone(table.n)
    _require_host_of_live_table(table, host)
    return close(table, "the host closed it", now, "open", "running")


def same_rules(before: Table, now: int) -> list[Entry]:
    """The entries that give a rematch the rules of the game before it."""
    rules = before.rules
    entries: list[Entry] = [Dismissed(now, user, name) for user, name in rules.dismissed[-MAX_CHANGES // 2 :]]
    if rules.locked or rules.chat != "everybody":
        entries.append(Configured(now, rules.locked, rules.chat))
    return entries


def _decide_change(table: Table, *entries: Entry) -> Decision:
    if table.rules.changes >= MAX_CHANGES:
        raise ProtocolError("too_many_changes", f"a host changes a table at most {MAX_CHANGES} times: open a new one")
    return decide(table, *entries)


def _require_host_of_live_table(table: Table, user: str) -> None:
    require_host(table, user)
    if table.status not in ("open", "running"):
        raise ProtocolError("table_over", f"the table is {table.status}")
