"""Python files and executables in the arena, and bad ones that harm only themselves."""

from __future__ import annotations

import os
import random
import stat
import sys
from pathlib import Path

import pytest

from bots.arena import Contest, run
from bots.arena_report import Report, as_text, make_report
from bots.entrants import MAX_STARTS, Fault, ProcessBot, UnknownBot, make_entrant
from bots.turn import Turn
from tests.bots.examples import example


def turn() -> Turn:
    return Turn("cheesedog", "t", 0, {}, 1, [])


GOOD = """
def choose(view, offers, chance):
    print("this is not a move")
    offer = offers[0]
    if offer["move"] == "play":
        return {"type": "play", "rank": offer["fill"]["rank"], "count": 1}
    if offer["move"] == "turn_over":
        return {"type": "turn_over", "place": chance.choice(offer["fill"]["place"]["of"])}
    return {"type": "pick_up"}
"""

LINES = """#!{python}
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    assert asked["game"] == "cheesedog" and "hand" in asked["view"] and isinstance(asked["seed"], int)
    fill = asked["offers"][0]["fill"]
    move = {{"type": asked["offers"][0]["move"]}}
    for name, blank in fill.items():
        move[name] = blank if not isinstance(blank, dict) else blank["of"][0] if "of" in blank else blank["least"]
    print(json.dumps(move), flush=True)
"""

