from __future__ import annotations

import pytest

from server.tables.finished import bytes_cache
from server.tables.finished.bytes_cache import MAX_AGE_S, BytesCache


def test_what_was_unused_longest_is_dropped_first() -> None:
    cache: BytesCache[str] = BytesCache(10)
    cache.keep("first", b"1234")
    cache.keep("second", b"5678")
    assert cache.find("first") == b"1234"
    cache.keep("third", b"abcd")
    assert cache.find("second") is None
    assert (cache.find("first"), cache.find("third")) == (b"1234", b"abcd")


def test_content_that_is_kept_again_counts_once() -> None:
    cache: BytesCache[str] = BytesCache(10)
    for _ in range(5):
        cache.keep("same", b"1234")
    cache.keep("other", b"5678")
    assert (cache.find("same"), cache.find("other")) == (b"1234", b"5678")


def test_content_larger_than_the_cache_is_not_kept() -> None:
    cache: BytesCache[str] = BytesCache(3)
    cache.keep("large", b"1234")
    assert cache.find("large") is None
    cache.keep("small", b"12")
    assert cache.find("small") == b"12"


def test_old_content_is_dropped_however_often_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(bytes_cache, "monotonic", lambda: now[0])
    cache: BytesCache[str] = BytesCache(10)
    cache.keep("old", b"12345678")
    for _ in range(3):
        now[0] += MAX_AGE_S / 3
        assert cache.find("old") == b"12345678"
    now[0] += 1
    assert cache.find("old") is None
    cache.keep("new", b"123456789")
    cache.keep("small", b"1")
    assert (cache.find("new"), cache.find("small")) == (b"123456789", b"1")
