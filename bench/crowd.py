"""Many cheap players for measuring a service: a websocket of its own for each seat, any legal move by chance.

What the server says is decoded only as far as a player needs it, without the views, so that the client leaves the
machine to the server.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import time
from base64 import b64encode
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec

from bots.choice import fill

PATIENCE_S = 20  # for an answer to anything but a move

encode = msgspec.msgpack.Encoder().encode


class Ask(msgspec.Struct):
    """What a seat may do."""

    n: int
    offers: list[dict[str, Any]]
    left_ms: int | None = None


class Heard(msgspec.Struct):
    """Any message of the server, as far as players look at it."""

    type: str
    id: int | None = None
    table: str | None = None
    by: str | None = None
    status: str | None = None
    ask: Ask | int | None = None
    code: str | None = None
    message: str | None = None
    retry_after_ms: int | None = None


decode = msgspec.msgpack.Decoder(Heard).decode


class Tally:
    """What all players together have done, and how soon their moves were acknowledged while that was wanted."""

    def __init__(self) -> None:
        self.decisions = 0
        self.by_clock = 0
        self.begun = 0
        self.ended = 0
        self.refused: Counter[str] = Counter()
        self.lost = 0
        self.took_s: list[float] | None = None


class Socket(asyncio.Protocol):
    """A websocket client that does just what our server needs of one."""

    def __init__(self, host: str, path: str, on_message: Callable[[bytes], None], on_close: Callable[[], None]) -> None:
        self._host = host
        self._path = path
        self._on_message = on_message
        self._on_close = on_close
        self._rest = b""
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
        data = self._rest + data if self._rest else data
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
            self._frame(data[start], data[body : body + length])
            start = body + length
        self._rest = data[start:] if self.opened.done() else data

    def close(self) -> None:
        """Go without a word."""
        if self._transport:
            self._transport.abort()

    def _frame(self, kind: int, payload: bytes) -> None:
        if kind == 0x82:
            self._on_message(payload)
        elif kind == 0x89:
            self._write(0x8A, payload)
        elif kind == 0x88:
            self.close()

    def send(self, message: dict[str, Any]) -> None:
        """Send one message."""
        self._write(0x82, encode(message))

    def _write(self, kind: int, payload: bytes) -> None:
        """A masked frame whose mask is nought, which leaves the payload as it is."""
        size = len(payload)
        head = bytes((kind, 128 | size)) if size < 126 else bytes((kind, 254)) + size.to_bytes(2, "big")
        if self._transport:
            self._transport.write(head + bytes(4) + payload)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        if not self.opened.done():
            self.opened.set_exception(ConnectionError(f"the connection was lost: {exc}"))
        self._on_close()


class Player:
    """A guest with one connection, at one table after another. `think` says for how many seconds it ponders an ask."""

    def __init__(self, think: Callable[[Ask], float], tally: Tally, chance: random.Random) -> None:
        self._think = think
        self._tally = tally
        self._chance = chance
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Heard]] = {}
        self._moves: dict[int, tuple[float, dict[str, Any]]] = {}
        self._pondering: asyncio.TimerHandle | None = None
        self._asked = 0
        self.table = ""
        self.over = asyncio.Event()

    async def join(self, host: str, port: int, table: str | None = None) -> None:
        """Connect and say hello, as the page in the browser does, which names the table that it is of."""
        loop = asyncio.get_running_loop()
        path = f"/ws?table={table}" if table else "/ws"
        _, self._socket = await loop.create_connection(
            lambda: Socket(f"{host}:{port}", path, self._heard, self._lost), host, port
        )
        await asyncio.wait_for(self._socket.opened, PATIENCE_S)
        await self.request("hello", v=1, patches=True)

    async def request(self, type: str, **fields: Any) -> Heard:  # noqa: A002
        """Ask until it is granted or refused for good."""
        while True:
            number = next(self._numbers)
            self._answers[number] = asyncio.get_running_loop().create_future()
            self._socket.send({"type": type, "id": number, **fields})
            async with asyncio.timeout(PATIENCE_S):
                answer = await self._answers[number]
            if answer.type != "error":
                return answer
            if answer.retry_after_ms is None:
                raise RuntimeError(f"{type} was refused: {answer.code}: {answer.message}")
            await asyncio.sleep(answer.retry_after_ms / 1000)

    def close(self) -> None:
        """Go."""
        self._socket.close()

    async def play_at(self, table: str) -> None:
        """Leave the table before, and play at this one from now on."""
        before, self.table = self.table, table
        self._asked = 0
        self.over.clear()
        if before:
            await self.request("close", table=before)
        await self.request("open", table=table)

    def _heard(self, payload: bytes) -> None:
        heard = decode(payload)
        if heard.type == "update":
            if heard.table == self.table:
                self._update(heard)
        elif heard.type == "table":
            if heard.table == self.table and heard.status in ("ended", "closed"):
                self.over.set()
        elif heard.id in self._moves:
            self._answered(heard, *self._moves.pop(heard.id))
        elif heard.id in self._answers and not (waiting := self._answers.pop(heard.id)).done():
            waiting.set_result(heard)

    def _update(self, update: Heard) -> None:
        if update.by == "clock":
            self._tally.by_clock += 1
        ask = update.ask
        asked = ask.n if isinstance(ask, Ask) else 0
        if asked == self._asked:
            return
        self._asked = asked
        if self._pondering:
            self._pondering.cancel()
            self._pondering = None
        if isinstance(ask, Ask):
            wait = self._think(ask)
            if wait:
                self._pondering = asyncio.get_running_loop().call_later(wait, self._move, ask)
            else:
                self._move(ask)

    def _move(self, ask: Ask) -> None:
        number = next(self._numbers)
        move = fill(self._chance.choice(ask.offers), self._chance)
        self._send({"type": "move", "table": self.table, "ask": ask.n, "key": f"k{number}", "move": move, "id": number})

    def _send(self, message: dict[str, Any]) -> None:
        self._moves[message["id"]] = time.perf_counter(), message
        self._socket.send(message)

    def _answered(self, answer: Heard, began: float, message: dict[str, Any]) -> None:
        tally = self._tally
        if answer.type == "ok":
            tally.decisions += 1
            if tally.took_s is not None:
                tally.took_s.append(time.perf_counter() - began)
            return
        tally.refused[answer.code or "?"] += 1
        if answer.retry_after_ms is not None and message["ask"] == self._asked:
            asyncio.get_running_loop().call_later(answer.retry_after_ms / 1000, self._send, message)

    def _lost(self) -> None:
        self._tally.lost += 1
        for waiting in self._answers.values():
            if not waiting.done():
                waiting.set_exception(ConnectionError("the connection was lost"))


class Party:
    """Players who play one game together, table after table."""

    def __init__(self, game: str, players: list[Player], tally: Tally) -> None:
        self._game = game
        self._players = players
        self._tally = tally

    async def join(self, host: str, port: int) -> None:
        """Everybody comes, the host first and the others to the host's table, and it begins."""
        await self._players[0].join(host, port)
        table = await self._create()
        for player in self._players[1:]:
            await player.join(host, port, table)
        await self._begin(table)

    async def _create(self) -> str:
        made = await self._players[0].request("create", game=self._game, seats=len(self._players))
        assert made.table
        return made.table

    async def _begin(self, table: str) -> None:
        for player in self._players[1:]:
            await player.request("sit", table=table)
        await asyncio.gather(*(player.play_at(table) for player in self._players))
        self._tally.begun += 1

    async def play_on(self) -> None:
        """Begin anew whenever a table is over."""
        while True:
            await self._players[0].over.wait()
            self._tally.ended += 1
            await self._begin(await self._create())

    def close(self) -> None:
        """Everybody goes."""
        for player in self._players:
            player.close()
