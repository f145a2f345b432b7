"""What the clients of a run saw and did, table by table. The checker compares it with the log."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Message = dict[str, Any]


@dataclass
class Sent:
    """A move that a client has sent, once or several times, with its idempotency key."""

    user: str
    key: str
    ask: int
    move: Message
    aside: bool = False


@dataclass
class Acknowledged:
    """An answer `ok` to a move: the entry of the move, and whether an earlier copy had already been done."""

    user: str
    key: str
    n: int
    again: bool = False


@dataclass
class Opened:
    """The client opened the table, with the number of the last entry that it had."""

    last: int | None


@dataclass
class Lost:
    """The client lost its connection."""


@dataclass
class Received:
    """A `table` or an `update` came."""

    message: Message


FeedItem = Opened | Lost | Received
StoredLog = list[tuple[bytes, bytes]]  # the ids and the bytes of the entries, as the store has them


@dataclass
class TableHistory:
    """One table: what was sent and acknowledged, what each user was shown, and what the service kept of it.

    `refused` has the keys that were answered with an error after which nothing was done (P16), with its code. `strays`
    are answers that belong to no request. `reads` are the logs as they were read during the run, oldest first. After
    `left_ms` (milliseconds since 1970) everybody was told that the table is over, and went to another one.
    """

    table: str
    game: str
    seats: dict[str, int] = field(default_factory=dict)  # the seat of each user who plays
    sent: dict[tuple[str, str], Sent] = field(default_factory=dict)
    acknowledged: list[Acknowledged] = field(default_factory=list)
    refused: dict[tuple[str, str], str] = field(default_factory=dict)
    strays: list[Message] = field(default_factory=list)
    feeds: dict[str, list[FeedItem]] = field(default_factory=dict)
    reads: list[StoredLog] = field(default_factory=list)
    log: StoredLog = field(default_factory=list)
    replay: str | None = None
    left_ms: int = 0
