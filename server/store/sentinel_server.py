"""A server that sentinels watch: they say which one is the primary now."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

import redis.asyncio

from server.store.address import StoreAddress, StoreUrl
from server.store.answers import StoreLost
from server.store.durability import Durability
from server.store.store_server import Ask, StoreServer

ASK_S = 0.5  # a sentinel that does not answer for so long is skipped


class Named(NamedTuple):
    """The server that a sentinel names: the primary of the last failover, or the replica that it promotes just now."""

    epoch: int  # of the last failover that the sentinel knows
    promoted: bool
    host: str
    port: int


class SentinelServer(StoreServer):
    """The primary of a service, found anew for each connection."""

    connect_s = 1.5  # a primary that hangs is given up soon, because another one is about to replace it

    def __init__(self, url: StoreUrl, durability: Durability = "process") -> None:
        super().__init__(StoreAddress.from_url(url.hosts[0]), durability)
        self._url = url

    async def find(self) -> StoreAddress:
        """Ask all sentinels. A replica that one of them promotes counts as the primary: it is named a second later."""
        answers = await asyncio.gather(*map(self._ask, self._url.hosts), return_exceptions=True)
        named = [answer for answer in answers if isinstance(answer, Named)]
        if not named:
            raise StoreLost(f"no sentinel knows a primary named {self._url.service!r}: {answers[-1]}")
        newest = max(named, key=lambda one: (one.epoch, one.promoted))
        self.address = StoreAddress.from_url(self._url.at(newest.host, newest.port))
        return self.address

    async def _ask(self, sentinel: str) -> Named:
        client = redis.asyncio.Redis.from_url(
            sentinel, socket_timeout=ASK_S, socket_connect_timeout=ASK_S, retry=None, decode_responses=True
        )
        async with client, asyncio.timeout(ASK_S):  # the client is closed also when the time is over
            primary: Any = await client.sentinel_master(self._url.service)
            replicas: Any = await client.sentinel_slaves(self._url.service)
        promoted = [one for one in replicas if "promoted" in one["flags"]]
        found = promoted[0] if promoted else primary
        return Named(int(primary["config-epoch"]), bool(promoted), found["ip"], int(found["port"]))

    async def verify(self, ask: Ask) -> None:
        """Refuse a server that is no primary: the sentinels may not know yet that it was replaced."""
        await super().verify(ask)
        if (await ask("ROLE"))[0] != b"master":
            raise StoreLost(f"the server at {self.address} is not the primary")
