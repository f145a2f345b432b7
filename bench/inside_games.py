"""What a node spends on a decision of each real game, and on opening and ending a table, without websockets.

As bench/inside.py: the connections are fakes, the store is real and does not count. Seeds and choices are fixed, so
that two builds play the same games. Under valgrind, with the instrumentation off at the start, the instructions of the
measured part are counted: `valgrind --tool=callgrind --instr-atstart=no python -m bench.inside_games --counted`.

`moves` also prints the bytes of the updates, `open` and `archive` the commands that the store executes.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import redis
import uvloop

from bench.inside import ANSWER_TIMEOUT_S, FakeConnection, messages
from games import GAMES
from games.chance import Chance
from games.core import no_beat, no_limit
from games.offers import fill
from server.app import Node
from server.process.embedded_valkey import EmbeddedValkey
from server.requests import table_opener
from server.tables.rooms.room import Room

REPORTED_S = 1.0  # after which the node has reported who is at a new table
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
        line.connection.receive(
            encode({"type": "move", "id": 1, "table": self.table, "ask": ask, "key": key, "move": move})
        )
        return True

    def take_frames(self) -> bytes:
        """Return what all seats have received since the last call."""
        received = b"".join(frame for line in self._lines for frame in line.frames)
        for line in self._lines:
            line.frames.clear()
        return received


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


def executed(store: EmbeddedValkey) -> Counter[str]:
    """Return how often the store has executed each command."""
    with redis.Redis.from_url(store.url) as client:
        stats = client.info("commandstats")
    return Counter({name.removeprefix("cmdstat_"): found["calls"] for name, found in stats.items()})


def sizes(tables: list[Seats]) -> str:
    """Describe the updates that the seats have received: how many there were, and their bytes on average."""
    kinds: dict[str, list[int]] = {"patches": [], "whole views": []}
    for message, size in messages(b"".join(seats.take_frames() for seats in tables)):
        if message["type"] == "update":
            kinds["patches" if "patch" in message else "whole views"].append(size)
    return "; ".join(f"{len(of)} {name} of {sum(of) / len(of):.0f} bytes" for name, of in kinds.items() if of)


async def measure(node: Node, store: EmbeddedValkey, game: str, chosen: argparse.Namespace) -> None:
    """Print what one game's decisions cost, or opening or putting away its tables."""
    meter = Meter(chosen.counted)
    before = executed(store)
    if chosen.part == "open":
        with meter.on():
            tables = [await seated(node, game, number) for number in range(chosen.tables)]
            await asyncio.sleep(REPORTED_S)
        more = commands(executed(store) - before, chosen.tables)
        done = chosen.tables
    else:
        tables = [await seated(node, game, number) for number in range(chosen.tables)]
    if chosen.part == "moves":
        print(f"{game}, after the start: {sizes(tables)}")
        done = 0
        with meter.on():
            for _ in range(chosen.rounds):
                done += await step(node, tables)
        more = sizes(tables)
    if chosen.part == "archive":
        while await step(node, tables):
            pass
        ended = [node.rooms.get(seats.table).table for seats in tables]
        await asyncio.sleep(REPORTED_S)
        before = executed(store)
        with meter.on():
            for table in ended:
                assert table is not None
                await node.archive.put_away(table)
        more = commands(executed(store) - before, chosen.tables)
        done = len(ended)
    print(f"{game}: {meter.seconds / done * 1e6:.1f} us of CPU each, {done} {chosen.part}; {more}", flush=True)


def commands(calls: Counter[str], tables: int) -> str:
    """Describe the commands of the store for a table."""
    calls["info"] = 0
    listed = ", ".join(f"{name} {count / tables:.1f}" for name, count in calls.most_common() if count)
    return f"{sum(calls.values()) / tables:.1f} commands for a table: {listed}"


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
                await measure(node, store, name, chosen)
        finally:
            await node.stop()
            store.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", default="", help="names with commas; all if it is empty")
    parser.add_argument("--part", default="moves", choices=("moves", "open", "archive"))
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--counted", action="store_true", help="valgrind counts the instructions of the measured part")
    uvloop.run(main(parser.parse_args()))
