"""The conformance kit finds faults planted in a bot that reconnects and accepts invitations, and says what is wrong."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from bots.conform.candidate import Candidate
from bots.conform.report import ALL, Finding, run_one
from tests.bots.examples import example

PATIENCE_S = 10.0  # several bots start at once


INVITED = """elif m["type"] == "invited":
            send(type="sit", table=m["table"])
            send(type="open", table=m["table"])
        elif m["type"] == "ok\""""


class Fault(NamedTuple):
    """A change of the SDK that makes it wrong, the situation that finds it, and what the report then says."""

    situation: str
    change: str
    reason: str
    invited: bool = False


PREFIX = """
import asyncio, secrets
from bots import connection, sdk
from bots.connection import Bot
request, on_message, packb = Bot.request, Bot._on_message, connection.msgpack.packb

"""

FAULTS = {
    "another key when a move is sent again": Fault(
        "same-key",
        """
async def changed(self, type, **fields):
    return await request(self, type, **(fields | {"key": secrets.token_hex(8)} if type == "move" else fields))
Bot.request = changed
""",
        "the same ask was answered under the key .* after",
    ),
    "resumes from the beginning": Fault(
        "resumes",
        """
async def changed(self, type, **fields):
    return await request(self, type, **(fields | {"last": 1} if type == "open" and "table" in fields else fields))
Bot.request = changed
""",
        "it opened the table with last 1, but had seen entry",
    ),
    "does not wait after bye": Fault(
        "bye",
        """
Bot._on_message = lambda self, message: message["type"] == "bye" or on_message(self, message)
""",
        "bye told it to wait 1000 ms, but it reconnected after",
    ),
    "reconnects without pauses": Fault("away", "connection.MAX_PAUSE_S = 0.0\n", r"it tried \d+ times in 1.5 s; pause"),
    "comes back at once, whatever hello is answered": Fault(
        "revoked",
        """
connection.REVOKED, connection.MAX_PAUSE_S, sdk.Refused = 0, 0.0, KeyError
async def changed(self):
    while True:
        try:
            await play(self)
        except connection.Refused:
            pass
play, Bot.run = Bot.run, changed
""",
        r"it (connected|sent hello) \d+ times in 1.5 s; pause",
    ),
    "forgets its move when the connection is lost": Fault(
        "lost-move-lost",
        """
async def changed(self, seat, decision, move, note):
    try:
        await request(self, "move", table=seat.table, ask=decision.ask, key=decision.key, move=move)
    except connection.CONNECTION_LOST:
        pass
    return True
Bot._send_move = changed
""",
        "no message came within 10 s: expected move",
    ),
    "does not open its table again": Fault(
        "lost-while-others-play",
        """
async def changed(self, tables):
    pass
Bot._resume = changed
""",
        "no message came within 10 s: expected open or sit",
    ),
    "wants patches and ignores them": Fault(
        "patches",
        """
connection.msgpack.packb = lambda m: packb(m | {"patches": True} if m["type"] == "hello" else m)
""",
        "no message came within 10 s: expected move",
    ),
    "sits down at every table": Fault(
        "invited-while-full",
        """
connection.Bot.plays = property(lambda self: self.declared and {**self.declared, "tables": self.believed},
                                lambda self, plays: setattr(self, "declared", plays))
Bot.believed = 1
async def changed(self, type, **fields):
    self.believed = 100
    return await request(self, type, **fields)
Bot.request = changed
""",
        "its hello says 1 for plays.tables, but it sat down at one table more",
        invited=True,
    ),
    "declines the seat that it has": Fault(
        "invited-twice",
        """
invited = []
def changed(self, message):
    if message["type"] == "invited":
        invited.append(message["table"])
        if invited.count(message["table"]) == 2:
            self._spawn(self.request("decline", table=message["table"]))
    on_message(self, message)
Bot._on_message = changed
""",
        "it declined the seat that it has",
        invited=True,
    ),
    "mixes its tables": Fault(
        "two-tables",
        """
async def changed(self, type, **fields):
    return await request(self, type, **(fields | {"table": next(iter(self.seats))} if type == "move" else fields))
Bot.request = changed
""",
        "P31: a move at table .* answers ask .*, which was never sent there",
        invited=True,
    ),
}


def bot(fault: Fault, path: Path) -> Candidate:
    """The SDK's example with this fault."""
    text = example("sdk")
    if fault.invited:
        tables = 2 if fault.situation == "two-tables" else 1
        text = text.replace("*sys.argv[1:])", f"*sys.argv[1:3], tables={tables})")
    path.write_text(PREFIX + fault.change + text, encoding="utf-8")
    return Candidate([sys.executable, str(path), "{url}", "{token}", "{code}"])


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Finding]:
    """What the kit finds in each faulty bot; all run at once, since they mostly wait."""
    folder = tmp_path_factory.mktemp("faults")
    situations = {one.name: one for one in ALL}

    async def find_all() -> list[Finding]:
        bots = [(fault, bot(fault, folder / f"faulty_{number}.py")) for number, fault in enumerate(FAULTS.values())]
        return await asyncio.gather(
            *(run_one(situations[fault.situation], one, "cheesedog", PATIENCE_S) for fault, one in bots)
        )

    return dict(zip(FAULTS, asyncio.run(find_all()), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_planted_in_the_sdk_is_found_with_its_reason(findings: dict[str, Finding], name: str) -> None:
    found = findings[name]
    assert found.result == "failed", found
    assert re.search(FAULTS[name].reason, found.why), found.why


@pytest.mark.slow
def test_a_bot_that_opens_only_the_tables_of_welcome_comes_back_before_the_start(tmp_path: Path) -> None:
    """The server lists open tables in welcome, too: such a bot needs no memory of its invitation."""
    text = example("raw")
    for old, new in (
        ("v=1, token=token)", "v=1, token=token, plays={})"),
        ('send(type="open", code=code)', '[send(type="open", table=table) for table in m["tables"]]'),
        ('elif m["type"] == "ok"', INVITED),
    ):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = tmp_path / "invited.py"
    path.write_text(text, encoding="utf-8")
    (situation,) = [one for one in ALL if one.name == "lost-while-opening"]
    candidate = Candidate([sys.executable, str(path), "{url}", "{token}", "{code}"])
    found = asyncio.run(run_one(situation, candidate, "cheesedog", PATIENCE_S))
    assert (found.result, found.why) == ("passed", ""), found.output
