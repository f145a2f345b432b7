"""The codec and the session answer every frame with a message or a documented error, and never crash."""

from __future__ import annotations

from collections import Counter

import msgpack

from protocol.codec import ProtocolError, encode
from protocol.messages import Message
from protocol.session import Session
from tests.protocol.fuzz import frames

SEED = "fuzz-1"
COUNT = 20_000


def test_p12_every_frame_is_a_message_or_an_error_with_a_code() -> None:
    seen: Counter[str] = Counter()
    for number, frame in enumerate(frames(SEED, COUNT)):
        session = Session()
        session.phase = "open" if number % 2 else "new"
        try:
            message = session.receive(frame)
        except ProtocolError as fault:
            answer = msgpack.unpackb(encode(fault.answer()))
            assert answer["type"] == "error", frame.hex()
            assert answer["id"] is None or 0 <= answer["id"] < 2**53, frame.hex()
            seen[answer["code"]] += 1
        else:
            assert isinstance(message, Message), frame.hex()
            seen["read"] += 1
    expected = {"read", "malformed", "missing_field", "surplus_field", "unknown_type", "bad_field"}
    assert expected | {"hello_first", "hello_again", "bad_version"} <= set(seen), f"seed {SEED}: {seen}"
