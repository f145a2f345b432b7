"""Preview cards of invitations: the game and the host of a table, as messengers show them beside its link."""

from __future__ import annotations

import asyncio
import logging

from server.requests.limits.client_addresses import ClientAddresses
from server.store.keys import TABLE_ID
from server.tables.rooms.commands import awaitable, only_read
from server.tables.rooms.rooms import Rooms
from server.tables.rooms.service_clock import ServiceClock
from server.tables.state.table import Table
from server.web.previews import Preview

log = logging.getLogger("cheeseboard.invitations")

RATE = "address_previews_per_minute"
TIMEOUT_S = 0.5  # a page without a card is better than one that comes late


class Invitations:
    """Describes tables for people who have not opened the page yet. It names nobody but the host."""

    def __init__(self, rooms: Rooms, clock: ServiceClock, client_addresses: ClientAddresses) -> None:
        self._rooms = rooms
        self._client_addresses = client_addresses
        self._clock = clock

    async def preview(self, table: str, host: str) -> Preview | None:
        """The card of a table for a client at this host; None if there is nothing to say about it, or not in time.

        A client that asks for too many gets the page without a card: each may make the node read a log.
        """
        if not TABLE_ID.fullmatch(table) or self._client_addresses.spend(RATE, host):
            return None
        command, done = awaitable(only_read, self._clock.now())
        room = self._rooms.get(table)
        room.submit(command)
        try:
            async with asyncio.timeout(TIMEOUT_S):
                await done
        except TimeoutError:
            log.info("a table was not read in time for its preview", extra={"table": table})
        return None if room.table is None else describe(room.table)


def describe(table: Table) -> Preview | None:
    """The card of this table; None for one that is locked or over."""
    if table.rules.locked or table.status not in ("open", "running"):
        return None
    host = next((chair.name for chair in table.chairs if chair.user == table.host), None)
    game, title, about = table.game.name, table.game.title, table.game.about
    length = "" if about is None else f" It takes about {about.minutes[0]} to {about.minutes[1]} minutes."
    if table.status == "running":
        watch = "" if table.rules.watching.see == "nobody" else ": come and watch"
        return Preview(f"{title} on Cheeseboard", f"{table.game.blurb} The game is running{watch}.{length}", game=game)
    invites = f"{host} invites you to {title}" if host else f"Play {title} on Cheeseboard"
    return Preview(invites, f"{table.game.blurb}{length} No account, just a name.", game=game)
