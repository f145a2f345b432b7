"""The analysis of finished games: bounded, the same in every run, and true where the truth is known."""

from __future__ import annotations

import json
import os

import msgspec
import pytest

from bots import analyst
from bots import game_analysis as analysis
from games import GAMES
from tests.random_games import written


def ignore(share: float) -> None:
    """Progress that nobody looks at."""


def recorded(game: str) -> analysis.Recorded:
    return analysis.read(written(game))


@pytest.mark.parametrize("game", GAMES)
def test_every_decision_of_every_game_gets_the_chances_of_all_seats(game: str) -> None:
    played = recorded(game)
    told: list[float] = []
    found = analysis.whole(played, told.append, max_moves=1)
    rows = [json.loads(line) for line in written(game)]
    moves = [row["n"] for row in rows if row["type"] == "moved" and not row.get("aside")]
    assert [one["n"] for one in found["decisions"]] == moves
    assert all(abs(sum(one["chances"]) - 1) < 0.01 for one in found["decisions"])
    assert (found["games"], told[-1]) == (1, 1.0)
    assert msgspec.json.decode(msgspec.json.encode(found)) == found


def test_the_analysis_is_the_same_in_every_run_and_knows_how_a_decided_game_ends() -> None:
    played = recorded("do_my_bidding")
    last = analysis.Recorded(**{**vars(played), "moments": played.moments[-6:]})
    first, again = (analysis.whole(last, ignore) for _ in range(2))
    assert first == again
    assert first["games"] == analysis.WHOLE_GAMES
    winner = played.outcome.places.index(1)
    assert first["decisions"][-1]["chances"][winner] > 0.9


def test_a_swing_counts_only_if_it_is_more_than_chance() -> None:
    moments = [analysis.Moment(n, 0, None, None) for n in (5, 6, 7)]
    rows = [[0.5, 0.5], [0.52, 0.48], [0.9, 0.1], [1.0, 0.0]]
    assert [one["n"] for one in analysis.swings(moments, rows, games=100)] == [6]
    assert analysis.swings(moments, rows, games=4) == []


@pytest.mark.parametrize("game", ["cheesedog", "diced_cheese"])
def test_a_decision_is_compared_with_the_masters_and_a_moment_is_played_out(game: str) -> None:
    played = recorded(game)
    moment = max(played.moments, key=lambda one: len(GAMES[game].offers(one.state, one.seat)))
    found = analysis.decision(played, moment.n, ignore)
    moves = [one["move"] for one in found["moves"]]
    assert found["master"] in moves
    assert bool(found["thought"]) == (game == "cheesedog")  # the master of Diced Cheese does not search
    assert [one["move"] for one in found["thought"][:1]] in ([], [found["master"]])
    assert all(0 <= one["value"] <= 1 for one in found["thought"])
    assert found["played"] in moves
    assert len(moves) <= analysis.MAX_COMPARED
    out = analysis.playouts(played, moment.n, ignore)
    assert (out["games"], round(sum(out["wins"]))) == (analysis.MAX_GAMES, analysis.MAX_GAMES)


def test_what_is_no_decision_or_no_replay_is_refused() -> None:
    played = recorded("cheesedog")
    with pytest.raises(analysis.BadAnalysis):
        analysis.decision(played, 1, ignore)
    with pytest.raises(analysis.BadAnalysis):
        analysis.playouts(played, max(played.states), ignore)
    with pytest.raises(analysis.BadAnalysis):
        analysis.read(["{}"])


@pytest.mark.parametrize("limit", ["MAX_CPU_S", "MAX_WALL_S"])
def test_every_analysis_ends_in_time_with_what_is_known(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, limit, -1.0)
    played = recorded("diced_cheese")
    moment = played.moments[3]
    for found in (
        analysis.whole(played, ignore),
        analysis.decision(played, moment.n, ignore),
        analysis.playouts(played, moment.n, ignore),
    ):
        assert found["games"] == 1


def test_a_sandbox_may_refuse_the_idle_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("not here")

    asked: list[int] = []
    monkeypatch.setattr(os, "nice", asked.append)
    monkeypatch.setattr(os, "sched_setscheduler", refuse, raising=False)
    monkeypatch.setattr(os, "SCHED_IDLE", 5, raising=False)
    analyst.lower_priority()
    assert asked == [19]
