"""The directory of bots that take invitations, on all nodes. Each node reports its own bots every ten seconds."""

from __future__ import annotations

import asyncio

import msgspec

from games import GAMES
from protocol.messages import GameRecord, Plays
from server.requests.accounts import Accounts
from server.requests.bot_invitations import BotInvitations
from server.requests.connected_bots import ConnectedBots
from server.requests.connection import Connection
from server.store import keys
from server.store.answers import Answer
from server.store.store import Store
from server.tables.rooms.service_clock import ServiceClock

FRESH_MS = 30_000  # an older report does not count
STALE_MS = 10 * 60_000  # an older report is removed
PROLONG_MS = 24 * 3600 * 1000  # how often the accounts of connected bots are kept from expiring


class ListedBot(msgspec.Struct, frozen=True, array_like=True):
    """A bot, the games that it plays, and at how many tables at once, as its node last reported."""

    at: int
    name: str
    owner: str
    games: tuple[str, ...]
    tables: int


class BotDirectory:
    """Reports and finds bots that take invitations."""

    def __init__(
        self,
        store: Store,
        accounts: Accounts,
        connected: ConnectedBots,
        invitations: BotInvitations,
        clock: ServiceClock,
    ) -> None:
        self._store = store
        self._accounts = accounts
        self._prolonged_at = clock.now()
        self._connected = connected
        self._invitations = invitations
        self._clock = clock

    def add(self, connection: Connection, plays: Plays | None) -> None:
        """A bot has said hello; `plays` are the invitations that it takes."""
        self._connected.register_bot(connection)
        connection.plays = plays
        self.report(connection)

    def remove(self, connection: Connection) -> None:
        """A connection is closed."""
        if self._connected.unregister_bot(connection) and connection.plays is not None:
            self._store.send_logged("removing a bot", "HDEL", keys.ONLINE_BOTS, connection.account.id)

    def report(self, connection: Connection) -> None:
        """Report that a bot takes invitations, if this connection is one that does."""
        plays = connection.plays
        if plays is None:
            return
        account, games = connection.account, tuple(GAMES if plays.games is None else dict.fromkeys(plays.games))
        listed = ListedBot(self._clock.now(), account.name, account.owner or "", games, plays.tables)
        payload = msgspec.msgpack.encode(listed)
        self._store.send_logged("listing a bot", "HSET", keys.ONLINE_BOTS, account.id, payload)

    def report_all(self) -> None:
        """Report every bot of this node, and once a day keep their accounts."""
        now = self._clock.now()
        prolongs = now >= self._prolonged_at + PROLONG_MS
        if prolongs:
            self._prolonged_at = now
        for connection in self._connected:
            self.report(connection)
            if prolongs:
                self._accounts.prolong(connection.account, connection.token)
        self._store.send(self._remove_stale, "HGETALL", keys.ONLINE_BOTS)

    def _remove_stale(self, answer: Answer) -> None:
        """Remove the bots of nodes that have died without removing them."""
        if isinstance(answer, Exception):
            return
        now = self._clock.now()
        stale = [user for user, bot in _read(answer).items() if now - bot.at >= STALE_MS]
        if stale:
            self._store.send_logged("removing bots of a dead node", "HDEL", keys.ONLINE_BOTS, *stale)

    async def list(self) -> dict[str, ListedBot]:
        """The bots that take invitations, by user id."""
        listed, now = _read(await self._store.call("HGETALL", keys.ONLINE_BOTS)), self._clock.now()
        return {user: bot for user, bot in listed.items() if now - bot.at < FRESH_MS}

    async def free(self, user: str, bot: ListedBot) -> int:
        """How many more tables a bot takes, besides its unfinished games and its open invitations."""
        seated = self._store.call("SCARD", keys.user_tables(user))
        seats, invited = await asyncio.gather(seated, self._invitations.tables(user))
        if invited:
            with_seat = await self._store.call("SMISMEMBER", keys.user_tables(user), *invited)
            seats += len(invited) - sum(with_seat)
        return max(0, bot.tables - int(seats))

    async def records(self, user: str) -> dict[str, GameRecord]:
        """How a bot has done in each game that it has finished."""
        answer = await self._store.call("HGETALL", keys.bot_record(user))
        counts = {key.decode(): int(value) for key, value in zip(answer[::2], answer[1::2], strict=True)}
        return {
            game: GameRecord(played=counts[f"{game}:played"], first=counts.get(f"{game}:first", 0))
            for game in GAMES
            if f"{game}:played" in counts
        }


def _read(answer: Answer) -> dict[str, ListedBot]:
    """The reports in an answer to HGETALL, by user id."""
    return {
        user.decode(): msgspec.msgpack.decode(payload, type=ListedBot)
        for user, payload in zip(answer[::2], answer[1::2], strict=True)
    }
