"""Fuzzing over real sockets: messages in any number of fragments and segments, and bytes that are no messages."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import msgpack
import uvloop

from bench.attack.fuzz.checks import LAST_PING, OVERTIME_S, Answers, run_all
from bench.attack.fuzz.frames import FrameMaker, Known, Surprise
from bench.attack.wire import BINARY, CONTINUATION, PING, PONG, Tally, Target, Wire, frame
from protocol.session import MAX_FAULTS
from tests.service import Service

VISITS_AT_ONCE = 24
ANSWER_TIMEOUT_S = 20.0
MAX_FRAMES = MAX_FAULTS - 2
HOSTILE = 0.1  # visits that break the websocket protocol, or HTTP
CLOSE_CODES = {
    "0",  # none: the answer to a close frame that has none
    "1000",
    "1002",
    "1003",
    "1007",
    "1009",
    "4001",
    "4002",
}  # documented
CLOSE = 0x88  # the first byte of a close frame
LATE = {"not connected", "no handshake", "reset", "HTTP 408"}  # of a connection that was not made in time
SOURCES = 200  # addresses, so that no limit of one address is reached


class SocketFuzzer:
    """Clients who visit a service over websockets, many at once, each with a few frames."""

    def __init__(self, port: int, seed: str) -> None:
        self._port = port
        self._seed = seed
        self._chance = Random(seed)
        self._maker = FrameMaker(self._chance)
        self._values = Known().values
        self.seen: Counter[str] = Counter()
        self.frames = 0

    async def run(self, seconds: float) -> None:
        """Visit until the time is over."""
        end = monotonic() + seconds

        async def keep_visiting() -> None:
            while monotonic() < end:
                if self._chance.random() < HOSTILE:
                    await self._hostile_visit()
                else:
                    await self._visit()

        await run_all([keep_visiting() for _ in range(VISITS_AT_ONCE)], seconds + OVERTIME_S)

    def _target(self) -> Target:
        number = self._chance.randrange(SOURCES)
        return Target("127.0.0.1", self._port, f"127.0.70.{number + 1}", 1, 0.0, Tally())

    async def _visit(self) -> None:
        known, answers = Known(), Answers()
        known.values = self._values
        visit = _Visit(await self._open(), answers, known)
        try:
            if self._chance.random() < 0.9:
                await visit.send(msgpack.packb({"type": "hello", "id": 1, "v": 1}), self._chance)
                await visit.answered()
            for _ in range(self._chance.randint(1, MAX_FRAMES)):
                self.frames += 1
                await visit.send(self._maker.make(known), self._chance)
            await visit.answered()
            await visit.send(LAST_PING, self._chance)
            await visit.answered()
        except Exception as fault:
            raise Surprise(f"seed {self._seed}: {fault!r}; frames {answers.describe()}") from fault
        finally:
            visit.wire.abort()
            self.seen += answers.codes

    async def _open(self) -> Wire:
        return (await self._connected(Wire.open))[0]

    async def _connected(self, connect: Callable[[Target], Awaitable[Wire | None]]) -> tuple[Wire, Tally]:
        """Connect, again and again if it takes too long: on a busy machine nobody has refused anything by then."""
        end = monotonic() + OVERTIME_S
        while monotonic() < end:
            on = self._target()
            wire = await connect(on)
            if wire is not None:
                return wire, on.tally
            if set(on.tally.closed) - LATE:
                raise Surprise(f"seed {self._seed}: a connection was refused: {dict(on.tally.closed)}")
        raise Surprise(f"seed {self._seed}: no connection could be made for {OVERTIME_S:.0f} s")

    async def _hostile_visit(self) -> None:
        """Send bytes that follow no protocol, or nearly; the service may close the connection with a known code."""
        chance = self._chance
        wire, tally = await self._connected(Wire.open if chance.random() < 0.7 else Wire.connect)
        sent = b""
        for _ in range(chance.randint(1, 5)):
            self.frames += 1
            sent += self._hostile_bytes()
            wire.write(sent[-4000:])
        await asyncio.wait((wire.lost,), timeout=0.05)
        wire.abort()
        strange = set(tally.closed) - CLOSE_CODES - sent_codes(sent) - {"reset"}
        if any(not code.startswith("HTTP 4") for code in strange):
            raise Surprise(f"seed {self._seed}: closed with {strange} after {sent.hex()}")

    def _hostile_bytes(self) -> bytes:
        chance = self._chance
        match chance.randrange(5):
            case 0:
                return chance.randbytes(chance.randrange(200))
            case 1:
                return frame(chance.randrange(16), chance.randbytes(chance.randrange(140)), chance.random() < 0.7)
            case 2:
                return bytes((chance.randrange(256), chance.randrange(256))) + chance.randbytes(20)
            case 3:
                return b"GET /%b HTTP/1.1\r\n%b: %b\r\n\r\n" % tuple(chance.randbytes(5) for _ in range(3))
            case _:
                return frame(BINARY, self._maker.make(Known()))[: chance.randrange(100)]


class _Visit:
    """One well-behaved websocket: whatever it sends in whichever pieces, it gets one answer to each message."""

    def __init__(self, wire: Wire, answers: Answers, known: Known) -> None:
        self.wire = wire
        self._answers = answers
        self._known = known
        self._changed = asyncio.Event()
        self._surprise: Surprise | None = None
        wire.on_payload = self._receive

    def _receive(self, payload: bytes) -> None:
        try:
            self._known.learn(self._answers.receive(payload))
        except Surprise as surprise:
            self._surprise = surprise
        self._changed.set()

    async def send(self, message: bytes, chance: Random) -> None:
        """Send a message in one or more fragments, with pings and pongs between them, and in one or more segments."""
        self._answers.expect(message)
        data = frame(BINARY, message)
        if chance.random() < 0.2:
            cuts = sorted(chance.randrange(len(message) + 1) for _ in range(chance.randint(1, 4)))
            parts = [message[a:b] for a, b in zip([0, *cuts], [*cuts, len(message)], strict=True)]
            last = len(parts) - 1
            data = b""
            for number, part in enumerate(parts):
                data += frame(CONTINUATION if number else BINARY, part, number == last)
                if number < last and chance.random() < 0.3:
                    data += frame(chance.choice((PING, PONG)), b"between")
        if chance.random() < 0.1:
            at = chance.randrange(len(data))
            self.wire.write(data[:at])
            await asyncio.sleep(0.001)
            data = data[at:]
        self.wire.write(data)

    async def answered(self) -> None:
        """Wait until everything is answered."""
        lost: Any = self.wire.lost
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                while not self._answers.complete and self._surprise is None and not lost.done():
                    self._changed.clear()
                    changed = asyncio.ensure_future(self._changed.wait())
                    await asyncio.wait((lost, changed), return_when=asyncio.FIRST_COMPLETED)
                    changed.cancel()
        except TimeoutError:
            pass
        if self._surprise is not None:
            raise self._surprise
        self._answers.check()


def sent_codes(sent: bytes) -> set[str]:
    """The codes of everything in these bytes that may be a close frame: the service answers one with the same code."""
    codes = set()
    for at in range(len(sent) - 7):
        if sent[at] == CLOSE and sent[at + 1] & 0x80 and sent[at + 1] & 0x7F >= 2:
            mask, code = sent[at + 2 : at + 4], sent[at + 6 : at + 8]
            codes.add(str((code[0] ^ mask[0]) << 8 | code[1] ^ mask[1]))
    return codes


def fuzz_sockets(seed: str, seconds: float) -> tuple[int, Counter[str]]:
    """Fuzz a service of two nodes over websockets; how many frames, and how they were answered."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        log = Path(folder) / "service.log"
        service = Service(Path(folder), errors=log)
        try:
            fuzzer = SocketFuzzer(int(service.url.rpartition(":")[2].partition("/")[0]), seed)
            uvloop.run(fuzzer.run(seconds))
        finally:
            service.stop()
        errors = [line for line in log.read_text().splitlines() if _is_error(line)]
        if errors:
            raise Surprise(f"seed {seed}: errors were logged: {errors[:3]}")
        return fuzzer.frames, fuzzer.seen


def _is_error(line: str) -> bool:
    """Whether a line of the log is an error, or none of our lines."""
    try:
        return json.loads(line)["level"] in ("error", "critical")
    except (ValueError, KeyError, TypeError):
        return True
