"""Finished games: each is kept as one compressed replay, and the keys of its table expire."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

import msgspec

from server.store import keys
from server.store.answers import checked
from server.store.deadline_index import DeadlineIndex
from server.store.quotas import Quotas, Rate, admission
from server.store.store import Part, Store
from server.store.table_log import first_stray, numbered
from server.tables.finished.packed_replay import pack_game, unpack_pieces
from server.tables.finished.replay import stored_game
from server.tables.finished.slices import in_slices
from server.tables.rooms.commands import awaitable, only_read
from server.tables.rooms.lobby import Lobby
from server.tables.rooms.rooms import Rooms
from server.tables.rooms.service_clock import ServiceClock
from server.tables.state.entries import Held, Sat, decode_entry
from server.tables.state.table import Table

KEPT_S = 90 * 24 * 3600  # how long a replay is kept
LIVE_S = 3600  # how long the log, the chat and the code of a finished table are kept
SHORT_LIVE_S = 60  # how long they are kept of an address above its limit of bytes
BYTES_LIMIT = "address_log_bytes_per_hour"
BROKEN_S = 30 * 24 * 3600  # how long a log that cannot be folded is kept for the operator
RECORD_S = 180 * 24 * 3600  # the record of a bot expires after so long without a finished game

MAX_USER_GAMES = 1_000  # listed of one user; older ones are dropped from the list
MAX_PLAYED_ON = 100  # results kept of games that played on from one game; older ones are dropped

Command = tuple[Part, ...]
Log = list[tuple[int, bytes]]  # the numbers of entries, and the entries as they are stored
SAT, HELD = (msgspec.msgpack.encode(name) for name in ("sat", "held"))  # in such entries, and perhaps in others


class PlayedOn(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of a game that played on from entry `n` of another one; `people` are the seats of people."""

    table: str
    n: int
    seat: int | None
    names: tuple[str, ...]
    people: tuple[int, ...]
    places: tuple[int, ...]
    points: tuple[int, ...] | None
    at: int


class Archive:
    """Writes and finds replays."""

    def __init__(
        self,
        store: Store,
        deadlines: DeadlineIndex,
        rooms: Rooms,
        lobby: Lobby,
        clock: ServiceClock,
        bytes_per_hour: int,
    ) -> None:
        self._store = store
        self._quotas = Quotas(store)
        self._bytes_per_hour = bytes_per_hour  # of finished games of one address that stay for LIVE_S
        self._deadlines = deadlines
        self._rooms = rooms
        self._lobby = lobby
        self._clock = clock

    async def put_away(self, table: Table) -> None:
        """Keep the replay of a table that is over, and let its other keys expire. Doing it twice changes nothing."""
        live_s = LIVE_S
        commands: list[Command] = []
        log = await self._log(table) if table.status == "ended" else None
        if log is not None:
            packed = await _packed(table, log)
            before = await self._store.call("SET", keys.archive(table.id), packed, "EX", KEPT_S, "GET")
            if before is None:
                self._count(table)
                commands += [*_list_by_source(table), *_list_by_day(table), *_list_by_user(table, log)]
                live_s = await self._live_s(table, log)
        elif table.opened.origin:
            live_s = await self._live_s_of_closed(table)
        commands += _remove_from_lists(table)
        for key in (keys.table_log(table.id), keys.table_chat(table.id), keys.invitation_code(table.opened.code)):
            commands.append(("EXPIRE", key, live_s, "LT"))
        await self._do(commands)
        await self._lobby.remove_for_good(table.id)
        self._deadlines.remove(table.id)

    async def _do(self, commands: Iterable[Command]) -> None:
        """Send these commands together, and wait until all are done."""
        for answer in [self._store.request(*command) for command in commands]:
            checked(await answer)

    async def _live_s(self, table: Table, log: Log) -> int:
        """How long the log of a finished table is kept besides its replay."""
        if not table.opened.origin:
            return LIVE_S
        size = sum([len(entry) for _, entry in log])
        key = keys.address_rate(table.opened.origin, BYTES_LIMIT)
        answer = await self._quotas.take(self._clock.now(), Rate(key, self._bytes_per_hour, LIVE_S * 1000), size)
        return SHORT_LIVE_S if admission(answer).status else LIVE_S

    async def _live_s_of_closed(self, table: Table) -> int:
        """How long the log of a table is kept that was closed before its game ended; its size has to be read first."""
        key = keys.table_log(table.id)
        if await self._store.call("TTL", key) >= 0:
            return LIVE_S  # it was put away before, and is not counted again
        entries = await self._store.call("XRANGE", key, "-", "+")
        return await self._live_s(table, numbered(entries))

    async def set_aside(self, name: str, table: Table | None) -> None:
        """Keep a log that cannot be folded for the operator. `table` is the table up to its fault, if there is one."""
        if table is not None:
            await self._do(_remove_from_lists(table))
            await self._lobby.remove_for_good(table.id)
        await self._store.call("EXPIRE", keys.table_log(name), BROKEN_S)
        self._deadlines.remove(name)

    def _count(self, table: Table) -> None:
        """Count the game in the records of people's bots."""
        assert table.outcome
        for chair, place in zip(table.chairs, table.outcome.places, strict=True):
            if chair.bot and not chair.level and chair.user:
                key, game, what = keys.bot_record(chair.user), table.opened.game, "counting a bot's game"
                self._store.send_logged(what, "HINCRBY", key, f"{game}:played", 1)
                if place == 1:
                    self._store.send_logged(what, "HINCRBY", key, f"{game}:first", 1)
                self._store.send_logged(what, "EXPIRE", key, RECORD_S)

    async def played_on(self, table: str) -> list[PlayedOn]:
        """The results of games that played on from this finished one, the oldest first."""
        found = await self._store.call("LRANGE", keys.played_on(table), 0, -1)
        return [msgspec.json.decode(one, type=PlayedOn) for one in found]

    async def find(self, table: str) -> str | None:
        """The replay of a finished game, or None if there is none."""
        packed = await self.find_packed(table)
        return None if packed is None else b"".join(await in_slices(unpack_pieces(packed))).decode()

    async def find_packed(self, table: str) -> bytes | None:
        """A finished game as it is kept, for `unpack_pieces`, or None if there is none."""
        kept: bytes | None = await self._store.call("GET", keys.archive(table))
        if kept is not None:
            return kept
        ended = await self._ended(table)
        log = None if ended is None else await self._log(ended)
        return None if ended is None or log is None else await _packed(ended, log)

    async def _ended(self, name: str) -> Table | None:
        """The table with this id, if its game has ended."""
        room = self._rooms.get(name)
        command, result = awaitable(only_read, self._clock.now())
        room.submit(command)
        table = room.table if await result is None else None
        return table if table is not None and table.status == "ended" else None

    async def _log(self, table: Table) -> Log | None:
        """The log of an ended table; None if it has expired."""
        answer = await self._store.call("XRANGE", keys.table_log(table.id), "-", "+")
        if not answer:
            return None
        if len(answer) < table.n or first_stray(answer) < len(answer) or numbered(answer[:1])[0][0] != 1:
            raise ValueError(f"the log of table {table.id} has not all of its {table.n} entries")
        return [(n, fields[1]) for n, (_, fields) in enumerate(answer, 1)]


