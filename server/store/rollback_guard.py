"""Holds answers back until the write counter shows that the store has lost nothing.

At durability `replica` they are also held until a replica has confirmed the write.
"""

from __future__ import annotations

from collections import deque

from server.store import keys
from server.store.answers import Answer, Then, pack

WAIT_MS = 1_000  # how long a batch waits for a replica; the connection is blocked meanwhile
FAILED_WAIT_MS = 100  # how long it waits after a batch that no replica has confirmed


class RollbackGuard:
    """Notices that a store has lost commands which it had executed, also if the connection stayed up.

    Every batch with guarded commands ends with an increment of this node's own counter in the store. If the answer is
    not one more than the last one, the store has gone back in time, for instance to the state of a replica that
    lagged behind. Then no answer of the batch is trusted. The answers are held back until the counter's has come.
    The first batch of a connection is always guarded, so that the counter is known before anything is built on it.
    A connection without a node's name or a key for the counter has no guard.

    With `waits`, which is the durability `replica`, the batch ends with a WAIT too: unless a replica has confirmed
    everything up to the counter, no answer of the batch is given.
    """

    def __init__(self, node: str = "", key: str = keys.WRITE_COUNTERS, waits: bool = False) -> None:
        self.node = node
        self.waits = waits
        self._wait_ms = WAIT_MS
        self.wanted = False  # a guarded command waits to be written
        self.pending = 0  # counters that are not answered yet
        self.refuses = False  # the last counter was refused
        self._distrusted = 0  # batches that were under way when the store was seen to have lost something
        self.held: list[tuple[Then, Answer]] = []
        self._counting: deque[Counter] = deque()  # those of the batches that are not answered yet
        self.use(key)
        self.wanted = False

    def use(self, key: str) -> None:
        """Count in this hash from now on. The first answer is the new beginning, and what was appended before it is
        unverified."""
        self.key = key
        self._packed = pack(("HINCRBY", key, self.node, 1))
        self._counter = Counter()
        self.connected()

    @property
    def counts(self) -> bool:
        """Whether there is a counter."""
        return bool(self.node and self.key)

    def connected(self) -> None:
        """A connection is up: its first batch learns the counter's value."""
        self.wanted = self.counts

    def increment(self) -> bytes:
        """The command that ends a batch."""
        self.wanted = False
        self.pending += 1
        self._counting.append(self._counter)
        return self._packed + pack(("WAIT", 1, self._wait_ms)) if self.waits else self._packed

    def is_replicated(self, answer: Answer) -> bool:
        """Whether a replica has confirmed a batch, from the answer to its WAIT."""
        confirmed = isinstance(answer, int) and answer > 0
        self._wait_ms = WAIT_MS if confirmed else FAILED_WAIT_MS
        return confirmed

    def passes(self, value: int) -> bool:
        """Whether the counter has gone on by one."""
        self.pending -= 1
        self.refuses = False
        counter = self._counting.popleft()
        before, counter.value = counter.value, value
        if self._distrusted:
            self._distrusted -= 1
            return False
        if before is None or value == before + 1:
            return True
        self._distrusted = self.pending  # these were written before the loss was noticed
        return False

    def refused(self) -> bool:
        """The counter was not incremented: the store refuses writes, or another server has the counter.

        It keeps its value, so the next increment shows whether something was lost meanwhile. Returns whether this is
        the first refusal in a row.
        """
        self.pending -= 1
        self._distrusted = max(0, self._distrusted - 1)
        if self._counting.popleft().value is None:  # the next batch learns the counter's value
            self.wanted = self.counts
        first, self.refuses = not self.refuses, True
        return first

    def reset(self) -> list[tuple[Then, Answer]]:
        """Forget everything about a lost connection; returns the answers that were held back."""
        held, self.held = self.held, []
        self.wanted, self.pending, self.refuses, self._counter = False, 0, False, Counter()
        self._distrusted = 0
        self._counting.clear()
        return held


class Counter:
    """The last known value of a write counter; None after a connect, until the first answer sets it."""

    def __init__(self) -> None:
        self.value: int | None = None
