"""Floods: frames, fragments, HTTP chunks and requests that cost the sender nothing and the service much."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from time import monotonic

from bench.attack.reading import REPLAYS
from bench.attack.wire import (
    BINARY,
    CONTINUATION,
    PING,
    PONG,
    Target,
    Wire,
    frame,
    keep_attacking,
    request_frame,
)

BLOCK = 64 * 1024  # bytes of one write
PAGE_S = 5.0  # for the whole answer to an HTTP request
CHUNKS_S = 0.5  # after which a body in chunks begins anew, on another connection


def repeated(unit: bytes) -> tuple[bytes, int]:
    """A block of this frame again and again, and how many there are."""
    count = max(1, BLOCK // len(unit))
    return unit * count, count


async def _flood_websocket(on: Target, unit: bytes, hello: bool, first: bytes = b"") -> None:
    block, count = repeated(unit)

    async def once() -> None:
        wire = await (Wire.join(on) if hello else Wire.open(on))
        if wire is not None:
            wire.write(first)
            await wire.flood(block, count, on.end)
            wire.abort()

    await keep_attacking(on, once)


async def pings(on: Target) -> None:
    """Empty websocket pings, six bytes each, after hello."""
    await _flood_websocket(on, frame(PING), hello=True)


async def pongs(on: Target) -> None:
    """Pongs of one byte that nobody asked for, after hello."""
    await _flood_websocket(on, frame(PONG, b"x"), hello=True)


async def fragments(on: Target) -> None:
    """Empty fragments of a message that never ends, before hello."""
    await _flood_websocket(on, frame(CONTINUATION, final=False), hello=False, first=frame(BINARY, final=False))


async def fragmented_messages(on: Target) -> None:
    """Messages that end, in a thousand fragments each, of which 15 have a byte."""
    whole = request_frame("ping", 1)[6:]
    middle = b"".join(frame(CONTINUATION, whole[at : at + 1], final=False) for at in range(1, len(whole) - 1))
    empty = frame(CONTINUATION, final=False) * (1000 - len(whole))
    unit = frame(BINARY, whole[:1], final=False) + middle + empty + frame(CONTINUATION, whole[-1:])
    await _flood_websocket(on, unit, hello=True)


async def requests(on: Target) -> None:
    """Valid requests as fast as they can be sent, and on and on after the connection was cut."""
    await _flood_websocket(on, request_frame("ping", 1), hello=True)


async def unreadable(on: Target) -> None:
    """Frames that are no message, as fast as they can be sent."""
    await _flood_websocket(on, frame(BINARY, b"\xc1"), hello=True)


async def large_frames(on: Target) -> None:
    """Frames of 16 KB: thousands of fields, keys that all have one hash, also in a move, and lists in lists."""
    fields = b"".join(b"\xa3" + f"{number:03x}".encode() + b"\x01" for number in range(3200))
    create = b"\x82\xa4type\xa6create\xa7options\x81\xa1x"
    many = b"\xde\x0c\x80" + fields
    keys = [b"\x9b" + bytes(key) + b"\xc0" for key in itertools.product(b"\xfe\xff", repeat=11)]  # -1 and -2: one hash
    alike = b"\xde\x04\xb0" + b"".join(keys[:1200])
    move = b"\x86\xa4type\xa4move\xa2id\x01\xa5table\xa6nobody\xa3ask\x01\xa3key\xa1k\xa4move" + alike
    deep = create + b"\xdc\x00\x9f" + (b"\x91" * 98 + b"\xc0") * 159
    await _flood_websocket(on, b"".join(frame(BINARY, data) for data in (many, create + alike, move, deep)), hello=True)


async def single_bytes(on: Target) -> None:
    """A frame of 16,384 bytes, sent one byte at a time."""
    data = frame(BINARY, b"\xc1" * 16_000)

    async def once() -> None:
        wire = await Wire.join(on)
        if wire is None:
            return
        for at in range(len(data)):
            if on.over or wire.lost.done():
                break
            wire.write(data[at : at + 1], 1)
            await asyncio.sleep(0)
        wire.abort()

    await keep_attacking(on, once)


async def chunks(on: Target) -> None:
    """HTTP requests with a body of a megabyte in chunks of one byte, which is sent before the answer can come."""
    head = f"GET /healthz HTTP/1.1\r\nHost: {on.host}:{on.port}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    block, count = repeated(b"1\r\nx\r\n")

    async def once() -> None:
        wire = await Wire.connect(on)
        if wire is not None:
            wire.write(head + block * 16, count * 16)
            await wire.flood(block, count, min(on.end, monotonic() + CHUNKS_S))
            wire.abort()

    await keep_attacking(on, once)


async def pipelined_http(on: Target) -> None:
    """HTTP requests without waiting for the answers, which are not read."""
    block, count = repeated(f"GET / HTTP/1.1\r\nHost: {on.host}:{on.port}\r\n\r\n".encode())

    async def once() -> None:
        wire = await Wire.connect(on)
        if wire is not None:
            await wire.flood(block, count, on.end)
            wire.abort()

    await keep_attacking(on, once)


async def http_pages(on: Target) -> None:
    """The most expensive HTTP requests, each on a new connection and read to the end: a document, a replay, a page."""
    replay = REPLAYS[0]
    paths = itertools.cycle(
        ("/docs/protocol.md", f"/replays/{replay}.jsonl", f"/r/{replay}", "/", "/healthz", "/metrics")
    )

    async def once() -> None:
        wire = await Wire.connect(on)
        if wire is None:
            return
        head = f"GET {next(paths)} HTTP/1.1\r\nHost: {on.host}:{on.port}\r\nConnection: close\r\n\r\n"
        wire.write(head.encode(), 1)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PAGE_S):
                await asyncio.shield(wire.lost)  # the service closes the connection behind its answer
        wire.abort()

    await keep_attacking(on, once)


async def handshakes(on: Target) -> None:
    """Websockets that are opened and dropped, as fast as they can be."""

    async def once() -> None:
        wire = await Wire.open(on)
        if wire is not None:
            wire.abort()

    await keep_attacking(on, once)


async def deaf(on: Target) -> None:
    """Clients that ask for much, sixty times at once, and never read."""
    asks = b"".join(request_frame("lobby", number, on=True) for number in range(2, 20))
    asks += frame(PING, b"x" * 125) * 2000

    async def once() -> None:
        wire = await Wire.join(on)
        if wire is None:
            return
        assert wire.transport
        wire.transport.pause_reading()
        while not on.over and not wire.lost.done():
            wire.write(asks, 2018)
            await asyncio.sleep(0.2)
        wire.abort()

    await keep_attacking(on, once)
