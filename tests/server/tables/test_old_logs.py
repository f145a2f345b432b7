"""Logs of running tables that were written before a rule changed still fold, and their games go on.

The files in old_logs/ were recorded with the earlier rules: one entry on each line, moves and events as in a replay
file. The folders in it have whole games of each release, as record_old_logs.py wrote them.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games import GAMES
from games.chance import Chance
from games.cheesonomics import imagine, play, view
from games.cheesonomics.moves import Take
from games.cheesonomics.phases import Exchanging
from games.core import fold
from games.offers import Choice
from server.tables.state.entries import Entry, Opened, decode_entry
from server.tables.state.table import Table, opened
from tests.server.tables.record_old_logs import result

LOGS = Path(__file__).parent / "old_logs"
RELEASED = sorted(LOGS.glob("*/*.log.z"))


def read_log(game: str) -> list[Entry]:
    """The entries of an old log."""
    lines = (LOGS / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()
    return [_entry(json.loads(line)) for line in lines]


def _entry(row: dict[str, Any]) -> Entry:
    """Return the entry of a line; moves and events are encoded as the log has them."""
    if "seed" in row:
        row["seed"] = bytes.fromhex(row["seed"])
    entry: Entry = decode_entry(msgspec.msgpack.encode(row))
    return entry


def folded(entries: list[Entry]) -> Table:
    first, *others = entries
    assert isinstance(first, Opened)
    table = opened("k7w2mzq4hd", first)
    for entry in others:
        table = table.after(entry)
    return table


def test_dmb_15_a_log_keeps_the_points_that_were_scored_by_the_earlier_rule() -> None:
    table = folded(read_log("do_my_bidding"))
    sale = table.state.lots[0].sale
    assert (sale.values, sale.matches) == (5, 2)  # O'Keeffe's blue matched both new paintings
    assert table.state.scores == (0, 7, 0)
    assert table.state.envelopes == (0, 0, 7)
    assert list(table.asks) == [0], "the next lot is for sale"


def test_eco_25_a_swap_that_named_a_gift_is_completed_by_taking() -> None:
    *entries, last = read_log("cheesonomics")
    table = folded(entries)
    assert table.state.phase == Exchanging(0)
    assert table.state.offered == "green+/blue"
    (offer,) = table.asks[1].offers
    theirs = ("orange+/blue", "orange/green+", "red/orange", "yellow/blue+", "yellow/green")
    assert (offer.move, offer.fill) == ("take", {"wedge": Choice(theirs)})
    swapped = fold(GAMES["cheesonomics"], play(table.state, 1, Take("orange+/blue"), Chance(b"", 0)), table.state)
    assert swapped == table.after(last).state
    assert swapped.supplies == (
        ("green+/blue", "orange/green+", "red/orange", "yellow/blue+", "yellow/green"),
        ("orange+/blue", "orange/yellow", "orange/yellow", "red+/orange", "red/blue"),
    )


def test_eco_25_a_bot_imagines_the_gift_of_such_a_swap() -> None:
    *entries, _ = read_log("cheesonomics")
    state = folded(entries).state
    for seat in (0, 1):
        imagined = imagine(view(state, seat), seat, Chance(b"imagine", 0))
        assert imagined.offered is not None
        assert view(imagined, seat) == view(state, seat)


@pytest.mark.parametrize("path", RELEASED, ids=lambda path: f"{path.parent.name}-{path.name.partition('.')[0]}")
def test_a_log_of_a_release_folds_to_the_same_table(path: Path) -> None:
    *lines, last = zlib.decompress(path.read_bytes()).decode().splitlines()
    table = folded([decode_entry(b64decode(line)) for line in lines])
    assert result(table) == json.loads(last)


def test_there_are_logs_of_all_games() -> None:
    assert {path.name.partition("-")[0] for path in RELEASED} == set(GAMES)


def test_a_log_without_a_version_of_its_rules_has_version_1() -> None:
    first = read_log("do_my_bidding")[0]
    assert isinstance(first, Opened)
    assert first.rules == 1 < GAMES["do_my_bidding"].version
