"""The session: which messages it accepts in which phase, and after how many bad frames it gives up."""

from __future__ import annotations

import pytest

from protocol.codec import ProtocolError, encode
from protocol.messages import MAX_FRAME_BYTES, Hello, Message, Ping, Rename
from protocol.session import MAX_FAULTS, Session
from tests.protocol.examples import CLIENT


def refused(session: Session, frame: bytes) -> ProtocolError:
    """Return the error that the session raises for this frame."""
    with pytest.raises(ProtocolError) as caught:
        session.receive(frame)
    return caught.value


def welcomed() -> Session:
    """Return a session after hello and welcome."""
    session = Session()
    session.receive(encode(Hello(id=1, v=1)))
    session.welcome()
    return session


def test_p8_a_frame_of_the_maximum_size_is_read_and_a_larger_one_is_not() -> None:
    empty = encode(Rename(id=3, name=""))
    padding = MAX_FRAME_BYTES - len(empty) - 2  # the length of a long text takes two more bytes
    fault = refused(welcomed(), encode(Rename(id=3, name="x" * padding)))
    assert (fault.code, fault.id, fault.field) == ("bad_field", 3, "name")
    fault = refused(welcomed(), encode(Rename(id=3, name="x" * (padding + 1))))
    assert fault.code == "too_large"
    assert str(MAX_FRAME_BYTES) in fault.message


@pytest.mark.parametrize("name", [name for name in CLIENT if not name.startswith("hello")])
def test_p14_every_other_message_is_refused_before_hello(name: str) -> None:
    fault = refused(Session(), encode(CLIENT[name]))
    assert (fault.code, fault.answer().id) == ("hello_first", CLIENT[name].id)  # type: ignore[attr-defined]


@pytest.mark.parametrize("message", CLIENT.values(), ids=CLIENT)
def test_p14_every_message_but_hello_is_accepted_after_hello(message: Message) -> None:
    if isinstance(message, Hello):
        fault = refused(welcomed(), encode(message))
        assert (fault.code, fault.id) == ("hello_again", message.id)
    else:
        assert encode(welcomed().receive(encode(message))) == encode(message)


def test_p14_another_hello_is_accepted_until_welcome() -> None:
    session = Session()
    session.receive(encode(Hello(id=1, v=1, token="forgotten")))
    assert isinstance(session.receive(encode(Hello(id=2, v=1))), Hello)


@pytest.mark.parametrize("version", [0, 2, -1, 2**64 - 1])
def test_p41_another_version_is_refused(version: int) -> None:
    fault = refused(Session(), encode(Hello(id=1, v=version)))
    assert (fault.code, fault.id, fault.field) == ("bad_version", 1, "v")


@pytest.mark.parametrize("frame", [b"", encode(Ping(id=1))], ids=["unreadable", "too early"])
def test_p13_the_session_gives_up_after_too_many_refused_frames(frame: bytes) -> None:
    session = Session()
    for _ in range(MAX_FAULTS):
        assert not session.too_many_faults
        refused(session, frame)
    assert session.too_many_faults


def test_p13_accepted_frames_do_not_count_as_faults() -> None:
    session = welcomed()
    for number in range(3 * MAX_FAULTS):
        session.receive(encode(Ping(id=number)))
    assert session.faults == 0
