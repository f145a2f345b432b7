"""One frame to many real sockets at once, and one by one where the system cannot do that."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator

import pytest

from server import sockets
from server.sockets import AT_ONCE, Sockets

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
