"""Every message of the wire, in two closed unions named by who speaks. docs/protocol.md is the contract."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

VERSION = 1
MOST_BYTES = 16 * 1024  # of one frame from a client

RequestId = Annotated[int, Meta(ge=0, le=2**53 - 1)]
EntryNumber = Annotated[int, Meta(ge=0, le=2**53 - 1)]
TableId = Annotated[str, Meta(min_length=4, max_length=24, pattern=r"\A[a-z0-9]+\Z")]
UserId = Annotated[str, Meta(min_length=2, max_length=40, pattern="^[a-z0-9-]+$")]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
Name = Annotated[str, Meta(min_length=1, max_length=24)]
Speed = Literal["relaxed", "normal", "blitz", "untimed"]
Level = Literal["random", "rookie", "master"]


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
    """A map with its name under "type". Fields that have their default value are left out."""


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A map inside a message."""


# What clients say. Every one has an id, and gets exactly one answer with that id.


class Plays(Part, frozen=True):
    """Says that a bot takes invitations: to which games, and to how many tables at once."""

    games: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=40)]
    tables: Annotated[int, Meta(ge=0, le=1000)] = 1


class Hello(Message, frozen=True):
    """The first message of a connection. Without a token it makes a new guest of this name."""

    id: RequestId
    v: int
    token: Annotated[str, Meta(max_length=100)] | None = None
    name: Annotated[str, Meta(max_length=100)] | None = None
    patches: bool = False
    plays: Plays | None = None


class Ping(Message, frozen=True):
    """Asks for an answer and nothing else."""

    id: RequestId


class Rename(Message, frozen=True):
    """Changes the name that others see from the next table on."""

    id: RequestId
    name: Annotated[str, Meta(max_length=100)]


class Lobby(Message, frozen=True):
    """Starts or ends the feed of tables."""

    id: RequestId
    on: bool


class Create(Message, frozen=True):
    """Opens a table and sits down at it. With `bots` the other seats are filled and the game starts."""

    id: RequestId
    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[int, Meta(ge=1, le=16)]
    options: dict[str, Any] = {}
    speed: Speed = "normal"
    public: bool = True
    seat: SeatNumber | None = 0
    bots: Level | None = None


class Open(Message, frozen=True):
    """Starts the feed of a table, by its id or its code; `last` is the last entry that the client has."""

    id: RequestId
    table: TableId | None = None
    code: Annotated[str, Meta(min_length=4, max_length=12)] | None = None
    last: EntryNumber | None = None


class Close(Message, frozen=True):
    """Ends the feed of a table."""

    id: RequestId
    table: TableId


class Sit(Message, frozen=True):
    """Takes this seat, or the first free one."""

    id: RequestId
    table: TableId
    seat: SeatNumber | None = None


class Leave(Message, frozen=True):
    """Gives up one's seat; in a running game a stand-in has it until one comes back."""

    id: RequestId
    table: TableId


class Back(Message, frozen=True):
    """Takes one's seat back from its stand-in."""

    id: RequestId
    table: TableId


class Bot(Message, frozen=True):
    """The host puts a house bot on a free seat, or with no level takes one away."""

    id: RequestId
    table: TableId
    seat: SeatNumber
    level: Level | None = "rookie"


class Start(Message, frozen=True):
    """The host starts the game, with house bots on the seats that are free."""

    id: RequestId
    table: TableId
    bots: Level = "rookie"


class Move(Message, frozen=True):
    """A move: the ask that it answers, the client's own key for it, and the filled offer."""

    id: RequestId
    table: TableId
    ask: EntryNumber
    key: Annotated[str, Meta(min_length=1, max_length=40)]
    move: msgspec.Raw
    note: Annotated[str, Meta(max_length=200)] | None = None


class Say(Message, frozen=True):
    """Chat: seats talk to everybody at the table, watchers to watchers."""

    id: RequestId
    table: TableId
    text: Annotated[str, Meta(min_length=1, max_length=300)]


class Rematch(Message, frozen=True):
    """Asks for another game with the same seats."""

    id: RequestId
    table: TableId


Scope = Literal["play", "create", "talk"]


class Token(Message, frozen=True):
    """Makes a bot of one's own and its token."""

    id: RequestId
    name: Annotated[str, Meta(max_length=100)]
    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1)] = ("play", "create", "talk")


class Tokens(Message, frozen=True):
    """Lists one's own bots."""

    id: RequestId


class Revoke(Message, frozen=True):
    """Takes the token of an own bot back, at once."""

    id: RequestId
    bot: UserId


class Bots(Message, frozen=True):
    """Asks which bots are online and take invitations, to one game or to any."""

    id: RequestId
    game: Annotated[str, Meta(max_length=40)] | None = None


class Invite(Message, frozen=True):
    """The host asks a bot that is online to take a free seat, which is held for it."""

    id: RequestId
    table: TableId
    seat: SeatNumber
    bot: UserId


class Decline(Message, frozen=True):
    """A bot does not take the seat that is held for it."""

    id: RequestId
    table: TableId


class Practice(Message, frozen=True):
    """A bot wants a game against whichever bots want one too."""

    id: RequestId
    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[int, Meta(ge=1, le=16)]


