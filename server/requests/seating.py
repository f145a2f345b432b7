"""Opening tables and filling them: new ones, rematches, and house bots on the seats that are free."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from games import GAMES
from protocol.codec import ProtocolError, bad_value
from protocol.messages import Create, Invited, Ok, Rematch, Start
from server.entries import Closed, Held, Opened, Sat
from server.hub import ALPHABET
from server.room import Command, Room, look, nothing
from server.table import Decision, Table

if TYPE_CHECKING:
    from server.connection import Connection
    from server.hub import Hub
    from server.people import Person

MOST_TABLES = {False: 20, True: 400}  # at which one sits at once: a person, a bot
Done = Callable[[int, bool], object]


class Seating:
    """Answers the requests that open tables and seat house bots."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    async def create(self, connection: Connection, asked: Create) -> None:
        """Open a table, sit down at it, and fill it if that is wanted; answered when all of it is done."""
        most = MOST_TABLES[connection.user.bot]
        if await self._hub.store.call("SCARD", f"user:{connection.user.id}:tables") >= most:
            raise ProtocolError("too_many_tables", f"one sits at no more than {most} tables at once: finish one first")
        if asked.seat is not None and asked.seat >= asked.seats:
            raise ProtocolError("bad_field", f"the table has seats 0 to {asked.seats - 1}", field="seat")
        room, code = self.open(connection, asked)
        failed = connection.failed(asked.id)

        def done(n: int, again: bool) -> None:
            connection.send(Ok(id=asked.id, table=room.id, code=code, n=n))

        def fill(n: int, again: bool) -> None:
            self._fill(connection, room, asked.id, asked.bots or "rookie", done)

        then = done if asked.bots is None else fill
        judge = look if asked.seat is None else sitting(connection.user, asked.seat)
        room.submit(Command(judge, then, failed, self._hub.now()))

    def open(self, connection: Connection, asked: Create) -> tuple[Room, str]:
        """A new table and its code."""
        game = GAMES.get(asked.game)
        if game is None:
            raise ProtocolError("no_game", f"there is no game {asked.game!r}: {', '.join(GAMES)}", field="game")
        if asked.seats not in game.seats:
            text = f"{game.title} has {game.seats.start} to {game.seats.stop - 1} seats"
            raise ProtocolError("bad_field", text, field="seats")
        try:
            options = msgspec.to_builtins(msgspec.convert(asked.options, game.options))
        except msgspec.ValidationError as fault:
            raise bad_value(fault, "options") from None
        opening = Opened(
            self._hub.now(),
            game.name,
            options,
            asked.seats,
            asked.speed,
            asked.public,
            connection.user.id,
            _code(),
            new_seed(),
        )
        return self._hub.new_room(opening), opening.code

    def start(self, connection: Connection, asked: Start) -> None:
        """The host does not wait any longer: house bots take what is free."""

        def done(n: int, again: bool) -> None:
            connection.send(Ok(id=asked.id, table=asked.table, n=n, again=again))

        self._fill(connection, self._hub.room(asked.table), asked.id, asked.bots, done)

    def _fill(self, connection: Connection, room: Room, id: int, level: str, done: Done) -> None:  # noqa: A002
        """Seat house bots one by one; the game starts by itself when the last one sits."""
        host = connection.user.id

        def next_one(n: int, again: bool) -> None:
            if again or room.table is None or room.table.full:
                done(n, again)
            else:
                submit()

        def judge(table: Table, at: int) -> Decision | None:
            return table.fill(host, level, at, self._hub.bots)

        def submit() -> None:
            room.submit(Command(judge, next_one, connection.failed(id), self._hub.now()))

        submit()

    def rematch(self, connection: Connection, asked: Rematch) -> None:
        """Open the next table and say so on this one; whoever is second goes where the first went."""
        old = connection.tables.get(asked.table)
        if old is None or old.table is None:
            raise ProtocolError("not_open_here", "open the table first", field="table")
        before, me = old.table, connection.user.id
        before.must_be("ended")
        if before.owned_seat(me) is None:
            raise ProtocolError("not_seated", "only those who played can ask for a rematch")
        if before.rematch is not None:
            self._follow(connection, asked.id, before.rematch)
            return
        now = self._hub.now()
        opening = msgspec.structs.replace(before.opened, at=now, host=me, code=_code(), seed=new_seed())
        room = self._hub.new_room(opening)
        for decision in _same_seats(before, me, now):
            room.submit(Command(_always(decision), self._call(connection.user.name, room, decision), nothing, now))

        def done(n: int, again: bool) -> None:
            assert old.table
            if old.table.rematch != room.id:  # somebody else was first
                room.submit(Command(_closing, nothing, nothing, now))
            if old.table.rematch is not None:
                self._follow(connection, asked.id, old.table.rematch)

        judge = _rematching(room.id)
        old.submit(Command(judge, done, connection.failed(asked.id), now))

    def _call(self, by: str, room: Room, decision: Decision) -> Done:
        """Ask the one for whom the seat is held to come; only bots listen (P44)."""
        entry = decision.entry

        def held(n: int, again: bool) -> None:
            if isinstance(entry, Held) and room.table is not None:
                invited = Invited(table=room.id, seat=entry.seat, game=room.table.opened.game, by=by)
                self._hub.store.send(nothing, "SPUBLISH", f"user:{entry.user}", msgspec.msgpack.encode(invited))

        return held

    def _follow(self, connection: Connection, id: int, table: str) -> None:  # noqa: A002
        """Sit down on the seat that is held at the table of the rematch."""
        connection.command(id, table, sitting(connection.user, None))


def new_seed() -> bytes:
    """Where all chance of a table comes from."""
    return secrets.token_bytes(32)


def _code() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(6))


def _closing(table: Table, at: int) -> Decision | None:
    live = table.status in ("open", "running")  # against house bots alone it has begun already
    return Decision(Closed(at, "another rematch was first")) if live else None


def sitting(me: Person, seat: int | None) -> Callable[[Table, int], Decision]:
    """Judges whether somebody may take this seat, or without one theirs or any."""
    return lambda table, at: table.sit(me.id, me.name, seat, at, bot=me.bot, owner=me.owner)


def _rematching(new: str) -> Callable[[Table, int], Decision]:
    return lambda table, at: table.join_rematch(new, at)


def _always(decision: Decision) -> Callable[[Table, int], Decision]:
    return lambda table, at: decision


def _same_seats(before: Table, me: str, now: int) -> list[Decision]:
    """The seats of a rematch: bots and the asker sit, for the others theirs are held."""
    entries: list[Decision] = []
    for seat, chair in enumerate(before.chairs):
        if chair.user is None or chair.name is None:
            continue
        if chair.level or chair.user == me:
            sat = Sat(now, seat, chair.user, chair.name, chair.bot, chair.level, chair.owner)
            entries.append(Decision(sat))
        else:
            entries.append(Decision(Held(now, seat, chair.user, chair.name)))
    return sorted(entries, key=lambda decision: isinstance(decision.entry, Sat))
