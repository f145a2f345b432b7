"""The server's side of a conversation as a machine: bytes in, messages out, no `await`."""

from __future__ import annotations

from protocol.codec import ProtocolError, read_client
from protocol.messages import VERSION, ClientMessage, Hello

MOST_FAULTS = 20  # unreadable frames before the connection is closed

# What each phase accepts: P2.
PHASES: dict[str, str] = {"new": "hello", "open": "everything but hello", "closed": "nothing"}


class Session:
    """Where one connection is in its conversation."""

    __slots__ = ("faults", "phase")

    def __init__(self) -> None:
        self.phase = "new"
        self.faults = 0

    def receive(self, frame: bytes) -> ClientMessage:
        """The message in the frame, if it may be said now; ProtocolError otherwise."""
        try:
            message = read_client(frame)
        except ProtocolError:
            self.faults += 1
            raise
        if isinstance(message, Hello):
            if self.phase != "new":
                raise ProtocolError("hello_again", "hello is said once", id=message.id)
            if message.v != VERSION:
                text = f"this server speaks version {VERSION}, not {message.v}"
                raise ProtocolError("bad_version", text, id=message.id, field="v")
        elif self.phase == "new":
            raise ProtocolError("hello_first", "the first message is hello", id=message.id)
        return message

    def welcome(self) -> None:
        """The hello was answered: from now on everything else may be said."""
        self.phase = "open"

    @property
    def hopeless(self) -> bool:
        """Whether so much was unreadable that nothing more is listened to."""
        return self.faults >= MOST_FAULTS
