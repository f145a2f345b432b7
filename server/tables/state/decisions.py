"""Decisions about a table: each function returns the entries that do what a user or the clock wants, or refuses.

A decision is a tuple of one or more entries that are appended together. Refusals are ProtocolErrors; a request that
was already carried out raises AlreadyDone. Nothing here changes anything: the room appends the entries.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import msgspec

from games.chance import Chance
from games.core import judge, no_limit
from games.refusals import IllegalMove
from protocol.codec import ProtocolError, bad_value
from protocol.explanations import unreadable
from protocol.messages import DEFAULT_LEVEL, Move
from server.tables.state import house_bots, names
from server.tables.state.admission import require_admission
from server.tables.state.chairs import Chair
from server.tables.state.entries import (
    By,
    Closed,
    Entry,
    Held,
    Left,
    Moved,
    Relayed,
    Renamed,
    Returned,
    Sat,
)
from server.tables.state.local_struct import LocalStruct
from server.tables.state.positions import start
from server.tables.state.table import EntryWithEvents, Status, Table, codec

MAX_RENAMES = 10  # of one user on one seat
MAX_ABSENCES = 2  # moves in a row made by the clock before a stand-in takes the seat
MAX_SIDE_ENTRIES = 5_000  # from this many entries on, a log takes moves, and nothing that users can repeat at will
encode: Final = msgspec.msgpack.Encoder().encode

Decision = tuple[EntryWithEvents, ...]
NOTHING: Final[Decision] = ()


class AlreadyDone(Exception):  # noqa: N818
    """The request was carried out before, at entry n or earlier."""

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.n = n


class Sitter(LocalStruct, frozen=True):
    """A user who wants to sit down."""

    user: str
    name: str
    bot: bool = False
    owner: str | None = None
    salt: str | None = None
    avatar: str = ""


def decide(table: Table, *entries: Entry) -> Decision:
    """The decision to append these entries, which have no events."""
    return tuple(EntryWithEvents(table.n + number, entry) for number, entry in enumerate(entries, 1))


def tables_after(table: Table, decision: Decision) -> list[Table]:
    """The tables after each entry of a decision."""
    tables = []
    for step in decision:
        table = table.after(step.entry, step.events)
        tables.append(table)
    return tables


# Seats.


def sit(table: Table, sitter: Sitter, seat: int | None, now: int) -> Decision:
    """Sit down on `seat`, or on the held or first free seat if None."""
    own = table.owned_seat(sitter.user)
    held = own is not None and table.chairs[own].held
    if own is not None and not held and seat in (None, own) and table.status in ("open", "running"):
        raise AlreadyDone(table.n)
    if table.status == "running" and table.opened.late and not sitter.bot:
        return _take_over(table, sitter, seat, now)
    require_status(table, "open")
    require_admission(table, sitter.user)
    if held and own is not None and seat not in (None, own):
        raise ProtocolError("seated_already", f"seat {own + 1} is held for you: take it, or decline", field="seat")
    if own is not None and not held:
        raise ProtocolError("seated_already", f"you have seat {own + 1}: leave it first", field="seat")
    if seat is None:
        seat = own if own is not None else _first_free_seat(table)
    require_seat(table, seat)
    require_side_entries(table)
    if table.chairs[seat].user not in (None, sitter.user):
        raise ProtocolError("seat_taken", f"seat {seat + 1} is taken", field="seat")
    name = names.told_apart(sitter.name, table.names_of_others(sitter.user))
    return decide(table, Sat(now, seat, sitter.user, name, sitter.bot, None, sitter.owner, sitter.salt, sitter.avatar))


def _take_over(table: Table, sitter: Sitter, seat: int | None, now: int) -> Decision:
    """Take the seat of a house bot in a running game: `seat`, or the first one if None."""
    require_admission(table, sitter.user)
    own = table.owned_seat(sitter.user)
    if own is not None:
        raise ProtocolError("seated_already", f"you have seat {own + 1}", field="seat")
    if seat is None:
        seat = next((number for number, chair in enumerate(table.chairs) if chair.level), None)
        if seat is None:
            raise ProtocolError("table_full", "no seat is played by a house bot: you can watch")
    require_seat(table, seat)
    if table.chairs[seat].level is None:
        raise ProtocolError("seat_taken", f"seat {seat + 1} is not played by a house bot", field="seat")
    require_side_entries(table)
    name = names.told_apart(sitter.name, table.names_of_others(sitter.user))
    return decide(table, Sat(now, seat, sitter.user, name, avatar=sitter.avatar))


def rename(table: Table, user: str, name: str, avatar: str, now: int) -> Decision:
    """Change the name or the picture of a seat's owner, MAX_RENAMES times at most, which bounds the log."""
    seat = table.owned_seat(user)
    if seat is None or table.status not in ("open", "running"):
        raise AlreadyDone(table.n)
    chair = table.chairs[seat]
    shown = names.told_apart(name, table.names_of_others(user))
    if chair.held or (chair.name, chair.avatar) == (shown, avatar) or chair.renames >= MAX_RENAMES:
        raise AlreadyDone(table.n)
    return decide(table, Renamed(now, seat, shown, None if chair.avatar == avatar else avatar))


