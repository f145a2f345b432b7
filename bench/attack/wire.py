"""The attacker's connections: websockets and plain sockets that follow the protocol only as far as an attack needs."""

from __future__ import annotations

import asyncio
import contextlib
import os
from base64 import b64encode
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any

import msgspec

MASK = bytes(4)  # a mask of zeroes leaves the payload as it is
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x00, 0x01, 0x02, 0x08, 0x09, 0x0A
FIN = 0x80

OPEN_TIMEOUT_S = 5.0  # for a TCP connection and the handshake
ANSWER_TIMEOUT_S = 10.0
ANSWERS = frozenset(("ok", "error", "welcome", "advice"))
RECONNECT_PAUSE_S = 0.02
SEND_BUFFER = 512 * 1024  # bytes that an attacking connection has in flight at most

encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder().decode

Message = dict[str, Any]


class Gone(Exception):  # noqa: N818
    """The service has closed this connection, or does not answer on it."""


@dataclass
class Tally:
    """What an attack has sent, and what came back."""

    opened: int = 0
    frames: int = 0  # websocket frames, or HTTP chunks or headers
    bytes_sent: int = 0
    bytes_received: int = 0
    answers: Counter[str] = field(default_factory=Counter)  # by error code, or "ok"
    done: Counter[str] = field(default_factory=Counter)  # answered with ok, by type; "guest" is a hello without a token
    closed: Counter[str] = field(default_factory=Counter)  # by close code, HTTP status, or "reset"
    figures: dict[str, float] = field(default_factory=dict)  # of this attack alone
    broken: list[str] = field(default_factory=list)  # bounds of this attack alone that did not hold

    def expect(self, name: str, value: float, most: float) -> None:
        """Record a figure that must not exceed `most`."""
        self.figures[name] = value
        if not value <= most:
            self.broken.append(f"{name} {value:,.6g}, bound {most:,.6g}")


@dataclass(frozen=True)
class Target:
    """The attacked service, and how it is attacked: from which address, over how many connections, how long.

    `source` is the address of the attacker, 127.N.0.1. Other people in the attack are in the network 127.N.1.0.
    """

    host: str
    port: int
    source: str
    connections: int
    seconds: float
    tally: Tally
    began: float = field(default_factory=monotonic)

    @property
    def end(self) -> float:
        """When the attack ends."""
        return self.began + self.seconds

    @property
    def over(self) -> bool:
        """Whether the attack has to end."""
        return monotonic() >= self.end

    def at(self, source: str) -> Target:
        """The same target from another address."""
        return replace(self, source=source)

    def other(self, number: int) -> Target:
        """The same target from the address of somebody else, who has this number from 1 on."""
        return self.at(f"127.{self.source.split('.')[1]}.1.{number}")


def frame(opcode: int, payload: bytes = b"", final: bool = True) -> bytes:
    """Encode a websocket frame of a client."""
    size, head = len(payload), opcode | (FIN if final else 0)
    if size < 126:
        return bytes((head, 0x80 | size)) + MASK + payload
    wide, length = (2, 126) if size < 1 << 16 else (8, 127)
    return bytes((head, 0x80 | length)) + size.to_bytes(wide, "big") + MASK + payload


def request_frame(type: str, number: int, **fields: Any) -> bytes:  # noqa: A002
    """Encode a request as a websocket frame."""
    return frame(BINARY, encode({"type": type, "id": number, **fields}))


