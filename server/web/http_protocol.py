"""HTTP connections: uvicorn's protocol class, changed to bound the time, the size and the share of one connection.

A request head is collected here. When it is complete it waits for its turn, and then goes to uvicorn in one piece. The
only body that is read is that of a replay file to view, up to MAX_BODY. After every request with a body the connection
is closed.
"""

from __future__ import annotations

import asyncio
import re
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from server.web.admission import Admission
from server.web.handover import MAX_HEAD, Handover
from server.web.turns import Turns

REQUEST_S = 10  # from the beginning of a connection, or the last answer, until the next request is complete
RESPONSE_S = 60  # from then until the client has read the answer
LARGE_S = 3600  # the same for the file of a day, which may have hundreds of megabytes; an address reads few at a time
RETRY_S = 10  # when a client may try again that came while there were too many connections
MAX_TARGET = 2048  # bytes of the address in a request
MAX_LINES = 100  # lines of a head
MAX_BODY = 256 * 1024  # bytes of a replay file to view, which RESPONSE_S bounds in time

END_OF_HEAD = re.compile(rb"\n\r?\n")
TARGET = re.compile(rb"[^ \n]{1,20} ([^ \n]*)")
WITH_BODY = re.compile(rb"POST /replays/view[ ?]")
LENGTH = re.compile(rb"\ncontent-length:[ \t]*([0-9]{1,9})[ \t]*\r?\n", re.IGNORECASE)
LARGE = re.compile(rb"GET /data/[^? ]")
HEALTH = re.compile(rb"GET /healthz[ ?]")


class HttpProtocol(H11Protocol):
    """One HTTP connection, which may become a websocket or be passed on to another node.

    `head` has the first bytes of a connection that was received from another node; it is not passed on again.
    """

    ends_turn = True  # the request is answered in a task, which takes most of the time

    def __init__(
        self, admission: Admission, turns: Turns, handover: Handover | None, head: bytes = b"", **known: Any
    ) -> None:
        super().__init__(**known)
        self._admission = admission
        self._turns = turns
        self._handover = handover  # None after the first request
        self._received = head
        self._busy = False  # a request waits for its turn or is being answered, and nothing is read
        self._body_left = 0  # bytes of a body that are still to come
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._set_deadline(None)
        self._admission.finish(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._body_left:
            self._take_body(data)
            return
        self._unset_keepalive_if_required()
        self._received += data
        if not self._busy:
            self._find_head()

    def take_turn(self) -> bool:
        """Give the request to uvicorn; there is never a second one before it is answered."""
        end = END_OF_HEAD.search(self._received)
        if end is None or self.transport.is_closing():
            return False
        head, rest = self._received[: end.end()], self._received[end.end() :]
        target = TARGET.match(head)
        if target is not None and len(target.group(1)) > MAX_TARGET:
            self._refuse("414 URI Too Long")
        elif len(head) > MAX_HEAD or head.count(b"\n") > MAX_LINES:
            self._refuse("431 Request Header Fields Too Large")
        elif len(self.connections) > self._admission.max_connections and not HEALTH.match(head):
            self._admission.log_refusal(f"there are already {self._admission.max_connections} connections")
            self._refuse("503 Service Unavailable", f"Retry-After: {RETRY_S}\r\n")
        elif not self._pass_on(head, rest):
            self._admission.finish(self)
            self._serve(head, rest)
        return False

    def _pass_on(self, head: bytes, rest: bytes) -> bool:
        handover, self._handover = self._handover, None
        return handover is not None and not rest and handover.pass_on(head, self.transport)

    def _serve(self, head: bytes, rest: bytes) -> None:
        self._received = rest
        self._set_deadline(LARGE_S if LARGE.match(head) else RESPONSE_S)
        super().data_received(head)
        if self.transport.get_protocol() is not self:  # it is a websocket now
            self._set_deadline(None)
            self.transport.resume_reading()
            if rest:
                self.transport.get_protocol().data_received(rest)  # type: ignore[attr-defined]
        elif self.conn.their_state is h11.SEND_BODY:
            self._received = b""
            self.cycle.keep_alive = False
            length = LENGTH.search(head) if WITH_BODY.match(head) else None
            if length is not None and int(length[1]) <= MAX_BODY:
                self._body_left = int(length[1])
                self.transport.resume_reading()
                self._take_body(rest)

    def _take_body(self, data: bytes) -> None:
        """Give uvicorn the next bytes of a body; what comes after its end is dropped, as the connection is closed."""
        part, self._body_left = data[: self._body_left], max(0, self._body_left - len(data))
        if part and not self.transport.is_closing():
            super().data_received(part)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing():
            self._busy = False
            self.transport.resume_reading()
            self._await_request()

    def _await_request(self) -> None:
        self._set_deadline(RESPONSE_S if self.transport.get_write_buffer_size() else REQUEST_S)
        self._admission.begin(self, len(self.connections))
        self._find_head()

    def _find_head(self) -> None:
        if END_OF_HEAD.search(self._received):
            self._busy = True
            self.transport.pause_reading()
            self._turns.wait(self)
        elif len(self._received) > MAX_HEAD:
            self._refuse("431 Request Header Fields Too Large")

    def _set_deadline(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else asyncio.get_running_loop().call_later(seconds, self._too_late)

    def _too_late(self) -> None:
        if self._busy or not self._received or self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self._refuse("408 Request Timeout")

    def _refuse(self, status: str, header: str = "") -> None:
        """Answer with this status, and close."""
        if not self.transport.is_closing():
            self._received = b""
            self.transport.write(
                f"HTTP/1.1 {status}\r\n{header}Connection: close\r\nContent-Length: 0\r\n\r\n".encode()
            )
            self.transport.close()
