"""Subscriptions to sharded channels. Published messages are hints: the logs are the truth."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from server.store.redis_connection import RedisConnection
from server.store.store import Store
from server.store.store_server import StoreServer


class Subscription:
    """One channel that this node listens to.

    `confirmed` is whether the store counts this node as a subscriber, `others` whether other nodes are known to
    subscribe too. `on_ready` is called when no later message can be missed.
    """

    __slots__ = ("confirmed", "on_message", "on_ready", "others", "server")

    def __init__(self, on_message: Callable[[bytes], None], on_ready: Callable[[], None], server: StoreServer) -> None:
        self.on_message = on_message
        self.on_ready = on_ready
        self.confirmed = False
        self.others = False
        self.server = server  # of the channel


class PubSub:
    """Subscriptions that survive the loss of a connection and the move of a channel to another server; `on_ready` is
    then called again. Each server of the store has a connection of its own for its channels."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._links: dict[StoreServer, RedisConnection] = {}
        self._subscriptions: dict[bytes, Subscription] = {}
        store.on_moved = self._follow

    async def start(self) -> None:
        """Connect."""
        for connection in self._store.connections():
            if connection.is_up:
                await self._make_link(connection.server).start()

    async def close(self) -> None:
        """Disconnect."""
        for link in self._links.values():
            await link.close()

    def subscribe(
        self, channel: str, on_message: Callable[[bytes], None], on_ready: Callable[[], None]
    ) -> Subscription:
        """Subscribe to a channel; what is read from the store after `on_ready` misses nothing."""
        server = self._store.connection(channel).server
        subscription = self._subscriptions[channel.encode()] = Subscription(on_message, on_ready, server)
        self._link(server).send_subscription("SSUBSCRIBE", channel)
        return subscription

    def unsubscribe(self, channel: str) -> None:
        """End the subscription, if there is one."""
        subscription = self._subscriptions.pop(channel.encode(), None)
        if subscription:
            subscription.confirmed = False
            self._link(subscription.server).send_subscription("SUNSUBSCRIBE", channel)

    # The connections.

    def _link(self, server: StoreServer) -> RedisConnection:
        link = self._links.get(server)
        if link is None:
            link = self._make_link(server)
            link.start_soon()
        return link

    def _make_link(self, server: StoreServer) -> RedisConnection:
        link = self._links[server] = RedisConnection(server, partial(self._pushed, server))
        link.on_reconnect = partial(self._resubscribe, server)
        link.on_lost = partial(self._lost, server)
        return link

    def _lost(self, server: StoreServer) -> None:
        for subscription in self._subscriptions.values():
            if subscription.server is server:
                subscription.confirmed = False

    def _resubscribe(self, server: StoreServer) -> None:
        for channel, subscription in self._subscriptions.items():
            if subscription.server is server:
                self._link(server).send_subscription("SSUBSCRIBE", channel)

    def _follow(self) -> None:
        """Channels may have moved to other servers: subscribe there."""
        serving = {connection.server for connection in self._store.connections()}
        for server in self._links.keys() - serving:
            self._links.pop(server).abandon()
        for server, link in self._links.items():
            if link.address != server.address:  # sentinels have named another primary
                link.give_up()
        for channel, subscription in self._subscriptions.items():
            server = self._store.connection(channel.decode()).server
            if server is not subscription.server or not subscription.confirmed:
                subscription.server = server
                subscription.confirmed = False
                self._link(server).send_subscription("SSUBSCRIBE", channel)

    def _pushed(self, server: StoreServer, push: Any) -> None:
        if not isinstance(push, list):
            if isinstance(push, Exception):  # another server has the channel
                self._store.refresh_soon()
            return  # or the answer to a ping before the first subscription
        subscription = self._subscriptions.get(push[1])
        if subscription is None or subscription.server is not server:
            return
        if push[0] == b"smessage":
            subscription.on_message(push[2])
        elif push[0] == b"ssubscribe":
            subscription.confirmed = True
            subscription.on_ready()
        elif push[0] == b"sunsubscribe":  # the channel has moved
            subscription.confirmed = False
            self._store.refresh_soon()
