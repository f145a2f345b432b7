"""The websocket edge beside picows: echoes and fan-out per CPU second, of both in one process, in turns.

`pip install picows` first. `pile` moves would add the same work to both sides, so they are not played here.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable
from statistics import median
from typing import Any

import picows  # type: ignore[import-not-found]
import uvloop
from websockets.server import ServerProtocol

from bench.peers.processes import CLIENT_CORE, SERVER_CORE
from bench.peers.run import raise_file_limit
from server.delivery.broadcast import BroadcastGroup
from server.delivery.frames import binary_frame
from server.delivery.outbox import FlushQueue, Outbox
from server.web.turns import Turns
from server.web.websocket import Websocket

ECHOING, ECHO_BYTES = 200, 64  # connections that send a message, and again when it comes back
WATCHING, FRAME_BYTES = 1000, 300  # connections that get a frame
ROUNDS, TURN_S, WRITES = 15, 0.3, 10  # turns of each server; the length of a turn of echoes; frames in one of fan-out
MAX_MESSAGE = 65536

CLIENT = """
import select, socket, sys, time
port, count, size = map(int, sys.argv[1:])
poll, sockets = select.epoll(), {}
for _ in range(count):
    one = socket.create_connection(("127.0.0.1", port))
    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    one.sendall(b"GET / HTTP/1.1\\r\\nHost: x\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n"
                b"Sec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n\\r\\n")
    head = b""
    while b"\\r\\n\\r\\n" not in head:
        head += one.recv(4096)
    poll.register(one.fileno(), select.EPOLLIN)
    sockets[one.fileno()] = one
print("connected", flush=True)
frame = bytes((0x82, 128 + size)) + b"mask" + bytes(size) if size else b""
while size == 0:
    for fd, _ in poll.poll():
        sockets[fd].recv(65536)
for line in sys.stdin:
    end, echoes, missing = time.monotonic() + float(line), 0, count
    for one in sockets.values():
        one.send(frame)
    while missing:
        for fd, _ in poll.poll():
            sockets[fd].recv(65536)
            echoes += 1
            if time.monotonic() < end:
                sockets[fd].send(frame)
            else:
                missing -= 1
    print(echoes, flush=True)
"""


class Ours:
    """The owner of one of our websockets, which sends every message back."""

    def __init__(self, websocket: Websocket, queue: FlushQueue, group: BroadcastGroup) -> None:
        self.outbox = Outbox(websocket.transport, websocket.take_over(self), queue, self)
        group.add(self.outbox)

    def receive(self, data: bytes | str) -> None:
        assert isinstance(data, bytes)
        self.outbox.write(binary_frame(data))

    def writes_through_transport(self) -> None:
        self.outbox.expect_buffered()

    def closed(self) -> None:
        self.outbox.close()

    def ignore(self, *_: object) -> None: ...

    paused = resumed = cut = write_failed = too_slow = ignore


class Opening(asyncio.Protocol):
    """A connection until its websocket is open; without uvicorn, which picows does not have either."""

    def __init__(self, queue: FlushQueue, turns: Turns, group: BroadcastGroup) -> None:
        self._queue, self._turns, self._group = queue, turns, group

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        conn = ServerProtocol()
        conn.receive_data(data)
        request: Any = next(iter(conn.events_received()))
        conn.send_response(conn.accept(request))
        self._transport.write(b"".join(conn.data_to_send()))
        websocket = Websocket(self._transport, conn, self._turns, MAX_MESSAGE, b"")
        self._transport.set_protocol(websocket)
        Ours(websocket, self._queue, self._group)


class Picows(picows.WSListener):  # type: ignore[misc]
    """A listener of picows that sends every message back."""

    def __init__(self, transports: list[Any]) -> None:
        self._transports = transports

    def on_ws_connected(self, transport: Any) -> None:
        self._transports.append(transport)

    def on_ws_frame(self, transport: Any, frame: Any) -> None:
        transport.send(picows.WSMsgType.BINARY, frame.get_payload_as_bytes())


async def client(server: asyncio.Server, count: int, size: int) -> asyncio.subprocess.Process:
    """Start a process that has connected so often; it sends messages of this size, or none if that is 0."""
    port = server.sockets[0].getsockname()[1]
    words = "taskset", "-c", CLIENT_CORE, sys.executable, "-c", CLIENT, str(port), str(count), str(size)
    process = await asyncio.create_subprocess_exec(*words, stdin=-1, stdout=-1)
    assert process.stdout
    await process.stdout.readline()
    return process


async def echo(process: asyncio.subprocess.Process) -> int:
    """One turn of echoes; returns how many came back."""
    assert process.stdin
    assert process.stdout
    process.stdin.write(f"{TURN_S}\n".encode())
    return int(await process.stdout.readline())


async def in_turns(what: str, parts: dict[str, Callable[[], Awaitable[int]]]) -> None:
    """Let each do its part, one after the other, ROUNDS times, and print how much each does in a CPU second."""
    rates: dict[str, list[float]] = {name: [] for name in parts}
    for _ in range(ROUNDS):
        for name, part in parts.items():
            began = time.process_time()
            done = await part()
            rates[name].append(done / (time.process_time() - began))
    for name, found in rates.items():
        ratios = [one / ours for one, ours in zip(found, rates["ours"], strict=True)]
        print(f"{what}, {name}: {median(found):,.0f} per CPU second, {median(ratios):.2f} of ours")


async def main() -> None:
    """Measure and print."""
    loop, queue, turns, transports = asyncio.get_running_loop(), FlushQueue(), Turns(), list[Any]()
    group = BroadcastGroup(queue)
    ours = await loop.create_server(lambda: Opening(queue, turns, group), "127.0.0.1", 0)
    theirs = await picows.ws_create_server(lambda _: Picows(transports), "127.0.0.1", 0, max_frame_size=MAX_MESSAGE)
    clients = [await client(server, ECHOING, ECHO_BYTES) for server in (ours, theirs)]
    await in_turns("echo", {"ours": lambda: echo(clients[0]), "picows": lambda: echo(clients[1])})
    for one in clients:
        one.kill()
        await one.wait()
    await asyncio.sleep(1)
    transports.clear()
    clients = [await client(server, WATCHING, 0) for server in (ours, theirs)]
    frame, payload = binary_frame(bytes(FRAME_BYTES)), bytes(FRAME_BYTES)

    async def broadcast() -> int:
        for _ in range(WRITES):
            group.write(frame)
            await asyncio.sleep(TURN_S / WRITES)
        return WRITES * WATCHING

    async def send_each() -> int:
        for _ in range(WRITES):
            for transport in transports:
                transport.send(picows.WSMsgType.BINARY, payload)
            await asyncio.sleep(TURN_S / WRITES)
        return WRITES * WATCHING

    await in_turns("fan-out", {"ours": broadcast, "picows": send_each})
    for one in clients:
        one.kill()


if __name__ == "__main__":
    raise_file_limit()
    os.sched_setaffinity(0, {int(SERVER_CORE)})
    uvloop.run(main())