def people_of(log: Log) -> set[str]:
    """The people who had a seat, or for whom one was held."""
    seated = (decode_entry(entry) for _, entry in log if SAT in entry or HELD in entry)
    return {entry.user for entry in seated if isinstance(entry, (Sat, Held)) and not entry.bot}


async def _packed(table: Table, log: Log) -> bytes:
    return b"".join(await in_slices(pack_game(stored_game(table, log))))


# Commands that list a finished game, and that remove its table from the lists of tables.


def _remove_from_lists(table: Table) -> list[Command]:
    """Remove a table from the lists of its users, its host and its address."""
    opened = table.opened
    lists = [*map(keys.user_tables, table.users), keys.user_hosted(opened.host)]
    if opened.origin:
        lists.append(keys.address_tables(opened.origin))
    return [("SREM", key, table.id) for key in lists]


def _list_by_user(table: Table, log: Log) -> Iterator[Command]:
    """List a game among those of all people who had a seat, or for whom one was held."""
    for user in people_of(log):
        key = keys.user_games(user)
        yield "ZADD", key, table.at, table.id
        yield "ZREMRANGEBYRANK", key, 0, -MAX_USER_GAMES - 1
        yield "EXPIRE", key, KEPT_S


def _list_by_day(table: Table) -> Iterator[Command]:
    """List a public game among those of its day."""
    if table.opened.public:
        key = keys.day_games(datetime.fromtimestamp(table.at / 1000, UTC).strftime("%Y-%m-%d"))
        yield "SADD", key, table.id
        yield "EXPIRE", key, KEPT_S


def _list_by_source(table: Table) -> Iterator[Command]:
    """List the result among those of the other games that played on from the same one."""
    source, outcome = table.opened.source, table.outcome
    if source is None or outcome is None:
        return
    names = tuple(chair.name or "" for chair in table.chairs)
    people = tuple(seat for seat, chair in enumerate(table.chairs) if not chair.bot)
    result = PlayedOn(table.id, source.n, source.seat, names, people, outcome.places, outcome.points, table.at)
    key = keys.played_on(source.table)
    yield "RPUSH", key, msgspec.json.encode(result)
    yield "LTRIM", key, -MAX_PLAYED_ON, -1
    yield "EXPIRE", key, KEPT_S
