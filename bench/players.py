"""Players for benchmarks that use little CPU: one websocket for each seat, and random legal moves.

They decode only the fields that a player needs, without the views, so that most of the CPU is left to the server.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import os
import random
import time
from base64 import b64encode
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec

from bots.offers import fill

ANSWER_TIMEOUT_S = 20  # for every request except moves
RETRY_TIMEOUT_S = 120  # for a request that is sent again after each `retry_after_ms`

encode = msgspec.msgpack.Encoder().encode


class Ask(msgspec.Struct):
    """What a seat may do."""

    n: int
    offers: list[dict[str, Any]]
    left_ms: int | None = None


class Received(msgspec.Struct):
    """Any message from the server, with the fields that players use."""

    type: str
    id: int | None = None
    table: str | None = None
    by: str | None = None
    status: str | None = None
    ask: Ask | int | None = None
    code: str | None = None
    message: str | None = None
    retry_after_ms: int | None = None


decode = msgspec.msgpack.Decoder(Received).decode


class Tally:
    """What all players together have done, and, unless `ack_s` is None, how long each acknowledgement took."""

    def __init__(self) -> None:
        self.decisions = 0
        self.by_clock = 0
        self.started = 0
        self.ended = 0
        self.refused: Counter[str] = Counter()
        self.lost = 0
        self.ack_s: list[float] | None = None


class Socket(asyncio.Protocol):
    """A minimal websocket client, sufficient for our server."""

    def __init__(self, host: str, path: str, on_message: Callable[[bytes], None], on_close: Callable[[], None]) -> None:
        self._host = host
        self._path = path
        self._on_message = on_message
        self._on_close = on_close
        self._partial = b""
        self._transport: asyncio.Transport | None = None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport
        key = b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: {self._host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        data = self._partial + data if self._partial else data
        start, size = 0, len(data)
        if not self.opened.done():
            end = data.find(b"\r\n\r\n")
            if end >= 0 and not data.startswith(b"HTTP/1.1 101"):
                self.opened.set_exception(ConnectionError(data[:end].decode()))
            elif end >= 0:
                self.opened.set_result(None)
            start = end + 4 if end >= 0 else size
        while size - start >= 2:
            body, length = start + 2, data[start + 1]
            if length >= 126:
                body += 2 if length == 126 else 8
                length = int.from_bytes(data[start + 2 : body], "big")
            if body + length > size:
                break
            self._on_frame(data[start], data[body : body + length])
            start = body + length
        self._partial = data[start:] if self.opened.done() else data

    def close(self) -> None:
        """Abort the connection without a closing handshake."""
        if self._transport:
            self._transport.abort()

    def _on_frame(self, head: int, payload: bytes) -> None:
        if head == 0x82:  # binary
            self._on_message(payload)
        elif head == 0x89:  # ping
            self._write(0x8A, payload)
        elif head == 0x88:  # close
            self.close()

    def send(self, message: dict[str, Any]) -> None:
        """Send one message."""
        self._write(0x82, encode(message))

    def _write(self, head: int, payload: bytes) -> None:
        """Write a masked frame. The mask is zero, so the payload is sent unchanged."""
        size = len(payload)
        header = bytes((head, 128 | size)) if size < 126 else bytes((head, 254)) + size.to_bytes(2, "big")
        if self._transport:
            self._transport.write(header + bytes(4) + payload)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        if not self.opened.done():
            self.opened.set_exception(ConnectionError(f"the connection was lost: {exc}"))
        self._on_close()


class Player:
    """A guest with one connection, at one table after another. `think` returns the seconds to think about an ask.

    `source` is the address to connect from, if it is not the usual one.
    """

    def __init__(
        self, think: Callable[[Ask], float], tally: Tally, chance: random.Random, source: str | None = None
    ) -> None:
        self._think = think
        self._tally = tally
        self._chance = chance
        self._source = (source, 0) if source else None
        self._ids = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Received]] = {}
        self._moves: dict[int, tuple[float, dict[str, Any]]] = {}
        self._thinking: asyncio.TimerHandle | None = None
        self._ask_number = 0
        self.table = ""
        self.over = asyncio.Event()

    async def join(self, host: str, port: int, table: str | None = None) -> None:
        """Connect and send hello. Like the page in the browser, name the table in the address."""
        loop = asyncio.get_running_loop()
        path = f"/ws?table={table}" if table else "/ws"
        _, self._socket = await loop.create_connection(
            lambda: Socket(f"{host}:{port}", path, self._on_message, self._on_lost),
            host,
            port,
            local_addr=self._source,
        )
        await asyncio.wait_for(self._socket.opened, ANSWER_TIMEOUT_S)
        await self.request("hello", v=1, patches=True)

    async def request(self, type: str, **fields: Any) -> Received:  # noqa: A002
        """Send a request, again after each `retry_after_ms`, until it is done. Raise RuntimeError if it is refused."""
        async with asyncio.timeout(RETRY_TIMEOUT_S):
            while True:
                number = next(self._ids)
                self._answers[number] = asyncio.get_running_loop().create_future()
                self._socket.send({"type": type, "id": number, **fields})
                async with asyncio.timeout(ANSWER_TIMEOUT_S):
                    answer = await self._answers[number]
                if answer.type != "error":
                    return answer
                if answer.retry_after_ms is None:
                    raise RuntimeError(f"{type} was refused: {answer.code}: {answer.message}")
                await asyncio.sleep(answer.retry_after_ms / 1000)

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    async def play_at(self, table: str) -> None:
        """Close the previous table, and play at this one from now on."""
        previous, self.table = self.table, table
        self._ask_number = 0
        self.over.clear()
        if previous:
            await self.request("close", table=previous)
        await self.request("open", table=table)

    @property
    def waiting_since(self) -> float:
        """When the oldest move without an answer was sent (`perf_counter`); infinite if there is none."""
        return min((began for began, _ in self._moves.values()), default=math.inf)

    def _on_message(self, payload: bytes) -> None:
        message = decode(payload)
        if message.type == "update":
            if message.table == self.table:
                self._on_update(message)
        elif message.type == "table":
            if message.table == self.table and message.status in ("ended", "closed"):
                self.over.set()
        elif message.id in self._moves:
            self._on_move_answer(message, *self._moves.pop(message.id))
        elif message.id in self._answers and not (answer := self._answers.pop(message.id)).done():
            answer.set_result(message)

    def _on_update(self, update: Received) -> None:
        if update.by == "clock":
            self._tally.by_clock += 1
        ask = update.ask
        number = ask.n if isinstance(ask, Ask) else 0
        if number == self._ask_number:
            return
        self._ask_number = number
        if self._thinking:
            self._thinking.cancel()
            self._thinking = None
        if isinstance(ask, Ask):
            seconds = self._think(ask)
            if seconds:
                self._thinking = asyncio.get_running_loop().call_later(seconds, self._move, ask)
            else:
                self._move(ask)

    def _move(self, ask: Ask) -> None:
        number = next(self._ids)
        move = fill(self._chance.choice(ask.offers), self._chance)
        self._send_move(
            {"type": "move", "table": self.table, "ask": ask.n, "key": f"k{number}", "move": move, "id": number}
        )

    def _send_move(self, message: dict[str, Any]) -> None:
        self._moves[message["id"]] = time.perf_counter(), message
        self._socket.send(message)

    def _on_move_answer(self, answer: Received, began: float, message: dict[str, Any]) -> None:
        tally = self._tally
        if answer.type == "ok":
            tally.decisions += 1
            if tally.ack_s is not None:
                tally.ack_s.append(time.perf_counter() - began)
            return
        tally.refused[answer.code or "?"] += 1
        if answer.retry_after_ms is not None and message["ask"] == self._ask_number:
            asyncio.get_running_loop().call_later(answer.retry_after_ms / 1000, self._send_move, message)

    def _on_lost(self) -> None:
        self._tally.lost += 1
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(ConnectionError("the connection was lost"))


class Party:
    """Players who play one game together, table after table."""

    def __init__(self, game: str, players: list[Player], tally: Tally) -> None:
        self._game = game
        self._players = players
        self._tally = tally

    async def join(self, host: str, port: int) -> None:
        """Connect all players, the host first and the others to the host's table, and start it."""
        await self._players[0].join(host, port)
        table = await self._create()
        for player in self._players[1:]:
            await player.join(host, port, table)
        await self._start(table)

    async def _create(self) -> str:
        answer = await self._players[0].request("create", game=self._game, seats=len(self._players))
        assert answer.table
        return answer.table

    async def _start(self, table: str) -> None:
        for player in self._players[1:]:
            await player.request("sit", table=table)
        await asyncio.gather(*(player.play_at(table) for player in self._players))
        self._tally.started += 1

    async def play_forever(self) -> None:
        """Start another table whenever one is over, until the caller cancels this."""
        while True:
            await self._players[0].over.wait()
            self._tally.ended += 1
            await self._start(await self._create())

    def close(self) -> None:
        """Close all connections."""
        for player in self._players:
            player.close()