class Wire(asyncio.Protocol):
    """One connection. It counts in the tally what it sends and receives, and keeps sending after a close frame."""

    def __init__(self, tally: Tally, is_websocket: bool) -> None:
        self._tally = tally
        self._is_websocket = is_websocket
        self._received = b""
        self._answers: dict[int, asyncio.Future[Message]] = {}
        self._kinds: dict[int, str] = {}  # of requests without an answer
        self._writable = asyncio.Event()
        self._writable.set()
        self._last_id = 0
        self._close_seen = False
        self.transport: asyncio.Transport | None = None
        self.handshake: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.on_message: Callable[[Message], None] = lambda message: None
        self.on_payload: Callable[[bytes], None] = lambda payload: self._on_message(decode(payload))
        self.welcome: Message = {}

    # Opening.

    @classmethod
    async def connect(cls, on: Target) -> Wire | None:
        """Open a plain connection; None if that fails."""
        return await cls._connect(on, False)

    @classmethod
    async def open(cls, on: Target, path: str = "/ws") -> Wire | None:
        """Open a websocket; None if the service refuses it."""
        wire = await cls._connect(on, True)
        if wire is None:
            return None
        wire.write(upgrade(on, path))
        try:
            async with asyncio.timeout(OPEN_TIMEOUT_S):
                accepted = await wire.handshake
        except TimeoutError:
            on.tally.closed["no handshake"] += 1
            accepted = False
        if not accepted:
            wire.abort()
            return None
        on.tally.opened += 1
        return wire

    @classmethod
    async def _connect(cls, on: Target, is_websocket: bool) -> Wire | None:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(OPEN_TIMEOUT_S):
                _, wire = await loop.create_connection(
                    lambda: cls(on.tally, is_websocket), on.host, on.port, local_addr=(on.source, 0)
                )
        except (OSError, TimeoutError):
            on.tally.closed["not connected"] += 1
            return None
        return wire

    @classmethod
    async def join(cls, on: Target, path: str = "/ws", **hello: Any) -> Wire | None:
        """Open a websocket and send hello; None if either is refused."""
        wire = await cls.open(on, path)
        if wire is None:
            return None
        try:
            answer = await wire.request("hello", v=1, **hello)
        except Gone:
            return None
        if answer["type"] != "welcome":
            wire.abort()
            return None
        wire.welcome = answer
        return wire

    # Sending.

    def write(self, data: bytes, frames: int = 0) -> None:
        """Send bytes that hold this many frames. The transport buffers what the socket does not take."""
        if self.transport is not None and not self.transport.is_closing():
            self.transport.write(data)
            self._tally.bytes_sent += len(data)
            self._tally.frames += frames

    async def flood(self, block: bytes, frames: int, until: float) -> None:
        """Send the same block again and again, as fast as the service takes it."""
        while monotonic() < until and not self.lost.done():
            self.write(block, frames)
            await asyncio.sleep(0)
            if not self._writable.is_set():
                try:
                    async with asyncio.timeout(max(0.0, until - monotonic())):
                        await self._writable.wait()
                except TimeoutError:
                    return

    def send(self, type: str, **fields: Any) -> int:  # noqa: A002
        """Send a request without waiting for its answer, and return its id."""
        self._last_id += 1
        self._kinds[self._last_id] = "guest" if type == "hello" and "token" not in fields else type
        self.write(request_frame(type, self._last_id, **fields), 1)
        return self._last_id

    async def request(self, type: str, **fields: Any) -> Message:  # noqa: A002
        """Send a request and wait for its answer (ANSWERS). Raise Gone if none can come."""
        if self.lost.done():
            raise Gone
        number = self.send(type, **fields)
        self._answers[number] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                return await self._answers[number]
        except TimeoutError:
            self._tally.answers["no answer"] += 1
            raise Gone from None
        finally:
            self._answers.pop(number, None)

    def abort(self) -> None:
        """Drop the connection without a closing handshake."""
        if self.transport is not None:
            self.transport.abort()

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.transport = transport
        transport.set_write_buffer_limits(SEND_BUFFER)

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None
        self._writable.set()
        if not self.handshake.done():
            self._tally.closed["reset"] += self._is_websocket
            self.handshake.set_result(False)
        elif exc is not None and not self._close_seen:
            self._tally.closed["reset"] += 1
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(Gone())
        self.lost.set_result(None)

    def data_received(self, data: bytes) -> None:
        self._tally.bytes_received += len(data)
        data = self._received + data if self._received else data
        if not self.handshake.done():
            end = data.find(b"\r\n\r\n")
            if end < 0:
                self._received = data
                return
            accepted = self._is_websocket and data.startswith(b"HTTP/1.1 101")
            if not accepted:
                self._tally.closed[f"HTTP {data[9:12].decode(errors='replace')}"] += 1
            self.handshake.set_result(accepted)
            data = data[end + 4 :]
        if not self._is_websocket or not self.handshake.result():
            self._received = b""
            return
        self._received = data[self._read_frames(data) :]

    def _read_frames(self, data: bytes) -> int:
        """Handle the whole frames, and return where the rest begins."""
        start, size = 0, len(data)
        while size - start >= 2:
            body, length = start + 2, data[start + 1]
            if length >= 126:
                body += 2 if length == 126 else 8
                length = int.from_bytes(data[start + 2 : body], "big")
            if body + length > size:
                break
            self._on_frame(data[start] & 0x0F, data[body : body + length])
            start = body + length
        return start

    def _on_frame(self, opcode: int, payload: bytes) -> None:
        if opcode == BINARY:
            self.on_payload(payload)
        elif opcode == CLOSE and not self._close_seen:
            self._close_seen = True
            self._tally.closed[str(int.from_bytes(payload[:2], "big"))] += 1
        elif opcode == PING:
            self.write(frame(PONG, payload))

    def _on_message(self, message: Message) -> None:
        if message["type"] in ANSWERS:
            self._tally.answers[message.get("code", "") if message["type"] == "error" else "ok"] += 1
            self._tally.done[self._kinds.pop(message["id"], "")] += message["type"] != "error"
            answer = self._answers.get(message["id"])
            if answer is not None and not answer.done():
                answer.set_result(message)
        self.on_message(message)


