"""Replays without names: users, bots of people and tables get stable pseudonyms, and notes are left out."""

from __future__ import annotations

import hmac
import json
from typing import Any

from server.tables import house_bots
from server.tables.replay import with_new_digest

USERS = ("user", "owner", "host")  # fields with a user
NAMES = ("name", "by")  # fields with a name; `by` of a moved entry is no name


class Pseudonyms:
    """Replaces users and tables by keyed hashes, so the same user has the same pseudonym in all files."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def of(self, kind: str, name: str) -> str:
        """The pseudonym of a user or a table. House bots keep their names."""
        if name in house_bots.USERS or name == "clock":
            return name
        return f"{kind}{hmac.digest(self._secret, name.encode(), 'sha256').hex()[:12]}"

    def game(self, text: str) -> dict[str, Any]:
        """A replay file as one map of the day's file (docs/replay.md). Its `replay` verifies like the file."""
        rows = [json.loads(line) for line in text.split("\n") if line]
        users: dict[int, str] = {}
        replaced = with_new_digest([self._row(row, users) for row in rows])
        head, result = replaced[0], replaced[-1]
        return {
            "table": head["table"],
            "game": head["game"],
            "options": head["options"],
            "seats": head["seats"],
            "speed": head["speed"],
            "began": head["at"],
            "ended": replaced[-2]["at"],
            "players": [users.get(seat, "") for seat in range(head["seats"])],
            "places": result["outcome"]["places"],
            "points": result["outcome"].get("points"),
            "moves": sum(row["type"] == "moved" for row in replaced),
            "replay": replaced,
        }

    def _row(self, row: dict[str, Any], users: dict[int, str]) -> dict[str, Any]:
        """A row with pseudonyms; `users` is kept up to date with who sits where."""
        kind, new = row["type"], dict(row)
        for field in USERS:
            if isinstance(row.get(field), str) and row[field]:
                new[field] = self.of("p", row[field])
        for field in NAMES:
            if isinstance(row.get(field), str) and kind != "moved":
                new[field] = self._name(row, users)
        if "table" in row:
            new["table"] = self.of("t", row["table"])
        if "source" in row:
            new["source"] = {**row["source"], "table": self.of("t", row["source"]["table"])}
        if kind == "moved":
            new["key"] = ""
            new.pop("note", None)
        if kind == "sat":
            users[row["seat"]] = new["user"]
        return new

    def _name(self, row: dict[str, Any], users: dict[int, str]) -> str:
        """The name of a row: that of its user, or of the user on its seat."""
        if "user" in row:
            return row["name"] if row["user"] in house_bots.USERS else self.of("p", row["user"])
        return users.get(row.get("seat", -1), "")
