"""Random numbers that anybody can compute again from a table's seed and the number of a log entry.

Block i (0, 1, ...) of an entry is SHA-256(seed || entry as 8 bytes || i as 4 bytes), big-endian. A block
gives eight 32-bit words, first to last. `below(n)` takes words until one is smaller than the
largest multiple of n that is at most 2^32, and returns that word modulo n.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from struct import Struct
from typing import Any, TypeVar

T = TypeVar("T")
Draw = tuple[str, Any]  # "below", "pick", "shuffled" or "weighted", and its argument

_WORDS = Struct(">8I")
_PLACE = Struct(">QI")
_SPAN = 1 << 32


def salted_seed(seed: bytes, salts: Sequence[str | None]) -> bytes:
    """The seed of a game to which seats have added salts, written in hex. Without any salt it is the table's seed."""
    if not any(salts):
        return seed
    digest = sha256(seed)
    for salt in salts:
        added = bytes.fromhex(salt or "")
        digest.update(bytes([len(added)]) + added)
    return digest.digest()


class Chance:
    """The random numbers of one entry. Nothing is computed before the first one is drawn.

    If `draws` is given, each draw is added to it: its name, and what it was drawn from.
    """

    __slots__ = ("_block", "_draws", "_entry", "_seed", "_words")

    def __init__(self, seed: bytes, entry: int, draws: list[Draw] | None = None) -> None:
        self._seed = seed
        self._entry = entry
        self._block = 0
        self._words: list[int] = []
        self._draws = draws

    def _draw_block(self) -> list[int]:
        """Compute the next eight words, in reverse order."""
        block = self._block
        self._block = block + 1
        self._words = words = list(_WORDS.unpack(sha256(self._seed + _PLACE.pack(self._entry, block)).digest()))
        words.reverse()
        return words

    def below(self, n: int) -> int:
        """Draw a whole number from 0 to n - 1, all equally likely."""
        if self._draws is not None:
            self._draws.append(("below", n))
        return self._below(n)

    def _below(self, n: int) -> int:
        if not 0 < n <= _SPAN:
            raise ValueError(f"expected 1 to 2^32, got {n}")
        last = _SPAN - n
        while True:
            word = (self._words or self._draw_block()).pop()
            drawn = word % n
            if word - drawn <= last:  # the word is in a complete run of n values: all remainders are equally likely
                return drawn

    def pick(self, items: Sequence[T]) -> T:
        """Draw one of the items."""
        if self._draws is not None:
            self._draws.append(("pick", tuple(items)))
        return items[self._below(len(items))]

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """Shuffle the items: from the last place down, each is swapped with the one at below(place + 1)."""
        if self._draws is not None:
            self._draws.append(("shuffled", tuple(items)))
        mixed = list(items)
        for place in range(len(mixed) - 1, 0, -1):
            other = self._below(place + 1)
            mixed[place], mixed[other] = mixed[other], mixed[place]
        return tuple(mixed)

    def weighted(self, weights: Sequence[int]) -> int:
        """Draw the index of one of the weights, with a probability in proportion to its weight."""
        if self._draws is not None:
            self._draws.append(("weighted", tuple(weights)))
        left = self._below(sum(weights))
        for index, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return index
        raise AssertionError("weights are not negative")
