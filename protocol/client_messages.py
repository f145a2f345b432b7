"""The messages from clients. Each is a request with an id and gets exactly one answer with that id (P15)."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from protocol.base import (
    DEFAULT_LEVEL,
    SCOPES,
    Avatar,
    ChatRule,
    EntryNumber,
    Level,
    Message,
    Name,
    Plays,
    RequestId,
    Salt,
    Scope,
    SeatCount,
    SeatNumber,
    Speed,
    TableId,
    UserId,
    WatchRule,
)


class Hello(Message, frozen=True):
    """The first message of a connection. Without a token the server creates a guest with this name."""

    id: RequestId
    v: int
    token: Annotated[str, Meta(max_length=100)] | None = None
    name: Annotated[str, Meta(max_length=100)] | None = None
    patches: bool = False
    plays: Plays | None = None


class Ping(Message, frozen=True):
    """Does nothing except get an answer."""

    id: RequestId


class Rename(Message, frozen=True):
    """Changes the user's name and, if it is there, the picture, also at the tables where they have a seat (P47)."""

    id: RequestId
    name: Annotated[str, Meta(max_length=100)]
    avatar: Avatar | None = None


class Lobby(Message, frozen=True):
    """Starts or ends the feed of public tables."""

    id: RequestId
    on: bool


class Create(Message, frozen=True):
    """Creates a table and takes a seat. With `bots`, house bots fill the other seats and the game starts."""

    id: RequestId
    game: Annotated[str, Meta(max_length=40)]
    seats: SeatCount
    options: dict[str, Any] = {}
    speed: Speed = "normal"
    public: bool = True
    seat: SeatNumber | None = 0
    bots: Level | None = None
    late: bool | None = None  # whether people may take the seats of house bots in the running game
    salt: Salt | None = None
    watching: WatchRule | None = None  # None is the public view


class PlayOn(Message, frozen=True):
    """Creates a table that plays on from an entry of a finished game, as `create` does from the set-up (P57).

    With `anew`, everything that `seat` did not know at that moment is dealt anew.
    """

    id: RequestId
    table: TableId
    n: EntryNumber
    anew: bool = False
    speed: Speed = "normal"
    public: bool = False
    seat: SeatNumber | None = 0
    bots: Level | None = None
    salt: Salt | None = None


class Remark(Message, frozen=True):
    """Leaves a remark at an entry of a finished game in which the user had a seat; an empty one takes it back (P62)."""

    id: RequestId
    table: TableId
    n: EntryNumber
    text: Annotated[str, Meta(max_length=300)] = ""


class ViewFile(Message, frozen=True):
    """Asks for the playback of a replay file, which is not kept (P63). `packed` is the file: zlib, then base64."""

    id: RequestId
    packed: Annotated[str, Meta(min_length=1, max_length=16_000)]
    view: Annotated[str, Meta(max_length=10)] = "public"


class Open(Message, frozen=True):
    """Starts the feed of a table by its id or code. `last` is the number of the last entry that the client has.

    A watcher who is `named` is listed by name (P60). A player who wants the `crowd` gets what watchers say (P61).
    """

    id: RequestId
    table: TableId | None = None
    code: Annotated[str, Meta(min_length=4, max_length=12)] | None = None
    last: EntryNumber | None = None
    named: bool = False
    crowd: bool = False


class Close(Message, frozen=True):
    """Ends the feed of a table."""

    id: RequestId
    table: TableId


class History(Message, frozen=True):
    """Asks for past entries of a table that is open: the last ones before entry `before`, or the last ones of all."""

    id: RequestId
    table: TableId
    before: EntryNumber | None = None


class Sit(Message, frozen=True):
    """Takes this seat, or without one the seat that is held for the user or the first free one (P19).

    With `name`, the user has that name from then on, as after a rename. `salt` is what this seat adds to the chance of
    the game (P56).
    """

    id: RequestId
    table: TableId
    seat: SeatNumber | None = None
    name: Annotated[str, Meta(max_length=100)] | None = None
    salt: Salt | None = None


class Leave(Message, frozen=True):
    """Gives up the user's seat. In a running game a stand-in plays it until the user comes back (P20)."""

    id: RequestId
    table: TableId


class Back(Message, frozen=True):
    """Takes the user's seat back from its stand-in."""

    id: RequestId
    table: TableId


class Bot(Message, frozen=True):
    """Puts a house bot on a free seat, or without a level removes the bot there. For the host only."""

    id: RequestId
    table: TableId
    seat: SeatNumber
    level: Level | None = DEFAULT_LEVEL


class Start(Message, frozen=True):
    """Starts the game with house bots on the free seats. For the host only."""

    id: RequestId
    table: TableId
    bots: Level = DEFAULT_LEVEL


