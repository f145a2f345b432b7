"""Replays without names: users, bots of people and tables get stable pseudonyms, and notes are left out."""

from __future__ import annotations

import hmac
import json
from typing import Any

from server.tables.finished.replay import with_new_digest
from server.tables.finished.seat_rows import USER_FIELDS, Chairs, Row, user_of_name, with_chairs
from server.tables.state import house_bots


class Pseudonyms:
    """Replaces users and tables by keyed hashes, so the same user has the same pseudonym in all files."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def of(self, kind: str, name: str) -> str:
        """The pseudonym of a user or a table. House bots keep their names."""
        if name in house_bots.USERS or name in ("clock", ""):
            return name
        return f"{kind}{hmac.digest(self._secret, name.encode(), 'sha256').hex()[:12]}"

    def game(self, text: str) -> dict[str, Any]:
        """A replay file as one map of the day's file (docs/replay.md). Its `replay` verifies like the file."""
        rows = [json.loads(line) for line in text.split("\n") if line]
        seated = list(with_chairs(rows))
        replaced = with_new_digest([self._row(row, chairs) for row, chairs, _ in seated])
        head, result = replaced[0], replaced[-1]
        return {
            "table": head["table"],
            "game": head["game"],
            "options": head["options"],
            "seats": head["seats"],
            "speed": head["speed"],
            "began": head["at"],
            "ended": replaced[-2]["at"],
            "players": [self.of("p", chair.user or "") for chair in seated[-1][2]],
            "places": result["outcome"]["places"],
            "points": result["outcome"].get("points"),
            "moves": sum(row["type"] == "moved" for row in replaced),
            "replay": replaced,
        }

    def _row(self, row: Row, chairs: Chairs) -> Row:
        """A row with pseudonyms; `chairs` are those before it."""
        kind, new = row["type"], dict(row)
        for field in USER_FIELDS:
            if isinstance(row.get(field), str) and row[field]:
                new[field] = self.of("p", row[field])
        if isinstance(row.get("name"), str):
            new["name"] = self._name(row, chairs)
        if kind == "held" and row.get("by"):
            host = user_of_name(chairs, row["by"])  # None if the host has no seat: nothing else names them
            new["by"] = "" if host is None else self.of("p", host)
        if "table" in row:
            new["table"] = self.of("t", row["table"])
        if "source" in row:
            new["source"] = {**row["source"], "table": self.of("t", row["source"]["table"])}
        if kind == "moved":
            new["key"] = ""
            new.pop("note", None)
        return new

    def _name(self, row: Row, chairs: Chairs) -> str:
        """The name of a row: that of its user, or of the user on its seat."""
        if "user" in row:
            return str(row["name"]) if row["user"] in house_bots.USERS else self.of("p", row["user"])
        return self.of("p", chairs[row["seat"]].user or "")
