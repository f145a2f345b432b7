"""The clients of this node that follow the lobby. All of them have the same list, so each change is encoded once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from protocol.messages import LobbyTable, Tables
from server.delivery.frames import encode_frame
from server.delivery.outbox import Outbox
from server.tables.rooms.lobby_order import Listing, in_fair_order

CHANGES_S = 0.2  # changes are gathered for so long before they are sent
ORDER_S = 1.0  # how often the first tables are chosen anew while there are more than clients see
REPEAT_S = 1.0  # a client that starts its feed again within this time gets the list at the end of it
MAX_LISTED = 200  # tables that clients see: the first ones in fair order


class LobbyFeed:
    """What the followers see of these tables, and who they are."""

    def __init__(self, tables: Mapping[str, Listing]) -> None:
        self._tables = tables
        self._shown: dict[str, LobbyTable] = {}  # what all followers have
        self.removed: set[str] = set()  # listed tables that are over since the last changes were sent
        self._whole: bytes | None = None  # the frame with all of `_shown`, once it is needed
        self._chosen_at = 0.0  # when the first tables were chosen out of too many
        self._timer: asyncio.TimerHandle | None = None
        self._followers: set[Outbox] = set()
        self._listed_at: dict[Outbox, float] = {}  # when each client got, or will get, its last whole list

    # Followers.

    def follow(self, outbox: Outbox) -> None:
        """Send the list to this client, and its changes from now on; the list at most once in REPEAT_S."""
        loop = asyncio.get_running_loop()
        listed_at, follows = self._listed_at.get(outbox), outbox in self._followers
        self._followers.add(outbox)
        if listed_at is None or loop.time() >= listed_at + REPEAT_S:
            self.refresh(outbox)
        elif not follows and listed_at <= loop.time():  # it has missed changes, and no list is on its way
            self._listed_at[outbox] = listed_at + REPEAT_S
            loop.call_at(listed_at + REPEAT_S, self.refresh, outbox)

    def unfollow(self, outbox: Outbox) -> None:
        """Send nothing more to this client."""
        self._followers.discard(outbox)

    def forget(self, outbox: Outbox) -> None:
        """The connection is closed."""
        self._followers.discard(outbox)
        self._listed_at.pop(outbox, None)

    def refresh(self, outbox: Outbox) -> None:
        """Send the whole list to a client that follows the lobby."""
        if outbox in self._followers:
            self._listed_at[outbox] = asyncio.get_running_loop().time()
            outbox.write(self._whole_frame())  # a client that does not keep up is refreshed when it does

    def _whole_frame(self) -> bytes:
        if self._whole is None:
            listings = (self._tables[table] for table in self._shown if table in self._tables)
            shown = (self._shown[table.table] for table in in_fair_order(listings))
            self._whole = encode_frame(Tables(tables=tuple(shown), whole=True))
        return self._whole

    # Changes.

    def send_changes_soon(self) -> None:
        """Send what changed, together with other changes of the next moments."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(CHANGES_S, self.send_changes)

    def send_changes(self) -> None:
        """Send what changed since the last time."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        now = {table: self._tables[table].table for table in self._choose()}
        tables = tuple(table for name, table in now.items() if self._shown.get(name) != table)
        gone = tuple((self._shown.keys() | self.removed) - now.keys())
        self._shown = now
        self.removed.clear()
        if tables or gone:
            self._whole = None
            frame = encode_frame(Tables(tables=tables, gone=gone))
            for outbox in self._followers:
                outbox.write(frame)

    def _choose(self) -> list[str]:
        """The tables that clients see."""
        if len(self._tables) <= MAX_LISTED:
            return list(self._tables)
        time = asyncio.get_running_loop().time()
        if time < self._chosen_at + ORDER_S:
            self._timer = asyncio.get_running_loop().call_at(self._chosen_at + ORDER_S, self.send_changes)
            return [table for table in self._shown if table in self._tables]
        self._chosen_at = time
        return [table.table for table in in_fair_order(self._tables.values())[:MAX_LISTED]]
