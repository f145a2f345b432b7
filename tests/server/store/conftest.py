"""Stores of several processes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stores import Cluster, Watched


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Three primaries with a replica each; a test that kills one leaves another in its place."""
    with tempfile.TemporaryDirectory(prefix="cheeseboard-") as folder:
        cluster = Cluster(Path(folder))
        yield cluster
        cluster.stop()


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    """A primary with a replica and three sentinels."""
    watched = Watched(tmp_path)
    yield watched
    watched.stop()
