"""One run: a store, the service on it, and parties in all games."""

from __future__ import annotations

import asyncio
import os
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import redis

from bench.faults.client import Address
from bench.faults.history import StoredLog, TableHistory
from bench.faults.party import SEATS, Party
from bench.faults.proxy import Proxy
from bench.faults.slow_disk import SlowDisk
from bench.faults.stores import StoreServer
from bench.peers.processes import listeners
from server.store import keys
from tests.service import Service

NODES = 2
NODE = "server.app"  # a word in the command of a node
REPLAY_TIMEOUT_S = 5.0
SETTLE_TIMEOUT_S = 5.0
NODE_AGE_S = 1.1  # the supervisor restarts a younger node after a pause only


class World:
    """The service on a single store, reached through a proxy if `proxied`, with a replica if `replicated`.

    `disk_ms` is how long a sync of the store's disk takes; None for the disk as it is.
    """

    def __init__(
        self,
        folder: Path,
        seed: str,
        proxied: bool = False,
        replicated: bool = False,
        disk_ms: int | None = None,
        appendfsync: str = "everysec",
        **settings: Any,
    ) -> None:
        self.folder = folder
        self.seed = seed
        self.settings = settings
        disk = None if disk_ms is None else SlowDisk(folder, folder / "store", disk_ms)
        self.store = StoreServer(folder / "store", disk, appendfsync=appendfsync)
        self.replica: StoreServer | None = None
        self.proxy: Proxy | None = Proxy(self.store.port) if proxied or replicated else None
        self.link: Proxy | None = None  # between the store and its replica
        if replicated:
            self.replica = StoreServer(folder / "replica", appendfsync=appendfsync)
            self.link = Proxy(self.store.port)
        self.turn = 0  # for faults that differ from time to time
        self.services: list[Service] = []
        self.parties: list[Party] = []

    async def start(self) -> None:
        """Start everything, and wait until all tables are in play."""
        url = await self.start_store()
        address = await asyncio.to_thread(self.start_service, url)
        self.parties = [Party(address, game, self.seed) for game in SEATS]
        for party in self.parties:
            party.start()
        await self.until(lambda: all(any(one.sent for one in party.histories) for party in self.parties), 30)

    async def stop(self) -> None:
        """Stop everything that was started."""
        await asyncio.gather(*(party.stop() for party in self.parties), return_exceptions=True)
        for service in self.services:
            await asyncio.to_thread(_stop, service)
        await self.stop_store()

    async def start_store(self) -> str:
        """Start the store and what belongs to it; return its URL."""
        self.store.start()
        if self.proxy:
            await self.proxy.start()
        if self.replica and self.link:
            await self.link.start()
            self.replica.start()
            await self.attach_replica()
        return f"redis://127.0.0.1:{self.proxy.port}" if self.proxy else self.store.url

    async def stop_store(self) -> None:
        """Stop the store and what belongs to it."""
        for proxy in (self.proxy, self.link):
            if proxy:
                await proxy.stop()
        for server in (self.store, self.replica):
            if server:
                server.stop()

    def start_service(self, url: str) -> Address:
        """Start the service on this store, and return where clients reach it."""
        service = self.run_service(url)
        host, _, port = service.http.removeprefix("http://").rpartition(":")
        return Address(host, int(port))

    def run_service(self, url: str, name: str = "service", **settings: Any) -> Service:
        """Run the service, as one machine of its own if there are several."""
        chosen = {"NODES": NODES, "BOTS": 0, "REDIS_URL": url, **self.settings, **settings}
        service = Service(self.folder / f"{name}-data", errors=self.folder / f"{name}.log", **chosen)
        self.services.append(service)
        return service

    async def until(self, holds: Callable[[], object], within_s: float) -> bool:
        """Poll until `holds()` is true. Return whether it was within this time."""
        end = time.monotonic() + within_s
        while not holds():
            if time.monotonic() > end:
                return False
            await asyncio.sleep(0.01)
        return True

    # Nodes.

    def nodes(self) -> list[int]:
        """The process ids of the nodes."""
        return sorted(pid for service in self.services for pid in service.children(NODE))

    def nodes_are_up(self) -> bool:
        """Whether all nodes run and take connections, and have run long enough to be restarted at once."""
        up = self.nodes()
        if len(up) < NODES * len(self.services) or any(_age_s(pid) <= NODE_AGE_S for pid in up):
            return False
        ports = {int(service.http.rpartition(":")[2]) for service in self.services}
        return sum(map(listeners, ports)) == len(up)

    # The store.

    async def attach_replica(self) -> None:
        """Make the replica follow the store through the link, and wait until it is in step."""
        assert self.replica
        assert self.link
        self.link.target = self.store.port
        await asyncio.to_thread(self.replica.admin.replicaof, "127.0.0.1", self.link.port)
        if not await self.until(lambda: _in_step(self.replica), 20):
            raise RuntimeError("the replica did not get in step")

    def swap(self) -> None:
        """Exchange the names of the store and its replica, after the replica was promoted."""
        assert self.replica
        self.store, self.replica = self.replica, self.store

    # The end.

    async def finish(self, within_s: float) -> None:
        """Play all tables to their end, and read their logs and replays into the histories."""
        await asyncio.gather(*(party.finish(within_s) for party in self.parties))
        await asyncio.to_thread(self._read_all)
        await self.until(self._all_shown, SETTLE_TIMEOUT_S)

    def histories(self) -> list[TableHistory]:
        """The histories of all tables."""
        return [history for party in self.parties for history in party.histories]

    def read_logs(self) -> None:
        """Keep a read of the log of each party's present table, to see later that it was only added to."""
        for party in self.parties:
            if party.histories:
                party.histories[-1].reads.append(self._log(party.histories[-1].table))

    def _read_all(self) -> None:
        for history in self.histories():
            history.replay = self._replay(history.table) if self._log(history.table) else None
            history.log = self._log(history.table)

    def _log(self, table: str) -> StoredLog:
        found = self.read(table)
        return [(id, fields[b"e"]) for id, fields in found]  # noqa: A001

    def read(self, table: str) -> Any:
        """Read the log of a table from the store."""
        end = time.monotonic() + SETTLE_TIMEOUT_S
        while True:
            try:
                return self.store.admin.xrange(keys.table_log(table))
            except redis.RedisError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def _replay(self, table: str) -> str | None:
        """The replay as the service gives it out; it is written soon after the end."""
        end = time.monotonic() + REPLAY_TIMEOUT_S
        while True:
            try:
                with urllib.request.urlopen(f"{self.services[-1].http}/replays/{table}.jsonl", timeout=5) as answer:
                    text: str = answer.read().decode()
                    return text
            except urllib.error.HTTPError as refused:
                refused.close()
            except OSError:
                pass
            if time.monotonic() > end:
                return None
            time.sleep(0.05)

    def _all_shown(self) -> bool:
        """Whether every client has seen the last entry of its table."""
        return all(
            client.last == len(client.history.log)
            for party in self.parties
            for client in party.clients
            if client.history
        )


def _stop(service: Service) -> None:
    for pid in service.children(NODE):
        os.kill(pid, signal.SIGCONT)
    if service.process.poll() is None:
        service.stop()


def _in_step(replica: StoreServer | None) -> bool:
    assert replica
    try:
        info = replica.admin.info("replication")
    except redis.RedisError:
        return False
    return info.get("master_link_status") == "up"


def _age_s(pid: int) -> float:
    """How long a process has run."""
    try:
        ticks = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])
    except OSError:
        return 0.0
    now = float(Path("/proc/uptime").read_text().split()[0])
    return now - ticks / os.sysconf("SC_CLK_TCK")
