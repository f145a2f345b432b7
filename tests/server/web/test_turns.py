"""No connection gets more than its slice of an event-loop turn, and one that is cut is not read further."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from types import SimpleNamespace
from typing import Any

import msgpack
import pytest
from websockets.asyncio.client import connect
from websockets.frames import Frame, Opcode

from protocol.messages import MAX_FRAME_BYTES
from server.requests import connection as requests_connection
from server.requests.connection import Connection
from server.web import turns, websocket
from server.web.http_protocol import HttpProtocol
from server.web.turns import Turns
from server.web.websocket import MAX_EXTRA, MAX_FRAGMENTS, SLICE_BYTES, SLICE_FRAMES, Websocket
from tests.client import WAIT_S, eventually
from tests.server.conftest import NOT_COMPILED, Running
from tests.server.web.test_websocket import close_code

pytestmark = pytest.mark.both_loops

MANY = 5000
HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
HELLO = {"type": "hello", "id": 1, "v": 1}


def frame(opcode: Opcode, data: bytes = b"", fin: bool = True) -> bytes:
    return Frame(opcode, data, fin=fin).serialize(mask=True)


def request(**message: object) -> bytes:
    return frame(Opcode.BINARY, msgpack.packb(message))


FLOODS = {
    "empty pings": frame(Opcode.PING) * MANY,
    "pings": frame(Opcode.PING, b"abc") * MANY,
    "empty pongs": frame(Opcode.PONG) * MANY,
    "pongs of one byte": frame(Opcode.PONG, b"a") * MANY,
    "empty fragments": frame(Opcode.BINARY, fin=False) + frame(Opcode.CONT, fin=False) * (MANY - 1),
    "requests": request(type="ping", id=1) * MANY,
    "hellos": request(**HELLO) * MANY,
    "nonsense": frame(Opcode.BINARY, b"\xc1") * MANY,
}
MESSAGES = ("requests", "hellos", "nonsense")  # a connection receives these; its compiled websocket handles the others


class HandledFrames:
    """Counts the frames that each websocket has handled in each event-loop turn.

    The count of one turn can include a part of the next one, because the callback that counts the turns is somewhere
    in the middle of them.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._turn = 0
        self.in_turn: Counter[tuple[int, int]] = Counter()
        self._tick()
        handle_extra, receive = Websocket._handle_extra, Connection.receive

        def count_extra(one: Websocket, data: bytes) -> None:
            self.in_turn[id(one), self._turn] += 1
            handle_extra(one, data)

        def count_message(one: Connection, data: bytes | str) -> None:
            self.in_turn[id(one._socket), self._turn] += 1
            receive(one, data)

        monkeypatch.setattr(Websocket, "_handle_extra", count_extra)
        monkeypatch.setattr(Connection, "receive", count_message)

    def _tick(self) -> None:
        self._turn += 1
        self._next = asyncio.get_running_loop().call_soon(self._tick)

    def stop(self) -> None:
        """Count no more turns."""
        self._next.cancel()

    @property
    def total(self) -> int:
        """The number of frames that all websockets have handled."""
        return self.in_turn.total()

    @property
    def most(self) -> int:
        """The most frames that a websocket has handled in a turn."""
        return max(self.in_turn.values())


@pytest.fixture
async def handled(monkeypatch: pytest.MonkeyPatch) -> Any:
    counter = HandledFrames(monkeypatch)
    yield counter
    counter.stop()


@pytest.fixture
def no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is cut for sending too much."""
    for module, limit in (
        (websocket, "MAX_EXTRA"),
        (websocket, "MAX_FRAGMENTS"),
        (requests_connection, "MAX_REFUSED"),
    ):
        monkeypatch.setattr(module, limit, 10 * MANY)
    monkeypatch.setattr("protocol.session.MAX_FAULTS", 10 * MANY)


async def raw_websocket(node: Running) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A websocket that does nothing by itself: it answers no close frame, and stays open."""
    reader, writer = await asyncio.open_connection(*node.listening.getsockname())
    writer.write(HANDSHAKE)
    async with asyncio.timeout(WAIT_S):
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101")
    return reader, writer


