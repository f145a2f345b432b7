"""The conversation as a machine: what may be said when, and how much nonsense is heard."""

from __future__ import annotations

import pytest

from protocol.codec import ProtocolError, encode
from protocol.messages import MOST_BYTES, Hello, Message, Ping, Rename
from protocol.session import MOST_FAULTS, Session
from tests.protocol.examples import CLIENT


def refused(session: Session, frame: bytes) -> ProtocolError:
    with pytest.raises(ProtocolError) as caught:
        session.receive(frame)
    return caught.value


def welcomed() -> Session:
    session = Session()
    session.receive(encode(Hello(id=1, v=1)))
    session.welcome()
    return session


def test_p8_a_frame_of_the_most_bytes_is_read_and_one_more_is_not() -> None:
    most = encode(Rename(id=3, name=""))
    padding = MOST_BYTES - len(most) - 2  # a longer text has two more bytes of length
    fault = refused(welcomed(), encode(Rename(id=3, name="x" * padding)))
    assert (fault.code, fault.id, fault.field) == ("bad_field", 3, "name")
    fault = refused(welcomed(), encode(Rename(id=3, name="x" * (padding + 1))))
    assert fault.code == "too_large"
    assert str(MOST_BYTES) in fault.message


@pytest.mark.parametrize("name", [name for name in CLIENT if not name.startswith("hello")])
def test_p14_nothing_is_heard_before_hello(name: str) -> None:
    fault = refused(Session(), encode(CLIENT[name]))
    assert (fault.code, fault.answer().id) == ("hello_first", CLIENT[name].id)  # type: ignore[attr-defined]


@pytest.mark.parametrize("message", CLIENT.values(), ids=CLIENT)
def test_p14_after_hello_everything_else_is_heard(message: Message) -> None:
    if isinstance(message, Hello):
        fault = refused(welcomed(), encode(message))
        assert (fault.code, fault.id) == ("hello_again", message.id)
    else:
        assert encode(welcomed().receive(encode(message))) == encode(message)


def test_p14_until_welcome_another_hello_may_be_tried() -> None:
    session = Session()
    session.receive(encode(Hello(id=1, v=1, token="forgotten")))
    assert isinstance(session.receive(encode(Hello(id=2, v=1))), Hello)


@pytest.mark.parametrize("version", [0, 2, -1, 2**64 - 1])
def test_p41_another_version_is_refused(version: int) -> None:
    fault = refused(Session(), encode(Hello(id=1, v=version)))
    assert (fault.code, fault.id, fault.field) == ("bad_version", 1, "v")


@pytest.mark.parametrize("frame", [b"", encode(Ping(id=1))], ids=["unreadable", "too early"])
def test_p13_too_much_nonsense_is_hopeless(frame: bytes) -> None:
    session = Session()
    for _ in range(MOST_FAULTS):
        assert not session.hopeless
        refused(session, frame)
    assert session.hopeless


def test_p13_what_is_understood_is_no_fault() -> None:
    session = welcomed()
    for number in range(3 * MOST_FAULTS):
        session.receive(encode(Ping(id=number)))
    assert session.faults == 0
