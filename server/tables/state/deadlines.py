"""When the time of a seat runs out, and when a table must be checked next."""

from __future__ import annotations

from typing import Final

from games.core import no_limit
from server.tables.state.table import Table

SPEED_MS: Final[dict[str, int | None]] = {"relaxed": 120_000, "normal": 45_000, "blitz": 10_000, "untimed": None}
BOT_MS: Final = 20_000  # the most time that a bot has, at any speed: it may have died
OPEN_CHECK_MS: Final = 60_000  # how often a table that waits for players is checked
IDLE_MS: Final = 24 * 3600 * 1000  # a running table without a move for so long is closed

SeatDeadlines = dict[int, int | None]  # for each seat that is asked, when its time runs out; None if never


def seat_deadlines(table: Table) -> SeatDeadlines:
    """When the time of each asked seat runs out. A move in the very millisecond of the deadline is in time."""
    rule = table.game.limit
    limit = rule(table.state) if table.asks and rule is not no_limit else None
    within = None if limit is None else limit.within_ms
    speed = SPEED_MS[table.opened.speed]
    deadlines: SeatDeadlines = {}
    for seat, ask in table.asks.items():
        time = within if within is not None else None if speed is None else speed + ask.beat_ms
        chair = table.chairs[seat]
        if within is None and (chair.bot or chair.stand_in):
            time = ask.beat_ms + (BOT_MS if speed is None else min(BOT_MS, speed))
        deadlines[seat] = None if time is None else ask.at + ask.credit_ms + time
    return deadlines


def next_deadline_ms(table: Table, deadlines: SeatDeadlines) -> int:
    """When a table with these deadlines must be checked, even if nobody acts before."""
    if table.status == "running":
        soonest = table.at + IDLE_MS
        for deadline in deadlines.values():
            if deadline is not None and deadline < soonest:
                soonest = deadline
        return soonest + 1
    return table.at + (OPEN_CHECK_MS if table.status == "open" else 0)
