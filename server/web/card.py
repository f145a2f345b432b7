"""The picture of a replay's preview card, as SVG: the game, the players, and the pieces on the table."""

from __future__ import annotations

import colorsys
import json
from collections.abc import Sequence
from functools import cache
from html import escape
from typing import Any, NamedTuple
from unicodedata import east_asian_width

from server.web.client import CLIENT
from server.web.table_pictures import Picture, Row

WIDTH, HEIGHT = 1200, 630  # what messengers expect
EDGE, GAP = 40, 12
TOP = 138  # the table begins here
MIDDLE = 380  # the width of the middle of the table
NAMES = 310  # the width of a seat's name
ROW = 150  # the greatest height of a seat
PIECE = 190  # the greatest height of a piece in the middle
SMALL = 34  # pieces overlap before they get smaller than this
FELTS = {"chesterfield": "2f4038", "do_my_bidding": "5a2a30", "cheesedog": "5a3a22", "cheesonomics": "3a5a3c"}
WOOD, GRAIN, PAPER, INK, CURD, FELT = "#4a2e1a", "#54361f", "#fbf6ea", "#2b2118", "#f2b632", "2e4a52"
HUES = (28, 208, 118, 334, 262, 172, 64, 298, 235, 145)  # of the seats, as on the page
SERIF = "Roboto Slab, Georgia, DejaVu Serif, Liberation Serif, Noto Serif, serif"
SANS = "DejaVu Sans, Liberation Sans, Noto Sans, sans-serif"


