"""How much CPU a node spends on a move from its frame to the frames of its updates, without websockets.

The connections are stand-ins that keep what is written; the store is the real one, in its own process and not counted.
So what is left is our own work: reading, judging, folding, views, encoding, and the talk with the store.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import uvloop

os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", tempfile.mkdtemp())  # as the service itself runs

import bench.node  # noqa: F401  # puts the game in the catalogue
from server.app import Node
from server.connection import Connection
from server.embedded import Embedded
from server.people import Person
from server.room import Room

encode, decode = msgspec.msgpack.Encoder().encode, msgspec.msgpack.Decoder().decode
TABLES = 50  # that move at once
PATIENCE_S = 10  # for an answer


class Line:
    """A connection without a network, edge and transport in one: it keeps what is written and can wait for it."""

    def __init__(self, node: Node, user: str, patches: bool) -> None:
        self.frames: list[bytes] = []
        self.written = asyncio.Event()
        self.transport = self
        self.connection = Connection(node.hub, node.people, node.desks, self)  # type: ignore[arg-type]
        self.connection.user, self.connection.patches = Person(user, user), patches
        self.connection._session.welcome()

    def take_over(self, listener: Connection) -> int:
        """There is no socket."""
        return -1

    def get_write_buffer_size(self) -> int:
        """Never nothing, so that all is written to the transport."""
        return 1

    def write(self, frames: bytes) -> None:
        self.frames.append(frames)
        self.written.set()

    def _messages(self) -> Iterator[dict[str, Any]]:
        """What was said in the frames that were written."""
        data = b"".join(self.frames)
        while data:
            start = 2 if data[1] < 126 else 4
            end = start + (data[1] if data[1] < 126 else int.from_bytes(data[2:4], "big"))
            yield decode(data[start:end])
            data = data[end:]

    async def ask(self, **message: Any) -> dict[str, Any]:
        """The answer to a request."""
        self.connection.receive(encode({"id": 1, **message}))
        while True:
            self.written.clear()
            for answer in self._messages():
                if answer["type"] in ("ok", "error"):
                    self.frames.clear()
                    assert answer["type"] == "ok", answer
                    return answer
            await asyncio.wait_for(self.written.wait(), PATIENCE_S)


async def seat_four(node: Node, number: int, patches: bool) -> tuple[str, list[Line]]:
    """A table that has started, watched by its four seats."""
    lines = [Line(node, f"u{number}-{seat}", patches) for seat in range(4)]
    table = (await lines[0].ask(type="create", game="pile", seats=4, public=False))["table"]
    for seat, line in enumerate(lines):
        if seat:
            await line.ask(type="sit", table=table, seat=seat)
        await line.ask(type="open", table=table)
    return table, lines


def _move(node: Node, table: str, line: Line, number: int) -> tuple[Line, bytes, Room]:
    """The frame of a move by the seat that is asked."""
    room = node.hub.rooms[table]
    assert room.table
    ask = room.table.asks[number % 4].n
    move = {"type": "play", "card": number & 0x3FFF}
    message = {"type": "move", "id": 1, "table": table, "ask": ask, "key": f"k{number}", "move": move}
    return line, encode(message), room


async def measure(node: Node, rounds: int, patches: bool) -> float:
    """Microseconds of CPU per move, in the tenth part of the rounds that other work disturbed least."""
    tables = [await seat_four(node, number, patches) for number in range(TABLES)]
    spent = []
    for number in range(rounds):
        moves = [_move(node, table, lines[number % 4], number) for table, lines in tables]
        began = time.process_time()
        for line, frame, _ in moves:
            line.connection.receive(frame)
        async with asyncio.timeout(PATIENCE_S):
            for line, _, room in moves:
                while room.working:
                    line.written.clear()
                    await line.written.wait()
        await asyncio.sleep(0)
        spent.append(time.process_time() - began)
    return sorted(spent)[rounds // 10] / TABLES * 1e6


async def main(rounds: int) -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        store = Embedded(Path(folder))
        store.start()
        node = Node(store.url, "bench")
        await node.start()
        try:
            for patches in (True, False):
                best = min([await measure(node, rounds, patches) for _ in range(3)])
                print(f"{best:.0f} us of CPU per move inside a node, {'patches' if patches else 'whole views'}")
        finally:
            await node.stop()
            store.stop()


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 40))
