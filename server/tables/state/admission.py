"""Who may see a table, sit down at it and talk there, by the rules that its host has made."""

from __future__ import annotations

from protocol.codec import ProtocolError
from server.tables.state.table import Table


def require_admission(table: Table, user: str) -> None:
    """Refuse a user whom the host has sent away, and one without a seat at a locked table."""
    match table.keeps_away(user):
        case "dismissed":
            raise ProtocolError("dismissed", "the host has sent you away from this table", field="table")
        case "table_locked":
            raise ProtocolError("table_locked", "the host has locked this table: nobody else may come", field="table")


def require_view(table: Table, user: str) -> None:
    """Refuse a user who may not open the table: one who may not come, or a watcher where nobody may watch."""
    require_admission(table, user)
    if table.refuses_watcher(user):
        raise ProtocolError("no_watchers", "nobody may watch this game", field="table")


def require_voice(table: Table, seat: int | None) -> None:
    """Refuse a chat text that the host does not want; `seat` is None for a watcher."""
    if table.rules.chat == "nobody":
        raise ProtocolError("chat_off", "the host has switched the chat off")
    if table.rules.chat == "seats" and seat is None:
        raise ProtocolError("chat_off", "only players may chat at this table")
