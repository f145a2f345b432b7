"""Finished games: each is kept as one compressed replay, and the keys of its table expire."""

from __future__ import annotations

import zlib
from datetime import UTC, datetime

import msgspec

from server.store import keys
from server.store.deadline_index import DeadlineIndex
from server.store.quotas import Quotas, Rate, admission
from server.store.store import Store
from server.store.table_log import numbered
from server.tables import replay
from server.tables.commands import awaitable, only_read
from server.tables.entries import decode_entries
from server.tables.lobby import Lobby
from server.tables.rooms import Rooms
from server.tables.service_clock import ServiceClock
from server.tables.slices import in_slices
from server.tables.table import Table, folded

KEPT_S = 90 * 24 * 3600  # how long a replay is kept
LIVE_S = 3600  # how long the log, the chat and the code of a finished table are kept
SHORT_LIVE_S = 60  # the same for tables of an address above its limit of bytes
BYTES_LIMIT = "address_log_bytes_per_hour"
BROKEN_S = 30 * 24 * 3600  # how long a log that cannot be folded is kept for the operator
RECORD_S = 180 * 24 * 3600  # the record of a bot expires after so long without a finished game


MAX_USER_GAMES = 1_000  # listed of one user; older ones are dropped from the list
MAX_PLAYED_ON = 100  # results kept of games that played on from one game; older ones are dropped


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
        if table.status == "ended":
            text = await self._replay(table.id)
            if text is not None:
                packed = zlib.compress(text.encode())
                before = await self._store.call("SET", keys.archive(table.id), packed, "EX", KEPT_S, "GET")
                if before is None:
                    self._count(table)
                    await self._compare(table)
                    await self._list_by_day(table)
                    await self._list_by_user(table, text)
                    live_s = await self._live_s(table, len(text))
        await self._remove_from_lists(table)
        for key in (keys.table_log(table.id), keys.table_chat(table.id), keys.invitation_code(table.opened.code)):
            await self._store.call("EXPIRE", key, live_s, "LT")
        self._deadlines.remove(table.id)

    async def _live_s(self, table: Table, size: int) -> int:
        """How long the log of a finished table is kept besides its replay."""
        if not table.opened.origin:
            return LIVE_S
        key = keys.address_rate(table.opened.origin, BYTES_LIMIT)
        answer = await self._quotas.take(self._clock.now(), Rate(key, self._bytes_per_hour, LIVE_S * 1000), size)
        return SHORT_LIVE_S if admission(answer).status else LIVE_S

    async def set_aside(self, name: str, table: Table | None) -> None:
        """Keep a log that cannot be folded for the operator; `table` is what it says up to its fault, if anything."""
        if table is not None:
            await self._remove_from_lists(table)
        await self._store.call("EXPIRE", keys.table_log(name), BROKEN_S)
        self._deadlines.remove(name)

    async def _remove_from_lists(self, table: Table) -> None:
        for user in table.users:
            await self._store.call("SREM", keys.user_tables(user), table.id)
        await self._lobby.remove_for_good(table.id)
        opened = table.opened
        await self._store.call("SREM", keys.user_hosted(opened.host), table.id)
        if opened.origin:
            await self._store.call("SREM", keys.address_tables(opened.origin), table.id)

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

    async def _list_by_user(self, table: Table, text: str) -> None:
        """List a game among those of all people whom its replay names: they had a seat, or one was held for them."""
        for user in people_of(text):
            key = keys.user_games(user)
            await self._store.call("ZADD", key, table.at, table.id)
            await self._store.call("ZREMRANGEBYRANK", key, 0, -MAX_USER_GAMES - 1)
            await self._store.call("EXPIRE", key, KEPT_S)

    async def _list_by_day(self, table: Table) -> None:
        """List a public game among those of its day."""
        if table.opened.public:
            key = keys.day_games(datetime.fromtimestamp(table.at / 1000, UTC).strftime("%Y-%m-%d"))
            await self._store.call("SADD", key, table.id)
            await self._store.call("EXPIRE", key, KEPT_S)

    async def _compare(self, table: Table) -> None:
        """Add the result to those of the other games that played on from the same one."""
        source, outcome = table.opened.source, table.outcome
        if source is None or outcome is None:
            return
        names = tuple(chair.name or "" for chair in table.chairs)
        people = tuple(seat for seat, chair in enumerate(table.chairs) if not chair.bot)
        result = PlayedOn(table.id, source.n, source.seat, names, people, outcome.places, outcome.points, table.at)
        key = keys.played_on(source.table)
        await self._store.call("RPUSH", key, msgspec.json.encode(result))
        await self._store.call("LTRIM", key, -MAX_PLAYED_ON, -1)
        await self._store.call("EXPIRE", key, KEPT_S)

    async def played_on(self, table: str) -> list[PlayedOn]:
        """The results of games that played on from this finished one, the oldest first."""
        found = await self._store.call("LRANGE", keys.played_on(table), 0, -1)
        return [msgspec.json.decode(one, type=PlayedOn) for one in found]

    async def find(self, table: str) -> str | None:
        """The replay of a finished game, or None if there is none."""
        packed = await self.find_packed(table)
        return None if packed is None else zlib.decompress(packed).decode()

    async def find_packed(self, table: str) -> bytes | None:
        """The replay of a finished game, compressed by zlib, or None if there is none."""
        kept: bytes | None = await self._store.call("GET", keys.archive(table))
        if kept is not None:
            return kept
        text = await self._replay(table) if await self._has_ended(table) else None
        return None if text is None else zlib.compress(text.encode())

    async def _has_ended(self, table: str) -> bool:
        room = self._rooms.get(table)
        command, result = awaitable(only_read, self._clock.now())
        room.submit(command)
        return await result is None and room.table is not None and room.table.status == "ended"

    async def _replay(self, table: str) -> str | None:
        """The replay made from the log, if the game has ended."""
        answer = await self._store.call("XRANGE", keys.table_log(table), "-", "+")
        entries = decode_entries(numbered(answer))
        if not entries or folded(table, entries).status != "ended":
            return None
        lines = await in_slices(replay.lines(table, entries))
        return "".join(line + "\n" for line in lines)


def people_of(text: str) -> set[str]:
    """The people whom a replay names."""
    seated = (line for line in text.split("\n") if '"type":"sat"' in line or '"type":"held"' in line)
    rows = (msgspec.json.decode(line) for line in seated)
    return {row["user"] for row in rows if row["type"] in ("sat", "held") and not row.get("bot")}
