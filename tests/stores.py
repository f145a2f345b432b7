"""Real stores of several processes on free ports: replicas, sentinels and a cluster."""

from __future__ import annotations

import itertools
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import redis

from server.process.child import end_with_parent
from server.process.embedded_valkey import valkey_binary
from server.store.cluster_store import slot_of

HOST = "127.0.0.1"
WAIT_S = 60
DOWN_AFTER_MS = 1_000, 1_250, 1_450  # one for each sentinel; docs/operations.md recommends these
FAILOVER_TIMEOUT_MS = 3_000
PATIENT_MS, IMPATIENT_MS = 20_000, 1_000  # so long without an answer, and a node of a cluster is replaced


# Below those that the system gives to others. Processes that are started one after another are 1009 ports apart.
PORTS = itertools.count(10_000 + os.getpid() * 1009 % 20_000)


def free_ports(count: int) -> list[int]:
    """Ports that nobody uses. Each process of the tests has its own, so that none takes the port of another."""
    return list(itertools.islice(filter(_is_free, PORTS), count))


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) != 0


def wait_until(holds: Callable[[], object]) -> None:
    """Wait for processes; a store that is not ready counts as not yet."""
    deadline = time.monotonic() + WAIT_S
    while True:
        try:
            if holds():
                return
        except redis.RedisError:
            pass
        if time.monotonic() > deadline:
            raise TimeoutError("the stores are not ready")
        time.sleep(0.02)


