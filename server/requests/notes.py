"""Notes of moves, which everybody reads in the replay."""

from __future__ import annotations

from server.requests.connection import Connection
from server.requests.limits.limiter import Limiter
from server.requests.sanctions import Sanctions
from server.tables.state import names


class Notes:
    """Decides which notes are kept, and in which form."""

    def __init__(self, limiter: Limiter, sanctions: Sanctions) -> None:
        self._limiter = limiter
        self._sanctions = sanctions

    def kept(self, connection: Connection, note: str) -> str | None:
        """The note, cleaned like chat; None if the user is muted, or too many bytes of notes come from the address."""
        shown = names.clean_text(note)
        if not shown or self._sanctions.is_muted(connection):
            return None
        return shown if self._limiter.keeps_note(connection.client_address, shown) else None
