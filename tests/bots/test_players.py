"""House bots of every level play whole games by the rules, and the better level wins."""

from __future__ import annotations

import pytest

from bots.arena import Contest, run
from bots.figures import Report, report
from bots.players import LEVELS, by_chance, player
from games import GAMES
from games.core import option_choices

CHOOSING = [game for game in GAMES if game != "diced_cheese"]


@pytest.fixture(autouse=True)
def quick_masters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Masters that hardly think: how they play is the same, only worse."""
    for game in CHOOSING:
        monkeypatch.setattr(f"bots.{game}.PLAYOUTS", 1)


def find(game: str, bots: tuple[str, ...], deals: int, **options: str) -> Report:
    contest = Contest(game, bots, deals, 1, tuple(options.items()))
    return report(contest, run(contest, 1, lambda done: None), 1.0, 1)


@pytest.mark.parametrize(("game", "seats"), [(game, seats) for game in GAMES for seats in GAMES[game].seats])
def test_every_level_plays_legally_at_every_number_of_seats(game: str, seats: int) -> None:
    bots = tuple(LEVELS[(seat + 1) % 3] for seat in range(seats))
    found = find(game, bots, 1)
    assert found.games == seats
    assert {line.bot: (line.faults, line.example) for line in found.lines} == {
        level: ({}, None) for level in dict.fromkeys(bots)
    }
    assert all(line.decisions > 0 for line in found.lines)


@pytest.mark.parametrize(
    ("game", "option", "value"),
    [
        (game, name, value)
        for game in GAMES
        for name, values in option_choices(GAMES[game]).items()
        for value in values[1:]
    ],
)
def test_every_option_is_played_legally(game: str, option: str, value: str) -> None:
    found = find(game, ("master", "rookie", "random"), 2, **{option: value})
    assert [line.faults for line in found.lines] == [{}, {}, {}]


@pytest.mark.parametrize("game", CHOOSING)
def test_a_rookie_beats_those_who_play_by_chance(game: str) -> None:
    rookie, _ = find(game, ("rookie", "random", "random", "random"), 15).lines
    assert rookie.first.low is not None
    assert rookie.first.low > 0.4
    assert rookie.last.mean < 0.15


def test_diced_cheese_leaves_nothing_to_choose() -> None:
    assert {player("diced_cheese", level) for level in LEVELS} == {by_chance}
