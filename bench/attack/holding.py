"""Connections that are opened and then kept without use, until the service has none left."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Awaitable, Callable
from time import monotonic

from bench.attack.wire import OPEN_TIMEOUT_S, Gone, Target, Wire, joined, upgrade
from tests.service import Service

GRACE_S = 13.0  # until a connection that has not asked for anything has to be closed: 10, and 2 for our close frame
FILE_LIMIT = 1024  # open files of a node, where this is attacked: the default of most systems
NEWCOMER = 1
MIN_NEWCOMERS = 5  # a slow machine may need all the time to open the sockets


async def _hold(on: Target, what: str, begin: Callable[[Wire], object], drip: Callable[[Wire], object]) -> None:
    """Open all connections, send a little on each now and then, and count those that are still open after GRACE_S."""
    wires = [wire for wire in await asyncio.gather(*(Wire.connect(on) for _ in range(on.connections))) if wire]
    for wire in wires:
        begin(wire)
    on.tally.opened += len(wires)
    opened_at = monotonic()
    while not on.over and monotonic() < opened_at + GRACE_S:
        await asyncio.sleep(0.5)
        for wire in wires:
            if not wire.lost.done():
                drip(wire)
    on.tally.expect(f"{what}, open after {GRACE_S:.0f} s", sum(not wire.lost.done() for wire in wires), 0)
    for wire in wires:
        wire.abort()


def _nothing(wire: Wire) -> None:
    pass


async def silent(on: Target) -> None:
    """Sockets on which nothing is ever sent."""
    await _hold(on, "silent", _nothing, _nothing)


async def dripped_headers(on: Target) -> None:
    """Requests whose headers come byte by byte and never end."""
    await _hold(on, "with headers", lambda wire: wire.write(upgrade(on, "/ws")[:-4]), lambda wire: wire.write(b"x", 1))


async def dripped_body(on: Target) -> None:
    """Requests whose body comes byte by byte."""
    head = f"POST /healthz HTTP/1.1\r\nHost: {on.host}:{on.port}\r\nContent-Length: 100000\r\n\r\n".encode()
    await _hold(on, "with a body", lambda wire: wire.write(head), lambda wire: wire.write(b"x", 1))


async def long_table(on: Target) -> None:
    """Websockets whose address names a table of 9,000 letters."""
    await _hold(on, "with a long table", lambda wire: wire.write(upgrade(on, "/ws?table=" + 9000 * "a"), 1), _nothing)


async def late_hello(on: Target) -> None:
    """Websockets on which only hellos with unknown tokens are sent, so that one is under way at every moment."""
    wires = [wire for wire in await asyncio.gather(*(Wire.open(on) for _ in range(on.connections))) if wire]
    opened_at = monotonic()
    while not on.over and monotonic() < opened_at + GRACE_S:
        await asyncio.sleep(0.1)
        for wire in wires:
            wire.send("hello", v=1, token="nobody")
    on.tally.expect(f"without hello, open after {GRACE_S:.0f} s", sum(not wire.lost.done() for wire in wires), 0)
    for wire in wires:
        wire.abort()


def limit_files(service: Service) -> None:
    """Give each node the number of open files that most systems give a process."""
    for pid in service.children("server.app"):
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (FILE_LIMIT, FILE_LIMIT))


async def file_limit(on: Target) -> None:
    """More sockets than nodes may have open files, half with endless headers, while newcomers ask for /healthz."""
    wires: list[Wire] = []
    for _ in range(0, on.connections, 100):
        wires += [wire for wire in await asyncio.gather(*(Wire.connect(on) for _ in range(100))) if wire]
        for wire in wires[-100::2]:
            wire.write(upgrade(on, "/ws")[:-4])
    tried, refused, unhealthy = 0, 0, 0
    while not (on.over and tried >= MIN_NEWCOMERS):
        for wire in wires[::2]:
            if not wire.lost.done():
                wire.write(b"x", 1)
        tried += 1
        refused += not await _answered(_hello(on))
        unhealthy += not await _answered(_healthy(on))
        await asyncio.sleep(0.2)
    on.tally.expect(f"newcomers refused, of {tried}", refused, 0)
    on.tally.expect("failed /healthz", unhealthy, 0)
    for wire in wires:
        wire.abort()


async def _answered(work: Awaitable[bool]) -> bool:
    try:
        async with asyncio.timeout(2):
            return await work
    except (Gone, TimeoutError):
        return False


async def _hello(on: Target) -> bool:
    (await joined(on, NEWCOMER)).abort()
    return True


async def _healthy(on: Target) -> bool:
    async with asyncio.timeout(OPEN_TIMEOUT_S):
        reader, writer = await asyncio.open_connection(on.host, on.port, local_addr=(on.other(NEWCOMER).source, 0))
    try:
        writer.write(f"GET /healthz HTTP/1.1\r\nHost: {on.host}:{on.port}\r\nConnection: close\r\n\r\n".encode())
        return (await reader.read()).startswith(b"HTTP/1.1 200")
    except OSError:
        return False
    finally:
        writer.close()
