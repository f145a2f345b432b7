"""The parts of a run, each in a process of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from multiprocessing.connection import Connection

from bench.attack.fuzz.connections import fuzz_connections, fuzz_sessions
from bench.attack.fuzz.frames import Surprise
from bench.attack.fuzz.sockets import fuzz_sockets

SESSIONS_SHARE = 0.4  # of the time of a process that fuzzes sessions and then connections

Counts = dict[str, tuple[int, Counter[str]]]  # frames and answers, by what was fuzzed


def _sessions_and_connections(seed: str, seconds: float) -> Counts:
    sessions = fuzz_sessions(seed, SESSIONS_SHARE * seconds)
    connections = fuzz_connections(seed, (1 - SESSIONS_SHARE) * seconds)
    return {"sessions": (sessions.total(), sessions), "connections": connections}


def _sockets(seed: str, seconds: float) -> Counts:
    return {"sockets": fuzz_sockets(seed, seconds)}


PARTS: dict[str, Callable[[str, float], Counts]] = {
    "a": _sessions_and_connections,
    "b": _sessions_and_connections,
    "c": _sockets,
}


def run_part(answer: Connection, name: str, seed: str, seconds: float) -> None:
    """Run a part; the answer is what was counted, or the text of what went wrong."""
    try:
        answer.send(PARTS[name](seed, seconds))
    except Surprise as surprise:
        answer.send(str(surprise))
