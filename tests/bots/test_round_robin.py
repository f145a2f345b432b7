"""Round robin: every group plays, the cross-table adds up, and ratings follow the results."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bots.__main__ import main
from bots.arena import Contest, PlayedGame
from bots.round_robin import Results, as_text, groups, make_table, play_all

BOTS = ("a", "b", "c", "d")


def game(deal: int, *places: int) -> PlayedGame:
    return PlayedGame(deal, 0, places, None, 1, 0.0, ())


# In every group the earlier letter is ahead, but b and c always share a place.
RESULTS: Results = [
    (("a", "b", "c"), [game(deal, 1, 2, 2) for deal in range(4)]),
    (("a", "b", "d"), [game(deal, 1, 2, 3) for deal in range(4)]),
    (("a", "c", "d"), [game(deal, 1, 2, 3) for deal in range(4)]),
    (("b", "c", "d"), [game(deal, 1, 1, 3) for deal in range(4)]),
]


def test_every_group_plays_once() -> None:
    assert groups(BOTS, 3) == [group for group, _ in RESULTS]
    assert len(groups(BOTS, 2)) == 6


def test_the_cross_table_says_who_was_ahead_of_whom() -> None:
    found = make_table(Contest("cheesedog", BOTS, 4, 1), 3, RESULTS)
    assert found.bots == BOTS
    assert found.ahead == ((None, 1, 1, 1), (0, None, 0.5, 1), (0, 0.5, None, 1), (0, 0, 0, None))
    for row in range(4):
        for column in range(row):
            one, other = found.ahead[row][column], found.ahead[column][row]
            assert one is not None
            assert other is not None
            assert one + other == 1
    assert found.score[0].mean == 1
    assert (found.games, found.seats) == (16, 3)


def test_ratings_follow_the_results() -> None:
    found = make_table(Contest("cheesedog", BOTS, 4, 1), 3, RESULTS)
    assert found.ratings
    best, second, third, worst = (rating.mu for rating in found.ratings)
    assert best > max(second, third) > worst
    assert abs(second - third) < 3
    assert all(rating.sigma < 25 / 3 for rating in found.ratings)


def test_without_openskill_the_table_has_no_ratings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    found = make_table(Contest("cheesedog", BOTS, 4, 1), 3, RESULTS)
    assert found.ratings is None
    assert "install openskill" in as_text(found)


def test_the_same_seed_gives_the_same_results_with_any_number_of_processes() -> None:
    contest = Contest("do_my_bidding", ("rookie", "random", "master"), 1, 3)
    done: list[int] = []
    alone, shared = play_all(contest, 3, 1, done.append), play_all(contest, 3, 2, lambda games: None)
    assert [(group, [one.places for one in played]) for group, played in alone] == [
        (group, [one.places for one in played]) for group, played in shared
    ]
    assert done == [3]


def test_the_command_prints_the_table_and_writes_a_plot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plot = tmp_path / "plot.svg"
    copy = tmp_path / "copy.py"
    copy.write_text(
        "from bots.sdk import fill\n\ndef choose(view, offers, chance):\n    return fill(offers[0], chance)\n"
    )
    words = ["arena", "do_my_bidding", "--round-robin", "--seats", f"rookie,random,{copy}", "--games", "3", "--json"]
    main([*words, "--plot", str(plot)])
    found = json.loads(capsys.readouterr().out)
    assert found["bots"][0] == "rookie"
    assert set(found["bots"]) == {"rookie", "random", "copy.py"}
    assert ElementTree.fromstring(plot.read_text()).tag.endswith("svg")
    with pytest.raises(SystemExit) as exited:
        main(["arena", "do_my_bidding", "--round-robin", "--seats", "rookie,rookie,random"])
    assert "3 different bots" in str(exited.value)
