"""Who a client is: the account of the token that it says hello with, or a new guest."""

from __future__ import annotations

from typing import NamedTuple

from protocol.codec import ProtocolError
from protocol.messages import Hello, Plays
from server.requests.accounts import Account, Accounts
from server.requests.blocking import BlockList
from server.requests.catalogue import require_game
from server.requests.connection import Connection
from server.requests.limits.limiter import Limiter
from server.tables.state import names


class Identity(NamedTuple):
    """An account with its token, its tables and whom it has blocked."""

    account: Account
    token: str
    is_new: bool = False
    tables: tuple[str, ...] = ()
    blocked: frozenset[str] = frozenset()


class Identities:
    """Finds out who says hello, or makes a guest of them."""

    def __init__(self, accounts: Accounts, blocks: BlockList, limiter: Limiter) -> None:
        self._accounts = accounts
        self._blocks = blocks
        self._limiter = limiter

    def check(self, connection: Connection, message: Hello) -> None:
        """Refuse, before anything is looked up, too many hellos from one address, and wrong `plays`."""
        self._limiter.check(connection.requester, "address_hellos_per_minute")
        if message.plays is not None:
            _require_invitable(message, message.plays)

    async def find(self, connection: Connection, message: Hello) -> Identity:
        """Who says this hello; without a token, a new guest."""
        if message.token is None:
            return await self._new_guest(connection, message.name)
        account = await self._accounts.find(message.token)
        if message.plays is not None and not account.bot:
            raise _plays_of_person()
        tables = await self._accounts.tables(account.id)
        tables = await self._limiter.stale_places.held(account.id, tables)
        return Identity(account, message.token, tables=tables, blocked=await self._blocks.load(account.id))

    def keep_origin(self, connection: Connection) -> None:
        """Keep the hashed address of the user of this connection for a while, for reports about them."""
        self._accounts.keep_origin(connection.account.id, connection.client_address.origin)

    async def _new_guest(self, connection: Connection, name: str | None) -> Identity:
        if name is not None:
            names.allowed_name(name)  # a name that is refused costs nothing
        await self._limiter.take(connection.requester, ("address_guests_per_hour", "node_guests_per_minute"))
        return Identity(*await self._accounts.new_guest(name), is_new=True)


def _require_invitable(message: Hello, plays: Plays) -> None:
    """Refuse `plays` with a game that does not exist, or from a client that is no bot (P43)."""
    for number, game in enumerate(plays.games or ()):
        require_game(game, f"plays.games[{number}]")
    if message.token is None:
        raise _plays_of_person()


def _plays_of_person() -> ProtocolError:
    return ProtocolError("not_allowed", "only bots can be invited: make a token for yours", field="plays")
