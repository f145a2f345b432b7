"""The replay file: a finished game as JSON lines. docs/replay.md describes it for those who write their own readers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from games import GAMES
from games.chance import Chance
from games.core import AnyGame, judge
from server.entries import Entry, Moved, Opened, Started, write_entry
from server.table import codec

FORMAT = "cheeseboard-replay"
VERSION = 1


class BadReplay(Exception):  # noqa: N818
    """The file is not what it says, and where."""


def lines(table: str, entries: Iterable[tuple[int, Entry]]) -> Iterator[str]:
    """The log of a finished game, one JSON object a line: a head, the entries, and the result."""
    game: AnyGame | None = None
    state: Any = None
    for n, entry in entries:
        if isinstance(entry, Opened):
            game = GAMES[entry.game]
            yield _json(_head(table, entry))
            continue
        assert game
        line: dict[str, Any] = {"n": n, **msgspec.msgpack.decode(write_entry(entry))}
        if isinstance(entry, Moved | Started):
            events = codec(game.name).events.decode(entry.events)
            for event in events:
                state = game.apply(state, event)
        yield _json(line)
    assert game
    outcome = game.outcome(state) if state is not None else None
    final = plain(state) if state is not None else None
    yield _json({"type": "result", "outcome": plain(outcome), "state": final})


def _head(table: str, entry: Opened) -> dict[str, Any]:
    return {
        "type": "table",
        "format": FORMAT,
        "version": VERSION,
        "n": 1,
        "table": table,
        "game": entry.game,
        "options": entry.options,
        "seats": entry.seats,
        "speed": entry.speed,
        "seed": entry.seed.hex(),
        "at": entry.at,
    }


def plain(value: Any) -> Any:
    """The value as it comes back from a file: maps, lists, strings and numbers."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def verify(text: Iterable[str]) -> int:
    """Play a replay again from its seed and moves; the number of entries, or BadReplay at the first that differs."""
    rows = [_row(number, line) for number, line in enumerate(text, 1) if line.strip()]
    if len(rows) < 2 or rows[0].get("format") != FORMAT or rows[-1].get("type") != "result":
        raise BadReplay("this is not a whole replay file: it begins with the table and ends with the result")
    head, entries, result = rows[0], rows[1:-1], rows[-1]
    if head["version"] != VERSION or head["game"] not in GAMES:
        raise BadReplay(f"this reads version {VERSION} of {', '.join(GAMES)}")
    game, seed = GAMES[head["game"]], bytes.fromhex(head["seed"])
    state = None
    for row in entries:
        if row["type"] in ("started", "moved"):
            events = _again(game, head, seed, state, row)
            if plain(events) != row["events"]:
                raise BadReplay(f"entry {row['n']} differs: its events do not follow from the seed and the move")
            for event in events:
                state = game.apply(state, event)
    final = plain(state) if state is not None else None
    if final != result["state"]:
        raise BadReplay("the final state differs from the one in the file")
    if state is not None and plain(game.outcome(state)) != result["outcome"]:
        raise BadReplay("the result differs from the one in the file")
    return len(rows) - 1


def _row(number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError as fault:
        raise BadReplay(f"line {number} is not JSON: {fault}") from None
    if not isinstance(row, dict):
        raise BadReplay(f"line {number} is not an object")
    return row


def _again(game: AnyGame, head: dict[str, Any], seed: bytes, state: Any, row: dict[str, Any]) -> tuple[Any, ...]:
    chance = Chance(seed, row["n"])
    try:
        if row["type"] == "started":
            return game.setup(head["seats"], msgspec.convert(head["options"], game.options), chance)
        move = msgspec.convert(row["move"], game.moves)
        if row["by"] == "clock":
            if move != game.absent(state, row["seat"]):
                raise BadReplay(f"entry {row['n']} differs: this is not the move that the clock makes")
            return game.play(state, row["seat"], move, chance)
        return judge(game, state, row["seat"], move, chance)
    except BadReplay:
        raise
    except Exception as fault:
        raise BadReplay(f"entry {row['n']} differs: {fault}") from fault
