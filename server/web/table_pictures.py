"""What lies on a table, for the picture of a preview card: which pieces in the middle, and which before each seat.

The names of pieces are those of `web-client/pieces/GAME.json`. A game without a function here gets a card without them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

PILE = 4  # cards of a pile that are drawn
Row = Sequence[str]


class Picture(NamedTuple):
    """The pieces of a table: rows in the middle, and a row for each seat."""

    middle: Sequence[Row]
    seats: Sequence[Row]


def picture(game: str, view: Any) -> Picture:
    """What the public sees on the table."""
    return DRAWN[game](view) if game in DRAWN else Picture((), ())


def _chesterfield(view: Any) -> Picture:
    laid = [
        [
            card
            for one in sets
            for card in [one.cheese] * one.cards + ["Cheddar"] * one.cheddar + ["Gruyere"] * one.gruyere
        ]
        + ["Bleu"] * bleus
        for sets, bleus in zip(view.sets, view.bleus, strict=True)
    ]
    return Picture(([view.card or "hammer"], [card or "back" for card in view.block]), laid)


def _do_my_bidding(view: Any) -> Picture:
    arts = [f"{art.artist} {art.colour}" for lot in view.lots for art in lot.arts]
    return Picture(_rows(arts, 3), [[f"{art.artist} {art.colour}" for art in owned] for owned in view.collections])


def _diced_cheese(view: Any) -> Picture:
    loose = [[die.face or "fresh" for die in dice if die.where != "wheel"] for dice in view.dice]
    wheels = [[f"wheel {count}"] for count in view.wheels]
    middle = [row for pair in zip(wheels, loose, strict=True) for row in pair] if len(wheels) == 1 else wheels
    return Picture(middle, [["wheel 8"] * wins for wins in view.wins])


def _cheesedog(view: Any) -> Picture:
    held = [
        ["back"] * hand + list(ups) + ["back"] * sum(downs)
        for hand, ups, downs in zip(view.hands, view.ups, view.downs, strict=True)
    ]
    return Picture((view.pile[-PILE:],), held)


def _cheesonomics(view: Any) -> Picture:
    return Picture(_rows(view.market, 5), [[wedge.removesuffix("*") for wedge in sold or ()] for sold in view.sold])


def _rows(pieces: Sequence[str], length: int) -> list[Row]:
    return [pieces[first : first + length] for first in range(0, len(pieces), length)]


DRAWN: dict[str, Callable[[Any], Picture]] = {
    "chesterfield": _chesterfield,
    "do_my_bidding": _do_my_bidding,
    "diced_cheese": _diced_cheese,
    "cheesedog": _cheesedog,
    "cheesonomics": _cheesonomics,
}
