"""The players of the benchmarks play real games at a real service."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from bench.load import MAX_SHARE_OF_TIME_LEFT, ThinkTime
from bench.players import Ask, Party, Player, Tally
from games import GAMES
from tests.playout import table_size
from tests.service import Service

GAME_S = 120  # far more than a game takes


async def play_one_table(party: Party, port: int, tally: Tally) -> None:
    """Play one table to its end and start the next."""
    await party.join("127.0.0.1", port)
    playing = asyncio.create_task(party.play_forever())
    async with asyncio.timeout(GAME_S):
        while tally.started < 2:
            if playing.done():
                playing.result()
            await asyncio.sleep(0.05)
    playing.cancel()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(tmp_path_factory.mktemp("players") / "data", NODES=1, BOTS=0)
    yield running
    running.stop()


@pytest.mark.parametrize("game", GAMES)
async def test_a_party_plays_a_game_to_its_end_and_starts_another(service: Service, game: str) -> None:
    chance = random.Random(1)
    port = urlsplit(service.http).port
    assert port
    tally = Tally()
    tally.ack_s = []
    party = Party(game, [Player(lambda ask: 0.0, tally, chance) for _ in range(table_size(GAMES[game], 4))], tally)
    await asyncio.wait_for(play_one_table(party, port, tally), 100)
    assert tally.ended >= 1  # a short second game may be over by now as well
    assert (tally.by_clock, tally.lost) == (0, 0)
    assert len(tally.ack_s) == tally.decisions > 2  # three rounds of Diced Cheese may be short
    party.close()


def test_think_times_have_the_human_median_and_leave_time_to_move() -> None:
    think_time = ThinkTime()
    ask = Ask(n=1, offers=[], left_ms=5000)
    seconds = [think_time.draw(ask) for _ in range(1000)]
    assert max(seconds) == pytest.approx(5 * MAX_SHARE_OF_TIME_LEFT)
    assert 2 < sorted(seconds)[500] < 3
    think_time.human = False
    assert think_time.draw(ask) == 0
