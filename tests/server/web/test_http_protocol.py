"""An HTTP connection has a deadline, bounds on what it sends, and no more than its share of the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable

import h11
import msgpack
import pytest
from websockets.frames import Frame, Opcode

from server.web import admission, http_protocol, turns
from server.web.admission import Admission
from server.web.handover import MAX_HEAD
from server.web.http_protocol import MAX_LINES, MAX_TARGET, HttpProtocol
from tests.client import WAIT_S, eventually
from tests.server.conftest import Running

pytestmark = pytest.mark.both_loops

GET = b"GET %b HTTP/1.1\r\nHost: here\r\n\r\n"
UPGRADE = (
    b"GET /ws%b HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n%b"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
HELLO = Frame(Opcode.BINARY, msgpack.packb({"type": "hello", "id": 1, "v": 1})).serialize(mask=True)


class Raw:
    """A TCP connection that sends what it is told, and nothing else."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def send(self, data: bytes) -> None:
        """Send these bytes; a connection that the server has closed takes nothing."""
        if not self.writer.is_closing():
            self.writer.write(data)

    async def status(self) -> int:
        """The status of the next answer; its headers and body are skipped."""
        async with asyncio.timeout(WAIT_S):
            head = (await self.reader.readuntil(b"\r\n\r\n")).lower()
            length = next((line for line in head.split(b"\r\n") if line.startswith(b"content-length:")), None)
            if length is not None:
                await self.reader.readexactly(int(length.partition(b":")[2]))
            return int(head.split()[1])

    async def closed(self) -> None:
        """Wait until the server closes the connection."""
        async with asyncio.timeout(WAIT_S):
            with contextlib.suppress(ConnectionError):
                await self.reader.read()


Open = Callable[..., "asyncio.Future[Raw]"]


