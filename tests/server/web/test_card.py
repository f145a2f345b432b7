"""The picture of a preview card: every piece on it is drawn, and names cannot break it."""

from __future__ import annotations

from random import Random
from xml.etree import ElementTree

import msgspec
import pytest

from games import GAMES
from server.tables.finished.replay import fold_until, lines
from server.web.card import Card, CardSeat, draw, pieces
from server.web.table_pictures import DRAWN, Picture, picture
from tests.playout import cases
from tests.random_games import play


@pytest.mark.parametrize("name", DRAWN)
def test_every_piece_on_the_table_is_drawn_at_every_entry(name: str) -> None:
    game = GAMES[name]
    case = Random(name).choice(cases(game))
    for options in (None, msgspec.to_builtins(case.options)):
        log = play(name, seats=case.seats, options=options)
        text = list(lines(log.table.id, log.entries))[:-1]
        shown: set[str] = set()
        for table in fold_until(log.table.id, text, len(text)):
            if table.state is not None:
                found = picture(name, game.view(table.state, None))
                assert len(found.seats) == case.seats
                shown.update(piece for row in (*found.middle, *found.seats) for piece in row)
        assert shown
        assert shown <= set(pieces(name))


def test_a_card_is_well_formed_whatever_names_are() -> None:
    names = ["<&\"'>", "Wensleydale the Third of Ham", "\u6771\u4eac\u30bf\u30ef\u30fc" * 4, "", "x"] * 2
    seats = [CardSeat(name, place, -3) for place, name in enumerate(names, 1)]
    held = Picture(([],), [["back"] * 60] * 10)
    drawn = ElementTree.fromstring(draw(Card("cheesedog", "Cheesedog", "<today>", seats, held)))
    texts = [node.text for node in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"<&\"'>", "<today>", "Cheesedog"} <= set(texts)
    assert "Wensleydale the Third of Ham" not in texts


def test_a_game_without_drawings_has_a_card_with_its_players() -> None:
    card = Card("nibble", "Nibble", "", [CardSeat("Anna"), CardSeat("Ben")], picture("nibble", None))
    assert "Anna" in draw(card)
