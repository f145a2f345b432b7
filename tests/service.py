"""The whole service as an operator runs it, in processes of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import redis

from server.log import log_key, read_entries

ROOT = Path(__file__).resolve().parent.parent
READY = "Cheeseboard is ready: open "


class Service:
    """`cheeseboard run` with a data folder of its own and a free port."""

    def __init__(self, data: Path, **settings: Any) -> None:
        self.data = data
        chosen = {"PORT": "0", "NODES": "2", "BOT_PAUSE_MS": "0", "DATA": str(data), "REDIS_URL": ""}
        chosen.update({name: str(value) for name, value in settings.items()})
        self.process = subprocess.Popen(
            [sys.executable, "-m", "server.cli", "run"],
            cwd=ROOT,
            env={**os.environ, **chosen},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line.startswith(READY):
            raise RuntimeError(f"not ready: {line!r} {self.process.communicate()[1]}")
        self.http = line.removeprefix(READY).strip().rstrip("/")
        self.url = self.http.replace("http", "ws", 1) + "/ws"

    def children(self, word: str) -> list[int]:
        """The processes of this service that have this word in their command, by number."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdecimal():
                try:
                    parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                    command = (entry / "cmdline").read_bytes()
                except OSError:  # it ended meanwhile
                    continue
                if parent == self.process.pid and word.encode() in command:
                    found.append(int(entry.name))
        return found

    def kill(self, module: str) -> int:
        """Kill every process of a module at once; how many there were."""
        numbers = self.children(module)
        for number in numbers:
            os.kill(number, signal.SIGKILL)
        return len(numbers)

    def log(self, table: str) -> list[tuple[int, Any]]:
        """The log of a table, read from the store itself."""
        with redis.Redis(unix_socket_path=str(self.data / "store.sock")) as store:
            return read_entries([(number, [b"e", fields[b"e"]]) for number, fields in store.xrange(log_key(table))])

    def stop(self, how: int = signal.SIGTERM) -> int:
        """Stop it as an operator would; its exit code."""
        self.process.send_signal(how)
        self.process.communicate(timeout=30)
        return self.process.returncode


def gone(number: int, within_s: float = 10) -> bool:
    """Whether a process ends within this time."""
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        if not Path(f"/proc/{number}").exists():
            return True
        time.sleep(0.02)
    return False
