"""The conformance kit finds every planted fault, and says what is wrong."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from bots.conform.candidate import Candidate
from bots.conform.report import ALL, Finding, as_text, run_one
from tests.bots.examples import example

AT_ONCE = 8
PATIENCE_S = 10.0  # so many bots that start at once take seconds on a busy machine


class Fault(NamedTuple):
    """A change of the example that makes it wrong, the situation that finds it, and what the report then says."""

    situation: str
    right: str
    wrong: str
    reason: str


ASKED = 'm.get("ask") and m["ask"]["n"] != asked'
PAUSE = 'time.sleep(m["retry_after_ms"] / 1000)'
AGAIN = 'send(**sent[m["id"]])'
WELCOME = 'elif m["type"] == "welcome"'
ERROR = 'print(m["code"], m["message"], file=sys.stderr)'
MOVE = 'send(type="move", table=m["table"], ask=asked, key=uuid.uuid4().hex, move=move)'
PACKED = 'msgpack.packb({"id": len(sent) - 1, **message})'
HELLO = 'send(type="hello", v=1, token=token)'
EXIT = 'in ("hello", "open"): sys.exit(1)'
NUMBER = 'random.randint(blank["least"], blank["most"])\n    if "least"'

FAULTS = {
    # Connecting.
    "another token": Fault("hello", HELLO, 'send(type="hello", v=1, token="another")', "P18: hello has another token"),
    "another version": Fault("hello", HELLO, 'send(type="hello", v=2, token=token)', "P12: .*bad_version"),
    "a text message": Fault("hello", PACKED, f"{PACKED}.hex()", "P8: the bot sent a text message"),
    "two messages in one frame": Fault("hello", PACKED, f"{PACKED} * 2", "P12: .*malformed .*more bytes after the end"),
    "a key twice": Fault(
        "hello", PACKED, f'b"\\x86" + {PACKED}[1:] + b"\\xa1v\\x01" * (6 - len(message) - 1)', "surplus_field .*field v"
    ),
    "speaks before welcome": Fault("slow-welcome", HELLO, f'{HELLO}; send(type="ping")', "P12: .*hello_first"),
    "connects again at once": Fault(
        "bad-token", EXIT, 'in ("hello", "open"): [connect(url).socket for _ in range(60)]', "it connected .* in 1.5 s"
    ),
    "asks for ever": Fault("no-table", EXIT, f'in ("hello", "open"): {AGAIN}', "requests (within )?a sec"),
    "opens again too soon": Fault("open-later", PAUSE, "pass", "told to wait 300 ms, and sent open again after"),
    "sits down again too soon": Fault("sit-later", PAUSE, "pass", "told to wait 300 ms, and sent sit again after"),
    "says hello again too soon": Fault("hello-later", PAUSE, "pass", "told to wait 300 ms, and sent hello again after"),
    "knows all games": Fault("welcome-with-new-games", WELCOME, f'{WELCOME} and m["games"][1:]', "no message came"),
    # Playing.
    "answers every update": Fault("duplicate-update", ASKED, 'm.get("ask")', "a second move came for ask"),
    "answers every whole view": Fault(
        "fresh-view", ASKED, f'm.get("ask") and (m.get("by") == "house" or {ASKED})', "a second move came for ask"
    ),
    "answers the first ask only": Fault("ask-replaced", "!= asked", "!= asked and not asked", "no message came"),
    "answers higher numbers only": Fault(
        "number-goes-down", ASKED, 'm.get("ask") and m["ask"]["n"] > (asked or 0)', "no message came"
    ),
    "answers old asks too": Fault(
        "old-ask",
        MOVE,
        f"past = [*globals().get('past', [])[-1:], asked]\n            for asked in past[::-1]: {MOVE}",
        "P33: a new move answers the old ask",
    ),
    "answers the entry, not the ask": Fault("earlier-ask", "ask=asked, key", 'ask=m["n"], key', "P31: .*never sent"),
    "one key for all moves": Fault("chat", "key=uuid.uuid4().hex", 'key="k"', "P32: the key 'k' was used for ask"),
    "another key for the same move": Fault(
        "later-busy", AGAIN, 'send(**{**sent[m["id"]], "key": uuid.uuid4().hex})', "same move under the same key"
    ),
    "no pause": Fault("later-too-soon", PAUSE, "pass", "told to wait 300 ms, and sent the move again after"),
    "repeats a stale move": Fault(
        "stale-without-update", ERROR, f'{ERROR}; m["code"] == "stale_ask" and {AGAIN}', "moves came before the update"
    ),
    "repeats an illegal move": Fault(
        "illegal", ERROR, f'{ERROR}; m["code"] == "illegal_move" and {AGAIN}', "although each was refused"
    ),
    "repeats a failed move for ever": Fault(
        "endless-error", ERROR, f'{ERROR}; m["code"] == "gremlins" and {AGAIN}', "it sent the move .* times in a second"
    ),
    "gives up when it was late": Fault(
        "update-then-stale", ERROR, f'{ERROR}; m["code"] == "not_asked" and sys.exit(3)', "exit code 3"
    ),
    "ten times the limit": Fault(
        "limits",
        MOVE,
        f'{MOVE}\n            for _ in range(100): send(type="ping"); time.sleep(1 / 200)',
        "P17: .*too many",
    ),
    "a number that is too high": Fault(
        "whole-game-cheesedog", NUMBER, NUMBER.replace('random.randint(blank["least"], ', "(1 + "), "P30"
    ),
    "one item twice": Fault(
        "whole-game-chesterfield",
        'random.sample(blank["of"], ',
        'blank["of"][:1] * (2 + ',
        "P30: the move .* fills no offer",
    ),
    "a misspelt field": Fault("chat", "move=move)", "moves=move)", "P12: .*(missing|surplus)_field"),
    "takes too long": Fault(
        "second-left", MOVE, f"time.sleep(1.3); {MOVE}", "one second was left, but the move came aft"
    ),
    "needs left_ms": Fault(
        "no-limit", 'm["ask"]["offers"])', 'm["ask"]["left_ms"] and m["ask"]["offers"])', "exit code 1"
    ),
    # What it does not expect.
    "a limit for messages": Fault("large", "max_size=None", "max_size=100_000", "closed the connection"),
    "no unknown messages": Fault(
        "unknown-message", WELCOME, f'elif m["type"] == "confetti": raise ValueError\n        {WELCOME}', "exit code 1"
    ),
    "reads unknown fields": Fault(
        "unknown-fields", 'm["ask"]["offers"])', '(m["ask"].get("hints") or m["ask"]["offers"]))', "exit code 1"
    ),
    "ends at a chat": Fault("chat", WELCOME, f'elif m["type"] == "chat": break\n        {WELCOME}', "closed the conn"),
    "ends at a stray error": Fault("stray-error", 'm.get("retry_after_ms")', 'sent[m["id"]]', "exit code 1"),
    "plays at a closed table": Fault(
        "closed",
        'in ("ended", "closed"): break',
        '== "closed": send(**{**sent[-1], "key": "again"})',
        "at a closed table",
    ),
}


def _write(fault: Fault, path: Path) -> Path:
    """The example with this fault, as a file."""
    text = example("raw")
    assert text.count(fault.right) == 1, fault
    path.write_text(text.replace(fault.right, fault.wrong), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Finding]:
    """What the kit finds in each faulty bot; several run at once."""
    folder = tmp_path_factory.mktemp("faults")
    situations = {one.name: one for one in ALL}

    paths = [_write(fault, folder / f"faulty_{number}.py") for number, fault in enumerate(FAULTS.values())]

    async def find(fault: Fault, path: Path, places: asyncio.Semaphore) -> Finding:
        bot = Candidate([sys.executable, str(path), "{url}", "{token}", "{code}"])
        async with places:
            return await run_one(situations[fault.situation], bot, "cheesedog", PATIENCE_S)

    async def find_all() -> list[Finding]:
        places = asyncio.Semaphore(AT_ONCE)
        return await asyncio.gather(
            *(find(fault, path, places) for fault, path in zip(FAULTS.values(), paths, strict=True))
        )

    return dict(zip(FAULTS, asyncio.run(find_all()), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found_with_its_reason(findings: dict[str, Finding], name: str) -> None:
    found = findings[name]
    assert found.result == "failed", found
    assert re.search(FAULTS[name].reason, found.why), found.why


def test_there_are_at_least_22_planted_faults() -> None:
    assert len(FAULTS) >= 22
    assert {fault.situation for fault in FAULTS.values()} <= {one.name for one in ALL}


def test_a_fault_that_repeats_is_explained_once_with_the_whole_output() -> None:
    output = "\n".join(
        ["Traceback (most recent call last):", *(f"  line {n}" for n in range(30)), "KeyError: 'left_ms'"]
    )
    findings = [
        Finding(name, f"does {name}", "P8", True, "failed", f"the bot ended (exit code {number})", output)
        for number, name in enumerate(("first", "second", "third"), 1)
    ]
    findings.append(Finding("fourth", "does fourth", "P9", False, "failed", "no message came within 3 s", "quiet"))
    text = as_text(findings)
    assert text.count("exit code") == 1
    assert text.count("the same fault as in first") == 2
    assert all(f"| {line}" in text for line in output.splitlines())
    assert text.count("KeyError") == 1
    assert "4 situations: 0 passed, 3 failed, 1 could be better, 0 not for this bot (2 different faults)" in text


@pytest.mark.parametrize(("why", "hint"), [("no message came within 15 s", True), ("the bot ended", False)])
def test_the_report_says_how_to_give_a_bot_more_time_that_does_not_connect_in_time(why: str, hint: bool) -> None:
    finding = Finding("first", "does first", "P8", True, "failed", f"P8: the bot did not connect: {why}")
    assert ("--patience 60" in as_text([finding])) == hint
