"""Routes connections for one table to one node, unless many watch it, and spreads the rest round-robin.

The nodes of a machine share a port, so the kernel gives a connection to any of them. If its request names a table
(`/ws?table=...`) whose home is another node, this node passes the socket to that node, with the bytes that it has
read. A table that is watched on one node only is folded and shown once. From SPREAD_MIN watchers on, the home passes
further connections to all nodes in turn: each of them folds the table once, and all cores write. Connections without a
table go to the nodes in turn, because the tables that they open stay where they are. This only saves work: every node
can serve every table, and a node that cannot pass a connection on keeps it.
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
from typing import NamedTuple

log = logging.getLogger("cheeseboard.handover")

REQUEST_LINE = re.compile(rb"GET /ws(?:\?table=([a-z0-9]{1,32}))? HTTP/1\.1\r\n")
MAX_HEAD = 16 * 1024  # bytes of the head of a request
SPREAD_MIN = 256  # from this many watchers at the home on, further connections are spread over all nodes
FINAL = b"\0"  # before the head of a connection that stays at the node to which it is passed


class NodeSlot(NamedTuple):
    """Which of the nodes of this machine this one is: `number`, from 0 to `nodes` - 1.

    The nodes pass sockets to each other through unix sockets in the folder; without a folder nothing is passed on.
    """

    folder: Path | None = None
    number: int = 0
    nodes: int = 1

    @classmethod
    def from_environment(cls) -> NodeSlot:
        """The slot that the supervisor has given to this node; a node that runs alone is the only one."""
        where = os.environ.get("CHEESEBOARD_HANDOVER", "")
        if not where:
            return cls()
        folder, number, nodes = where.rsplit(":", 2)
        return cls(Path(folder), int(number), int(nodes))

    def home(self, table: bytes) -> int:
        """The number of the node that is the home of this table."""
        return zlib.crc32(table) % self.nodes

    def is_home(self, table: str) -> bool:
        """Whether this node is the home of this table."""
        return self.home(table.encode()) == self.number


class Handover:
    """Passes sockets between the nodes of this machine, through one unix socket per node.

    `watchers` returns how many watch a table at this node.
    """

    def __init__(self, slot: NodeSlot, watchers: Callable[[str], int]) -> None:
        self._slot = slot
        self._watchers = watchers
        self._next = slot.number  # the node of the next connection without a table, or of a table that many watch
        self._receiver: socket.socket | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def _next_in_turn(self) -> int:
        now, self._next = self._next, (self._next + 1) % self._slot.nodes
        return now

    def _path(self, number: int) -> str:
        return f"{self._slot.folder}/{number}.sock"

    def open(self, protocol: Callable[[bytes], asyncio.Protocol]) -> None:
        """Receive connections from the other nodes; `protocol` makes a protocol from the bytes already read."""
        if self._slot.folder is None:
            return
        path = Path(self._path(self._slot.number))
        path.unlink(missing_ok=True)
        self._receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._receiver.setblocking(False)
        self._receiver.bind(str(path))
        asyncio.get_running_loop().add_reader(self._receiver, self._receive, protocol)

    def close(self) -> None:
        """Receive nothing more: the other nodes keep their connections."""
        if self._receiver is not None:
            asyncio.get_running_loop().remove_reader(self._receiver)
            self._receiver.close()
            self._receiver = None
            Path(self._path(self._slot.number)).unlink(missing_ok=True)

    def pass_on(self, head: bytes, transport: asyncio.Transport) -> bool:
        """Pass on a connection whose request has this head, if its home is another node; returns whether it did."""
        request = REQUEST_LINE.match(head)
        if self._receiver is None or request is None:
            return False
        table: bytes | None = request.group(1)
        home = self._next_in_turn() if table is None else self._slot.home(table)
        data = head
        if table is not None and home == self._slot.number:
            home, data = self._place(table), FINAL + head
        if home == self._slot.number or not self._send(home, data, transport.get_extra_info("socket").fileno()):
            return False
        transport.abort()  # closes only this node's copy of the socket
        return True

    def _place(self, table: bytes) -> int:
        """The node for another connection to a table whose home is this node."""
        return self._next_in_turn() if self._watchers(table.decode()) >= SPREAD_MIN else self._slot.number

    def _send(self, node: int, data: bytes, fd: int) -> bool:
        """Pass a socket to another node; returns whether that was possible."""
        assert self._receiver is not None
        rights = array("i", [fd])
        try:
            self._receiver.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)], 0, self._path(node))
        except OSError as fault:
            log.info("a connection could not be passed on: %s", fault)
            return False
        return True

    def _receive(self, protocol: Callable[[bytes], asyncio.Protocol]) -> None:
        assert self._receiver is not None
        while True:
            try:
                data, fds, _, _ = socket.recv_fds(self._receiver, MAX_HEAD + len(FINAL), 1)
            except OSError:
                return
            is_final, head = data.startswith(FINAL), data.removeprefix(FINAL)
            for fd in fds:
                if not is_final and self._spread(head, fd):
                    continue
                task = asyncio.get_running_loop().create_task(_begin(socket.socket(fileno=fd), protocol, head))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def _spread(self, head: bytes, fd: int) -> bool:
        """Pass on a connection at its home if SPREAD_MIN or more watch its table there; returns whether it did."""
        request = REQUEST_LINE.match(head)
        table = request and request.group(1)
        node = self._place(table) if table else self._slot.number
        if node == self._slot.number or not self._send(node, FINAL + head, fd):
            return False
        os.close(fd)  # this node's copy
        return True


async def _begin(connection: socket.socket, protocol: Callable[[bytes], asyncio.Protocol], head: bytes) -> None:
    """Serve a connection that another node has accepted, and whose first bytes it has read."""
    connection.setblocking(False)
    try:
        await asyncio.get_running_loop().connect_accepted_socket(lambda: protocol(head), connection)
    except OSError:  # the client has disconnected
        connection.close()