class Move(Message, frozen=True):
    """A move: the ask that it answers, its idempotency key, and the filled offer."""

    id: RequestId
    table: TableId
    ask: EntryNumber
    key: Annotated[str, Meta(min_length=1, max_length=40)]
    move: msgspec.Raw
    note: Annotated[str, Meta(max_length=200)] | None = None


class Advise(Message, frozen=True):
    """Asks what the house's master would do in this ask. Only in games against house bots alone (P65)."""

    id: RequestId
    table: TableId
    ask: EntryNumber


class Say(Message, frozen=True):
    """Sends a chat text: from a seat to everybody at the table, from a watcher to watchers only."""

    id: RequestId
    table: TableId
    text: Annotated[str, Meta(min_length=1, max_length=300)]


class Rematch(Message, frozen=True):
    """Asks for another game with the same seats; fields that are left out are as in the last game."""

    id: RequestId
    table: TableId
    game: Annotated[str, Meta(max_length=40)] | None = None
    options: dict[str, Any] | None = None
    seats: SeatCount | None = None
    speed: Speed | None = None
    salt: Salt | None = None


class Token(Message, frozen=True):
    """Creates a bot that belongs to the user, and its token."""

    id: RequestId
    name: Annotated[str, Meta(max_length=100)]
    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1)] = SCOPES


class Tokens(Message, frozen=True):
    """Lists the user's bots."""

    id: RequestId


class Revoke(Message, frozen=True):
    """Revokes the token of one of the user's bots at once."""

    id: RequestId
    bot: UserId


class Bots(Message, frozen=True):
    """Lists the bots that are online and accept invitations, for one game or for any."""

    id: RequestId
    game: Annotated[str, Meta(max_length=40)] | None = None


class Invite(Message, frozen=True):
    """Invites an online bot to a free seat, which is then held for it. For the host only."""

    id: RequestId
    table: TableId
    seat: SeatNumber
    bot: UserId


class Decline(Message, frozen=True):
    """Gives back the seat that is held for this bot."""

    id: RequestId
    table: TableId


class Practice(Message, frozen=True):
    """Gives a bot a seat at a table of the practice pool."""

    id: RequestId
    game: Annotated[str, Meta(max_length=40)]
    seats: SeatCount


class Dismiss(Message, frozen=True):
    """Sends a user away from the table and keeps them away (P48). For the host only."""

    id: RequestId
    table: TableId
    user: UserId


class Readmit(Message, frozen=True):
    """Lets a user who was sent away come back. For the host only."""

    id: RequestId
    table: TableId
    user: UserId


class Configure(Message, frozen=True):
    """Changes who may come to the table and who may chat there; what is missing stays as it is. For the host only.

    `watching` is in force once every person who has a seat has agreed to it (P59). `late` is whether people may take
    the seats of house bots in the running game.
    """

    id: RequestId
    table: TableId
    locked: bool | None = None
    chat: ChatRule | None = None
    watching: WatchRule | None = None
    late: bool | None = None


class Consent(Message, frozen=True):
    """Accepts or refuses what the host proposes that watchers see, or else that they see one's own seat (P59)."""

    id: RequestId
    table: TableId
    watching: WatchRule
    agree: bool = True


class Appoint(Message, frozen=True):
    """Makes another player the host. For the host only."""

    id: RequestId
    table: TableId
    user: UserId


class Change(Message, frozen=True):
    """Changes the game, its options, the number of seats or the speed before the start (P55). For the host only."""

    id: RequestId
    table: TableId
    game: Annotated[str, Meta(max_length=40)] | None = None
    options: dict[str, Any] | None = None
    seats: SeatCount | None = None
    speed: Speed | None = None


class Swap(Message, frozen=True):
    """Exchanges two seats before the start (P55). For the host only."""

    id: RequestId
    table: TableId
    seat: SeatNumber
    other: SeatNumber


class CloseTable(Message, frozen=True):
    """Closes the table for everybody. For the host only."""

    id: RequestId
    table: TableId


class Block(Message, frozen=True):
    """Hides another user's chat from this user, and keeps them from tables that this user hosts (P51)."""

    id: RequestId
    user: UserId
    name: Name | None = None


class Unblock(Message, frozen=True):
    """Ends a block."""

    id: RequestId
    user: UserId


class Blocks(Message, frozen=True):
    """Lists the users whom this user blocks."""

    id: RequestId


class Report(Message, frozen=True):
    """Reports a user at a table to the operator, with the last lines of its chat (P52)."""

    id: RequestId
    table: TableId
    user: UserId
    text: Annotated[str, Meta(max_length=300)] = ""


class Rotate(Message, frozen=True):
    """Replaces the token of this guest; connections that use the old one are closed (P53)."""

    id: RequestId


class Kept(Message, frozen=True):
    """Asks for everything that is kept of this guest (P64)."""

    id: RequestId


class Forget(Message, frozen=True):
    """Deletes this guest: the token, the bots and the blocks. All connections of the guest are closed (P53)."""

    id: RequestId
