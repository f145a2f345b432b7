"""The service as a whole: killed, restarted, stopped, and started with settings that cannot work."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.tables.finished.replay import lines, verify
from server.tables.state.entries import Moved
from server.tables.state.table import folded
from tests.client import Client, fill
from tests.service import ROOT, Service, gone

SEED = 20261116
KILLS = 8  # `make faults` kills more


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    running = Service(tmp_path / "data")
    yield running
    if running.process.poll() is None:
        running.stop()


class Stubborn:
    """A player who reconnects after every loss and sends an unanswered move again with the same key."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.client: Client | None = None
        self.token = ""
        self.table = ""
        self.last = 0
        self.chance = random.Random(SEED)
        self.acknowledged: dict[str, int] = {}
        self.seen: list[int] = []
        self.over = False
        self._move: tuple[int, str, dict[str, object]] | None = None

    async def connect(self) -> Client:
        """Connect, with as many attempts as it takes, and resume the table after the last entry seen."""
        async with asyncio.timeout(60):
            while True:
                try:
                    hello = {"token": self.token} if self.token else {}
                    client = await Client.join(self.url, "Stubborn", **hello)
                    if self.table:
                        await client.request("open", table=self.table, last=self.last)
                except (OSError, ConnectionError, TimeoutError, EOFError):
                    await asyncio.sleep(0.05)
                except Exception as fault:  # an interrupted handshake
                    if "websockets" not in type(fault).__module__:
                        raise
                    await asyncio.sleep(0.05)
                else:
                    self.token, self.client = client.token, client
                    return client

    async def play(self, until: int) -> None:
        """Play until the table has reached this entry or its end."""
        client = self.client or await self.connect()
        while self.last < until:
            try:
                update = await client.until(self._new)
                if update["type"] == "table":
                    self.over = True
                    return
                self.seen.append(update["n"])
                self.last = update["n"]
                if "ask" in update:
                    await self._answer(client, update["ask"])
            except ConnectionError:
                with contextlib.suppress(Exception):
                    await client.close()
                client = await self.connect()
                if self._move:
                    await self._send(client)

    def _new(self, message: dict[str, Any]) -> bool:
        if message.get("table") != self.table:
            return False
        if message["type"] == "table":
            return bool(message["status"] == "ended")
        return bool(message["type"] == "update" and message["n"] > self.last)

    async def _answer(self, client: Client, ask: dict[str, object]) -> None:
        offers = ask["offers"]
        assert isinstance(offers, list)
        assert isinstance(ask["n"], int)
        move = fill(self.chance.choice(offers), self.chance)
        if self._move is None or self._move[0] != ask["n"]:
            self._move = (ask["n"], f"{self.chance.random()}", move)
        await self._send(client)

    async def _send(self, client: Client) -> None:
        assert self._move
        ask, key, move = self._move
        done = await client.request("move", table=self.table, ask=ask, key=key, move=move)
        async with asyncio.timeout(60):
            while done.get("code") in ("unavailable", "busy"):
                await asyncio.sleep(done["retry_after_ms"] / 1000)
                done = await client.request("move", table=self.table, ask=ask, key=key, move=move)
        if done["type"] == "ok":
            assert self.acknowledged.get(key, done["n"]) == done["n"]
            self.acknowledged[key] = done["n"]
        self._move = None


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_p1_killing_every_node_loses_and_doubles_nothing(service: Service) -> None:
    player = Stubborn(service.url)
    client = await player.connect()
    kills = 0
    chance = random.Random(SEED)
    finished: list[str] = []
    while kills < KILLS:
        made = await client.request("create", game="cheesedog", seats=4, bots="rookie", speed="relaxed")
        player.table, player.last, player.seen, player.over = made["table"], 0, [], False
        finished.append(player.table)
        await client.request("open", table=player.table)
        while kills < KILLS and not player.over:
            await player.play(player.last + chance.randint(1, 6))
            assert service.kill("server.app") == 2
            kills += 1
            await asyncio.to_thread(service.wait_for, "server.app", 2)
        await player.play(player.last + 10)
        client = await player.connect()  # if the game was over, the player has not noticed the last kill
        assert player.seen == list(range(player.seen[0], player.seen[0] + len(player.seen)))
    for table in finished:
        entries = service.log(table)
        assert [n for n, _ in entries] == list(range(1, len(entries) + 1))
        keys = Counter((entry.user, entry.key) for _, entry in entries if isinstance(entry, Moved))
        assert max(keys.values()) == 1
        assert folded(table, entries).n == len(entries)
    where = {entry.key: n for table in finished for n, entry in service.log(table) if isinstance(entry, Moved)}
    assert player.acknowledged
    for key, n in player.acknowledged.items():
        assert where[key] == n, f"seed {SEED}"


async def test_killed_house_bots_come_back_to_their_seats(service: Service) -> None:
    player = Stubborn(service.url)
    client = await player.connect()
    made = await client.request("create", game="cheesedog", seats=4, bots="random")
    player.table = made["table"]
    await client.request("open", table=player.table)
    for _ in range(3):
        await player.play(player.last + 5)
        await asyncio.to_thread(service.wait_for, "bots.house", 1)
        assert service.kill("bots.house") == 1
        await player.play(player.last + 8)
    moves = [entry for _, entry in service.log(player.table) if isinstance(entry, Moved)]
    assert {entry.by for entry in moves} == {"seat"}


