"""A crowd: thousands of spectators of one table on two nodes, and what they cost its players.

`make bench-crowd` prints how long a player waits for the answer to a move, without spectators and with them, and how
long it takes until the last spectator has the update. `ARGS="--before FOLDER"` measures another checkout in turn with
this one. Arrivals are the kernel's timestamps of the received bytes, so reading thousands of sockets in this process
does not count.
"""

from __future__ import annotations

import argparse
import gc
import os
import secrets
import socket
import statistics
import struct
import time
from base64 import b64encode
from pathlib import Path
from typing import Any

import msgpack

from bench.peers.run import Serving, machine, raise_file_limit, serving

SO_TIMESTAMPNS = 35  # from asm-generic/socket.h; Python has no name for it
ROUNDS = 2  # each checkout in turn
MOVES = 20
WARM = 5
AT_ONCE = 100  # spectators that connect together
QUIET_S = 0.3  # this process takes no CPU from the nodes for so long after a move
TIMEOUT_S = 30
Message = dict[str, Any]


class Link:
    """A websocket with blocking reads and the kernel's time of the last bytes that came."""

    def __init__(self, port: int, table: str | None) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), TIMEOUT_S)
        self.socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.arrived_ns = 0
        self.update: Message | None = None
        self._received = b""
        self._number = 0
        path = "/ws" if table is None else f"/ws?table={table}"
        key = b64encode(secrets.token_bytes(16)).decode()
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        self.socket.sendall(f"{head}Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())

    def accepted(self) -> Link:
        """Wait for the answer to the handshake."""
        while b"\r\n\r\n" not in self._received:
            self._receive()
        answer, self._received = self._received.split(b"\r\n\r\n", 1)
        if b" 101 " not in answer.split(b"\r\n", 1)[0]:
            raise ConnectionError(answer.decode(errors="replace"))
        return self

    def _receive(self) -> None:
        data, extra, _, _ = self.socket.recvmsg(1 << 16, 64)
        if not data:
            raise ConnectionError("the server closed the connection")
        self._received += data
        self.note_time(extra)

    def note_time(self, extra: list[tuple[int, int, bytes]]) -> None:
        """Keep the kernel's time of the bytes that were just read."""
        for _, kind, value in extra:
            if kind == SO_TIMESTAMPNS:
                seconds, nanoseconds = struct.unpack("qq", value)
                self.arrived_ns = seconds * 10**9 + nanoseconds

    def send(self, type: str, **fields: Any) -> int:  # noqa: A002
        """Send a request; returns its id."""
        self._number += 1
        payload = msgpack.packb({"type": type, "id": self._number, **fields})
        length = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + struct.pack("!H", len(payload))
        self.socket.sendall(b"\x82" + length + bytes(4) + payload)
        return self._number

    def read(self) -> Message:
        """The next message. The last update is kept as `update`."""
        while (frame := self._frame()) is None:
            self._receive()
        message: Message = msgpack.unpackb(frame)
        if message["type"] == "update":
            self.update = message
        return message

    def _frame(self) -> bytes | None:
        """The payload of the next binary frame, if all of it has come; other frames are skipped."""
        while len(self._received) > 1:
            data, size, start = self._received, self._received[1], 2
            if size > 125:
                start = 4 if size == 126 else 10
                size = int.from_bytes(data[2:start])
            if len(data) < start + size:
                return None
            self._received = data[start + size :]
            if data[0] & 15 == 2:
                return data[start : start + size]
        return None

    def request(self, type: str, **fields: Any) -> Message:  # noqa: A002
        """Send a request and wait for its answer."""
        return self.answer(self.send(type, **fields))

    def answer(self, number: int) -> Message:
        """Wait for the answer to this request."""
        while (message := self.read()).get("id") != number:
            pass
        if message["type"] == "error":
            raise RuntimeError(f"{message['code']}: {message['message']}")
        return message

    def until_update(self, n: int) -> Message:
        """The update of entry n or of a later one; waits for it."""
        while self.update is None or self.update["n"] < n:
            self.read()
        return self.update

    def drain(self) -> bytes:
        """Read what has come, without waiting; the socket does not block."""
        found = b""
        while True:
            try:
                data, extra, _, _ = self.socket.recvmsg(1 << 16, 64)
            except BlockingIOError:
                return found
            found += data
            self.note_time(extra)


class Table:
    """A running table with four players, and any number of spectators."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.players = [Link(port, None).accepted()]
        token = self.players[0].request("hello", v=1, patches=True)["token"]
        fields = {"game": "pile", "seats": 4, "speed": "untimed", "public": False}
        self.id = self.players[0].request("create", **fields)["table"]
        for _ in range(3):
            player = Link(port, self.id).accepted()
            player.request("hello", v=1, patches=True)
            player.request("sit", table=self.id)
            self.players.append(player)
        self.spectators: list[Link] = []
        watcher = Link(port, self.id).accepted()
        self._token = watcher.request("hello", v=1, patches=True)["token"]
        assert token != self._token
        watcher.socket.close()
        started = max(player.request("open", table=self.id)["n"] for player in self.players)
        self._last = [player.until_update(started) for player in self.players]

    def add_spectators(self, count: int) -> None:
        """Let so many spectators open the table."""
        for first in range(0, count, AT_ONCE):
            links = [Link(self._port, self.id) for _ in range(min(AT_ONCE, count - first))]
            for link in links:
                link.accepted()
            for kind, fields in (
                ("hello", {"v": 1, "token": self._token, "patches": True}),
                ("open", {"table": self.id}),
            ):
                sent = [link.send(kind, **fields) for link in links]
                for link, number in zip(links, sent, strict=True):
                    link.answer(number)
            for link in links:
                link.socket.setblocking(False)
            self.spectators += links

    def move(self) -> tuple[float, float]:
        """Make a move; the ms until the player has the answer, and until the last spectator has the update."""
        seat = next(seat for seat, update in enumerate(self._last) if update.get("ask"))
        player, ask = self.players[seat], self._last[seat]["ask"]["n"]
        for link in self.spectators:
            link.drain()
        began = time.time_ns()
        answer = player.request(
            "move", table=self.id, ask=ask, key=secrets.token_hex(8), move={"type": "play", "card": 1}
        )
        answered = player.arrived_ns
        arrived = max(answered, self._wait_for_spectators(answer["n"]))
        self._last = [one.until_update(answer["n"]) for one in self.players]
        return (answered - began) / 1e6, (arrived - began) / 1e6

    def _wait_for_spectators(self, n: int) -> int:
        """Wait until every spectator has entry n; the kernel's time of the last arrival."""
        wanted = msgpack.packb("n") + msgpack.packb(n)
        waiting, end, arrived = self.spectators, time.monotonic() + TIMEOUT_S, 0
        while True:
            time.sleep(QUIET_S)
            left = [link for link in waiting if wanted not in link.drain()]
            arrived = max([arrived, *(link.arrived_ns for link in set(waiting).difference(left))])
            if not left:
                return arrived
            if time.monotonic() > end:
                raise RuntimeError(f"{len(left)} spectators have not got entry {n} after {TIMEOUT_S} s")
            waiting = left

    def close(self) -> None:
        """Close all connections."""
        for link in (*self.players, *self.spectators):
            link.socket.close()


def measured(served: Serving, spectators: int, moves: int) -> tuple[list[float], list[float], list[float]]:
    """The ms to the answer without spectators and with them, and to the last spectator."""
    alone = Table(served.port)
    without = [alone.move()[0] for _ in range(WARM + moves)][WARM:]
    alone.close()
    watched = Table(served.port)
    watched.add_spectators(spectators)
    time.sleep(2)  # the reports of who is there have been sent
    gc.collect()
    found = [watched.move() for _ in range(WARM + moves)][WARM:]
    watched.close()
    return without, [answer for answer, _ in found], [last for _, last in found]


def row(name: str, without: list[float], answers: list[float], lasts: list[float]) -> str:
    """One line of the table: medians and maxima."""
    cells = [f"{statistics.median(values):.1f} | {max(values):.1f}" for values in (without, answers, lasts)]
    return f"| {name} | {' | '.join(cells)} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, help="another checkout to measure in turn with this one")
    parser.add_argument("--spectators", type=int, default=5000)
    parser.add_argument("--moves", type=int, default=MOVES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--compiled", action="store_true", help="measure the compiled builds")
    chosen = parser.parse_args()
    raise_file_limit()
    target = {"cmd": ["ours", "-m", "bench.node"], "store": True, "nodes": 2, "plain": not chosen.compiled}
    targets = {"now": target}
    if chosen.before:
        targets = {"before": {**target, "checkout": str(chosen.before.resolve())}, "now": target}
    print(f"{machine()}; {chosen.spectators} spectators, two nodes, {'' if chosen.compiled else 'not '}compiled\n")
    print("| | answer, no spectators: median ms | most | answer, with them | most | last spectator | most |")
    print("|---|---|---|---|---|---|---|")
    with open(os.devnull, "w") as log:
        for number in range(chosen.rounds):
            for name, one in targets.items():
                with serving(one, log) as served:
                    print(row(f"{name}, {number + 1}", *measured(served, chosen.spectators, chosen.moves)), flush=True)


if __name__ == "__main__":
    main()
