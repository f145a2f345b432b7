"""Whatever a connection sends is answered once or closed with a documented code, and others are not disturbed."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgpack
import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from bench.attack.fuzz.sockets import sent_codes
from protocol.codec import ProtocolError, read_client
from protocol.messages import MAX_FRAME_BYTES
from protocol.session import MAX_FAULTS
from server.requests.limits import limits
from server.web import connections
from tests.client import WAIT_S, Client
from tests.protocol.bad_frames import BAD, NAN, TOO_DEEP
from tests.protocol.examples import CLIENT
from tests.protocol.fuzz import frames
from tests.protocol.make_vectors import VECTORS
from tests.server.conftest import Running
from tests.server.tables.test_tables import asked, people, table_of

SEED = "fuzz-live-1"
COUNT = 3_000
AT_ONCE = MAX_FAULTS - 2  # frames for one connection: it must not be closed for them
LAST = 2**53 - 77  # an id that is in no vector
PING = b"\x82\x8f\0\0\0\0\x82\xa4type\xa4ping\xa2id\x01"  # a whole websocket frame, masked with zeroes
BURST = limits.BY_NAME["burst"].number
ANSWERS = {"ok", "error", "welcome"}


async def close_code(socket: ClientConnection) -> int | None:
    """The code with which the server closes; messages before that are ignored."""
    async with asyncio.timeout(WAIT_S):
        try:
            while True:
                await socket.recv()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None


async def test_p8_a_text_frame_closes_with_1003(node: Running) -> None:
    async with connect(node.url, compression=None) as socket:
        await socket.send("hello")
        assert await close_code(socket) == 1003


@pytest.mark.parametrize("pieces", [1, 3])
async def test_p8_a_frame_that_is_too_large_closes_with_1009(node: Running, pieces: int) -> None:
    part = b"\xc0" * (MAX_FRAME_BYTES // pieces + 1)
    async with connect(node.url, compression=None) as socket:
        await socket.send(part if pieces == 1 else itertools.repeat(part, pieces))
        assert await close_code(socket) == 1009


async def test_p8_fragments_are_one_message(node: Running) -> None:
    client = await node.join()
    frame = msgpack.packb({"type": "ping", "id": 77})
    await client.socket.send([frame[:3], b"", frame[3:]])
    assert await client.answer(77) == {"type": "ok", "id": 77}


async def test_a_close_frame_without_a_code_is_answered_by_one_without(node: Running) -> None:
    """`make fuzz` sends such frames (18e993828e16716b)."""
    async with connect(node.url) as socket:
        socket.transport.write(b"\x88\x80\x00\x00\x00\x00")
        assert await close_code(socket) == 1005  # which says that there was none


async def test_a_close_frame_is_answered_with_its_code(node: Running) -> None:
    """`make fuzz` sends such frames (18e9974953cee173)."""
    sent = b"\x88\x82abcd" + bytes((0x0D ^ ord("a"), 0x8A ^ ord("b")))
    async with connect(node.url) as socket:
        socket.transport.write(sent)
        assert await close_code(socket) == 3466
    assert sent_codes(b"\x82" + sent + b"\x88") == {"3466"}


async def test_bytes_that_are_not_a_websocket_frame_close_with_1002(node: Running) -> None:
    async with connect(node.url, compression=None) as socket:
        socket.transport.write(b"\xff\xff\xff\xff")
        assert await close_code(socket) == 1002


async def test_p14_a_connection_without_a_hello_is_closed(node: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HELLO_S", 0.05)
    async with connect(node.url, compression=None) as socket:
        assert await close_code(socket) == 4001


async def test_p14_a_hello_that_fails_after_the_deadline_does_not_keep_the_connection(
    node: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HELLO_S", 0.5)
    asked = asyncio.Event()

    async def slow_find(token: str) -> None:
        asked.set()
        await asyncio.sleep(2 * connections.HELLO_S)
        raise ProtocolError("bad_token", "this token is not known")

    monkeypatch.setattr(node.node.accounts, "find", slow_find)
    async with connect(node.url, compression=None) as socket:
        await socket.send(msgpack.packb({"type": "hello", "id": 1, "v": 1, "token": "t" * 30}))
        assert await close_code(socket) == 4001
    assert asked.is_set()


async def test_p14_a_refused_hello_does_not_end_the_deadline(node: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HELLO_S", 1)
    async with connect(node.url, compression=None) as socket:
        await socket.send(msgpack.packb({"type": "hello", "id": 1, "v": 1, "token": "t" * 30}))
        assert msgpack.unpackb(await socket.recv())["code"] == "bad_token"
        assert await close_code(socket) == 4001


async def test_p13_too_many_invalid_frames_close_with_4002(node: Running) -> None:
    client = await node.join()
    for number in range(MAX_FAULTS):
        await client.socket.send(b"\xc1")
        await client.until(lambda message: message["type"] == "error", 1 + number)
    assert await close_code_of(client) == 4002
    assert [message["code"] for message in client.received[1:]] == ["malformed"] * MAX_FAULTS


async def close_code_of(client: Client) -> int | None:
    async with asyncio.timeout(WAIT_S):
        await asyncio.gather(client._task, return_exceptions=True)
    return client.closed_with


async def test_p17_a_flood_is_refused_and_then_closed_with_4008(node: Running) -> None:
    client = await node.join()
    for _ in range(2 * (BURST + limits.MAX_REFUSED)):
        client.socket.transport.write(PING)
    assert await close_code_of(client) == 4008
    limited = [message for message in client.received if message.get("code") == "rate_limited"]
    assert len(limited) == limits.MAX_REFUSED + 1
    assert all(message["retry_after_ms"] > 0 for message in limited)


async def test_p12_every_bad_vector_is_answered_as_it_says(node: Running) -> None:
    rows = json.loads((VECTORS / "bad.json").read_text(encoding="utf-8"))
    assert len(rows) == len(BAD) > 0
    for begin in range(0, len(rows), AT_ONCE):
        client = await node.join()
        for row in rows[begin : begin + AT_ONCE]:
            since = len(client.received)
            await client.socket.send(bytes.fromhex(row["hex"]))
            answer = await client.until(lambda message: message["type"] in ANSWERS, since)
            assert {"id": answer["id"], "code": answer["code"], "field": answer.get("field")} == row["error"], row
        await client.close()


MOVE = {"type": "move", "id": 50, "key": "k"}
BAD_MOVES: dict[str, tuple[bytes, str, str]] = {
    "nil": (b"\xc0", "bad_field", "move"),
    "number": (b"\x07", "bad_field", "move"),
    "list": (b"\x90", "bad_field", "move"),
    "ext": (b"\xd4\x05\x00", "bad_field", "move"),
    "empty": (b"\x80", "missing_field", "move.type"),
    "unknown": (msgpack.packb({"type": "teleport"}), "unknown_type", "move.type"),
    "missing": (msgpack.packb({"type": "play", "rank": 7}), "missing_field", "move.count"),
    "surplus": (msgpack.packb({"type": "play", "rank": 7, "count": 1, "colour": 1}), "surplus_field", "move.colour"),
    "wrong": (msgpack.packb({"type": "play", "rank": "7", "count": 1}), "bad_field", "move.rank"),
    "nan": (b"\x83\xa4type\xa4play\xa4rank" + NAN + b"\xa5count\x01", "bad_field", "move.rank"),
    "not utf8": (b"\x81\xa4type\xa2\xff\xfe", "bad_field", "move"),
    "number as key": (b"\x82\xa4type\xa4play\x05\x06", "bad_field", "move"),
    "deep": (b"\x82\xa4type\xa4play\xa4rank" + TOO_DEEP[-201:], "bad_field", "move.rank"),
    "huge": (msgpack.packb({"type": "play", "rank": 2**64 - 1, "count": 1}), "illegal_move", "move"),
}


async def test_a_bad_move_names_its_field(node: Running, caplog: pytest.LogCaptureFixture) -> None:
    clients = await people(node)
    table = await table_of(clients)
    mover = next(client for client in clients if asked(client, table))
    before = mover.updates(table)[-1]
    for number, (name, (packed, code, field)) in enumerate(BAD_MOVES.items(), 100):
        head = msgpack.packb({**MOVE, "id": number, "table": table, "ask": before["ask"]["n"]})
        await mover.socket.send(bytes((head[0] + 1,)) + head[1:] + b"\xa4move" + packed)
        answer = await mover.answer(number)
        assert (answer.get("code"), answer.get("field")) == (code, field), (name, answer)
    assert mover.updates(table)[-1] == before
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def expected_id(frame: bytes) -> int | None:
    """The id of the answer that this frame must get."""
    try:
        return read_client(frame).id
    except ProtocolError as fault:
        return fault.id


class Counted:
    """A connection that counts the answers it gets, by their ids."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.ids: Counter[int | None] = Counter()
        self.codes: Counter[str] = Counter()

    async def until(self, enough: Callable[[], bool]) -> None:
        """Read until this holds."""
        async with asyncio.timeout(WAIT_S):
            while not enough():
                message: dict[str, Any] = msgpack.unpackb(await self.socket.recv(), strict_map_key=False)
                if message["type"] in ANSWERS:
                    self.ids[message["id"]] += 1
                    self.codes[message.get("code", "ok")] += 1


