"""Who a client is: hello, and a ping."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from protocol.codec import ProtocolError
from protocol.messages import VERSION, Hello, Ok, Ping, Plays, Welcome
from server.requests.accounts import Account, Accounts
from server.requests.blocking import BlockList
from server.requests.catalogue import CATALOGUE, LEVELS, require_game
from server.requests.client_addresses import NO_LIMITS, ClientAddresses
from server.requests.connected_clients import ConnectedClients
from server.requests.connection import NOBODY, Connection
from server.requests.limiter import Limiter
from server.requests.limits import Limits
from server.requests.sanctions import Sanctions, cut_banned
from server.store.durability import Durability
from server.tables import house_bots, names
from server.tables.deadlines import SPEEDS
from server.tables.service_clock import ServiceClock

GREETING = Account("-", "")  # the account while a hello is being answered: a second one is refused


class ServiceFacts:
    """What `welcome` says about the service, the same to everybody."""

    def __init__(self, limits: Limits, clock: ServiceClock, durability: Durability) -> None:
        self._limits = limits
        self._clock = clock
        self._durability = durability

    def welcome(self, request: int, account: Account, tables: tuple[str, ...], token: str | None) -> Welcome:
        """The answer to the hello of this account; `token` is that of a new guest."""
        return Welcome(
            id=request,
            v=VERSION,
            user=account.public(),
            games=CATALOGUE,
            speeds=SPEEDS,
            limits=self._limits.numbers,
            tables=tables,
            now=self._clock.now(),
            token=token,
            durability=self._durability,
            levels=LEVELS,
        )


class HelloRequests:
    """Answers hello and ping."""

    def __init__(
        self,
        accounts: Accounts,
        clients: ConnectedClients,
        blocks: BlockList,
        sanctions: Sanctions,
        client_addresses: ClientAddresses,
        limiter: Limiter,
        facts: ServiceFacts,
    ) -> None:
        self._accounts = accounts
        self._clients = clients
        self._blocks = blocks
        self._sanctions = sanctions
        self._client_addresses = client_addresses
        self._limiter = limiter
        self._facts = facts

    def handlers(self) -> dict[type, Any]:
        """The requests that are answered here."""
        return {Hello: self.hello, Ping: self.ping}

    def ping(self, connection: Connection, message: Ping) -> None:
        """Answer a ping."""
        connection.send(Ok(id=message.id))

    def hello(self, connection: Connection, message: Hello) -> Coroutine[Any, Any, None]:
        """Welcome a client by its token, or as a new guest."""
        if connection.account.id:
            raise ProtocolError("hello_again", "hello is said once")
        self._limiter.check(connection.requester, "address_hellos_per_minute")
        if message.plays is not None:
            _require_invitable(message, message.plays)
        connection.account = GREETING
        return self._hello(connection, message)

    async def _hello(self, connection: Connection, message: Hello) -> None:
        if self._is_banned(connection, message.id):  # before a guest is made
            return
        new_token, blocked = None, frozenset[str]()
        try:
            if message.token is not None:
                account = await self._accounts.find(message.token)
                if message.plays is not None and not account.bot:
                    raise _plays_of_person()
                tables = await self._accounts.tables(account.id)
                tables = await self._limiter.stale_places.held(account.id, tables)
                blocked = await self._blocks.load(account.id)
            else:
                account, new_token = await self._new_guest(connection, message.name)
                tables = ()
        except BaseException:
            connection.account = NOBODY
            raise
        if connection.is_closed or self._is_banned(connection, message.id, account.id):
            return
        if account.id in house_bots.USERS:
            self._client_addresses.disconnect(connection.client_address)
            connection.client_address = NO_LIMITS
        connection.welcome(account, message.token or new_token or "", message.patches)
        connection.viewer.blocked = blocked
        self._clients.add(connection, message.plays)
        self._accounts.keep_origin(account.id, connection.client_address.origin)
        connection.send(self._facts.welcome(message.id, account, tables, new_token))

    async def _new_guest(self, connection: Connection, name: str | None) -> tuple[Account, str]:
        if name is not None:
            names.allowed_name(name)  # a name that is refused costs nothing
        await self._limiter.take(connection.requester, ("address_guests_per_hour", "node_guests_per_minute"))
        return await self._accounts.new_guest(name)

    def _is_banned(self, connection: Connection, request: int, user: str = "") -> bool:
        """Refuse and disconnect a client whose user or address is banned; returns whether it is."""
        try:
            self._sanctions.require_not_banned(connection, user)
        except ProtocolError as banned:
            connection.refuse(request, banned)
            cut_banned(connection)
            return True
        return False


def _require_invitable(message: Hello, plays: Plays) -> None:
    """Refuse `plays` with a game that does not exist, or from a client that is no bot (P43)."""
    for number, game in enumerate(plays.games or ()):
        require_game(game, f"plays.games[{number}]")
    if message.token is None:
        raise _plays_of_person()


def _plays_of_person() -> ProtocolError:
    return ProtocolError("not_allowed", "only bots can be invited: make a token for yours", field="plays")
