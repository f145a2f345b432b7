"""Announces moves to the other nodes, on channels where another node subscribes.

If no other node is known to subscribe, the announcer keeps the number of the table's newest move and asks the store
ASK_S later, for all such channels in one command, how many subscribers there are. No node misses a move: one that
subscribed before the question gets the number, and one that subscribes after it reads the log first.

A move is published with its content only over the connection that has just confirmed its append. What is published
later is the number alone, so that the other nodes read the log: the store may have lost the move meanwhile.
"""

from __future__ import annotations

import asyncio
from functools import partial

from server.store.answers import Answer
from server.store.pubsub import Subscription
from server.store.redis_connection import RedisConnection
from server.store.store import Store

ASK_S = 0.02

Kept = tuple[int, Subscription | None]  # the number of a move, and this node's own subscription to the channel


class MoveAnnouncer:
    """Publishes appended moves where somebody subscribes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[str, Kept] = {}

    def announce(self, channel: str, ours: Subscription | None, n: int, entry: bytes) -> None:
        """Announce entry n on a channel; `ours` is this node's subscription there, if it has one."""
        if ours is not None and ours.others:
            self._publish(channel, (n, ours), entry)
        else:
            self._keep(channel, (n, ours))

    def _keep(self, channel: str, move: Kept) -> None:
        if not self._kept:
            asyncio.get_running_loop().call_later(ASK_S, self._ask)
        kept = self._kept.get(channel)
        if kept is None or kept[0] < move[0]:
            self._kept[channel] = move

    def _ask(self) -> None:
        kept, self._kept = self._kept, {}
        groups: dict[RedisConnection, dict[str, Kept]] = {}  # each server knows the subscribers of its own channels
        for channel, move in kept.items():
            groups.setdefault(self._store.connection(channel), {})[channel] = move
        for connection, moves in groups.items():
            was_confirmed = [ours is not None and ours.confirmed for _, ours in moves.values()]
            connection.send(partial(self._asked, moves, was_confirmed), "PUBSUB", "SHARDNUMSUB", *moves)

    def _asked(self, kept: dict[str, Kept], was_confirmed: list[bool], answer: Answer) -> None:
        counts = [2] * len(kept) if isinstance(answer, Exception) else answer[1::2]  # if unknown, publish
        for (channel, move), before, count in zip(kept.items(), was_confirmed, counts, strict=True):
            ours = move[1]
            if count > (before and ours is not None and ours.confirmed):
                self._publish(channel, move, b"")

    def _publish(self, channel: str, move: Kept, entry: bytes) -> None:
        """Publish a move over the present connection, not where a cluster redirects it to: see above."""
        then = partial(self._published, channel, move)
        self._store.connection(channel).send(then, "SPUBLISH", channel, b"%d %b" % (move[0], entry))

    def _published(self, channel: str, move: Kept, answer: Answer) -> None:
        ours = move[1]
        if isinstance(answer, Exception):
            self._keep(channel, move)
        elif ours is not None:
            ours.others = answer > ours.confirmed
