"""Finished games that are read for requests."""

from __future__ import annotations

from contextlib import AbstractContextManager

from protocol.codec import ProtocolError
from server.requests.limits.at_once import AtOnce
from server.requests.limits.client_addresses import ClientAddress
from server.tables.finished.archive import Archive
from server.tables.finished.slices import Slices


class ReplayReader:
    """Finds the replays of finished games, and bounds how many are read and folded at one time.

    Whoever folds one does that in `slices`, so that live games go on.
    """

    def __init__(self, archive: Archive, slices: Slices, at_once: AtOnce) -> None:
        self.slices = slices
        self._archive = archive
        self._at_once = at_once

    def counted(self, client_address: ClientAddress) -> AbstractContextManager[None]:
        """Count the reading of one replay while the body runs, or refuse it."""
        return self._at_once.counted(client_address)

    async def find(self, table: str) -> str:
        """The replay of a finished game; a game that is not there is refused."""
        text = await self._archive.find(table)
        if text is None:
            raise ProtocolError("no_replay", "there is no finished game with this id", field="table")
        return text
