"""Fixtures of all tests."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator

import pytest

from tests.client import Client

collect_ignore = ["sixth_game"]  # runs in a copy of the project only: test_sixth_game.py

# The modules that take longest, longest first.
LONG = (
    "test_play.py",
    "test_sixth_game.py",
    "test_layout.py",
    "test_keyboard.py",
    "test_evening.py",
    "test_replay.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each worker some of the longest modules to begin with, so that none is left with one at the end.

    pytest-xdist first gives each worker an equal part of the list, in its order.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    rest = [item for item in items if item.path.name not in LONG]
    parts: list[list[pytest.Item]] = [[] for _ in range(workers)]
    for place, name in enumerate(LONG):
        parts[place % workers] += [item for item in items if item.path.name == name]
    size = -(-len(items) // workers)
    for part in parts:
        room = max(0, size - len(part))
        part += rest[:room]
        del rest[:room]
    items[:] = [item for part in parts for item in part]


@pytest.fixture(autouse=True)
async def no_connections_left() -> AsyncIterator[None]:
    """Close the connections that a test has opened."""
    yield
    for client in tuple(Client.alive):
        await client.close()