class Place(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float


class CardSeat(NamedTuple):
    """A seat: its name, and its result if that is shown."""

    name: str
    place: int | None = None
    points: int | None = None


class Card(NamedTuple):
    """What a card shows."""

    game: str
    title: str
    subtitle: str
    seats: Sequence[CardSeat]
    picture: Picture


@cache
def pieces(game: str) -> dict[str, Any]:
    """The drawings of a game's pieces (tools/pieces.py)."""
    path = CLIENT / "pieces" / f"{game}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def draw(card: Card) -> str:
    """The card as SVG."""
    table = Place(EDGE, TOP, WIDTH - 2 * EDGE, HEIGHT - TOP - EDGE)
    parts = [_ground(card)]
    rows = [row for row in card.picture.middle if row]
    if rows:
        middle = Place(table.x, table.y, MIDDLE, table.height)
        parts.append(_box(middle, f"#{FELTS.get(card.game, FELT)}", 22, f' stroke="{INK}" stroke-width="3"'))
        parts += _stack(card.game, rows, _inner(middle, 22))
        table = Place(table.x + MIDDLE + GAP * 2, table.y, table.width - MIDDLE - GAP * 2, table.height)
    height = min(ROW, (table.height + GAP) / len(card.seats) - GAP)
    used = (height + GAP) * len(card.seats) - GAP
    for seat, one in enumerate(card.seats):
        y = table.y + (table.height - used) / 2 + seat * (height + GAP)
        held = card.picture.seats[seat] if card.picture.seats else ()
        parts += _seat(card.game, seat, one, held, Place(table.x, y, table.width, height))
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>'


def _ground(card: Card) -> str:
    grain = "".join(f"M0 {y}q300 {y % 37 - 18} 600 0t600 0" for y in range(20, HEIGHT, 42))
    return (
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{WOOD}"/>'
        + f'<path d="{grain}" fill="none" stroke="{GRAIN}" stroke-width="7"/>'
        + _text(EDGE, 78, card.title, 52 if len(card.title) < 25 else 40, PAPER, SERIF)
        + _text(EDGE, 114, card.subtitle, 25, "#d9c7a8", SANS, weight=400)
        + _text(WIDTH - EDGE, 76, "Cheeseboard", 30, CURD, SERIF, anchor="end")
    )


def _seat(game: str, seat: int, one: CardSeat, held: Row, place: Place) -> list[str]:
    """A seat: its disc with the place, its name, its points, and what lies before it."""
    won = one.place == 1
    parts = [_box(place, PAPER, 16, f' stroke="{CURD}" stroke-width="6"' if won else ' fill-opacity=".92"')]
    radius = min(30.0, place.height / 2 - 6)
    centre = place.x + 44, place.y + place.height / 2
    mark = str(one.place) if one.place else one.name.strip()[:1].upper()
    parts.append(f'<circle cx="{centre[0]}" cy="{centre[1]}" r="{radius}" fill="{_hue(seat)}"/>')
    parts.append(_text(centre[0], centre[1] + radius * 0.36, mark, radius, "#fff", SANS, anchor="middle"))
    size = min(28.0, place.height * 0.5)
    name = _shortened(one.name, int((NAMES - 86) / size / 0.66))
    points = f"{one.points} point{'' if one.points == 1 else 's'}" if one.points is not None else ""
    lift = size * 0.1 if points and place.height > 70 else -size * 0.35
    parts.append(_text(place.x + 86, centre[1] - lift, name, size, INK, SERIF))
    if points and place.height > 70:
        parts.append(_text(place.x + 86, centre[1] + size, points, size * 0.75, "#6f6152", SANS, weight=400))
    row = Place(place.x + NAMES, place.y + 8, place.width - NAMES - 18, place.height - 16)
    return [*parts, *_lay(game, held, row)]


def _stack(game: str, rows: Sequence[Row], place: Place) -> list[str]:
    """Rows of pieces, one below the other, all in the middle."""
    each = min(PIECE, (place.height + GAP) / len(rows) - GAP)
    top = place.y + (place.height - each * len(rows) - GAP * (len(rows) - 1)) / 2
    return [
        part
        for number, row in enumerate(rows)
        for part in _lay(game, row, Place(place.x, top + number * (each + GAP), place.width, each), align=0.5)
    ]


def _lay(game: str, names: Row, place: Place, align: float = 0.0) -> list[str]:
    """Pieces in as many lines as makes them largest; `align` is 0 for left and 0.5 for centred."""
    drawn = [piece for name in names if (piece := pieces(game).get(name))]
    if not drawn:
        return []
    widest = max(_aspect(piece) for piece in drawn)

    def height(lines: int) -> float:
        return min(place.height / lines - 3, (place.width / -(-len(drawn) // lines) - 5) / widest)

    lines = max(range(1, 5), key=height)
    if height(lines) < min(SMALL, place.height):
        lines, each = 1, min(place.height, SMALL)  # they overlap
    else:
        each = height(lines)
    length = -(-len(drawn) // lines)
    top = place.y + (place.height - lines * each - (lines - 1) * 3) / 2
    return [
        part
        for line in range(lines)
        for part in _line(
            drawn[line * length : (line + 1) * length],
            Place(place.x, top + line * (each + 3), place.width, each),
            align,
        )
    ]


def _line(drawn: Sequence[Any], place: Place, align: float) -> list[str]:
    """Pieces in a line. They overlap if there is no room for all of them side by side."""
    if not drawn:
        return []
    widths = [_aspect(piece) * place.height for piece in drawn]
    step = max(widths) + 5
    if len(drawn) > 1:
        step = min(step, (place.width - widths[-1]) / (len(drawn) - 1))
    left = place.x + (place.width - step * (len(drawn) - 1) - widths[-1]) * align
    return [
        f'<svg x="{left + step * at:.1f}" y="{place.y:.1f}" width="{width:.1f}" height="{place.height:.1f}" '
        f'viewBox="{piece["box"]}">{piece["svg"]}</svg>'
        for at, (piece, width) in enumerate(zip(drawn, widths, strict=True))
    ]


def _aspect(piece: Any) -> float:
    """The width of a piece in relation to its height."""
    _, _, width, height = map(float, piece["box"].split())
    return width / height


def _inner(place: Place, margin: float) -> Place:
    return Place(place.x + margin, place.y + margin, place.width - 2 * margin, place.height - 2 * margin)


def _box(place: Place, fill: str, radius: int, more: str = "") -> str:
    at = f'x="{place.x}" y="{place.y:.1f}" width="{place.width}" height="{place.height:.1f}"'
    return f'<rect {at} rx="{radius}" fill="{fill}"{more}/>'


def _text(
    x: float, y: float, text: str, size: float, fill: str, family: str, *, weight: int = 700, anchor: str = "start"
) -> str:
    style = f'font-family="{family}" font-size="{size:.1f}" font-weight="{weight}" text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{fill}" {style}>{escape(text)}</text>'


def _shortened(name: str, room: int) -> str:
    """The name in so many columns at most; characters of East Asia have two."""
    for length, character in enumerate(name):
        room -= 2 if east_asian_width(character) in "WF" else 1
        if room < 0:
            return name[: max(1, length - 1)].rstrip() + "\u2026"
    return name


def _hue(seat: int) -> str:
    parts = colorsys.hls_to_rgb(HUES[seat % len(HUES)] / 360, 0.38, 0.45)
    return f"#{bytes(round(255 * part) for part in parts).hex()}"
