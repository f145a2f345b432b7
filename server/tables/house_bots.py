"""The house's own bots as the server knows them: who they are and whom to seat next."""

from __future__ import annotations

import zlib
from collections.abc import Collection

LEVELS = ("random", "rookie", "master")

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


def pick(table: str, at_table: Collection[str], near: Collection[str] = ()) -> tuple[str, str]:
    """The user id and name of a house bot that has no seat at this table yet, one that is near before any other."""
    start = zlib.crc32(table.encode()) % len(NAMES)
    free = [user for user in (*USERS, *USERS)[start : start + len(USERS)] if user not in at_table]
    if not free:
        raise LookupError("every house bot has a seat at this table")
    user = next((one for one in free if one in near), free[0])
    return user, USERS[user]
