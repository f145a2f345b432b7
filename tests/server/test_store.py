"""How a node asks the store, at once while there is little to ask and together while there is much, and comes back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import redis

from server.embedded import Embedded, check_port
from server.store import MANY, REST, VAIN, WORTH, Answer, Store, StoreLost


@pytest.fixture
async def store(store_url: str) -> AsyncIterator[Store]:
    store = Store(store_url)
    await store.start()
    yield store
    await store.close()


def count_writes(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many commands each write had, from now on."""
    writes: list[int] = []
    flush = store._flush

    def counted() -> None:
        writes.append(len(store._outgoing))
        flush()

    monkeypatch.setattr(store, "_flush", counted)
    return writes


async def test_a_command_that_comes_alone_is_written_in_its_turn(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    await asyncio.gather(*(store.ask("PING") for _ in range(2 * MANY)))  # much, but once, as when a clock looks round
    writes = count_writes(store, monkeypatch)
    answer = store.ask("PING")
    await asyncio.sleep(0)
    assert writes == [1]
    assert await answer == b"PONG"


async def test_while_there_is_much_to_ask_turns_share_a_write(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    writes = count_writes(store, monkeypatch)
    turns, asked = 60, []
    for turn in range(turns):
        asked += [store.ask("ECHO", str((turn, number))) for number in range(MANY)]
        await asyncio.sleep(0)
    answers = await asyncio.gather(*asked)
    assert answers == [str((turn, number)).encode() for turn in range(turns) for number in range(MANY)]
    assert sum(writes) == turns * MANY
    assert writes[:2] == [MANY, MANY]
    assert len(writes) < turns


async def test_waiting_in_vain_is_not_repeated_soon(store: Store) -> None:
    async def ask_some(times: int) -> tuple[bool, int]:
        for _ in range(times):
            await asyncio.gather(*(store.ask("PING") for _ in range(MANY)))  # no more to ask before these are answered
        return store._busy, store._rest

    assert MANY < WORTH
    assert await ask_some(2) == (True, 0)
    assert await ask_some(VAIN) == (False, REST)
    assert await ask_some(5) == (False, REST - 5)
    assert await ask_some(REST - 5) == (True, 0)


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[tuple[redis.Redis, str]]:
    """A store that wants a password, and the address of one of its databases."""
    embedded = Embedded(tmp_path)
    embedded.start()
    with redis.Redis(unix_socket_path=str(embedded.socket)) as owner:
        port = check_port("127.0.0.1", 0)
        owner.config_set("port", port)
        owner.config_set("requirepass", "secret")
        yield owner, f"redis://:secret@127.0.0.1:{port}/3"
    embedded.stop()


async def test_nothing_is_asked_before_the_right_database_is_chosen(guarded: tuple[redis.Redis, str]) -> None:
    owner, url = guarded
    store = Store(url)
    await store.start()
    answers: list[Answer] = []
    for _ in range(5):
        owner.client_kill_filter(_type="normal", skipme=True)
        lost = answers.count(b"OK")
        while answers.count(b"OK") < lost + 50:
            store.send(answers.append, "SET", f"key {len(answers)}", "value")
            await asyncio.sleep(0)
    assert {type(answer) for answer in answers} == {bytes, StoreLost}
    assert list(owner.info("keyspace")) == ["db3"]
    await store.close()


async def test_a_store_that_refuses_us_is_asked_again_and_no_connection_is_left_behind(
    guarded: tuple[redis.Redis, str], caplog: pytest.LogCaptureFixture
) -> None:
    owner, url = guarded
    store = Store(url)
    await store.start()
    owner.config_set("requirepass", "another")
    owner.client_kill_filter(_type="normal", skipme=True)
    while caplog.text.count("the store is not reachable") < 3:
        assert isinstance(await store.ask("PING"), (StoreLost, bytes))
        await asyncio.sleep(0.01)
    assert "WRONGPASS" in caplog.text
    assert len(owner.client_list()) <= 2  # the owner, and at most one that is being refused
    owner.config_set("requirepass", "secret")
    while await store.ask("PING") != b"PONG":
        await asyncio.sleep(0.01)
    assert len(owner.client_list()) == 2
    await store.close()
