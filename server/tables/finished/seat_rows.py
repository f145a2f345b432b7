"""Who sat where at each line of a replay file, without playing the game again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from server.tables.state.chairs import Chair, reseated
from server.tables.state.local_struct import replace

Chairs = tuple[Chair, ...]
Row = dict[str, Any]
USER_FIELDS = ("user", "owner", "host")  # the fields of a row that name a user


def with_chairs(rows: Iterable[Row]) -> Iterator[tuple[Row, Chairs, Chairs]]:
    """Each row of a file with the chairs before it and after it, as folding the log gives them (table.py)."""
    chairs: Chairs = ()
    game = ""
    for row in rows:
        before = chairs
        if row["type"] == "table":
            first = row.get("opened") or row
            game, chairs = first["game"], (Chair(),) * first["seats"]
        elif row["type"] == "changed":
            chairs = reseated(chairs, row["seats"], row["game"] == game)
            game = row["game"]
        else:
            chairs = _after(row, chairs)
        yield row, before, chairs


def _after(row: Row, chairs: Chairs) -> Chairs:
    match row["type"]:
        case "sat" | "held" as kind:
            who = row["user"], row["name"], row.get("bot", False), row.get("level"), row.get("owner")
            return _put(chairs, row["seat"], Chair(*who, held=kind == "held"))
        case "left":
            return _put(chairs, row["seat"], Chair())
        case "renamed":
            return _put(chairs, row["seat"], replace(chairs[row["seat"]], name=row["name"]))
        case "dismissed":
            return tuple(Chair() if chair.user == row["user"] else chair for chair in chairs)
        case "swapped":
            first, second = chairs[row["seat"]], chairs[row["other"]]
            return _put(_put(chairs, row["seat"], second), row["other"], first)
        case _:
            return chairs


def _put(chairs: Chairs, seat: int, chair: Chair) -> Chairs:
    return (*chairs[:seat], chair, *chairs[seat + 1 :])


def user_of_name(chairs: Chairs, name: str) -> str | None:
    """The user whose seat has this name: the names of a table differ."""
    return next((chair.user for chair in chairs if chair.name == name), None)
