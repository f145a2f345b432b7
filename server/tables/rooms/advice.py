"""What the house's master would do: questions about one decision, on their way through the store to the adviser.

A question holds what the asking seat knows, and nothing else. The adviser (server/process/adviser.py) answers it.
"""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

import msgspec

from protocol.codec import ProtocolError
from server.store import keys
from server.store.store import Store
from server.tables.rooms.history import read_entries
from server.tables.state.entries import Entry
from server.tables.state.table import Table, with_events
from server.tables.state.updates import visible_events

MAX_QUEUED = 8  # questions of all tables; further ones are refused
WAIT_S = 8.0  # that an answer may take; nobody waits for a later one
POLL_S = 0.1  # how often the answer is looked for
MAX_PAGES = 8  # of the log that are read for one question; of a longer game the master remembers nothing


class Question(msgspec.Struct, frozen=True):
    """One decision as a seat knows it: its view, its offers, and the events that it has seen since the start."""

    game: str
    ask: int
    view: Any
    offers: Any
    events: tuple[Any, ...] = ()


class Job(msgspec.Struct, frozen=True):
    """A question in the queue, packed; `at` is when it was asked, in milliseconds since 1970."""

    id: str
    at: int
    question: bytes

    def is_late(self, now: int) -> bool:
        """Whether nobody waits for the answer any more."""
        return now > self.at + WAIT_S * 1000


class AdviceQueue:
    """Questions to the adviser, and its answers."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def ask(self, question: Question, now: int) -> Any:
        """The move that the master would make. Raises ProtocolError if it is busy."""
        if await self._store.call("LLEN", keys.ADVICE_QUEUE) >= MAX_QUEUED:
            raise _busy()
        job = Job(uuid4().hex, now, msgspec.msgpack.encode(question))
        await self._store.call("RPUSH", keys.ADVICE_QUEUE, msgspec.msgpack.encode(job))
        await self._store.call("EXPIRE", keys.ADVICE_QUEUE, 60)
        for _ in range(round(WAIT_S / POLL_S)):
            await asyncio.sleep(POLL_S)
            answer = await self._store.call("GETDEL", keys.advice_answer(job.id))
            if answer:
                return msgspec.msgpack.decode(answer)
            if answer is not None:
                break  # the adviser has given up
        raise _busy()

    async def next_job(self) -> Job | None:
        """Take the next question from the queue."""
        found = await self._store.call("LPOP", keys.ADVICE_QUEUE)
        return None if found is None else msgspec.msgpack.decode(found, type=Job)

    async def answer(self, job: Job, move: bytes) -> None:
        """Answer a question with a packed move, or with nothing if there is no answer."""
        await self._store.call("SET", keys.advice_answer(job.id), move, "EX", 30)


def _busy() -> ProtocolError:
    return ProtocolError("busy", "the master is busy: ask again in some seconds", retry_after_ms=5000)


async def question(store: Store, table: Table, seat: int) -> Question:
    """The decision that this seat has now, with what the seat knows of it."""
    events = await _seen(store, table, seat)
    ask = table.asks[seat]
    return Question(table.opened.game, ask.n, table.game.view(table.state, seat), ask.offers, events)


async def _seen(store: Store, table: Table, seat: int) -> tuple[Any, ...]:
    """The events that this seat has seen since the start; none if the log is too long, or begins in mid-game."""
    pages: list[list[tuple[int, Entry]]] = []
    before = table.n + 1
    while before > 1:
        if len(pages) == MAX_PAGES or table.opened.source is not None:
            return ()
        before, entries = await read_entries(store, table.id, before)
        pages.insert(0, entries)
    seen: list[Any] = []
    for n, entry in (one for page in pages for one in page):
        seen += visible_events(table, with_events(table, n, entry), seat)
    return tuple(seen)
