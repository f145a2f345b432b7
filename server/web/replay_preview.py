"""The preview card of a replay: game, players and date, and the table at the moment that the address names.

A card tells the result only if the address leads to the end of the game.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from games import GAMES
from server.tables.finished.bytes_cache import BytesCache
from server.tables.finished.replay import fold_until, read_entries
from server.tables.finished.slices import Slices
from server.tables.state.entries import Opened, Sat, Started
from server.tables.state.table import Table
from server.web.card import Card, CardSeat, draw
from server.web.previews import Preview
from server.web.table_pictures import picture

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = (sys.executable, "-m", "server.web.draw_png")
MAX_CACHED_BYTES = 8 << 20  # of cards
MAX_WAITING = 24  # pictures that wait for their turn; one address can ask for ten at once; further ones are refused
DRAWING_S = 20.0  # a picture that takes longer is given up


class Played(NamedTuple):
    """What the lines of a replay file tell at a glance. `places` are those of the result."""

    game: str
    at: int
    names: list[str]
    places: tuple[int, ...]
    started: int  # the number of the entry that starts the game
    last: int  # the number of the last entry


def _read(text: str) -> Played:
    """Read the lines before the first move, and the result."""
    names: dict[int, str] = {}
    game, at, started = "", 0, 0
    lines = text.split("\n")
    for n, entry in read_entries(lines):
        if isinstance(entry, Opened):
            game, at = entry.game, entry.at
        elif isinstance(entry, Sat):
            names[entry.seat] = entry.name
        elif isinstance(entry, Started):
            started = n
            break
    head, last, result = (msgspec.json.decode(lines[index]) for index in (0, -3, -2))
    places = tuple(result["outcome"]["places"])
    return Played(head.get("game", game), at, [names[seat] for seat in sorted(names)], places, started, last["n"])


def preview_of(text: str, address: str, n: int | None) -> Preview:
    """The preview of a replay file at entry n, or at its start; `address` is that of its page, without the moment."""
    played = _read(text)
    title = GAMES[played.game].title
    about = f"Watch this game of {title} from any seat, move by move. Played on {_day(played.at)}."
    if n is not None and n >= played.last and len(played.names) == len(played.places):
        order = sorted(zip(played.places, played.names, strict=True))
        about = f"{', '.join(f'{place}. {name}' for place, name in order)}. {about}"
    shown = _moment(played, n)
    return Preview(f"{title}: {', '.join(played.names)}", about, f"{address}/card.png?at={shown}")


def _moment(played: Played, n: int | None) -> int:
    """The entry that a card shows: one at which the game runs, or its end."""
    return min(max(n or 0, played.started), played.last)


def _day(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%-d %B %Y")


class ReplayCards:
    """Draws the pictures of cards, one at a time, and keeps the last ones."""

    def __init__(self, slices: Slices) -> None:
        self._slices = slices
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._kept: BytesCache[tuple[str, int]] = BytesCache(MAX_CACHED_BYTES)

    async def find(self, name: str, text: str, n: int | None) -> bytes:
        """The picture of a replay file at entry n, as PNG. Raises OSError or TimeoutError if it cannot be drawn."""
        moment = _moment(_read(text), n)
        found = self._kept.find((name, moment))
        if found is not None:
            return found
        if self._waiting >= MAX_WAITING:
            raise TimeoutError(f"{MAX_WAITING} other pictures come first")
        self._waiting += 1
        try:
            async with self._turn:
                return self._kept.find((name, moment)) or await self._draw(name, text, moment)
        finally:
            self._waiting -= 1

    async def _draw(self, name: str, text: str, moment: int) -> bytes:
        table = await self._slices.last(fold_until(name, text.split("\n")[:-1], moment))
        assert table
        drawn = await _render(draw(_card(table)))
        self._kept.keep((name, moment), drawn)
        return drawn


def _card(table: Table) -> Card:
    game = table.game
    outcome = game.outcome(table.state)
    places = outcome.places if outcome else (None,) * len(table.chairs)
    points = (outcome.points if outcome else None) or (None,) * len(table.chairs)
    rows = zip(table.chairs, places, points, strict=True)
    seats = [CardSeat(chair.name or "", place, scored) for chair, place, scored in rows]
    day = _day(table.opened.at)
    return Card(
        game.name,
        game.title,
        f"Final table, {day}" if outcome else f"Replay of {day}",
        seats,
        picture(game.name, game.view(table.state, None)),
    )


async def _render(svg: str) -> bytes:
    """The drawing as PNG, made by a process of its own."""
    process = await asyncio.create_subprocess_exec(
        *PROGRAM, cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(DRAWING_S):
            drawn, _ = await process.communicate(svg.encode("utf-8", "replace"))
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise OSError(f"the picture was not drawn: {PROGRAM[-1]} ended with {process.returncode}")
    return drawn
