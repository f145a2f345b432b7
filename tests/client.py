"""A client that shares no code with the server: it uses only `websockets` and `msgpack`, like a bot author's."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Callable
from typing import Any, ClassVar

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

WAIT_S = 60  # far more than anything takes, also on a busy machine


async def eventually(holds: Callable[[], object], every_s: float = 0.005) -> None:
    """Poll until `holds()` is true, for conditions that cannot be awaited. Raise TimeoutError after WAIT_S.

    `every_s=0` polls in every turn of the event loop.
    """
    async with asyncio.timeout(WAIT_S):
        while not holds():
            await asyncio.sleep(every_s)


class Client:
    """One connection that keeps every message it receives, in order."""

    alive: ClassVar[set[Client]] = set()

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.received: list[dict[str, Any]] = []
        self.token = ""
        self.user: dict[str, Any] = {}
        self.welcome: dict[str, Any] = {}
        self.closed_with: int | None = None
        self._updates: dict[str, list[dict[str, Any]]] = {}
        self._sent_at: dict[int, int] = {}
        self._ids = itertools.count(1)
        self._changed = asyncio.Condition()
        self.alive.add(self)
        self._task = asyncio.create_task(self._receive())

    @classmethod
    async def join(cls, url: str, name: str = "Tester", source: str | None = None, **hello: Any) -> Client:
        """Connect and send hello. `source` is the address to connect from, if it is not the usual one."""
        client = cls(await cls.connect(url, source))
        if "token" not in hello:
            hello["name"] = name
        client.welcome = await client.request("hello", v=1, **hello)
        if client.welcome["type"] == "error":
            raise PermissionError(client.welcome["code"])
        client.token = hello.get("token") or client.welcome["token"]
        client.user = client.welcome["user"]
        return client

    @staticmethod
    async def connect(url: str, source: str | None = None, **more: Any) -> ClientConnection:
        """Connect without hello."""
        if source is not None:
            more["local_addr"] = (source, 0)
        return await connect(url, compression=None, max_size=None, **more)

    async def _receive(self) -> None:
        try:
            async for frame in self.socket:
                message = msgpack.unpackb(frame)
                async with self._changed:
                    self.received.append(message)
                    if message["type"] == "update":
                        self._updates.setdefault(message["table"], []).append(message)
                    self._changed.notify_all()
        except ConnectionClosed as closed:
            self.closed_with = closed.rcvd.code if closed.rcvd else None
        finally:
            async with self._changed:
                self._changed.notify_all()

    async def until(self, wanted: Any, since: int = 0, within_s: float = WAIT_S) -> dict[str, Any]:
        """Wait for the first message from index `since` on for which `wanted` is true."""
        at = since
        async with asyncio.timeout(within_s), self._changed:
            while True:
                while at < len(self.received):
                    if wanted(self.received[at]):
                        return self.received[at]
                    at += 1
                if self._task.done():
                    raise ConnectionError("the connection is closed")
                await self._changed.wait()

    async def send(self, type: str, **fields: Any) -> int:  # noqa: A002
        """Send a request and return its id."""
        number = next(self._ids)
        self._sent_at[number] = len(self.received)
        try:
            await self.socket.send(msgpack.packb({"type": type, "id": number, **fields}))
        except ConnectionClosed:
            raise ConnectionError("the connection is closed") from None
        return number

    async def answer(self, number: int) -> dict[str, Any]:
        """Wait for the answer to the request with this id."""
        return await self.until(lambda message: message.get("id") == number, self._sent_at.pop(number, 0))

    async def request(self, type: str, **fields: Any) -> dict[str, Any]:  # noqa: A002
        """Send a request and wait for its answer."""
        return await self.answer(await self.send(type, **fields))

    async def next(self, type: str, since: int | None = None, **like: Any) -> dict[str, Any]:  # noqa: A002
        """Wait for the first message of this type with these fields, from index `since` on or from now on."""
        return await self.until(
            lambda message: message["type"] == type and all(message.get(key) == like[key] for key in like),
            len(self.received) if since is None else since,
        )

    def last(self, type: str) -> dict[str, Any]:  # noqa: A002
        """Return the latest message of this type."""
        return next(message for message in reversed(self.received) if message["type"] == type)

    def updates(self, table: str) -> list[dict[str, Any]]:
        """Return every update of a table, in order."""
        return self._updates.get(table, [])

    async def entry(self, table: str, n: int) -> dict[str, Any]:
        """Wait for the update of entry n of a table."""
        async with asyncio.timeout(WAIT_S), self._changed:
            while not (updates := self.updates(table)) or updates[-1]["n"] < n:
                if self._task.done():
                    raise ConnectionError("the connection is closed")
                await self._changed.wait()
            return next(update for update in reversed(updates) if update["n"] == n)

    async def close(self) -> None:
        """Close the connection."""
        self.alive.discard(self)
        await self.socket.close()
        await asyncio.gather(self._task, return_exceptions=True)


def fill(offer: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Fill the blanks of an offer at random."""
    move = {"type": offer["move"]}
    for name, blank in offer["fill"].items():
        if not isinstance(blank, dict):
            move[name] = blank
        elif "of" not in blank:
            move[name] = chance.randint(blank["least"], blank["most"])
        elif "least" not in blank:
            move[name] = chance.choice(blank["of"])
        else:
            move[name] = chance.sample(blank["of"], chance.randint(blank["least"], blank["most"]))
    return move
