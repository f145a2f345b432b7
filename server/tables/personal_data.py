"""What finished games keep of a person: a list of the games, and how a person is taken out of them."""

from __future__ import annotations

import asyncio
import json
import secrets
import zlib
from typing import Any

import msgspec

from server.store import keys
from server.store.store import Store
from server.tables.remarks import KeptRemark
from server.tables.replay import compact, with_new_digest

FORMER = "Former player"  # the name of somebody who has deleted their account


class PersonalData:
    """Finds and erases what finished games keep of a person."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def games(self, user: str) -> list[str]:
        """The finished games of a user that are kept, the newest first."""
        found = await self._store.call("ZRANGE", keys.user_games(user), 0, -1, "REV")
        tables = [table.decode() for table in found]
        kept = await asyncio.gather(*(self._store.call("EXISTS", keys.archive(table)) for table in tables))
        return [table for table, exists in zip(tables, kept, strict=True) if exists]

    async def remarks(self, user: str, games: list[str]) -> list[dict[str, Any]]:
        """The remarks of a user at these games."""
        kept = []
        found = await asyncio.gather(*(self._remarks_at(table, user) for table in games))
        for table, remarks in zip(games, found, strict=True):
            for field, remark in remarks:
                read = msgspec.json.decode(remark, type=KeptRemark)
                kept.append({"table": table, "n": int(field.split()[0]), "text": read.text, "at": read.at})
        return kept

    async def _remarks_at(self, table: str, user: str) -> list[tuple[str, bytes]]:
        found = await self._store.call("HGETALL", keys.remarks(table))
        pairs = zip(found[::2], found[1::2], strict=True)
        return [(field.decode(), remark) for field, remark in pairs if field.decode().split()[1] == user]

    async def erase(self, user: str) -> None:
        """Take a user out of all their finished games."""
        for table in await self.games(user):
            for field, _ in await self._remarks_at(table, user):
                await self._store.call("HDEL", keys.remarks(table), field)
            packed = await self._store.call("GET", keys.archive(table))
            if packed is not None:
                text = without_user(zlib.decompress(packed).decode(), user, f"u{secrets.token_hex(6)}")
                await self._store.call("SET", keys.archive(table), zlib.compress(text.encode()), "XX", "KEEPTTL")
        await self._store.call("DEL", keys.user_games(user))


def without_user(text: str, user: str, other: str) -> str:
    """A replay file in which a user has another id and no name. It verifies as before."""
    seated: dict[int, str] = {}
    rows = []
    for row in (json.loads(line) for line in text.split("\n") if line):
        if row["type"] in ("sat", "held"):
            seated[row["seat"]] = row["user"]
        new = dict(row)
        for field in ("user", "owner", "host"):
            if row.get(field) == user:
                new[field] = other
        of_user = row.get("user") == user or (row["type"] == "renamed" and seated.get(row["seat"]) == user)
        if of_user and "name" in row:
            new["name"] = FORMER
        rows.append(new)
    return "".join(compact(row) + "\n" for row in with_new_digest(rows))
