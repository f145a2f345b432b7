"""Who sends an HTTP request, and the answer to one that is above a limit of its network address."""

from __future__ import annotations

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, Response

from server.requests.limits.client_addresses import ClientAddresses


def host_of(connection: HTTPConnection) -> str:
    """The host from which a request comes; empty if it is not known."""
    return connection.client.host if connection.client else ""


def too_many(what: str, wait_ms: int) -> Response:
    """The answer to a request that comes too early; `what` says what there was too much of."""
    wait_s = -(-wait_ms // 1000)
    return PlainTextResponse(f"{what}: try again in {wait_s} s.\n", 429, {"Retry-After": str(wait_s)})


def above_rate(addresses: ClientAddresses, rate: str, connection: HTTPConnection, what: str) -> Response | None:
    """Spend one of a rate by address; returns the refusal if there is none left, otherwise None."""
    wait_ms = addresses.spend(rate, host_of(connection))
    return too_many(what, wait_ms) if wait_ms else None
