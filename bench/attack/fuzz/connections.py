"""Fuzzing inside one process: sessions alone, and connections of a real node with a real store but without sockets."""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import msgpack
import uvloop

from bench.attack.fuzz.checks import LAST_PING, OVERTIME_S, Answers, run_all
from bench.attack.fuzz.frames import UNSURE, FrameMaker, Known, Surprise, independent_id
from games import GAMES
from protocol.codec import ProtocolError, encode
from protocol.session import MAX_FAULTS, Session
from server.app import Node
from server.process.embedded_valkey import EmbeddedValkey
from server.requests.connection import Connection
from server.requests.limits.client_addresses import NO_LIMITS

USERS = 60  # who come again and again, and have seats; others are new guests
NEW_GUESTS = 0.05
VISITS_AT_ONCE = 16
GAMES_EVERY_S = 2.0  # how often each game is begun anew
ANSWER_TIMEOUT_S = 20.0
MAX_FRAMES = MAX_FAULTS - 2  # of one visit: its connection must not be closed for frames that cannot be read
TOKEN_ENDED = 4004  # the close code of a connection whose user another visit has forgotten or given a new token


def fuzz_sessions(seed: str, seconds: float) -> Counter[str]:
    """Give frames to sessions: each is a message or an error with the right id, and nothing else happens."""
    chance = Random(seed)
    maker, known = FrameMaker(chance), Known()
    seen: Counter[str] = Counter()
    end = monotonic() + seconds
    while monotonic() < end:
        for number in range(1000):
            frame = maker.make(known)
            session = Session()
            session.phase = "open" if number % 2 else "new"
            try:
                wanted, read_id = independent_id(frame), None
                try:
                    read_id = session.receive(frame).id
                    seen["read"] += 1
                except ProtocolError as fault:
                    answer = msgpack.unpackb(encode(fault.answer()))
                    read_id = answer["id"]
                    seen[answer["code"]] += 1
                if wanted is not UNSURE and read_id != wanted:
                    raise Surprise(f"the id was read as {read_id!r}, but it is {wanted!r}")
            except Exception as fault:
                raise Surprise(f"{fault!r} in a session that is {session.phase}: {frame.hex()}") from fault
    return seen


