"""Where ended tables go: one compressed value each; their live keys expire."""

from __future__ import annotations

import asyncio
import logging
import zlib
from collections.abc import Callable, Coroutine
from typing import Any

from server import replay
from server.hub import Hub
from server.log import deadlines_key, log_key, read_entries, shard, table_key
from server.room import Command, Room, look
from server.store import StoreLost
from server.table import Table, folded

log = logging.getLogger("cheeseboard.archive")

KEPT_S = 90 * 24 * 3600  # a replay
LIVE_S = 3600  # the live keys of a table that is over


class Archive:
    """Puts finished games away and finds them again."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._tasks: set[asyncio.Task[None]] = set()

    def put_away(self, room: Room) -> None:
        """The table is over: keep its replay, and let the rest go."""
        assert room.table
        self.later(lambda: self._put_away(room.table))

    def later(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do it beside everything else; what fails is taken up again by the clock."""

        async def attempt() -> None:
            try:
                await work()
            except StoreLost:
                log.warning("the store went away; this is taken up again")

        task = asyncio.get_running_loop().create_task(attempt())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _put_away(self, table: Table | None) -> None:
        if table is None:
            return
        store = self._hub.store
        if table.status == "ended":
            text = await self._text(table.id)
            if text is not None:
                packed = zlib.compress(text.encode())
                first = await store.call("SET", f"archive:{table.id}", packed, "EX", KEPT_S, "GET") is None
                if first:
                    self._count(table)
        for user in table.users:
            await store.call("SREM", f"user:{user}:tables", table.id)
        self._hub.lobby.drop(table.id)
        for key in (log_key(table.id), table_key(table.id, "chat")):
            await store.call("EXPIRE", key, LIVE_S)
        await store.call("ZREM", deadlines_key(shard(table.id)), table.id)

    def _count(self, table: Table) -> None:
        """Keep the record of strangers' bots."""
        assert table.outcome
        for chair, place in zip(table.chairs, table.outcome.places, strict=True):
            if chair.bot and not chair.level:
                key, game = f"record:{chair.user}", table.opened.game
                self._hub.store.send(_ignore, "HINCRBY", key, f"{game}:played", 1)
                if place == 1:
                    self._hub.store.send(_ignore, "HINCRBY", key, f"{game}:first", 1)

    async def find(self, table: str) -> str | None:
        """The replay of a finished game, or None if it is not over or not known."""
        kept = await self._hub.store.call("GET", f"archive:{table}")
        if kept is not None:
            return zlib.decompress(kept).decode()
        return await self._text(table) if await self._is_over(table) else None

    async def _is_over(self, table: str) -> bool:
        """Whether the game has ended, by the folded table that the node holds."""
        room = self._hub.room(table)
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def looked(n: int, again: bool) -> None:
            future.set_result(room.table is not None and room.table.status == "ended")

        room.submit(Command(look, looked, lambda fault: future.set_result(False), self._hub.now()))
        return await future

    async def _text(self, table: str) -> str | None:
        entries = read_entries(await self._hub.store.call("XRANGE", log_key(table), "-", "+"))
        if not entries or folded(table, entries).status != "ended":
            return None
        return "".join(line + "\n" for line in replay.lines(table, entries))


def _ignore(*_: object) -> None:
    """A record may miss a game when the store goes away; the game itself does not."""
