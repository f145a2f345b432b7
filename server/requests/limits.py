"""How much one connection may ask for, keep waiting and leave unread."""

from __future__ import annotations

from time import monotonic

from protocol.messages import MOST_BYTES

BURST = 60  # requests that may come at once; moves that are made count nothing
PER_SECOND = 20
CHATS = 5  # in ten seconds
TABLES = {False: 64, True: 1000}  # feeds of one connection: of a person, of a bot
MOST_UNANSWERED = 32  # moves of one connection that wait for an answer
MOST_UNREAD = 1024 * 1024  # bytes that a connection may leave unread before it is cut
MOST_BLOCKED = 200  # requests refused for their rate before the connection is closed
SLOW_S = 10  # how long a slow connection has to take what is waiting for it

LIMITS = {
    "frame_bytes": MOST_BYTES,
    "requests_per_second": PER_SECOND,
    "burst": BURST,
    "chats_per_10_s": CHATS,
    "feeds": TABLES[False],
    "feeds_bot": TABLES[True],
}


class Bucket:
    """So much at once, so much a second."""

    __slots__ = ("_at", "_left", "_most", "_rate")

    def __init__(self, most: float, rate: float) -> None:
        self._most = self._left = most
        self._rate = rate
        self._at = monotonic()

    def take(self, amount: float) -> int:
        """0, or after how many milliseconds there is enough."""
        now = monotonic()
        self._left = min(self._most, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left >= amount:
            self._left -= amount
            return 0
        return max(1, int((amount - self._left) / self._rate * 1000))

    def owe(self, amount: float) -> None:
        """Take it in any case, into debt."""
        self.take(0)
        self._left -= amount

    def debt(self) -> int:
        """0, or after how many milliseconds nothing is owed any more."""
        return 0 if self._left >= 0 else self.take(0)
