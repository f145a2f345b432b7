"""Replay files: written from whole games of every kind, verified, and refused when anything in them was changed."""

from __future__ import annotations

import copy
import hashlib
import json
import re
import struct
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from games import GAMES
from games.chance import Chance
from protocol.messages import Move
from server.entries import Entry, Opened, Rematched
from server.replay import BadReplay, lines, verify
from server.table import Decision, Table, opened
from tests.client import fill

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENT = (ROOT / "docs" / "replay.md").read_text(encoding="utf-8")
SEED = bytes(range(32))
MOST_ENTRIES = 20_000
BEGAN = 1_767_225_600_000
Rows = list[dict[str, Any]]


class Log:
    """A table and its log, without a store."""

    def __init__(self, game: str, seed: bytes) -> None:
        seats = GAMES[game].seats.start
        options = msgspec.to_builtins(GAMES[game].options())
        first = Opened(BEGAN, game, options, seats, "normal", True, "u0", "m3k9pw", seed)
        self.table = opened("k7w2mzq4hd", first)
        self.entries: list[tuple[int, Entry]] = [(1, first)]

    def commit(self, decision: Decision) -> None:
        """Append an entry and what follows from it."""
        self.table = self.table.after(decision.entry, decision.events)
        self.entries.append((self.table.n, decision.entry))
        then = self.table.follow_up(self.table.at)
        if then is not None:
            self.commit(then)


def play(game: str, seed: bytes = SEED) -> Log:
    """A whole game by chance: some moves by the clock, some by stand-ins, some asides."""
    log, chance = Log(game, seed), Random(seed)
    for seat in range(len(log.table.chairs)):
        log.commit(log.table.sit(f"u{seat}", f"Zoë {seat}", seat, BEGAN, bot=False, owner=None))
    while log.table.status == "running":
        assert log.table.n < MOST_ENTRIES
        log.commit(_step(log.table, chance))
    return log


def _step(table: Table, chance: Random) -> Decision:
    now = table.at + 6_000
    if chance.random() < 0.05:
        late = table.tick(max(table.due(seat) or 0 for seat in table.asks) + 1, ())
        assert late
        return late
    seat = chance.choice(list(table.asks))
    ask = table.asks[seat]
    if seat in table.asides and chance.random() < 0.1:
        ask = table.asides[seat]
    offer: dict[str, Any] = msgspec.to_builtins(chance.choice(ask.offers))
    move = msgspec.Raw(msgspec.msgpack.encode(fill(offer, chance)))
    chair = table.chairs[seat]
    user = chair.stand_in if chair.stand_in and chance.random() < 0.8 else chair.user
    assert user
    asked = Move(id=1, table=table.id, ask=ask.n, key=f"k{table.n}", move=move, note="by chance")
    return table.move(user, asked, now)


def states(game: str) -> list[Any]:
    """The states of the same game, one after each entry."""
    log, found = play(game), []
    table = opened(log.table.id, log.entries[0][1])
    for _, entry in log.entries[1:]:
        table = table.after(entry)
        found.append(table.state)
    return [state for state in found if state is not None]


@cache
def written(game: str) -> tuple[str, ...]:
    log = play(game)
    log.commit(Decision(Rematched(log.table.at + 1, "another1")))
    return tuple(lines(log.table.id, log.entries))


def rows_of(game: str = "cheesedog") -> Rows:
    return [json.loads(line) for line in written(game)]


def check(rows: Rows) -> int:
    return verify(json.dumps(row) + "\n" for row in rows)


@pytest.mark.parametrize("game", GAMES)
def test_p7_a_whole_game_plays_again_from_its_file(game: str) -> None:
    rows = rows_of(game)
    assert verify(written(game)) == len(rows) - 1
    assert rows[0]["seed"] == SEED.hex()
    assert {row["by"] for row in rows if row["type"] == "moved"} >= {"seat", "clock"}
    assert rows[-1]["outcome"]["places"]
    assert any(row.get("aside") for row in rows) == any(GAMES[game].asides(state, 0) for state in states(game))


