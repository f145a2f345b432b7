"""Chance, compared with a second implementation that was written from its documentation alone."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from itertools import count, islice

import pytest

from games.chance import Chance

SEED = b"a fixed seed"


def words(seed: bytes, entry: int) -> Iterator[int]:
    """Yield eight words of four bytes from each block, first to last, big-endian."""
    for block in count():
        digest = hashlib.sha256(seed + entry.to_bytes(8, "big") + block.to_bytes(4, "big")).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")


def below(n: int, stream: Iterator[int]) -> int:
    """Return the first word below the largest multiple of n that is at most 2^32, modulo n."""
    return next(word for word in stream if word < 2**32 // n * n) % n


def test_draws_follow_the_documentation() -> None:
    for entry in (0, 1, 77, 2**40):
        chance, stream = Chance(SEED, entry), words(SEED, entry)
        for n in (1, 2, 3, 6, 52, 104, 1000, 2**31 + 1, 3 * 2**30, 2**32 - 1, 2**32) * 5:
            assert chance.below(n) == below(n, stream)


def test_words_are_used_up_one_by_one() -> None:
    chance = Chance(SEED, 5)
    assert [chance.below(2**32) for _ in range(20)] == list(islice(words(SEED, 5), 20))


def test_a_word_that_would_favour_low_numbers_is_passed_over() -> None:
    n = 2**31 + 1  # nearly half of all words are too high
    stream = list(islice(words(SEED, 9), 200))
    expected = [word for word in stream if word < n][:60]
    assert expected != stream[:60]
    chance = Chance(SEED, 9)
    assert [chance.below(n) for _ in range(60)] == expected


def test_literal_values() -> None:
    assert hashlib.sha256(SEED + bytes(8) + bytes(4)).hexdigest()[:16] == "aee7402cde0055dd"
    chance = Chance(SEED, 0)
    assert [chance.below(2**32) for _ in range(2)] == [2934390828, 3724563933]
    assert [Chance(SEED, entry).below(6) for entry in range(12)] == [0, 0, 2, 3, 5, 1, 3, 5, 3, 1, 5, 1]
    assert "".join(Chance(SEED, 1).shuffled("abcdefgh")) == "hbedafcg"
    assert "".join(Chance(SEED, entry).pick("xyz") for entry in range(8)) == "xxzxzyxz"
    assert [Chance(SEED, entry).weighted((3, 0, 5, 2)) for entry in range(12)] == [3, 0, 2, 2, 0, 2, 2, 2, 2, 2, 2, 3]


def test_shuffling_swaps_from_the_last_place_down() -> None:
    mixed, stream = list("abcdefghijklm"), words(SEED, 3)
    for place in range(len(mixed) - 1, 0, -1):
        other = below(place + 1, stream)
        mixed[place], mixed[other] = mixed[other], mixed[place]
    assert Chance(SEED, 3).shuffled("abcdefghijklm") == tuple(mixed)


def test_weights_are_laid_end_to_end() -> None:
    for entry in range(50):
        at = below(10, words(SEED, entry))
        assert Chance(SEED, entry).weighted((3, 0, 5, 2)) == (0 if at < 3 else 2 if at < 8 else 3)


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_a_number_that_cannot_be_drawn_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="expected 1 to 2"):
        Chance(SEED, 0).below(n)


def test_entries_and_seeds_have_their_own_draws() -> None:
    drawn = {tuple(Chance(seed, entry).shuffled(range(20))) for seed in (b"a", b"b") for entry in range(50)}
    assert len(drawn) == 100


def chi_squared(counts: Counter[int], expected: dict[int, float]) -> float:
    return sum((counts[value] - many) ** 2 / many for value, many in expected.items())


def test_all_numbers_are_as_likely() -> None:
    chance = Chance(SEED, 0)
    counts = Counter(chance.below(10) for _ in range(20_000))
    assert chi_squared(counts, dict.fromkeys(range(10), 2000.0)) < 27.9  # 9 degrees of freedom, 1 in 1,000


def test_all_orders_are_as_likely() -> None:
    chance = Chance(SEED, 1)
    orders = Counter(int("".join(chance.shuffled("1234"))) for _ in range(12_000))
    assert len(orders) == 24
    assert chi_squared(orders, dict.fromkeys(orders, 500.0)) < 49.7  # 23 degrees of freedom, 1 in 1,000


def test_weights_are_kept() -> None:
    chance = Chance(SEED, 2)
    counts = Counter(chance.weighted((30, 30, 30, 10)) for _ in range(10_000))
    assert chi_squared(counts, {0: 3000.0, 1: 3000.0, 2: 3000.0, 3: 1000.0}) < 16.3  # 3 degrees, 1 in 1,000
