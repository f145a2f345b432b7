"""The queue of a room: order, answers, and what one failing command may not do to the others."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest

from protocol.codec import ProtocolError
from server.tables.rooms.commands import FunctionCommand, only_read
from server.tables.rooms.room import MAX_CONFLICTS
from server.tables.rooms.sync import unavailable
from server.tables.state.decisions import Decision, decide
from server.tables.state.entries import Closed, Entry
from server.tables.state.table import Table
from tests.server.conftest import NOT_COMPILED, Running

Result = tuple[str, int, Entry | None, bool] | tuple[str, str]


class Recorder:
    """Commands that write down how they were answered."""

    def __init__(self) -> None:
        self.results: list[Result] = []
        self.all_answered = asyncio.Event()
        self._expected = 0

    def command(self, name: str, judge: object = only_read, *, raises: bool = False) -> FunctionCommand:
        self._expected += 1

        def done(n: int, entry: Entry | None, again: bool) -> None:
            self._record((name, n, entry, again))
            if raises:
                raise RuntimeError("planted")

        def failed(fault: ProtocolError) -> None:
            self._record((name, fault.code))
            if raises:
                raise RuntimeError("planted")

        return FunctionCommand(judge, done, failed, 0)  # type: ignore[arg-type]

    def _record(self, result: Result) -> None:
        self.results.append(result)
        if len(self.results) == self._expected:
            self.all_answered.set()


def close(table: Table, at: int) -> Decision:
    return decide(table, Closed(at, "for the test"))


def broken(table: Table, at: int) -> Decision:
    raise RuntimeError("planted")


def refused(table: Table, at: int) -> Decision:
    raise ProtocolError("not_host", "planted")


async def test_commands_are_answered_once_each_in_their_order_with_the_entry_they_made(node: Running) -> None:
    host = await node.join("Hilda")
    room = node.node.rooms.get((await host.request("create", game="cheesedog", seats=3))["table"])
    recorder = Recorder()
    for name, judge in (("a", only_read), ("b", refused), ("c", broken), ("d", close), ("e", only_read)):
        room.submit(recorder.command(name, judge))
    async with asyncio.timeout(10):
        await recorder.all_answered.wait()
    assert room.table
    closed = Closed(room.table.at, "for the test")
    assert recorder.results == [
        ("a", 2, None, False),
        ("b", "not_host"),
        ("c", "internal"),
        ("d", 3, closed, False),
        ("e", 3, None, False),
    ]


@pytest.mark.parametrize("judge", [only_read, close, refused, broken])
async def test_an_answer_that_raises_does_not_stop_the_queue(node: Running, judge: object) -> None:
    host = await node.join("Hilda")
    room = node.node.rooms.get((await host.request("create", game="cheesedog", seats=3))["table"])
    recorder = Recorder()
    room.submit(recorder.command("raising", judge, raises=True))
    for name in "ab":
        room.submit(recorder.command(name))
    async with asyncio.timeout(10):
        await recorder.all_answered.wait()
    assert [result[0] for result in recorder.results] == ["raising", "a", "b"]
    assert not room.working


async def test_a_refusal_that_raises_does_not_keep_others_from_their_answer(node: Running) -> None:
    host = await node.join("Hilda")
    room = node.node.rooms.get((await host.request("create", game="cheesedog", seats=3))["table"])
    recorder = Recorder()
    room.sync.mark_unverified()  # so that the log is read first
    room.submit(recorder.command("raising", raises=True))
    for name in "ab":
        room.submit(recorder.command(name))
    room.failed(unavailable)
    assert recorder.results == [("raising", "unavailable"), ("a", "unavailable"), ("b", "unavailable")]


@NOT_COMPILED
async def test_appends_that_are_refused_again_and_again_are_given_up(
    node: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = await node.join("Hilda")
    room = node.node.rooms.get((await host.request("create", game="cheesedog", seats=3))["table"])
    tries = 0

    def refuse(table: str, *arguments: Any) -> None:
        nonlocal tries
        tries += 1
        asyncio.get_running_loop().call_soon(arguments[-1], 0)

    monkeypatch.setattr(room._log, "append", refuse)
    recorder = Recorder()
    room.submit(recorder.command("never", close))
    async with asyncio.timeout(10):
        await recorder.all_answered.wait()
    assert recorder.results == [("never", "busy")]
    assert tries == MAX_CONFLICTS + 1


async def test_a_command_may_submit_another_one_from_its_answer(node: Running) -> None:
    host = await node.join("Hilda")
    room = node.node.rooms.get((await host.request("create", game="cheesedog", seats=3))["table"])
    answered: asyncio.Queue[str] = asyncio.Queue()

    def unexpected(fault: ProtocolError) -> None:
        answered.put_nowait(str(fault))

    def then(name: str, n: int, entry: Entry | None, again: bool) -> None:
        answered.put_nowait(name)
        if name == "first":
            room.submit(FunctionCommand(only_read, partial(then, "third"), unexpected, 0))

    for name in ("first", "second"):
        room.submit(FunctionCommand(only_read, partial(then, name), unexpected, 0))
    async with asyncio.timeout(10):
        assert [await answered.get() for _ in range(3)] == ["first", "second", "third"]
