"""Starts, supervises and stops the whole service: the embedded store, the nodes, the house bots and the analyst."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
import urllib.error
import urllib.request
import uuid
from hashlib import sha256
from wsgiref.simple_server import WSGIServer

from server.process.child import Child
from server.process.embedded_valkey import EmbeddedValkey
from server.process.metrics_server import SupervisorMetrics
from server.process.settings import BadSetting, Settings
from server.process.store_check import check_store
from server.requests.accounts import Accounts
from server.store.open_store import open_store

log = logging.getLogger("cheeseboard.supervisor")


class Supervisor:
    """The processes of one `cheeseboard run`."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._store: EmbeddedValkey | None = None
        self._nodes: list[Child] = []
        self._bots: list[Child] = []
        self._folder = tempfile.mkdtemp(prefix="cheeseboard-")  # shared by the nodes: metrics, handover sockets
        self._metrics = SupervisorMetrics()
        self._metrics_server: WSGIServer | None = None
        self._stop = False

    def run(self) -> None:
        """Run until told to stop."""
        signal.signal(signal.SIGTERM, self._request_stop)
        signal.signal(signal.SIGINT, self._request_stop)
        try:
            self._start()
            while not self._stop:
                for child in (*self._nodes, *self._bots):
                    child.check()
                if self._store and self._store.process and self._store.process.poll() is not None:
                    log.error("the store has died and is restarted")
                    self._store.start()
                time.sleep(0.1)
        finally:
            self._end()

    def _request_stop(self, number: int, frame: object) -> None:
        self._stop = True

    def _start(self) -> None:
        settings = self._settings
        port = check_port(settings.host, settings.port)
        if settings.metrics_port:
            self._metrics_server = self._metrics.serve(settings.metrics_host, settings.metrics_port, self._folder)
        if settings.redis_url:
            url = check_store(settings.redis_url, settings.durability)
        else:
            self._store = EmbeddedValkey(settings.data, settings.store_memory_mb, settings.durability)
            self._store.start()
            url = self._store.url
        environment = {
            **os.environ,
            "HOST": settings.host,
            "BOT_PAUSE_MS": str(settings.bot_pause_ms),
            "BOT_THINK_MS": str(settings.bot_think_ms),
            "PORT": str(port),
            "REDIS_URL": url,
            "PROMETHEUS_MULTIPROC_DIR": self._folder,
        }
        for number in range(settings.nodes):
            name = node_name(settings.host, port, number)
            own = {
                "CHEESEBOARD_NODE": name,
                "CHEESEBOARD_HANDOVER": f"{self._folder}:{number}:{settings.nodes}",
            }
            node = Child(name, [sys.executable, "-m", "server.app"], {**environment, **own}, has_heartbeat=True)
            node.on_restart = self._metrics.restarted
            self._nodes.append(node)
        for node in self._nodes:
            node.start()
        self._wait(port)
        self._start_bots(url, port, environment)
        self._start_analyst(environment)
        print(f"Cheeseboard is ready: open http://{_in_url(settings.host)}:{port}/", flush=True)  # noqa: T201

    def _own_host(self) -> str:
        """The host at which processes of this machine reach the nodes, for a URL."""
        host = self._settings.host
        return _in_url("127.0.0.1" if host in ("0.0.0.0", "::") else host)

    def _wait(self, port: int) -> None:
        """Wait until a node answers on the shared port."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not self._stop:
            if any(node.process and node.process.poll() is not None for node in self._nodes):
                raise BadSetting("a node could not start: the line above says why")
            try:
                with urllib.request.urlopen(f"http://{self._own_host()}:{port}/healthz", timeout=2):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.05)
        if not self._stop:
            raise BadSetting("the nodes did not answer within a minute")

    def _start_bots(self, url: str, port: int, environment: dict[str, str]) -> None:
        """Start the house bots; their processes share the names."""
        count = self._settings.bots
        if not count:
            return
        tokens = list(asyncio.run(_tokens(url)).values())
        plain = {key: value for key, value in environment.items() if key != "REDIS_URL"}
        for number in range(count):
            command = [sys.executable, "-m", "bots.house", f"ws://{self._own_host()}:{port}/ws"]
            secret = json.dumps(tokens[number::count])
            self._bots.append(Child(f"bots-{number + 1}", command, plain, secret))
        for bot in self._bots:
            bot.start()

    def _start_analyst(self, environment: dict[str, str]) -> None:
        """Start the process that analyses finished games."""
        if self._settings.analyst:
            own = {"ANALYST_MOVES": str(self._settings.analyst_moves)}
            analyst = Child("analyst", [sys.executable, "-m", "server.process.analyst"], {**environment, **own})
            self._bots.append(analyst)
            analyst.start()

    def _end(self) -> None:
        """Stop the bots, then the nodes, then the store: in this order nothing is lost."""
        for child in (*self._bots, *self._nodes):
            if child.process and child.process.poll() is None:
                child.process.terminate()
        for bot in self._bots:
            bot.stop(3)
        for node in self._nodes:
            node.stop(10)
        if self._store:
            self._store.stop()
        if self._metrics_server:
            self._metrics_server.shutdown()
            self._metrics_server.server_close()
        shutil.rmtree(self._folder, ignore_errors=True)


def _in_url(host: str) -> str:
    """A host as a URL has it: an IPv6 address is in brackets."""
    return f"[{host}]" if ":" in host else host


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


def node_name(host: str, port: int, number: int) -> str:
    """The name of a node, unlike those of all others that may share its store.

    Machines with the same host name differ in their network card, services on one machine in their address.
    """
    tag = sha256(f"{uuid.getnode()} {host}:{port}".encode()).hexdigest()[:6]
    return f"{socket.gethostname()}-{tag}-{number + 1}"


async def _tokens(url: str) -> dict[str, str]:
    store = open_store(url)
    await store.start()
    try:
        return await Accounts(store).new_house_tokens()
    finally:
        await store.close()
