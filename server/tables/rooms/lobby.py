"""The lobby: public tables to join or to watch, on all nodes. Derived data: the logs are the truth."""

from __future__ import annotations

import asyncio
import logging

import msgspec

from server.store import keys
from server.store.answers import Answer
from server.store.pubsub import PubSub
from server.store.store import Store
from server.tables.rooms.lobby_feed import LobbyFeed
from server.tables.rooms.lobby_order import Listing

log = logging.getLogger("cheeseboard.lobby")

encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(Listing | str).decode


class Lobby:
    """The lobby's tables on all nodes; `feed` shows them to the clients of this node."""

    def __init__(self, store: Store, pubsub: PubSub) -> None:
        self._store = store
        self._pubsub = pubsub
        self._tables: dict[str, Listing] = {}
        self._reads = 0  # reads of the whole list that are under way
        self._newer: set[str] = set()  # tables that changed while the list was being read
        self._loaded = asyncio.Event()
        self.feed = LobbyFeed(self._tables)

    async def start(self) -> None:
        """Subscribe to changes, then read the whole list."""
        self._pubsub.subscribe(keys.LOBBY, self._on_message, self.reload)
        await self._loaded.wait()
        self.feed.send_changes()

    def reload(self) -> None:
        """Read the whole list, because changes may have been missed."""
        self._reads += 1
        self._store.send(self._read, "HGETALL", keys.LOBBY)

    def _read(self, answer: Answer) -> None:
        self._reads -= 1
        self._loaded.set()
        if isinstance(answer, Exception):
            log.warning("reading the lobby failed, will be retried on reconnect: %s", answer)
        else:
            self._replace({one.table.table: one for one in map(decode, answer[1::2]) if isinstance(one, Listing)})
        if not self._reads:
            self._newer.clear()

    def _replace(self, tables: dict[str, Listing]) -> None:
        for table in (self._tables.keys() | tables.keys()) - self._newer:
            if table in tables:
                self._tables[table] = tables[table]
            else:
                self._forget(table)
        self.feed.send_changes_soon()

    def _forget(self, table: str) -> None:
        if self._tables.pop(table, None) is not None:  # a private table was never listed, and nobody may learn its id
            self.feed.removed.add(table)

    def find(self, table: str) -> Listing | None:
        """The table as the lobby lists it, if it does."""
        return self._tables.get(table)

    def publish(self, listing: Listing) -> None:
        """List a table, or change how it is listed."""
        payload = encode(listing)
        self._store.send_logged("listing a table", "HSET", keys.LOBBY, listing.table.table, payload)
        self._store.send_logged("listing a table", "SPUBLISH", keys.LOBBY, payload)

    def remove(self, table: str) -> None:
        """Take a table off the list."""
        self._store.send_logged("removing a table from the lobby", "HDEL", keys.LOBBY, table)
        self._store.send_logged("removing a table from the lobby", "SPUBLISH", keys.LOBBY, encode(table))

    async def remove_for_good(self, table: str) -> None:
        """Take a table that is over off the list; raises StoreLost if that is not done."""
        await self._store.call("HDEL", keys.LOBBY, table)
        self._store.send_logged("removing a table from the lobby", "SPUBLISH", keys.LOBBY, encode(table))

    def _on_message(self, payload: bytes) -> None:
        change = decode(payload)
        if isinstance(change, str):
            table = change
            self._forget(table)
        else:
            table = change.table.table
            self._tables[table] = change
        if self._reads:
            self._newer.add(table)
        self.feed.send_changes_soon()
