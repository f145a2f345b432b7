"""The tokens of people's bots."""

from __future__ import annotations

from typing import Any

from protocol.codec import ProtocolError
from protocol.messages import Ok, Revoke, Token, Tokens
from server.requests.accounts import Accounts
from server.requests.bot_tokens import BotTokens
from server.requests.connection import Connection
from server.requests.limits.free_memory import require_memory
from server.requests.limits.limiter import Limiter
from server.store.memory import StoreMemory
from server.tables.rooms.service_clock import ServiceClock


class TokenRequests:
    """Answers token, tokens and revoke."""

    def __init__(
        self, memory: StoreMemory, accounts: Accounts, bot_tokens: BotTokens, limiter: Limiter, clock: ServiceClock
    ) -> None:
        self._memory = memory
        self._accounts = accounts
        self._bot_tokens = bot_tokens
        self._limiter = limiter
        self._clock = clock

    def handlers(self) -> dict[type, Any]:
        """The requests that are answered here."""
        return {Token: self.token, Tokens: self.tokens, Revoke: self.revoke}

    async def token(self, connection: Connection, message: Token) -> None:
        """Make a bot for a person."""
        account = connection.account
        if account.bot:
            raise ProtocolError("not_allowed", "a bot has no bots of its own")
        require_memory(self._memory)
        await self._limiter.take(connection.requester, ("address_tokens_per_hour",))
        now = self._clock.now()
        bot, token = await self._bot_tokens.make(account.id, account.name, message.name, message.scopes, now)
        await self._accounts.update(account, connection.token)  # a forgotten guest could not revoke the token
        connection.send(Ok(id=message.id, token=token, user=bot.id))

    async def tokens(self, connection: Connection, message: Tokens) -> None:
        """List a person's bots."""
        connection.send(Ok(id=message.id, own=await self._bot_tokens.of(connection.account.id)))

    async def revoke(self, connection: Connection, message: Revoke) -> None:
        """Revoke the token of a person's bot."""
        await self._bot_tokens.revoke(connection.account.id, message.bot)
        connection.send(Ok(id=message.id))
