"""Tells all nodes that the store has lost commands, for those that have not noticed it themselves.

A node notices by its own counter (rollback_guard.py). One that wrote nothing in the lost time has lost no command, but
may have folded entries of other nodes that are lost now.
"""

from __future__ import annotations

from server.store import keys
from server.store.pubsub import PubSub
from server.store.store import Store

ALL_SHARDS = range(keys.SHARDS)


class RollbackNotices:
    """Publishes that this node has noticed a rollback, and verifies all tables when another one has."""

    def __init__(self, store: Store, pubsub: PubSub, node: str) -> None:
        self._store = store
        self._pubsub = pubsub
        self._node = node.encode()

    def start(self) -> None:
        """Listen, and publish from now on."""
        self._pubsub.subscribe(keys.ROLLBACKS, self._on_message, lambda: None)
        self._store.on_rollback = self._publish

    def _publish(self) -> None:
        self._store.send_logged("telling other nodes of a rollback", "SPUBLISH", keys.ROLLBACKS, self._node)

    def _on_message(self, node: bytes) -> None:
        if node != self._node:
            self._store.on_unverified(ALL_SHARDS)
            self._store.on_back(ALL_SHARDS)