def leave(table: Table, user: str, now: int) -> Decision:
    """Give up one's seat. In a running game a stand-in plays on; the last player to leave an open table closes it."""
    seat = _require_own_seat(table, user)
    if table.status == "running":
        if table.chairs[seat].stand_in:
            raise AlreadyDone(table.n)
        require_side_entries(table)
        return decide(table, _stand_in(table, seat, now))
    require_status(table, "open")
    others = [chair for chair in table.chairs if chair.user not in (None, user) and not (chair.level or chair.held)]
    if not others:
        return decide(table, Closed(now, "everybody left"))
    heir = min(others, key=lambda chair: chair.bot)
    return decide(table, Left(now, seat, heir.user if user == table.host else None))


def come_back(table: Table, user: str, now: int) -> Decision:
    """Take one's seat back from its stand-in."""
    require_status(table, "running")
    seat = _require_own_seat(table, user)
    if table.chairs[seat].stand_in is None:
        raise AlreadyDone(table.n)
    require_side_entries(table)
    return decide(table, Returned(now, seat))


def seat_house_bot(
    table: Table, user: str, seat: int, level: str | None, now: int, connected: Collection[str] = ()
) -> Decision:
    """The host puts a house bot on a seat, or removes the bot there if `level` is None."""
    require_status(table, "open")
    require_host(table, user)
    require_seat(table, seat)
    chair = table.chairs[seat]
    if level is None:
        if not chair.bot and not chair.held:
            raise ProtocolError("seat_taken", f"there is no bot on seat {seat + 1}", field="seat")
        return decide(table, Left(now, seat))
    if chair.user is not None and not (chair.level or chair.held):
        raise ProtocolError("seat_taken", f"seat {seat + 1} is taken", field="seat")
    require_side_entries(table)
    return decide(table, _house_bot(table, table.users, seat, level, now, connected))


def fill_with_house_bots(table: Table, user: str, level: str, now: int, connected: Collection[str] = ()) -> Decision:
    """The host starts the game: house bots take every seat that is free or held."""
    require_host(table, user)
    if table.status == "running":
        raise AlreadyDone(table.n)
    require_status(table, "open")
    users = table.users
    bots = []
    for seat, chair in enumerate(table.chairs):
        if chair.user is None or chair.held:
            bots.append(_house_bot(table, users, seat, level, now, connected))
            users.add(bots[-1].user)
    return decide(table, *bots)


def invite(table: Table, user: str, seat: int, bot: Sitter, now: int, by: str) -> Decision:
    """The host, whose name is `by`, holds a free seat for a bot."""
    require_status(table, "open")
    require_host(table, user)
    require_seat(table, seat)
    if table.keeps_away(bot.user) == "dismissed":
        raise ProtocolError("dismissed", f"you have sent {bot.name} away from this table", field="bot")
    if table.seat_of(bot.user) is not None:
        raise ProtocolError("seated_already", f"{bot.name} has a seat here already", field="bot")
    if table.chairs[seat].user is not None:
        raise ProtocolError("seat_taken", f"seat {seat + 1} is taken", field="seat")
    require_side_entries(table)
    name = names.told_apart(bot.name, table.names_of_others(bot.user))
    return decide(table, Held(now, seat, bot.user, name, bot.bot, bot.owner, by))


def decline(table: Table, user: str, now: int) -> Decision:
    """Refuse the seat that is held for one."""
    require_status(table, "open")
    seat = table.seat_of(user)
    if seat is None or not table.chairs[seat].held:
        raise ProtocolError("not_invited", "no seat is held for you at this table")
    return decide(table, Left(now, seat))


def close(table: Table, reason: str, now: int, *statuses: Status) -> Decision:
    """Close the table if it has one of these statuses."""
    return decide(table, Closed(now, reason)) if table.status in statuses else NOTHING


# Moves.