@pytest.fixture
async def open_raw(node: Running) -> AsyncIterator[Callable[..., object]]:
    """Opens connections to the node; they are closed at the end."""
    opened: list[Raw] = []

    async def open_one(source: str = "127.0.0.1") -> Raw:
        where = node.listening.getsockname()
        opened.append(Raw(*await asyncio.open_connection(*where, limit=2**24, local_addr=(source, 0))))
        return opened[-1]

    yield open_one
    for one in opened:
        one.writer.transport.abort()


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests have a short deadline."""
    monkeypatch.setattr(http_protocol, "REQUEST_S", 0.4)  # long enough for a whole request on a busy machine


def admission_of(node: Running) -> Admission:
    found: Admission = node.server._protocol.args[0]  # type: ignore[attr-defined]
    return found


async def test_a_silent_connection_is_closed(open_raw: Open, short: None) -> None:
    await (await open_raw()).closed()


@pytest.mark.parametrize("head", [GET % b"/", UPGRADE % (b"", b"")], ids=["page", "websocket"])
async def test_a_head_that_is_sent_byte_by_byte_has_a_deadline(open_raw: Open, short: None, head: bytes) -> None:
    raw = await open_raw()
    answer = asyncio.create_task(raw.status())
    for byte in head:
        raw.send(bytes((byte,)))
        await asyncio.sleep(0.02)
        if answer.done():
            break
    else:
        pytest.fail("the whole head was taken")
    assert await answer == 408
    await raw.closed()


async def test_a_connection_that_was_answered_and_sends_half_a_request_is_closed(open_raw: Open, short: None) -> None:
    raw = await open_raw()
    raw.send(GET % b"/healthz")
    assert await raw.status() == 200
    raw.send(b"GET / HT")
    assert await raw.status() == 408
    await raw.closed()


async def test_several_requests_are_answered_one_after_another(open_raw: Open) -> None:
    raw = await open_raw()
    for path, status in ((b"/healthz", 200), (b"/no-such-page", 404), (b"/", 200)):
        raw.send(GET % path)
        assert await raw.status() == status
    raw.send(GET % b"/healthz" + GET % b"/no-such-page" + GET % b"/")
    assert [await raw.status() for _ in range(3)] == [200, 404, 200]


async def test_the_client_has_a_deadline_for_reading_the_answer(
    node: Running, open_raw: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_protocol, "RESPONSE_S", 0.1)
    raw = await open_raw()
    raw.writer.transport.pause_reading()  # type: ignore[attr-defined]
    raw.send(GET % b"/docs/protocol.md" * 2000)
    await eventually(lambda: raw.writer.transport.get_write_buffer_size() or node.server.server_state.connections)
    await eventually(lambda: not node.server.server_state.connections)


LONG = b"x" * 9000
TOO_MUCH = {
    "long address": (GET % (b"/?" + b"x" * MAX_TARGET), 414),
    "long address of a websocket": (UPGRADE % (b"?table=" + LONG, b""), 414),
    "large head": (b"GET / HTTP/1.1\r\nHost: here\r\nX: " + b"x" * MAX_HEAD, 431),
    "large whole head": (b"GET / HTTP/1.1\r\nHost: here\r\nX: " + b"x" * MAX_HEAD + b"\r\n\r\n", 431),
    "no line at all": (b"\x16\x03\x01" * MAX_HEAD, 431),
    "many lines": (b"GET / HTTP/1.1\r\nHost: here\r\n" + b"X:\r\n" * MAX_LINES + b"\r\n", 431),
    "long line of a websocket": (UPGRADE % (b"", b"X: " + LONG + b"\r\n"), 400),
    "no HTTP": (b"hello\r\n\r\n", 400),
}


@pytest.mark.parametrize("what", TOO_MUCH)
async def test_a_request_that_is_too_large_is_refused(open_raw: Open, what: str) -> None:
    data, status = TOO_MUCH[what]
    raw = await open_raw()
    raw.send(data)
    assert await raw.status() == status
    await raw.closed()


BODIES = {
    "one-byte chunks": (b"Transfer-Encoding: chunked", b"1\r\nx\r\n" * 10_000),
    "a length": (b"Content-Length: 60000", b"x" * 60_000),
    "a body that never comes": (b"Content-Length: 60000", b""),
}


@pytest.mark.parametrize("what", BODIES)
async def test_the_body_of_a_request_is_not_read(open_raw: Open, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    parsed = 0
    receive_data = h11.Connection.receive_data

    def count(connection: h11.Connection, data: bytes) -> None:
        nonlocal parsed
        parsed += len(data)
        receive_data(connection, data)

    monkeypatch.setattr(h11.Connection, "receive_data", count)
    header, body = BODIES[what]
    head = b"POST /ws HTTP/1.1\r\nHost: here\r\n" + header + b"\r\n\r\n"
    raw = await open_raw()
    raw.send(head)
    raw.send(body)
    assert await raw.status() in (404, 405)
    await raw.closed()
    assert parsed == len(head)


async def test_the_heads_of_many_connections_take_turns(open_raw: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "TURN_S", -1)
    order: list[str] = []
    serve = HttpProtocol._serve

    def served(one: HttpProtocol, head: bytes, rest: bytes) -> None:
        order.append("request")
        asyncio.get_running_loop().call_soon(order.append, "turn")
        serve(one, head, rest)

    monkeypatch.setattr(HttpProtocol, "_serve", served)
    raws = [await open_raw() for _ in range(5)]
    for raw in raws:
        raw.send(GET % b"/healthz")
    for raw in raws:
        assert await raw.status() == 200
    assert order == ["request", "turn"] * 5


async def test_what_comes_with_the_head_of_a_websocket_is_read_after_it(open_raw: Open) -> None:
    raw = await open_raw()
    raw.send(UPGRADE % (b"", b"") + HELLO)
    assert await raw.status() == 101
    async with asyncio.timeout(WAIT_S):
        await raw.reader.readuntil(b"welcome")


async def test_of_too_many_unfinished_connections_the_oldest_is_closed(
    open_raw: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(admission, "MAX_UNFINISHED", 3)
    first, second, *others = [await open_raw() for _ in range(5)]
    await first.closed()
    await second.closed()
    for raw in others:
        raw.send(GET % b"/healthz")
        assert await raw.status() == 200
    assert [record.levelno for record in caplog.records] == [logging.WARNING]  # not one for each connection


async def test_who_opens_too_many_connections_closes_their_own(open_raw: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "MAX_UNFINISHED", 3)
    slow = await open_raw("127.0.9.8")
    slow.send((GET % b"/healthz")[:-2])
    flood = [await open_raw("127.0.9.9") for _ in range(6)]
    for raw in flood[:4]:
        await raw.closed()
    slow.send(b"\r\n")
    assert await slow.status() == 200


async def test_websockets_and_requests_in_progress_do_not_count_as_unfinished(
    open_raw: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "MAX_UNFINISHED", 1)
    raws = []
    for _ in range(4):
        raws.append(await open_raw())
        raws[-1].send(UPGRADE % (b"", b"") + HELLO)
        assert await raws[-1].status() == 101
    for raw in raws:
        async with asyncio.timeout(WAIT_S):
            await raw.reader.readuntil(b"welcome")


async def test_above_the_limit_of_connections_newcomers_are_refused_and_health_is_told(
    node: Running, open_raw: Open, caplog: pytest.LogCaptureFixture
) -> None:
    limit = admission_of(node)
    limit.max_connections = 2
    players = [await node.join(f"Player {number}") for number in range(2)]
    for _ in range(3):
        for request, status in ((UPGRADE % (b"", b""), 503), (GET % b"/", 503), (GET % b"/healthz", 200)):
            raw = await open_raw()
            raw.send(request)
            head = await raw.reader.readuntil(b"\r\n\r\n")
            assert (int(head.split()[1]), b"\r\nRetry-After: 10\r\n" in head) == (status, status == 503)
            raw.writer.close()
    for player in players:
        assert (await player.request("ping"))["type"] == "ok"
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert warnings == ["refused 1 connections: there are already 2 connections"]
    await players.pop().close()
    await eventually(lambda: len(node.server.server_state.connections) == 1)
    players.append(await node.join("Newcomer"))


async def test_silent_connections_above_the_limit_do_not_pile_up(
    node: Running, open_raw: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "SPARE", 2)
    admission_of(node).max_connections = 1
    raws = [await open_raw() for _ in range(6)]
    await asyncio.gather(*(raw.closed() for raw in raws[:3]))
    assert len(node.server.server_state.connections) == 3
