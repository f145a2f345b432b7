"""What the messages of the protocol share: the types of their fields, and the base classes."""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal, get_args

import msgspec
from msgspec import Meta

VERSION = 1
MAX_LATE = 100  # how many entries late watchers may be: a node keeps that many past states of a table (P58)
MAX_FRAME_BYTES = 16 * 1024  # in one message from a client (P8)

RequestId = Annotated[int, Meta(ge=0, le=2**53 - 1)]
EntryNumber = Annotated[int, Meta(ge=0, le=2**53 - 1)]
TableId = Annotated[str, Meta(min_length=4, max_length=24, pattern=r"\A[a-z0-9]+\Z")]
Avatar = Annotated[str, Meta(pattern=r"\A[a-z]{0,16}\Z")]
Salt = Annotated[str, Meta(pattern=r"\A(?:[0-9a-f]{2}){8,32}\Z")]
UserId = Annotated[str, Meta(min_length=2, max_length=40, pattern=r"\A[a-z0-9-]+\Z")]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
SeatCount = Annotated[int, Meta(ge=1, le=16)]
Name = Annotated[str, Meta(min_length=1, max_length=24)]
Speed = Literal["relaxed", "normal", "blitz", "untimed"]
Level = Literal["random", "rookie", "master"]  # of a house bot
Scope = Literal["play", "create", "talk"]  # what a bot's token allows
Durability = Literal["process", "disk", "replica"]  # what an acknowledged move survives
ChatRule = Literal["everybody", "seats", "nobody"]  # who may chat at a table

SPEEDS: tuple[Speed, ...] = get_args(Speed)
LEVELS: tuple[Level, ...] = get_args(Level)
DEFAULT_LEVEL: Final[Level] = "rookie"
SCOPES: tuple[Scope, ...] = get_args(Scope)


def _tag(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Message(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag=_tag,
    tag_field="type",
    forbid_unknown_fields=True,
    omit_defaults=True,
    gc=False,
):
    """A map with the name of the message under "type". Fields with their default value are left out."""


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A map inside a message."""


class WatchRule(Part, frozen=True):
    """What watchers of a table see: only what is public, what one seat sees, all hands, or nothing at all (P58).

    `seat` is set only if `see` is "seat". `late` may be set if `see` is "all": by how many entries watchers are late;
    without it they see nothing before the end.
    """

    see: Literal["public", "seat", "all", "nobody"] = "public"
    seat: SeatNumber | None = None
    late: Annotated[int, Meta(ge=1, le=MAX_LATE)] | None = None


PUBLIC_VIEW = WatchRule()


class Plays(Part, frozen=True):
    """The invitations that a bot accepts: to which games (all if it names none), and to how many tables at once."""

    games: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=40)] | None = None
    tables: Annotated[int, Meta(ge=1, le=1000)] = 1
