"""Whether those who say nothing are still there.

A connection from which nothing came for EVERY_S seconds gets a websocket ping, and one from which then nothing comes
for as long again is closed. A part of them is looked at each second, so that many are no burden at once.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server.connection import Connection

EVERY_S = 20


class Pulse:
    """All connections of a node, in as many parts as there are seconds between two looks."""

    def __init__(self) -> None:
        self._parts: list[set[Connection]] = [set() for _ in range(EVERY_S)]

    def add(self, connection: Connection) -> set[Connection]:
        """Look after this one; the part that it is in, to be taken out of when it is gone."""
        part = min(self._parts, key=len)
        part.add(connection)
        return part

    async def run(self) -> None:
        """Look after all of them, for ever."""
        while True:
            for part in self._parts:
                await asyncio.sleep(1)
                for connection in tuple(part):
                    connection.look_after()
