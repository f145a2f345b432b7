"""A cache of bytes that were costly to make, with a bound on its size and on their age."""

from __future__ import annotations

from collections import OrderedDict
from time import monotonic
from typing import Generic, NamedTuple, TypeVar

K = TypeVar("K")
MAX_AGE_S = 600.0  # a replay changes if somebody who played deletes their account, and nodes do not tell each other


class _Kept(NamedTuple):
    content: bytes
    at: float


class BytesCache(Generic[K]):
    """Keeps at most `max_bytes` in memory, each for MAX_AGE_S; what was unused longest is dropped first."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._kept: OrderedDict[K, _Kept] = OrderedDict()
        self._size = 0

    def find(self, key: K) -> bytes | None:
        """What is kept under this key."""
        found = self._kept.get(key)
        if found is None:
            return None
        if monotonic() - found.at > MAX_AGE_S:
            self._drop(key)
            return None
        self._kept.move_to_end(key)
        return found.content

    def keep(self, key: K, content: bytes) -> None:
        """Keep this content, unless it alone is larger than the cache; it replaces what the key had."""
        self._drop(key)
        self._size += len(content)
        self._kept[key] = _Kept(content, monotonic())
        while self._size > self._max_bytes:
            self._drop(next(iter(self._kept)))

    def _drop(self, key: K) -> None:
        found = self._kept.pop(key, None)
        self._size -= len(found.content) if found else 0