@pytest.mark.parametrize("hello", [True, False], ids=["after hello", "before hello"])
@pytest.mark.parametrize(
    "what", [kind if kind in MESSAGES else pytest.param(kind, marks=NOT_COMPILED) for kind in FLOODS]
)
async def test_a_flood_is_handled_in_slices_and_a_bystander_is_served_between_them(
    node: Running, handled: HandledFrames, no_limits: None, what: str, hello: bool
) -> None:
    bystander = await node.join("Bystander")
    reader, writer = await raw_websocket(node)
    if hello:
        writer.write(request(**HELLO))
        await reader.readuntil(b"welcome")
    reading = asyncio.create_task(reader.read())
    handled.in_turn.clear()
    writer.write(FLOODS[what])
    await eventually(lambda: handled.total, every_s=0)
    assert (await bystander.request("ping"))["type"] == "ok"
    assert handled.total < MANY
    await eventually(lambda: handled.total >= MANY + 1)
    assert handled.most <= 2 * SLICE_FRAMES
    writer.transport.abort()
    await reading


async def test_a_flood_of_large_messages_is_handled_in_slices(
    node: Running, handled: HandledFrames, no_limits: None
) -> None:
    large = request(type="ping", id=1, more="x" * (SLICE_BYTES - 100))
    reader, writer = await raw_websocket(node)
    reading = asyncio.create_task(reader.read())
    writer.write(large * 200)
    await eventually(lambda: handled.total == 200)
    assert handled.most <= 4  # two slices, each of which ends with the frame that exceeds SLICE_BYTES
    writer.transport.abort()
    await reading


async def test_messages_arrive_whole_and_in_order_however_they_are_split(node: Running, no_limits: None) -> None:
    client = await node.join()
    ids = range(100, 200)
    sent = b"".join(
        request(type="ping", id=number)
        + frame(Opcode.PING, b"x")
        + frame(Opcode.BINARY, msgpack.packb({"type": "ping", "id": 1000 + number})[:5], fin=False)
        + frame(Opcode.CONT, msgpack.packb({"type": "ping", "id": 1000 + number})[5:])
        for number in ids
    )
    for begin in range(0, len(sent), 701):
        client.socket.transport.write(sent[begin : begin + 701])
        await asyncio.sleep(0)
    answers = [await client.answer(number) for number in ids for number in (number, 1000 + number)]
    wanted = [number for number in ids for number in (number, 1000 + number)]
    assert [answer["id"] for answer in answers] == wanted
    assert [message["id"] for message in client.received[1:]] == wanted


@pytest.mark.parametrize("what", ["empty pings", "pings", "empty pongs", "pongs of one byte"])
@pytest.mark.parametrize("hello", [True, False], ids=["after hello", "before hello"])
async def test_p17_too_many_control_frames_close_with_4008(node: Running, what: str, hello: bool) -> None:
    async with connect(node.url, compression=None) as flooder:
        if hello:
            await flooder.send(msgpack.packb(HELLO))
            await flooder.recv()
        flooder.transport.write(FLOODS[what])
        assert await close_code(flooder) == 4008


@NOT_COMPILED
async def test_no_control_frames_are_handled_after_too_many(node: Running, handled: HandledFrames) -> None:
    async with connect(node.url, compression=None) as flooder:
        await flooder.send(msgpack.packb(HELLO))
        await flooder.recv()
        handled.in_turn.clear()
        flooder.transport.write(FLOODS["empty pings"])
        assert await close_code(flooder) == 4008
        assert handled.total == MAX_EXTRA + 1


async def test_the_control_frames_of_an_honest_client_are_answered_for_ever(
    node: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "EXTRA_S", 0)
    async with connect(node.url, compression=None) as honest:
        for _ in range(MAX_EXTRA + 10):
            await asyncio.sleep(0.002)  # the window of EXTRA_S ends; uvloop counts milliseconds
            async with asyncio.timeout(WAIT_S):
                await (await honest.ping())


@pytest.mark.parametrize("fragment", [b"", b"x"])
async def test_p8_a_message_of_too_many_fragments_closes_with_1009(
    node: Running, monkeypatch: pytest.MonkeyPatch, fragment: bytes
) -> None:
    monkeypatch.setattr(websocket, "MAX_EXTRA", MANY)
    async with connect(node.url, compression=None) as socket:
        socket.transport.write(frame(Opcode.BINARY, fragment, fin=False))
        socket.transport.write(frame(Opcode.CONT, fragment, fin=False) * (MAX_FRAGMENTS - 1))
        assert await close_code(socket) == 1009


async def test_p8_messages_of_many_fragments_are_read(node: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "MAX_EXTRA", MANY)
    client = await node.join()
    for number in (70, 71):
        message = msgpack.packb({"type": "ping", "id": number})
        await client.socket.send([*(bytes((byte,)) for byte in message), *[b""] * (MAX_FRAGMENTS - 2 - len(message))])
        assert (await client.answer(number))["type"] == "ok"


