"""What an operator relies on: private data, metrics on an address of their own, a bound on the store's memory."""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from server.process.embedded_valkey import EmbeddedValkey
from tests.client import Client
from tests.service import Service
from tests.stores import free_ports


@pytest.fixture
def open_umask() -> Iterator[None]:
    """New files are readable by everybody, as on most systems."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> str:
    return oct(stat.S_IMODE(path.stat().st_mode))


def written_to(store: EmbeddedValkey) -> None:
    """Start the store, write to it, and stop it."""
    store.start()
    try:
        with redis.Redis(unix_socket_path=str(store.socket)) as client:
            client.set("seed", "secret")
    finally:
        store.stop()


def test_no_other_user_can_read_the_data(tmp_path: Path, open_umask: None) -> None:
    data = tmp_path / "deep" / "data"
    written_to(EmbeddedValkey(data))
    assert mode(data) == "0o700"
    files = [path for path in data.rglob("*") if path.is_file()]
    assert any(b"secret" in path.read_bytes() for path in files)
    assert {mode(path) for path in files} == {"0o600"}


def test_data_that_were_readable_are_made_private(tmp_path: Path, open_umask: None) -> None:
    data = tmp_path / "data"
    written_to(EmbeddedValkey(data))
    for path in (data, *data.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    written_to(EmbeddedValkey(data))
    assert mode(data) == mode(data / "appendonlydir") == "0o700"
    files = [path for path in data.rglob("*") if path.is_file()]
    assert {mode(path) for path in files} == {"0o600"}


def test_a_folder_with_other_files_is_left_as_it_is_with_a_warning(
    tmp_path: Path, open_umask: None, caplog: pytest.LogCaptureFixture
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "letter.txt").write_text("not ours")
    written_to(EmbeddedValkey(data))
    assert mode(data) == "0o755"
    assert mode(data / "appendonlydir") == "0o700"
    assert "letter.txt" in caplog.text


def write_megabytes(client: redis.Redis, count: int) -> None:
    for number in range(count):
        client.set(f"large {number}", b"x" * 1_000_000)


def test_the_embedded_store_has_a_limit_and_evicts_nothing(tmp_path: Path) -> None:
    store = EmbeddedValkey(tmp_path / "data", memory_mb=20)
    store.start()
    try:
        with redis.Redis(unix_socket_path=str(store.socket)) as client:
            client.set("kept", "x")
            with pytest.raises(redis.exceptions.OutOfMemoryError):
                write_megabytes(client, 30)
            assert client.get("kept") == b"x"
            assert client.config_get("maxmemory-policy")["maxmemory-policy"] == "noeviction"
    finally:
        store.stop()


def fetch(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as fault:
        return fault.code, fault.read().decode()


async def test_metrics_of_all_nodes_are_served_on_their_own_port_only(tmp_path: Path) -> None:
    (port,) = free_ports(1)
    service = await asyncio.to_thread(Service, tmp_path / "data", BOTS=0, METRICS_PORT=port)
    try:
        clients = [await Client.join(service.url, f"Guest {number}") for number in range(4)]
        for client in clients:
            assert (await client.request("nonsense"))["type"] == "error"
        text = ""
        async with asyncio.timeout(20):  # nodes publish their counts twice a second
            while 'cheeseboard_errors_total{code="unknown_type"} 4.0' not in text:
                status, text = await asyncio.to_thread(fetch, f"http://127.0.0.1:{port}/metrics")
                assert status == 200
                await asyncio.sleep(0.1)
        assert "cheeseboard_connections 4.0" in text
        assert "cheeseboard_store_memory_used 0.0" in text
        assert (await asyncio.to_thread(fetch, f"{service.http}/metrics"))[0] == 404
        assert await asyncio.to_thread(fetch, f"{service.http}/healthz") == (200, '{"ready":true}')
    finally:
        await asyncio.to_thread(service.stop)
    with socket.create_server(("127.0.0.1", port)):  # the port is free again
        pass
