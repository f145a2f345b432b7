"""The clocks of all machines must agree, and the operator hears when they do not."""

from __future__ import annotations

import pytest

from server.tables.rooms import clock_skew, node_heartbeat
from server.tables.rooms.clock_skew import MAX_ROUND_TRIP_MS, MAX_SKEW_MS, ClockSkew
from server.tables.rooms.service_clock import wall_clock_ms
from tests.server.conftest import Running


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == "cheeseboard.clock"]


def test_a_clock_that_differs_too_much_is_reported_once(caplog: pytest.LogCaptureFixture) -> None:
    published: list[float] = []
    skew = ClockSkew(published.append)
    for ahead in (0, MAX_SKEW_MS, MAX_SKEW_MS + 1, MAX_SKEW_MS + 50, 10):
        skew.measure(1_000_000, 1_000_010 - ahead, 1_000_020)
    assert published == [0.0, 0.2, 0.201, 0.25, 0.01]
    first, second = warnings(caplog)
    assert "differ by 201 ms, and 200 are allowed" in first
    assert "agree again" in second


def test_a_slow_answer_says_nothing_about_the_clock(caplog: pytest.LogCaptureFixture) -> None:
    published: list[float] = []
    ClockSkew(published.append).measure(0, 10_000, MAX_ROUND_TRIP_MS + 1)
    assert (published, warnings(caplog)) == ([], [])


async def test_a_node_measures_its_clock_with_every_heartbeat(
    node: Running, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(clock_skew, "MAX_ROUND_TRIP_MS", 10_000)
    monkeypatch.setattr(node_heartbeat, "wall_clock_ms", lambda: wall_clock_ms() - 20_000)
    await node.node.heartbeat.beat(node.node.clock.now())
    assert -26 < node.metric("cheeseboard_clock_skew_seconds") < -14
    assert len(warnings(caplog)) == 1
