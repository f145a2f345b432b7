"""A table: one match, folded from its log. A frozen value: no clock, no store, no chance.

`after` returns the table that follows from an entry. What users may do to a table is in
server/tables/state/decisions.py, and when their time runs out in server/tables/state/deadlines.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any, Literal

import msgspec

from games import GAMES
from games.chance import salted_seed
from games.core import AnyGame, Outcome, fold, no_asides, no_beat, no_limit
from server.tables.state.asks import Asked, ask_seats, beat_end
from server.tables.state.chairs import Chair, reseated
from server.tables.state.entries import (
    Advised,
    Appointed,
    Changed,
    Closed,
    Configured,
    Consented,
    Dismissed,
    Entry,
    Held,
    HostEntry,
    Left,
    Moved,
    Opened,
    Proposed,
    Readmitted,
    Relayed,
    Rematched,
    Renamed,
    Resumed,
    Returned,
    Sat,
    SeatEntry,
    Started,
    Swapped,
)
from server.tables.state.local_struct import LocalStruct, replace
from server.tables.state.table_rules import TableRules, first_rules

Status = Literal["open", "running", "ended", "closed"]


@dataclass(frozen=True)
class Codec:
    """Decodes a game's own values."""

    move: msgspec.msgpack.Decoder[Any]
    events: msgspec.msgpack.Decoder[Any]
    state: msgspec.msgpack.Decoder[Any]


@cache
def codec(game: str) -> Codec:
    """The codec of the game with this name."""
    rules = GAMES[game]
    events = msgspec.msgpack.Decoder(tuple[rules.events, ...])  # type: ignore[name-defined]
    return Codec(msgspec.msgpack.Decoder(rules.moves), events, msgspec.msgpack.Decoder(rules.state))


class EntryWithEvents(LocalStruct, frozen=True):
    """An entry, its number in the log, and its events as decoded values."""

    n: int
    entry: Entry
    events: tuple[Any, ...] = ()


