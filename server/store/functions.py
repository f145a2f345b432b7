"""Loads the server-side functions (the .lua files beside this one) into a server of the store."""

from __future__ import annotations

import logging
from pathlib import Path

from server.store.answers import Answer
from server.store.redis_connection import RedisConnection

log = logging.getLogger("cheeseboard.store")

LIBRARIES = tuple(Path(__file__).with_name(name) for name in ("functions.lua", "limits.lua", "heartbeats.lua"))


class FunctionLoader:
    """Loads the functions over one connection; loading the same text again changes nothing."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection
        self._loading = False

    async def load(self) -> None:
        """Load them; a failure is raised."""
        for library in LIBRARIES:
            await self._connection.call("FUNCTION", "LOAD", "REPLACE", library.read_text(encoding="utf-8"))

    def load_soon(self) -> None:
        """Load them before every command that is sent from now on."""
        if not self._loading:
            self._loading = True
            for library in LIBRARIES:
                self._connection.send(self._loaded, "FUNCTION", "LOAD", "REPLACE", library.read_text(encoding="utf-8"))

    def _loaded(self, answer: Answer) -> None:
        self._loading = False
        if isinstance(answer, Exception):
            log.warning("loading the store's functions failed, will be retried: %s", answer)
