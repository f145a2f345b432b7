"""Rerun asks a bot about a recorded decision, with the view and the offers of that moment."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bots.__main__ import main
from bots.rerun import BadRerun, answer, as_text, chooser, decision
from games import GAMES
from server.tables.finished.replay import fold_until, lines
from server.tables.state.entries import Moved, Started
from server.tables.state.table import codec
from tests.random_games import Log, play
from tests.server.tables.test_positions import branch, moment

ROOT = Path(__file__).resolve().parents[2]


def moves(log: Log) -> list[tuple[int, Moved]]:
    return [(n, entry) for n, entry in log.entries if isinstance(entry, Moved) and not entry.aside]


def state_before(log: Log, game: str, until: int) -> Any:
    state: Any = None
    for n, entry in log.entries:
        if n < until and isinstance(entry, Started | Moved):
            for event in codec(game).events.decode(entry.events):
                state = GAMES[game].apply(state, event)
    return state


@pytest.mark.parametrize("game", GAMES)
def test_view_and_offers_are_those_of_the_recorded_moment(game: str) -> None:
    log = play(game)
    text = list(lines("k7w2mzq4hd", log.entries))
    for n, entry in moves(log)[:: max(1, len(moves(log)) // 5)]:
        at = decision(text, n, None)
        state = state_before(log, game, n)
        assert at.seat == entry.seat
        assert at.view == msgspec.to_builtins(GAMES[game].view(state, entry.seat))
        assert at.offers == [msgspec.to_builtins(one) for one in GAMES[game].offers(state, entry.seat)]
        found = answer(at, chooser("rookie", game, 1.0), 1)
        assert found["illegal"] is None
        assert found["recorded"]["move"] == msgspec.msgpack.decode(entry.move)


def replay_file(folder: Path, game: str) -> tuple[Path, list[tuple[int, Moved]]]:
    log = play(game)
    path = folder / "game.jsonl"
    path.write_text("".join(line + "\n" for line in lines("k7w2mzq4hd", log.entries)), encoding="utf-8")
    return path, moves(log)


@pytest.mark.parametrize("seat", [None, 1])
def test_a_decision_of_a_game_that_plays_on_from_another_one_can_be_asked_again(seat: int | None) -> None:
    source = play("cheesedog")
    log = branch(source, moment(source).n, seat)
    text = list(lines(log.table.id, log.entries))
    n, entry = moves(log)[-1]
    at = decision(text, n, None)
    *_, before = fold_until(log.table.id, text, n - 1)
    assert (at.seat, at.state) == (entry.seat, before.state)
    assert not at.turn.complete
    assert answer(at, chooser("rookie", "cheesedog", 1.0), 1)["illegal"] is None


def test_the_command_shows_the_move_of_a_file_and_why_it_is_refused(tmp_path: Path) -> None:
    path, decided = replay_file(tmp_path, "cheesedog")
    (tmp_path / "mybot.py").write_text(
        "def choose(view, offers, chance):\n    return {'type': 'play', 'rank': 99, 'count': 1}\n"
    )
    n, entry = decided[2]
    command = [
        sys.executable,
        "-m",
        "server.process.cli",
        "rerun",
        str(path),
        "--until",
        str(n),
        "--seat",
        str(entry.seat),
    ]
    command += ["--bot", str(tmp_path / "mybot.py")]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout
    assert f"before entry {n}: seat {entry.seat} sees" in told
    assert 'bot: {"type": "play", "rank": 99, "count": 1}' in told
    assert "That is refused: DOG-" in told
    found = json.loads(
        subprocess.run([*command, "--json"], cwd=ROOT, capture_output=True, check=True, timeout=60).stdout
    )
    assert found["seat"] == found["view"]["me"] == entry.seat
    assert found["recorded"]["seat"] == entry.seat


def test_an_entry_seat_or_file_that_does_not_exist_is_reported(tmp_path: Path) -> None:
    path, decided = replay_file(tmp_path, "cheesedog")
    n, entry = decided[0]
    with pytest.raises(SystemExit, match="entry 1 is not a move; the moves are entries"):
        main(["rerun", str(path), "--until", "1", "--bot", "rookie"])
    other = (entry.seat + 1) % 3
    with pytest.raises(
        SystemExit, match=f"seat {other} had nothing to decide before entry {n}; it was up to seat {entry.seat}"
    ):
        main(["rerun", str(path), "--until", str(n), "--seat", str(other), "--bot", "rookie"])
    with pytest.raises(SystemExit, match="no file"):
        main(["rerun", str(path), "--until", str(n), "--bot", str(tmp_path / "none.py")])


def test_a_file_that_is_not_a_replay_is_refused() -> None:
    with pytest.raises(BadRerun, match="not a replay file"):
        decision(['{"type": "table"}'], 3, None)
    with pytest.raises(BadRerun, match="not a replay file"):
        decision(["no JSON"], 3, None)


@pytest.mark.parametrize(
    "source",
    [
        "def choose(view, offers, chance):\n    return {'type': 'pick_up'}, 'because'\n",
        "async def choose(view, offers, chance):\n    return {'type': 'pick_up'}, 'because'\n",
    ],
    ids=["plain", "async"],
)
def test_a_bot_may_be_async_and_add_a_note(tmp_path: Path, source: str) -> None:
    path, decided = replay_file(tmp_path, "cheesedog")
    (tmp_path / "mybot.py").write_text(source)
    with path.open(encoding="utf-8") as lines_of_file:
        at = decision(lines_of_file, decided[0][0], None)
    found = answer(at, chooser(str(tmp_path / "mybot.py"), "cheesedog", 1.0), 1)
    assert (found["move"], found["note"]) == ({"type": "pick_up"}, "because")
    assert "its note: because" in as_text(found)