class Table(LocalStruct, frozen=True):
    """The table after entry n."""

    id: str
    n: int
    at: int
    opened: Opened
    game: AnyGame
    host: str
    chairs: tuple[Chair, ...]
    status: Status
    state: Any
    outcome: Outcome | None
    asks: dict[int, Asked]
    asides: dict[int, Asked]
    rematch: str | None
    moved_at: tuple[int, ...]
    rules: TableRules
    rematch_game: str | None = None  # if it is another game
    closed: str | None = None  # why it was closed
    beat_ends: int = 0  # when pages have played out what has happened so far
    chance_seed: bytes = b""  # from which all chance comes: the table's seed, and from the start on also the salts

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed: shown from the start, checked against the seed that is revealed at the end."""
        return sha256(self.opened.seed).hexdigest()

    @property
    def users(self) -> set[str]:
        """Everybody who owns a seat, holds one or stands in."""
        return {user for chair in self.chairs for user in (chair.user, chair.stand_in) if user}

    @property
    def full(self) -> bool:
        """Whether every seat is taken by a user who has sat down."""
        return all(chair.user and not chair.held for chair in self.chairs)

    @property
    def has_only_house_bots(self) -> bool:
        """Whether a house bot has every seat."""
        return all(chair.level for chair in self.chairs)

    def seat_of(self, user: str) -> int | None:
        """The seat of this user, as its owner or as a stand-in."""
        for seat, chair in enumerate(self.chairs):
            if chair.user == user or chair.stand_in == user:
                return seat
        return None

    def owned_seat(self, user: str) -> int | None:
        """The seat that this user owns."""
        return next((seat for seat, chair in enumerate(self.chairs) if chair.user == user), None)

    def name_at(self, seat: int, user: str) -> str | None:
        """The name of this user at a seat that is theirs, or that they play as a stand-in."""
        chair = self.chairs[seat]
        return chair.name if chair.user == user else chair.stand_in_name

    def names_of_others(self, user: str) -> list[str]:
        """The names of all seats that this user does not own."""
        return [chair.name for chair in self.chairs if chair.name is not None and chair.user != user]

    def keeps_away(self, user: str) -> Literal["dismissed", "table_locked"] | None:
        """Why this user may neither see the table nor sit down at it; None if they may."""
        rules = self.rules
        if rules.dismissed and any(user == gone for gone, _ in rules.dismissed):
            return "dismissed"
        if rules.locked and user != self.host and self.seat_of(user) is None:
            return "table_locked"
        return None

    def refuses_watcher(self, user: str) -> bool:
        """Whether this user may not watch the running game, because nobody may."""
        unseen = self.rules.watching.see == "nobody" and self.status == "running"
        return unseen and user != self.host and self.seat_of(user) is None

    # The fold.

    def after(self, entry: Entry, events: tuple[Any, ...] = ()) -> Table:
        """The table after this entry; `events` are the decoded events of the entry, if the caller has them."""
        n = self.n + 1
        match entry:
            case Moved():
                return self._after_move(n, entry, events or codec(self.opened.game).events.decode(entry.events))
            case Started():
                events = events or codec(self.opened.game).events.decode(entry.events)
                salted = replace(self, chance_seed=salted_seed(self.opened.seed, entry.salts))
                if entry.position:
                    salted = replace(salted, state=codec(self.opened.game).state.decode(entry.position))
                return salted._after_events(n, entry.at, events, None, self.chairs, self.moved_at)
            case Sat() | Held() | Left() | Renamed() | Relayed() | Returned() | Advised():
                return self._after_seat(n, entry)
            case Resumed():
                ask = self.asks[entry.seat]
                credited = replace(ask, credit_ms=ask.credit_ms + entry.ms)
                return replace(self, n=n, at=entry.at, asks={**self.asks, entry.seat: credited})
            case Rematched():
                return replace(self, n=n, at=entry.at, rematch=entry.table, rematch_game=entry.game)
            case Closed():
                return replace(self, n=n, at=entry.at, status="closed", asks={}, asides={}, closed=entry.reason)
            case Consented():
                rules = self.rules.with_answer(entry.user, entry.agree).settled(self.chairs)
                return replace(self, n=n, at=entry.at, rules=rules)
            case Dismissed() | Readmitted() | Configured() | Proposed() | Appointed() | Changed() | Swapped():
                after = self._after_host(n, entry)
                return after if after.rules.proposed is None else after._with_rules_settled()
            case Opened():
                raise ValueError("a table is opened once")

    def _after_seat(self, n: int, entry: SeatEntry) -> Table:
        """The table after a change of one seat's owner or stand-in."""
        match entry:
            case Sat():
                chair = Chair(entry.user, entry.name, entry.bot, entry.level, entry.owner, since=n, salt=entry.salt)
                chair = replace(chair, avatar=entry.avatar)
                return self._with_chair(n, entry, chair)._with_time_restarted(entry.seat)
            case Held():
                who = entry.user, entry.name, entry.bot, None, entry.owner
                return self._with_chair(n, entry, Chair(*who, held=True, invited_by=entry.by))
            case Left():
                left = self._with_chair(n, entry, Chair())
                return left if entry.host is None else replace(left, host=entry.host)
            case Renamed():
                chair = self.chairs[entry.seat]
                avatar = chair.avatar if entry.avatar is None else entry.avatar
                chair = replace(chair, name=entry.name, avatar=avatar, renames=chair.renames + 1)
                return self._with_chair(n, entry, chair)
            case Relayed():
                chair = replace(self.chairs[entry.seat], stand_in=entry.user, stand_in_name=entry.name)
                return self._with_chair(n, entry, chair)._with_time_restarted(entry.seat)
            case Returned():
                chair = replace(self.chairs[entry.seat], stand_in=None, stand_in_name=None, absences=0)
                return self._with_chair(n, entry, chair)._with_time_restarted(entry.seat)
            case Advised():
                chair = self.chairs[entry.seat]
                return self._with_chair(n, entry, replace(chair, advised=chair.advised + 1))

    def _with_chair(self, n: int, entry: SeatEntry, chair: Chair) -> Table:
        chairs = (*self.chairs[: entry.seat], chair, *self.chairs[entry.seat + 1 :])
        after = replace(self, n=n, at=entry.at, chairs=chairs)
        return after if after.rules.proposed is None else after._with_rules_settled()

    def _with_rules_settled(self) -> Table:
        """The table after a change of seats or rules. If all seated people agree now, the proposed rule is in force."""
        rules = self.rules.settled(self.chairs)
        return self if rules is self.rules else replace(self, rules=rules)

    def _after_host(self, n: int, entry: HostEntry) -> Table:
        """The table after a decision of the host."""
        table = replace(self, n=n, at=entry.at)
        rules = replace(self.rules, changes=self.rules.changes + 1)
        match entry:
            case Dismissed():
                dismissed = (*rules.dismissed, (entry.user, entry.name))
                chairs = tuple(Chair() if chair.user == entry.user else chair for chair in table.chairs)
                return replace(table, rules=replace(rules, dismissed=dismissed), chairs=chairs)
            case Readmitted():
                dismissed = tuple(one for one in rules.dismissed if one[0] != entry.user)
                return replace(table, rules=replace(rules, dismissed=dismissed))
            case Configured():
                late = table.opened.late if entry.late is None else entry.late
                opened = msgspec.structs.replace(table.opened, late=late)
                return replace(table, opened=opened, rules=replace(rules, locked=entry.locked, chat=entry.chat))
            case Proposed():
                return replace(table, rules=rules.with_proposal(entry.watching, table.host))
            case Appointed():
                return replace(table, rules=rules, host=entry.host)
            case Changed():
                return replace(table, rules=rules)._with_game(entry)
            case Swapped():
                swapped = list(table.chairs)
                swapped[entry.seat], swapped[entry.other] = table.chairs[entry.other], table.chairs[entry.seat]
                return replace(table, rules=rules, chairs=tuple(swapped))

    def _with_game(self, entry: Changed) -> Table:
        """The table with another game, options, number of seats or speed, before its game starts."""
        chairs = reseated(self.chairs, entry.seats, entry.game == self.opened.game)
        _require_rules(self, entry)
        chosen = {"game": entry.game, "options": entry.options, "seats": entry.seats, "speed": entry.speed}
        opened = msgspec.structs.replace(self.opened, rules=entry.rules, **chosen)
        return replace(self, opened=opened, game=GAMES[entry.game], chairs=chairs, moved_at=(0,) * entry.seats)

    def _with_time_restarted(self, seat: int) -> Table:
        """Restart the time of a seat that another user plays from now on."""
        ask = self.asks.get(seat)
        if ask is None or ask.renewed:
            return self
        beat_ms = max(0, ask.at + ask.beat_ms - self.at)
        renewed = replace(ask, at=self.at, credit_ms=0, renewed=True, beat_ms=beat_ms)
        return replace(self, asks={**self.asks, seat: renewed})

    def _after_move(self, n: int, entry: Moved, events: tuple[Any, ...]) -> Table:
        seat, chairs, moved_at = entry.seat, self.chairs, self.moved_at
        chair = chairs[seat]
        if entry.by == "clock":
            chair = replace(chair, absences=chair.absences + 1)
        elif entry.by == "seat" and (chair.absences or chair.stand_in):
            chair = replace(chair, absences=0, stand_in=None, stand_in_name=None)
        if chair is not chairs[seat]:  # otherwise the tuple stays identical, which tells callers that no seat changed
            chairs = (*chairs[:seat], chair, *chairs[seat + 1 :])
        if self.game.limit is not no_limit:
            moved_at = (*moved_at[:seat], entry.at, *moved_at[seat + 1 :])
        return self._after_events(n, entry.at, events, None if entry.aside else seat, chairs, moved_at)

    def _after_events(
        self,
        n: int,
        at: int,
        events: tuple[Any, ...],
        actor: int | None,
        chairs: tuple[Chair, ...],
        moved_at: tuple[int, ...],
    ) -> Table:
        """The game after these events, and what each seat is asked now. The actor's own ask is always a new one."""
        game = self.game
        state = fold(game, events, self.state)
        outcome = game.outcome(state)
        asks: dict[int, Asked] = {}
        asides: dict[int, Asked] = {}
        beat = None if game.beat is no_beat else game.beat(state, events)
        beat_ends = beat_end(self.beat_ends, at, beat)
        if outcome is None:
            new = Asked(n, (), at, beat_ms=max(0, beat_ends - at), held=beat is not None and beat.hold)
            asks = ask_seats(game, state, new, {} if new.held else self.asks, actor)
            if game.asides is not no_asides:
                asides = self._asides(state, n, at)
        return Table(
            id=self.id,
            n=n,
            at=at,
            opened=self.opened,
            game=game,
            host=self.host,
            chairs=chairs,
            status="running" if outcome is None else "ended",
            state=state,
            outcome=outcome,
            asks=asks,
            asides=asides,
            rematch=self.rematch,
            moved_at=moved_at,
            rules=self.rules,
            chance_seed=self.chance_seed,
            beat_ends=beat_ends,
        )

    def _asides(self, state: Any, n: int, at: int) -> dict[int, Asked]:
        asides = {}
        for seat in range(len(self.chairs)):
            offers = self.game.asides(state, seat)
            before = self.asides.get(seat)
            if offers:
                asides[seat] = before if before and before.offers == offers else Asked(n, offers, at)
        return asides


