"""House bots of every level play whole games by the rules, and a rookie beats random moves."""

from __future__ import annotations

import pytest

from bots import generic
from bots.arena import Contest, run
from bots.arena_report import Report, make_report
from bots.budget import Budget
from bots.players import OWN_BOTS
from games import GAMES
from games.core import AnyGame, option_choices
from games.offers import count_fillings
from protocol.messages import LEVELS
from tests.playout import Case, steps, table_size


def leaves_a_choice(game: AnyGame) -> bool:
    """Whether a seat ever has more than one legal move, seen in one random game."""
    played = steps(Case(game, game.seats[0], game.options()), "a choice", absences=False)
    return any(sum(map(count_fillings, game.offers(step.state, step.seat))) > 1 for step in played)


GAMES_WITH_A_CHOICE = [name for name, game in GAMES.items() if leaves_a_choice(game)]


@pytest.fixture(autouse=True)
def short_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Masters search little: they play by the same rules, only worse."""
    monkeypatch.setattr("bots.players.DEALS", Budget(1))
    monkeypatch.setitem(generic.MAX_ITERATIONS, "master", 2)


def play(game: str, bots: tuple[str, ...], deals: int, **options: str) -> Report:
    contest = Contest(game, bots, deals, 1, tuple(options.items()))
    return make_report(contest, run(contest, 1, lambda done: None), 1.0, 1)


@pytest.mark.parametrize(("game", "seats"), [(game, seats) for game in GAMES for seats in GAMES[game].seats])
def test_every_level_plays_legally_at_every_number_of_seats(game: str, seats: int) -> None:
    met: set[str] = set()
    for first in range(1, 1 + len(LEVELS), seats):
        bots = tuple(LEVELS[(first + seat) % len(LEVELS)] for seat in range(seats))
        found = play(game, bots, 1)
        assert found.games == seats
        assert {line.bot: (line.faults, line.example) for line in found.lines} == dict.fromkeys(bots, ({}, None))
        assert all(line.decisions > 0 for line in found.lines)
        met |= {line.bot for line in found.lines}
    assert met == set(LEVELS)


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
    bots = ("master", "rookie", "random")[: table_size(GAMES[game])]
    found = play(game, bots, 2, **{option: value})
    assert [line.faults for line in found.lines] == [{}] * len(bots)


@pytest.mark.parametrize("game", GAMES_WITH_A_CHOICE)
def test_a_rookie_beats_random_moves(game: str) -> None:
    seats = table_size(GAMES[game], 4)
    rookie, _ = play(game, ("rookie", *("random",) * (seats - 1)), 15).lines
    assert rookie.first.low is not None
    assert rookie.first.low > 1 / seats + 0.15
    assert rookie.last.mean < 0.6 / seats


def test_every_bot_of_its_own_is_for_a_game_with_a_choice() -> None:
    assert set(OWN_BOTS) <= set(GAMES_WITH_A_CHOICE)
