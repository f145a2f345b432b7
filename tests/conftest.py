"""What every test leaves behind is nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.client import Client


@pytest.fixture(autouse=True)
async def no_connections_left() -> AsyncIterator[None]:
    """Close what a test has opened."""
    yield
    for client in tuple(Client.alive):
        await client.close()
