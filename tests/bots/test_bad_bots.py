"""P6: a bot that hangs, crashes, sends garbage, floods or forks does not disturb other tables."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.bots.examples import ENVIRONMENT
from tests.client import Client, fill
from tests.service import ROOT, Service

MAX_MOVES = 2_000  # far more than a game has


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(tmp_path_factory.mktemp("bad") / "data", NODES=1)
    yield running
    running.stop()


async def others_game(service: Service) -> tuple[list[Client], str]:
    """A table with three people."""
    people = [await Client.join(service.url, f"Person {number}") for number in range(3)]
    table = (await people[0].request("create", game="do_my_bidding", seats=3))["table"]
    for person in people:
        await person.request("sit", table=table)
        await person.request("open", table=table)
    for person in people:
        await person.next("update", 0, table=table)
    return people, table


async def play_out(people: list[Client], table: str, chance: random.Random) -> list[dict[str, Any]]:
    """Play until the end; every entry as the first of them saw it."""
    for _ in range(MAX_MOVES):
        last = max(update["n"] for person in people for update in person.updates(table)[-1:])
        for person in people:
            await person.entry(table, last)
        if any(m["type"] == "table" and m["status"] == "ended" for m in people[0].received if m.get("table") == table):
            return people[0].updates(table)
        mover = next((person for person in people if "ask" in person.updates(table)[-1]), None)
        if mover is None:
            await people[0].until(lambda m: m["type"] == "table" and m["status"] == "ended")
            continue
        ask = mover.updates(table)[-1]["ask"]
        move = fill(chance.choice(ask["offers"]), chance)
        done = await mover.request("move", table=table, ask=ask["n"], key=str(ask["n"]), move=move)
        assert done["type"] == "ok", done
        for person in people:
            await person.entry(table, done["n"])
    raise AssertionError(f"the game is not over after {MAX_MOVES} moves")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["hung", "crashing", "garbage", "flooding", "forking"])
async def test_p6_a_bad_bot_leaves_every_other_table_undisturbed(service: Service, kind: str) -> None:
    host = await Client.join(service.url, "Hilda")
    token = (await host.request("token", name=kind.title()))["token"]
    made = await host.request("create", game="cheesedog", seats=3)
    await host.request("bot", table=made["table"], seat=1, level="random")
    people, table = await others_game(service)
    command = [sys.executable, "-m", "tests.bots.bad_bots", kind, service.url, token, made["code"]]
    bad = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, env=ENVIRONMENT, stdout=asyncio.subprocess.PIPE, start_new_session=True
    )
    try:
        assert bad.stdout
        async with asyncio.timeout(60):
            assert await bad.stdout.readline() == b"misbehaving\n"
        entries = await play_out(people, table, random.Random(1))
        assert bad.returncode is None
    finally:
        os.killpg(bad.pid, signal.SIGKILL)
        await bad.wait()
    moves = [entry for entry in entries if entry.get("seat") is not None]
    assert len(moves) > 20
    assert {entry.get("by", "seat") for entry in moves} == {"seat"}
    assert all(person.closed_with is None for person in people)
    assert not [message for person in people for message in person.received if message["type"] == "error"]
