"""`make faults` in short: nodes and the store are killed under play, and the checker catches planted mistakes."""

from __future__ import annotations

import copy

import pytest
import uvloop

from bench.faults.all_mutations import plant_all
from bench.faults.checker import check_table
from bench.faults.faults import kill_in_turn
from bench.faults.history import Acknowledged, Lost, Opened, Received, TableHistory
from bench.faults.mutations import MUTATIONS
from bench.faults.party import SEATS
from bench.faults.run import run_schedule
from bench.faults.schedules import ALWAYS, SCHEDULES, Schedule, choose
from games import GAMES

SEED = "suite"
KILLS = 3  # two of nodes, then one of the store


@pytest.mark.slow
def test_p1_kills_of_nodes_and_of_the_store_lose_nothing_and_the_checker_would_have_noticed() -> None:
    """One test, because the run that it needs takes several seconds."""
    outcome = uvloop.run(run_schedule(Schedule("kills in turn", kill_in_turn, world=ALWAYS), SEED, 0, KILLS))
    assert not outcome.error
    assert outcome.repetitions == KILLS
    assert [str(finding) for finding in outcome.findings] == []
    assert not outcome.unrecovered
    assert {history.game for history in outcome.histories} == set(GAMES) == set(SEATS)
    assert all(history.acknowledged for history in outcome.histories)
    planted = plant_all(outcome.histories)
    assert len(planted) == len(MUTATIONS) >= 60
    assert plant_all(outcome.histories, planted) == {}
    assert [name for name, caught_by in planted.items() if not caught_by] == []
    assert plant_all([]) == {}, "a mutation that found no place is neither caught nor missed"
    _check_that_only_lost_entries_are_forgiven(min(outcome.histories, key=lambda one: len(one.log)))


def _check_that_only_lost_entries_are_forgiven(history: TableHistory) -> None:
    lost = history.acknowledged[3]
    history.acknowledged.insert(3, Acknowledged(lost.user, "lost", lost.n))
    assert {finding.column for finding in check_table(history, promised=False)} == {"lost"}
    _check_that_another_end_is_forgiven_to_those_who_left(copy.deepcopy(history))
    del history.log[4]
    assert "forked" in {finding.column for finding in check_table(history, promised=False)}


def _check_that_another_end_is_forgiven_to_those_who_left(history: TableHistory) -> None:
    for feed in history.feeds.values():
        del feed[-5:]
    assert "unequal" in {finding.column for finding in check_table(history, promised=False)}
    history.left_ms = 1  # before the last entries, which the clock made
    assert {finding.column for finding in check_table(history, promised=False)} == {"lost"}
    assert "unequal" in {finding.column for finding in check_table(history)}


def test_a_feed_without_a_whole_view_is_planted_only_where_none_follows() -> None:
    """P27: an entry that was appended while the table was opened may come before the whole view."""
    patch, whole = {"type": "update", "n": 2, "patch": {}}, {"type": "update", "n": 2, "by": "house", "view": {}}
    history = TableHistory("t", "cheesedog", feeds={"u": [Received(patch), Lost(), Opened(1), Received(whole)]})
    plant = MUTATIONS["a feed begins without a whole view"]
    assert not plant(history)
    history.feeds["u"].append(Received({**patch, "n": 3}))
    assert plant(history)
    assert isinstance(history.feeds["u"][-2], Opened)


def test_schedules_are_chosen_by_words_in_their_names() -> None:
    assert [one.name for one in choose("CLIENT kill, power")] == [
        "power cut, everysec",
        "CLIENT KILL",
        "durability disk: power cut",
    ]
    assert choose("") == list(SCHEDULES)
    assert len({one.name for one in SCHEDULES}) == len(SCHEDULES)
    assert all(one.text for one in SCHEDULES)
