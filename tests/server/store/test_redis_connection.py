"""The connection to the store: single commands and batches, deadlines, reconnecting."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import hiredis
import pytest
import redis

from server.process.embedded_valkey import EmbeddedValkey
from server.store import redis_connection
from server.store.answers import Answer, StoreLost, Then, is_away
from server.store.redis_connection import BATCH_GOOD, BATCH_MIN, COOLDOWN_WRITES, MAX_BAD_WAITS, RedisConnection
from server.store.rollback_guard import RollbackGuard
from server.store.store import Shards
from server.store.store_server import StoreServer
from server.tables.rooms.sync import unavailable
from tests.client import WAIT_S, eventually, fill
from tests.server.conftest import NOT_COMPILED, Running, Start
from tests.server.tables.test_tables import asked, one_move, table_of
from tests.stores import free_ports


@pytest.fixture
async def store(store_url: str) -> AsyncIterator[RedisConnection]:
    store = RedisConnection(StoreServer.at(store_url))
    await store.start()
    yield store
    await store.close()


def count_writes(store: RedisConnection, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list to which each write from now on adds its number of commands."""
    writes: list[int] = []
    flush = store._flush

    def counted() -> None:
        writes.append(len(store._outgoing))
        flush()

    monkeypatch.setattr(store, "_flush", counted)
    return writes


