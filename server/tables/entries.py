"""What a table's log holds. A log is these values in order, numbered from 1; folding them is the table.

Moves and events stay packed here as the game wrote them: only the game's own types can read them.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from protocol.messages import Speed

By = Literal["seat", "stand_in", "clock"]


class Record(msgspec.Struct, frozen=True, tag=str.lower, tag_field="type", omit_defaults=True, gc=False):
    """An entry. `at` is when, in milliseconds since 1970."""

    at: int


class Opened(Record, frozen=True):
    """Entry 1: a table and everything that is fixed about it. The seed stays secret until the end."""

    game: str
    options: dict[str, Any]
    seats: int
    speed: Speed
    public: bool
    host: str
    code: str
    seed: bytes


class Sat(Record, frozen=True):
    """Somebody has a seat: a person, or a bot (`level` for a house bot, `owner` for another's)."""

    seat: int
    user: str
    name: str
    bot: bool = False
    level: str | None = None
    owner: str | None = None


class Held(Record, frozen=True):
    """A seat is kept for somebody who played in the game before this one."""

    seat: int
    user: str
    name: str


class Left(Record, frozen=True):
    """A seat is free again; `host` is the table's new host, if it was the host's."""

    seat: int
    host: str | None = None


class Started(Record, frozen=True):
    """The game began with these events."""

    events: msgspec.Raw


class Moved(Record, frozen=True):
    """A move and what happened. `key` is the client's own for it, `user` who made it."""

    seat: int
    by: By
    user: str
    key: str
    move: msgspec.Raw
    events: msgspec.Raw
    note: str | None = None
    aside: bool = False


class Relayed(Record, frozen=True):
    """A stand-in plays this seat while its owner is away."""

    seat: int
    user: str
    name: str
    level: str


class Returned(Record, frozen=True):
    """The owner of a seat plays it again."""

    seat: int


class Resumed(Record, frozen=True):
    """The service was away for this long, which does not count on this seat's clock."""

    seat: int
    ms: int


class Rematched(Record, frozen=True):
    """The same seats play again at this table."""

    table: str


class Closed(Record, frozen=True):
    """The table is gone before its game ended."""

    reason: str


Entry = Opened | Sat | Held | Left | Started | Moved | Relayed | Returned | Resumed | Rematched | Closed

write_entry = msgspec.msgpack.Encoder().encode
read_entry = msgspec.msgpack.Decoder(Entry).decode
