"""The conformance kit: our own bots pass it, and bots with one fault each fail where that fault shows."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bots.conform.report import ALL
from tests.bots.examples import ENVIRONMENT, example, write
from tests.service import ROOT

PROTOCOL = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")


def conform(command: list[str], *options: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """What the kit says of a bot: its exit code, and each finding by name."""
    kit = [sys.executable, "-m", "server.cli", "conform", "--json", *options, "--", *command]
    done = subprocess.run(kit, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, {one["name"]: one for one in json.loads(done.stdout)}


def named(findings: dict[str, dict[str, Any]], result: str) -> set[str]:
    """Which situations came out so."""
    return {name for name, one in findings.items() if one["result"] == result}


def test_there_are_at_least_forty_situations_each_with_a_place_in_the_documents() -> None:
    assert len({one.name for one in ALL}) == len(ALL) >= 40
    for one in ALL:
        for place in one.see.split(", "):
            if place.startswith("P") and place[1:].isdecimal():
                assert f"**{place}**" in PROTOCOL
            elif place.startswith("bots.md "):
                assert f"\n## {place.removeprefix('bots.md ')}\n" in GUIDE
            else:
                assert f"# {place}\n" in PROTOCOL


NOT_FOR_JOINERS = {"invited", "invited-twice", "invited-while-full", "patches", "two-tables"}
NOT_FOR_THE_RESTARTED = {"resumes", "same-key"}
UNSURE = {"move-internal", "move-gremlins"}


@pytest.mark.slow
def test_the_sdk_passes_all_that_there_is_when_it_joins(tmp_path: Path) -> None:
    code, findings = conform([*write("sdk", tmp_path), "{url}", "{token}", "{code}"], "--strict")
    assert (code, named(findings, "failed")) == (0, set())
    assert named(findings, "not for this bot") == NOT_FOR_JOINERS


@pytest.mark.slow
def test_the_sdk_passes_all_that_there_is_when_it_is_invited(tmp_path: Path) -> None:
    path = tmp_path / "inviting.py"
    path.write_text(example("sdk").replace("*sys.argv[1:])", "*sys.argv[1:], tables=3)"), encoding="utf-8")
    code, findings = conform([sys.executable, str(path), "{url}", "{token}"], "--strict")
    assert (code, named(findings, "failed")) == (0, set())
    assert named(findings, "not for this bot") == {"patches"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["raw", "javascript"])
def test_the_small_examples_pass_all_that_is_required(tmp_path: Path, name: str) -> None:
    code, findings = conform([*write(name, tmp_path), "{url}", "{token}", "{code}"], "--patience", "5")
    assert (code, named(findings, "failed")) == (0, UNSURE)
    assert named(findings, "not for this bot") == NOT_FOR_JOINERS | NOT_FOR_THE_RESTARTED


FAULTS = {
    "duplicate-update": ('m.get("ask") and m["ask"]["n"] != asked', 'm.get("ask")'),
    "hello": ("token=token)", 'token="another")'),
    "slow-welcome": ('send(type="hello", v=1, token=token)', 'send(type="hello", v=1, token=token); send(type="ping")'),
    "later-too-soon": ('time.sleep(m["retry_after_ms"] / 1000)', "pass"),
    "later-busy": ('send(**sent[m["id"]])', 'send(**{**sent[m["id"]], "key": uuid.uuid4().hex})'),
    "stale-without-update": ('m.get("retry_after_ms"):', '(m["id"] or m.get("retry_after_ms")):'),
    "large": ("max_size=None", "max_size=100_000"),
    "unknown-message": (
        'elif m["type"] == "welcome"',
        'elif m["type"] == "confetti": raise ValueError\n        elif m["type"] == "welcome"',
    ),
    "unknown-fields": ('m["ask"]["offers"])', '(m["ask"].get("hints") or m["ask"]["offers"]))'),
    "whole-game-cheesedog": (
        'random.randint(blank["least"], blank["most"])\n    if "least"',
        'blank["most"] + 1\n    if "least"',
    ),
    "chat": ('elif m["type"] == "welcome"', 'elif m["type"] == "chat": break\n        elif m["type"] == "welcome"'),
    "ask-replaced": ("!= asked", "!= asked and not asked"),
    "stray-error": ('m.get("retry_after_ms")', 'sent[m["id"]]'),
    "closed": ('in ("ended", "closed"): break', '== "closed": send(**{**sent[-1], "key": "again"})'),
}


@pytest.mark.slow
@pytest.mark.parametrize("situation", list(FAULTS))
def test_a_bot_with_one_fault_fails_where_it_shows(tmp_path: Path, situation: str) -> None:
    right, wrong = FAULTS[situation]
    text = example("raw")
    assert text.count(right) == 1
    path = tmp_path / "faulty.py"
    path.write_text(text.replace(right, wrong), encoding="utf-8")
    code, findings = conform(
        [sys.executable, str(path), "{url}", "{token}", "{code}"], "--only", situation, "--patience", "3"
    )
    assert (code, findings[situation]["result"]) == (1, "failed")
    assert findings[situation]["why"]


def test_a_command_that_is_none_is_said_in_one_line() -> None:
    kit = [sys.executable, "-m", "server.cli", "conform", "--", "no-such-bot"]
    done = subprocess.run(kit, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "cheeseboard: no-such-bot cannot be run\n")
