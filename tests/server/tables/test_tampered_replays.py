"""Replay files in which anything was changed are refused, and the place is named."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import re
from collections.abc import Callable
from random import Random
from tempfile import NamedTemporaryFile
from typing import Any

import msgspec
import pytest

from games import GAMES
from server.process.replays import read
from server.tables.finished.replay import BadReplay, compact, lines, verify
from server.tables.state.entries import Moved
from tests.playout import cases
from tests.random_games import Rows, check, play, rows_of


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
