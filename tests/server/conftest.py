"""A real store, real nodes on free ports, and a clock that a test can move."""

from __future__ import annotations

import asyncio
import itertools
import socket
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from server import seating
from server.app import Node
from server.embedded import Embedded
from server.handover import Handover
from server.node import Server, listener, server_for
from tests.client import Client

SEED = "cheeseboard tables"


@pytest.fixture(scope="session")
def embedded() -> Iterator[Embedded]:
    """One store for all tests; each begins with it empty."""
    with tempfile.TemporaryDirectory(prefix="cheeseboard-") as folder:
        store = Embedded(Path(folder))
        store.start()
        yield store
        store.stop()


@pytest.fixture
def store_url(embedded: Embedded) -> str:
    """Where the store is, empty."""
    with redis.Redis(unix_socket_path=str(embedded.socket)) as client:
        client.flushall()
    return embedded.url


class Running:
    """A node that runs in this process, so that a test can move its clock."""

    def __init__(self, node: Node, server: Server, listening: socket.socket) -> None:
        self.node = node
        self.server = server
        self.listening = listening
        self.url = f"ws://127.0.0.1:{listening.getsockname()[1]}/ws"
        self.http = f"http://127.0.0.1:{listening.getsockname()[1]}"
        self.ahead_ms = 0
        clock = node.hub.now
        node.hub.now = lambda: clock() + self.ahead_ms

    async def join(self, name: str = "Tester", **hello: Any) -> Client:
        """A client of this node."""
        return await Client.join(self.url, name, **hello)

    async def later(self, ms: int) -> None:
        """Let so much time pass, with the service up, and have the clock look."""
        self.ahead_ms += ms
        await self.node.store.call("SET", "{beat}:last", self.node.hub.now())
        await self.node.clock.look()

    async def stop(self) -> None:
        """Drain it and let it go."""
        await self.server.shutdown([self.listening])
        self.listening.close()


Start = Callable[..., Coroutine[Any, Any, Running]]


@pytest.fixture
def seeded_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables of a test are dealt alike whenever it runs: a random game may be shorter than a test needs."""
    numbers = itertools.count(1)
    monkeypatch.setattr(seating, "new_seed", lambda: f"{SEED}/{next(numbers)}".encode())


@pytest.fixture
async def start(store_url: str, seeded_tables: None) -> AsyncIterator[Start]:
    """Starts nodes on the store; they are stopped at the end."""
    running: list[Running] = []

    async def begin(handover: Handover | None = None) -> Running:
        node = Node(store_url, f"node-{len(running) + 1}", handover)
        node.clock.run = asyncio.Event().wait  # type: ignore[assignment]  # tests say when it looks
        server = server_for(node)
        server.config.load()
        server.lifespan = server.config.lifespan_class(server.config)
        listening = listener("127.0.0.1", 0)
        await server.startup([listening])
        running.append(Running(node, server, listening))
        return running[-1]

    yield begin
    for one in running:
        if not one.node.draining:
            await one.stop()


@pytest.fixture
async def node(start: Start) -> Running:
    """One node."""
    return await start()
