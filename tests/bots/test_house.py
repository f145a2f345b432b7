"""House bots play whole games of every game at a live service, by the same protocol as everybody."""

from __future__ import annotations

import asyncio
import time
import urllib.request
from collections.abc import Iterator

import pytest

from bots.house_metrics import HouseMetrics
from bots.players import OWN_BOTS
from bots.seats import Decision, Seat
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


async def test_the_answers_of_house_bots_are_timed(service: Service) -> None:
    host = await Client.join(service.url, "Hilda")
    made = await host.request("create", game="cheesedog", seats=3, seat=None, bots="rookie")
    await host.request("open", table=made["table"])
    await host.until(lambda m: m["type"] == "table" and m["status"] == "ended", within_s=GAME_S)
    async with asyncio.timeout(WAIT_S):
        while not await asyncio.to_thread(counted, 'cheeseboard_bot_answer_seconds_count{level="rookie"'):
            await asyncio.sleep(0.1)
    assert await asyncio.to_thread(counted, 'cheeseboard_bot_answer_seconds_sum{level="rookie"') > 0


def test_the_pause_of_a_bot_does_not_count_as_waiting() -> None:
    metrics, seat = HouseMetrics(), Seat("k7w2mzq4hd")
    seat.info = {"you": 0, "seats": [{"level": "master"}]}
    decision = Decision({"n": 2, "offers": []}, {}, at=round(time.time() * 1000) - 60_000)
    for pause_s in (0.0, 50.0, 90.0):  # 60 s, 10 s and nothing
        decision.pause_s = pause_s
        metrics.answered(seat, decision)
    found = metrics.registry.get_sample_value("cheeseboard_bot_answer_seconds_sum", {"level": "master"})
    assert found == pytest.approx(70, abs=5)
    assert metrics.registry.get_sample_value("cheeseboard_bot_answer_seconds_count", {"level": "master"}) == 3


def counted(metric: str) -> float:
    """The sum of what the metrics count under names that begin like this."""
    with urllib.request.urlopen(f"http://127.0.0.1:{METRICS_PORT}/metrics", timeout=30) as answer:
        lines = answer.read().decode().splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith(metric))
