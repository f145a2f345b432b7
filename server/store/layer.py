"""The parts of the store of one node. Read the constructor from top to bottom: each part uses only parts above it."""

from __future__ import annotations

from server.store.announcer import MoveAnnouncer
from server.store.deadline_index import DeadlineIndex
from server.store.durability import Durability
from server.store.heartbeats import Heartbeats
from server.store.memory import StoreMemory
from server.store.open_store import open_store
from server.store.pubsub import PubSub
from server.store.quotas import Quotas
from server.store.rollback_notices import RollbackNotices
from server.store.table_log import TableLog


class StoreLayer:
    """What this node shares with the others."""

    def __init__(self, redis_url: str, node: str, durability: Durability) -> None:
        self.store = open_store(redis_url, node, durability)
        self.memory = StoreMemory(self.store)
        self.quotas = Quotas(self.store)
        self.log = TableLog(self.store)
        self.deadlines = DeadlineIndex(self.store)
        self.heartbeats = Heartbeats(self.store, node)
        self.announcer = MoveAnnouncer(self.store)
        self.pubsub = PubSub(self.store)
        self.rollback_notices = RollbackNotices(self.store, self.pubsub, node)
