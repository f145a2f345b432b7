"""The cheap players of the benchmarks play real games at a real service."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from bench.crowd import Ask, Party, Player, Tally
from bench.load import HURRY, Mind
from games import GAMES
from tests.service import Service


async def until_over(party: Party, port: int, tally: Tally) -> None:
    """Play one table to its end and begin the next."""
    await party.join("127.0.0.1", port)
    playing = asyncio.create_task(party.play_on())
    while tally.begun < 2:
        if playing.done():
            playing.result()
        await asyncio.sleep(0.05)
    playing.cancel()


async def test_a_party_plays_every_game_to_its_end_and_begins_anew(tmp_path: Path) -> None:
    service = Service(tmp_path, NODES=1, BOTS=0)
    chance = random.Random(1)
    try:
        port = urlsplit(service.http).port
        assert port
        for game in GAMES:
            tally = Tally()
            tally.took_s = []
            party = Party(game, [Player(lambda ask: 0.0, tally, chance) for _ in range(4)], tally)
            await asyncio.wait_for(until_over(party, port, tally), 120)
            assert tally.ended >= 1  # a short second game may be over too by now
            assert (tally.by_clock, tally.lost) == (0, 0)
            assert len(tally.took_s) == tally.decisions > 2  # three rounds of Diced Cheese may be short
            party.close()
    finally:
        service.stop()


def test_people_think_longer_than_bots_but_never_until_their_time_is_over() -> None:
    mind = Mind()
    ask = Ask(n=1, offers=[], left_ms=5000)
    thought = [mind.think(ask) for _ in range(1000)]
    assert max(thought) == pytest.approx(5 * HURRY)
    assert 2 < sorted(thought)[500] < 3
    mind.slow = False
    assert mind.think(ask) == 0
