"""All attacks, by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bench.attack import filling, flooding, holding, misusing, reading
from bench.attack.store_growth import (
    ASIDES,
    CHAT,
    EVERYTHING,
    GAMES_OF_BOTS,
    GUESTS,
    NAMES,
    PLAYED_ON,
    SEAT_CHANGES,
    SHOWS,
    TABLES,
    TOKENS,
    Storing,
)
from bench.attack.wire import Target
from tests.service import Service


def _nothing(service: Service) -> None:
    pass


@dataclass(frozen=True)
class Attack:
    """An attack: its function, over how many connections it is tried, and how long."""

    run: Callable[[Target], Awaitable[None]]
    connections: tuple[int, ...] = (200,)
    seconds: float = 3.0
    storing: Storing = GUESTS
    prepare: Callable[[Service], None] = _nothing  # changes the running service before the attack
    times: int = 1  # on one service: memory that an attack leaves must not add up

    @property
    def name(self) -> str:
        """The name of the attack."""
        return self.run.__name__

    @property
    def source(self) -> str:
        """The address of the attacker: nobody else has it, and no other attack."""
        return f"127.{100 + ATTACKS.index(self)}.0.1"

    @property
    def what(self) -> str:
        """What the attack does."""
        return (self.run.__doc__ or "").strip()


ONE_AND_MANY = (1, 200)  # one connection is not slowed down by the limits of its address
HOLD_S = holding.GRACE_S + 0.5
STORE_S = 6.0  # of an attack that fills the store: long enough for a rate

ATTACKS = (
    Attack(flooding.pings, ONE_AND_MANY),
    Attack(flooding.pongs),
    Attack(flooding.fragments, ONE_AND_MANY),
    Attack(flooding.fragmented_messages),
    Attack(flooding.requests, ONE_AND_MANY, times=3),
    Attack(flooding.unreadable),
    Attack(flooding.large_frames, ONE_AND_MANY),
    Attack(flooding.single_bytes),
    Attack(flooding.chunks, ONE_AND_MANY),
    Attack(flooding.pipelined_http),
    Attack(flooding.http_pages, prepare=reading.add_long_replays),
    Attack(flooding.handshakes),
    Attack(flooding.deaf, seconds=8),
    Attack(holding.silent, seconds=HOLD_S),
    Attack(holding.dripped_headers, seconds=HOLD_S),
    Attack(holding.dripped_body, seconds=HOLD_S),
    Attack(holding.long_table, seconds=HOLD_S),
    Attack(holding.late_hello, seconds=HOLD_S),
    Attack(holding.file_limit, (2400,), seconds=5, prepare=holding.limit_files),
    Attack(filling.guests, seconds=STORE_S),
    Attack(filling.bots, seconds=STORE_S, storing=TOKENS),
    Attack(filling.scopes, seconds=STORE_S, storing=TOKENS),
    Attack(filling.bots_of_one, storing=TOKENS),
    Attack(filling.tokens, storing=TOKENS),
    Attack(filling.tables, seconds=STORE_S, storing=TABLES),
    Attack(filling.tables_of_one, storing=TABLES),
    Attack(filling.unseated_tables, storing=TABLES),
    Attack(filling.masters, seconds=STORE_S, storing=GAMES_OF_BOTS),
    Attack(filling.shows, seconds=STORE_S, storing=SHOWS),
    Attack(filling.seats_of_one, storing=TABLES),
    Attack(filling.seats_by_bots, (21,), seconds=25, storing=TABLES),
    Attack(filling.asides, seconds=STORE_S, storing=ASIDES),
    Attack(filling.leave_and_back, seconds=STORE_S, storing=SEAT_CHANGES),
    Attack(filling.sit_and_leave, seconds=STORE_S, storing=SEAT_CHANGES),
    Attack(filling.resumes, storing=SEAT_CHANGES),
    Attack(filling.unknown_tables),
    Attack(filling.renames, storing=NAMES),
    Attack(misusing.everything, seconds=STORE_S, storing=EVERYTHING),
    Attack(misusing.codes, seconds=STORE_S),
    Attack(misusing.takeover, seconds=6, storing=TABLES),
    Attack(misusing.lobby_feeds, storing=TABLES),
    Attack(misusing.chat, seconds=6, storing=CHAT),
    Attack(misusing.chat_of_many, storing=CHAT),
    Attack(misusing.invitations, storing=TABLES),
    Attack(misusing.played_games, (1,), storing=TOKENS),
    Attack(misusing.advice, seconds=12, storing=GAMES_OF_BOTS),
    Attack(reading.replays, seconds=STORE_S, prepare=reading.add_long_replays),
    Attack(reading.play_on, seconds=STORE_S, storing=PLAYED_ON, prepare=reading.add_long_replays),
    Attack(reading.files, seconds=10),
    Attack(reading.analyses, seconds=STORE_S, prepare=reading.add_long_replays),
    Attack(reading.previews, storing=TABLES),
    Attack(reading.unread_pages, (1200,), seconds=6),
    Attack(reading.histories, seconds=8, storing=SHOWS),
    Attack(reading.bot_lists, seconds=STORE_S, storing=TOKENS),
    Attack(reading.host_changes, storing=TABLES),
)


def find(name: str) -> Attack:
    """The attack with this name."""
    return next(attack for attack in ATTACKS if attack.name == name)
