"""Who come for one table meet at one node, and the others are dealt out evenly.

The nodes of a machine share a port, so a connection comes to any of them. If its address names a table
(`/ws?table=...`) whose home is another node, the socket is handed to that node, together with what was read from it.
A table that is watched at one node only is folded and shown once. Those who come for no table go to the nodes in turn,
since the tables that they open stay where they are. It is no more than a saving: every node serves every table, and
one that cannot hand a connection over keeps it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import socket
import zlib
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

log = logging.getLogger("cheeseboard.handover")

HEAD = re.compile(rb"GET /ws(?:\?table=([a-z0-9]{1,32}))? HTTP/1\.1\r\n")
MOST_HEAD = 16 * 1024  # bytes of a request that is handed over


class Handover:
    """The doors between the nodes of this machine: one socket each, in a folder of theirs.

    `number` counts the nodes from 0, `count` says how many there are.
    """

    def __init__(self, folder: Path | None, number: int, count: int) -> None:
        self._folder = folder
        self._number = number
        self._count = count
        self._next = number  # where the next one goes who comes for no table
        self._door: socket.socket | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @classmethod
    def from_environment(cls) -> Handover:
        """As whoever started the nodes has arranged it; a node alone hands nothing over."""
        where = os.environ.get("CHEESEBOARD_HANDOVER", "")
        if not where:
            return cls(None, 0, 1)
        folder, number, count = where.rsplit(":", 2)
        return cls(Path(folder), int(number), int(count))

    def is_home(self, table: str) -> bool:
        """Whether those who come for this table meet here."""
        return self._home(table.encode()) == self._number

    def _home(self, table: bytes) -> int:
        return zlib.crc32(table) % self._count

    def _in_turn(self) -> int:
        now, self._next = self._next, (self._next + 1) % self._count
        return now

    def _path(self, number: int) -> str:
        return f"{self._folder}/{number}.sock"

    def open(self, protocol: Callable[[bytes], asyncio.Protocol]) -> None:
        """Take what the others hand over, each connection with a protocol of its own that begins with what was read."""
        if self._folder is None:
            return
        path = Path(self._path(self._number))
        path.unlink(missing_ok=True)
        self._door = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._door.setblocking(False)
        self._door.bind(str(path))
        asyncio.get_running_loop().add_reader(self._door, self._take, protocol)

    def close(self) -> None:
        """Take nothing more: the others keep what they would hand over."""
        if self._door is not None:
            asyncio.get_running_loop().remove_reader(self._door)
            self._door.close()
            self._door = None
            Path(self._path(self._number)).unlink(missing_ok=True)

    def pass_on(self, data: bytes, transport: asyncio.Transport) -> bool:
        """Hand a connection that began with these bytes to the node where it belongs; whether that was done."""
        head = HEAD.match(data)
        if self._door is None or head is None or len(data) > MOST_HEAD or not data.endswith(b"\r\n\r\n"):
            return False
        table: bytes | None = head.group(1)
        home = self._in_turn() if table is None else self._home(table)
        if home == self._number:
            return False
        rights = array("i", [transport.get_extra_info("socket").fileno()])
        try:
            self._door.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)], 0, self._path(home))
        except OSError as fault:
            log.info("a connection is kept: %s", fault)
            return False
        transport.abort()  # closes this node's side of it only
        return True

    def _take(self, protocol: Callable[[bytes], asyncio.Protocol]) -> None:
        assert self._door is not None
        while True:
            try:
                data, files, _, _ = socket.recv_fds(self._door, MOST_HEAD, 1)
            except OSError:
                return
            for file in files:
                task = asyncio.get_running_loop().create_task(_begin(socket.socket(fileno=file), protocol, data))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)


async def _begin(connection: socket.socket, protocol: Callable[[bytes], asyncio.Protocol], head: bytes) -> None:
    """Serve a connection that another node has accepted and begun to read."""
    connection.setblocking(False)
    try:
        await asyncio.get_running_loop().connect_accepted_socket(lambda: protocol(head), connection)
    except OSError:  # it is gone already
        connection.close()


class Reception(H11Protocol):
    """uvicorn's protocol for a request, which may belong to another node.

    `head` is how a connection that was handed over began.
    """

    def __init__(self, handover: Handover | None, head: bytes = b"", **known: Any) -> None:
        super().__init__(**known)
        self._handover = handover  # until the first bytes have come
        self._head = head

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self._head:
            self.data_received(self._head)  # before anything else is read

    def data_received(self, data: bytes) -> None:
        handover, self._handover = self._handover, None
        if handover is None or not handover.pass_on(data, self.transport):
            super().data_received(data)
