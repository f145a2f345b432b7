"""How much CPU a node spends on a decision of each real game, and on putting an ended table away, without websockets.

As bench/inside.py: the connections are fakes, the store is real and does not count. Seeds and choices are fixed, so
that two builds play the same games. Under valgrind, with the instrumentation off at the start, the instructions of the
measured part are counted: `valgrind --tool=callgrind --instr-atstart=no python -m bench.inside_games --counted`.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import uvloop

from bench.inside import ANSWER_TIMEOUT_S, FakeConnection
from games import GAMES
from games.chance import Chance
from games.core import no_beat, no_limit
from games.offers import fill
from server.app import Node
from server.process.embedded_valkey import EmbeddedValkey
from server.requests import table_opener
from server.tables.room import Room

encode = msgspec.msgpack.Encoder().encode


class Meter:
    """Adds up the CPU time of the parts that are measured; `counted` is whether valgrind counts them."""

    def __init__(self, counted: bool) -> None:
        self._counted = counted
        self.seconds = 0.0

    @contextmanager
    def on(self) -> Iterator[None]:
        """Measure what is done in this context."""
        self._instrument("on")
        began = time.process_time()
        yield
        self.seconds += time.process_time() - began
        self._instrument("off")

    def _instrument(self, wanted: str) -> None:
        if self._counted:
            subprocess.run(["callgrind_control", "-i", wanted, str(os.getpid())], check=True, capture_output=True)


class Seats:
    """A running table with a connection for each seat, which all make random moves."""

    def __init__(self, table: str, lines: list[FakeConnection], number: int) -> None:
        self.table = table
        self._lines = lines
        self._luck = Chance(bytes([number]) * 32, 0)
        self.moves = 0

    def move(self, room: Room) -> bool:
        """Send a random move of one of the seats that are asked; False if the game is over."""
        assert room.table
        asks = room.table.asks
        if not asks:
            return False
        seat = self._luck.pick(tuple(asks))
        move: dict[str, Any] = fill(self._luck.pick(asks[seat].offers), self._luck)
        self.moves += 1
        key, ask = f"a-random-key-{self.moves}", asks[seat].n
        line = self._lines[seat]
        line.frames.clear()
        line.connection.receive(
            encode({"type": "move", "id": 1, "table": self.table, "ask": ask, "key": key, "move": move})
        )
        return True


async def seated(node: Node, game: str, number: int) -> Seats:
    """Start a table of this game with four seats, each with its feed open."""
    lines = [FakeConnection(node, f"u{game}{number}-{seat}", True) for seat in range(4)]
    table = (await lines[0].request(type="create", game=game, seats=4, public=False))["table"]
    for seat, line in enumerate(lines):
        if seat:
            await line.request(type="sit", table=table, seat=seat)
        await line.request(type="open", table=table)
    return Seats(table, lines, number)


async def step(node: Node, tables: list[Seats]) -> int:
    """Make one decision at each table that is not over; returns how many."""
    waiting = []
    for seats in tables:
        room = node.rooms.get(seats.table)
        if seats.move(room):
            waiting.append(room)
    async with asyncio.timeout(ANSWER_TIMEOUT_S):
        for room in waiting:
            while room.working:  # noqa: ASYNC110 a check of its log may go on when the answer is there
                await asyncio.sleep(0.0005)
    await asyncio.sleep(0)
    return len(waiting)


async def measure(node: Node, game: str, count: int, rounds: int, counted: bool, part: str) -> None:
    """Print the CPU of one game's decisions, or of putting its ended tables away."""
    tables = [await seated(node, game, number) for number in range(count)]
    meter = Meter(counted)
    done = 0
    if part == "moves":
        with meter.on():
            for _ in range(rounds):
                done += await step(node, tables)
    else:
        while await step(node, tables):
            pass
        ended = [node.rooms.get(seats.table).table for seats in tables]
        with meter.on():
            for table in ended:
                assert table is not None
                await node.archive.put_away(table)
                done += 1
    print(f"{game}: {meter.seconds / done * 1e6:.1f} us of CPU each, {done} {part}")


async def main(chosen: argparse.Namespace) -> None:
    """Measure the chosen games."""
    table_opener.__dict__["new_seed"] = lambda: bytes(32)
    names = chosen.games.split(",") if chosen.games else [name for name in GAMES if name != "pile"]
    for name in names:  # nobody waits for the pages to play something out
        GAMES[name] = replace(GAMES[name], beat=no_beat, limit=no_limit)
    with tempfile.TemporaryDirectory() as folder:
        store = EmbeddedValkey(Path(folder))
        store.start()
        node = Node(store.url, "bench")
        await node.start()
        node.due_tables.tasks.spawn = lambda what, work: work.close()  # type: ignore[method-assign]
        gc.collect()
        gc.disable()
        try:
            for name in names:
                await measure(node, name, chosen.tables, chosen.rounds, chosen.counted, chosen.part)
        finally:
            await node.stop()
            store.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", default="", help="names with commas; all if it is empty")
    parser.add_argument("--part", default="moves", choices=("moves", "archive"))
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--counted", action="store_true", help="valgrind counts the instructions of the measured part")
    uvloop.run(main(parser.parse_args()))
