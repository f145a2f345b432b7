"""The entries of a table's log, numbered from 1. Folding them gives the table (server/tables/state/table.py).

Moves and events stay encoded here as the game wrote them: only the game's own types can decode them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from protocol.messages import ChatRule, SeatCount, SeatNumber, Speed, WatchRule

By = Literal["seat", "stand_in", "clock"]
NO_POSITION = msgspec.Raw()  # of a game that starts with its set-up


class EntryBase(msgspec.Struct, frozen=True, tag=str.lower, tag_field="type", omit_defaults=True, gc=False):
    """What all entries have: `at` is their time in milliseconds since 1970."""

    at: int


class Score(msgspec.Struct, frozen=True, array_like=True):
    """How many games of an evening a user has won."""

    user: str
    name: str
    wins: int


class Evening(msgspec.Struct, frozen=True):
    """The games that the same people have played before, one rematch after the other, and their score."""

    rounds: int
    scores: tuple[Score, ...]


class Source(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a game begins that plays on from a finished one: at `position`, the state after entry `n` of that `table`.

    If `seat` is given, everything that this seat did not know there is dealt anew when the game starts.
    """

    table: str
    n: int
    position: msgspec.Raw
    seat: SeatNumber | None = None


class Opened(EntryBase, frozen=True):
    """Entry 1: the table and what was chosen for it. The seed is secret until the game has ended.

    `origin` stands for the network address of the host and is shown to nobody; empty if it is not known. `late` is
    whether people may take the seats of house bots in the running game. `evening` is the score before a rematch.
    `source` is the position from which the game begins, if it does not begin with the set-up.
    `watching` is what watchers see; None is the public view.
    """

    game: str
    options: dict[str, Any]
    seats: SeatCount
    speed: Speed
    public: bool
    host: str
    code: str
    seed: bytes
    origin: str = ""
    rules: int = 1
    late: bool = False
    evening: Evening | None = None
    source: Source | None = None
    watching: WatchRule | None = None


class Sat(EntryBase, frozen=True):
    """A user took a seat: a person, a house bot (`level`) or a person's bot (`owner`).

    `salt` is what the seat adds to the chance of the game, in hex. `avatar` names the picture that a person has chosen.
    """

    seat: SeatNumber
    user: str
    name: str
    bot: bool = False
    level: str | None = None
    owner: str | None = None
    salt: str | None = None
    avatar: str = ""


class Held(EntryBase, frozen=True):
    """A seat is held for an invited bot, or for a user who played in the game before a rematch.

    `by` is the name of the host who invited the bot, or of the player who asked for the rematch.
    """

    seat: SeatNumber
    user: str
    name: str
    bot: bool = False
    owner: str | None = None
    by: str = ""


class Left(EntryBase, frozen=True):
    """A seat became free; `host` is the new host, if the host left."""

    seat: SeatNumber
    host: str | None = None


class Renamed(EntryBase, frozen=True):
    """The owner of a seat changed their name or, if `avatar` is not None, their picture."""

    seat: SeatNumber
    name: str
    avatar: str | None = None


class Started(EntryBase, frozen=True):
    """The game started with these events. `salts` has the salt of each seat; it is empty if no seat has added one.

    A game that plays on from a finished one has no events here, but the `position` from which it starts.
    """

    events: msgspec.Raw
    salts: tuple[str | None, ...] = ()
    position: msgspec.Raw = NO_POSITION


class Moved(EntryBase, frozen=True):
    """A move and the events that followed. `key` is the client's idempotency key, `user` made the move."""

    seat: SeatNumber
    by: By
    user: str
    key: str
    move: msgspec.Raw
    events: msgspec.Raw
    note: str | None = None
    aside: bool = False


class Relayed(EntryBase, frozen=True):
    """A house bot stands in for the owner of this seat."""

    seat: SeatNumber
    user: str
    name: str
    level: str


class Returned(EntryBase, frozen=True):
    """The owner of a seat took it back from the stand-in."""

    seat: SeatNumber


class Resumed(EntryBase, frozen=True):
    """A fault of the service of this length does not count on this seat's clock."""

    seat: SeatNumber
    ms: int


class Advised(EntryBase, frozen=True):
    """The owner of this seat was told what the house's master would do."""

    seat: SeatNumber


class Rematched(EntryBase, frozen=True):
    """The same seats play a rematch at that table; `game` is its game if it is another one."""

    table: str
    game: str | None = None


class Dismissed(EntryBase, frozen=True):
    """The host sent this user away. If they had a seat, it is free now; `name` is the name that it had."""

    user: str
    name: str | None = None


class Readmitted(EntryBase, frozen=True):
    """A user who was sent away may come back."""

    user: str


class Configured(EntryBase, frozen=True):
    """The host decided who may come to the table and who may chat there.

    `late` is whether people may take the seats of house bots in the running game from now on; None leaves it as it is.
    """

    locked: bool
    chat: ChatRule
    late: bool | None = None


class Proposed(EntryBase, frozen=True):
    """The host proposed what watchers shall see. It is in force once every person who has a seat has agreed."""

    watching: WatchRule


class Consented(EntryBase, frozen=True):
    """A user agreed to what the host proposed, or refused it; without a proposal, to showing their own seat."""

    user: str
    agree: bool = True


class Appointed(EntryBase, frozen=True):
    """Another player is the host: the host chose them, or was away for too long."""

    host: str


class Changed(EntryBase, frozen=True):
    """The host chose another game, other options, another number of seats or another speed before the start.

    `rules` is the version of the rules, as in Opened.
    """

    game: str
    options: dict[str, Any]
    seats: SeatCount
    speed: Speed
    rules: int = 1


class Swapped(EntryBase, frozen=True):
    """The host exchanged two seats before the start."""

    seat: SeatNumber
    other: SeatNumber


class Closed(EntryBase, frozen=True):
    """The table was closed before its game ended."""

    reason: str


HostEntry = Dismissed | Readmitted | Configured | Proposed | Appointed | Changed | Swapped
GameEntry = Started | Moved | Relayed | Returned | Resumed | Rematched | Closed | Consented | Advised
SeatEntry = Sat | Held | Left | Renamed | Relayed | Returned | Advised
Entry = Opened | Sat | Held | Left | Renamed | GameEntry | HostEntry

encode_entry = msgspec.msgpack.Encoder().encode
decode_entry = msgspec.msgpack.Decoder(Entry).decode


def decode_entries(log: Iterable[tuple[int, bytes]]) -> list[tuple[int, Entry]]:
    """Decode the numbered entries of a log."""
    return [(n, decode_entry(payload)) for n, payload in log]
