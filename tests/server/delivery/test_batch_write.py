"""Batch writes to many real sockets, and single writes where a batch cannot be trusted."""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os
import platform
import socket
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from server.delivery import batch_write
from server.delivery.batch_write import EVENT_WORDS, MAX_WRITES, SYSCALLS, FdBatch, write_each

FRAME = bytes(range(256)) * 2
Pairs = list[tuple[socket.socket, socket.socket]]


@pytest.fixture
def pairs() -> Iterator[Pairs]:
    made = [socket.socketpair() for _ in range(40)]
    for near, far in made:
        near.setblocking(False)
        far.setblocking(False)
    yield made
    for near, far in made:
        near.close()
        far.close()


@pytest.fixture
def checked_anew() -> Iterator[None]:
    """The check runs again in the test, and once more after it."""
    batch_write._kernel.cache_clear()
    yield
    batch_write._kernel.cache_clear()


def fill(near: socket.socket) -> None:
    """Write until the socket accepts nothing more."""
    with contextlib.suppress(BlockingIOError):
        for _ in range(10_000):
            near.send(b"f" * 4096)
        raise AssertionError("the socket never blocks")


supported = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in SYSCALLS, reason="this system has no batch writes"
)


@pytest.fixture(params=[pytest.param("batch", marks=supported), "one by one"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "one by one":
        monkeypatch.setattr(batch_write, "_kernel", lambda: None)
    else:
        assert batch_write._kernel() is not None


@pytest.mark.usefixtures("way")
def test_every_socket_gets_the_frame(pairs: Pairs) -> None:
    many = FdBatch([near.fileno() for near, _ in pairs])
    for frame in (FRAME, b"x", FRAME[::-1]):
        assert many.write(frame) == []
        assert {far.recv(4096) for _, far in pairs} == {frame}


@pytest.mark.usefixtures("way")
def test_a_socket_that_accepts_nothing_is_named_and_the_others_get_the_frame(pairs: Pairs) -> None:
    (full, full_far), (gone, gone_far) = pairs[3], pairs[7]
    fill(full)
    gone_far.close()
    many = FdBatch([near.fileno() for near, _ in pairs])
    assert sorted(many.write(FRAME)) == sorted([(full.fileno(), 0), (gone.fileno(), 0)])
    for near, far in pairs:
        if near not in (full, gone):
            assert far.recv(4096) == FRAME
    assert set(full_far.recv(4096)) == {ord("f")}


@pytest.mark.usefixtures("way")
def test_a_closed_fd_harms_no_other(pairs: Pairs) -> None:
    for broken in (0, 20, 39):
        fds = [near.fileno() for near, _ in pairs]
        closed = os.dup(fds[broken])
        os.close(closed)
        fds[broken] = closed
        assert FdBatch(fds).write(FRAME) == [(closed, 0)]
        for number, (_, far) in enumerate(pairs):
            if number != broken:
                assert far.recv(4096) == FRAME


@pytest.mark.usefixtures("way")
def test_more_fds_than_one_call_takes(pairs: Pairs) -> None:
    times = MAX_WRITES // len(pairs) + 3
    fds = [near.fileno() for near, _ in pairs] * times
    assert len(fds) > MAX_WRITES
    assert FdBatch(fds).write(b"abc") == []
    assert {far.recv(4096) for _, far in pairs} == {b"abc" * times}


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("count", [0, 1, 3, 4, 40])
def test_every_socket_gets_a_piece_of_its_own(pairs: Pairs, count: int) -> None:
    pieces = [bytes([number]) * (number + 1) for number in range(count)]
    fds = [near.fileno() for near, _ in pairs[:count]]
    assert write_each(fds, pieces) == list(range(1, count + 1))
    assert [far.recv(4096) for _, far in pairs[:count]] == pieces


@pytest.mark.usefixtures("way")
def test_the_bytes_accepted_are_returned_in_the_order_of_the_fds(pairs: Pairs) -> None:
    (full, _), (_, gone_far), (half, half_far) = pairs[0], pairs[7], pairs[39]
    fill(full)
    gone_far.close()
    fds = [near.fileno() for near, _ in pairs]
    closed = fds[20] = os.dup(fds[20])
    os.close(closed)
    fds[21] = -1
    long = b"h" * 10_000_000
    pieces = [long if near is half else bytes([number]) * 9 for number, (near, _) in enumerate(pairs)]
    accepted = write_each(fds, pieces)
    assert [accepted[number] for number in (0, 7, 20, 21)] == [0, 0, 0, 0]
    assert 0 < accepted[39] < len(long)
    assert half_far.recv(4) == b"hhhh"
    for number in set(range(40)) - {0, 7, 20, 21, 39}:
        assert accepted[number] == 9
        assert pairs[number][1].recv(4096) == pieces[number]


@pytest.mark.usefixtures("way")
def test_more_pieces_than_one_call_takes(pairs: Pairs) -> None:
    count = 2 * MAX_WRITES + 5
    fds = [pairs[number % 40][0].fileno() for number in range(count)]
    pieces = [b"%d " % number for number in range(count)]
    assert write_each(fds, pieces) == list(map(len, pieces))
    for at, (_, far) in enumerate(pairs):
        assert far.recv(4096) == b"".join(pieces[at::40])


# Kernels that do not behave as expected: each takes a call and does something else with it.

Call = Callable[..., int]


def has_no_such_call(call: Call, number: int, *arguments: Any) -> int:
    ctypes.set_errno(38)  # ENOSYS
    return -1


def completes_in_another_order(call: Call, number: int, *arguments: Any) -> int:
    done = call(number, *arguments)
    if number == SYSCALLS[platform.machine()][1]:
        events = batch_write._event_words
        rows = [events[at : at + EVENT_WORDS].tolist() for at in range(0, EVENT_WORDS * done, EVENT_WORDS)]
        for at, word in enumerate(word for row in reversed(rows) for word in row):
            events[at] = word
    return done


def reports_the_result_elsewhere(call: Call, number: int, *arguments: Any) -> int:
    done = call(number, *arguments)
    if number == SYSCALLS[platform.machine()][1]:
        events = batch_write._event_words
        for at in range(0, EVENT_WORDS * done, EVENT_WORDS):
            events[at + 2], events[at + 3] = events[at + 3], events[at + 2]
    return done


def completes_later(call: Call, number: int, *arguments: Any) -> int:
    done = call(number, *arguments)
    return done - 1 if number == SYSCALLS[platform.machine()][1] else done


@supported
@pytest.mark.parametrize(
    "kernel",
    [has_no_such_call, completes_in_another_order, reports_the_result_elsewhere, completes_later, None],
    ids=lambda kernel: kernel.__name__ if kernel else "reads_bytes_elsewhere",
)
@pytest.mark.usefixtures("checked_anew")
def test_sockets_are_written_to_one_by_one_if_the_check_fails(
    pairs: Pairs, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, kernel: Callable[..., int] | None
) -> None:
    call = batch_write._syscall
    if kernel is None:
        monkeypatch.setattr(batch_write, "BYTES_OFFSET", batch_write.BYTES_OFFSET + 1)
    else:
        monkeypatch.setattr(batch_write, "_syscall", lambda *arguments: kernel(call, *arguments))
    fds = [near.fileno() for near, _ in pairs]
    assert FdBatch(fds).write(FRAME) == []
    assert [far.recv(4096) for _, far in pairs] == [FRAME] * len(pairs)
    pieces = [b"%d" % number for number in range(len(pairs))]
    assert write_each(fds, pieces) == list(map(len, pieces))
    assert [far.recv(4096) for _, far in pairs] == pieces
    assert batch_write._kernel() is None
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "no batch writes, each socket is written to by a call of its own" in caplog.text


@pytest.mark.usefixtures("checked_anew")
def test_sockets_are_written_to_one_by_one_on_other_systems(
    pairs: Pairs, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "abacus")
    caplog.set_level(logging.INFO)
    assert FdBatch([near.fileno() for near, _ in pairs]).write(FRAME) == []
    assert [far.recv(4096) for _, far in pairs] == [FRAME] * len(pairs)
    assert "abacus is not supported" in caplog.text


@supported
@pytest.mark.usefixtures("checked_anew")
def test_the_check_leaves_no_fd_open_and_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    before = os.listdir("/proc/self/fd")
    made: list[tuple[socket.socket, socket.socket]] = []
    pair = socket.socketpair

    def counted() -> tuple[socket.socket, socket.socket]:
        made.append(pair())
        return made[-1]

    monkeypatch.setattr(socket, "socketpair", counted)
    for _ in range(3):
        assert batch_write._kernel() is not None
    assert len(made) == 10  # two kinds of batch, five pairs of sockets each
    assert os.listdir("/proc/self/fd") == before
