"""A node: one process that serves the application on the shared port."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import socket
import sys
from functools import partial
from types import FrameType

import uvicorn
import uvloop

from protocol.messages import MOST_BYTES
from server import logs
from server.app import Node
from server.edge import Edge
from server.handover import Handover, Reception
from server.settings import Settings

SEND_BUFFER = 64 * 1024  # so that a slow reader is seen before the kernel has taken megabytes for it


class Server(uvicorn.Server):
    """uvicorn, but everybody is told before the connections are closed, and it sleeps until it is told to stop."""

    def __init__(self, config: uvicorn.Config, node: Node) -> None:
        super().__init__(config)
        self._node = node
        self._stop = asyncio.Event()

    async def main_loop(self) -> None:
        """Bring the date of answers up to date every second, instead of looking ten times whether to stop."""
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), 1)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self._stop.set()  # the loop is awake: the signal woke it

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        known = {"config": self.config, "server_state": self.server_state, "app_state": self.lifespan.state}
        self._node.handover.open(partial(Reception, None, **known))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._node.handover.close()
        for one in self.servers:
            one.close()
        await self._node.drain()
        await super().shutdown(sockets)


def listener(host: str, port: int) -> socket.socket:
    """A listening socket that several nodes of this machine may share."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    listening.bind((host, port))
    listening.listen(1024)
    listening.setblocking(False)
    return listening


def server_for(node: Node) -> Server:
    """The web server of a node."""
    config = uvicorn.Config(
        node.app(),
        http=partial(Reception, node.handover),  # type: ignore[arg-type]  # called as a class is
        ws=Edge,
        ws_max_size=MOST_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=None,  # server/pulse.py does it for all connections together
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
    )
    return Server(config, node)


async def serve(settings: Settings, name: str) -> None:
    """Serve until told to stop."""
    server = server_for(Node(settings.redis_url, name, Handover.from_environment()))
    with listener(settings.host, settings.port) as listening:
        await server.serve([listening])


def main() -> None:
    """Run a node whose settings are in the environment."""
    settings = Settings.from_environment()
    name = os.environ.get("CHEESEBOARD_NODE", f"node-{os.getpid()}")
    logs.set_up(name, settings.log_level)
    gc.set_threshold(50_000, 20, 50)  # values hold no cycles: looking for them at every move finds nothing
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the supervisor says when to stop
    try:
        uvloop.run(serve(settings, name))
    except (OSError, asyncio.CancelledError) as fault:
        print(f"cheeseboard: {name} could not start: {fault}", file=sys.stderr)  # noqa: T201
        sys.exit(1)


if __name__ == "__main__":
    main()
