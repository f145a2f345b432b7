"""The server's side of a connection as a state machine: frames in, messages out, no `await`."""

from __future__ import annotations

from protocol.codec import ProtocolError, read_client
from protocol.messages import VERSION, ClientMessage, Hello

MAX_FAULTS = 20  # refused frames after which the server closes the connection (P13)

# The error code for a message that is not allowed in this phase (P14).
PHASES = {"new": "hello_first", "open": "hello_again"}


class Session:
    """The phase of one connection, and how many of its frames were refused."""

    __slots__ = ("faults", "phase")

    def __init__(self) -> None:
        self.phase = "new"
        self.faults = 0

    def receive(self, frame: bytes) -> ClientMessage:
        """Decode the frame. Raise ProtocolError if it is no message or is not allowed in this phase."""
        try:
            message = read_client(frame)
            if self.phase != "open" or type(message) is Hello:
                self._check_phase(message)
        except ProtocolError:
            self.faults += 1
            raise
        return message

    def _check_phase(self, message: ClientMessage) -> None:
        if isinstance(message, Hello) != (self.phase == "new"):
            raise ProtocolError(PHASES[self.phase], "hello must come first, and only once", id=message.id)
        if isinstance(message, Hello) and message.v != VERSION:
            text = f"this server speaks version {VERSION}, not {message.v}"
            raise ProtocolError("bad_version", text, id=message.id, field="v")

    def welcome(self) -> None:
        """Record that hello was answered: from now on every other message is allowed."""
        self.phase = "open"

    @property
    def too_many_faults(self) -> bool:
        """Whether so many frames were refused that the connection must be closed (P13)."""
        return self.faults >= MAX_FAULTS