ClientMessage = (
    Hello
    | Ping
    | Rename
    | Lobby
    | Create
    | Open
    | Close
    | Sit
    | Leave
    | Back
    | Bot
    | Start
    | Move
    | Say
    | Rematch
    | Token
    | Tokens
    | Revoke
    | Bots
    | Invite
    | Decline
    | Practice
)


# What the server says.


class User(Part, frozen=True):
    """Somebody, as others may know them."""

    id: str
    name: str
    bot: bool = False
    owner: str | None = None


class GameInfo(Part, frozen=True):
    """A game of the catalogue; the first choice of an option is its default."""

    name: str
    title: str
    blurb: str
    seats: tuple[int, int]
    options: dict[str, tuple[Any, ...]]


class Welcome(Message, frozen=True):
    """The answer to hello. `token` is there for a new guest only: keep it, it is never shown again."""

    id: RequestId
    v: int
    user: User
    games: tuple[GameInfo, ...]
    speeds: dict[str, int | None]
    limits: dict[str, int]
    tables: tuple[str, ...]
    now: int
    token: str | None = None


class Record(Part, frozen=True):
    """How a bot has done in a game so far."""

    played: int
    first: int


class OnlineBot(Part, frozen=True):
    """A bot that takes invitations: to these games, and to so many tables more."""

    user: str
    name: str
    owner: str
    games: tuple[str, ...]
    free: int
    records: dict[str, Record] = {}


class OwnBot(Part, frozen=True):
    """A bot of one's own: when its token was made and last used, in milliseconds since 1970."""

    user: str
    name: str
    scopes: tuple[str, ...]
    made: int
    used: int | None = None


class Ok(Message, frozen=True):
    """The request was done: at entry `n` of the table, `again` if an earlier sending did it.

    `token` and `user` answer token, `own` tokens, `bots` bots.
    """

    id: RequestId
    table: str | None = None
    code: str | None = None
    n: int | None = None
    again: bool = False
    token: str | None = None
    user: str | None = None
    own: tuple[OwnBot, ...] | None = None
    bots: tuple[OnlineBot, ...] | None = None


class Error(Message, frozen=True):
    """The request was refused and changed nothing. `id` is null when it could not be read."""

    id: RequestId | None
    code: str
    message: str
    field: str | None = None
    rule: str | None = None
    ask: int | None = None
    sent: str | None = None
    left_ms: int | None = None
    retry_after_ms: int | None = None


class SeatInfo(Part, frozen=True):
    """Who has a seat. `stand_in` names the bot that plays while its owner is away."""

    kind: Literal["free", "person", "bot", "held"]
    user: str | None = None
    name: str | None = None
    level: str | None = None
    owner: str | None = None
    here: bool = False
    stand_in: str | None = None


class Result(Part, frozen=True):
    """How a game ended."""

    places: tuple[int, ...]
    rule: str
    points: tuple[int, ...] | None = None


class Table(Message, frozen=True):
    """A table and who sits at it: sent when its feed starts and whenever something of it changes."""

    table: str
    code: str
    game: str
    options: dict[str, Any]
    speed: Speed
    public: bool
    status: Literal["open", "running", "ended", "closed"]
    host: str
    seats: tuple[SeatInfo, ...]
    commitment: str
    watchers: int = 0
    you: int | None = None
    result: Result | None = None
    seed: str | None = None
    rematch: str | None = None


class Ask(Part, frozen=True):
    """What this seat may do now. `n` stays the same while the offers do.

    Asides have the same form: what a seat may say in the game's own terms, whoever's turn it is.
    """

    n: int
    offers: tuple[Any, ...]
    left_ms: int | None = None


class Update(Message, frozen=True):
    """Entry `n` of a table as this viewer may see it, and with the last of them what is so now.

    `view` is whole, `patch` says what changed in it since the entry before.
    """

    table: str
    n: int
    seat: int | None = None
    by: Literal["seat", "stand_in", "clock", "house"] = "seat"
    at: int | None = None
    events: tuple[Any, ...] = ()
    view: Any = None
    patch: Any = None
    ask: Ask | None = None
    asides: Ask | None = None
    acting: tuple[tuple[int, int | None], ...] = ()


class LobbyTable(Part, frozen=True):
    """A table as the lobby lists it."""

    table: str
    game: str
    speed: Speed
    status: Literal["open", "running"]
    seats: tuple[SeatInfo, ...]
    options: dict[str, Any] = {}
    watchers: int = 0


class Tables(Message, frozen=True):
    """Public tables that are new or changed, and those that are gone; `whole` replaces all."""

    tables: tuple[LobbyTable, ...] = ()
    gone: tuple[str, ...] = ()
    whole: bool = False


class Chat(Message, frozen=True):
    """Something said at a table; `seat` is null for a watcher."""

    table: str
    name: str
    text: str
    at: int
    seat: int | None = None


class Seated(Message, frozen=True):
    """This user now has a seat at this table, by somebody else's doing: open it and play."""

    table: str
    seat: int
    game: str


class Invited(Message, frozen=True):
    """A host asks this bot to take a seat: sit there, or decline."""

    table: str
    seat: int
    game: str
    by: str


class Bye(Message, frozen=True):
    """The connection is about to be closed by the server; come back after this time."""

    reason: str
    retry_ms: int


ServerMessage = Welcome | Ok | Error | Table | Update | Tables | Chat | Seated | Invited | Bye
