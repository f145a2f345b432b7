"""Finding bots, and inviting them."""

from __future__ import annotations

import asyncio
from typing import Any

from protocol.codec import ProtocolError
from protocol.messages import Bots, Decline, Invite, Ok, OnlineBot
from server.requests.bot_directory import BotDirectory, ListedBot
from server.requests.bot_invitations import BotInvitations
from server.requests.catalogue import require_game
from server.requests.connection import Connection
from server.requests.limits.limiter import Limiter
from server.requests.seating import SEAT_CHANGES
from server.requests.table_commands import carry_out, submit_request
from server.tables.rooms.rooms import Rooms
from server.tables.rooms.service_clock import ServiceClock
from server.tables.state import decisions
from server.tables.state.decisions import Decision, Sitter
from server.tables.state.table import Table

MAX_LISTED = 100
INVITATION_RATES = "invitations_per_10_minutes", "address_invitations_per_10_minutes"


class BotRequests:
    """Answers bots, invite and decline."""

    def __init__(
        self,
        directory: BotDirectory,
        invitations: BotInvitations,
        rooms: Rooms,
        limiter: Limiter,
        clock: ServiceClock,
    ) -> None:
        self._directory = directory
        self._invitations = invitations
        self._rooms = rooms
        self._limiter = limiter
        self._clock = clock

    def handlers(self) -> dict[type, Any]:
        """The requests that are answered here."""
        return {Bots: self.bots, Invite: self.invite, Decline: self.decline}

    async def bots(self, connection: Connection, message: Bots) -> None:
        """List the bots that can be invited."""
        if message.game is not None:
            require_game(message.game, "game")
        listed = [
            (user, bot)
            for user, bot in (await self._directory.list()).items()
            if message.game is None or message.game in bot.games
        ]
        found: list[OnlineBot] = []
        for first in range(0, len(listed), MAX_LISTED):
            some = await asyncio.gather(*(self._online(*one) for one in listed[first : first + MAX_LISTED]))
            found += [bot for bot in some if bot.free]
            if len(found) >= MAX_LISTED:
                break
        connection.send(Ok(id=message.id, bots=tuple(found[:MAX_LISTED])))

    async def _online(self, user: str, bot: ListedBot) -> OnlineBot:
        free, records = await asyncio.gather(self._directory.free(user, bot), self._directory.records(user))
        return OnlineBot(user=user, name=bot.name, owner=bot.owner, games=bot.games, free=free, records=records)

    async def invite(self, connection: Connection, message: Invite) -> None:
        """Hold a seat for a bot and invite it."""
        bot = (await self._directory.list()).get(message.bot)
        if bot is None:
            raise ProtocolError("bot_away", "this bot is not online, or takes no invitations", field="bot")
        await self._limiter.take(connection.requester, INVITATION_RATES)
        name, host = bot.name, connection.account
        room = self._rooms.get(message.table)
        has_claim = await self._invitations.claim(message.bot, message.table, bot.tables)

        def judge(table: Table, at: int) -> Decision:
            if table.opened.game not in bot.games:
                raise ProtocolError("bad_field", f"{name} does not play this game", field="bot")
            invited = Sitter(message.bot, name, True, bot.owner)
            decision = decisions.invite(table, host.id, message.seat, invited, at, host.name)
            if not has_claim:
                raise ProtocolError("bot_away", f"{name} was invited here less than a minute ago", field="bot")
            return decision

        try:
            n, _ = await carry_out(room, judge, self._clock.now())
        except ProtocolError:
            if has_claim:
                self._invitations.release(message.bot, message.table)
            raise
        self._invitations.send(message.bot, room)
        connection.send(Ok(id=message.id, table=message.table, n=n))

    def decline(self, connection: Connection, message: Decline) -> None:
        """Refuse an invitation."""
        self._limiter.check(connection.requester, *SEAT_CHANGES)
        user, now = connection.account.id, self._clock.now()
        self._invitations.release(user, message.table)

        def judge(table: Table, at: int) -> Decision:
            return decisions.decline(table, user, at)

        submit_request(connection, message.id, self._rooms, message.table, judge, now)