class UnknownRules(Exception):  # noqa: N818
    """A table was opened with a version of its game's rules that this release does not have.

    `table` is the table without a game's state. `newer` is whether a newer release has the rules.
    """

    def __init__(self, table: Table, entry: Opened | Changed, game: AnyGame) -> None:
        known = f"{game.oldest_version} to {game.version}"
        super().__init__(f"version {entry.rules} of the rules of {game.name} is unknown: known are {known}")
        self.table = table
        self.newer = entry.rules > game.version


def _require_rules(table: Table, entry: Opened | Changed) -> None:
    game = GAMES[entry.game]
    if not game.oldest_version <= entry.rules <= game.version:
        raise UnknownRules(table, entry, game)


def opened(table: str, entry: Entry) -> Table:
    """The table that entry 1 opens."""
    assert isinstance(entry, Opened)
    new = _new_table(table, entry)
    _require_rules(new, entry)
    return new


def _new_table(table: str, entry: Opened) -> Table:
    return Table(
        id=table,
        n=1,
        at=entry.at,
        opened=entry,
        game=GAMES[entry.game],
        host=entry.host,
        chairs=(Chair(),) * entry.seats,
        status="open",
        state=None,
        outcome=None,
        asks={},
        asides={},
        rematch=None,
        moved_at=(0,) * entry.seats,
        rules=first_rules(entry.watching, entry.host),
        chance_seed=entry.seed,
    )


def folded(table: str, entries: Iterable[tuple[int, Entry]]) -> Table:
    """The table after these numbered entries, which begin with entry 1 and have no gaps."""
    folding: Table | None = None
    for n, entry in entries:
        folding = opened(table, entry) if folding is None else folding.after(entry)
        if folding.n != n:
            raise ValueError(f"entry {n} of table {table} comes after entry {folding.n - 1}")
    assert folding
    return folding


def with_events(table: Table, n: int, entry: Entry) -> EntryWithEvents:
    """An entry from the log, with its events decoded."""
    events = codec(table.opened.game).events.decode(entry.events) if isinstance(entry, Moved | Started) else ()
    return EntryWithEvents(n, entry, events)
