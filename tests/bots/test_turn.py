"""Turns: events, table, options and time left reach `choose`, in the arena and over a connection."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from bots.arena import Contest, run
from bots.entrants import labels
from bots.offers import Move, Offer, View
from bots.sdk import Bot
from bots.seats import Decision, Seat
from bots.turn import Turn, taking_turn
from server.tables.finished.replay import verify

TRACKER = """
import json
from bots.sdk import fill

def choose(view, offers, chance, turn):
    with open({log!r}, "a") as file:
        file.write(json.dumps({{**turn.as_dict(), "hand": view["hand"]}}) + "\\n")
    return fill(chance.choice(offers), chance)
"""


def test_a_choose_with_three_arguments_still_works() -> None:
    def old(view: View, offers: list[Offer], chance: random.Random) -> Move:
        return {"type": "old"}

    def new(view: View, offers: list[Offer], chance: random.Random, turn: Turn) -> Move:
        return {"type": turn.table}

    turn = Turn("cheesedog", "t1", 0, {}, 5, [])
    assert taking_turn(old)({}, [], random.Random(1), turn) == {"type": "old"}
    assert taking_turn(new)({}, [], random.Random(1), turn) == {"type": "t1"}


def test_the_arena_shows_each_seat_every_event_once_and_hides_what_it_may_not_see(tmp_path: Path) -> None:
    log, bot = tmp_path / "log", tmp_path / "tracker.py"
    bot.write_text(TRACKER.format(log=str(log)), encoding="utf-8")
    replays = tmp_path / "replays"
    replays.mkdir()
    contest = Contest("cheesedog", (str(bot), "rookie", "rookie"), 1, 3, timeout_s=20.0, save=str(replays))
    played = run(contest, 1, lambda done: None)
    assert played[0].tallies[0].faults == {}
    turns = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    first = [turn for turn in turns if turn["table"] == "3/cheesedog/0/0"]
    assert {(turn["game"], turn["seat"], turn["left_ms"], turn["complete"]) for turn in first} == {
        ("cheesedog", 0, 20_000, True)
    }
    assert first[0]["events"][0]["type"] == "dealt"
    rows = [json.loads(line) for line in (replays / "3-cheesedog-0-0.jsonl").read_text().splitlines()]
    recorded = [event["type"] for row in rows for event in row.get("events", ())]
    seen = [event["type"] for turn in first for event in turn["events"]]
    assert seen == recorded[: len(seen)]
    dealt, shown = rows[4]["events"][0]["hands"], first[0]["events"][0]["hands"]
    assert shown[0] == dealt[0]
    assert not [card for hand in shown[1:] for card in hand or () if card is not None]


@pytest.mark.parametrize("game", ["cheesedog", "diced_cheese", "do_my_bidding"])
def test_saved_replays_verify(tmp_path: Path, game: str) -> None:
    run(Contest(game, ("rookie", "random", "rookie"), 1, 7, save=str(tmp_path)), 1, lambda done: None)
    files = sorted(tmp_path.iterdir())
    assert [path.name for path in files] == [f"7-{game}-0-{rotation}.jsonl" for rotation in range(3)]
    for path in files:
        assert verify(path.read_text(encoding="utf-8").splitlines()) > 10


def update(n: int, *events: str, view: bool = True, **more: Any) -> dict[str, Any]:
    whole: dict[str, Any] = {"view": {}} if view else {}
    return {"type": "update", "n": n, "events": [{"type": event} for event in events], **whole, **more}


def test_a_seat_collects_events_and_says_when_some_are_missing() -> None:
    seat = Seat("t1")
    seat.info = {"game": "cheesedog", "you": 2, "options": {"variant": "a"}}

    def turn() -> tuple[list[str], bool]:
        made = seat.turn(Decision({"n": seat.last, "offers": [], "left_ms": 20_000}, {}))
        assert (made.table, made.seat, made.options, made.ask) == ("t1", 2, {"variant": "a"}, seat.last)
        assert made.left_ms is not None
        assert 19_000 < made.left_ms <= 20_000
        return [event["type"] for event in made.events], made.complete

    for one in (update(1, view=False), update(2, view=False), update(3, "dealt"), update(4, "played", "drew")):
        seat.note_update(one)
    assert turn() == (["dealt", "played", "drew"], True)
    seat.note_update(update(4, "played", "drew"))
    assert turn() == ([], True)
    seat.note_update(update(5, "played", view=False))  # missed entries after a reconnection
    seat.note_update(update(6, "drew"))
    assert turn() == (["played", "drew"], True)
    seat.note_update(update(9))
    assert turn() == ([], False)
    seat.note_update(update(10, "played"))
    assert turn() == (["played"], True)
    late = Seat("t2")
    late.info = seat.info
    late.note_update(update(12))
    assert late.turn(Decision({"n": 12, "offers": []}, {})).complete is False


def test_two_programs_with_one_name_are_told_apart(tmp_path: Path) -> None:
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bot.py").write_text("")
    old, new = str(tmp_path / "old" / "bot.py"), str(tmp_path / "new" / "bot.py")
    assert labels(["rookie", new, "rookie"]) == {"rookie": "rookie", new: "bot.py"}
    assert labels([old, new, "./bot --fast", "./bot --slow", old]) == {
        old: old,
        new: new,
        "./bot --fast": "./bot --fast",
        "./bot --slow": "./bot --slow",
    }


async def test_a_move_that_fills_an_aside_is_said_and_then_the_ask_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[Turn] = []
    sent: list[tuple[int, str]] = []

    def choose(view: View, offers: list[Offer], chance: random.Random, turn: Turn) -> Move:
        turns.append(turn)
        return {"type": "suggest", "up_to": 4} if turn.asides else {"type": "drop"}

    async def request(type: str, **fields: Any) -> dict[str, Any]:  # noqa: A002
        sent.append((fields["ask"], fields["move"]["type"]))
        return {}

    bot = Bot("ws://127.0.0.1:1/ws", "token", lambda info: choose)
    monkeypatch.setattr(bot, "request", request)
    seat = bot.seats["t1"] = Seat("t1")
    seat.info = {"game": "do_my_bidding", "you": 0, "options": {}, "seats": [], "status": "running"}
    asides = [{"move": "suggest", "fill": {"up_to": {"least": 0, "most": 9}}}]
    ask = {"n": 5, "offers": [{"move": "drop", "fill": {}}]}
    bot._on_update({"table": "t1", "n": 5, "view": {}, "ask": ask, "asides": {"n": 3, "offers": asides}})
    assert seat.decision
    assert seat.decision.task
    await seat.decision.task
    assert [turn.asides for turn in turns] == [asides, []]
    assert sent == [(3, "suggest"), (5, "drop")]


def test_rookies_advise_in_the_arena_and_the_replay_verifies(tmp_path: Path) -> None:
    run(Contest("do_my_bidding", ("rookie", "rookie", "rookie"), 2, 3, save=str(tmp_path)), 1, lambda done: None)
    said = 0
    for path in tmp_path.iterdir():
        lines = path.read_text(encoding="utf-8").splitlines()
        assert verify(lines) > 10
        moves = [row for row in map(json.loads, lines) if row["type"] == "moved"]
        said += sum(row["move"]["type"] == "suggest" for row in moves)
        assert all(row.get("aside", False) == (row["move"]["type"] == "suggest") for row in moves)
    assert said > 0
