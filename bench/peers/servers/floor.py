"""The thin server, a lower bound of the cost: no rules but the turn, one pipelined connection to the store, one frame."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from typing import Any
from urllib.parse import parse_qs, urlsplit

import hiredis
import msgpack
import uvloop
from websockets.asyncio.server import ServerConnection, serve


class Pipe(asyncio.Protocol):
    """The connection to the store. Replies come in the order of the commands, so a queue of futures is enough."""

    def __init__(self) -> None:
        self.reader = hiredis.Reader()
        self.waiting: deque[asyncio.Future[Any]] = deque()
        self.out: list[bytes] = []

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.reader.feed(data)
        while (reply := self.reader.gets()) is not False:
            self.waiting.popleft().set_result(reply)

    def flush(self) -> None:
        self.transport.write(b"".join(self.out))
        self.out.clear()

    def append(self, table: str, delta: bytes) -> asyncio.Future[Any]:
        loop = asyncio.get_running_loop()
        if not self.out:
            loop.call_soon(self.flush)
        self.out.append(hiredis.pack_command((b"XADD", f"t:{table}", b"*", b"m", delta)))
        future = loop.create_future()
        self.waiting.append(future)
        return future


class Table:
    """A table and its viewers."""

    def __init__(self, table: str) -> None:
        self.id, self.n, self.turn = table, 0, 0
        self.pile: list[int] = []
        self.hands = [[seat * 1000 + i for i in range(10)] for seat in range(4)]
        self.viewers: set[ServerConnection] = set()
        self.lock = asyncio.Lock()

    async def play(self, seat: int | None, card: int, pipe: Pipe) -> None:
        async with self.lock:
            if seat != self.turn:
                return
            delta = msgpack.packb({"n": self.n + 1, "turn": (self.turn + 1) % 4, "card": card})
            await pipe.append(self.id, delta)
            self.pile = [*self.pile, card][-20:]
            self.n, self.turn = self.n + 1, (self.turn + 1) % 4
            frame = bytes((0x82, len(delta))) + delta
            for viewer in self.viewers:
                viewer.transport.write(frame)


async def main() -> None:
    tables: dict[str, Table] = {}
    loop = asyncio.get_running_loop()
    _, pipe = await loop.create_connection(Pipe, "127.0.0.1", int(os.environ["STORE_PORT"]))

    async def handler(connection: ServerConnection) -> None:
        assert connection.request
        query = parse_qs(urlsplit(connection.request.path).query)
        seat = int(query["seat"][0]) if "seat" in query else None
        table = tables.setdefault(query["table"][0], Table(query["table"][0]))
        table.viewers.add(connection)
        hand = None if seat is None else table.hands[seat]
        try:
            view = {"n": table.n, "turn": table.turn, "pile": table.pile, "hand": hand}
            await connection.send(msgpack.packb(view))
            async for data in connection:
                await table.play(seat, msgpack.unpackb(data)["card"], pipe)
        finally:
            table.viewers.discard(connection)

    async with serve(handler, "127.0.0.1", int(os.environ["PORT"]), compression=None) as server:
        await server.serve_forever()


uvloop.run(main())
