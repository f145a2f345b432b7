"""A node that hangs is noticed, killed and replaced, and its clients come back."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
import redis

from server.process import child as child_module
from server.process.child import Child
from server.store import keys
from server.tables.state.entries import Moved, Resumed
from server.tables.state.presence_reports import read_report
from tests.client import Client, eventually
from tests.server.process.test_service import fetch
from tests.service import Service, gone
from tests.stores import free_ports

BEATING = """
import faulthandler, os, signal, time
faulthandler.register(signal.SIGUSR1)
fd = int(os.environ["CHEESEBOARD_HEARTBEAT_FD"])
def hang():
    time.sleep(60)
for _ in range({beats}):
    os.write(fd, b".")
    time.sleep(0.02)
hang()
"""


def beating(tmp_path: Path, beats: int) -> Child:
    """A child that hangs after this many heartbeats."""
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    return Child("child", [sys.executable, "-c", BEATING.format(beats=beats)], environment, has_heartbeat=True)


def check_until(child: Child, holds: Callable[[], bool]) -> None:
    """Check a child as the supervisor does, until `holds()` is true."""
    for _ in range(1_000):
        child.check()
        if holds():
            return
        time.sleep(0.01)
    raise AssertionError("it did not happen")


def test_a_child_without_heartbeats_is_killed_says_where_it_hangs_and_is_restarted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(child_module, "HUNG_S", 0.3)
    monkeypatch.setattr(child_module, "TRACEBACK_S", 1)  # a busy machine may let it write only later
    child, restarts = beating(tmp_path, 3), list[str]()
    child.on_restart = restarts.append
    child.start()
    first = child.process
    assert first
    try:
        check_until(child, lambda: child.process is not first)
        assert first.returncode == -signal.SIGKILL
        assert restarts == ["hung"]
        assert "in hang" in capfd.readouterr().err
    finally:
        child.stop(0)


def test_a_child_that_sends_heartbeats_lives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_module, "HUNG_S", 1.0)
    child = beating(tmp_path, 1_000)
    child.start()
    first, began = child.process, time.monotonic()
    try:
        check_until(child, lambda: time.monotonic() - began > 1.5)
        assert child.process is first
    finally:
        child.stop(0)


def test_a_child_that_waits_for_a_cpu_does_not_hang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_module, "HUNG_S", 0.3)
    child, began = beating(tmp_path, 3), time.monotonic()
    monkeypatch.setattr(child_module, "waited_for_cpu_s", lambda pid: time.monotonic() - began)
    child.start()
    first = child.process
    try:
        check_until(child, lambda: time.monotonic() - began > 1)
        assert child.process is first
        assert first
        assert first.poll() is None
    finally:
        child.stop(0)


def test_a_supervisor_that_was_stopped_itself_kills_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    child = beating(tmp_path, 3)
    child.start()
    first, now = child.process, time.monotonic
    try:
        pipe = child._pipe
        assert pipe
        check_until(child, lambda: pipe._limit_s == child_module.HUNG_S)
        monkeypatch.setattr(time, "monotonic", lambda: now() + 3_600)
        child.check()
        child.check()
        assert child.process is first
        assert first
        assert first.poll() is None
    finally:
        child.stop(0)


def test_a_supervisor_that_is_stopped_again_and_again_kills_a_child_that_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = beating(tmp_path, 3)
    child.start()
    first, now, gone_s = child.process, time.monotonic, 0.0
    try:
        pipe = child._pipe
        assert pipe
        check_until(child, lambda: pipe._limit_s == child_module.HUNG_S)
        monkeypatch.setattr(time, "monotonic", lambda: now() + gone_s)

        def looks_twice_in_ten_seconds() -> bool:
            nonlocal gone_s
            child.check()
            time.sleep(0.2)
            child.check()
            gone_s += 10
            return child.process is not first

        check_until(child, looks_twice_in_ten_seconds)
        assert first
        assert first.returncode == -signal.SIGKILL
    finally:
        child.stop(0)


def serving_node(service: Service, table: str) -> int | None:
    """The process of the node that serves the first seat of this table. Bots at the table may be on other nodes."""
    with redis.Redis(unix_socket_path=str(service.data / "store.sock")) as store:
        reports = map(read_report, cast("list[bytes]", store.hvals(keys.table_presence(table))))
    names = [report.node.encode() for report in reports if 0 in report.seats]
    for pid in service.children("server.app"):
        words = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        if any(b"CHEESEBOARD_NODE=" + name in words for name in names):
            return pid
    return None


def given_ms(service: Service, table: str) -> int:
    """The time that players of this table got back."""
    return sum(entry.ms for _, entry in service.log(table) if isinstance(entry, Resumed))


@pytest.mark.slow
async def test_a_stopped_node_is_replaced_and_its_player_loses_neither_the_game_nor_time(tmp_path: Path) -> None:
    (port,), errors = free_ports(1), tmp_path / "errors"
    service = await asyncio.to_thread(Service, tmp_path / "data", errors=errors, METRICS_PORT=port)
    try:
        player = await Client.join(service.url)
        made = await player.request("create", game="cheesedog", seats=3, bots="rookie", speed="blitz")
        table = made["table"]
        await player.request("open", table=table)
        await player.until(lambda m: m["type"] == "update" and "ask" in m)
        ask = player.updates(table)[-1]["ask"]
        await eventually(lambda: serving_node(service, table))
        pid = serving_node(service, table)
        assert pid
        os.kill(pid, signal.SIGSTOP)
        await eventually(lambda: player._task.done())  # `make faults` measures how long this takes
        assert await asyncio.to_thread(gone, pid)
        back = await Client.join(service.url, token=player.token)
        await back.request("open", table=table)
        newcomers = await asyncio.gather(*(Client.join(service.url) for _ in range(10)))
        assert all(one.welcome["type"] == "welcome" for one in newcomers)
        await eventually(lambda: given_ms(service, table) > 1_500)
        left_ms = ask["left_ms"] - child_module.HUNG_S * 1000  # less would be left if none were given back
        update = await back.until(lambda m: m["type"] == "update" and m["ask"]["left_ms"] > left_ms)
        assert update["ask"]["n"] == ask["n"]
        assert not any(isinstance(entry, Moved) and entry.by == "clock" for _, entry in service.log(table))
        await eventually(lambda: len(service.children("server.app")) == 2)
        metrics = await asyncio.to_thread(fetch, f"http://127.0.0.1:{port}/metrics")
        assert 'cheeseboard_node_restarts_total{why="hung"} 1.0' in metrics
        assert "its event loop has not turned for" in errors.read_text()
    finally:
        assert await asyncio.to_thread(service.stop) == 0
