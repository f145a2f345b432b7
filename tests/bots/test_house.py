"""House bots play whole games of every game at a live service, by the same protocol as everybody."""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import Iterator

import pytest

from bots.players import OWN_BOTS
from games import GAMES
from tests.client import WAIT_S, Client
from tests.service import Service
from tests.stores import free_ports

GAME_S = 120  # far more than any game takes
(METRICS_PORT,) = free_ports(1)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(tmp_path_factory.mktemp("house") / "data", NODES=1, METRICS_PORT=METRICS_PORT)
    yield running
    running.stop()


@pytest.mark.parametrize("level", ["rookie", "master"])
@pytest.mark.parametrize("game", GAMES)
async def test_house_bots_play_a_game_to_its_end(service: Service, game: str, level: str) -> None:
    host = await Client.join(service.url, "Hilda")
    seats = GAMES[game].seats[0]
    made = await host.request("create", game=game, seats=seats, seat=None, bots=level)
    await host.request("open", table=made["table"])
    ended = await host.until(lambda m: m["type"] == "table" and m["status"] == "ended", within_s=GAME_S)
    assert [seat["level"] for seat in ended["seats"]] == [level] * seats
    assert len(ended["result"]["places"]) == seats
    moves = [update for update in host.updates(made["table"]) if "seat" in update]
    assert moves
    assert {move.get("by", "seat") for move in moves} == {"seat"}  # none was made by the clock
    if level == "master" and game in OWN_BOTS:
        async with asyncio.timeout(WAIT_S):
            while not await asyncio.to_thread(counted, "cheeseboard_bot_searches_total{"):
                await asyncio.sleep(0.1)


async def test_the_metrics_say_how_long_people_wait_for_bots_beyond_their_pauses(service: Service) -> None:
    host = await Client.join(service.url, "Hilda")
    made = await host.request("create", game="cheesedog", seats=3, seat=None, bots="rookie")
    await host.request("open", table=made["table"])
    await host.until(lambda m: m["type"] == "table" and m["status"] == "ended", within_s=GAME_S)
    async with asyncio.timeout(WAIT_S):
        while not await asyncio.to_thread(counted, 'cheeseboard_bot_answer_seconds_count{level="rookie"'):
            await asyncio.sleep(0.1)


def counted(metric: str) -> float:
    """The sum of what the metrics count under names that begin like this."""
    with urllib.request.urlopen(f"http://127.0.0.1:{METRICS_PORT}/metrics", timeout=30) as answer:
        lines = answer.read().decode().splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith(metric))
