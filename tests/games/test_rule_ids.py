"""Every rule has its id in three places: the game's docstring, its rules page and the name of a test."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from games import GAMES
from games.core import AnyGame

PAGES = Path(__file__).parents[2] / "docs" / "rules"


def ids_in_docstring(prefix: str, docstring: str) -> set[str]:
    """Return the ids at the start of a line."""
    return set(re.findall(rf"^({prefix}-\d+)\b", docstring, re.MULTILINE))


def ids_in_page(prefix: str, page: str) -> set[str]:
    """Return the ids anywhere in the page."""
    return set(re.findall(rf"\b{prefix}-\d+\b", page))


def ids_in_test_names(prefix: str, names: list[str]) -> set[str]:
    """Return the ids that tests are named after: test_dog_8_... is a test of DOG-8."""
    found = (re.match(rf"test_{prefix.lower()}_(\d+)_\w+", name) for name in names)
    return {f"{prefix}-{match[1]}" for match in found if match}


def complaints(places: dict[str, set[str]]) -> list[str]:
    """Return what is wrong: ids that are missing in a place, and places without any id."""
    every = set().union(*places.values())
    lacking = [f"{place} lacks {id_}" for place, ids in places.items() for id_ in sorted(every - ids)]
    return lacking + [f"{place} has no ids" for place, ids in places.items() if not ids]


def places(game: AnyGame) -> dict[str, set[str]]:
    name = game.name.replace("-", "_")
    module = importlib.import_module(f"games.{name}")
    files = sorted(Path(__file__).parent.glob(f"test_{name}*.py"))
    tests = [vars(importlib.import_module(f"tests.games.{path.stem}")) for path in files]
    page = PAGES / f"{game.name}.md"
    assert page.exists(), f"docs/rules has no page for {game.name}"
    return {
        "the docstring": ids_in_docstring(game.prefix, module.__doc__ or ""),
        "the rules page": ids_in_page(game.prefix, page.read_text(encoding="utf-8")),
        "the tests": ids_in_test_names(game.prefix, [name for module in tests for name in module]),
    }


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_is_in_docstring_page_and_tests(name: str) -> None:
    assert complaints(places(GAMES[name])) == []


@pytest.mark.parametrize("name", GAMES)
def test_the_ids_of_a_game_are_numbered_without_a_gap(name: str) -> None:
    numbers = sorted(int(id_.rsplit("-", 1)[1]) for id_ in places(GAMES[name])["the docstring"])
    assert numbers == list(range(1, len(numbers) + 1))


def test_prefixes_are_the_games_own() -> None:
    prefixes = [game.prefix for game in GAMES.values()]
    assert len(set(prefixes)) == len(prefixes)


def test_a_missing_id_is_found_in_each_place() -> None:
    whole = {"X-1", "X-2"}
    assert complaints({"a": whole, "b": whole}) == []
    assert complaints({"a": whole, "b": {"X-1"}}) == ["b lacks X-2"]
    assert complaints({"a": set(), "b": set()}) == ["a has no ids", "b has no ids"]


def test_ids_are_read_as_they_are_written() -> None:
    assert ids_in_docstring("DOG", "DOG-1  one\n  DOG-2 indented\nsee DOG-3\nDOG-14  x") == {"DOG-1", "DOG-14"}
    assert ids_in_page("DOG", "- **DOG-1** as in DOG-12; not HOTDOG-3") == {"DOG-1", "DOG-12"}
    assert ids_in_test_names("DOG", ["test_dog_1_a", "test_dog_22_b", "dog_3_c", "test_dog_x"]) == {"DOG-1", "DOG-22"}
