"""Remarks at moments of finished games, by those who played them."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from server.store import keys
from server.store.store import Store
from server.tables.finished.archive import KEPT_S

MAX_REMARKS = 200  # on one game; further ones are refused


class KeptRemark(msgspec.Struct, frozen=True):
    """A remark at entry `n`, with the seat and the name that its author had."""

    n: int
    seat: int
    name: str
    text: str
    at: int


class Remarks:
    """Reads and writes remarks. A user has one at each entry."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def put(self, table: str, user: str, remark: KeptRemark) -> bool:
        """Keep a remark, or remove it if its text is empty. Returns False if there are too many."""
        key, field = keys.remarks(table), f"{remark.n} {user}"
        if not remark.text:
            await self._store.call("HDEL", key, field)
            return True
        known = await self._store.call("HEXISTS", key, field)
        if not known and await self._store.call("HLEN", key) >= MAX_REMARKS:
            return False
        await self._store.call("HSET", key, field, msgspec.json.encode(remark))
        await self._store.call("EXPIRE", key, KEPT_S)
        return True

    async def all(self, table: str, is_shown: Callable[[str], bool]) -> list[KeptRemark]:
        """The remarks at a game of users that are shown, in the order of its entries."""
        found = await self._store.call("HGETALL", keys.remarks(table))
        pairs = zip(found[::2], found[1::2], strict=True)
        shown = (remark for field, remark in pairs if is_shown(field.decode().split()[1]))
        return sorted((msgspec.json.decode(one, type=KeptRemark) for one in shown), key=lambda one: (one.n, one.at))
