"""Refuses what would fill a store that has little memory left. Games that have begun go on."""

from __future__ import annotations

from protocol.codec import ProtocolError
from server.store.memory import StoreMemory

NO_ROOM_MS = 60_000  # when something may be asked for again that found the store's memory full


def require_memory(memory: StoreMemory) -> None:
    """Refuse a new table, bot or remark while memory is scarce."""
    if memory.is_scarce:
        text = "the service has no room for new tables, bots and remarks now; games that have begun go on"
        raise ProtocolError("unavailable", text, retry_after_ms=NO_ROOM_MS)
