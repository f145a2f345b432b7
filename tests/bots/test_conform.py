"""The conformance kit: the examples and the SDK pass, and a bot with one fault fails the situation for that fault."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bots.conform.connection import Failed
from bots.conform.move_rules import MoveRules
from bots.conform.report import ALL
from bots.conform.table import KitTable
from games import GAMES
from games.chance import Chance
from games.offers import fill
from protocol.messages import Move
from tests.bots.examples import ENVIRONMENT, example, write
from tests.service import ROOT

PROTOCOL = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")


def conform(command: list[str], *options: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """Run the kit on a bot: its exit code, and the findings by name."""
    kit = [sys.executable, "-m", "server.process.cli", "conform", "--json", *options, "--", *command]
    done = subprocess.run(kit, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, {one["name"]: one for one in json.loads(done.stdout)}


def named(findings: dict[str, dict[str, Any]], result: str) -> set[str]:
    """The situations with this result."""
    return {name for name, one in findings.items() if one["result"] == result}


def test_there_are_at_least_forty_situations_each_with_a_place_in_the_documents() -> None:
    assert len({one.name for one in ALL}) == len(ALL) >= 40
    others = (ROOT / "docs" / "other-languages.md").read_text(encoding="utf-8")
    assert all(f" more than {len(ALL) // 10 * 10} situations" in text for text in (GUIDE, others))  # each game adds one
    for one in ALL:
        for place in one.see.split(", "):
            if place.startswith("P") and place[1:].isdecimal():
                assert f"**{place}**" in PROTOCOL
            elif place.startswith("bots.md "):
                assert f"\n## {place.removeprefix('bots.md ')}\n" in GUIDE
            else:
                assert f"# {place}\n" in PROTOCOL


def test_the_asks_of_two_tables_do_not_mix() -> None:
    rules = MoveRules("aaaa")

    def move(table: str, ask: int, key: str) -> None:
        rules.check(Move(id=1, table=table, ask=ask, key=key, move=msgspec.Raw(b"\x80")))

    for table, ask in (("aaaa", 11), ("bbbb", 10), ("aaaa", 14)):
        rules.note_update({"table": table, "ask": {"n": ask}})
    move("bbbb", 10, "k1")
    move("aaaa", 11, "k2")
    move("aaaa", 14, "k3")
    move("aaaa", 11, "k2")  # the same move once more
    with pytest.raises(Failed, match="P33: a new move answers the old ask 11"):
        move("aaaa", 11, "k4")
    with pytest.raises(Failed, match="P31"):
        move("bbbb", 14, "k5")


def test_time_can_run_out_where_only_the_clock_may_make_the_move() -> None:
    """In Diced Cheese a die that fell is fetched in time or not: no seat is offered to be late."""
    for number in range(200):
        table = KitTable("diced_cheese", f"table{number}", "code")
        table.start_game()
        for _ in range(500):
            if table.status == "ended":
                break
            if table.ask is None:
                table.play_another_seat()
            elif table.ask.offers[0].move == "fetch":
                assert "came_late" in {event["type"] for event in table.time_out()["events"]}
                return
            else:
                table.play(fill(table.ask.offers[0], Chance(b"roll", table.n)))
    raise AssertionError("no die fell in 200 games")


JOBS = ("--jobs", "8")  # situations mostly wait
NOT_FOR_JOINERS = {"invited", "invited-twice", "invited-while-full", "patches", "two-tables"}
NOT_FOR_RESTARTED_BOTS = {"resumes", "same-key"}
RECOMMENDED_ONLY = {"move-internal", "move-gremlins"}


@pytest.mark.slow
def test_the_sdk_passes_every_situation_when_it_joins_by_code(tmp_path: Path) -> None:
    code, findings = conform([*write("sdk", tmp_path), "{url}", "{token}", "{code}"], "--strict", *JOBS)
    assert (code, named(findings, "failed")) == (0, set())
    assert named(findings, "not for this bot") == NOT_FOR_JOINERS


@pytest.mark.slow
def test_the_sdk_passes_every_situation_when_it_is_invited(tmp_path: Path) -> None:
    path = tmp_path / "inviting.py"
    path.write_text(example("sdk").replace("*sys.argv[1:])", "*sys.argv[1:], tables=3)"), encoding="utf-8")
    code, findings = conform([sys.executable, str(path), "{url}", "{token}"], "--strict", *JOBS)
    assert (code, named(findings, "failed")) == (0, set())
    assert named(findings, "not for this bot") == {"patches"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["raw", "javascript"])
def test_the_small_examples_pass_every_required_situation(tmp_path: Path, name: str) -> None:
    code, findings = conform([*write(name, tmp_path), "{url}", "{token}", "{code}"], "--patience", "10", *JOBS)
    assert (code, named(findings, "failed")) == (0, RECOMMENDED_ONLY)
    assert named(findings, "not for this bot") == NOT_FOR_JOINERS | NOT_FOR_RESTARTED_BOTS


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_sdk_plays_a_whole_game_of_every_game(tmp_path: Path, game: str) -> None:
    situation = f"whole-game-{game.replace('_', '-')}"
    command = [*write("sdk", tmp_path), "{url}", "{token}", "{code}"]
    code, findings = conform(command, "--games", game, "--only", situation)
    assert (code, named(findings, "passed")) == (0, {situation})


def test_a_command_that_cannot_be_run_is_reported_in_one_line() -> None:
    kit = [sys.executable, "-m", "server.process.cli", "conform", "--", "no-such-bot"]
    done = subprocess.run(kit, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "cheeseboard: no-such-bot cannot be run\n")