class Pretended:
    """The socket and the transport of a connection that exists in this process only."""

    def __init__(self, answers: Answers, known: Known) -> None:
        self._answers = answers
        self._known = known
        self._connection: Connection | None = None
        self._changed = asyncio.Event()
        self.transport = self
        self.has_received = True
        self.closed_with: int | None = None
        self.surprise: Surprise | None = None
        self.welcome: dict[str, Any] = {}

    # The connection's side.

    def take_over(self, connection: Connection, /) -> int:
        self._connection = connection
        return -1

    def close_from_our_side(self, code: int, reason: str, /) -> None:
        self.closed_with = code
        self.leave()

    def write(self, data: bytes, /) -> None:
        """Read the frames that the connection sends."""
        start = 0
        while start < len(data):
            body, length = start + 2, data[start + 1]
            if length >= 126:
                body += 2 if length == 126 else 8
                length = int.from_bytes(data[start + 2 : body], "big")
            try:
                message = self._answers.receive(data[body : body + length])
            except Surprise as surprise:
                self.surprise = surprise
            else:
                self._known.learn(message)
                if message["type"] == "welcome":
                    self.welcome = message
            start = body + length
        self._changed.set()

    def get_write_buffer_size(self) -> int:
        return 0

    # The client's side.

    def send(self, frame: bytes) -> None:
        """Send a frame to the connection, to which one answer must come."""
        self._answers.expect(frame)
        if self._connection is not None:
            self._connection.receive(frame)

    async def answered(self) -> None:
        """Wait until everything is answered."""
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                while not self._answers.complete and self.closed_with is None and self.surprise is None:
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            pass
        if self.surprise is not None:
            raise self.surprise
        if self.closed_with is not None:
            raise Surprise(f"the connection was closed with {self.closed_with}")
        self._answers.check()

    def leave(self) -> None:
        """Close the connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.closed()
        self._changed.set()


class ConnectionFuzzer:
    """Clients who visit a node, many at once, each with a few frames."""

    def __init__(self, node: Node, seed: str) -> None:
        self._node = node
        self._seed = seed
        self._chance = Random(seed)
        self._maker = FrameMaker(self._chance)
        self._known = Known()
        self._seated: list[tuple[str, str]] = []  # tokens of users, and the table at which each has a seat
        self.seen: Counter[str] = Counter()
        self.frames = 0

    async def run(self, seconds: float) -> None:
        """Visit until the time is over."""
        end = monotonic() + seconds

        async def keep_visiting() -> None:
            while monotonic() < end:
                await self._visit()

        async def keep_games_running() -> None:
            while monotonic() < end:
                for game in GAMES.values():
                    await self._start_game(game.name, game.seats.start)
                await asyncio.sleep(min(GAMES_EVERY_S, max(0.0, end - monotonic())))

        await run_all([keep_games_running(), *(keep_visiting() for _ in range(VISITS_AT_ONCE))], seconds + OVERTIME_S)

    async def _start_game(self, game: str, seats: int) -> None:
        """Let new users play a game, so that there are seats with offers; some users of earlier games are forgotten."""
        table = ""
        for seat in range(seats):
            answers, known = Answers(), Known()
            socket = Pretended(answers, known)
            self._node.connections.open(socket, NO_LIMITS)  # type: ignore[arg-type]  # enough of a websocket
            await self._hello(socket, None)
            token = socket.welcome["token"]
            if seat == 0:
                create = {"type": "create", "id": 3, "game": game, "seats": seats, "speed": "untimed"}
                socket.send(msgpack.packb(create))
                await socket.answered()
                (table,) = known.values["table"]
                self._known.values["table"].append(table)
            else:
                socket.send(msgpack.packb({"type": "sit", "id": 3, "table": table}))
                await socket.answered()
            self._seated.append((token, table))
            socket.leave()
        del self._seated[:-USERS]

    async def _visit(self) -> None:
        chance = self._chance
        known = Known()
        known.values = self._known.values
        answers = Answers()
        socket = Pretended(answers, known)
        self._node.connections.open(socket, NO_LIMITS)  # type: ignore[arg-type]  # enough of a websocket
        token, table = None, None
        if self._seated and chance.random() >= NEW_GUESTS:
            token, table = chance.choice(self._seated)
        try:
            if chance.random() < 0.9:
                await self._hello(socket, token)
                if token is not None and not socket.welcome:  # another visit has ended this token
                    self._seated = [one for one in self._seated if one[0] != token]
                    return
                if table is not None:
                    socket.send(msgpack.packb({"type": "open", "id": 2, "table": table}))
                    await socket.answered()
                    await asyncio.sleep(0)  # the update comes after the answer
            for _ in range(chance.randint(1, MAX_FRAMES)):
                self.frames += 1
                socket.send(self._maker.make(known))
                if chance.random() < 0.1:
                    await asyncio.sleep(0)
            await socket.answered()
            socket.send(LAST_PING)  # an answer too many would have come before the answer to this
            await socket.answered()
        except Exception as fault:
            if socket.closed_with != TOKEN_ENDED:
                raise Surprise(f"seed {self._seed}: {fault!r}; frames {answers.describe()}") from fault
            self._seated = [one for one in self._seated if one[0] != token]
        finally:
            socket.leave()
            self.seen += answers.codes

    async def _hello(self, socket: Pretended, token: str | None) -> None:
        hello: dict[str, Any] = {"type": "hello", "id": 1, "v": 1, "patches": self._chance.random() < 0.5}
        if token is not None:
            hello["token"] = token
        socket.send(msgpack.packb(hello))
        await socket.answered()


class _Errors(logging.Handler):
    """Keeps what is logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        trace = logging.Formatter().formatException(record.exc_info) if record.exc_info else ""
        self.texts.append(f"{record.getMessage()} {trace}")


def fuzz_connections(seed: str, seconds: float) -> tuple[int, Counter[str]]:
    """Fuzz the connections of a node with an embedded store of its own; how many frames, and how they were answered."""

    async def run(url: str) -> tuple[int, Counter[str]]:
        errors = _Errors()
        logging.getLogger().addHandler(errors)
        uncaught: list[str] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: uncaught.append(str(context)))
        node = Node(url, "fuzzed")
        await node.start()
        fuzzer = ConnectionFuzzer(node, seed)
        try:
            await fuzzer.run(seconds)
        finally:
            await node.stop()
            logging.getLogger().removeHandler(errors)
        if errors.texts or uncaught:
            raise Surprise(f"seed {seed}: errors were logged: {(errors.texts + uncaught)[:3]}")
        return fuzzer.frames, fuzzer.seen

    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        store = EmbeddedValkey(Path(folder))
        store.start()
        try:
            return uvloop.run(run(store.url))
        finally:
            store.stop()
