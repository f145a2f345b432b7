"""What is checked of every answer while fuzzing: one for each frame, with its id, and with a documented code."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import msgspec

from bench.attack.fuzz.frames import LAST_ID, Surprise, expected_id

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "protocol.md"
ANSWERS = {"ok", "error", "welcome"}
OVERTIME_S = 60.0  # after which a client that should have ended is stuck
CANCEL_S = 5.0  # until a client that is told to stop has stopped
MAX_ERROR_BYTES = 3_000  # an error quotes at most a few hundred characters of what was sent

decode = msgspec.msgpack.Decoder().decode


def documented_codes() -> frozenset[str]:
    """The error codes that docs/protocol.md lists, without `internal`."""
    section = DOCUMENT.read_text(encoding="utf-8").partition("## Error codes")[2].partition("\n## ")[0]
    return frozenset(re.findall(r"^\| `([a-z_]+)` \|", section, re.MULTILINE)) - {"internal"}


CODES = documented_codes()


class Answers:
    """The answers that one connection has got, and those that it must get."""

    def __init__(self) -> None:
        self._wanted: Counter[int | None] = Counter()
        self._got: Counter[int | None] = Counter()
        self._frames: list[bytes] = []
        self.codes: Counter[str] = Counter()
        self.messages: list[dict[str, Any]] = []  # everything else that came

    def expect(self, frame: bytes) -> None:
        """One answer must come to this frame."""
        self._frames.append(frame)
        self._wanted[expected_id(frame)] += 1

    @property
    def complete(self) -> bool:
        """Whether as many answers have come as must."""
        return self._got.total() >= self._wanted.total()

    def receive(self, payload: bytes) -> dict[str, Any]:
        """Count a message of the server, and check what can be checked at once."""
        message: dict[str, Any] = decode(payload)
        if message["type"] not in ANSWERS:
            return message
        self._got[message["id"]] += 1
        code = message["code"] if message["type"] == "error" else "ok"
        self.codes[code] += 1
        if code != "ok" and code not in CODES:
            raise Surprise(f"the code {code!r} is not one of the protocol's: {message}")
        if code != "ok" and len(payload) > MAX_ERROR_BYTES:
            raise Surprise(f"an error of {len(payload)} bytes: {str(message)[:300]}")
        return message

    def check(self) -> None:
        """Every frame must have had exactly one answer."""
        if self._got != self._wanted:
            missing, surplus = self._wanted - self._got, self._got - self._wanted
            raise Surprise(f"answers missing: {dict(missing)}, too many: {dict(surplus)}")

    def describe(self) -> str:
        """The frames that were sent, in hex, to send them again."""
        return " ".join(frame.hex() or "-" for frame in self._frames)


LAST_PING = msgspec.msgpack.encode({"type": "ping", "id": LAST_ID})


async def run_all(work: list[Coroutine[Any, Any, None]], within_s: float) -> None:
    """Run coroutines until all have ended. Raise Surprise if one fails, or if one has not ended in time."""
    tasks = [asyncio.create_task(one) for one in work]
    done, pending = await asyncio.wait(tasks, timeout=within_s, return_when=asyncio.FIRST_EXCEPTION)
    failed = [str(task.exception() or "") for task in done if task.exception() is not None]
    where = Counter(str(task.get_stack(limit=1)) for task in pending)
    for task in pending:
        task.cancel()
    await asyncio.wait(tasks, timeout=CANCEL_S)
    if failed:
        raise Surprise("; ".join(failed[:3]))
    if pending:
        raise Surprise(f"{len(pending)} clients still wait after {within_s:.0f} s: {where}")
