"""A server to which connections are made, again and again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from server.store.address import StoreAddress
from server.store.answers import StoreLost
from server.store.durability import Durability, syncs_always

Ask = Callable[..., Awaitable[Any]]  # sends a command over a new connection and returns its answer


class StoreServer:
    """A server at a fixed address; `address` is where it was found last."""

    connect_s = 3.0  # for connecting and authenticating

    def __init__(self, address: StoreAddress, durability: Durability = "process") -> None:
        self.address = address
        self._durability = durability

    @classmethod
    def at(cls, url: str, durability: Durability = "process") -> StoreServer:
        """The server at a redis://, rediss:// or unix:// URL."""
        return cls(StoreAddress.from_url(url), durability)

    async def find(self) -> StoreAddress:
        """Where to connect now."""
        return self.address

    async def verify(self, ask: Ask) -> None:
        """Raise an error if a server that was connected to must not be used; `ask` sends it a command."""
        if self._durability == "disk" and not syncs_always(await ask("CONFIG", "GET", "append*")):
            raise StoreLost(f"the store at {self.address} does not run with appendonly yes and appendfsync always")
