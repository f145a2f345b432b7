"""The server's side of a conversation as a machine: bytes in, messages out, no `await`."""

from __future__ import annotations

from protocol.codec import ProtocolError, read_client
from protocol.messages import VERSION, ClientMessage, Hello

MOST_FAULTS = 20  # frames that are no message, or none that may be said now, before the connection is closed (P13)

# The messages that each phase accepts: P14. What is not accepted is refused with this code.
PHASES = {"new": "hello_first", "open": "hello_again"}


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
            if self.phase != "open" or type(message) is Hello:
                self._admit(message)
        except ProtocolError:
            self.faults += 1
            raise
        return message

    def _admit(self, message: ClientMessage) -> None:
        first = isinstance(message, Hello)
        if first != (self.phase == "new"):
            raise ProtocolError(PHASES[self.phase], "hello is the first message, and is said once", id=message.id)
        if isinstance(message, Hello) and message.v != VERSION:
            text = f"this server speaks version {VERSION}, not {message.v}"
            raise ProtocolError("bad_version", text, id=message.id, field="v")

    def welcome(self) -> None:
        """The hello was answered: from now on everything else may be said."""
        self.phase = "open"

    @property
    def hopeless(self) -> bool:
        """Whether so much was unreadable that nothing more is listened to."""
        return self.faults >= MOST_FAULTS
