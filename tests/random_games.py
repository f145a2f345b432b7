"""Whole games of random moves, without a store: as logs, and as replay files."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from random import Random
from typing import Any

import msgspec

from games import GAMES
from protocol.messages import Move
from server.tables.finished.replay import compact, lines, verify
from server.tables.state.deadlines import seat_deadlines
from server.tables.state.decisions import Decision, Sitter, decide, follow_up, move, sit
from server.tables.state.entries import Entry, Opened, Rematched
from server.tables.state.faults import NoFaults
from server.tables.state.table import Table, opened
from server.tables.state.time_decisions import overdue
from tests.client import fill

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
        log.commit(step(log.table, chance))
    return log


def step(table: Table, chance: Random) -> Decision:
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


def rows_of(game: str = "cheesedog") -> Rows:
    return [json.loads(line) for line in written(game)]


def with_digest(rows: Rows) -> Rows:
    """The rows with a digest that fits them, as a forger would write it."""
    if rows and "sha256" in rows[-1]:
        text = "".join(compact(row) + "\n" for row in rows[:-1])
        rows[-1]["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    return rows


def file_of_rows(rows: Rows) -> str:
    """The file of rows that were inserted or changed, with the numbers and the digest that belong to them."""
    rows = [{**row, "n": n} for n, row in enumerate(rows[:-1], 1)] + rows[-1:]
    return "".join(f"{compact(row)}\n" for row in with_digest(rows))


def check(rows: Rows) -> int:
    rows = with_digest(rows)
    return verify(compact(row) + "\n" for row in rows)
