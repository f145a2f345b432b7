"""The parts of the contract that belong to no single game."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from games import cheesedog, diced_cheese, do_my_bidding
from games.core import collect, no_asides, no_limit


def test_a_game_is_collected_from_its_module_by_name() -> None:
    game = collect(cheesedog)
    assert (game.name, game.title, game.prefix, game.seats) == ("cheesedog", "Cheesedog", "DOG", range(3, 11))
    assert (game.state, game.moves, game.views) == (cheesedog.State, cheesedog.Move, cheesedog.View)
    assert (game.offers, game.play, game.imagine) == (cheesedog.offers, cheesedog.play, cheesedog.imagine)


def test_limit_and_asides_are_collected_where_a_game_has_them() -> None:
    assert (collect(cheesedog).limit, collect(cheesedog).asides) == (no_limit, no_asides)
    assert collect(diced_cheese).limit == diced_cheese.limit
    assert collect(do_my_bidding).asides == do_my_bidding.asides


@pytest.mark.parametrize("name", ["TITLE", "View", "show"])
def test_a_module_that_lacks_something_is_refused_with_its_name(name: str) -> None:
    module: Any = ModuleType("games.half_a_game")
    vars(module).update({key: value for key, value in vars(cheesedog).items() if key != name and key[0] != "_"})
    with pytest.raises(TypeError, match=rf"^games\.half_a_game is not a game: it lacks {name}$"):
        collect(module)
