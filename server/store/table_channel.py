"""The channel of one table, as this node uses it: new entries, chat messages and presence reports."""

from __future__ import annotations

from collections.abc import Callable

from server.store import keys
from server.store.announcer import MoveAnnouncer
from server.store.pubsub import PubSub, Subscription

CHAT = b"chat"
PRESENCE = b"here"


class TableChannel:
    """Subscribes to a table's channel and announces moves on it."""

    __slots__ = ("_announcer", "_name", "_pubsub", "_subscription")

    def __init__(self, table: str, pubsub: PubSub, announcer: MoveAnnouncer) -> None:
        self._name = keys.table_channel(table)
        self._pubsub = pubsub
        self._announcer = announcer
        self._subscription: Subscription | None = None

    @property
    def subscribed(self) -> bool:
        """Whether this node hears what other nodes commit."""
        return self._subscription is not None

    def subscribe(self, on_message: Callable[[bytes, bytes], None], on_ready: Callable[[], None]) -> None:
        """Subscribe, unless that was done. `on_message` gets the kind of message, CHAT, PRESENCE or the number of an
        entry, and its payload."""
        if self._subscription is None:

            def split(message: bytes) -> None:
                kind, _, payload = message.partition(b" ")
                on_message(kind, payload)

            self._subscription = self._pubsub.subscribe(self._name, split, on_ready)

    def unsubscribe(self) -> None:
        """End the subscription."""
        if self._subscription is not None:
            self._subscription = None
            self._pubsub.unsubscribe(self._name)

    def others_subscribe(self) -> None:
        """Record that another node uses the channel, so that moves are announced at once."""
        if self._subscription is not None:
            self._subscription.others = True

    def announce(self, n: int, entry: bytes) -> None:
        """Announce that entry n was appended."""
        self._announcer.announce(self._name, self._subscription, n, entry)
