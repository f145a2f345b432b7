"""What other nodes tell: sharded channels over a connection of their own. A hint, never the truth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from server.store import Store


class Channel:
    """Who listens on a channel, and what they do once nothing said from now on can be missed.

    `on` is whether the store has said that it counts us among those who listen.
    """

    __slots__ = ("heard", "on", "ready")

    def __init__(self, heard: Callable[[bytes], None], ready: Callable[[], None]) -> None:
        self.heard = heard
        self.ready = ready
        self.on = False


class Feed:
    """Subscriptions that survive the loss of the connection; `ready` is called again each time."""

    def __init__(self, url: str) -> None:
        self._store = Store(url, self._pushed)
        self._store.on_back = self._again
        self._store.on_lost = self._off
        self._channels: dict[bytes, Channel] = {}

    async def start(self) -> None:
        """Connect."""
        await self._store.start()

    async def close(self) -> None:
        """Stop listening."""
        await self._store.close()

    def listen(self, channel: str, heard: Callable[[bytes], None], ready: Callable[[], None]) -> Channel:
        """Hear a channel; whatever is read after `ready` misses nothing."""
        listening = self._channels[channel.encode()] = Channel(heard, ready)
        self._store.tell("SSUBSCRIBE", channel)
        return listening

    def stop(self, channel: str) -> None:
        """Hear it no more."""
        listening = self._channels.pop(channel.encode(), None)
        if listening:
            listening.on = False
            self._store.tell("SUNSUBSCRIBE", channel)

    def _off(self) -> None:
        for channel in self._channels.values():
            channel.on = False

    def _again(self) -> None:
        for channel in self._channels:
            self._store.tell("SSUBSCRIBE", channel)

    def _pushed(self, push: list[Any]) -> None:
        channel = self._channels.get(push[1])
        if channel is None:
            return
        if push[0] == b"smessage":
            channel.heard(push[2])
        elif push[0] == b"ssubscribe":
            channel.on = True
            channel.ready()
