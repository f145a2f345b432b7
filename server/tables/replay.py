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
    yield _json({"type": "result", "outcome": plain(outcome), "state": plain(state)})


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


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def plain(value: Any) -> Any:
    """The value as it comes back from a file."""
    return json.loads(msgspec.json.encode(value))


def verify(text: Iterable[str]) -> int:
    """Play a replay again from its seed and moves; the number of entries, or BadReplay at the first that differs."""
    rows = [_row(number, line) for number, line in enumerate(text, 1) if line.strip()]
    if len(rows) < 2 or rows[0].get("format") != FORMAT or rows[-1].get("type") != "result":
        raise BadReplay("this is not a whole replay file: it begins with the table and ends with the result")
    head, entries, result = rows[0], rows[1:-1], rows[-1]
    game, seed = _game(head)
    state = None
    for n, row in enumerate(entries, 2):
        if row.get("n") != n:
            raise BadReplay(f"entry {n} is missing: entry {row.get('n')} stands in its place")
        if row.get("type") in ("started", "moved"):
            events = _again(game, head, Chance(seed, n), state, row)
            if plain(events) != row.get("events"):
                raise BadReplay(f"entry {n} differs: its events do not follow from the seed and the move")
            for event in events:
                state = game.apply(state, event)
    outcome = None if state is None else game.outcome(state)
    if outcome is None:
        raise BadReplay(f"the game has not ended after entry {len(rows) - 1}")
    if plain(state) != result.get("state"):
        raise BadReplay(f"the final state differs from the one after entry {len(rows) - 1}")
    if plain(outcome) != result.get("outcome"):
        raise BadReplay(f"the result differs from the one after entry {len(rows) - 1}")
    return len(rows) - 1


def _row(number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise BadReplay(f"line {number} is not JSON: {fault}") from None
    if not isinstance(row, dict):
        raise BadReplay(f"line {number} is not an object")
    return row


def _game(head: dict[str, Any]) -> tuple[AnyGame, bytes]:
    """Which game was played, and from which seed."""
    name, version = head.get("game"), head.get("version")
    if version != VERSION or not isinstance(name, str) or name not in GAMES:
        raise BadReplay(f"this is version {version} of {name}, and read is version {VERSION} of {', '.join(GAMES)}")
    try:
        seed = bytes.fromhex(head["seed"])
    except (KeyError, TypeError, ValueError):
        raise BadReplay("entry 1 differs: its seed is not written in hex") from None
    return GAMES[name], seed


def _again(game: AnyGame, head: dict[str, Any], chance: Chance, state: Any, row: dict[str, Any]) -> tuple[Any, ...]:
    """The events that follow when the entry is played again."""
    try:
        if (row["type"] == "started") != (state is None):
            raise BadReplay("a game starts once, before its moves")
        if state is None:
            return game.setup(head["seats"], msgspec.convert(head["options"], game.options), chance)
        move = msgspec.convert(row["move"], game.moves)
        if row["by"] == "clock":
            if move != game.absent(state, row["seat"]):
                raise BadReplay("this is not the move that the clock makes")
            return game.play(state, row["seat"], move, chance)
        return judge(game, state, row["seat"], move, chance)
    except KeyError as fault:
        raise BadReplay(f"entry {row['n']} differs: it has no {fault}") from None
    except Exception as fault:  # whatever a file that was tampered with makes a game do
        raise BadReplay(f"entry {row['n']} differs: {fault}") from fault
