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
import uvloop

from server.app import ALONE, Node
from server.process.embedded_valkey import EmbeddedValkey
from server.process.uvicorn_server import Server, listener, server_for
from server.requests import table_opener
from server.requests.limits.limits import Limits, networks
from server.store import keys
from server.store.answers import StoreLost, Then
from server.store.durability import Durability
from server.tables.rooms import room
from server.web.handover import NodeSlot
from server.web.origins import AllowedOrigins
from tests.client import Client

SEED = "cheeseboard tables"
NOT_COMPILED = pytest.mark.skipif(not str(room.__file__).endswith(".py"), reason="compiled classes cannot be patched")
EXEMPT = "127.0.0.1"  # from limits, because a test does in a second what many clients do in an hour


def free_limits(**changed: int) -> Limits:
    """Limits from which clients at the usual address are exempt."""
    return Limits(changed, networks("LIMIT_EXEMPT", EXEMPT))


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Run tests with the mark `both_loops` on uvloop, which the service uses, as well as on asyncio's event loop."""
    if item.get_closest_marker("both_loops") is None:
        return {"asyncio": asyncio.new_event_loop}
    return {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}


@pytest.fixture(scope="session")
def embedded() -> Iterator[EmbeddedValkey]:
    """One store for all tests; it is emptied before each."""
    with tempfile.TemporaryDirectory(prefix="cheeseboard-") as folder:
        store = EmbeddedValkey(Path(folder))
        store.start()
        yield store
        store.stop()


@pytest.fixture
def store_url(embedded: EmbeddedValkey) -> str:
    """The URL of the store, which is empty."""
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
        clock = node.clock.now
        node.clock.now = lambda: clock() + self.ahead_ms

    async def join(self, name: str = "Tester", **hello: Any) -> Client:
        """A client of this node."""
        return await Client.join(self.url, name, **hello)

    def metric(self, name: str, **labels: str) -> float:
        """The value of a metric of this node; 0 if nothing was counted with these labels."""
        return self.node.metrics.registry.get_sample_value(name, labels) or 0.0

    def stop_clock(self) -> None:
        """Let no time pass from now on except what the test lets pass."""
        now, ahead_ms = self.node.clock.now(), self.ahead_ms
        self.node.clock.now = lambda: now + self.ahead_ms - ahead_ms

    async def later(self, ms: int) -> None:
        """Let this much time pass without a fault of any node, and wait until the due tables were checked."""
        self.ahead_ms += ms
        now, store = self.node.clock.now(), self.node.store
        await store.call("SET", keys.LAST_HEARTBEAT, now)
        for name in await store.call("HKEYS", keys.NODE_HEARTBEATS):
            await store.call("HSET", keys.NODE_HEARTBEATS, name, now)
        await self.node.due_tables.check_all()
        await store.call("PING")  # its answer comes after those about who is at the tables
        await self.node.rooms.settle()

    async def stop(self) -> None:
        """Drain and stop the node."""
        await self.server.shutdown([self.listening])
        self.listening.close()


Start = Callable[..., Coroutine[Any, Any, Running]]


def fail(node: Running, monkeypatch: pytest.MonkeyPatch, *failing: str) -> None:
    """Let these commands, or calls of these functions, of a node fail as if the connection was lost."""
    send = node.node.store.send

    def send_or_fail(then: Then, *command: str | bytes | int) -> None:
        if any(word in failing for word in command[:2]):
            asyncio.get_running_loop().call_soon(then, StoreLost("the connection was lost"))
        else:
            send(then, *command)

    monkeypatch.setattr(node.node.store, "send", send_or_fail)


@pytest.fixture
def seeded_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the tables of a test the same seeds in every run: a random game may be shorter than a test needs."""
    numbers = itertools.count(1)
    monkeypatch.setattr(table_opener, "new_seed", lambda: f"{SEED}/{next(numbers)}".encode())


@pytest.fixture
async def start(store_url: str, seeded_tables: None) -> AsyncIterator[Start]:
    """Starts nodes on the store; they are stopped at the end."""
    running: list[Running] = []

    async def begin(
        slot: NodeSlot = ALONE,
        url: str = store_url,
        limits: Limits | None = None,
        trusted_proxies: str = "",
        allowed: AllowedOrigins | None = None,
        durability: Durability = "process",
    ) -> Running:
        node = Node(url, f"node-{len(running) + 1}", slot, limits or free_limits(), allowed, durability)
        node.due_tables.run = asyncio.Event().wait  # type: ignore[assignment]  # tests say when tables are checked
        server = server_for(node, trusted_proxies)
        server.config.load()
        server.lifespan = server.config.lifespan_class(server.config)
        listening = listener("127.0.0.1", 0)
        await server.startup([listening])
        node.store.on_stalled = lambda seconds: None  # tests say when the store stalls, too
        running.append(Running(node, server, listening))
        return running[-1]

    yield begin
    for one in running:
        if not one.node.connections.draining:
            await one.stop()


@pytest.fixture
async def node(start: Start) -> Running:
    """One node."""
    return await start()
