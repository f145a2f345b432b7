"""The web server of a node: uvicorn on a port that the nodes of a machine share."""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import gc
import os
import signal
import socket
import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Protocol

import uvicorn
import uvloop
from starlette.types import ASGIApp

from protocol.messages import MAX_FRAME_BYTES
from server.process import logging_setup
from server.process.settings import Settings
from server.web.admission import Admission, max_connections, raise_file_limit
from server.web.handover import Handover
from server.web.handshake import Handshake
from server.web.http_protocol import HttpProtocol
from server.web.turns import Turns

RECEIVE_BUFFER = 64 * 1024  # bytes that the kernel holds for a connection which waits for its turn
GC_THRESHOLDS = 5_000, 200, 50  # a collection stops the event loop, so the first one, often run, looks at few objects
HEARTBEAT_S = 0.25  # how often the node proves to the supervisor that its event loop turns
SEND_BUFFER = 64 * 1024  # bytes; with a larger one the kernel would hide a slow client behind megabytes


class ServedNode(Protocol):
    """A node, as far as its web server knows it."""

    handover: Handover

    def app(self) -> ASGIApp: ...

    async def drain(self) -> None: ...


class Server(uvicorn.Server):
    """uvicorn, changed to drain the node before it closes connections, and to sleep until it is told to stop."""

    def __init__(self, config: uvicorn.Config, node: ServedNode, protocol: Callable[..., HttpProtocol]) -> None:
        super().__init__(config)
        self._node = node
        self._protocol = protocol
        self._stop = asyncio.Event()

    async def main_loop(self) -> None:
        """Update the date header every second; uvicorn itself would check ten times a second whether to stop."""
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), 1)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self._stop.set()  # the signal has woken the event loop

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        known = {"config": self.config, "server_state": self.server_state, "app_state": self.lifespan.state}
        self._node.handover.open(partial(self._protocol, None, **known))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._node.handover.close()
        for one in self.servers:
            one.close()
        await self._node.drain()
        await super().shutdown(sockets)


def listener(host: str, port: int) -> socket.socket:
    """A socket on a port that several nodes of this machine may share.

    uvicorn lets it listen when the node has started. Before that, the kernel passes connections to other nodes.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    listening.bind((host, port))
    listening.setblocking(False)
    return listening


def server_for(node: ServedNode, trusted_proxies: str = "") -> Server:
    """The web server of a node. Only these proxies are believed when they say for whom they forward a request."""
    turns = Turns()
    protocol = partial(HttpProtocol, Admission(max_connections()), turns)
    config = uvicorn.Config(
        node.app(),
        http=partial(protocol, node.handover),  # type: ignore[arg-type]  # called like a class
        ws=partial(Handshake, turns),  # type: ignore[arg-type]  # called like a class
        ws_max_size=MAX_FRAME_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=None,  # server/web/connections.py pings all connections with one timer
        proxy_headers=bool(trusted_proxies),
        forwarded_allow_ips=trusted_proxies,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
    )
    return Server(config, node, protocol)


def beat(fd: int) -> None:
    """Prove to the supervisor, now and regularly, that the event loop turns."""
    with contextlib.suppress(OSError):  # the supervisor is stopped and the pipe full, or it has died
        os.write(fd, b".")
    asyncio.get_running_loop().call_later(HEARTBEAT_S, beat, fd)


async def serve(node: ServedNode, settings: Settings) -> None:
    """Serve until told to stop."""
    with listener(settings.host, settings.port) as listening:
        await server_for(node, settings.trusted_proxies).serve([listening])


def run(make_node: Callable[[str, str], ServedNode]) -> None:
    """Run a node with the settings of the environment; `make_node` gets the URL of the store and the node's name."""
    settings = Settings.from_environment()
    name = os.environ.get("CHEESEBOARD_NODE", f"node-{os.getpid()}")
    logging_setup.set_up(name, settings.log_level)
    raise_file_limit()
    gc.set_threshold(*GC_THRESHOLDS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the supervisor stops the nodes

    faulthandler.register(signal.SIGUSR1)  # the supervisor asks a hung node to write down where it hangs
    fd = os.environ.get("CHEESEBOARD_HEARTBEAT_FD")

    async def main() -> None:
        if fd:
            os.set_blocking(int(fd), False)
            beat(int(fd))
        await serve(make_node(settings.redis_url, name), settings)

    try:
        uvloop.run(main())
    except (OSError, asyncio.CancelledError) as fault:
        print(f"cheeseboard: {name} could not start: {fault}", file=sys.stderr)  # noqa: T201
        sys.exit(1)