async def test_p8_a_fragment_that_would_make_the_message_too_large_is_refused_before_it_comes(node: Running) -> None:
    async with connect(node.url, compression=None) as socket:
        socket.transport.write(frame(Opcode.BINARY, b"x" * (MAX_FRAME_BYTES - 200), fin=False))
        head = b"\x80\xfe\x01\x00" + b"mask"  # of a last fragment of 256 bytes, which never come
        socket.transport.write(head)
        assert await close_code(socket) == 1009


async def test_a_connection_that_is_cut_is_not_read_further(
    node: Running, handled: HandledFrames, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_after: list[int] = []
    data_received = Websocket.data_received

    def spy(one: Websocket, data: bytes) -> None:
        if one._is_over:
            read_after.append(len(data))
        data_received(one, data)

    monkeypatch.setattr(Websocket, "data_received", spy)
    _, writer = await raw_websocket(node)
    writer.write(frame(Opcode.TEXT, b"text"))
    await eventually(lambda: not node.node.connections)
    before = handled.total
    for _ in range(50):
        writer.write(FLOODS["requests"][:1000])
        await asyncio.sleep(0.001)
    assert (handled.total, read_after) == (before, [])
    writer.transport.abort()


async def test_a_client_that_is_cut_need_not_wait_until_we_close(
    node: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "CLOSE_S", 1000)
    async with connect(node.url, compression=None, close_timeout=1000) as client:
        await client.send("text")
        async with asyncio.timeout(WAIT_S):
            await client.wait_closed()
        assert client.close_code == 1003


async def test_a_socket_that_stays_open_after_it_was_cut_is_closed(
    node: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "CLOSE_S", 0.05)
    _, writer = await raw_websocket(node)
    assert len(node.server.server_state.connections) == 1
    writer.write(frame(Opcode.TEXT, b"text"))
    await eventually(lambda: not node.server.server_state.connections)
    writer.transport.abort()


class Slices:
    """A connection with this many slices left, which writes down when it had its turns."""

    def __init__(self, name: str, slices: int, order: list[str]) -> None:
        self.transport: Any = SimpleNamespace(abort=lambda: order.append(f"{name} aborted"))
        self.ends_turn = False
        self._name, self._slices, self._order = name, slices, order

    def take_turn(self) -> bool:
        self._order.append(self._name)
        self._slices -= 1
        if self._slices < 0:
            raise RuntimeError("a bug")
        return self._slices > 0


@pytest.fixture
def no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """One slice uses up the time that all waiting connections have in an event-loop turn."""
    monkeypatch.setattr(turns, "TURN_S", -1)


async def test_waiting_connections_take_turns(no_time: None) -> None:
    order: list[str] = []
    queue = Turns()
    for name, slices in (("a", 3), ("b", 1), ("c", 2)):
        queue.wait(Slices(name, slices, order))
    for turn in range(6):
        assert len(order) == turn  # one slice in each event-loop turn
        await asyncio.sleep(0)
    assert order == ["a", "b", "c", "a", "c", "a"]
    assert len(queue) == 0


async def test_a_connection_that_fails_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    order: list[str] = []
    queue = Turns()
    for name, slices in (("a", 2), ("b", 0), ("c", 2)):
        queue.wait(Slices(name, slices, order))
    await eventually(lambda: not len(queue))
    assert order == ["a", "b", "b aborted", "c", "a", "c"]
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


async def test_one_http_request_is_begun_in_each_turn(node: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []
    take_turn, turn = HttpProtocol.take_turn, 0

    def counted(one: HttpProtocol) -> bool:
        begun.append(turn)
        return take_turn(one)

    def tick() -> None:
        nonlocal turn
        turn += 1
        if len(begun) < 50:
            asyncio.get_running_loop().call_soon(tick)

    monkeypatch.setattr(HttpProtocol, "take_turn", counted)
    opened = [await asyncio.open_connection(*node.listening.getsockname()) for _ in range(50)]
    tick()
    for _, writer in opened:
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n")
    for reader, writer in opened:
        async with asyncio.timeout(WAIT_S):
            assert (await reader.readline()).startswith(b"HTTP/1.1 200")
        writer.close()
    assert max(Counter(begun).values()) <= 2  # the callback that counts the turns may be in the middle of one
