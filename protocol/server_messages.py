"""The messages from the server, and the parts of which they consist."""

from __future__ import annotations

from typing import Any, Literal

from protocol.base import ChatRule, Durability, Message, Part, RequestId, Speed, WatchRule


class User(Part, frozen=True):
    """A user as others see them. `avatar` names the picture that they have chosen; it is empty without one."""

    id: str
    name: str
    bot: bool = False
    owner: str | None = None
    avatar: str = ""


class AboutGame(Part, frozen=True):
    """What people want to know of a game: its length in minutes, how heavy it is, and how it is played, in sentences.

    `choices` has a title and a sentence for each value of an option, in the order of the values.
    """

    minutes: tuple[int, int]
    weight: str
    how: tuple[str, ...]
    choices: dict[str, tuple[tuple[str, str], ...]] = {}


class GameInfo(Part, frozen=True):
    """A game of the catalogue. The first value of an option is its default."""

    name: str
    title: str
    blurb: str
    seats: tuple[int, int]
    options: dict[str, tuple[Any, ...]]
    about: AboutGame | None = None


class Welcome(Message, frozen=True):
    """The answer to hello. `token` is set only for a new guest, and is never sent again."""

    id: RequestId
    v: int
    user: User
    games: tuple[GameInfo, ...]
    speeds: dict[str, int | None]
    limits: dict[str, int]
    tables: tuple[str, ...]
    now: int
    token: str | None = None
    durability: Durability | None = None
    levels: dict[str, str] = {}


class GameRecord(Part, frozen=True):
    """A bot's record in one game: how many it has finished, and in how many of them it was first."""

    played: int
    first: int


class OnlineBot(Part, frozen=True):
    """A bot that accepts invitations: to these games, and to `free` more tables."""

    user: str
    name: str
    owner: str
    games: tuple[str, ...]
    free: int
    records: dict[str, GameRecord] = {}


class OwnBot(Part, frozen=True):
    """One of the user's bots: when its token was made and last used, in milliseconds since 1970."""

    user: str
    name: str
    scopes: tuple[str, ...]
    made: int
    used: int | None = None


class BlockedUser(Part, frozen=True):
    """A user whom this user blocks, with the name that the request gave."""

    user: str
    name: str | None = None


class SeatOwner(Part, frozen=True):
    """Who has a seat from an entry on, in the answer to history. `user` is missing if only the name changed."""

    seat: int
    name: str
    user: str | None = None


class PastEntry(Part, frozen=True):
    """An entry of a table's log as this viewer may see it, in the answer to history.

    At the entry that started the game `owners` has the owners of all seats, later that of a seat that changed.
    """

    n: int
    seat: int | None = None
    by: Literal["seat", "stand_in", "clock", "house"] = "seat"
    at: int | None = None
    events: tuple[Any, ...] = ()
    owners: tuple[SeatOwner, ...] = ()


class Ok(Message, frozen=True):
    """The request was done. `n` is the table's entry, `again` says that an earlier copy of the request had done it.

    `token` and `user` are the answer to token, `token` alone to rotate, `own` to tokens, `bots` to bots, `blocked` to
    blocks. `entries` and `first` are the answer to history, `playback` to view_file, `kept` to kept.
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
    blocked: tuple[BlockedUser, ...] | None = None
    first: int | None = None
    entries: tuple[PastEntry, ...] | None = None
    playback: str | None = None
    kept: dict[str, Any] | None = None


class Advice(Message, frozen=True):
    """The answer to advise: the move that the house's master would make, and the entry that records it (P65)."""

    id: RequestId
    table: str
    n: int
    move: Any


class Error(Message, frozen=True):
    """The request was refused and changed nothing (P16). `id` is null if it could not be decoded."""

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
    """Who has a seat. `stand_in` is the name of the bot that plays it while its owner is away.

    `bot` says whether a held seat is held for a bot; `kind` says it of other seats. `advised` is how often
    its owner has asked the master (P65).
    """

    kind: Literal["free", "person", "bot", "held"]
    user: str | None = None
    name: str | None = None
    level: str | None = None
    owner: str | None = None
    here: bool = False
    stand_in: str | None = None
    bot: bool = False
    salt: str | None = None
    avatar: str = ""
    advised: int = 0


