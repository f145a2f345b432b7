"""The open connections of this node: a deadline for hello, keepalive pings, and the goodbye when the node stops."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from protocol.messages import Bye
from server.delivery.outbox import FlushQueue
from server.metrics import Metrics
from server.requests.connection import Connection, Dispatcher, Socket
from server.requests.limits.client_addresses import ClientAddress, ClientAddresses

HELLO_S = 10  # how long a client has to say hello
KEEPALIVE_S = 20  # a client that sends nothing for so long is pinged; if that brings no answer, it is disconnected
DRAIN_S = 2  # how long clients have to leave a node that stops


class Connections:
    """All connections, in KEEPALIVE_S slots: one slot is checked each second, so that no turn checks many at once."""

    def __init__(
        self, dispatcher: Dispatcher, queue: FlushQueue, metrics: Metrics, client_addresses: ClientAddresses
    ) -> None:
        self._client_addresses = client_addresses
        self._dispatcher = dispatcher
        self._queue = queue
        self._metrics = metrics
        self._slots: list[set[Connection]] = [set() for _ in range(KEEPALIVE_S)]
        self._slot_of: dict[Connection, set[Connection]] = {}
        self.draining = False

    def __len__(self) -> int:
        return len(self._slot_of)

    def __iter__(self) -> Iterator[Connection]:
        return iter(tuple(self._slot_of))

    def admit(self, host: str) -> ClientAddress | int:
        """Count a new connection from this host; if that is one too many, return the ms until another may come."""
        client_address = self._client_addresses.connect(host)
        if isinstance(client_address, int):
            self._metrics.errors.labels("rate_limited").inc()
        return client_address

    def dismiss(self, client_address: ClientAddress) -> None:
        """A connection that was admitted has not been opened."""
        self._client_addresses.disconnect(client_address)

    def open(self, socket: Socket, client_address: ClientAddress) -> Connection:
        """Serve a new client, whose connection was admitted, on this socket."""
        connection = Connection(socket, self._dispatcher, self._queue, self._metrics, self._closed)
        connection.client_address = client_address
        slot = min(self._slots, key=len)
        slot.add(connection)
        self._slot_of[connection] = slot
        self._metrics.connections.set(len(self))
        asyncio.get_running_loop().call_later(HELLO_S, self._check_hello, connection)
        return connection

    def _check_hello(self, connection: Connection) -> None:
        if not connection.token and connection in self._slot_of:  # a token is known after `welcome`
            connection.cut(4001, "no hello came", "hello")

    def _closed(self, connection: Connection) -> None:
        self._client_addresses.disconnect(connection.client_address)
        self._slot_of.pop(connection).discard(connection)
        self._metrics.connections.set(len(self))

    async def run_keepalive(self) -> None:
        """Check all connections every KEEPALIVE_S, for ever."""
        while True:
            for slot in self._slots:
                await asyncio.sleep(1)
                for connection in tuple(slot):
                    connection.check_alive()

    async def drain(self) -> None:
        """Send everybody away, and wait until they have left."""
        self.draining = True
        for connection in self:
            connection.send(Bye(reason="restarting", retry_ms=100))
            connection.cut(1012, "restarting", "drain")
        for _ in range(50 * DRAIN_S):
            if not self._slot_of:
                break
            await asyncio.sleep(0.02)