BAD = {
    "raise": ("crash", "def choose(view, offers, chance):\n    raise RuntimeError('oh no')\n"),
    "exit": ("crash", "import os\ndef choose(view, offers, chance):\n    os._exit(3)\n"),
    "hang": ("hang", "import time\ndef choose(view, offers, chance):\n    time.sleep(3600)\n"),
    "illegal": ("illegal", "def choose(view, offers, chance):\n    return {'type': 'play', 'rank': 99, 'count': 1}\n"),
    "nonsense": ("illegal", "def choose(view, offers, chance):\n    return {'type': 'teleport'}\n"),
    "list": ("crash", "def choose(view, offers, chance):\n    return [1, 2]\n"),
    "forgotten": ("crash", "def choose(view, offers, chance):\n    offers[0]\n"),
    "other game": ("crash", "def play(view, offers, chance):\n    return {}\n\nchoose = {'chesterfield': play}\n"),
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for bots; the working directory is the project's."""
    monkeypatch.chdir(Path(__file__).resolve().parents[2])
    return tmp_path


def executable(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def play_against_rookies(bot: str, deals: int = 1, timeout_s: float = 20.0) -> Report:
    contest = Contest("cheesedog", (bot, "rookie", "rookie"), deals, 3, timeout_s=timeout_s)
    return make_report(contest, run(contest, 1, lambda done: None), 1.0, 1)


def test_a_python_file_plays_and_may_print(here: Path) -> None:
    (here / "mybot.py").write_text(GOOD)
    found = play_against_rookies(str(here / "mybot.py"))
    assert [line.bot for line in found.lines] == ["mybot.py", "rookie"]
    assert [line.faults for line in found.lines] == [{}, {}]
    assert found.lines[0].decisions > 10


def test_the_strategy_of_the_guide_beats_random_moves_clearly(here: Path) -> None:
    (here / "mybot.py").write_text("from bots.sdk import fill\n\n\n" + example("strategy"))
    contest = Contest("cheesedog", (str(here / "mybot.py"), "random", "random"), 10, 3)
    mine, theirs = make_report(contest, run(contest, 1, lambda done: None), 1.0, 1).lines
    print(f"seed 3: last {mine.last.mean:.0%} and {theirs.last.mean:.0%}")
    assert mine.faults == {}
    assert mine.last.mean < 0.2 < theirs.last.mean


def test_a_python_file_may_have_one_choose_for_each_game(here: Path) -> None:
    text = GOOD.replace("def choose", "def cheesedog") + "\nchoose = {'cheesedog': cheesedog}\n"
    (here / "mybot.py").write_text(text)
    assert play_against_rookies(str(here / "mybot.py")).lines[0].faults == {}


def test_a_choose_of_a_module_may_add_a_note_or_be_async(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "from bots.sdk import fill\n\n\ndef noting(game):\n"
        "    async def choose(view, offers, chance):\n"
        "        return fill(offers[0], chance), 'the first'\n\n    return choose\n"
    )
    (here / "own_bots").mkdir()
    (here / "own_bots" / "noting.py").write_text(text)
    monkeypatch.syspath_prepend(here)
    assert play_against_rookies("own_bots.noting:noting").lines[0].faults == {}


def test_an_executable_plays_by_json_lines(here: Path) -> None:
    found = play_against_rookies(str(executable(here / "mybot", LINES.format(python=sys.executable))))
    assert [line.faults for line in found.lines] == [{}, {}]


def test_a_python_file_plays_the_same_for_the_same_seed(here: Path) -> None:
    (here / "mybot.py").write_text(
        "from bots.sdk import fill\ndef choose(view, offers, chance):\n    return fill(chance.choice(offers), chance)\n"
    )
    first, second = play_against_rookies(str(here / "mybot.py")), play_against_rookies(str(here / "mybot.py"))
    assert [(line.place, line.decisions) for line in first.lines] == [
        (line.place, line.decisions) for line in second.lines
    ]


@pytest.mark.parametrize("name", BAD)
def test_a_bad_bot_is_reported_and_every_game_ends(here: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, source = BAD[name]
    monkeypatch.setattr("bots.entrants.MAX_STARTS", 2)
    (here / "bad.py").write_text(source)
    found = play_against_rookies(str(here / "bad.py"), timeout_s=1.0 if kind == "hang" else 20.0)
    bad, rookies = found.lines
    assert found.games == 3
    assert bad.faults[kind] > 0
    assert set(bad.faults) <= {kind, "retired"}
    assert rookies.faults == {}
    assert rookies.first.mean > 0.4  # they easily beat it
    assert f"bad.py made bad decisions, replaced by random moves: {bad.faults[kind]} x {kind}" in as_text(found)


def test_a_line_that_is_not_json_is_garbage(here: Path) -> None:
    bot = ProcessBot([str(executable(here / "garbage", "#!/bin/sh\nread line\necho rubbish\n"))], 20.0)
    with pytest.raises(Fault, match="expected a JSON object on one line, got b'rubbish'"):
        bot.decide({}, [], random.Random(1), turn)
    bot.close()


def test_endless_output_is_cut_off(here: Path) -> None:
    bot = ProcessBot([str(executable(here / "flood", "#!/bin/sh\ncat /dev/zero\n"))], 20.0)
    with pytest.raises(Fault, match="more than 1048576 bytes"):
        bot.decide({}, [], random.Random(1), turn)
    bot.close()


def test_the_children_of_a_bot_are_killed_with_it(here: Path) -> None:
    """A bot that forks: its child holds a pipe open, which ends when the child does."""
    pipe = here / "pipe"
    os.mkfifo(pipe)
    script = f'#!/bin/sh\nread line\nsleep 3600 > {pipe} &\necho \'{{"type": "pick_up"}}\'\nread line\n'
    bot = ProcessBot([str(executable(here / "fork", script))], 20.0)
    assert bot.decide({}, [], random.Random(1), turn) == {"type": "pick_up"}
    with pipe.open("rb") as held:  # waits for the child
        bot.close()
        assert held.read() == b""  # waits until nobody holds the other end


def test_a_bot_whose_process_keeps_failing_is_retired(here: Path) -> None:
    bot = ProcessBot(["false"], 20.0)
    kinds = []
    for _ in range(MAX_STARTS + 1):
        with pytest.raises(Fault) as fault:
            bot.decide({}, [], random.Random(1), turn)
        kinds.append(fault.value.kind)
    assert kinds == ["crash"] * MAX_STARTS + ["retired"]


def test_a_file_without_choose_is_reported(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (here / "empty.py").write_text("x = 1\n")
    bot = make_entrant(str(here / "empty.py"), "cheesedog", 20.0)
    with pytest.raises(Fault, match="the process"):
        bot.decide({}, [], random.Random(1), turn)
    bot.close()
    assert "has no choose(view, offers, chance)" in capfd.readouterr().err


def test_a_name_that_is_no_bot_is_refused() -> None:
    with pytest.raises(UnknownBot, match="neither one of random, rookie, master"):
        make_entrant("grandmaster", "cheesedog", 1.0)


def test_a_function_of_a_module_makes_a_bot(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "lone_bot.py").write_text("def make(game):\n    return lambda view, offers, chance: {'type': game}\n")
    monkeypatch.syspath_prepend(here)
    bot = make_entrant("lone_bot:make", "cheesedog", 1.0)
    assert bot.decide({}, [], random.Random(1), turn) == {"type": "cheesedog"}
    with pytest.raises(UnknownBot, match="no lone_bot:other"):
        make_entrant("lone_bot:other", "cheesedog", 1.0)
