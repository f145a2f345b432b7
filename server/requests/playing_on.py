"""Playing on from a finished game: a table that begins with the position after one of its entries."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from games import GAMES
from protocol.codec import ProtocolError
from protocol.messages import Create, Ok, PlayOn
from server.requests.connected_bots import ConnectedBots
from server.requests.connection import Connection
from server.requests.replay_reader import ReplayReader
from server.requests.table_opener import TableOpener, house_bots, sat
from server.tables.finished.replay import BadReplay, fold_until
from server.tables.state.entries import Entry, Opened, Source
from server.tables.state.table import Table

encode: Final = msgspec.msgpack.Encoder().encode


class PlayOnRequests:
    """Answers play_on. Nothing is read of a game before its end: its log has secrets."""

    def __init__(self, reader: ReplayReader, opener: TableOpener, connected: ConnectedBots) -> None:
        self._reader = reader
        self._opener = opener
        self._connected = connected

    def handlers(self) -> dict[type, Any]:
        """The requests that are answered here."""
        return {PlayOn: self.play_on}

    async def play_on(self, connection: Connection, message: PlayOn) -> None:
        """Open a table with the position, sit down at it, and fill and start it if that is wanted, in one commit."""
        seated = message.seat is not None
        if message.anew and not seated:
            raise ProtocolError("bad_field", "name the seat for which the rest is dealt anew", field="seat")
        with self._reader.counted(connection.client_address):
            reserved = await self._opener.reserve(connection, seated, message.bots is not None and not seated)
            try:
                opened = await self._entry(connection, message)
            except BaseException:
                self._opener.give_up(reserved)
                raise

        def done(n: int, entry: Entry | None, again: bool) -> None:
            connection.send(Ok(id=message.id, table=reserved.table, code=reserved.code, n=n))

        entries: list[Entry] = []
        taken: dict[int | None, str] = {}
        if message.seat is not None:
            entries.append(sat(connection.account, message.seat, opened.at, message.salt))
            taken[message.seat] = connection.account.id
        if message.bots is not None:
            entries += house_bots(reserved.table, opened, taken, message.bots, self._connected)
        self._opener.open(reserved, opened, entries, done, connection.refuser(message.id))

    async def _entry(self, connection: Connection, message: PlayOn) -> Opened:
        """Entry 1 of the new table."""
        position = await self._position(message)
        chosen = position.opened
        if message.seat is not None and message.seat >= chosen.seats:
            raise ProtocolError("bad_field", f"the table has seats 0 to {chosen.seats - 1}", field="seat")
        create = Create(
            id=message.id,
            game=chosen.game,
            seats=chosen.seats,
            options=chosen.options,
            speed=message.speed,
            public=message.public,
        )
        source = Source(message.table, message.n, msgspec.Raw(encode(position.state)), message.seat)
        if not message.anew:
            source = msgspec.structs.replace(source, seat=None)
        return msgspec.structs.replace(self._opener.entry(connection, create), source=source)

    async def _position(self, message: PlayOn) -> Table:
        """The table of the finished game as it was after the entry."""
        text = await self._reader.find(message.table)
        try:
            last = await self._reader.slices.last(fold_until(message.table, text.split("\n")[:-1], message.n))
        except BadReplay as fault:
            raise ProtocolError("no_replay", f"this game cannot be played on: {fault}", field="table") from None
        if last is None or last.n != message.n or last.status != "running":
            raise ProtocolError("bad_field", f"the game was not running after entry {message.n}", field="n")
        if last.opened.rules != GAMES[last.opened.game].version:
            raise ProtocolError("no_replay", "this game was played by older rules", field="table")
        return last
