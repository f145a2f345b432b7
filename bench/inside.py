"""How much CPU a node spends on a move, from its frame to the frames of its updates, without websockets.

The connections are fakes that keep what is written. The store is real; it runs in a process of its own, which does not
count. The rest is the work of the node: decoding, judging, folding, views, encoding, and commands to the store.
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

import bench.node  # noqa: F401  # adds the game to the catalogue
from server.app import Node
from server.delivery.outbox import Transport
from server.process.embedded_valkey import EmbeddedValkey
from server.requests.accounts import Account
from server.requests.connection import Connection
from server.tables.rooms.room import Room

encode, decode = msgspec.msgpack.Encoder().encode, msgspec.msgpack.Decoder().decode
TABLES = 50  # with one move each per round
ANSWER_TIMEOUT_S = 10


def messages(data: bytes) -> Iterator[tuple[dict[str, Any], int]]:
    """Decode the messages in frames that were written; with each, the bytes of its frame."""
    while data:
        start = 2 if data[1] < 126 else 4
        end = start + (data[1] if data[1] < 126 else int.from_bytes(data[2:4], "big"))
        yield decode(data[start:end]), end
        data = data[end:]


class FakeConnection:
    """A connection without a network: it is its own transport, keeps what is written and can wait for it."""

    def __init__(self, node: Node, user: str, patches: bool) -> None:
        self.frames: list[bytes] = []
        self.written = asyncio.Event()
        self.transport: Transport = self
        self.has_received = True
        self.connection = Connection(self, node.handlers, node.queue, node.metrics, lambda connection: None)
        self.connection.welcome(Account(user, user), "", patches)

    def take_over(self, connection: Connection) -> int:
        """There is no socket."""
        return -1

    def close_from_our_side(self, code: int, reason: str) -> None:
        raise ConnectionError(reason)

    def get_write_buffer_size(self) -> int:
        """Return a size above zero, so that every frame is written through the transport."""
        return 1

    def write(self, frames: bytes) -> None:
        self.frames.append(frames)
        self.written.set()

    async def request(self, **message: Any) -> dict[str, Any]:
        """Send a request and return its answer."""
        self.connection.receive(encode({"id": 1, **message}))
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            while True:
                self.written.clear()
                for answer, _ in messages(b"".join(self.frames)):
                    if answer["type"] in ("ok", "error"):
                        self.frames.clear()
                        assert answer["type"] == "ok", answer
                        return answer
                await self.written.wait()


async def seat_four(node: Node, number: int, patches: bool) -> tuple[str, list[FakeConnection]]:
    """Start a table with four seats, each with its feed open."""
    lines = [FakeConnection(node, f"u{number}-{seat}", patches) for seat in range(4)]
    table = (await lines[0].request(type="create", game="pile", seats=4, public=False))["table"]
    for seat, line in enumerate(lines):
        if seat:
            await line.request(type="sit", table=table, seat=seat)
        await line.request(type="open", table=table)
    return table, lines


def _move(node: Node, table: str, line: FakeConnection, number: int) -> tuple[FakeConnection, bytes, Room]:
    """Build the frame of a move by the seat whose turn it is."""
    room = node.rooms.get(table)
    assert room.table
    ask = room.table.asks[number % 4].n
    move = {"type": "play", "card": number & 0x3FFF}
    message = {"type": "move", "id": 1, "table": table, "ask": ask, "key": f"k{number}", "move": move}
    return line, encode(message), room


async def measure(node: Node, rounds: int, patches: bool) -> float:
    """Return the microseconds of CPU per move: the 10th percentile of all rounds, which other work disturbs least."""
    tables = [await seat_four(node, number, patches) for number in range(TABLES)]
    spent = []
    for number in range(rounds):
        moves = [_move(node, table, lines[number % 4], number) for table, lines in tables]
        began = time.process_time()
        for line, frame, _ in moves:
            line.connection.receive(frame)
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
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
        store = EmbeddedValkey(Path(folder))
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