@NOT_COMPILED
async def test_a_single_command_is_written_in_the_same_turn_of_the_loop(
    store: RedisConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    await asyncio.gather(*(store.request("PING") for _ in range(2 * BATCH_MIN)))
    writes = count_writes(store, monkeypatch)
    answer = store.request("PING")
    await asyncio.sleep(0)
    assert writes == [1]
    assert await answer == b"PONG"


@NOT_COMPILED
async def test_under_load_several_turns_of_the_loop_share_a_write(
    store: RedisConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes = count_writes(store, monkeypatch)
    turns, asked = 60, []
    for turn in range(turns):
        asked += [store.request("ECHO", str((turn, number))) for number in range(BATCH_MIN)]
        await asyncio.sleep(0)
    answers = await asyncio.gather(*asked)
    assert answers == [str((turn, number)).encode() for turn in range(turns) for number in range(BATCH_MIN)]
    assert sum(writes) == turns * BATCH_MIN
    assert writes[:2] == [BATCH_MIN, BATCH_MIN]
    assert len(writes) < turns


async def test_useless_waits_switch_batching_off_for_a_while(store: RedisConnection) -> None:
    async def ask_some(times: int) -> tuple[bool, int]:
        for _ in range(times):
            await asyncio.gather(*(store.request("PING") for _ in range(BATCH_MIN)))
        return store._window.open, store._window._cooldown

    assert BATCH_MIN < BATCH_GOOD
    assert await ask_some(2) == (True, 0)
    assert await ask_some(MAX_BAD_WAITS) == (False, COOLDOWN_WRITES)
    assert await ask_some(5) == (False, COOLDOWN_WRITES - 5)
    assert await ask_some(COOLDOWN_WRITES - 5) == (True, 0)


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[tuple[redis.Redis, str]]:
    """A store with a password, and the address of one of its databases."""
    embedded = EmbeddedValkey(tmp_path)
    embedded.start()
    with redis.Redis(unix_socket_path=str(embedded.socket)) as owner:
        (port,) = free_ports(1)
        owner.config_set("port", port)
        owner.config_set("requirepass", "secret")
        yield owner, f"redis://:secret@127.0.0.1:{port}/3"
    embedded.stop()


async def test_no_command_is_sent_before_the_database_is_selected(guarded: tuple[redis.Redis, str]) -> None:
    owner, url = guarded
    store = RedisConnection(StoreServer.at(url))
    await store.start()
    answers: list[Answer] = []
    for _ in range(5):
        owner.client_kill_filter(_type="normal", skipme=True)
        before = answers.count(b"OK")
        async with asyncio.timeout(WAIT_S):
            while answers.count(b"OK") < before + 50:
                store.send(answers.append, "SET", f"key {len(answers)}", "value")
                await asyncio.sleep(0)
    assert {type(answer) for answer in answers} == {bytes, StoreLost}
    assert list(owner.info("keyspace")) == ["db3"]
    await store.close()


async def test_a_refused_login_is_tried_again_and_no_connection_is_left_open(
    guarded: tuple[redis.Redis, str], caplog: pytest.LogCaptureFixture
) -> None:
    owner, url = guarded
    store = RedisConnection(StoreServer.at(url))
    await store.start()
    owner.config_set("requirepass", "another")
    before = owner.info("stats")["total_connections_received"]
    owner.client_kill_filter(_type="normal", skipme=True)
    await eventually(lambda: owner.info("stats")["total_connections_received"] >= before + 3)
    assert isinstance(await store.request("PING"), StoreLost)
    assert "WRONGPASS" in caplog.text
    assert caplog.text.count("cannot reach the store") == 1  # not for each attempt
    await eventually(lambda: len(owner.client_list()) <= 2)  # the owner, and at most one that is being refused
    owner.config_set("requirepass", "secret")
    async with asyncio.timeout(WAIT_S):
        while await store.request("PING") != b"PONG":
            await asyncio.sleep(0.01)
    await eventually(lambda: len(owner.client_list()) == 2)
    await store.close()


class SilentStore:
    """A store that accepts connections and commands, and answers nothing."""

    def __init__(self) -> None:
        self.connections = 0
        self._server: asyncio.Server | None = None

    async def start(self) -> str:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return f"redis://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        while await reader.read(4096):
            pass
        writer.close()

    def stop(self) -> None:
        assert self._server
        self._server.close()


async def test_a_store_that_does_not_answer_is_given_up_and_connected_to_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(redis_connection, "DEADLINE_S", 0.1)
    monkeypatch.setattr(redis_connection, "CHECK_S", 0.05)
    silent = SilentStore()
    store = RedisConnection(StoreServer.at(await silent.start()))
    await store.start()
    lost = asyncio.Event()
    store.on_lost = lost.set
    async with asyncio.timeout(10):
        answer = await store.request("PING")
        await lost.wait()
        await eventually(lambda: silent.connections > 1)
    assert isinstance(answer, StoreLost)
    await store.close()
    silent.stop()


async def test_p5_a_late_answer_and_a_lost_connection_are_reported_as_stalls(store_url: str) -> None:
    store, stalls = RedisConnection(StoreServer.at(store_url)), list[float]()
    await store.start()
    store.on_stall = stalls.append
    own = await store.call("CLIENT", "ID")
    with redis.Redis.from_url(store_url) as admin:
        admin.client_pause(500)
        await store.call("PING")
        assert max(stalls) > 0.25
        stalls.clear()
        admin.client_pause(100)
        await store.call("PING")
        assert max(stalls) > 0.05
        stalls.clear()
        admin.client_kill_filter(_id=own)
        await eventually(lambda: stalls)
    await store.close()


@pytest.mark.parametrize("push", [False, True])
async def test_a_connection_without_traffic_is_kept_by_pings(
    store_url: str, monkeypatch: pytest.MonkeyPatch, push: bool
) -> None:
    for name, value in (("DEADLINE_S", 2), ("PING_S", 0.1), ("CHECK_S", 0.02)):
        monkeypatch.setattr(redis_connection, name, value)
    pushed: list[list[bytes]] = []
    store = RedisConnection(StoreServer.at(store_url), pushed.append if push else None)
    await store.start()
    lost = asyncio.Event()
    store.on_lost = lost.set
    if push:
        store.send_subscription("SSUBSCRIBE", "channel")
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(lost.wait(), 3.5)
    if push:
        assert [b"pong", b""] in pushed
    await store.close()


@pytest.mark.parametrize(
    "error", ["READONLY You can't write", "LOADING the dataset", "NOREPLICAS Not enough", "OOM command not allowed"]
)
def test_errors_of_a_store_that_is_away_are_recognised(error: str) -> None:
    assert is_away(hiredis.ReplyError(error))
    assert not is_away(hiredis.ReplyError("ERR wrong number of arguments"))
    assert not is_away(b"OK")


async def test_a_store_that_is_away_is_unavailable_to_clients_and_never_an_internal_error(
    start: Start, store_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    node = await start()
    client = await node.join("Ada")
    with redis.Redis.from_url(store_url) as store:
        store.config_set("min-replicas-to-write", 1)
        try:
            refused = [
                await client.request("create", game="cheesedog", seats=3),
                await client.request("rename", name="Bea"),
                await client.request("token", name="Bot"),
            ]
            with pytest.raises(PermissionError, match="unavailable"):
                await node.join("New")
        finally:
            store.config_set("min-replicas-to-write", 0)
    assert [answer["code"] for answer in refused] == ["unavailable"] * 3
    assert all(answer["retry_after_ms"] for answer in refused)
    assert "Traceback" not in caplog.text
    assert (await client.request("create", game="cheesedog", seats=3))["type"] == "ok"


async def test_a_store_that_refuses_writes_for_a_while_has_lost_nothing(
    node: Running, store_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    clients = [await node.join(name) for name in "ABC"]
    table, chance = await table_of(clients), random.Random(7)
    await one_move(clients, table, chance)
    reloads = list[Shards]()
    node.node.store.on_back = reloads.append
    with redis.Redis.from_url(store_url) as store:
        store.config_set("min-replicas-to-write", 1)
        try:
            mover = next(client for client in clients if asked(client, table))
            ask = mover.updates(table)[-1]["ask"]
            move = {"table": table, "ask": ask["n"], "key": "refused", "move": fill(ask["offers"][0], chance)}
            refused = [await mover.request("move", **move) for _ in range(3)]
        finally:
            store.config_set("min-replicas-to-write", 0)
    assert {answer["code"] for answer in refused} == {"unavailable"}
    assert (await mover.request("move", **move))["type"] == "ok"
    await one_move(clients, table, chance)
    assert "the store has lost" not in caplog.text
    assert reloads == []


@NOT_COMPILED
@pytest.mark.parametrize(("request_name", "fields"), [("say", {"text": "hello"}), ("history", {}), ("rematch", {})])
async def test_v12_a_table_that_is_forgotten_while_the_store_is_away_is_unavailable_and_then_read_again(
    node: Running, monkeypatch: pytest.MonkeyPatch, request_name: str, fields: dict[str, str]
) -> None:
    def fail(table: str, after: int, then: Then) -> None:
        asyncio.get_running_loop().call_soon(then, StoreLost("the store is away"))

    client = await node.join("Ada")
    table = (await client.request("create", game="cheesedog", seats=3))["table"]
    await client.request("open", table=table)
    room = node.node.rooms.get(table)
    with monkeypatch.context() as away:
        away.setattr(room._log, "read", fail)
        room.failed(unavailable)
        refused = await client.request(request_name, table=table, **fields)
    assert refused["code"] == "unavailable"
    done = await client.request(request_name, table=table, **fields)
    assert done.get("code") == ("not_ended" if request_name == "rematch" else None)


async def test_functions_that_the_store_has_lost_are_loaded_again(start: Start, store_url: str) -> None:
    node = await start()
    client = await node.join("Ada")
    with redis.Redis.from_url(store_url) as store:
        store.function_flush()
    answers = [await client.request("create", game="cheesedog", seats=3) for _ in range(2)]
    assert [answer.get("code") for answer in answers] in (["unavailable", answers[1].get("code")], [None, None])
    assert answers[1]["type"] == "ok"


def test_batches_that_were_under_way_when_the_store_had_lost_something_are_not_trusted() -> None:
    guard = RollbackGuard("node")
    guard.increment()
    assert guard.passes(5)
    for _ in range(2):
        guard.increment()
    assert [guard.passes(2), guard.passes(3)] == [False, False]
    guard.increment()
    assert guard.passes(4)
