"""Starts the whole service, keeps it running, and stops what it started: the store, the nodes, the house bots."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from prometheus_client.multiprocess import mark_process_dead

from server.embedded import Embedded, check_port, check_store, end_with_parent
from server.people import People
from server.settings import BadSetting, Settings
from server.store import Store

log = logging.getLogger("cheeseboard.supervisor")

ROOT = Path(__file__).resolve().parent.parent
QUICK_S = 1.0  # a child that dies sooner than this is restarted with a growing pause
MOST_PAUSE_S = 5.0


class Child:
    """A process that is started again when it dies."""

    def __init__(self, name: str, command: list[str], environment: dict[str, str], secret: str = "") -> None:
        self.name = name
        self._command = command
        self._environment = environment
        self._secret = secret
        self._began = 0.0
        self._pause_s = 0.0
        self._not_before = 0.0
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; a secret goes through its standard input, where nobody else can read it."""
        self._began = time.monotonic()
        self.process = subprocess.Popen(
            self._command,
            env=self._environment,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=end_with_parent,
        )
        assert self.process.stdin
        try:
            self.process.stdin.write(self._secret.encode())
            self.process.stdin.close()
        except BrokenPipeError:
            pass

    def check(self) -> None:
        """Start it again if it has died, not faster and faster."""
        if self.process is None or self.process.poll() is None:
            return
        now = time.monotonic()
        if self._not_before == 0.0:
            lived = now - self._began
            self._pause_s = min(MOST_PAUSE_S, max(0.1, self._pause_s * 2)) if lived < QUICK_S else 0.0
            self._not_before = now + self._pause_s
            log.warning("%s ended with %s", self.name, self.process.returncode)
            folder = self._environment["PROMETHEUS_MULTIPROC_DIR"]
            mark_process_dead(self.process.pid, folder)  # type: ignore[no-untyped-call]  # it counts no more
        if now >= self._not_before:
            try:
                self.start()
            except OSError as fault:
                log.error("%s cannot be started now: %s", self.name, fault)
                self._not_before = now + MOST_PAUSE_S
            else:
                self._not_before = 0.0

    def stop(self, patience_s: float) -> None:
        """Ask it to stop, then make it."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(patience_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Supervisor:
    """Everything that one `cheeseboard run` has started."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._store: Embedded | None = None
        self._nodes: list[Child] = []
        self._bots: list[Child] = []
        self._folder = tempfile.mkdtemp(prefix="cheeseboard-")  # what the nodes share: figures, doors
        self._stop = False

    def run(self) -> None:
        """Run until told to stop."""
        signal.signal(signal.SIGTERM, self._told)
        signal.signal(signal.SIGINT, self._told)
        try:
            self._start()
            while not self._stop:
                for child in (*self._nodes, *self._bots):
                    child.check()
                if self._store and self._store.process and self._store.process.poll() is not None:
                    log.error("the store died and is started again")
                    self._store.start()
                time.sleep(0.1)
        finally:
            self._end()

    def _told(self, number: int, frame: object) -> None:
        self._stop = True

    def _start(self) -> None:
        settings = self._settings
        port = check_port(settings.host, settings.port)
        if settings.redis_url:
            url = settings.redis_url
            check_store(url)
        else:
            self._store = Embedded(settings.data)
            self._store.start()
            url = self._store.url
        environment = {
            **os.environ,
            "HOST": settings.host,
            "BOT_PAUSE_MS": str(settings.bot_pause_ms),
            "PORT": str(port),
            "REDIS_URL": url,
            "PROMETHEUS_MULTIPROC_DIR": self._folder,
        }
        for number in range(settings.nodes):
            name = f"{socket.gethostname()}-{number + 1}"  # nodes of other machines may use the store too
            own = {
                "CHEESEBOARD_NODE": name,
                "CHEESEBOARD_HANDOVER": f"{self._folder}:{number}:{settings.nodes}",
            }
            self._nodes.append(Child(name, [sys.executable, "-m", "server.node"], {**environment, **own}))
        for node in self._nodes:
            node.start()
        self._wait(port)
        self._start_bots(url, port, environment)
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        print(f"Cheeseboard is ready: open http://{host}:{port}/", flush=True)  # noqa: T201

    def _wait(self, port: int) -> None:
        """Wait until one answers on the port that they share."""
        host = "127.0.0.1" if self._settings.host in ("0.0.0.0", "::") else self._settings.host
        host = f"[{host}]" if ":" in host else host
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not self._stop:
            if any(node.process and node.process.poll() is not None for node in self._nodes):
                raise BadSetting("a node could not start: the line above says why")
            try:
                with urllib.request.urlopen(f"http://{host}:{port}/healthz", timeout=2):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.05)
        if not self._stop:
            raise BadSetting("the nodes did not answer within a minute")

    def _start_bots(self, url: str, port: int, environment: dict[str, str]) -> None:
        """The house bots share their names out among their processes."""
        count = self._settings.bots
        if not count:
            return
        tokens = list(asyncio.run(_tokens(url)).values())
        host = "127.0.0.1" if self._settings.host in ("0.0.0.0", "::") else self._settings.host
        host = f"[{host}]" if ":" in host else host
        plain = {key: value for key, value in environment.items() if key != "REDIS_URL"}
        for number in range(count):
            command = [sys.executable, "-m", "bots.house", f"ws://{host}:{port}/ws"]
            secret = json.dumps(tokens[number::count])
            self._bots.append(Child(f"bots-{number + 1}", command, plain, secret))
        for bot in self._bots:
            bot.start()

    def _end(self) -> None:
        """Stop everything in an order that loses nothing: bots, nodes, store."""
        for child in (*self._bots, *self._nodes):
            if child.process and child.process.poll() is None:
                child.process.terminate()
        for bot in self._bots:
            bot.stop(3)
        for node in self._nodes:
            node.stop(10)
        if self._store:
            self._store.stop()
        shutil.rmtree(self._folder, ignore_errors=True)


async def _tokens(url: str) -> dict[str, str]:
    store = Store(url)
    await store.start()
    try:
        return await People(store).house_tokens()
    finally:
        await store.close()
