"""Two machines over one store behind a balancer: loopback addresses stand for machines, and nginx hashes `?table=`."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from bench.faults.client import Address
from bench.faults.stores import START_TIMEOUT_S
from bench.faults.world import World
from server.store import keys
from server.tables.state.presence_reports import read_report
from tests.service import Service
from tests.stores import free_ports

HOSTS = ("127.0.0.2", "127.0.0.3")
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"

CONFIGURATION = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    client_body_temp_path {folder}/nginx-body;
    proxy_temp_path {folder}/nginx-proxy;
    fastcgi_temp_path {folder}/nginx-fastcgi;
    uwsgi_temp_path {folder}/nginx-uwsgi;
    scgi_temp_path {folder}/nginx-scgi;
    map $http_upgrade $connection_upgrade {{ default upgrade; "" ""; }}
    upstream cheeseboard {{
        hash $arg_table consistent;
        {servers}
    }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://cheeseboard;
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $connection_upgrade;
            proxy_connect_timeout 1s;
        }}
    }}
}}
"""


def missing() -> str:
    """Why this cannot run here, or ''."""
    return "" if Path(NGINX).exists() else "nginx is not installed"


class Machines(World):
    """The service on two machines over one store, and nginx in front of them."""

    balancer: subprocess.Popen[bytes] | None = None
    url = ""

    def start_service(self, url: str) -> Address:
        """Start a service on each address, all with the same port as real machines have, and the balancer."""
        self.url, (port, front) = url, free_ports(2)
        for host in HOSTS:
            self.run_machine(host, port)
        servers = " ".join(f"server {host}:{port} max_fails=0;" for host in HOSTS)  # docs/operations.md says why
        path = self.folder / "nginx.conf"
        path.write_text(CONFIGURATION.format(folder=self.folder, servers=servers, port=front))
        self.balancer = subprocess.Popen([NGINX, "-p", str(self.folder), "-c", str(path)], stderr=subprocess.DEVNULL)
        _await_answer(f"http://127.0.0.1:{front}/healthz")
        return Address("127.0.0.1", front)

    def run_machine(self, host: str, port: int) -> Service:
        """Start the service on this address."""
        return self.run_service(self.url, host, HOST=host, PORT=port, METRICS_PORT=0, TRUSTED_PROXIES="127.0.0.1")

    async def stop_store(self) -> None:
        """Stop the balancer and the store."""
        if self.balancer:
            self.balancer.terminate()
            await asyncio.to_thread(self.balancer.wait)
        await super().stop_store()

    def nodes_at(self, table: str) -> list[str]:
        """The nodes on which somebody has this table open, as they last reported it."""
        stored: list[Any] = self.store.admin.hvals(keys.table_presence(table))
        reports = [read_report(one) for one in stored]
        return [report.node for report in reports if report.watchers or report.seats]


async def lose_machine(world: Machines, chance: random.Random) -> None:
    """Kill a whole machine behind the balancer, and start it again after a while."""
    lost = chance.choice(world.services)
    for pid in (lost.process.pid, *lost.children("")):
        os.kill(pid, signal.SIGKILL)
    lost.process.communicate()
    world.services.remove(lost)
    await asyncio.sleep(chance.uniform(0.0, 0.5))
    host, _, port = lost.http.removeprefix("http://").rpartition(":")
    await asyncio.to_thread(world.run_machine, host, int(port))


def _await_answer(url: str) -> None:
    end = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.02)
    raise RuntimeError(f"no answer from {url}")
