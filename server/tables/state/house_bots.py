"""The house bots as the server knows them: their user ids, their names, and which one takes the next free seat."""

from __future__ import annotations

import zlib
from collections.abc import Collection

NAMES = (
    "Brie",
    "Colby",
    "Edam",
    "Fontina",
    "Gouda",
    "Havarti",
    "Jarlsberg",
    "Limburger",
    "Manchego",
    "Paneer",
    "Ricotta",
    "Stilton",
    "Taleggio",
    "Wensleydale",
)
USERS = {f"house-{name.lower()}": name for name in NAMES}


def choose(table: str, at_table: Collection[str], connected: Collection[str] = ()) -> tuple[str, str]:
    """The user id and name of a house bot without a seat at this table, if possible one connected to this node."""
    start = zlib.crc32(table.encode()) % len(NAMES)
    free = [user for user in (*USERS, *USERS)[start : start + len(USERS)] if user not in at_table]
    if not free:
        raise LookupError("every house bot has a seat at this table")
    user = next((one for one in free if one in connected), free[0])
    return user, USERS[user]
