"""How a node asks the store: at once while there is little to ask, together while there is much."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from server.store import MANY, REST, VAIN, WORTH, Store


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
