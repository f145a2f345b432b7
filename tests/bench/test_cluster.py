"""The whole service on a cluster: five games, lobby, chat, bots and replays, through a migration and a failover."""

from __future__ import annotations

import asyncio
import contextlib
import random
import urllib.request
from pathlib import Path

import pytest

from bench.faults.checker import check_table
from bench.faults.topologies import ClusterWorld, lose_primary, migrate_slots
from games import GAMES
from server.tables.finished.replay import verify
from tests.client import Client, eventually, fill
from tests.server.store.playing import insist
from tests.server.tables.test_tables import asked

SEED = "cluster"
RECOVERY_S = 60  # of all tables; it takes two seconds, and much longer on a busy machine


@pytest.mark.slow
@pytest.mark.timeout(400)
async def test_everything_goes_on_through_a_slot_migration_and_the_death_of_a_primary(tmp_path: Path) -> None:
    world, chance = ClusterWorld(tmp_path, SEED, BOTS=1, BOT_PAUSE_MS=0, DURABILITY="replica"), random.Random(SEED)
    try:
        await world.start()
        (service,) = world.services
        host, guest = await Client.join(service.url, "Hilda"), await Client.join(service.url, "Gustav")
        await insist(guest, "lobby", on=True)
        tables = [await table_with_bots(host, guest)]
        for fault in (migrate_slots, lose_primary):
            done = [len(party.done_at) for party in world.parties]
            await fault(world, chance)
            assert await world.until(lambda since=done: all_go_on(world, since), RECOVERY_S)  # type: ignore[misc]
            await talk(host, guest, tables[-1])
            tables.append(await table_with_bots(host, guest))
        for table in tables:
            await play_to_the_end(host, table, chance)
        await world.finish(RECOVERY_S)
        assert {history.game for history in world.histories()} == set(GAMES)
        assert [str(finding) for history in world.histories() for finding in check_table(history)] == []
        for table in tables:
            await check_replay(f"{service.http}/replays/{table}.jsonl")
    finally:
        await world.stop()


def all_go_on(world: ClusterWorld, since: list[int]) -> bool:
    """Whether every party has got an answer since then."""
    return all(len(party.done_at) > done for party, done in zip(world.parties, since, strict=True))


async def table_with_bots(host: Client, guest: Client) -> str:
    """A table of the host with house bots, which the guest sees in the lobby and opens."""
    heard = len(guest.received)
    made = await insist(host, "create", game="diced_cheese", seats=3, bots="rookie", speed="untimed")
    table = str(made["table"])
    await guest.until(lambda m: m["type"] == "tables" and table in str(m), heard, RECOVERY_S)
    for client in (host, guest):
        assert (await insist(client, "open", table=table))["type"] == "ok"
    await host.until(lambda m: m["type"] == "update" and m.get("table") == table and "ask" in m, 0, RECOVERY_S)
    return table


async def talk(host: Client, guest: Client, table: str) -> None:
    """Chat at a table."""
    heard = len(guest.received)
    async with asyncio.timeout(RECOVERY_S):
        while True:  # what is said while another node connects to its new primary does not reach that node
            said = await insist(host, "say", table=table, text="hello")
            assert said["type"] == "ok", said
            with contextlib.suppress(TimeoutError):
                await guest.until(lambda m: m["type"] == "chat" and m["table"] == table, heard, 5)
                return


async def play_to_the_end(host: Client, table: str, chance: random.Random) -> None:
    """Play with the bots until the game is over."""

    def over() -> bool:
        return any(m["type"] == "table" and m["table"] == table and m["status"] == "ended" for m in host.received)

    async with asyncio.timeout(RECOVERY_S):
        while True:
            await eventually(lambda: over() or asked(host, table))
            if over():
                return
            ask = host.updates(table)[-1]["ask"]
            move = fill(chance.choice(ask["offers"]), chance)
            done = await insist(host, "move", table=table, ask=ask["n"], key=f"{chance.random()}", move=move)
            if done["type"] == "ok":
                await host.entry(table, int(str(done["n"])))


async def check_replay(url: str) -> None:
    """The replay is there soon after the end, and plays again to the same result."""

    def read() -> str:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return str(answer.read().decode())

    async with asyncio.timeout(RECOVERY_S):
        while True:
            try:
                text = await asyncio.to_thread(read)
            except OSError:
                await asyncio.sleep(0.05)
            else:
                break
    verify([line for line in text.split("\n") if line])