class StoreProcess:
    """A Valkey server on a port of its own."""

    def __init__(self, folder: Path, port: int, sentinel: bool = False, **options: str) -> None:
        self.port = port
        self.folder = folder / str(port)
        self.folder.mkdir()
        words = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", *value.split(" "))]
        given = {"port": str(port), "bind": HOST, "dir": str(self.folder), "save": "", "logfile": "log"}
        self._command = [str(valkey_binary())]
        if sentinel:
            (self.folder / "sentinel.conf").write_text(f"port {port}\nbind {HOST}\ndir {self.folder}\nlogfile log\n")
            self._command += [str(self.folder / "sentinel.conf"), "--sentinel"]
        else:
            self._command += [word for name, value in given.items() for word in (f"--{name}", value)] + words
        self.process = self._run()
        self.client = redis.Redis(host=HOST, port=port, socket_timeout=5, protocol=2)
        wait_until(self.client.ping)

    def _run(self) -> subprocess.Popen[bytes]:
        nothing = subprocess.DEVNULL
        return subprocess.Popen(
            self._command, stdin=nothing, stdout=nothing, stderr=nothing, preexec_fn=end_with_parent, cwd=self.folder
        )

    @property
    def url(self) -> str:
        return f"redis://{HOST}:{self.port}"

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process."""
        os.kill(self.process.pid, number)

    def kill(self) -> None:
        """Kill the process."""
        self.process.kill()
        self.process.wait()

    def start_again(self) -> None:
        """Start the process again, with the data that it has on disk."""
        self.process = self._run()
        wait_until(self.client.ping)

    def stop(self) -> None:
        """End the process, also one that is stopped."""
        self.client.close()
        if self.process.poll() is None:
            self.kill()


def command(client: redis.Redis, *words: Any) -> Any:
    """The answer to a command as the server sends it."""
    return client.execute_command(*words)  # type: ignore[no-untyped-call]


def wait_for_replica(primary: StoreProcess, replica: StoreProcess) -> None:
    """Wait until the replica has all that was written to the primary until now.

    WAIT would not do: it waits for the writes of the connection that sends it, and the nodes have their own.
    """
    written = primary.client.info("replication")["master_repl_offset"]
    wait_until(lambda: replica.client.info("replication")["slave_repl_offset"] >= written)


class Cluster:
    """Three primaries with a third of the slots each, and some replicas of each."""

    def __init__(self, folder: Path, replicas: int = 1) -> None:
        count = 3 * (1 + replicas)
        ports = free_ports(2 * count)
        self.nodes = [
            StoreProcess(
                folder,
                ports[number],
                cluster_enabled="yes",
                cluster_port=str(ports[count + number]),
                cluster_node_timeout=str(PATIENT_MS),
                cluster_replica_validity_factor="0",
                appendonly="no",
                repl_diskless_sync_delay="0",
            )
            for number in range(count)
        ]
        self.primaries, self.replicas = self.nodes[:3], self.nodes[3:]
        self._form(ports[count:])

    def _form(self, bus_ports: list[int]) -> None:
        for number, primary in enumerate(self.primaries):
            command(primary.client, "CLUSTER", "ADDSLOTSRANGE", number * 16384 // 3, (number + 1) * 16384 // 3 - 1)
        for number, node in enumerate(self.nodes):
            command(node.client, "CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        for node, bus in zip(self.nodes[1:], bus_ports[1:], strict=True):
            command(self.nodes[0].client, "CLUSTER", "MEET", HOST, node.port, bus)
        wait_until(lambda: all(self._knows_all(node) for node in self.nodes))
        for primary, replica in zip(itertools.cycle(self.primaries), self.replicas, strict=False):
            command(replica.client, "CLUSTER", "REPLICATE", node_id(primary))
        wait_until(lambda: all(b"cluster_state:ok" in self._info(node) for node in self.nodes))
        wait_until(lambda: all(node.client.info("replication")["connected_slaves"] for node in self.primaries))
        wait_until(lambda: all(node.client.info("replication")["master_link_status"] == "up" for node in self.replicas))

    @staticmethod
    def _info(node: StoreProcess) -> bytes:
        return bytes(command(node.client, "CLUSTER", "INFO"))

    def _knows_all(self, node: StoreProcess) -> bool:
        return f"cluster_known_nodes:{len(self.nodes)}".encode() in self._info(node)

    def set_node_timeout(self, ms: int) -> None:
        """Say after how long a dead node is replaced; a busy machine needs patience."""
        for node in self.nodes:
            if node.process.poll() is None:
                node.client.config_set("cluster-node-timeout", ms)

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"{HOST}:{node.port}" for node in self.nodes[:2])

    def owner(self, key: str) -> StoreProcess:
        """The primary that serves a key, as the primaries themselves say; for a moment there may be none."""
        wait_until(lambda: next(self._owners(key), None))
        return next(self._owners(key))

    def _owners(self, key: str) -> Iterator[StoreProcess]:
        for node in self.nodes:
            if node.process.poll() is None and node.client.info("replication")["role"] == "master":
                ranges = command(node.client, "CLUSTER", "NODES").decode().splitlines()
                (own,) = (line for line in ranges if "myself" in line)
                for part in own.split()[8:]:
                    begin, _, end = part.partition("-")
                    if begin.isdecimal() and int(begin) <= slot_of(key) <= int(end or begin):
                        yield node

    def begin_migration(self, key: str, target: StoreProcess) -> list[bytes]:
        """Begin to migrate the slot of a key, and return the keys in it."""
        slot, source = slot_of(key), self.owner(key)
        command(target.client, "CLUSTER", "SETSLOT", slot, "IMPORTING", node_id(source))
        command(source.client, "CLUSTER", "SETSLOT", slot, "MIGRATING", node_id(target))
        return list(command(source.client, "CLUSTER", "GETKEYSINSLOT", slot, 1000))

    def migrate(self, source: StoreProcess, target: StoreProcess, *names: bytes) -> None:
        """Move keys of a slot that is being migrated."""
        for name in names:
            command(source.client, "MIGRATE", HOST, target.port, name, 0, 5000)

    def end_migration(self, key: str, source: StoreProcess, target: StoreProcess) -> None:
        """Give the slot of a key to its new primary."""
        for node in (target, source, *(one for one in self.primaries if one not in (source, target))):
            command(node.client, "CLUSTER", "SETSLOT", slot_of(key), "NODE", node_id(target))

    def stop(self) -> None:
        for node in self.nodes:
            node.stop()


def node_id(node: StoreProcess) -> str:
    """The name of a node in its cluster."""
    return str(command(node.client, "CLUSTER", "MYID").decode())


class Watched:
    """A primary with some replicas, watched by three sentinels under the name `board`."""

    def __init__(self, folder: Path, replicas: int = 1) -> None:
        first, *ports = free_ports(4 + replicas)
        self.primary = StoreProcess(folder, first, repl_diskless_sync_delay="0")
        self.replicas = [
            StoreProcess(folder, port, repl_diskless_sync_delay="0", replicaof=f"{HOST} {first}")
            for port in ports[:replicas]
        ]
        self.replica = self.replicas[0]
        self.sentinels = [StoreProcess(folder, port, sentinel=True) for port in ports[replicas:]]
        for sentinel, down_after_ms in zip(self.sentinels, DOWN_AFTER_MS, strict=True):
            command(sentinel.client, "SENTINEL", "MONITOR", "board", HOST, self.primary.port, 2)
            for name, value in (("down-after-milliseconds", down_after_ms), ("failover-timeout", FAILOVER_TIMEOUT_MS)):
                command(sentinel.client, "SENTINEL", "SET", "board", name, value)
        wait_until(lambda: all(self._sees(sentinel) for sentinel in self.sentinels))
        wait_until(lambda: all(one.client.info("replication")["master_link_status"] == "up" for one in self.replicas))

    def _sees(self, sentinel: StoreProcess) -> bool:
        answer = command(sentinel.client, "SENTINEL", "MASTER", "board")
        found = dict(zip(answer[::2], answer[1::2], strict=True))
        return int(found[b"num-slaves"]) == len(self.replicas) and int(found[b"num-other-sentinels"]) == 2

    @property
    def url(self) -> str:
        return "redis+sentinel://" + ",".join(f"{HOST}:{one.port}" for one in self.sentinels) + "/board"

    def stop(self) -> None:
        for one in (*self.sentinels, *self.replicas, self.primary):
            one.stop()
