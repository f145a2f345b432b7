"""The statistics of the report, compared with printed tables and with examples calculated by hand."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from bots.arena import Contest, PlayedGame, Tally
from bots.arena_report import as_svg, as_text, estimate, make_report, share, student95


@pytest.mark.parametrize(
    ("freedom", "printed"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (10, 2.228), (30, 2.042), (124, 1.979), (10_000, 1.960)],
)
def test_quantiles_of_students_distribution_agree_with_printed_tables(freedom: int, printed: float) -> None:
    assert student95(freedom) == pytest.approx(printed, abs=0.006)


def test_an_interval_calculated_by_hand() -> None:
    """1, 2, 3, 4: mean 2.5, variance 5/3, standard error 0.6455, times 3.182."""
    found = estimate([1, 2, 3, 4])
    assert found.mean == 2.5
    assert found.low == pytest.approx(0.446, abs=0.003)
    assert found.high == pytest.approx(4.554, abs=0.003)


def test_one_observation_has_no_interval() -> None:
    assert (estimate([7]).low, estimate([7]).high) == (None, None)


def test_a_shared_place_counts_as_a_fraction() -> None:
    places = (1, 1, 3, 3)
    assert [share(places, bot, 1) for bot in range(4)] == [0.5, 0.5, 0, 0]
    assert [share(places, bot, 3) for bot in range(4)] == [0, 0, 0.5, 0.5]


def _played(deal: int, rotation: int, places: tuple[int, ...], points: tuple[int, ...]) -> PlayedGame:
    tallies = tuple(Tally(decisions=10, seconds=0.1) for _ in places)
    return PlayedGame(deal, rotation, places, points, 30, 0.5, tallies)


CONTEST = Contest("do_my_bidding", ("a.py", "b.py", "b.py"), 2, 1)
PLAYED = [
    _played(0, 0, (1, 2, 3), (30, 20, 10)),
    _played(0, 1, (1, 2, 3), (24, 20, 10)),
    _played(0, 2, (3, 1, 1), (6, 20, 20)),
    _played(1, 0, (1, 2, 2), (30, 20, 20)),
    _played(1, 1, (1, 1, 3), (30, 30, 10)),
    _played(1, 2, (2, 1, 3), (20, 30, 10)),
]


def test_a_deal_is_one_observation_and_a_bot_with_two_seats_has_one_line() -> None:
    """a is first in 2 games of deal 0 and in 1.5 games of deal 1; b has the rest, on two seats."""
    found = make_report(CONTEST, PLAYED, 3.0, 1)
    a, b = found.lines
    assert (a.bot, a.entered, b.bot, b.entered) == ("a.py", 1, "b.py", 2)
    assert a.first.mean == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert b.first.mean == pytest.approx((1 / 6 + 1 / 4) / 2)
    assert a.points
    assert a.points.mean == pytest.approx((20 + 80 / 3) / 2)
    half = 12.7062 * (2 / 3 - 1 / 2) / 2  # two observations x and y: the standard error is half their difference
    assert a.first.low == 0
    assert a.first.high == 1
    assert a.place.low == 1
    assert a.points.high == pytest.approx(a.points.mean + 12.7062 * (80 / 3 - 20) / 2, abs=0.01)
    assert half > a.first.mean  # so the interval is clamped at 0
    assert b.place.mean == pytest.approx((2.5 + 2.5 + 1.5 + 2.5 + 2.25 + 2) / 6)


def test_speed_is_calculated_from_cpu_time() -> None:
    found = make_report(CONTEST, PLAYED, 1.5, 2)
    assert (found.games_per_s_core, found.decisions_per_s_core) == (2.0, 60.0)


def test_the_text_names_the_faults_of_a_bot() -> None:
    PLAYED[2].tallies[0].faults["hang"] = 2
    PLAYED[2].tallies[0].example = "hang: no answer in 1 s"
    text = as_text(make_report(CONTEST, PLAYED, 3.0, 1))
    assert "Even is 33.3 %" in text
    assert "180 decisions in 3.0 s" in text
    assert "a.py made bad decisions, replaced by random moves: 2 x hang. The first: hang: no answer in 1 s" in text


def test_the_plot_is_well_formed_and_has_a_bar_for_each_bot_and_place() -> None:
    svg = ElementTree.fromstring(as_svg(make_report(CONTEST, PLAYED, 3.0, 1)))
    bars = [one for one in svg.iter("{http://www.w3.org/2000/svg}rect") if one.get("fill") == "#e0b83c"]
    assert len(bars) == 4
    assert float(bars[0].get("width", "")) == pytest.approx(420 * (2 / 3 + 1 / 2) / 2, abs=0.1)