def upgrade(on: Target, path: str) -> bytes:
    """The request that opens a websocket."""
    key = b64encode(os.urandom(16)).decode()
    return (
        f"GET {path} HTTP/1.1\r\nHost: {on.host}:{on.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()


async def keep_attacking(on: Target, attack_once: Callable[[], Awaitable[None]]) -> None:
    """Run `attack_once` over and over on all connections at once, until the time is over."""

    async def one_connection() -> None:
        while not on.over:
            await attack_once()
            await asyncio.sleep(RECONNECT_PAUSE_S)

    await asyncio.gather(*(one_connection() for _ in range(on.connections)))


async def polite(wire: Wire, type: str, **fields: Any) -> Message:  # noqa: A002
    """Send a request, and after a refusal wait as long as it says, but at most a second."""
    answer = await wire.request(type, **fields)
    wait_ms = answer.get("retry_after_ms") or 0
    if wait_ms:
        await asyncio.sleep(min(1.0, wait_ms / 1000))
    return answer


async def as_guests(on: Target, attack: Callable[[Wire], Awaitable[None]], **hello: Any) -> None:
    """Run `attack` over and over on all connections at once, each time on a new connection, and as a new guest."""

    async def once() -> None:
        wire = await Wire.join(on, **hello)
        if wire is not None:
            with contextlib.suppress(Gone):
                await attack(wire)
            wire.abort()

    await keep_attacking(on, once)


async def joined(on: Target, number: int, **hello: Any) -> Wire:
    """Somebody else, who is honest. Raise Gone if they cannot join."""
    wire = await Wire.join(on.other(number), **hello)
    if wire is None:
        raise Gone("an honest client could not join")
    return wire


async def done(wire: Wire, type: str, **fields: Any) -> Message:  # noqa: A002
    """Send a request of an honest client. Raise Gone if it is refused."""
    answer = await wire.request(type, **fields)
    if answer["type"] == "error":
        raise Gone(f"an honest {type} was refused: {answer['code']}")
    return answer


async def connections_of_one_user(on: Target) -> list[Wire]:
    """Make a guest and open all connections as this one user."""
    first = await Wire.join(on)
    if first is None:
        return []
    others = (Wire.join(on, token=first.welcome["token"]) for _ in range(on.connections - 1))
    return [first, *(wire for wire in await asyncio.gather(*others) if wire is not None)]