async def one_connection(url: str, batch: list[bytes]) -> Counter[str]:
    """Send frames on a new connection, check that each is answered exactly once, and count the codes of the answers."""
    async with connect(url, compression=None, max_size=None) as socket:
        counted = Counted(socket)
        await socket.send(msgpack.packb({"type": "hello", "id": LAST, "v": 1}))
        await counted.until(lambda: counted.ids[LAST] == 1)
        counted.codes.clear()
        for frame in batch:
            await socket.send(frame)
        wanted = Counter(expected_id(frame) for frame in batch) + Counter([LAST])
        await counted.until(lambda: counted.ids.total() >= wanted.total())
        assert counted.ids == wanted, [frame.hex() for frame in batch]
        await socket.send(msgpack.packb({"type": "ping", "id": LAST}))
        await counted.until(lambda: counted.ids[LAST] == 2)
        assert counted.ids == wanted + Counter([LAST]), [frame.hex() for frame in batch]
        return counted.codes


async def test_every_random_frame_gets_one_answer_and_a_bystander_is_served(
    node: Running, caplog: pytest.LogCaptureFixture
) -> None:
    bystander = await node.join("Bystander")
    codes: Counter[str] = Counter()
    made = list(frames(SEED, COUNT))
    for begin in range(0, COUNT, AT_ONCE):
        codes += await one_connection(node.url, made[begin : begin + AT_ONCE])
        if begin % (4 * AT_ONCE) == 0:
            assert (await bystander.request("ping"))["type"] == "ok"
    assert codes.total() >= COUNT, f"seed {SEED}"
    assert {"ok", "malformed", "bad_field", "hello_again", "no_table"} <= set(codes), f"seed {SEED}: {codes}"
    assert "internal" not in codes, f"seed {SEED}: {codes}"
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def test_the_frames_of_the_vectors_are_those_of_the_tests() -> None:
    rows = json.loads((VECTORS / "bad.json").read_text(encoding="utf-8"))
    assert {row["name"]: bytes.fromhex(row["hex"]) for row in rows} == BAD


