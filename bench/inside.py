"""How long a move takes inside a node, from its frame to the frames of its updates, without network and store.

The connections and the store's connection are stand-ins that only keep what is written, so what is left is our own
work: reading, judging, folding, views, encoding, packing the append.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from typing import Any

import hiredis
import msgspec

os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", tempfile.mkdtemp())  # as the service itself runs

import bench.node  # noqa: F401  # puts the game in the catalogue
from server.app import Node
from server.connection import Connection
from server.people import Person
from server.store import Store

encode, decode = msgspec.msgpack.Encoder().encode, msgspec.msgpack.Decoder().decode


class FakeStore(Store):
    """Packs every command as the real one does and says that it was done."""

    def send(self, then: Any, *command: Any) -> None:
        hiredis.pack_command(command)
        asyncio.get_running_loop().call_soon(then, [] if command[0] in ("LRANGE", "HGETALL") else -1)

    def tell(self, *command: Any) -> None:
        hiredis.pack_command(command)


class FakeEdge:
    """Keeps the last frame."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []

    def write(self, frame: bytes) -> bool:
        self.frames.append(frame)
        return True


def body(frame: bytes) -> Any:
    """The message in an unmasked frame."""
    start = 2 if frame[1] < 126 else 4
    return decode(frame[start:])


async def table(node: Node, name: str, patches: bool) -> tuple[str, list[tuple[Connection, FakeEdge]]]:
    """A table of four connections that have sat down, opened it and seen it start."""
    seats = []
    for number in range(4):
        edge = FakeEdge()
        connection = Connection(node.hub, node.people, node.desks, edge)  # type: ignore[arg-type]
        connection.user, connection.patches = Person(f"u{number}", f"U{number}"), patches
        connection._session.welcome()
        seats.append((connection, edge))
    first, edge = seats[0]
    first.receive(encode({"type": "create", "id": 1, "game": name, "seats": 4, "public": False}))
    await settle()
    id = next(m["table"] for m in map(body, edge.frames) if m["type"] == "ok")  # noqa: A001
    for number, (connection, _) in enumerate(seats):
        if number:
            connection.receive(encode({"type": "sit", "id": 2, "table": id, "seat": number}))
        await settle()
        connection.receive(encode({"type": "open", "id": 3, "table": id}))
        await settle()
    return id, seats


async def settle() -> None:
    """Let everything that is ready happen."""
    for _ in range(20):
        await asyncio.sleep(0)


async def measure(moves: int, patches: bool) -> float:
    """Microseconds of CPU per move of the benchmark's game."""
    node = Node("unix:///nowhere", "bench")
    node.hub.store = node.hub.log._store = node.people._store = FakeStore("unix:///nowhere")
    node.feed._store = FakeStore("unix:///nowhere")
    node.hub.beat_at = node.hub.now() + 10**9
    id, seats = await table(node, "pile", patches)  # noqa: A001
    room = node.hub.rooms[id]
    began = time.process_time()
    for number in range(moves):
        connection, edge = seats[number % 4]
        assert room.table
        ask = room.table.asks[number % 4].n
        move = {"type": "play", "card": number & 0x3FFF}
        message = {"type": "move", "id": number, "table": id, "ask": ask, "key": f"k{number}", "move": move}
        connection.receive(encode(message))
        await asyncio.sleep(0)
        edge.frames.clear()
    spent = time.process_time() - began
    assert room.table
    assert room.table.n == 6 + moves
    return spent / moves * 1e6


if __name__ == "__main__":
    for patches in (True, False):
        best = min(asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 3000, patches)) for _ in range(3))
        print(f"{best:.0f} us of CPU per move inside a node, {'patches' if patches else 'whole views'}")
