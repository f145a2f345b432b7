"""Chance that anybody can repeat: draws from a table's seed and the number of a log entry.

Block i (0, 1, ...) of an entry is SHA-256(seed || entry as 8 bytes || i as 4 bytes), big-endian. A block
gives eight 32-bit words, first to last. `below(n)` takes words until one is smaller than the
largest multiple of n that is at most 2^32, and answers that word modulo n.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from struct import Struct
from typing import TypeVar

T = TypeVar("T")

_WORDS = Struct(">8I")
_PLACE = Struct(">QI")
_SPAN = 1 << 32


class Chance:
    """The draws of one entry. Nothing is computed before the first draw."""

    __slots__ = ("_block", "_entry", "_seed", "_words")

    def __init__(self, seed: bytes, entry: int) -> None:
        self._seed = seed
        self._entry = entry
        self._block = 0
        self._words: list[int] = []

    def _draw_block(self) -> list[int]:
        """The next eight words, the first one last."""
        block = self._block
        self._block = block + 1
        self._words = words = list(_WORDS.unpack(sha256(self._seed + _PLACE.pack(self._entry, block)).digest()))
        words.reverse()
        return words

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each as likely."""
        if not 0 < n <= _SPAN:
            raise ValueError(f"expected 1 to 2^32, got {n}")
        last = _SPAN - n
        while True:
            word = (self._words or self._draw_block()).pop()
            drawn = word % n
            if word - drawn <= last:  # the n words from there on are all words, so that each remainder is as likely
                return drawn

    def pick(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in another order: from the last place down, each swaps with below(place + 1)."""
        mixed = list(items)
        for place in range(len(mixed) - 1, 0, -1):
            other = self.below(place + 1)
            mixed[place], mixed[other] = mixed[other], mixed[place]
        return tuple(mixed)

    def weighted(self, weights: Sequence[int]) -> int:
        """The index of one of the weights, as likely as its weight."""
        left = self.below(sum(weights))
        for index, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return index
        raise AssertionError("weights are not negative")