def move(table: Table, user: str, message: Move, now: int) -> Decision:
    """Make a move for the owner of a seat or its stand-in."""
    require_status(table, "running")
    seat = _require_own_seat(table, user)
    ask, aside = table.asks.get(seat), table.asides.get(seat)
    if message.ask not in (ask.n if ask else None, aside.n if aside else None):
        if ask is None:
            raise ProtocolError("not_asked", "nothing is asked of your seat now", field="ask")
        text = f"this answers ask {message.ask}, and ask {ask.n} is current"
        raise ProtocolError("stale_ask", text, field="ask", ask=ask.n)
    if ask and ask.held and ask.n == message.ask and now < ask.at + ask.beat_ms:
        wait = ask.at + ask.beat_ms - now
        raise ProtocolError("too_soon", f"the race starts in {wait} ms", retry_after_ms=wait)
    if table.game.limit is not no_limit:
        _require_pause(table, seat, now)
    chosen = _decode_move(table, message)
    offers = ask.offers if ask and ask.n == message.ask else ()
    asides = aside.offers if aside and aside.n == message.ask else ()
    try:
        events = judge(table.game, table.state, seat, chosen, next_chance(table), offers + asides)
    except IllegalMove as no:
        raise ProtocolError("illegal_move", no.why, field="move", rule=no.rule) from None
    by: By = "seat" if user == table.chairs[seat].user else "stand_in"
    is_aside = bool(asides) and chosen.__struct_config__.tag in {offer.move for offer in asides}
    if is_aside:
        require_side_entries(table)
    raw, packed = msgspec.Raw(encode(chosen)), msgspec.Raw(encode(events))
    entry = Moved(now, seat, by, user, message.key, raw, packed, message.note, is_aside)
    return (EntryWithEvents(table.n + 1, entry, events),)


def _decode_move(table: Table, message: Move) -> Any:
    try:
        return codec(table.opened.game).move.decode(message.move)
    except msgspec.ValidationError as fault:
        raise bad_value(fault, "move") from None
    except (msgspec.DecodeError, RecursionError, ValueError) as fault:
        raise ProtocolError("bad_field", f"a move is a map: {unreadable(fault)}", field="move") from None


def _require_pause(table: Table, seat: int, now: int) -> None:
    limit = table.game.limit(table.state)
    if limit is not None and limit.pause_ms is not None and now < table.moved_at[seat] + limit.pause_ms:
        wait = table.moved_at[seat] + limit.pause_ms - now
        raise ProtocolError("too_soon", f"your seat may move again in {wait} ms", retry_after_ms=wait)


# What happens without a request.


def follow_up(table: Table, now: int) -> Decision:
    """What the last entry leads to: a full table starts, and a stand-in takes the seat of an absent owner."""
    if table.status == "open" and table.full:
        return (start(table, now),)
    if table.status == "running":
        for seat, chair in enumerate(table.chairs):
            if chair.absences >= MAX_ABSENCES and chair.stand_in is None and not chair.level:
                return decide(table, _stand_in(table, seat, now))
    return NOTHING


def follow_ups(tables: list[Table]) -> Decision:
    """All entries that the last of these tables leads to; the tables after them are added to `tables`."""
    entries = NOTHING
    while more := follow_up(tables[-1], tables[-1].at):
        entries += more
        tables += tables_after(tables[-1], more)
    return entries


# Parts.


def _house_bot(
    table: Table, users: Collection[str], seat: int, level: str, now: int, connected: Collection[str]
) -> Sat:
    user, name = house_bots.choose(table.id, users, connected)
    return Sat(now, seat, user, name, True, level)


def _stand_in(table: Table, seat: int, now: int) -> Relayed:
    user, name = house_bots.choose(table.id, table.users)
    return Relayed(now, seat, user, name, DEFAULT_LEVEL)


def next_chance(table: Table) -> Chance:
    """The chance of the next entry."""
    return Chance(table.chance_seed, table.n + 1)


def _first_free_seat(table: Table) -> int:
    chair: Chair
    for seat, chair in enumerate(table.chairs):
        if chair.user is None:
            return seat
    raise ProtocolError("table_full", "every seat is taken: you can watch")


def require_side_entries(table: Table) -> None:
    """Refuse what users can repeat at will, once the log of the table is long."""
    if table.n >= MAX_SIDE_ENTRIES:
        raise ProtocolError("log_full", f"after {MAX_SIDE_ENTRIES} entries a table takes nothing but moves")


def _require_own_seat(table: Table, user: str) -> int:
    seat = table.seat_of(user)
    if seat is None or table.chairs[seat].held:
        raise ProtocolError("not_seated", "you have no seat at this table")
    return seat


def require_seat(table: Table, seat: int, field: str = "seat") -> None:
    """Refuse the number of a seat that the table does not have; `field` is where the client named it."""
    if seat >= len(table.chairs):
        raise ProtocolError("bad_field", f"this table has seats 0 to {len(table.chairs) - 1}", field=field)


def require_host(table: Table, user: str) -> None:
    """Refuse a request of somebody who is not the host."""
    if user != table.host:
        raise ProtocolError("not_host", "only the host of the table may do this")


def require_status(table: Table, status: Status) -> None:
    """Refuse a request that needs another status."""
    if table.status != status:
        raise ProtocolError(f"not_{status}", f"the table is {table.status}, not {status}")
