"""When `choose` returns what no server reads, each SDK makes a random move at once."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bots.offers import parts
from tests.bots.test_conform import JOBS, conform, named
from tests.service import ROOT
from tools import sdk

GAME = "whole-game-cheesedog"  # in which the kit refuses every move that fills no offer

PYTHON = """
import itertools, sys
from bots.sdk import run

class Odd: pass

NONSENSE = itertools.cycle([
    None, "play", 3, [], (), ({"type": "play"},), ({"type": "play"}, 5), (None, "a note"), Odd(), {"type": Odd()},
    {"type": "play", "rank": {1}}, {"type": "play", "rank": 2**70}, {"type": "play", "rank": "x" * 20_000},
    {"type": "\\ud800"},
])

def choose(view, offers, chance):
    return next(NONSENSE)

run(choose, *sys.argv[1:])
"""

JAVASCRIPT = """
import { run } from "cheeseboard-bot";

const round = {};
round.round = round;
const NONSENSE = [
  undefined, null, "play", 3, [], [{ type: "play" }, 5], [null, "a note"], () => 0, { type: () => 0 },
  { type: "play", rank: 1n }, round, { type: "play", rank: "x".repeat(20_000) },
];
let calls = 0;
const choose = () => NONSENSE[calls++ % NONSENSE.length];
const [url, token, join] = process.argv.slice(2);
await run(choose, url, token, { join });
process.exit(0);
"""

JAVA = """
import cheeseboard.*;
import java.util.*;

public final class Nonsense {
    private static int calls = 0;

    static Map<String, Object> choose(Turn turn) {
        var endless = new HashMap<String, Object>();
        endless.put("endless", endless);
        return switch (calls++ % 6) {
            case 0 -> null;
            case 1 -> Map.of("type", "play", "rank", 2.5);
            case 2 -> Map.of("type", new Object());
            case 3 -> Map.of("type", "x".repeat(20_000));
            case 4 -> endless;
            default -> throw new AssertionError("no idea");
        };
    }

    public static void main(String[] words) throws Exception {
        List<Map<String, Object>> finished = Bots.run(Nonsense::choose, words[0], words[1], Plan.join(words[2]));
        if (finished.size() != 1 || finished.get(0).get("result") == null) System.exit(1);
    }
}
"""


def plays_a_whole_game(command: list[str]) -> None:
    """The bot that is started with this command makes a legal move for every ask, in time."""
    code, findings = conform([*command, "{url}", "{token}", "{code}"], "--only", GAME, "--patience", "8", *JOBS)
    assert (code, named(findings, "passed")) == (0, {GAME}), findings


@pytest.mark.slow
def test_the_python_sdk_survives_nonsense(tmp_path: Path) -> None:
    path = tmp_path / "nonsense.py"
    path.write_text(PYTHON, encoding="utf-8")
    plays_a_whole_game([sys.executable, str(path)])


@pytest.mark.slow
def test_the_javascript_sdk_survives_nonsense(tmp_path: Path) -> None:
    path = tmp_path / "nonsense.mjs"
    path.write_text(JAVASCRIPT, encoding="utf-8")
    modules = tmp_path / "node_modules"
    shutil.copytree(ROOT / "bots" / "sdk-js", modules / "cheeseboard-bot")
    for name in ("@msgpack", "ws"):
        (modules / name).symlink_to(ROOT / "web-client" / "node_modules" / name)
    plays_a_whole_game(["node", str(path)])


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("javac") is None, reason="no javac: install a JDK 17 or later")
def test_the_java_sdk_survives_nonsense(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    sdk.java(tmp_path)
    jar = tmp_path / f"cheeseboard-bot-{sdk.VERSION}.jar"
    path = tmp_path / "Nonsense.java"
    path.write_text(JAVA, encoding="utf-8")
    subprocess.run(["javac", "-cp", str(jar), "-d", str(tmp_path), str(path)], check=True)
    plays_a_whole_game(["java", "-cp", f"{jar}:{tmp_path}", "Nonsense"])


def test_what_choose_returned_is_named_if_it_is_no_move() -> None:
    assert parts({"type": "drop"}) == ({"type": "drop"}, None)
    assert parts(({"type": "drop"}, "too dear")) == ({"type": "drop"}, "too dear")
    for wrong in (None, "drop", [{"type": "drop"}], ({"type": "drop"},), ({"type": "drop"}, 5), (None, "too dear")):
        with pytest.raises(TypeError, match=r"^choose returned .*: expected a move"):
            parts(wrong)