@pytest.mark.parametrize("game", GAMES)
def test_every_line_type_and_field_is_documented(game: str) -> None:
    for row in rows_of(game):
        kind = row["type"]
        assert f"### {kind}\n" in DOCUMENT, kind
        described = DOCUMENT.split(f"### {kind}\n")[1].split("\n### ")[0].split("\n## ")[0]
        for name in row:
            assert name in ("type", "n", "at") or f"`{name}" in described, (kind, name)


@pytest.mark.parametrize("kind", Entry.__args__, ids=lambda kind: kind.__name__)
def test_every_entry_that_a_log_can_have_is_documented(kind: Any) -> None:
    tag = "table" if kind is Opened else kind.__struct_config__.tag
    described = DOCUMENT.split(f"### {tag}\n")[1].split("\n### ")[0].split("\n## ")[0]
    left_out = {"public", "host", "code"} if kind is Opened else set()
    for name in set(kind.__struct_fields__) - left_out - {"at"}:
        assert f"`{name}" in described, name


def change_move(rows: Rows) -> str:
    row = next(row for row in rows if row["type"] == "moved" and row["move"]["type"] == "play" and row["by"] == "seat")
    row["move"]["rank"] = row["move"]["rank"] % 10 + 1
    return f"entry {row['n']} "


def change_event(rows: Rows) -> str:
    row = next(row for row in rows if row["type"] == "moved" and row["events"])
    row["events"].append(copy.deepcopy(row["events"][0]))
    return f"entry {row['n']} "


def change_deal(rows: Rows) -> str:
    row = next(row for row in rows if row["type"] == "started")
    row["events"] = row["events"][:-1]
    return f"entry {row['n']} "


def change_seed(rows: Rows) -> str:
    rows[0]["seed"] = hashlib.sha256(b"another").hexdigest()
    return f"entry {next(row['n'] for row in rows if row['type'] == 'started')} "


def change_seat(rows: Rows) -> str:
    row = next(row for row in rows if row["type"] == "moved")
    row["seat"] = (row["seat"] + 1) % rows[0]["seats"]
    return f"entry {row['n']} "


def change_clock(rows: Rows) -> str:
    """A move that somebody chose is passed off as one that the clock made."""
    for row in rows:
        if row["type"] == "moved" and row["by"] == "seat":
            before, row["by"] = row["by"], "clock"
            try:
                check(rows)
            except BadReplay:
                return f"entry {row['n']} "
            row["by"] = before
    raise AssertionError("every move is the one that the clock would make")


def drop_entry(rows: Rows) -> str:
    del rows[10]
    return "entry 11 is missing"


def drop_sat(rows: Rows) -> str:
    del rows[1]
    return "entry 2 is missing"


def swap_entries(rows: Rows) -> str:
    rows[10], rows[11] = rows[11], rows[10]
    return "entry 11 is missing"


def drop_last_move(rows: Rows) -> str:
    last = max(at for at, row in enumerate(rows) if row["type"] == "moved")
    del rows[last:-1]
    return f"after entry {len(rows) - 1}"


def change_result(rows: Rows) -> str:
    rows[-1]["outcome"]["places"].reverse()
    return f"the result differs from the one after entry {len(rows) - 1}"


def change_state(rows: Rows) -> str:
    rows[-1]["state"].popitem()
    return "the final state differs"


def drop_result(rows: Rows) -> str:
    del rows[-1]
    return "not a whole replay file"


def drop_head(rows: Rows) -> str:
    del rows[0]
    return "not a whole replay file"


def start_twice(rows: Rows) -> str:
    at = next(at for at, row in enumerate(rows) if row["type"] == "started")
    rows[at + 1] = {**rows[at], "n": at + 2}
    return f"entry {at + 2} differs: a game starts once"


def drop_field(rows: Rows) -> str:
    row = next(row for row in rows if row["type"] == "moved")
    del row["by"]
    return f"entry {row['n']} differs: it has no 'by'"


def another_version(rows: Rows) -> str:
    rows[0]["version"] = 2
    return "version 2"


def another_game(rows: Rows) -> str:
    rows[0]["game"] = ["chess"]
    return "chess"


