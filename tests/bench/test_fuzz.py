"""A short version of `make fuzz`, and that the fuzzer notices what it looks for."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest

from bench.attack.fuzz.checks import CODES, Answers
from bench.attack.fuzz.connections import fuzz_connections, fuzz_sessions
from bench.attack.fuzz.frames import UNSURE, Surprise, independent_id
from bench.attack.fuzz.sockets import fuzz_sockets
from protocol.codec import ProtocolError
from protocol.session import Session
from server.requests import connection
from server.requests.connection import Connection
from server.requests.names import NameRequests

SEED = "fuzz in the tests 1"


def test_every_frame_is_answered_once_by_a_session() -> None:
    seen = fuzz_sessions(SEED, 1.0)
    assert {"read", "malformed", "missing_field", "surplus_field", "unknown_type", "bad_field"} <= set(seen)


def test_every_frame_is_answered_once_by_a_connection() -> None:
    frames, seen = fuzz_connections(SEED, 3.0)
    assert seen.total() >= frames > 100
    assert {"ok", "malformed", "bad_field", "hello_again", "hello_first"} <= set(seen), f"seed {SEED}: {seen}"


def test_every_frame_is_answered_once_over_sockets() -> None:
    frames, seen = fuzz_sockets(SEED, 3.0)
    assert frames > 100
    assert {"ok", "malformed", "bad_field", "hello_again", "hello_first"} <= set(seen), f"seed {SEED}: {seen}"


def test_an_id_that_is_read_wrongly_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    receive = Session.receive

    def forget_id(self: Session, frame: bytes) -> Any:
        try:
            return receive(self, frame)
        except ProtocolError as fault:
            fault.id = None
            raise

    monkeypatch.setattr(Session, "receive", forget_id)
    with pytest.raises(Surprise, match="the id was read as None"):
        fuzz_sessions(SEED, 5.0)


@pytest.mark.skipif(not str(connection.__file__).endswith(".py"), reason="compiled classes cannot be patched")
def test_a_second_answer_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse = Connection.refuse

    def twice(self: Connection, request: int | None, fault: ProtocolError) -> None:
        refuse(self, request, fault)
        if fault.code == "not_open_here":
            refuse(self, request, fault)

    monkeypatch.setattr(Connection, "refuse", twice)
    with pytest.raises(Surprise, match="too many"):
        fuzz_connections(SEED, 20.0)


def test_an_error_of_the_server_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(self: NameRequests, connection: Connection, message: Any) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(NameRequests, "rename", fail)
    with pytest.raises(Surprise, match="'internal' is not one of the protocol's"):
        fuzz_connections(SEED, 20.0)


def test_a_missing_answer_and_a_long_error_are_noticed() -> None:
    answers = Answers()
    answers.expect(msgpack.packb({"type": "ping", "id": 3}))
    with pytest.raises(Surprise, match="missing"):
        answers.check()
    error = {"type": "error", "id": 3, "code": "bad_field", "message": "x" * 4000}
    with pytest.raises(Surprise, match="an error of"):
        answers.receive(msgpack.packb(error))


def test_the_independent_decoder_reads_ids_as_the_protocol_says() -> None:
    assert independent_id(msgpack.packb({"type": "ping", "id": 3})) == 3
    assert independent_id(msgpack.packb({"id": 2**53 - 1, "x": {1: 2}})) == 2**53 - 1
    for number in (2**53, -1, True, 1.0, "3", None):
        assert independent_id(msgpack.packb({"type": "ping", "id": number})) is None
    assert independent_id(msgpack.packb({"type": "ping", "id": 3, 4: 5})) is None
    assert independent_id(msgpack.packb([1, 2])) is None
    assert independent_id(b"\x82\xa2id\x03\xa2id\x04") is UNSURE
    assert independent_id(b"\xc1") is UNSURE


def test_the_documented_codes_are_found() -> None:
    assert {"malformed", "rate_limited", "no_table"} <= CODES
    assert "internal" not in CODES
