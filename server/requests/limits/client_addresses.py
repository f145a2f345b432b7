"""Where connections come from. Limits by address count all users of one network address together."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from collections import Counter

from server.requests.limits.limits import Limits
from server.requests.limits.node_rates import NodeRates
from server.store import keys
from server.store.store import Store
from server.tables.rooms.service_clock import ServiceClock

IPV6_PREFIX = 64  # a customer of a provider has at least so many addresses
ORIGIN_LENGTH = 16  # hexadecimal digits
RETRY_MS = 10_000  # when a client may try again if there are too many connections


class ClientAddress:
    """One network address. `origin` stands for it in the store and is empty if no limits apply."""

    __slots__ = ("address", "connections", "origin")

    def __init__(self, address: str, origin: str) -> None:
        self.address = address
        self.origin = origin
        self.connections = 0

    @property
    def exempt(self) -> bool:
        """Whether no limit with a window, and none by address or node, applies."""
        return not self.origin


NO_LIMITS = ClientAddress("", "")  # of exempt networks, of house bots, and of connections within the process


class ClientAddresses:
    """The addresses that have connections to this node.

    The store holds a keyed hash of an address instead of the address itself: whoever reads a table's log can see that
    two tables were opened from one address, but not from which.
    """

    def __init__(self, store: Store, limits: Limits, rates: NodeRates, clock: ServiceClock) -> None:
        self._store = store
        self.limits = limits
        self._rates = rates
        self._clock = clock
        self._secret = secrets.token_bytes(32)
        self._client_addresses: dict[str, ClientAddress] = {}
        self._under_way: Counter[tuple[str, str]] = Counter()  # requests over HTTP, by limit and address
        self._connections = 0

    async def start(self) -> None:
        """Agree with the other nodes on the key of the hash."""
        await self._store.call("SET", keys.ADDRESS_SECRET, self._secret, "NX")
        self._secret = await self._store.call("GET", keys.ADDRESS_SECRET)

    def connect(self, host: str) -> ClientAddress | int:
        """Count a new connection from this host; if that is one too many, return the ms until another may come."""
        if self.limits.is_exempt(host):
            return NO_LIMITS
        address = network_address(host)
        wait = self._rates.spend("address_connections_per_minute", address, self._clock.now())
        if wait:
            return wait
        client_address = self._client_addresses.get(address) or ClientAddress(address, self._origin(address))
        if (
            client_address.connections >= self.limits["address_connections"]
            or self._connections >= self.limits["node_connections"]
        ):
            return RETRY_MS
        self._client_addresses[address] = client_address
        client_address.connections += 1
        self._connections += 1
        return client_address

    def spend(self, name: str, host: str) -> int:
        """Spend one of a rate by address for a request over HTTP; returns the ms to wait if there are too many."""
        if self.limits.is_exempt(host):
            return 0
        return self._rates.spend(name, network_address(host), self._clock.now())

    def share(self, name: str, host: str) -> tuple[str, int]:
        """What stands for the address of this host in the store, and the limit; an empty text if it is exempt."""
        return "" if self.limits.is_exempt(host) else self._origin(network_address(host)), self.limits[name]

    def begin(self, name: str, host: str) -> bool:
        """Count a request over HTTP that is under way until `end`; returns False if it is one too many."""
        key = name, network_address(host)
        if self.limits.is_exempt(host):
            return True
        if self._under_way[key] >= self.limits[name]:
            return False
        self._under_way[key] += 1
        return True

    def end(self, name: str, host: str) -> None:
        """A request that `begin` has counted is answered."""
        key = name, network_address(host)
        if key in self._under_way:
            self._under_way[key] -= 1
            if not self._under_way[key]:
                del self._under_way[key]

    def disconnect(self, client_address: ClientAddress) -> None:
        """A connection is closed, or need not be counted."""
        if client_address is NO_LIMITS:
            return
        client_address.connections -= 1
        self._connections -= 1
        if not client_address.connections:
            del self._client_addresses[client_address.address]

    def _origin(self, address: str) -> str:
        return hmac.digest(self._secret, address.encode(), "sha256").hex()[:ORIGIN_LENGTH]


def network_address(host: str) -> str:
    """What counts as one address: an IPv4 address, or the /64 network of an IPv6 address. Empty if it is neither."""
    try:
        parsed = ipaddress.ip_address(host.partition("%")[0].partition("/")[0])
    except ValueError:
        return ""
    if parsed.version == 4:
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, IPV6_PREFIX), strict=False))