async def test_a_restart_keeps_every_table(tmp_path: Path) -> None:
    first = Service(tmp_path / "data")
    try:
        player = Stubborn(first.url)
        client = await player.connect()
        made = await client.request("create", game="chesterfield", seats=3, bots="rookie", speed="relaxed")
        player.table = made["table"]
        await client.request("open", table=player.table)
        await player.play(20)
        await client.close()
    finally:
        ended = await asyncio.to_thread(first.stop)
    assert ended == 0
    second = Service(tmp_path / "data")
    try:
        player.url = second.url
        client = await player.connect()
        assert client.welcome["tables"] == [player.table]
        await player.play(player.last + 15)
        entries = second.log(player.table)
        assert [n for n, _ in entries] == list(range(1, len(entries) + 1))
    finally:
        await asyncio.to_thread(second.stop)


async def test_a_finished_game_is_served_as_a_replay_that_plays_again(service: Service, tmp_path: Path) -> None:
    player = Stubborn(service.url)
    client = await player.connect()
    made = await client.request("create", game="do_my_bidding", seats=3, bots="rookie")
    player.table = made["table"]
    await client.request("open", table=player.table)
    early = await asyncio.to_thread(fetch, f"{service.http}/replays/{player.table}.jsonl")
    assert early.startswith("There is no finished game")
    await player.play(10_000)
    text = await asyncio.to_thread(fetch, f"{service.http}/replays/{player.table}.jsonl")
    assert verify(text.splitlines()) == text.count("\n") - 1
    assert text == "".join(line + "\n" for line in lines(player.table, service.log(player.table)))
    file = tmp_path / "game.jsonl"
    file.write_text(text)
    command = [sys.executable, "-m", "server.process.cli", "replay", str(file)]
    done = await asyncio.to_thread(subprocess.run, command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "play again to the same final state" in done.stdout


def fetch(url: str) -> str:
    done = subprocess.run(["curl", "-s", url], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_stopping_leaves_nothing_running(tmp_path: Path, how: int) -> None:
    service = Service(tmp_path / "data")
    children = service.children("server.app") + service.children("bots.house") + service.children("valkey-server")
    assert len(children) == 4
    assert service.stop(how) == 0
    assert all(gone(number) for number in children)


def test_a_supervisor_that_is_killed_leaves_nothing_behind(tmp_path: Path) -> None:
    service = Service(tmp_path / "data")
    children = service.children("server.app") + service.children("bots.house") + service.children("valkey-server")
    assert len(children) == 4
    service.stop(signal.SIGKILL)
    assert all(gone(number) for number in children)
    again = Service(tmp_path / "data")
    assert again.stop() == 0


def refused(**settings: str) -> str:
    """The one line on standard error with which `cheeseboard run` fails."""
    done = subprocess.run(
        [sys.executable, "-m", "server.process.cli", "run"],
        cwd=ROOT,
        env={**os.environ, "REDIS_URL": "", **settings},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_a_busy_port_for_metrics_is_reported_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        said = refused(PORT="0", METRICS_PORT=str(taken.getsockname()[1]), DATA=str(tmp_path / "data"))
    assert "set METRICS_PORT to another one" in said


def test_a_busy_port_is_reported_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        said = refused(PORT=str(taken.getsockname()[1]), DATA=str(tmp_path / "data"))
    assert "set PORT to another one" in said


def test_a_broken_data_folder_is_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    assert "set DATA to another one" in refused(PORT="0", DATA=str(tmp_path / "file"))
    broken = tmp_path / "data" / "appendonlydir"
    broken.mkdir(parents=True)
    (broken / "appendonly.aof.manifest").write_text("rubbish\n")
    assert "store.log" in refused(PORT="0", DATA=str(tmp_path / "data"))


def test_a_data_folder_in_use_is_reported_in_one_line(service: Service) -> None:
    assert "another cheeseboard uses the data folder" in refused(PORT="0", DATA=str(service.data))


def test_a_store_that_is_away_or_too_old_is_reported_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]  # nobody listens there, and nobody else gets it meanwhile
        assert "not reachable" in refused(PORT="0", REDIS_URL=f"redis://127.0.0.1:{port}/0")
    with socket.create_server(("127.0.0.1", 0)) as old:
        threading.Thread(target=answer_as_old, args=(old,), daemon=True).start()
        said = refused(PORT="0", REDIS_URL=f"redis://127.0.0.1:{old.getsockname()[1]}/0")
    assert "is version 6.2.14, and 7.0 or later is needed" in said


def answer_as_old(listening: socket.socket) -> None:
    """Answer INFO like an old Redis, and everything else with an error."""
    info = b"# Server\r\nredis_version:6.2.14\r\n"
    with contextlib.suppress(OSError):
        connection, _ = listening.accept()
        with connection:
            while data := connection.recv(4096):
                for _ in range(data.count(b"*")):
                    wanted = b"INFO" in data
                    connection.sendall(b"$%d\r\n%s\r\n" % (len(info), info) if wanted else b"-ERR unknown command\r\n")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "cheese"),
        ("NODES", "0"),
        ("PORT", "70000"),
        ("LOG_LEVEL", "loud"),
        ("BOT_PAUSE_MS", "long"),
        ("BOT_THINK_MS", "0"),
        ("STORE_MEMORY_MB", "1"),
    ],
)
def test_an_invalid_setting_is_reported_in_one_line(name: str, value: str) -> None:
    assert f"{name} is '{value}'" in refused(**{name: value})


@pytest.mark.parametrize("name", ["ALLOWED_HOSTS", "ALLOWED_ORIGINS"])
def test_an_invalid_list_is_reported_in_one_line(name: str) -> None:
    assert f"{name} has 'here:there'" in refused(**{name: "localhost, here:there" if "HOST" in name else "here:there"})