def no_hex(rows: Rows) -> str:
    rows[0]["seed"] = 7
    return "entry 1 differs: its seed"


def other_options(rows: Rows) -> str:
    rows[0]["options"] = {"colour": "blue"}
    return f"entry {next(row['n'] for row in rows if row['type'] == 'started')} differs"


TAMPERED = [
    change_move,
    change_event,
    change_deal,
    change_seed,
    change_seat,
    change_clock,
    drop_entry,
    drop_sat,
    swap_entries,
    drop_last_move,
    change_result,
    change_state,
    drop_result,
    drop_head,
    start_twice,
    drop_field,
    another_version,
    another_game,
    no_hex,
    other_options,
]


@pytest.mark.parametrize("tamper", TAMPERED, ids=lambda tamper: tamper.__name__)
def test_a_file_that_was_changed_is_refused_and_the_place_is_named(tamper: Callable[[Rows], str]) -> None:
    rows = rows_of()
    assert check(rows) == len(rows) - 1
    where = tamper(rows)
    with pytest.raises(BadReplay, match=re.escape(where)):
        check(rows)


@pytest.mark.parametrize("game", GAMES)
def test_every_move_taken_out_of_any_game_is_noticed(game: str) -> None:
    rows = rows_of(game)
    moves = [at for at, row in enumerate(rows) if row["type"] == "moved"]
    for at in Random(game).sample(moves, 10):
        with pytest.raises(BadReplay, match=f"entry {at + 1} is missing"):
            check(rows[:at] + rows[at + 1 :])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not a whole replay file"),
        ("\n\n", "not a whole replay file"),
        ("not JSON\n", "line 1 is not JSON"),
        ("[1]\n", "line 1 is not an object"),
        ("[" * 100_000, "line 1 is not JSON"),
    ],
)
def test_what_is_no_replay_is_refused(text: str, said: str) -> None:
    with pytest.raises(BadReplay, match=said):
        verify(text.splitlines())


def run(path: Path) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "server.cli", "replay", str(path)], capture_output=True, text=True, timeout=60, cwd=ROOT
    )
    return done.returncode, done.stdout, done.stderr


def test_the_command_says_in_one_line_that_a_file_is_right(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("".join(line + "\n" for line in written("cheesedog")), encoding="utf-8")
    code, said, complained = run(path)
    assert (code, complained) == (0, "")
    assert said == f"{path}: {len(written('cheesedog')) - 1} entries play again to the same final state\n"


@pytest.mark.parametrize("case", ["changed", "empty", "noise", "absent"])
def test_the_command_says_in_one_line_what_is_wrong(tmp_path: Path, case: str) -> None:
    path, wanted = tmp_path / "game.jsonl", "No such file"
    if case == "changed":
        rows = rows_of()
        wanted = change_move(rows)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif case == "empty":
        path.write_text("")
        wanted = "not a whole replay file"
    elif case == "noise":
        path.write_bytes(Random(1).randbytes(100))
        wanted = "codec can't decode"
    code, said, complained = run(path)
    assert (code, said) == (1, "")
    assert complained.startswith(f"cheeseboard: {path}: ")
    assert wanted in complained
    assert complained.count("\n") == 1


def test_the_worked_example_of_chance_holds() -> None:
    shown = DOCUMENT.split("## Chance, worked out\n")[1]
    block = hashlib.sha256(SEED + struct.pack(">QI", 5, 0)).digest()
    words = struct.unpack(">8I", block)
    assert SEED.hex() in shown
    assert block.hex() in shown
    assert ", ".join(str(word) for word in words) in shown
    chance = Chance(SEED, 5)
    draws = [chance.below(6) for _ in range(3)]
    assert draws == [word % 6 for word in words[:3]]
    assert f"`{', '.join(map(str, draws))}`" in shown
    mixed = Chance(SEED, 5).shuffled("abcd")
    assert f"`{', '.join(mixed)}`" in shown
    assert f"`{Chance(SEED, 5).weighted((1, 2, 3))}`" in shown
    assert f"`{hashlib.sha256(SEED).hexdigest()}`" in shown
