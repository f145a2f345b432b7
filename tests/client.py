"""A client that shares no code with ours: `websockets` and `msgpack` only, as a stranger would write it."""

from __future__ import annotations

import asyncio
import itertools
import random
from typing import Any, ClassVar

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

WAIT_S = 20


class Client:
    """One connection that keeps what it hears, in order."""

    alive: ClassVar[set[Client]] = set()

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []
        self.token = ""
        self.user: dict[str, Any] = {}
        self.welcome: dict[str, Any] = {}
        self.closed_with: int | None = None
        self._updates: dict[str, list[dict[str, Any]]] = {}
        self._sent_at: dict[int, int] = {}
        self._numbers = itertools.count(1)
        self._news = asyncio.Condition()
        self.alive.add(self)
        self._task = asyncio.create_task(self._listen())

    @classmethod
    async def join(cls, url: str, name: str = "Tester", **hello: Any) -> Client:
        """Connect and say hello."""
        client = cls(await connect(url, compression=None, max_size=None))
        if "token" not in hello:
            hello["name"] = name
        client.welcome = await client.request("hello", v=1, **hello)
        if client.welcome["type"] == "error":
            raise PermissionError(client.welcome["code"])
        client.token = hello.get("token") or client.welcome["token"]
        client.user = client.welcome["user"]
        return client

    async def _listen(self) -> None:
        try:
            async for frame in self.socket:
                message = msgpack.unpackb(frame)
                async with self._news:
                    self.heard.append(message)
                    if message["type"] == "update":
                        self._updates.setdefault(message["table"], []).append(message)
                    self._news.notify_all()
        except ConnectionClosed as closed:
            self.closed_with = closed.rcvd.code if closed.rcvd else None
        finally:
            async with self._news:
                self._news.notify_all()

    async def until(self, wanted: Any, since: int = 0) -> dict[str, Any]:
        """The first message after `since` that is wanted; waits for it."""
        at = since
        async with asyncio.timeout(WAIT_S), self._news:
            while True:
                while at < len(self.heard):
                    if wanted(self.heard[at]):
                        return self.heard[at]
                    at += 1
                if self._task.done():
                    raise ConnectionError("the connection is closed")
                await self._news.wait()

    async def send(self, type: str, **fields: Any) -> int:  # noqa: A002
        """Send a request; its id."""
        number = next(self._numbers)
        self._sent_at[number] = len(self.heard)
        try:
            await self.socket.send(msgpack.packb({"type": type, "id": number, **fields}))
        except ConnectionClosed:
            raise ConnectionError("the connection is closed") from None
        return number

    async def answer(self, number: int) -> dict[str, Any]:
        """The answer to the request of this id."""
        return await self.until(lambda message: message.get("id") == number, self._sent_at.pop(number, 0))

    async def request(self, type: str, **fields: Any) -> dict[str, Any]:  # noqa: A002
        """Send a request and wait for its answer."""
        return await self.answer(await self.send(type, **fields))

    async def next(self, type: str, since: int | None = None, **like: Any) -> dict[str, Any]:  # noqa: A002
        """The first message of this type, after `since`, with these fields."""
        return await self.until(
            lambda message: message["type"] == type and all(message.get(key) == like[key] for key in like),
            len(self.heard) if since is None else since,
        )

    def last(self, type: str) -> dict[str, Any]:  # noqa: A002
        """The newest message of this type."""
        return next(message for message in reversed(self.heard) if message["type"] == type)

    def updates(self, table: str) -> list[dict[str, Any]]:
        """Every update of a table, in order."""
        return self._updates.get(table, [])

    async def entry(self, table: str, n: int) -> dict[str, Any]:
        """Wait until entry n of a table has been shown."""
        async with asyncio.timeout(WAIT_S), self._news:
            while not (updates := self.updates(table)) or updates[-1]["n"] < n:
                if self._task.done():
                    raise ConnectionError("the connection is closed")
                await self._news.wait()
            return next(update for update in reversed(updates) if update["n"] == n)

    async def close(self) -> None:
        """Go."""
        self.alive.discard(self)
        await self.socket.close()
        await asyncio.gather(self._task, return_exceptions=True)


def fill(offer: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """A filling of the offer by chance."""
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
