"""What is counted of a game between masters and others (bench/masters.py). Seats 0 and 2 are the masters'."""

from __future__ import annotations

import pytest

from bench.masters import ahead, comparisons, place_share, spared, won
from bots.arena import PlayedGame


def played(*places: int) -> list[PlayedGame]:
    return [PlayedGame(0, 0, places, None, 100, 1.0, ())]


@pytest.mark.parametrize(
    ("places", "pairs_ahead", "others_last"),
    [((1, 3, 2, 4), 1.0, 1.0), ((1, 2, 4, 3), 0.5, 0.0), ((1, 2, 3, 3), 0.625, 0.5), ((3, 1, 4, 2), 0.0, 0.0)],
)
def test_pairs_count_in_games_with_a_winner_and_the_last_place_in_cheesedog(
    places: tuple[int, ...], pairs_ahead: float, others_last: float
) -> None:
    assert ahead(played(*places)) == pairs_ahead
    assert spared(played(*places)) == others_last
    assert {one.measure for one in comparisons("cheesedog", 60) if "ahead" in one.name} == {spared}
    assert {one.measure for one in comparisons("cheesonomics", 60) if "ahead" in one.name} == {ahead}


def test_a_shared_place_counts_for_a_part() -> None:
    assert place_share("first")(played(1, 1, 3, 4)) == 0.5
    assert place_share("last")(played(2, 1, 2, 2)) == pytest.approx(1 / 3)


def test_first_places_stand_beside_the_pairs_where_there_is_a_winner() -> None:
    assert [won(played(*places)) for places in ((1, 2, 3, 4), (2, 1, 3, 4), (1, 1, 1, 4))] == [
        1.0,
        0.0,
        pytest.approx(2 / 3),
    ]
    assert {one.beside for one in comparisons("cheesonomics", 60) if "ahead" in one.name} == {won}
    assert {one.beside for one in comparisons("cheesedog", 60)} == {None}
