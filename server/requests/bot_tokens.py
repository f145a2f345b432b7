"""The bots of people, and the tokens that they are known by."""

from __future__ import annotations

import asyncio
import secrets

import msgspec

from protocol.codec import ProtocolError
from protocol.messages import SCOPES, Message, OwnBot
from server.requests.accounts import BOT_S, Account, Accounts, BotRecord, token_key
from server.requests.limits.limits import BY_NAME
from server.store import keys
from server.store.quotas import Place, Quotas, admission
from server.store.store import Store
from server.tables.state import names


class Revoked(Message, frozen=True):
    """Tells the nodes that the token of a bot was revoked; no client receives this."""


class BotTokens:
    """Makes, lists and revokes the tokens of bots."""

    def __init__(self, store: Store, accounts: Accounts, max_bots: int = BY_NAME["bots"].number) -> None:
        self._store = store
        self._accounts = accounts
        self._quotas = Quotas(store)
        self._max_bots = max_bots

    async def make(
        self, owner: str, shown_owner: str, name: str, scopes: tuple[str, ...], now: int
    ) -> tuple[Account, str]:
        """Make a bot and its token; `shown_owner` is the owner's name as others see it."""
        allowed = tuple(scope for scope in SCOPES if scope in scopes)
        bot = Account("b" + secrets.token_hex(6), names.allowed_name(name), True, shown_owner, allowed)
        place = Place(keys.user_bots(owner), bot.id, self._max_bots)
        if not await self._claim(place, now):
            await self._forget_expired(owner)
            if not await self._claim(place, now):
                text = f"you can have {self._max_bots} bots at most: take a token back first"
                raise ProtocolError("too_many_bots", text)
        token = secrets.token_urlsafe(32)
        record = BotRecord(bot.name, owner, token_key(token), allowed, now)
        try:
            await self._store.call("SET", keys.bot(bot.id), msgspec.msgpack.encode(record), "EX", BOT_S)
            await self._accounts.keep(bot, token)
            self._quotas.add(place.key, bot.id, BOT_S)
        finally:
            self._quotas.release(place)
        return bot, token

    async def _claim(self, place: Place, now: int) -> bool:
        return admission(await self._quotas.admit(now, (), place)).has_claim

    async def _forget_expired(self, owner: str) -> None:
        """Remove bots that are no longer known from the set of a person's bots."""
        for user, record in (await self._owned(owner)).items():
            if record is None:
                await self._store.call("SREM", keys.user_bots(owner), user)

    async def _owned(self, owner: str) -> dict[str, BotRecord | None]:
        users = [user.decode() for user in await self._store.call("SMEMBERS", keys.user_bots(owner))]
        found = await asyncio.gather(*(self._store.call("GET", keys.bot(user)) for user in users))
        records = (None if one is None else msgspec.msgpack.decode(one, type=BotRecord) for one in found)
        return dict(zip(users, records, strict=True))

    async def of(self, owner: str) -> tuple[OwnBot, ...]:
        """The bots of this owner, the newest first."""
        known = [(user, bot) for user, bot in (await self._owned(owner)).items() if bot is not None]
        known = sorted(known, key=lambda pair: -pair[1].made)[: self._max_bots]
        used = await asyncio.gather(*(self._store.call("GET", keys.bot_last_used(user)) for user, _ in known))
        return tuple(
            OwnBot(
                user=user,
                name=bot.name,
                scopes=tuple(dict.fromkeys(bot.scopes)),
                made=bot.made,
                used=None if last is None else int(last),
            )
            for (user, bot), last in zip(known, used, strict=True)
        )

    async def revoke(self, owner: str | None, user: str) -> None:
        """Revoke the token of a bot; `owner` is None for the operator, who may revoke any."""
        kept = await self._store.call("GET", keys.bot(user))
        bot = None if kept is None else msgspec.msgpack.decode(kept, type=BotRecord)
        if bot is None or owner not in (None, bot.owner):
            raise ProtocolError("no_bot", "you have no such bot", field="bot")
        for key in (bot.token, keys.bot(user), keys.bot_last_used(user), keys.bot_record(user)):
            await self._store.call("DEL", key)
        await self._store.call("SREM", keys.user_bots(bot.owner), user)
        await self._store.call("SPUBLISH", keys.user_channel(user), msgspec.msgpack.encode(Revoked()))
