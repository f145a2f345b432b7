"""The sequential test stops early, keeps its error rates, and does not depend on the number of processes."""

from __future__ import annotations

import json
import random

import pytest

from bots.__main__ import main
from bots.arena import Contest, PlayedGame, run_until
from bots.sequential import MIN_DEALS, ErrorRates, first_verdict, judge, score

MOST = 1_500


def a_deal(chance: random.Random, better: float) -> float:
    """The score of A in a deal of four rotations, each won with this probability."""
    return sum(chance.random() < better for _ in range(4)) / 4


def outcomes(better: float, trials: int) -> list[tuple[int, int]]:
    """The verdict and the number of deals of many tests."""
    found = []
    for trial in range(trials):
        chance = random.Random(f"{better}/{trial}")
        verdict = first_verdict([a_deal(chance, better) for _ in range(MOST)], ErrorRates())
        found.append((verdict.better, verdict.deals))
    return found


def test_the_error_rates_hold_at_the_edge() -> None:
    worse, better = outcomes(0.47, 60), outcomes(0.53, 60)
    assert sum(sign == 1 for sign, _ in worse) <= 7  # 5 % are 3
    assert sum(sign == -1 for sign, _ in better) <= 7
    assert sum(sign == 0 for sign, _ in [*worse, *better]) <= 6


def test_a_clear_difference_is_found_in_few_deals() -> None:
    found = outcomes(0.8, 20)
    assert {sign for sign, _ in found} == {1}
    assert max(deals for _, deals in found) < 100


def test_nothing_is_sure_before_the_variance_is_known() -> None:
    assert judge([1.0] * (MIN_DEALS - 1), ErrorRates()).better == 0
    assert judge([1.0] * MIN_DEALS, ErrorRates()).better == 1
    assert judge([0.0] * MIN_DEALS, ErrorRates()).better == -1
    assert judge([0.5] * 500, ErrorRates()).better == 0


def test_smaller_error_rates_need_more() -> None:
    scores = [0.75, 0.5] * 20
    assert judge(scores, ErrorRates()).better == 1
    assert judge(scores[:MIN_DEALS], ErrorRates(1e-9, 1e-9, 0.01)).better == 0


def test_a_score_counts_all_pairs_of_seats_and_half_for_ties() -> None:
    game = PlayedGame(0, 0, (1, 2, 2), None, 1, 0.0, ())
    assert score([game], [0], [1, 2]) == 1.0
    assert score([game], [1], [0, 2]) == 0.25


def test_the_games_that_count_do_not_depend_on_the_number_of_processes() -> None:
    contest = Contest("do_my_bidding", ("rookie", "random", "random"), 30, 5)

    def stop(played: list[PlayedGame]) -> int | None:
        return 12 if len(played) >= 12 * 3 else None

    found = [run_until(contest, jobs, lambda done: None, stop) for jobs in (1, 2)]
    assert [(one.deal, one.places) for one in found[0]] == [(one.deal, one.places) for one in found[1]]
    assert {one.deal for one in found[0]} == set(range(12))


def test_the_command_says_which_bot_is_better(capsys: pytest.CaptureFixture[str]) -> None:
    main(["arena", "do_my_bidding", "--until-sure", "--seats", "random,rookie,random", "--games", "300", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"].startswith("rookie is better than random: ")
    assert found["deals"] < 100
    with pytest.raises(SystemExit) as exited:
        main(["arena", "do_my_bidding", "--until-sure", "--seats", "random,random,random"])
    assert "compares two bots" in str(exited.value)
