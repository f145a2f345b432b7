"""Places that outlived their table: a table in the list of a user or an address that is over, or gives them no seat.

Lists of tables are derived from the logs. A node that dies, or a store that is away for long, can leave a member
behind that nothing removes any more. It is looked for when a list is full, and when a user comes back.
"""

from __future__ import annotations

import asyncio

from protocol.codec import ProtocolError
from server.store import keys
from server.store.answers import StoreLost
from server.store.quotas import Place
from server.store.store import Store
from server.tables.rooms.commands import awaitable
from server.tables.rooms.rooms import Rooms
from server.tables.rooms.service_clock import ServiceClock
from server.tables.state.decisions import NOTHING, Decision
from server.tables.state.table import Table

EVERY_S = 10  # a list is looked through no more often than this, by all nodes together
MAX_AT_HELLO = 20  # a longer list is looked through only when it is full
NO_EXPIRY = -1  # of the log of a table that is not over


class StalePlaces:
    """Finds and removes places that outlived their table."""

    def __init__(self, store: Store, rooms: Rooms, clock: ServiceClock) -> None:
        self._store = store
        self._rooms = rooms
        self._clock = clock

    async def drop(self, place: Place) -> bool:
        """Drop what is stale in the full list of this place; returns whether there was something."""
        if await self._store.call("SET", keys.looked_through(place.key), "", "NX", "EX", EVERY_S) is None:
            return False
        members = [member.decode() for member in await self._store.call("SMEMBERS", place.key)]
        return len(await self._held(place.key, place.user, members)) < len(members)

    async def held(self, user: str, tables: tuple[str, ...]) -> tuple[str, ...]:
        """Those of a user's tables where they have a seat; the others are dropped from the list."""
        if not 0 < len(tables) <= MAX_AT_HELLO:
            return tables
        try:
            return tuple(await self._held(keys.user_tables(user), user, list(tables)))
        except StoreLost:
            return tables

    async def _held(self, key: str, user: str, members: list[str]) -> list[str]:
        """The members that are not stale; the others are dropped."""
        logs = [keys.table_log(member.rpartition(" ")[2]) for member in members]
        expiries = await asyncio.gather(*(self._store.call("PTTL", log) for log in logs))
        held, stale = [], []
        for member, expiry in zip(members, expiries, strict=True):
            if expiry == NO_EXPIRY and await self._holds(member, user):
                held.append(member)
            else:
                stale.append(member)
        if stale:
            await self._store.call("SREM", key, *stale)
        return held

    async def _holds(self, member: str, user: str) -> bool:
        """Whether a table that seems to go on does, and gives the user a seat."""
        of_address, _, table = member.rpartition(" ")
        if of_address:  # the user's own list is right, or will be
            return bool(await self._store.call("SISMEMBER", keys.user_tables(of_address), table))

        def judge(found: Table, at: int) -> Decision:
            if found.status in ("ended", "closed") or (user and user not in found.users):
                raise ProtocolError("not_seated", "you have no seat at this table")
            return NOTHING

        command, result = awaitable(judge, self._clock.now())
        self._rooms.get(table).submit(command)
        refusal = await result
        return refusal is None or refusal.code not in ("not_seated", "no_table")
