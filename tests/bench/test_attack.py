"""A short version of `make attack`: no attack of strangers freezes a node, fills the store or takes what is not theirs.

The bounds are those of the protocol where they are numbers of things. Where they are times, they are generous, because
the machine may be busy: an unprotected service stands still for many seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import redis

from bench.attack import catalogue, report, store_growth
from bench.attack.run import AttackProcess, Outcome
from bench.attack.store_growth import (
    DAY_FILE,
    GameSize,
    Storing,
    bytes_of_keys,
    bytes_per_hour,
    everything_per_hour,
    first_hour,
)
from bench.attack.wire import Tally
from bench.attack.witnesses import MB, MemoryGauge, Waits, Witnesses
from server.tables.state.entries import Advised, Dismissed, Entry, Held, Renamed, Sat, encode_entry
from tests.service import Service

FLOODS = ("pings", "pongs", "fragments", "fragmented_messages", "requests", "chunks", "pipelined_http")
FLOOD_S = 1.5
MAX_WAIT_S = 0.75  # of nine in ten pings of a bystander while a node is flooded
MAX_GROWN_MB = 100  # of a node while it is flooded

QUOTAS = ("bots_of_one", "tables_of_one", "unseated_tables", "seats_of_one")
MISUSES = ("tokens", "takeover", "invitations", "played_games", "codes", "lobby_feeds", "host_changes")
FILLINGS = ("guests", "bots", "scopes", "tables")
AT = 1_800_000_000_000
MAX_STORED_MB = 3  # from one address, in a short time
HELD = ("silent", "dripped_headers", "dripped_body", "long_table", "late_hello")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with its default limits; what attacks it comes from other addresses than its own."""
    running = Service(tmp_path_factory.mktemp("attacked"), NODES=2, LIMIT_EXEMPT="")
    yield running
    running.stop()


@pytest.fixture(scope="module")
def held(service: Service) -> Iterator[AttackProcess]:
    """Connections that are kept without use while the other tests run."""
    process = AttackProcess(HELD, service, 10, catalogue.HOLD_S)
    yield process
    process.stop()


@pytest.mark.parametrize("name", QUOTAS)
def test_a_quota_is_exact_whatever_comes_at_once(service: Service, held: AttackProcess, name: str) -> None:
    tally = AttackProcess((name,), service, 60, 3).result()
    assert tally.figures
    assert not tally.broken


@pytest.mark.parametrize("name", MISUSES)
def test_an_attack_stays_within_its_bounds(service: Service, held: AttackProcess, name: str) -> None:
    tally = AttackProcess((name,), service, 20, 2).result()
    assert not tally.broken


async def test_strangers_cannot_fill_the_store(service: Service, held: AttackProcess) -> None:
    memory = MemoryGauge(service)
    before = await memory.store_now([])
    tally = await AttackProcess(FILLINGS, service, 10, 2).result_async()
    assert tally.answers.total() > 10
    assert (await memory.store_now([]) - before) / MB < MAX_STORED_MB
    memory.close()


def test_connections_without_a_request_are_closed(held: AttackProcess) -> None:
    tally = held.result()
    assert len(tally.figures) == len(HELD)
    assert not tally.broken


async def test_a_flood_does_not_freeze_a_node(service: Service) -> None:
    witnesses, memory = Witnesses(service), MemoryGauge(service)
    slow: dict[str, float] = {}
    try:
        await witnesses.join()
        before = memory.nodes_now_mb()
        memory.start()
        for name in FLOODS:
            witnesses.collect()
            tally = await AttackProcess((name,), service, 4, FLOOD_S).result_async()
            assert tally.bytes_sent > 0
            wait_s = (await witnesses.collect_late()).ping_ms(90) / 1000
            if wait_s > MAX_WAIT_S:
                slow[name] = wait_s
        assert not slow
        assert not witnesses.lost
        grown = max(high - low for high, low in zip(memory.highest_mb, before, strict=True))
        assert grown <= MAX_GROWN_MB
    finally:
        witnesses.close()
        memory.close()


def outcome(ping_ms: float, ack_ms: float, **figures: float | list[float]) -> Outcome:
    """What a run would have measured."""
    under = Waits([ping_ms / 1000], [ack_ms / 1000])
    attack = catalogue.find("pings")
    made = Outcome(attack, 1, 1.0, sent=Tally(), quiet=Waits([0.001], [0.001]), under=under)
    for name, value in figures.items():
        setattr(made, name, value)
    return made


