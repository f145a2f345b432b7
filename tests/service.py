"""The whole service as an operator runs it, in processes of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import redis

from server.store import keys
from server.tables.state.entries import decode_entries

ROOT = Path(__file__).resolve().parent.parent
READY = "Cheeseboard is ready: open "


class Service:
    """`cheeseboard run` with a data folder of its own, on a free port.

    `prefix` are words before the command, such as `prlimit --nofile=100`. `errors` is a file for the logs.
    """

    def __init__(self, data: Path, prefix: tuple[str, ...] = (), errors: Path | None = None, **settings: Any) -> None:
        self.data = data
        chosen = {
            "PORT": "0",
            "NODES": "2",
            "BOT_PAUSE_MS": "0",
            "BOT_THINK_MS": "20",
            "DATA": str(data),
            "REDIS_URL": "",
        }
        chosen["LIMIT_EXEMPT"] = "127.0.0.1"  # a test does in a second what many clients do in an hour
        chosen.update({name: str(value) for name, value in settings.items()})
        with errors.open("w+") if errors else tempfile.TemporaryFile("w+") as complaints:  # a full pipe would block it
            self.process = subprocess.Popen(
                [*prefix, sys.executable, "-m", "server.process.cli", "run"],
                cwd=ROOT,
                env={**os.environ, **chosen},
                stdout=subprocess.PIPE,
                stderr=complaints,
                text=True,
            )
            assert self.process.stdout
            line = self.process.stdout.readline()
            if not line.startswith(READY):
                self.process.wait(30)
                complaints.seek(0)
                raise RuntimeError(f"not ready: {line!r} {complaints.read()}")
        self.http = line.removeprefix(READY).strip().rstrip("/")
        self.url = self.http.replace("http", "ws", 1) + "/ws"

    def children(self, word: str) -> list[int]:
        """Return the ids of the child processes whose command contains this word."""
        found = []
        for listed in Path(f"/proc/{self.process.pid}/task").glob("*/children"):
            for pid in _read(listed).split():
                if word.encode() in _read(Path(f"/proc/{int(pid)}/cmdline")):
                    found.append(int(pid))
        return found

    def kill(self, module: str) -> int:
        """Kill every process of a module, wait until all are dead, and return how many there were."""
        pids = self.children(module)
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        end = time.monotonic() + 10
        while set(pids) & set(self.children(module)):  # a dead process has no command
            assert time.monotonic() < end, f"processes of {module} outlive a kill"
            time.sleep(0.01)
        return len(pids)

    def wait_for(self, module: str, count: int, within_s: float = 20) -> None:
        """Wait until the supervisor runs this many processes of a module."""
        end = time.monotonic() + within_s
        while len(self.children(module)) != count:
            assert time.monotonic() < end, f"{len(self.children(module))} processes of {module}, not {count}"
            time.sleep(0.02)

    def log(self, table: str) -> list[tuple[int, Any]]:
        """Read the log of a table from the store."""
        with redis.Redis(unix_socket_path=str(self.data / "store.sock")) as store:
            log = store.xrange(keys.table_log(table))
            return decode_entries((int(number.partition(b"-")[0]), fields[b"e"]) for number, fields in log)

    def stop(self, how: int = signal.SIGTERM) -> int:
        """Stop the service with a signal and return its exit code."""
        self.process.send_signal(how)
        self.process.communicate(timeout=30)
        return self.process.returncode


def _read(path: Path) -> bytes:
    """A file of a process; empty if the process has ended."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def gone(pid: int, within_s: float = 10) -> bool:
    """Wait for a process to end. Return whether it did within this time."""
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        if not Path(f"/proc/{pid}").exists():
            return True
        time.sleep(0.02)
    return False
