"""Writes to many real sockets at once, and one by one where the system cannot do that."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator

import pytest

from server import sockets
from server.sockets import AT_ONCE, Sockets, write_each

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


@pytest.fixture(params=["at once", "one by one"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "one by one":
        monkeypatch.setattr(sockets, "_context", lambda: None)
    elif sockets._context() is None:
        pytest.skip("this system takes no list of writes")


@pytest.mark.usefixtures("way")
def test_every_socket_gets_the_frame(pairs: Pairs) -> None:
    many = Sockets([near.fileno() for near, _ in pairs])
    for frame in (FRAME, b"x", FRAME[::-1]):
        assert many.write(frame) == []
        assert {far.recv(4096) for _, far in pairs} == {frame}


@pytest.mark.usefixtures("way")
def test_who_takes_nothing_is_named_and_the_others_get_it_all(pairs: Pairs) -> None:
    (full, full_far), (gone, gone_far) = pairs[3], pairs[7]
    with contextlib.suppress(BlockingIOError):
        while True:
            full.send(b"f" * 4096)
    gone_far.close()
    many = Sockets([near.fileno() for near, _ in pairs])
    assert sorted(many.write(FRAME)) == sorted([(full.fileno(), 0), (gone.fileno(), 0)])
    for near, far in pairs:
        if near not in (full, gone):
            assert far.recv(4096) == FRAME
    assert set(full_far.recv(4096)) == {ord("f")}


@pytest.mark.usefixtures("way")
def test_a_file_that_is_closed_harms_no_other(pairs: Pairs) -> None:
    for broken in (0, 20, 39):
        files = [near.fileno() for near, _ in pairs]
        closed = os.dup(files[broken])
        os.close(closed)
        files[broken] = closed
        assert Sockets(files).write(FRAME) == [(closed, 0)]
        for number, (_, far) in enumerate(pairs):
            if number != broken:
                assert far.recv(4096) == FRAME


@pytest.mark.usefixtures("way")
def test_more_than_the_system_takes_at_once(pairs: Pairs) -> None:
    times = AT_ONCE // len(pairs) + 3
    files = [near.fileno() for near, _ in pairs] * times
    assert len(files) > AT_ONCE
    assert Sockets(files).write(b"abc") == []
    assert {far.recv(4096) for _, far in pairs} == {b"abc" * times}


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("count", [0, 1, 3, 4, 40])
def test_every_socket_gets_a_piece_of_its_own(pairs: Pairs, count: int) -> None:
    pieces = [bytes([number]) * (number + 1) for number in range(count)]
    files = [near.fileno() for near, _ in pairs[:count]]
    assert write_each(files, pieces) == list(range(1, count + 1))
    assert [far.recv(4096) for _, far in pairs[:count]] == pieces


@pytest.mark.usefixtures("way")
def test_who_takes_no_piece_is_named_in_its_place(pairs: Pairs) -> None:
    (full, _), (_, gone_far), (half, half_far) = pairs[0], pairs[7], pairs[39]
    with contextlib.suppress(BlockingIOError):
        while True:
            full.send(b"f" * 4096)
    gone_far.close()
    files = [near.fileno() for near, _ in pairs]
    closed = files[20] = os.dup(files[20])
    os.close(closed)
    files[21] = -1
    long = b"h" * 10_000_000
    pieces = [long if near is half else bytes([number]) * 9 for number, (near, _) in enumerate(pairs)]
    took = write_each(files, pieces)
    assert [took[number] for number in (0, 7, 20, 21)] == [0, 0, 0, 0]
    assert 0 < took[39] < len(long)
    assert half_far.recv(4) == b"hhhh"
    for number in set(range(40)) - {0, 7, 20, 21, 39}:
        assert took[number] == 9
        assert pairs[number][1].recv(4096) == pieces[number]


@pytest.mark.usefixtures("way")
def test_more_pieces_than_the_system_takes_at_once(pairs: Pairs) -> None:
    count = 2 * AT_ONCE + 5
    files = [pairs[number % 40][0].fileno() for number in range(count)]
    pieces = [b"%d " % number for number in range(count)]
    assert write_each(files, pieces) == list(map(len, pieces))
    for at, (_, far) in enumerate(pairs):
        assert far.recv(4096) == b"".join(pieces[at::40])
