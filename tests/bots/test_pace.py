"""House bots wait for what people are shown, and longer over harder decisions."""

from __future__ import annotations

from typing import Any

from bots.house import PAUSE_MS, USUAL_PAUSE_MS, seconds_before
from bots.pace import CLOSE, hesitation, pause
from bots.seats import Decision, Seat

PERSON = {"kind": "person", "here": True}
BOT = {"kind": "bot"}
ONLY = [{"move": "pick_up", "fill": {}}]
BIDS: list[dict[str, Any]] = [
    {"move": "bid", "fill": {"amount": {"least": 1, "most": 9}}},
    {"move": "drop", "fill": {}},
]


def table(*seats: dict[str, Any], host: str = "u1", watchers: int = 0) -> dict[str, Any]:
    return {"seats": list(seats), "host": host, "watchers": watchers}


def test_a_pause_is_longer_when_more_is_shown_and_over_a_harder_decision() -> None:
    at = table(PERSON, BOT)
    assert 0 < pause(at, 0, ONLY) < pause(at, 3, ONLY) < pause(at, 3, BIDS)
    assert pause(at, 3, BIDS) == pause(at, 3, BIDS), "nothing is random"
    assert pause(at, 500, BIDS) < 4, "nobody waits long for a long entry"


def test_a_bot_waits_for_what_pages_play_out() -> None:
    at = table(PERSON, BOT)
    assert pause(at, 3, ONLY, beat=2.0) == pause(at, 0, ONLY) + 2.0
    assert pause(table(BOT, BOT, host="b1"), 3, ONLY, beat=2.0) == 0


def test_a_house_bot_waits_for_the_rest_of_the_beat_that_the_server_names() -> None:
    seat = Seat("t1")
    seat.info = table(PERSON, BOT)
    plain, shown = (Decision({"n": 5, "offers": ONLY, **more}, {}) for more in ({}, {"shown_ms": 1800}))
    longer = seconds_before(seat, shown) - seconds_before(seat, plain)
    assert 1.7 * PAUSE_MS / USUAL_PAUSE_MS < longer < 1.801 * PAUSE_MS / USUAL_PAUSE_MS


def test_nobody_waits_where_nobody_watches() -> None:
    assert pause(table(BOT, BOT, host="b1"), 3, BIDS) == 0
    assert pause(table(BOT, BOT, host="u1"), 3, BIDS) > 0
    assert pause(table(BOT, BOT, host="b1", watchers=1), 3, BIDS) > 0
    assert pause(table({"kind": "person", "stand_in": True}, BOT, host="b1"), 3, BIDS) == 0


def test_a_master_hesitates_only_when_alternatives_are_close() -> None:
    assert hesitation(0.0) > hesitation(CLOSE / 2) > hesitation(CLOSE) == hesitation(1.0) == 0
