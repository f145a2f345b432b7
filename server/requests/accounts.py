"""Accounts: guests and bots, each known by a secret token of which the store keeps only a hash."""

from __future__ import annotations

import secrets
from hashlib import sha256

import msgspec

from protocol.codec import ProtocolError
from protocol.messages import SCOPES, User
from server.store import keys
from server.store.answers import Answer
from server.store.quotas import KEPT_S
from server.store.store import Store
from server.tables.rooms.service_clock import wall_clock_ms
from server.tables.state import house_bots, names
from server.tables.state.decisions import Sitter

GUEST_S = 90 * 24 * 3600  # a guest who does not come back for so long is forgotten
BOT_S = 180 * 24 * 3600  # a bot that is not used for so long is forgotten
ORIGIN_S = 7 * 24 * 3600  # how long the hashed address of a user is kept
NEW_GUEST_S = 2 * 24 * 3600  # a guest who has never come back is forgotten sooner

FIRST = ("Mellow", "Nutty", "Ripe", "Smoky", "Tangy", "Golden", "Crumbly", "Velvet", "Wild", "Sunny", "Bold", "Gentle")
SECOND = ("Cheddar", "Brie", "Comte", "Raclette", "Halloumi", "Asiago", "Mimolette", "Cantal", "Burrata", "Quark")


class Account(msgspec.Struct, frozen=True, omit_defaults=True):
    """A guest or a bot, as the store keeps it under the hash of its token."""

    id: str
    name: str
    bot: bool = False
    owner: str | None = None
    scopes: tuple[str, ...] = SCOPES
    avatar: str = ""

    def public(self) -> User:
        """What others may know."""
        return User(id=self.id, name=self.name, bot=self.bot, owner=self.owner, avatar=self.avatar)

    def sitter(self) -> Sitter:
        """The account as it sits down at a table."""
        return Sitter(self.id, self.name, self.bot, self.owner, avatar=self.avatar)


class BotRecord(msgspec.Struct, frozen=True):
    """What the store keeps of a person's bot besides its account."""

    name: str
    owner: str
    token: str
    scopes: tuple[str, ...]
    made: int


def random_name() -> str:
    """A name for a guest who has not chosen one."""
    return f"{secrets.choice(FIRST)} {secrets.choice(SECOND)}"


def _with_allowed_name(account: Account) -> Account:
    """The account, with another name if an earlier release allowed a name that is reserved now."""
    if account.id in house_bots.USERS or not names.is_reserved(account.name):
        return account
    return msgspec.structs.replace(account, name=f"Bot {account.id[-4:]}" if account.bot else random_name())


def token_key(token: str) -> str:
    """The key of the account with this token."""
    return keys.account(sha256(token.encode()).hexdigest())


def _unknown_token() -> ProtocolError:
    return ProtocolError("bad_token", "this token is not known: it is wrong, or was revoked", field="token")


