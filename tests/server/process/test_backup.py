"""A copy of the embedded store that was made while games ran is a store with which the service starts."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import redis

from server.process.backup import REWRITE
from server.process.embedded_valkey import EmbeddedValkey
from server.store import keys
from server.tables.state.entries import decode_entries
from tests.server.process.test_service import Stubborn
from tests.service import ROOT, Service


def back_up(data: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "server.process.cli", "backup", str(folder)],
        cwd=ROOT,
        env={**os.environ, "DATA": str(data), "REDIS_URL": ""},
        capture_output=True,
        text=True,
        check=False,
    )


def read_log(data: Path, table: str) -> list[tuple[int, Any]]:
    """The log of a table in a data folder with which no service runs."""
    store = EmbeddedValkey(data)
    store.start()
    try:
        with redis.Redis(unix_socket_path=str(store.socket)) as client:
            log = client.xrange(keys.table_log(table))
    finally:
        store.stop()
    return decode_entries((int(number.partition(b"-")[0]), fields[b"e"]) for number, fields in log)


@pytest.mark.slow
async def test_a_game_goes_on_from_a_backup_that_was_made_while_it_ran(tmp_path: Path) -> None:
    service = await asyncio.to_thread(Service, tmp_path / "data")
    try:
        player = Stubborn(service.url)
        client = await player.connect()
        made = await client.request("create", game="cheesedog", seats=3, bots="rookie", speed="relaxed")
        player.table = made["table"]
        await client.request("open", table=player.table)
        await player.play(20)
        done, _ = await asyncio.gather(
            asyncio.to_thread(back_up, tmp_path / "data", tmp_path / "copy"), player.play(player.last + 10)
        )
        assert done.returncode == 0, done.stderr
        await player.play(player.last + 5)
        whole = service.log(player.table)
        with redis.Redis(unix_socket_path=str(tmp_path / "data" / "store.sock")) as store:
            assert store.config_get(REWRITE)[REWRITE] != "0"
        await client.close()
    finally:
        await asyncio.to_thread(service.stop)
    (tmp_path / "new").mkdir(mode=0o700)
    shutil.copytree(tmp_path / "copy" / "appendonlydir", tmp_path / "new" / "appendonlydir")
    entries = await asyncio.to_thread(read_log, tmp_path / "new", player.table)  # before house bots play on
    restored = await asyncio.to_thread(Service, tmp_path / "new")
    try:
        assert 20 <= len(entries) <= len(whole)
        player.url, player.last, player.client, player._move = restored.url, 0, None, None
        client = await player.connect()
        assert client.welcome["tables"] == [player.table]
        await player.play(len(entries) + 5)
        assert restored.log(player.table)[: len(entries)] == entries == whole[: len(entries)]
    finally:
        await asyncio.to_thread(restored.stop)


def test_a_copy_is_private_and_overwrites_nothing(tmp_path: Path) -> None:
    service = Service(tmp_path / "data", BOTS=0, NODES=1)
    try:
        assert back_up(tmp_path / "data", tmp_path / "copy").returncode == 0
        files = [tmp_path / "copy", *(tmp_path / "copy").rglob("*")]
        assert [file.stat().st_mode & 0o077 for file in files] == [0] * len(files)
        assert "exists already" in back_up(tmp_path / "data", tmp_path / "copy").stderr
    finally:
        service.stop()
    assert "no service runs" in back_up(tmp_path / "data", tmp_path / "other").stderr
