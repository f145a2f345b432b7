"""What finished games keep of a person: which games these are, and how a person is taken out of them."""

from __future__ import annotations

import asyncio
import json
import secrets
from typing import Any

import msgspec

from server.store import keys
from server.store.store import Store
from server.tables.finished.archive import PlayedOn
from server.tables.finished.packed_replay import pack_file, unpack_file
from server.tables.finished.remarks import KeptRemark
from server.tables.finished.replay import compact, with_new_digest
from server.tables.finished.seat_rows import USER_FIELDS, Chairs, Row, user_of_name, with_chairs

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
                before = unpack_file(packed).decode()
                text = without_user(before, user, f"u{secrets.token_hex(6)}")
                await self._store.call("SET", keys.archive(table), pack_file(text.encode()), "XX", "KEEPTTL")
                await self._erase_result(before, table, user)
        await self._store.call("DEL", keys.user_games(user))

    async def _erase_result(self, text: str, table: str, user: str) -> None:
        """Take a user out of the results that are listed with the game from which this one plays on."""
        rows = [json.loads(line) for line in text.split("\n") if line]
        source = rows[0].get("source")
        if source is None:
            return
        *_, (_, _, chairs) = with_chairs(rows)
        for old in await self._store.call("LRANGE", keys.played_on(source["table"]), 0, -1):
            result = msgspec.json.decode(old, type=PlayedOn)
            if result.table != table:
                continue
            seats = zip(result.names, chairs, strict=True)
            names = tuple(FORMER if chair.user == user else name for name, chair in seats)
            new = msgspec.json.encode(msgspec.structs.replace(result, names=names))
            if new != old:  # by value, because the list may have grown and lost its oldest results meanwhile
                await self._store.call("LINSERT", keys.played_on(source["table"]), "AFTER", old, new)
                await self._store.call("LREM", keys.played_on(source["table"]), 1, old)


def without_user(text: str, user: str, other: str) -> str:
    """A replay file in which a user has another id, no name, no picture and no notes. It verifies as before."""
    rows = [json.loads(line) for line in text.split("\n") if line]
    kept = [_without_user(row, chairs, user, other) for row, chairs, _ in with_chairs(rows)]
    return "".join(compact(row) + "\n" for row in with_new_digest(kept))


def _without_user(row: Row, chairs: Chairs, user: str, other: str) -> Row:
    """A row without the user; `chairs` are those before it."""
    new = {name: other if name in USER_FIELDS and value == user else value for name, value in row.items()}
    if row["type"] == "held" and row.get("by") and user_of_name(chairs, row["by"]) in (None, user):
        new["by"] = FORMER  # a host without a seat is nowhere named by their id, so that name goes too
    if row.get("user") != user and (row["type"] != "renamed" or chairs[row["seat"]].user != user):
        return new
    if row.get("name") is not None:
        new["name"] = FORMER
    if row.get("avatar"):
        new["avatar"] = ""
    new.pop("note", None)
    return new
