"""A table of Do My Bidding in numbers, for bots: what a lot is worth to a patron, and what selling it changes."""

from __future__ import annotations

from collections.abc import Sequence

from bots.offers import View
from games.do_my_bidding.values import ARTISTS, COLOURS, DECK

Picture = tuple[int, int, int]  # artist, colour, value

PICTURES = {
    (artist, colour): (i, j, 1 + (i + j + 5) % 7)
    for i, artist in enumerate(ARTISTS)
    for j, colour in enumerate(COLOURS)
}


class Table:
    """What a simulation changes of a table. Lists are by seat; paintings are counted by artist and by colour.

    `owned` has a bit for each painting: number 7 * artist + colour.
    """

    __slots__ = ("artists", "colours", "envelopes", "owned", "purses", "scores")

    def __init__(
        self,
        purses: list[int],
        envelopes: list[int],
        scores: list[int],
        artists: list[list[int]],
        colours: list[list[int]],
        owned: list[int],
    ) -> None:
        self.purses = purses
        self.envelopes = envelopes
        self.scores = scores
        self.artists = artists
        self.colours = colours
        self.owned = owned

    def copy(self) -> Table:
        return Table(
            self.purses[:],
            self.envelopes[:],
            self.scores[:],
            [row[:] for row in self.artists],
            [row[:] for row in self.colours],
            self.owned[:],
        )

    def worth(self, patron: int, lot: Sequence[Picture]) -> int:
        """DMB-15: the patron's score for this lot."""
        artists, colours = self.artists[patron], self.colours[patron]
        if len(lot) == 1:
            ((artist, colour, value),) = lot
            return value + artists[artist] + colours[colour]
        (artist, colour, value), (artist2, colour2, value2) = lot
        if artist == artist2:  # one more for the two that match each other
            return value + value2 + artists[artist] + colours[colour] + colours[colour2] + 1
        if colour == colour2:
            return value + value2 + artists[artist] + artists[artist2] + colours[colour] + 1
        owned = self.owned[patron]  # these two match both new ones, but count once
        both = (owned >> 7 * artist + colour2 & 1) + (owned >> 7 * artist2 + colour & 1)
        counted = artists[artist] + artists[artist2] + colours[colour] + colours[colour2] - both
        return value + value2 + counted

    def sell(self, lot: Sequence[Picture], agent: int, patron: int, price: int, last: bool) -> None:
        """DMB-14 to DMB-16."""
        worth = self.worth(patron, lot)
        self.purses[patron] -= price
        self.scores[patron] += worth
        if not last:
            self.envelopes[agent] += worth
        for artist, colour, _ in lot:
            self.artists[patron][artist] += 1
            self.colours[patron][colour] += 1
            self.owned[patron] |= 1 << 7 * artist + colour


def picture(art: View) -> Picture:
    return PICTURES[art["artist"], art["colour"]]


def read(view: View) -> Table:
    """The table of a view."""
    owned = [[picture(art) for art in arts] for arts in view["collections"]]
    return Table(
        list(view["purses"]),
        list(view["envelopes"]),
        list(view["scores"]),
        [[sum(one[0] == artist for one in arts) for artist in range(7)] for arts in owned],
        [[sum(one[1] == colour for one in arts) for colour in range(7)] for arts in owned],
        [sum(1 << 7 * artist + colour for artist, colour, _ in arts) for arts in owned],
    )


def lots_left(view: View) -> list[list[Picture]]:
    """The lots of this round from the present one on."""
    return [[picture(art) for art in lot["arts"]] for lot in view["lots"][view["lot"] :]]


def even_limit(table: Table, patron: int, lots: Sequence[Sequence[Picture]], eagerness: float) -> float:
    """The price of the first lot at which the purse buys an even share of the points of all these lots."""
    worths = [table.worth(patron, lot) for lot in lots]
    return eagerness * table.purses[patron] * worths[0] * len(table.purses) / sum(worths)


def unseen(view: View) -> list[Picture]:
    """The paintings that may be in the deck."""
    seen = {picture(art) for arts in view["collections"] for art in arts}
    seen |= {picture(art) for lot in view["lots"] for art in lot["arts"]}
    return [one for one in (PICTURES[art.artist, art.colour] for art in DECK) if one not in seen]
