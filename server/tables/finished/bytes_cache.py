"""A cache of bytes that were costly to make, with a bound on its size."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

K = TypeVar("K")


class BytesCache(Generic[K]):
    """Keeps at most `max_bytes` in memory; what was unused longest is dropped first."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._kept: OrderedDict[K, bytes] = OrderedDict()
        self._size = 0

    def find(self, key: K) -> bytes | None:
        """What is kept under this key."""
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def keep(self, key: K, content: bytes) -> None:
        """Keep this content, unless it alone is larger than the cache; it replaces what the key had."""
        self._size += len(content) - len(self._kept.pop(key, b""))
        self._kept[key] = content
        while self._size > self._max_bytes:
            self._size -= len(self._kept.popitem(last=False)[1])
