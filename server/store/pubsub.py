"""What nodes tell each other: sharded channels. A hint, never the truth."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from server.store import Answer, Store

ASK_S = 0.02  # how long after something was said to nobody the store is asked whether somebody listens


class Channel:
    """Who listens on a channel, and what they do once nothing said from now on can be missed.

    `on` is whether the store has said that it counts us among those who listen, `others` whether it counted more.
    """

    __slots__ = ("heard", "on", "others", "ready")

    def __init__(self, heard: Callable[[bytes], None], ready: Callable[[], None]) -> None:
        self.heard = heard
        self.ready = ready
        self.on = False
        self.others = False


Said = tuple[int, bytes, Channel | None]  # an entry, and how we listen ourselves where it is told


class Telling:
    """Tells other nodes of moves, where one of them listens.

    Where none did so far the last word is kept, and the store is asked a moment later, for all such channels
    together. So nobody is missed: who listens before the store is asked is told, who does after it has still to
    read the log.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[str, Said] = {}

    def tell(self, channel: str, ours: Channel | None, n: int, entry: bytes) -> None:
        """Tell of entry n on a channel; `ours` is how this node listens there."""
        said = n, entry, ours
        if ours is not None and ours.others:
            self._publish(channel, said)
        elif channel in self._kept:
            self._kept[channel] = said
        else:
            self._keep(channel, said)

    def _keep(self, channel: str, said: Said) -> None:
        if not self._kept:
            asyncio.get_running_loop().call_later(ASK_S, self._ask)
        self._kept[channel] = said

    def _ask(self) -> None:
        kept, self._kept = self._kept, {}
        counted = [ours is not None and ours.on for _, _, ours in kept.values()]
        self._store.send(partial(self._answered, kept, counted), "PUBSUB", "SHARDNUMSUB", *kept)

    def _answered(self, kept: dict[str, Said], counted: list[bool], answer: Answer) -> None:
        counts = [2] * len(kept) if isinstance(answer, Exception) else answer[1::2]  # unknown: say it, and see
        for (channel, said), before, count in zip(kept.items(), counted, counts, strict=True):
            ours = said[2]
            if count > (before and ours is not None and ours.on):
                self._publish(channel, said)

    def _publish(self, channel: str, said: Said) -> None:
        self._store.send(partial(self._published, channel, said), "SPUBLISH", channel, b"%d %b" % said[:2])

    def _published(self, channel: str, said: Said, answer: Answer) -> None:
        ours = said[2]
        if isinstance(answer, Exception):
            self._keep(channel, said)
        elif ours is not None:
            ours.others = answer > ours.on


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
