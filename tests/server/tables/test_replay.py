"""Replay files: written from whole games of every kind, documented, and verified."""

from __future__ import annotations

import hashlib
import json
import struct
import subprocess
import sys
from pathlib import Path
from random import Random
from time import thread_time
from typing import Any

import msgspec
import pytest

from games import GAMES
from games.chance import Chance, salted_seed
from server.tables.finished.replay import BadReplay, compact, lines, lines_of, plain, play_again, read_entries, verify
from server.tables.state.decisions import Sitter, decide, sit
from server.tables.state.entries import Changed, Entry, Opened, Renamed, encode_entry
from server.tables.state.table import folded
from tests.random_games import BEGAN, SEED, Log, check, play, rows_of, states, step, with_digest, written
from tests.server.tables.test_tampered_replays import change_move

ROOT = Path(__file__).resolve().parents[3]
DOCUMENT = (ROOT / "docs" / "replay.md").read_text(encoding="utf-8")


def written_plainly(log: Log) -> list[str]:
    """The lines of a file, with the result folded from the log, and the JSON of Python's own encoder."""
    ended = folded(log.table.id, log.entries)
    head = {"type": "table", "format": "cheeseboard-replay", "version": 1, "digest": "sha256", "n": 1}
    first = log.table.opened
    choice = {"game": first.game, "options": first.options, "seats": first.seats, "speed": first.speed}
    rules = {} if first.rules == 1 else {"rules": first.rules}
    rows = [{**head, "table": log.table.id, **choice, "seed": first.seed.hex(), **rules, "at": first.at}]
    rows += [{"n": n, **msgspec.msgpack.decode(encode_entry(entry))} for n, entry in log.entries[1:]]
    rows.append({"type": "result", "outcome": plain(ended.outcome), "state": plain(ended.state), "sha256": ""})
    return [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in with_digest(rows)]


@pytest.mark.parametrize("game", GAMES)
def test_a_file_is_written_byte_for_byte_as_pythons_json_writes_the_log(game: str) -> None:
    odd = '\x00\x1f\x7f\x80\u2028\ufeff\uffff\U0001f9c0"\\\\/\b\f\n\r\t'
    log = play(game)
    ended = log.table
    log.commit(decide(ended, Renamed(ended.at, 0, odd)))
    assert list(lines(ended.id, log.entries)) == list(lines_of(ended, log.entries)) == written_plainly(log)


@pytest.mark.parametrize("game", GAMES)
def test_p7_a_whole_game_plays_again_from_its_file(game: str) -> None:
    rows = rows_of(game)
    assert verify(written(game)) == len(rows) - 1
    assert rows[0]["seed"] == SEED.hex()
    assert {row["by"] for row in rows if row["type"] == "moved"} >= {"seat", "clock"}
    assert rows[-1]["outcome"]["places"]
    assert any(row.get("aside") for row in rows) == any(GAMES[game].asides(state, 0) for state in states(game))


def test_p7_a_table_whose_host_changed_the_game_plays_again_and_is_folded_as_it_was() -> None:
    log = Log("cheesedog", SEED, 4)
    log.commit(sit(log.table, Sitter("u0", "Zoë"), 3, BEGAN))
    log.commit(decide(log.table, Changed(BEGAN, "diced_cheese", {"variant": "classic", "mishaps": True}, 2, "blitz")))
    log.commit(sit(log.table, Sitter("u1", "Ada"), 0, BEGAN))
    chance = Random(5)
    while log.table.status == "running":
        log.commit(step(log.table, chance))
    text = tuple(lines(log.table.id, log.entries))
    head = json.loads(text[0])
    assert (head["game"], head["seats"], head["opened"]["game"], head["opened"]["seats"]) == (
        "diced_cheese",
        2,
        "cheesedog",
        4,
    )
    assert verify(text) == len(text) - 1
    again = folded(log.table.id, read_entries(text[:-1]))
    assert (again.state, again.outcome) == (log.table.state, log.table.outcome)
    assert [chair.name for chair in again.chairs] == ["Ada", "Zoë"]