class DismissedUser(Part, frozen=True):
    """A user whom the host has sent away; `name` is the name of their seat, if they had one."""

    user: str
    name: str | None = None


class Result(Part, frozen=True):
    """How a game ended."""

    places: tuple[int, ...]
    rule: str
    points: tuple[int, ...] | None = None


class Score(Part, frozen=True):
    """How many games of an evening a user has won."""

    user: str
    name: str
    wins: int


class Evening(Part, frozen=True):
    """The score over a chain of rematches; `rounds` is how many of its games have ended."""

    rounds: int
    scores: tuple[Score, ...]


class Source(Part, frozen=True):
    """The moment of a finished game from which a table plays on.

    With `seat`, everything that this seat did not know is dealt anew.
    """

    table: str
    n: int
    seat: int | None = None


class Proposal(Part, frozen=True):
    """What the host wants watchers to see, and the users who have agreed to it."""

    watching: WatchRule
    agreed: tuple[str, ...]


class Table(Message, frozen=True):
    """A table and who sits at it. Sent when its feed starts and whenever one of these fields changes."""

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
    rematch_game: str | None = None
    locked: bool = False
    chat: ChatRule = "everybody"
    dismissed: tuple[DismissedUser, ...] = ()
    closed: str | None = None
    late: bool = False
    evening: Evening | None = None
    source: Source | None = None
    watching: WatchRule | None = None  # None is the public view
    shown: int | None = None
    proposed: Proposal | None = None
    named: tuple[str, ...] = ()


class Ask(Part, frozen=True):
    """What this seat may do now. `n` stays the same as long as the offers do.

    Asides have the same form: what a seat may say in the game's own terms, even when it is not its turn. `wait_ms` is
    how long the seat may not yet move, because a race has not started. `shown_ms` is how long pages still play out what
    has led to the ask.
    """

    n: int
    offers: tuple[Any, ...]
    left_ms: int | None = None
    wait_ms: int = 0
    shown_ms: int = 0


class SeatView(Part, frozen=True):
    """The view of one seat, for watchers who see all of them: whole, or what changed since the previous entry."""

    view: Any = None
    patch: Any = None


class Update(Message, frozen=True):
    """Entry `n` of a table as this viewer may see it, and the state of the table after it.

    `view` is whole; `patch` has only what changed in it since the previous entry. `views` are those of all seats, for
    watchers who may see them.
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
    views: tuple[SeatView, ...] = ()


class LobbyTable(Part, frozen=True):
    """A table as the lobby lists it."""

    table: str
    game: str
    speed: Speed
    status: Literal["open", "running"]
    seats: tuple[SeatInfo, ...]
    options: dict[str, Any] = {}
    watchers: int = 0
    late: bool = False
    host: str | None = None
    watching: WatchRule | None = None  # None is the public view


class Tables(Message, frozen=True):
    """Public tables that are new or changed, and the ids of those that are gone. `whole` replaces the list."""

    tables: tuple[LobbyTable, ...] = ()
    gone: tuple[str, ...] = ()
    whole: bool = False


class Chat(Message, frozen=True):
    """A chat text at a table. `seat` is null for a watcher; `user` is who said it, under whatever name."""

    table: str
    name: str
    text: str
    at: int
    seat: int | None = None
    user: str | None = None


class Seated(Message, frozen=True):
    """Another user gave this bot a seat, or the clock just played its seat: open the table and play (P38)."""

    table: str
    seat: int
    game: str


class Invited(Message, frozen=True):
    """A host invites this bot to a seat: answer with sit or decline."""

    table: str
    seat: int
    game: str
    by: str


class Dismissed(Message, frozen=True):
    """The feed of the table has ended because this user may no longer see it; `reason` is the error code of `open`."""

    table: str
    reason: Literal["dismissed", "table_locked", "no_watchers"]


class Bye(Message, frozen=True):
    """The server is about to close the connection. Connect again after `retry_ms`."""

    reason: str
    retry_ms: int
