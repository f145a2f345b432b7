"""The messages that describe a table from outside: its seats, its status, and its line in the lobby."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from protocol.messages import (
    PUBLIC_VIEW,
    DismissedUser,
    Evening,
    Invited,
    LobbyTable,
    Proposal,
    Result,
    Score,
    SeatInfo,
    Source,
    WatchRule,
)
from protocol.messages import Table as TableMessage
from server.tables.state.chairs import Chair
from server.tables.state.delay import is_hidden
from server.tables.state.entries import Entry, Moved, Resumed
from server.tables.state.presence_reports import PresenceReports
from server.tables.state.rematches import evening
from server.tables.state.table import Table


def invitation(table: Table, user: str) -> Invited | None:
    """The invitation to the seat that is held for this user; None if none is."""
    seat = table.seat_of(user)
    if seat is None or not table.chairs[seat].held:
        return None
    return Invited(table=table.id, seat=seat, game=table.opened.game, by=table.chairs[seat].invited_by)


def message_for(table: Table, presence_reports: PresenceReports, now: int, seat: int | None) -> TableMessage:
    """The message about the table for the viewers of a seat, or for watchers, as far as these may know it."""
    if seat is not None or not is_hidden(table):
        return table_message(table, presence_reports, now, seat)
    return _message_without_game(table, presence_reports, now, _owners(table, with_salts=True))


def messages_for(table: Table, presence_reports: PresenceReports, now: int) -> Callable[[int | None], TableMessage]:
    """A function that returns the message for each viewpoint; those of the seats differ in `you` alone."""
    first: list[TableMessage] = []

    def message(seat: int | None) -> TableMessage:
        if seat is None:
            return message_for(table, presence_reports, now, None)
        if not first:
            first.append(table_message(table, presence_reports, now, seat))
        return msgspec.structs.replace(first[0], you=seat)

    return message


def _message_without_game(
    table: Table, presence_reports: PresenceReports, now: int, seats: tuple[SeatInfo, ...]
) -> TableMessage:
    """The message with these seats and with what does not depend on the game: no viewer's seat, and no result.

    It goes to watchers who may know nothing of the present of the game, so nothing that does may be added here.
    """
    return TableMessage(
        table=table.id,
        code=table.opened.code,
        game=table.opened.game,
        options=table.opened.options,
        speed=table.opened.speed,
        public=table.opened.public,
        status=table.status,
        host=table.host,
        seats=seats,
        commitment=table.commitment,
        watchers=presence_reports.watchers(now),
        locked=table.rules.locked,
        chat=table.rules.chat,
        dismissed=tuple(DismissedUser(user=user, name=name) for user, name in table.rules.dismissed),
        closed=table.closed,
        late=table.opened.late,
        evening=_evening(table),
        source=_source(table),
        watching=_watching(table),
        proposed=_proposed(table),
        named=presence_reports.named(now),
    )


def same_message(before: Table | None, after: Table, last: Entry) -> bool:
    """Whether a game goes on with the same seats, so that only the view has changed."""
    same = before is not None and before.chairs is after.chairs
    return same and after.status == "running" and isinstance(last, (Moved, Resumed))


def table_message(table: Table, presence_reports: PresenceReports, now: int, seat: int | None) -> TableMessage:
    """The message about the table and its seats, for this viewpoint."""
    result = None
    if table.outcome:
        result = Result(places=table.outcome.places, rule=table.outcome.rule, points=table.outcome.points)
    seats = _seats(table, presence_reports, now, with_salts=True)
    return msgspec.structs.replace(
        _message_without_game(table, presence_reports, now, seats),
        you=seat,
        result=result,
        seed=table.opened.seed.hex() if table.status == "ended" else None,
        rematch=table.rematch,
        rematch_game=table.rematch_game,
        shown=table.rules.shown_seat(table.chairs),
    )


def _watching(table: Table) -> WatchRule | None:
    rule = table.rules.watching
    return None if rule == PUBLIC_VIEW else rule


def _proposed(table: Table) -> Proposal | None:
    rules = table.rules
    return None if rules.proposed is None else Proposal(watching=rules.proposed, agreed=rules.agreeing)


def _source(table: Table) -> Source | None:
    source = table.opened.source
    return None if source is None else Source(table=source.table, n=source.n, seat=source.seat)


def _evening(table: Table) -> Evening | None:
    score = evening(table)
    if score is None:
        return None
    scores = tuple(Score(user=one.user, name=one.name, wins=one.wins) for one in score.scores)
    return Evening(rounds=score.rounds, scores=scores)


def lobby_table(table: Table, presence_reports: PresenceReports, now: int) -> LobbyTable:
    """The table as the lobby lists it; it must be open or running."""
    assert table.status in ("open", "running")
    return LobbyTable(
        table=table.id,
        game=table.opened.game,
        speed=table.opened.speed,
        status=table.status,
        seats=_owners(table) if is_hidden(table) else _seats(table, presence_reports, now),
        options=table.opened.options,
        watchers=presence_reports.watchers(now),
        late=table.opened.late,
        host=next((chair.name for chair in table.chairs if chair.user == table.host), None),
        watching=_watching(table),
    )


def _seats(table: Table, presence_reports: PresenceReports, now: int, with_salts: bool = False) -> tuple[SeatInfo, ...]:
    here = presence_reports.seats(now)
    return tuple(
        msgspec.structs.replace(
            owner,
            here=seat in here,
            stand_in=chair.stand_in_name,
            bot=chair.held and chair.bot,
            advised=chair.advised,
        )
        for seat, (owner, chair) in enumerate(zip(_owners(table, with_salts), table.chairs, strict=True))
    )


def _owners(table: Table, with_salts: bool = False) -> tuple[SeatInfo, ...]:
    """The seats and their owners, as if all of them were here."""
    return tuple(
        SeatInfo(
            kind=_kind(chair),  # type: ignore[arg-type]  # one of the four kinds
            user=chair.user,
            name=chair.name,
            level=chair.level,
            owner=chair.owner,
            here=chair.user is not None,
            salt=chair.salt if with_salts else None,
            avatar=chair.avatar,
        )
        for chair in table.chairs
    )


def _kind(chair: Chair) -> str:
    if not chair.user:
        return "free"
    if chair.held:
        return "held"
    return "bot" if chair.bot else "person"
