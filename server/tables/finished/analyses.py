"""Analyses of finished games, as the store has them: what was asked for, how far it is, and the result.

The analyst (server/process/analyst.py) takes one job at a time from a queue. Results are kept beside the replay.
"""

from __future__ import annotations

import zlib
from typing import Any, Literal, NamedTuple

import msgspec

from server.store import keys
from server.store.store import Store
from server.tables.finished.archive import KEPT_S
from server.tables.rooms.service_clock import wall_clock_ms

Kind = Literal["whole", "decision", "playouts"]
MAX_QUEUED = 20  # jobs of all games; further ones are refused
MAX_KEPT = 100  # analyses of one game; further ones are refused
QUEUED_MS = 600_000  # a job that waits longer is lost, and may be asked for again
SILENT_MS = 30_000  # a running job whose analyst reports no progress for so long is lost too


class Analysis(msgspec.Struct, frozen=True, omit_defaults=True):
    """One analysis: `progress` is between 0 and 1, `at` the time of the last report in milliseconds since 1970.

    Its state is `none` if nobody has asked for it.
    """

    state: Literal["none", "queued", "running", "done", "failed"]
    at: int
    progress: float = 0.0
    fault: str | None = None
    result: msgspec.Raw = msgspec.Raw(b"null")


class Share(NamedTuple):
    """At most `most` jobs of one network address are in the queue. `origin` is its hash; empty for no limit."""

    origin: str
    most: int


NO_LIMIT = Share("", 0)


class Job(msgspec.Struct, frozen=True):
    """A job of the queue; `replay` is the compressed replay file, and `n` an entry or 0."""

    table: str
    kind: Kind
    n: int
    replay: bytes
    origin: str = ""

    @property
    def name(self) -> str:
        """The name of the analysis among those of its game."""
        return analysis_name(self.kind, self.n)


class QueueFull(Exception):  # noqa: N818
    """An analysis is refused because too many wait; the text says which limit was reached."""


def analysis_name(kind: Kind, n: int) -> str:
    """The name of an analysis among those of its game."""
    return kind if kind == "whole" else f"{kind} {n}"


class Analyses:
    """Reads and writes analyses."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def find(self, table: str, kind: Kind, n: int) -> Analysis | None:
        """The analysis as it is now; None if nobody has asked for it."""
        found = await self._store.call("HGET", keys.analyses(table), analysis_name(kind, n))
        return None if found is None else msgspec.json.decode(_unpacked(found), type=Analysis)

    async def ask(self, table: str, kind: Kind, n: int, replay: str, now: int, share: Share = NO_LIMIT) -> Analysis:
        """Ask for an analysis, unless it is there or under way. Raises QueueFull."""
        known = await self.find(table, kind, n)
        if known is not None and not _lost(known, now):
            return known
        if await self._store.call("LLEN", keys.ANALYSIS_QUEUE) >= MAX_QUEUED:
            raise QueueFull("other games are being analysed: try again in some minutes")
        if known is None and await self._store.call("HLEN", keys.analyses(table)) >= MAX_KEPT:
            raise QueueFull("no further analysis is kept of this game")
        await self._take(share)
        job = Job(table, kind, n, zlib.compress(replay.encode()), share.origin)
        queued = Analysis("queued", now)
        await self.report(job, queued)
        await self._store.call("RPUSH", keys.ANALYSIS_QUEUE, msgspec.msgpack.encode(job))
        return queued

    async def next_job(self) -> Job | None:
        """Take the next job from the queue. One that was done meanwhile, or that somebody works on, is skipped."""
        while (found := await self._store.call("LPOP", keys.ANALYSIS_QUEUE)) is not None:
            job = msgspec.msgpack.decode(found, type=Job)
            if job.origin:
                await self._store.call("HINCRBY", keys.ANALYSIS_SHARES, job.origin, -1)
            known = await self.find(job.table, job.kind, job.n)
            under_way = known is not None and known.state == "running" and not _lost(known, wall_clock_ms())
            if known is None or not (under_way or known.state == "done"):
                return job
        return None

    async def _take(self, share: Share) -> None:
        """Count a job of an address until it is taken from the queue. Raises QueueFull."""
        if not share.origin:
            return
        taken = await self._store.call("HINCRBY", keys.ANALYSIS_SHARES, share.origin, 1)
        await self._store.call("EXPIRE", keys.ANALYSIS_SHARES, QUEUED_MS // 1000)
        if taken > share.most:
            await self._store.call("HINCRBY", keys.ANALYSIS_SHARES, share.origin, -1)
            raise QueueFull("other analyses for your network address come first: try again in some minutes")

    async def report(self, job: Job, analysis: Analysis) -> None:
        """Write down how far an analysis is. It is kept for as long as replays are."""
        key = keys.analyses(job.table)
        await self._store.call("HSET", key, job.name, zlib.compress(msgspec.json.encode(analysis)))
        await self._store.call("EXPIRE", key, KEPT_S)


def _lost(analysis: Analysis, now: int) -> bool:
    """Whether nobody works on this analysis any more, so that it may be asked for again."""
    patience_ms = {"queued": QUEUED_MS, "running": SILENT_MS, "failed": 0}.get(analysis.state)
    return patience_ms is not None and now - analysis.at > patience_ms


def _unpacked(kept: bytes) -> bytes:
    """The JSON of an analysis; earlier releases kept it as it is."""
    return kept if kept.startswith(b"{") else zlib.decompress(kept)


def raw(value: Any) -> msgspec.Raw:
    """A result as Analysis has it."""
    return msgspec.Raw(msgspec.json.encode(value))
