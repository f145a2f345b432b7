"""Replay files: written from whole games of every kind, verified, and refused when anything in them was changed."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import re
import struct
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from tempfile import NamedTemporaryFile
from typing import Any

import msgspec
import pytest

from games import GAMES
from games.chance import Chance, salted_seed
from protocol.messages import Move
from server.process.replays import read
from server.tables.deadlines import seat_deadlines
from server.tables.decisions import Decision, Sitter, decide, follow_up, move, sit
from server.tables.entries import Changed, Entry, Moved, Opened, Rematched, Renamed, encode_entry
from server.tables.faults import NoFaults
from server.tables.replay import BadReplay, compact, lines, lines_of, plain, read_entries, verify
from server.tables.table import Table, folded, opened
from server.tables.time_decisions import overdue
from tests.client import fill
from tests.playout import cases

ROOT = Path(__file__).resolve().parents[3]
DOCUMENT = (ROOT / "docs" / "replay.md").read_text(encoding="utf-8")
SEED = bytes(range(32))
MOST_ENTRIES = 20_000
BEGAN = 1_767_225_600_000
Rows = list[dict[str, Any]]
Options = dict[str, Any]


class Log:
    """A table and its log, without a store."""

    def __init__(self, game: str, seed: bytes, seats: int | None = None, options: Options | None = None) -> None:
        seats = seats or GAMES[game].seats.start
        options = options or msgspec.to_builtins(GAMES[game].options())
        rules = GAMES[game].version
        first = Opened(BEGAN, game, options, seats, "normal", True, "u0", "m3k9pw", seed, rules=rules)
        self.table = opened("k7w2mzq4hd", first)
        self.entries: list[tuple[int, Entry]] = [(1, first)]

    def commit(self, decision: Decision) -> None:
        """Append the entries and what follows from them."""
        for step in decision:
            self.table = self.table.after(step.entry, step.events)
            self.entries.append((self.table.n, step.entry))
        then = follow_up(self.table, self.table.at)
        if then:
            self.commit(then)


def play(game: str, seed: bytes = SEED, seats: int | None = None, options: Options | None = None) -> Log:
    """A whole game of random moves: some by the clock, some by stand-ins, some asides."""
    log, chance = Log(game, seed, seats, options), Random(seed)
    for seat in range(len(log.table.chairs)):
        salt = None if seat % 2 else f"{seat:032x}"
        log.commit(sit(log.table, Sitter(f"u{seat}", f"Zoë {seat}", salt=salt), seat, BEGAN))
    log.commit(_clocks_move(log.table))  # the first move, so that the shortest game has one
    while log.table.status == "running":
        assert log.table.n < MOST_ENTRIES
        log.commit(_step(log.table, chance))
    return log


def _step(table: Table, chance: Random) -> Decision:
    now = table.at + 6_000
    if chance.random() < 0.05:
        return _clocks_move(table)
    seat = chance.choice(list(table.asks))
    ask = table.asks[seat]
    if seat in table.asides and chance.random() < 0.1:
        ask = table.asides[seat]
    offer: dict[str, Any] = msgspec.to_builtins(chance.choice(ask.offers))
    raw = msgspec.Raw(msgspec.msgpack.encode(fill(offer, chance)))
    chair = table.chairs[seat]
    user = chair.stand_in if chair.stand_in and chance.random() < 0.8 else chair.user
    assert user
    asked = Move(id=1, table=table.id, ask=ask.n, key=f"k{table.n}", move=raw, note="by chance")
    return move(table, user, asked, now)


def _clocks_move(table: Table) -> Decision:
    late = overdue(table, max(due or 0 for due in seat_deadlines(table).values()) + 1, NoFaults())
    assert late
    return late


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
    log.commit(decide(log.table, Rematched(log.table.at + 1, "")))
    return tuple(lines(log.table.id, log.entries))


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


def rows_of(game: str = "cheesedog") -> Rows:
    return [json.loads(line) for line in written(game)]


def with_digest(rows: Rows) -> Rows:
    """The rows with a digest that fits them, as a forger would write it."""
    if rows and "sha256" in rows[-1]:
        text = "".join(compact(row) + "\n" for row in rows[:-1])
        rows[-1]["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    return rows


def check(rows: Rows) -> int:
    rows = with_digest(rows)
    return verify(compact(row) + "\n" for row in rows)


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
        log.commit(_step(log.table, chance))
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


def change_salt(rows: Rows) -> str:
    """A salt that was chosen later, for a better deal."""
    rows[1]["salt"] = "11" * 16
    return f"entry {next(row['n'] for row in rows if row['type'] == 'started')} differs: its salts"


def change_salts(rows: Rows) -> str:
    """The same, where it is used as well."""
    change_salt(rows)
    started = next(row for row in rows if row["type"] == "started")
    started["salts"][0] = rows[1]["salt"]
    return f"entry {started['n']} differs: its events"


def drop_salts(rows: Rows) -> str:
    started = next(row for row in rows if row["type"] == "started")
    del started["salts"]
    return f"entry {started['n']} differs: its salts"


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
    change_salt,
    change_salts,
    drop_salts,
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
    for at in Random(game).sample(moves, min(10, len(moves))):
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


def changed_byte(text: bytes, chance: Random) -> bytes:
    """The file with one byte changed."""
    at = chance.randrange(len(text))
    return text[:at] + bytes([(text[at] + chance.randrange(1, 256)) % 256]) + text[at + 1 :]


def changed_field(text: bytes, chance: Random) -> bytes:
    """The file with another value in one field of one line, or without the field."""
    rows = [json.loads(line) for line in text.splitlines()]
    row = chance.choice(rows)
    name = chance.choice(list(row))
    if chance.random() < 0.3:
        del row[name]
    else:
        row[name] = {"x": 1} if row[name] == 7 else 7
    return "".join(compact(row) + "\n" for row in rows).encode()


def checked(count: int, game: str) -> int:
    """Verify so many random games, each as it is and with one byte and one field changed. Returns the entries."""
    entries = 0
    for number in range(count):
        chance = Random(f"{game} {number}")
        case = chance.choice(cases(GAMES[game]))
        log = play(game, f"{game} {number}".encode(), case.seats, msgspec.to_builtins(case.options))
        text = "".join(line + "\n" for line in lines(log.table.id, log.entries)).encode()
        entries += verify(split(text))
        for change in (changed_byte, changed_field):
            with pytest.raises(BadReplay):
                verify(split(change(text, chance)))
    return entries


def split(text: bytes) -> list[str]:
    """The lines of a file, as the command reads them."""
    with NamedTemporaryFile() as file:
        file.write(text)
        file.flush()
        return read(file.name)


@pytest.mark.parametrize("game", GAMES)
def test_a_changed_byte_and_a_changed_field_are_found_in_every_game(game: str) -> None:
    assert checked(int(os.environ.get("REPLAYS_CHECKED", "6")), game) > 0


ESCAPES = [
    ("\\u000b", "\\u000B"),
    ("Zo\u00eb 0", "Zo\\u00eb 0"),
    ('"n":2,', '"n": 2,'),
    ('"n":2,', '"n":3,"n":2,'),
    ('"outcome":{', '"outcome": {'),
]


@pytest.mark.parametrize(("before", "after"), ESCAPES)
def test_a_file_that_says_the_same_in_other_bytes_is_refused(before: str, after: str) -> None:
    log = play("do_my_bidding")
    log.entries = [
        (n, msgspec.structs.replace(entry, note="a\u000bb\u2028c\u0085\x1c") if isinstance(entry, Moved) else entry)
        for n, entry in log.entries
    ]
    text = "".join(line + "\n" for line in lines(log.table.id, log.entries))
    assert verify(split(text.encode())) == log.table.n
    assert before in text
    with pytest.raises(BadReplay, match="is not written as a file with a digest has it"):
        verify(split(text.replace(before, after, 1).encode()))


PROVEN = ("move", "events", "seat", "salts", "state", "outcome", "seed")  # what follows from seed, salts and moves


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to all values inside this one that contain no others."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    return [path] if inside is None else [found for key, one in inside for found in leaves(one, (*path, key))]


def change_leaf(rows: Rows, path: tuple[Any, ...]) -> None:
    """Change one value deep inside the rows to another one of its type."""
    *way, last = path
    inside: Any = rows
    for key in way:
        inside = inside[key]
    match inside[last]:
        case bool() as before:
            inside[last] = not before
        case int() as before:
            inside[last] = before + 1
        case str() as before:
            inside[last] = before[:-1] + ("0" if before[-1:] != "0" else "1")
        case _:
            inside[last] = 1


@pytest.mark.parametrize("game", GAMES)
def test_a_changed_value_deep_inside_is_found_though_the_digest_fits(game: str) -> None:
    original, chance = rows_of(game), Random(game)
    fields: dict[str, list[tuple[Any, ...]]] = {}
    for number, row in enumerate(original):
        for name in PROVEN:
            if name in row and row["type"] in ("table", "started", "moved", "result"):
                found = leaves(row[name], (number, name))
                fields.setdefault(name, []).extend(path for path in found if path[-1] != "type")
    assert set(fields) == set(PROVEN)
    for paths in fields.values():
        for path in chance.sample(paths, min(4, len(paths))):
            rows = copy.deepcopy(original)
            change_leaf(rows, path)
            with pytest.raises(BadReplay):
                check(rows)


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
