"""The address of the store, read from REDIS_URL with redis-py: the only parser of that URL in the service."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import parse_qsl, quote, urlencode

from redis.connection import SSLConnection, parse_url

Kind = Literal["single", "sentinel", "cluster"]
SENTINEL_PORT = 26379


@dataclass(frozen=True)
class StoreAddress:
    """A server to connect to: a unix socket if `path` is set, a host and port otherwise."""

    path: str
    host: str
    port: int
    tls: ssl.SSLContext | None
    username: str
    password: str
    database: int

    @classmethod
    def from_url(cls, url: str) -> StoreAddress:
        """Read a redis://, rediss:// or unix:// URL; a bad one raises ValueError."""
        options: dict[str, Any] = dict(parse_url(url))  # type: ignore[no-untyped-call]
        secure = options.get("connection_class") is SSLConnection
        return cls(
            path=options.get("path") or "",
            host=options.get("host") or "127.0.0.1",
            port=int(options.get("port") or 6379),
            tls=_tls_context(options) if secure else None,
            username=options.get("username") or "default",
            password=options.get("password") or "",
            database=int(options.get("db") or 0),
        )

    def __str__(self) -> str:
        return self.path or f"{self.host}:{self.port}"


@dataclass(frozen=True)
class StoreUrl:
    """What REDIS_URL says: one server, the sentinels that watch one, or some nodes of a cluster."""

    kind: Kind
    hosts: tuple[str, ...]  # a plain URL for the server, or for each of the sentinels or nodes to ask
    service: str = ""  # the name by which the sentinels know the primary
    form: str = ""  # the plain URL of any server of the store, with {} for its host and port

    @classmethod
    def parse(cls, url: str) -> StoreUrl:
        """Read redis://, rediss:// and unix:// URLs, and those of Sentinel and Cluster; a bad one raises ValueError.

        `redis+sentinel://[user:password@]host[:port],.../service[/database]` and `redis+cluster://host[:port],...`,
        with `rediss+` for TLS. Sentinels with a password of their own get it from `?sentinel_password=`.
        """
        scheme, _, rest = url.partition("://")
        scheme, plus, kind = scheme.partition("+")
        if not plus:
            StoreAddress.from_url(url)
            return cls("single", (url,))
        rest, _, query = rest.partition("?")
        hosts, *path = [part for part in rest.split("/") if part] or [""]
        login, at, hosts = hosts.rpartition("@")
        options = dict(parse_qsl(query))
        password = quote(options.pop("sentinel_password", ""), safe="")
        end = f"?{urlencode(options)}" if options else ""
        names = [name for name in hosts.split(",") if name]
        if kind == "cluster" and names and path in ([], ["0"]):
            form = f"{scheme}://{login}{at}{{}}{end}"
            found = cls("cluster", tuple(form.replace("{}", name) for name in names), form=form)
        elif kind == "sentinel" and names and len(path) in (1, 2):
            own = f"{scheme}://:{password}@" if password else f"{scheme}://"
            sentinels = tuple(f"{own}{_with_port(name)}{end}" for name in names)
            found = cls("sentinel", sentinels, path[0], f"{scheme}://{login}{at}{{}}/{path[1] if path[1:] else 0}{end}")
        else:
            raise ValueError("it has to look like redis+cluster://host:port,... or redis+sentinel://host:port,.../name")
        for host in (*found.hosts, found.at("host", 1)):
            StoreAddress.from_url(host)
        return found

    def at(self, host: str, port: int) -> str:
        """The plain URL of a server of a cluster, or of one that sentinels watch."""
        return self.form.replace("{}", f"[{host}]:{port}" if ":" in host else f"{host}:{port}")


def _with_port(host: str) -> str:
    """A host with the usual port of sentinels, if it has none."""
    return host if ":" in host.rpartition("]")[2] else f"{host}:{SENTINEL_PORT}"


def _tls_context(options: dict[str, Any]) -> ssl.SSLContext:
    """A context with the options that redis-py takes from the URL: `ssl_ca_certs` and `ssl_cert_reqs=none`."""
    context = ssl.create_default_context(cafile=options.get("ssl_ca_certs"))
    if options.get("ssl_cert_reqs") == "none":
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context
