"""The games still play as the golden files say. `python -m tests.record GAME` writes these files."""

from __future__ import annotations

from itertools import zip_longest

import pytest

from games import GAMES
from tests.record import GOLDEN, files

MOST_BYTES = 150_000


def first_difference(expected: str, found: str) -> str | None:
    """Return a sentence about the first line in which the texts differ, or None."""
    lines = zip_longest(expected.splitlines(), found.splitlines())
    for number, (want, have) in enumerate(lines, start=1):
        if want != have:
            return f"line {number}: the file has\n{want}\nbut now it is\n{have}"
    return None


@pytest.mark.parametrize("name", GAMES)
def test_a_game_still_plays_as_recorded(name: str) -> None:
    for path, now in files(GAMES[name]).items():
        assert path.exists(), f"{path.name} is missing: run `python -m tests.record {name}` and read what it wrote"
        difference = first_difference(path.read_text(encoding="utf-8"), now)
        assert difference is None, f"{path.name} {difference}"
        assert path.stat().st_size < MOST_BYTES, f"{path.name} is too long to be read"


def test_every_golden_file_belongs_to_a_game() -> None:
    known = {path for game in GAMES for path in (GOLDEN / f"{game}.txt", GOLDEN / f"{game}.perft.txt")}
    assert set(GOLDEN.iterdir()) == known


def test_a_difference_is_found() -> None:
    assert first_difference("a\nb\n", "a\nb\n") is None
    assert first_difference("a\nb\n", "a\nc\n") == "line 2: the file has\nb\nbut now it is\nc"
    assert first_difference("a\n", "a\nb\n") == "line 2: the file has\nNone\nbut now it is\nb"
