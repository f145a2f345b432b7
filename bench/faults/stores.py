"""Store servers that a run starts, kills, stops and continues; each has a port and a folder of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from bench.faults.slow_disk import SYNCED_FOLDER, SlowDisk
from server.process.child import end_with_parent
from server.process.embedded_valkey import valkey_binary
from tests.stores import free_ports

START_TIMEOUT_S = 20.0
OPTIONS = {"appendonly": "yes", "save": "", "maxmemory-policy": "noeviction", "repl-diskless-sync-delay": "0"}


class StoreServer:
    """One Valkey process on a port of loopback. Its data survive `kill` and `start`.

    `options` are those of its configuration, such as `appendfsync`. With a `disk`, syncs are slow and a power cut can
    be played.
    """

    def __init__(self, folder: Path, disk: SlowDisk | None = None, **options: Any) -> None:
        self.folder = folder
        (self.port,) = free_ports(1)
        self.disk = disk
        self._options = {**OPTIONS, **{name.replace("_", "-"): str(value) for name, value in options.items()}}
        self.process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        once = Retry(NoBackoff(), 0)
        self.admin = redis.Redis(port=self.port, socket_timeout=5, socket_connect_timeout=2, retry=once)

    @property
    def url(self) -> str:
        """The URL of this server."""
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start the process and wait until it has loaded its data."""
        words = [str(valkey_binary()), "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        words += ["--logfile", str(self.folder / "store.log")]
        words += [word for name, value in self._options.items() for word in (f"--{name}", value)]
        environment = {**os.environ, **(self.disk.environment if self.disk else {})}
        self.process = subprocess.Popen(
            words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, preexec_fn=end_with_parent
        )
        self.wait_ready()

    def wait_ready(self) -> None:
        """Wait until the server answers and has loaded its data."""
        end = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < end:
            try:
                self.admin.ping()
            except redis.RedisError:
                time.sleep(0.01)
            else:
                return
        raise RuntimeError(f"the store on port {self.port} did not start: see {self.folder}/store.log")

    def kill(self) -> None:
        """Kill the process at once."""
        assert self.process
        self.process.kill()
        self.process.wait()

    def cut_power(self) -> None:
        """Kill the process, and cut its files to what was synced: the rest was in the memory of the machine."""
        self.kill()
        for path in (self.folder / "appendonlydir").glob("*.aof"):
            if ".incr." in path.name:
                record = self.folder / SYNCED_FOLDER / str(path.stat().st_ino)
                os.truncate(path, int(record.read_text()) if record.exists() else 0)

    def pause(self) -> None:
        """Stop the process (SIGSTOP)."""
        assert self.process
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Continue the process."""
        assert self.process
        self.process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """End the process if it runs."""
        self.admin.close()
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
