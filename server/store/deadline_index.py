"""The next deadline of every table, in one sorted set per shard.

Any node may claim a table whose deadline has passed; the compare-and-set append makes it happen once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from server.store import keys
from server.store.answers import Answer
from server.store.store import Store

AT_ONCE = 100  # tables of a shard that a node claims at a time
CLAIMED_MS = 3_000  # how long a claimed table is hidden from the other nodes


class DeadlineIndex:
    """Reads and sets deadlines in the store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def claim_due(self, shards: Iterable[int], now: int) -> list[asyncio.Future[Answer]]:
        """Claim the tables of these shards whose deadline has passed; the answers list their ids.

        One server is asked once for all shards. A cluster is asked once for each shard, in one write for each primary.
        """
        groups = self._store.group(map(keys.deadlines, shards))
        end = (now, AT_ONCE, CLAIMED_MS)
        return [self._store.request("FCALL", "claim_due", len(group), *group, *end) for group in groups]

    def postpone(self, table: str, last: int, deadline: int) -> None:
        """Set the deadline of a table unless its log has grown beyond entry `last`."""
        log, deadlines = keys.table_log(table), keys.deadlines(keys.shard(table))
        command = ("FCALL", "postpone_deadline", 2, log, deadlines, last, table, deadline)
        self._store.send_logged("postponing a deadline", *command)

    def set(self, table: str, deadline: int) -> None:
        """Set the deadline of a table."""
        self._store.send_logged("setting a deadline", "ZADD", keys.deadlines(keys.shard(table)), deadline, table)

    def release(self, table: str, at: int) -> None:
        """Let a claimed table be claimed again from this time on, by any node."""
        what, shard = "releasing a table", keys.deadlines(keys.shard(table))
        self._store.send_logged(what, "ZADD", shard, "XX", "LT", at, table)

    def remove(self, table: str) -> None:
        """Forget the deadline of a table."""
        self._store.send_logged("removing a deadline", "ZREM", keys.deadlines(keys.shard(table)), table)