def test_each_bound_is_reported_when_it_is_exceeded() -> None:
    assert report.broken_bounds(outcome(50, 99, node_grown_mb=49, node_kept_mb=20, store_mb_per_hour=19)) == []
    assert report.broken_bounds(outcome(52, 1)) == ["bystander"]
    assert report.broken_bounds(outcome(float("inf"), 1)) == ["bystander"]
    assert report.broken_bounds(outcome(1, 101)) == ["game"]
    assert report.broken_bounds(outcome(1, 1, node_grown_mb=51)) == ["node memory"]
    assert report.broken_bounds(outcome(1, 1, node_kept_mb=26)) == ["node memory kept"]
    assert report.broken_bounds(outcome(1, 1, store_mb_per_hour=21)) == ["store"]
    assert report.broken_bounds(outcome(1, 1, kept_again_mb=[4.0, -1.0])) == []
    assert report.broken_bounds(outcome(1, 1, kept_again_mb=[3.0, 3.0])) == ["node memory adds up"]
    lost = outcome(1, 1, players_lost=1)
    lost.sent.expect("guesses", 2, 1)
    assert report.broken_bounds(lost) == ["1 players lost", "guesses 2, bound 1"]


def test_the_growth_of_the_store_is_that_of_the_first_hour_under_the_limits() -> None:
    tables = Storing(("create",), ("address_tables_per_minute", "address_tables_per_hour"))
    assert first_hour("address_tables_per_minute", nodes=2) == 30 + 60 * 30
    assert first_hour("address_tables_per_hour", nodes=2) == 100 + 100
    assert first_hour("address_asides_per_minute", nodes=2) == 2 * (100 + 60 * 100)  # each node counts by itself
    game = GameSize(log=150_000, replay=20_000)
    assert bytes_per_hour(tables, grown=30_000, done=30, game=game, nodes=2) == 1_000 * 200
    assert bytes_per_hour(tables, grown=500, done=0, game=game, nodes=2) == 500
    games = replace(tables, whole_games=True)
    kept_logs = 2 * 300_000 + 20 * 150_000  # of ended games, and of all games that may be unfinished
    assert bytes_per_hour(games, grown=1, done=30, game=game, nodes=2) == 200 * (20_000 + DAY_FILE) + kept_logs
    few = Storing(("create",), ("address_bot_games_per_10_minutes",), whole_games=True)
    small = GameSize(log=15_000, replay=20_000)  # so small that all logs may stay
    assert bytes_per_hour(few, grown=1, done=5, game=small, nodes=2) == 35 * (35_000 + DAY_FILE)


async def test_the_bytes_of_the_store_are_those_of_its_keys_besides_some(service: Service) -> None:
    memory = MemoryGauge(service)
    with redis.Redis(unix_socket_path=str(service.data / "store.sock")) as store:
        before = bytes_of_keys(store, ("attack:test",))
        store.set("attack:test", b"x" * 200_000)
        grown = bytes_of_keys(store, ()) - before
        assert abs(bytes_of_keys(store, ("attack:test",)) - before) < 50_000
        store.delete("attack:test")
    assert 200_000 <= grown < 300_000
    assert 50_000 < (await memory.game_now()).log < 500_000
    memory.close()


def test_what_is_calculated_for_an_entry_is_no_less_than_the_largest_one(service: Service) -> None:
    name = "\U0001f9c0" * 24
    largest: dict[int, tuple[Entry, ...]] = {
        store_growth.HOST_CHANGE: (
            Dismissed(AT, "u0a1b2c3d4e5f", name),
            Sat(AT, 9, "b0a1b2c3d4e5", name, True, "rookie"),
        ),
        store_growth.RENAMED: (Renamed(AT, 9, name, 16 * "x"),),
        store_growth.INVITATION: (Held(AT, 9, "b0a1b2c3d4e5", name, True, name, name),),
        store_growth.ADVISED: (Advised(AT, 9),),
    }
    with redis.Redis(unix_socket_path=str(service.data / "store.sock")) as store:
        for size, entries in largest.items():
            for n in range(1, 101):
                for at, entry in enumerate(entries):
                    store.xadd("attack:test", {"e": encode_entry(entry)}, id=f"{2 * n + at}-{2**31}")
            stored: Any = store.memory_usage("attack:test", samples=0)
            store.delete("attack:test")
            assert size * 0.5 < stored / 100 <= size, entries


async def test_one_address_that_fills_the_store_in_all_ways_at_once_stays_within_the_bound(service: Service) -> None:
    memory = MemoryGauge(service)
    grown = everything_per_hour(await memory.game_now(), nodes=2)
    memory.close()
    assert 0.5 < grown / MB / report.MAX_STORE_MB_PER_HOUR <= 1


def test_an_attack_that_measured_nothing_is_not_a_success() -> None:
    empty = outcome(1, 1)
    empty.under = Waits()
    assert report.broken_bounds(empty) == ["bystander", "game"]


def test_every_attack_is_described_in_the_document() -> None:
    document = (Path(__file__).resolve().parents[2] / "docs" / "security.md").read_text(encoding="utf-8")
    missing = [attack.name for attack in catalogue.ATTACKS if f"`{attack.name}`" not in document]
    assert not missing
