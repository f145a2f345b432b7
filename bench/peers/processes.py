"""The processes of a measurement: servers pinned to a core, and stores with the settings of a durability."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import redis

from server.process.child import end_with_parent
from server.process.embedded_valkey import valkey_binary

HERE = Path(__file__).resolve().parent
SERVER_CORE, CLIENT_CORE = "0", "1"


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def listeners(port: int) -> int:
    """Count the sockets that listen on this port. The nodes of one machine share theirs."""
    rows = [row.split() for table in ("tcp", "tcp6") for row in Path("/proc/net", table).read_text().splitlines()[1:]]
    return sum(row[3] == "0A" and int(row[1].rpartition(":")[2], 16) == port for row in rows)


def wait_port(port: int, count: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until `count` sockets listen on the port, the last of them in this process."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}")
        if listeners(port) >= count:
            return
        time.sleep(0.05)
    raise RuntimeError("the server did not open its port")


@contextlib.contextmanager
def running(
    command: list[str], core: str, port: int, env: dict[str, str], log: IO[str], folder: Path = HERE
) -> Iterator[int]:
    """Run a process, pinned to a core, until the end of the block. Yield its id."""
    words = ["taskset", "-c", core, *command]
    already = listeners(port)
    process = subprocess.Popen(
        words,
        cwd=folder,
        env={**os.environ, "NODE_ENV": "production", **env},
        stdout=log,
        stderr=log,
        preexec_fn=end_with_parent,
    )
    try:
        wait_port(port, already + 1, process)
        yield process.pid
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def store(port: int, folder: Path, log: IO[str], durability: str = "process") -> Iterator[int]:
    """Run a store with the settings of the embedded one, which also listens on a port; with a replica if need be."""
    appendfsync = "always" if durability == "disk" else "everysec"
    with contextlib.ExitStack() as stack:
        pid = stack.enter_context(store_server(port, folder, log, {"appendfsync": appendfsync}))
        if durability == "replica":
            (folder / "replica").mkdir()
            following = {"appendfsync": "everysec", "replicaof": f"127.0.0.1 {port}"}
            stack.enter_context(store_server(free_port(), folder / "replica", log, following))
            wait_replica(port)
        yield pid


@contextlib.contextmanager
def store_server(port: int, folder: Path, log: IO[str], more: dict[str, str]) -> Iterator[int]:
    """Run one server of a store."""
    options = {"port": port, "bind": "127.0.0.1", "unixsocket": folder / "store.sock", "dir": folder}
    options |= {"appendonly": "yes", "save": "", "repl-diskless-sync-delay": "0", **more}
    words = [word for name, value in options.items() for word in (f"--{name}", *(str(value).split() or [""]))]
    with running([str(valkey_binary()), *words], CLIENT_CORE, port, {}, log) as pid:
        yield pid


def wait_replica(port: int) -> None:
    """Wait until a replica of the store on this port is in step."""
    end = time.monotonic() + 30
    with redis.Redis(port=port) as client:
        while client.info("replication").get("slave0", {}).get("state") != "online":
            if time.monotonic() > end:
                raise RuntimeError("the replica of the store is not in step")
            time.sleep(0.05)