class Accounts:
    """Finds, makes and changes accounts."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def new_guest(self, name: str | None) -> tuple[Account, str]:
        """Make a guest; the token is returned once and never again."""
        guest = Account("u" + secrets.token_hex(6), random_name() if name is None else names.allowed_name(name))
        token = secrets.token_urlsafe(32)
        await self._store.call("SET", token_key(token), msgspec.msgpack.encode(guest), "EX", NEW_GUEST_S)
        return guest, token

    async def keep(self, account: Account, token: str) -> None:
        """Store an account under its token for some months; a house bot until the service starts again."""
        value = msgspec.msgpack.encode(account)
        expiry = () if account.id in house_bots.USERS else ("EX", BOT_S if account.bot else GUEST_S)
        await self._store.call("SET", token_key(token), value, *expiry)

    async def update(self, account: Account, token: str) -> None:
        """Change a guest who is stored under this token, which keeps the guest for some months."""
        value = msgspec.msgpack.encode(account)
        if await self._store.call("SET", token_key(token), value, "EX", GUEST_S, "XX") is None:
            raise _unknown_token()

    async def rotate(self, account: Account, token: str) -> str:
        """Replace the token of a guest; the new one is returned once and never again."""
        new = secrets.token_urlsafe(32)
        await self.keep(account, new)
        if not await self._store.call("DEL", token_key(token)):  # another connection was faster
            await self._store.call("DEL", token_key(new))
            raise _unknown_token()
        await self._store.call("SET", keys.user_token(account.id), token_key(new), "EX", GUEST_S)
        return new

    async def forget(self, account: Account, token: str) -> None:
        """Delete a guest with their blocks. Seats that they have are played by stand-ins."""
        await self._store.call("DEL", token_key(token))
        await self._store.call("DEL", keys.user_blocks(account.id))
        await self._store.call("DEL", keys.user_origin(account.id))
        await self._store.call("SET", keys.user_token(account.id), "", "EX", GUEST_S)

    async def is_current(self, user: str, token: str) -> bool:
        """Whether a guest has not replaced or deleted this token."""
        kept = await self._store.call("GET", keys.user_token(user))
        return kept is None or bool(kept.decode() == token_key(token))

    async def find(self, token: str) -> Account:
        """The account with this token. Finding it counts as use, which keeps it from expiring."""
        value = await self._store.call("GET", token_key(token))
        if value is None:
            raise _unknown_token()
        account = _with_allowed_name(msgspec.msgpack.decode(value, type=Account))
        if account.bot:
            used, kept = keys.bot_last_used(account.id), () if account.id in house_bots.USERS else ("EX", BOT_S)
            self._store.send_logged("recording the use of a bot", "SET", used, wall_clock_ms(), *kept)
        self.prolong(account, token)
        return account

    def prolong(self, account: Account, token: str) -> None:
        """Keep everything about an account in use: a bot also keeps its place among the bots of its owner."""
        if account.id in house_bots.USERS:
            return
        what, kept_s = "prolonging an account", BOT_S if account.bot else GUEST_S
        self._store.send_logged(what, "EXPIRE", token_key(token), kept_s)
        if account.bot:
            for key in (keys.bot(account.id), keys.bot_last_used(account.id), keys.bot_record(account.id)):
                self._store.send_logged(what, "EXPIRE", key, kept_s)
            self._store.send(self._prolong_owned, "GET", keys.bot(account.id))

    def _prolong_owned(self, answer: Answer) -> None:
        if isinstance(answer, bytes):
            owner = msgspec.msgpack.decode(answer, type=BotRecord).owner
            self._store.send_logged("prolonging an account", "EXPIRE", keys.user_bots(owner), BOT_S)

    def keep_origin(self, user: str, origin: str) -> None:
        """Keep the hashed address of a user for a while, for reports about them; an exempt one has none."""
        if origin:
            self._store.send_logged("keeping an origin", "SET", keys.user_origin(user), origin, "EX", ORIGIN_S)

    async def store_again(self, guest: Account, token: str) -> bool:
        """Store a connected guest again if the store has lost the account; returns whether it had.

        A token that was replaced or deleted stays invalid.
        """
        if await self.is_known(token) or not await self.is_current(guest.id, token):
            return False
        value = msgspec.msgpack.encode(guest)
        await self._store.call("SET", token_key(token), value, "EX", NEW_GUEST_S, "NX")
        if await self.is_current(guest.id, token):
            return True
        await self._store.call("DEL", token_key(token))  # it was replaced or deleted meanwhile
        return False

    async def is_known(self, token: str) -> bool:
        """Whether there is an account with this token."""
        return bool(await self._store.call("EXISTS", token_key(token)))

    async def tables(self, user: str) -> tuple[str, ...]:
        """The tables where this user has a seat in an unfinished game."""
        self._store.send_logged("prolonging a user's tables", "EXPIRE", keys.user_tables(user), KEPT_S)
        answer = await self._store.call("SMEMBERS", keys.user_tables(user))
        return tuple(sorted(table.decode() for table in answer))

    async def new_house_tokens(self) -> dict[str, str]:
        """Make new tokens for the house bots; those of an earlier run become invalid."""
        old = await self._store.call("SMEMBERS", keys.HOUSE_TOKENS)
        for key in (*old, keys.HOUSE_TOKENS):
            await self._store.call("DEL", key)
        tokens = {}
        for user, name in house_bots.USERS.items():
            token = tokens[user] = secrets.token_urlsafe(32)
            await self.keep(Account(user, name, bot=True, owner="house"), token)
            await self._store.call("SADD", keys.HOUSE_TOKENS, token_key(token))
        return tokens
