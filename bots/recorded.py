"""Reads recorded games, the replay files of docs/replay.md: for analyses, and to ask a bot about one decision."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from games import GAMES
from games.core import AnyGame

FORMAT = "cheeseboard-replay"
Row = dict[str, Any]


class NoReplay(Exception):  # noqa: N818
    """The text is not a replay file."""


@dataclass(frozen=True)
class Step:
    """The line that starts the game or has a move, its events, and the states before and after them."""

    row: Row
    before: Any
    events: list[Any]
    after: Any


def read_rows(text: Iterable[str]) -> tuple[list[Row], AnyGame]:
    """The lines of a replay file, the first of which is its head, and its game; raises NoReplay."""
    try:
        rows = [json.loads(line) for line in text if line.strip()]
    except ValueError:
        raise NoReplay("this is not a replay file") from None
    if not rows or not isinstance(rows[0], dict) or rows[0].get("format") != FORMAT or rows[0].get("game") not in GAMES:
        raise NoReplay("this is not a replay file")
    return rows, GAMES[rows[0]["game"]]


def steps(rows: Iterable[Row], game: AnyGame) -> Iterator[Step]:
    """The start and all moves, in order. A game that plays on from another one starts with a position, not events."""
    state: Any = None
    for row in rows:
        if row["type"] not in ("started", "moved"):
            continue
        before, events = state, [msgspec.convert(event, game.events) for event in row["events"]]
        if "position" in row:
            state = msgspec.convert(row["position"], game.state, str_keys=True)
        for event in events:
            state = game.apply(state, event)
        yield Step(row, before, events, state)
