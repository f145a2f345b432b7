"""Which names the service answers to, and which pages may use it.

A browser tells in `Origin` which page opens a websocket or sends a POST. By default that must be a page of this
service, which is one that was loaded from the same host. Programs such as bots send no `Origin` and are not concerned.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from time import monotonic
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

log = logging.getLogger("cheeseboard.origins")

OWN_HOSTS = frozenset(("localhost", "127.0.0.1", "::1"))  # for the supervisor, house bots and health checks
DEFAULT_PORTS = {"http": 80, "https": 443}
LOG_S = 10  # refusals are logged at most this often
MAX_LOGGED = 60  # characters of a header in a log line


class BadOrigin(ValueError):  # noqa: N818
    """A setting that is not a list of hosts, or of origins."""


class Origin(NamedTuple):
    """The scheme, host and port of a page."""

    scheme: str
    host: str
    port: int | None


class AllowedOrigins:
    """The settings ALLOWED_HOSTS and ALLOWED_ORIGINS. Without hosts, every host is allowed."""

    def __init__(self, hosts: Iterable[str] = (), origins: Iterable[str] = (), embedders: Iterable[str] = ()) -> None:
        self._hosts = frozenset(_host(host) for host in hosts)
        self._any_origin = "*" in origins
        self._origins = frozenset(_origin_setting(origin) for origin in origins if origin != "*")
        self.embedders = tuple(map(_embedder, embedders))  # sites that may show replays in a frame

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> AllowedOrigins:
        """Read the settings, each of them a comma-separated list."""
        hosts = _words(environment.get("ALLOWED_HOSTS", ""))
        if hosts and environment.get("HOST"):
            hosts.append(environment["HOST"])  # the house bots use it
        embedders = _words(environment.get("EMBED_ORIGINS", ""))
        return cls(hosts, _words(environment.get("ALLOWED_ORIGINS", "")), embedders)

    def refusal(self, host: str, origin: str | None) -> str | None:
        """Why a request with these headers is refused, or None."""
        name = _split(f"//{host}")
        if self._hosts and (name is None or name.hostname not in self._hosts | OWN_HOSTS):
            return "this service is not known by this host name"
        if origin is None or self._any_origin:
            return None
        page = _origin(origin)
        if page is None:
            allowed = False
        elif self._origins:
            allowed = page in self._origins
        else:
            port = None if name is None else name.port or DEFAULT_PORTS[page.scheme]
            allowed = name is not None and (page.host, page.port) == (name.hostname, port)
        return None if allowed else "pages of this origin may not use this service"


class OriginCheck:
    """Refuses requests for other hosts, and websockets and all but GET and HEAD from other pages, with status 403."""

    def __init__(self, app: ASGIApp, allowed: AllowedOrigins) -> None:
        self._app = app
        self._allowed = allowed
        self._log_after = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = headers.get("Host", "")
        reads = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        origin = None if reads else headers.get("Origin")
        reason = self._allowed.refusal(host, origin)
        if reason is None:
            await self._app(scope, receive, send)
            return
        self._log(reason, host, origin)
        response = PlainTextResponse(f"Refused: {reason}.\n", 403)
        if scope["type"] == "http":
            await response(scope, receive, send)
        else:
            await WebSocket(scope, receive, send).send_denial_response(response)

    def _log(self, reason: str, host: str, origin: str | None) -> None:
        now = monotonic()
        if now >= self._log_after:
            self._log_after = now + LOG_S
            log.warning("refused a request: %s (Host %.*r, Origin %.*r)", reason, MAX_LOGGED, host, MAX_LOGGED, origin)


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _split(address: str) -> SplitResult | None:
    """The parts of an address, or None if it has no host or an invalid port."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return None
    return parts if parts.hostname else None


def _origin(text: str) -> Origin | None:
    parts = _split(text)
    if parts is None or parts.scheme not in DEFAULT_PORTS:
        return None
    return Origin(parts.scheme, parts.hostname or "", parts.port or DEFAULT_PORTS[parts.scheme])


def _embedder(text: str) -> str:
    """An origin as a content policy names it; `*` is any site."""
    if text == "*":
        return text
    try:
        scheme, host, port = _origin_setting(text)
    except BadOrigin as fault:
        raise BadOrigin(str(fault).replace("ALLOWED_ORIGINS", "EMBED_ORIGINS")) from None
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def _host(text: str) -> str:
    """The host of a setting, which may be an IPv6 address with or without brackets."""
    parts = _split(f"//[{text}]" if text.count(":") > 1 and not text.startswith("[") else f"//{text}")
    if parts is None or parts.port is not None or parts.path or parts.username is not None:
        raise BadOrigin(f"ALLOWED_HOSTS has {text!r}, but has to be a list of host names such as play.example.org")
    return parts.hostname or ""


def _origin_setting(text: str) -> Origin:
    origin, parts = _origin(text), _split(text)
    if origin is None or parts is None or parts.path or parts.query or parts.fragment:
        raise BadOrigin(f"ALLOWED_ORIGINS has {text!r}, but has to be a list such as https://play.example.org")
    return origin