LONG = "Z" * 4000


def with_long_texts(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Copies of a message in which a text, the name of a field, or something else is very long."""
    copies = [{**message, LONG: 1}, {**message, "type": LONG}, {**message, "id": LONG}]
    for name, value in message.items():
        if name not in ("type", "id"):
            copies += [{**message, name: wrong} for wrong in (LONG, [LONG], {LONG: LONG}, {"type": LONG})]
            if isinstance(value, dict):
                copies += [{**message, name: {**value, LONG: 1}}]
                copies += [{**message, name: {**value, part: wrong}} for part in value for wrong in (LONG, {LONG: 1})]
    return copies


async def test_errors_quote_little_of_what_was_sent(node: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocol.session.MAX_FAULTS", 10**6)
    refused: Counter[str] = Counter()
    messages = [msgpack.unpackb(msgspec.msgpack.encode(message)) for message in CLIENT.values()]
    messages += [{"type": "create", "id": 1, "game": "cheesedog", "seats": 3, "options": {}}]
    for message in messages:
        client = await node.join()
        for sent in with_long_texts(message):
            since = len(client.received)
            await client.socket.send(msgpack.packb(sent))
            answer = await client.until(lambda message: message["type"] in ANSWERS, since)
            if answer["type"] == "error":
                refused[answer["code"]] += 1
                for text in (answer["message"], answer.get("field") or ""):
                    assert text.count("Z") <= 60, (text, sent["type"])
                    assert len(text) <= 200
    assert {"surplus_field", "unknown_type", "bad_field", "no_table"} <= set(refused), refused
