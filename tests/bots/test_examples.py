"""Each example of docs/bots.md plays a whole game of every game at a live service."""

from __future__ import annotations

import asyncio
import contextlib
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from games import GAMES
from tests.bots.examples import ENVIRONMENT, FILES, example, write
from tests.client import Client
from tests.playout import table_size
from tests.service import Service

MAX_GAMES = 20
GAME_S = 120  # far more than any game takes


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(tmp_path_factory.mktemp("examples") / "data", NODES=1)
    yield running
    running.stop()


@pytest.mark.parametrize(("name", "most"), [("sdk", 14), ("raw", 29), ("javascript", 29)])
def test_the_examples_are_short(name: str, most: int) -> None:
    lines = [line for line in example(name).splitlines() if line.strip()]
    assert len(lines) <= most
    assert max(map(len, lines)) <= 120


@contextlib.asynccontextmanager
async def joined(
    service: Service, command: list[str], game: str, **options: Any
) -> AsyncIterator[tuple[Client, str, Process]]:
    """A table of this game with the program on seat 0; the host watches it."""
    host = await Client.join(service.url, "Hilda")
    token = (await host.request("token", name="Example"))["token"]
    seats = table_size(GAMES[game])
    made = await host.request("create", game=game, seats=seats, seat=None, speed="relaxed", options=options)
    await host.request("open", table=made["table"])
    for seat in range(1, seats):
        await host.request("bot", table=made["table"], seat=seat, level="random")
    program = await asyncio.create_subprocess_exec(*command, service.url, token, made["code"], env=ENVIRONMENT)
    try:
        yield host, made["table"], program
    finally:
        if program.returncode is None:
            program.kill()
            await program.wait()


def own_moves(host: Client, table: str) -> list[dict[str, Any]]:
    """The moves of seat 0."""
    return [update for update in host.updates(table) if update.get("seat") == 0]


@pytest.mark.slow
@pytest.mark.parametrize("game", list(GAMES))
@pytest.mark.parametrize("name", list(FILES))
async def test_every_example_plays_a_whole_game_of_every_game(
    service: Service, tmp_path: Path, name: str, game: str
) -> None:
    for _ in range(MAX_GAMES):  # some games of Diced Cheese are won before it is seat 0's turn
        async with joined(service, write(name, tmp_path), game) as (host, table, program), asyncio.timeout(GAME_S):
            assert await program.wait() == 0
        ended = await host.until(lambda m: m["type"] == "table" and m["table"] == table and m["status"] == "ended")
        assert ended["seats"][0]["owner"] == "Hilda"
        assert ended["result"]["places"]
        moves = own_moves(host, table)
        if moves:
            break
    assert {move.get("by", "seat") for move in moves} == {"seat"}


@pytest.mark.slow
@pytest.mark.parametrize("name", list(FILES))
async def test_every_example_pauses_after_too_soon_in_the_speed_variant(
    service: Service, tmp_path: Path, name: str
) -> None:
    async with joined(service, write(name, tmp_path), "diced_cheese", variant="speed") as (host, table, program):
        since = 0
        async with asyncio.timeout(60):
            while len(own_moves(host, table)) < 5:
                await host.next("update", since, table=table)
                since = len(host.received)
        assert program.returncode is None
