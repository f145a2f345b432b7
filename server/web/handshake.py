"""The opening of a websocket: uvicorn's protocol class, until the application accepts and a Websocket takes over.

The application finds the handshake in the ASGI scope under "cheeseboard.websocket". After it has accepted, it calls
`finish`, hands the websocket to its owner, and returns.
"""

from __future__ import annotations

import logging
from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from server.web.turns import Turns
from server.web.websocket import Websocket

log = logging.getLogger("cheeseboard.websocket")

EXTENSION = "cheeseboard.websocket"
BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Handshake(WebSocketsSansIOProtocol):
    """A connection that has asked to become a websocket."""

    def __init__(self, turns: Turns, **known: Any) -> None:
        super().__init__(**known)
        self._turns = turns
        self._early = b""  # bytes that came behind the request
        self._finished = False

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        scope = getattr(self, "scope", None)  # absent when the handshake was refused
        if scope is not None:
            scope["extensions"][EXTENSION] = self

    def data_received(self, data: bytes) -> None:
        """Give the whole head of the request to the parser of `websockets`, which sends no answer if it refuses it."""
        if self.handshake_initiated:
            self._early += data
            self.transport.pause_reading()
            return
        super().data_received(data)
        if not self.handshake_initiated:
            self.transport.write(BAD_REQUEST)
            self.transport.close()

    async def run_asgi(self) -> None:
        """Run the application, and close the connection unless it has become a websocket."""
        try:
            await self.app(self.scope, self.receive, self.send)
        except ClientDisconnected:
            pass
        except BaseException:
            log.exception("accepting a websocket failed")
            self.send_500_response()
        self.scope["extensions"].pop(EXTENSION, None)  # a cycle, which would wait for the garbage collector
        if not self._finished:
            self.transport.close()

    def finish(self) -> Websocket:
        """Return the websocket that the application has accepted. It reads nothing until it has a listener."""
        self._finished = True
        websocket = Websocket(self.transport, self.conn, self._turns, self.config.ws_max_size, self._early)
        self.connections.remove(self)
        websocket.join(self.connections)
        self.transport.set_protocol(websocket)  # type: ignore[arg-type]  # it has a protocol's methods
        return websocket
