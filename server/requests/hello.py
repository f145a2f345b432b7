"""Hello, which a client says first, and ping."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from protocol.codec import ProtocolError
from protocol.messages import VERSION, Hello, Ok, Ping, Welcome
from server.requests.accounts import Account
from server.requests.catalogue import CATALOGUE, LEVEL_TEXTS
from server.requests.connected_clients import ConnectedClients
from server.requests.connection import NOBODY, Connection
from server.requests.identities import Identities
from server.requests.limits.client_addresses import NO_LIMITS, ClientAddresses
from server.requests.limits.limits import Limits
from server.requests.sanctions import Sanctions, cut_banned
from server.store.durability import Durability
from server.tables.rooms.service_clock import ServiceClock
from server.tables.state import house_bots
from server.tables.state.deadlines import SPEED_MS

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
            speeds=SPEED_MS,
            limits=self._limits.numbers,
            tables=tables,
            now=self._clock.now(),
            token=token,
            durability=self._durability,
            levels=LEVEL_TEXTS,
        )


class HelloRequests:
    """Answers hello and ping."""

    def __init__(
        self,
        identities: Identities,
        clients: ConnectedClients,
        sanctions: Sanctions,
        client_addresses: ClientAddresses,
        facts: ServiceFacts,
    ) -> None:
        self._identities = identities
        self._clients = clients
        self._sanctions = sanctions
        self._client_addresses = client_addresses
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
        self._identities.check(connection, message)
        connection.account = GREETING
        return self._hello(connection, message)

    async def _hello(self, connection: Connection, message: Hello) -> None:
        if self._is_banned(connection, message.id):  # before a guest is made
            return
        try:
            identity = await self._identities.find(connection, message)
        except BaseException:
            connection.account = NOBODY
            raise
        account, token = identity.account, identity.token
        if connection.is_closed or self._is_banned(connection, message.id, account.id):
            return
        if account.id in house_bots.USERS:
            self._client_addresses.disconnect(connection.client_address)
            connection.client_address = NO_LIMITS
        connection.welcome(account, token, message.patches)
        connection.viewer.blocked = identity.blocked
        self._clients.add(connection, message.plays)
        self._identities.keep_origin(connection)
        connection.send(self._facts.welcome(message.id, account, identity.tables, token if identity.is_new else None))

    def _is_banned(self, connection: Connection, request: int, user: str = "") -> bool:
        """Refuse and disconnect a client whose user or address is banned; returns whether it is."""
        try:
            self._sanctions.require_not_banned(connection, user)
        except ProtocolError as banned:
            connection.refuse(request, banned)
            cut_banned(connection)
            return True
        return False
