"""Games that play on from a finished one: every kind of game, as it was and with the rest dealt anew."""

from __future__ import annotations

import json
from random import Random

import msgspec
import pytest

from games import GAMES
from server.tables.finished.playback import play_back
from server.tables.finished.replay import BadReplay, check_source, compact, fold_until, lines, read_entries, verify
from server.tables.state.decisions import Sitter, sit
from server.tables.state.entries import Opened, Source
from server.tables.state.table import Table, folded, opened
from tests.random_games import BEGAN, MOST_ENTRIES, Log, play, step


def branch(source: Log, n: int, seat: int | None, seed: bytes = b"another seed") -> Log:
    """A game that plays on from entry n, played to its end at random; with `seat`, the rest is dealt anew."""
    text = list(lines(source.table.id, source.entries))
    *_, before = fold_until(source.table.id, text, n)
    game, options = before.opened.game, before.opened.options
    position = Source(source.table.id, n, msgspec.Raw(msgspec.msgpack.encode(before.state)), seat)
    log = Log(game, seed, before.opened.seats, options)
    first = msgspec.structs.replace(log.entries[0][1], source=position)
    log.table, log.entries = opened("p4x8n2vt6c", first), [(1, first)]
    for number in range(before.opened.seats):
        log.commit(sit(log.table, Sitter(f"u{number}", f"Zo\u00eb {number}", salt="ab" * 8), number, BEGAN))
    chance = Random(n)
    while log.table.status == "running":
        assert log.table.n < MOST_ENTRIES
        log.commit(step(log.table, chance))
    return log


def moment(source: Log) -> Table:
    """The table in the middle of a game."""
    started = next(n for n, entry in source.entries if type(entry).__name__ == "Started")
    return folded(source.table.id, source.entries[: (started + source.table.n) // 2])


@pytest.mark.parametrize("game", GAMES)
def test_a_game_plays_on_from_the_middle_and_its_file_verifies(game: str) -> None:
    source = play(game)
    middle = moment(source)
    text = list(lines(source.table.id, source.entries))
    for seat in (None, 1):
        log = branch(source, middle.n, seat)
        start = folded(log.table.id, log.entries[: middle.opened.seats + 2])
        assert start.game.view(start.state, 1) == middle.game.view(middle.state, 1)
        assert (start.state == middle.state) or seat is not None
        written = list(lines(log.table.id, log.entries))
        assert verify(written) == log.table.n
        check_source(written, text)
        assert [entry.n for entry in play_back(log.table.id, read_entries(written), [None, 0])] == list(
            range(1, log.table.n + 1)
        )
        assert folded(log.table.id, read_entries(written)).state == log.table.state


def test_what_the_seat_did_not_know_is_dealt_anew_from_the_seed_of_the_new_table() -> None:
    source = play("cheesedog")
    middle = moment(source)
    seats = middle.opened.seats
    starts = [
        folded("p4x8n2vt6c", branch(source, middle.n, 1, seed).entries[: seats + 2]).state
        for seed in (b"a", b"b", b"b")
    ]
    assert starts[0] != middle.state
    assert starts[0] != starts[1] == starts[2]


def test_another_position_or_another_source_is_found() -> None:
    source = play("cheesedog")
    middle = moment(source)
    text = list(lines(source.table.id, source.entries))
    written = list(lines("p4x8n2vt6c", branch(source, middle.n, 1).entries))
    head = json.loads(written[0])
    head["source"]["n"] -= 1
    with pytest.raises(BadReplay, match="not that after entry"):
        check_source([json.dumps(head), *written[1:]], text)
    with pytest.raises(BadReplay, match="table"):
        check_source(written, list(lines("another1", play("diced_cheese").entries)))
    head = json.loads(written[0])
    head["source"]["seat"] = 2
    with pytest.raises(BadReplay, match="position does not follow"):
        verify([compact(head), *written[1:]])
    started = next(at for at, line in enumerate(written) if json.loads(line)["type"] == "started")
    row = json.loads(written[started])
    row["position"] = head["source"]["position"]
    with pytest.raises(BadReplay, match="position does not follow"):
        verify([*written[:started], compact(row), *written[started + 1 :]])


def test_logs_without_a_source_are_written_as_before() -> None:
    entry = play("diced_cheese").entries[0][1]
    assert isinstance(entry, Opened)
    assert b"source" not in msgspec.msgpack.encode(entry)