@pytest.mark.parametrize("game", GAMES)
def test_every_line_type_and_field_is_documented(game: str) -> None:
    for row in rows_of(game):
        kind = row["type"]
        assert f"### {kind}\n" in DOCUMENT, kind
        described = DOCUMENT.split(f"### {kind}\n")[1].split("\n### ")[0].split("\n## ")[0]
        for name in row:
            assert name in ("type", "n", "at") or f"`{name}" in described, (kind, name)


@pytest.mark.parametrize("game", GAMES)
def test_a_replay_does_not_say_who_opened_the_table_from_where(game: str) -> None:
    assert not {"public", "host", "code", "origin"} & set(rows_of(game)[0])


@pytest.mark.parametrize("kind", Entry.__args__, ids=lambda kind: kind.__name__)
def test_every_entry_that_a_log_can_have_is_documented(kind: Any) -> None:
    tag = "table" if kind is Opened else kind.__struct_config__.tag
    described = DOCUMENT.split(f"### {tag}\n")[1].split("\n### ")[0].split("\n## ")[0]
    left_out = {"public", "host", "code", "origin", "late", "evening", "watching"} if kind is Opened else set()
    for name in set(kind.__struct_fields__) - left_out - {"at"}:
        assert f"`{name}" in described, name


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
def test_a_file_that_is_not_a_replay_is_refused(text: str, said: str) -> None:
    with pytest.raises(BadReplay, match=said):
        verify(text.splitlines())


def run(path: Path, command: str = "replay", *more: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "server.process.cli", command, str(path), *more],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=ROOT,
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
        path.write_text("".join(compact(row) + "\n" for row in rows), encoding="utf-8")
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


def test_p56_salts_are_hashed_with_their_lengths_after_the_seed() -> None:
    salts = ["00112233445566778899aabbccddeeff", None, "ff" * 8]
    by_hand = SEED + b"\x10" + bytes.fromhex(salts[0] or "") + b"\x00" + b"\x08" + b"\xff" * 8
    assert salted_seed(SEED, salts) == hashlib.sha256(by_hand).digest()
    assert salted_seed(SEED, [None, None]) == salted_seed(SEED, []) == SEED


def test_files_from_before_there_was_a_digest_verify() -> None:
    rows = rows_of()
    del rows[0]["digest"], rows[-1]["sha256"]
    assert check(rows) == len(rows) - 1


def test_another_commitment_than_the_one_that_was_shown_is_found(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("".join(line + "\n" for line in written("cheesedog")), encoding="utf-8")
    shown = hashlib.sha256(SEED).hexdigest()
    assert run(path, "verify", "--commitment", shown)[0] == 0
    code, _, complained = run(path, "verify", "--commitment", "00" * 32)
    assert code == 1
    assert f"its commitment is {shown}" in complained


def test_what_happened_before_the_start_is_played_again_entry_by_entry() -> None:
    """So that a log with thousands of entries before its start does not hold up live games in one step."""
    rows = rows_of("diced_cheese")
    start = next(number for number, row in enumerate(rows) if row["type"] == "started")
    swaps = [{"type": "swapped", "at": rows[1]["at"], "seat": 0, "other": 1}] * 3_000
    rows = [{**row, "n": n} for n, row in enumerate([*rows[:start], *swaps, *rows[start:-1]], 1)] + rows[-1:]
    steps, used_s = play_again([compact(row) for row in with_digest(rows)]), [0.0]

    def run() -> None:
        while True:
            began = thread_time()
            try:
                next(steps)
            finally:
                used_s.append(thread_time() - began)

    with pytest.raises(BadReplay, match=f"entry {start + len(swaps) + 1} differs"):
        run()
    assert max(used_s) < sum(used_s) / 4
