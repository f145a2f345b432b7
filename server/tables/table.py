"""A table: one match folded from its log. Values only: commands in, entries out, no clock, no store.

`after` gives the table that follows from an entry. The other methods judge what somebody wants and answer
the entry that would do it, or refuse with a ProtocolError.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any, Final, Literal

import msgspec

from games import GAMES
from games.chance import Chance
from games.core import AnyGame, IllegalMove, Offer, Outcome, fold, judge, no_asides, no_limit
from protocol.codec import ProtocolError, bad_value
from protocol.messages import Move
from server import house
from server.entries import (
    By,
    Closed,
    Entry,
    Held,
    Left,
    Moved,
    Opened,
    Relayed,
    Rematched,
    Resumed,
    Returned,
    Sat,
    Started,
)
from server.inner import Inner, replace

SPEEDS: dict[str, int | None] = {"relaxed": 120_000, "normal": 45_000, "blitz": 10_000, "untimed": None}
BOT_MS = 20_000  # a bot that has died is waited for no longer than this, at any speed
ABSENCES = 2  # moves made by the clock in a row before a stand-in has the seat
LOOK_MS = 60_000  # how often a table that waits for players is looked at
IDLE_MS = 24 * 3600 * 1000  # a running table on which nobody has moved for so long is closed
CLOCK = "clock"  # the user that moves are made by when time has run out

Dues = dict[int, int | None]  # when the time of each seat that is asked runs out; None where time does not count
Status = Literal["open", "running", "ended", "closed"]
encode: Final = msgspec.msgpack.Encoder().encode


@dataclass(frozen=True)
class Codec:
    """Reads a game's own values from bytes."""

    move: msgspec.msgpack.Decoder[Any]
    events: msgspec.msgpack.Decoder[Any]


@cache
def codec(game: str) -> Codec:
    """The codec of the game of this name."""
    of = GAMES[game]
    return Codec(msgspec.msgpack.Decoder(of.moves), msgspec.msgpack.Decoder(tuple[of.events, ...]))  # type: ignore[name-defined]


class Chair(Inner, frozen=True):
    """A seat and who has it. `held` keeps it for somebody who may still come."""

    user: str | None = None
    name: str | None = None
    bot: bool = False
    level: str | None = None
    owner: str | None = None
    held: bool = False
    stand_in: str | None = None
    stand_in_name: str | None = None
    absences: int = 0


class Asked(Inner, frozen=True):
    """What a seat may do, since when, and the number under which it was asked.

    `credit_ms` is time since then that the service was away. `renewed` is whether the time was begun anew for a
    stand-in or an owner who came back: once, or a seat that changes hands could put its decision off for ever.
    """

    n: int
    offers: tuple[Offer, ...]
    at: int
    credit_ms: int = 0
    renewed: bool = False


class Decision(Inner, frozen=True):
    """An entry to be committed, with its events as values so that they need not be read again."""

    entry: Entry
    events: tuple[Any, ...] | None = None


class Again(Exception):  # noqa: N818
    """The same has been done before, at entry n."""

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.n = n


class Table(Inner, frozen=True):
    """A table after entry n."""

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

    @property
    def commitment(self) -> str:
        """Shown from the first moment on: the seed, given away at the end, must fit it."""
        return sha256(self.opened.seed).hexdigest()

    @property
    def users(self) -> set[str]:
        """Everybody who has or keeps a seat."""
        return {user for chair in self.chairs for user in (chair.user, chair.stand_in) if user}

    @property
    def full(self) -> bool:
        """Whether somebody sits on every seat."""
        return all(chair.user and not chair.held for chair in self.chairs)

    def seat_of(self, user: str) -> int | None:
        """The seat of this user, as its owner or as a stand-in."""
        for seat, chair in enumerate(self.chairs):
            if chair.user == user or chair.stand_in == user:
                return seat
        return None

    def owned_seat(self, user: str) -> int | None:
        """The seat of this user as its owner."""
        return next((seat for seat, chair in enumerate(self.chairs) if chair.user == user), None)

    # The fold.

    def after(self, entry: Entry, events: tuple[Any, ...] | None = None) -> Table:
        """The table after this entry."""
        n = self.n + 1
        match entry:
            case Moved():
                return self._after_move(n, entry, events)
            case Started():
                if events is None:
                    events = codec(self.opened.game).events.decode(entry.events)
                return self._told(n, entry.at, events, None, self.chairs, self.moved_at)
            case Sat():
                chair = Chair(entry.user, entry.name, entry.bot, entry.level, entry.owner)
                return self._seated(n, entry, chair)
            case Held():
                return self._seated(n, entry, Chair(entry.user, entry.name, held=True))
            case Left():
                left = self._seated(n, entry, Chair())
                return left if entry.host is None else replace(left, host=entry.host)
            case Relayed():
                stood = replace(self.chairs[entry.seat], stand_in=entry.user, stand_in_name=entry.name)
                return self._seated(n, entry, stood)._asked_again(entry.seat)
            case Returned():
                chair = replace(self.chairs[entry.seat], stand_in=None, stand_in_name=None, absences=0)
                return self._seated(n, entry, chair)._asked_again(entry.seat)
            case Resumed():
                ask = self.asks[entry.seat]
                credited = replace(ask, credit_ms=ask.credit_ms + entry.ms)
                return replace(self, n=n, at=entry.at, asks={**self.asks, entry.seat: credited})
            case Rematched():
                return replace(self, n=n, at=entry.at, rematch=entry.table)
            case Closed():
                return replace(self, n=n, at=entry.at, status="closed", asks={}, asides={})
            case Opened():
                raise ValueError("a table is opened once")

    def _seated(self, n: int, entry: Sat | Held | Left | Relayed | Returned, chair: Chair) -> Table:
        chairs = (*self.chairs[: entry.seat], chair, *self.chairs[entry.seat + 1 :])
        return replace(self, n=n, at=entry.at, chairs=chairs)

    def _asked_again(self, seat: int) -> Table:
        """The seat's clock starts over: somebody else plays it from now on."""
        ask = self.asks.get(seat)
        if ask is None or ask.renewed:
            return self
        return replace(self, asks={**self.asks, seat: replace(ask, at=self.at, credit_ms=0, renewed=True)})

    def _after_move(self, n: int, entry: Moved, events: tuple[Any, ...] | None) -> Table:
        if events is None:
            events = codec(self.opened.game).events.decode(entry.events)
        seat, chairs, moved_at = entry.seat, self.chairs, self.moved_at
        chair = chairs[seat]
        if entry.by == "clock":
            chair = replace(chair, absences=chair.absences + 1)
        elif entry.by == "seat" and (chair.absences or chair.stand_in):
            chair = replace(chair, absences=0, stand_in=None, stand_in_name=None)
        if chair is not chairs[seat]:  # otherwise they stay the very same, which tells that nothing of them is new
            chairs = (*chairs[:seat], chair, *chairs[seat + 1 :])
        if self.game.limit is not no_limit:
            moved_at = (*moved_at[:seat], entry.at, *moved_at[seat + 1 :])
        return self._told(n, entry.at, events, None if entry.aside else seat, chairs, moved_at)

    def _told(
        self,
        n: int,
        at: int,
        events: tuple[Any, ...],
        actor: int | None,
        chairs: tuple[Chair, ...],
        moved_at: tuple[int, ...],
    ) -> Table:
        """The game after these events, and what each seat is asked now."""
        game = self.game
        state = fold(game, events, self.state)
        outcome = game.outcome(state)
        status: Status = "running" if outcome is None else "ended"
        asks: dict[int, Asked] = {}
        asides: dict[int, Asked] = {}
        if outcome is None:
            for seat in game.to_act(state):
                offers = game.offers(state, seat)
                before = self.asks.get(seat)
                kept = before is not None and seat != actor and before.offers == offers
                asks[seat] = before if kept and before else Asked(n, offers, at)
            if game.asides is not no_asides:
                asides = self._asides(state, n, at)
        opened, host, rematch = self.opened, self.host, self.rematch
        return Table(
            self.id, n, at, opened, game, host, chairs, status, state, outcome, asks, asides, rematch, moved_at
        )

    def _asides(self, state: Any, n: int, at: int) -> dict[int, Asked]:
        asides = {}
        for seat in range(len(self.chairs)):
            offers = self.game.asides(state, seat)
            before = self.asides.get(seat)
            if offers:
                asides[seat] = before if before and before.offers == offers else Asked(n, offers, at)
        return asides

    # Time.

    def due(self, seat: int) -> int | None:
        """When this seat's time runs out; the millisecond itself is still in time."""
        return self.dues().get(seat)

    def dues(self) -> Dues:
        """When the time of each seat that is asked runs out."""
        rule = self.game.limit
        limit = rule(self.state) if self.asks and rule is not no_limit else None
        within = None if limit is None else limit.within_ms
        slow = SPEEDS[self.opened.speed]
        dues: Dues = {}
        for seat, ask in self.asks.items():
            time = slow if within is None else within
            chair = self.chairs[seat]
            if within is None and (chair.bot or chair.stand_in):
                time = BOT_MS if slow is None else min(BOT_MS, slow)
            dues[seat] = None if time is None else ask.at + ask.credit_ms + time
        return dues

    def deadline(self, dues: Dues) -> int:
        """When the table, which has these dues, has to be looked at, whatever happens."""
        if self.status == "running":
            soonest = self.at + IDLE_MS
            for due in dues.values():
                if due is not None and due < soonest:
                    soonest = due
            return soonest + 1
        return self.at + (LOOK_MS if self.status == "open" else 0)

    # What somebody wants.

    def sit(self, user: str, name: str, seat: int | None, now: int, *, bot: bool, owner: str | None) -> Decision:
        """A user takes a seat, their held one before any other."""
        mine = self.owned_seat(user)
        live = self.status in ("open", "running")
        if live and mine is not None and not self.chairs[mine].held and seat in (None, mine):
            raise Again(self.n)
        self.must_be("open")
        if mine is not None and self.chairs[mine].held and seat not in (None, mine):
            raise ProtocolError("seated_already", f"seat {mine} is held for you: take it, or decline", field="seat")
        if mine is not None and not self.chairs[mine].held:
            raise ProtocolError("seated_already", f"you have seat {mine}: leave it first", field="seat")
        if seat is None:
            free = [number for number, chair in enumerate(self.chairs) if chair.user is None]
            seat = mine if mine is not None else free[0] if free else None
            if seat is None:
                raise ProtocolError("table_full", "every seat is taken: you can watch")
        self._seat_exists(seat)
        chair = self.chairs[seat]
        if chair.user is not None and chair.user != user:
            raise ProtocolError("seat_taken", f"seat {seat} is taken", field="seat")
        return Decision(Sat(now, seat, user, name, bot, None, owner))

    def leave(self, user: str, now: int) -> Decision:
        """A user gives up their seat; in a running game a stand-in plays on."""
        seat = self._own_seat(user)
        if self.status == "running":
            if self.chairs[seat].stand_in:
                raise Again(self.n)
            return Decision(self._relay(seat, now))
        self.must_be("open")
        others = [chair for chair in self.chairs if chair.user not in (None, user) and not (chair.level or chair.held)]
        if not others:
            return Decision(Closed(now, "everybody left"))
        heir = min(others, key=lambda chair: chair.bot)
        return Decision(Left(now, seat, heir.user if user == self.host else None))

    def back(self, user: str, now: int) -> Decision:
        """A user takes their seat back from its stand-in."""
        self.must_be("running")
        seat = self._own_seat(user)
        if self.chairs[seat].stand_in is None:
            raise Again(self.n)
        return Decision(Returned(now, seat))

    def bot(self, user: str, seat: int, level: str | None, now: int, near: Collection[str] = ()) -> Decision:
        """The host puts a house bot on a free seat, if possible one of those that are near, or takes one away."""
        self.must_be("open")
        self._must_host(user)
        self._seat_exists(seat)
        chair = self.chairs[seat]
        if level is None:
            if not chair.bot and not chair.held:
                raise ProtocolError("seat_taken", f"there is no bot on seat {seat}", field="seat")
            return Decision(Left(now, seat))
        if chair.user is not None and not (chair.level or chair.held):
            raise ProtocolError("seat_taken", f"seat {seat} is taken", field="seat")
        return self._house_bot(seat, level, now, near)

    def invite(self, user: str, seat: int, bot: str, name: str, now: int) -> Decision:
        """The host has a free seat held for a bot."""
        self.must_be("open")
        self._must_host(user)
        self._seat_exists(seat)
        if self.seat_of(bot) is not None:
            raise ProtocolError("seated_already", f"{name} has a seat here already", field="bot")
        if self.chairs[seat].user is not None:
            raise ProtocolError("seat_taken", f"seat {seat} is taken", field="seat")
        return Decision(Held(now, seat, bot, name))

    def decline(self, user: str, now: int) -> Decision:
        """Somebody does not want the seat that is held for them."""
        self.must_be("open")
        seat = self.seat_of(user)
        if seat is None or not self.chairs[seat].held:
            raise ProtocolError("not_invited", "no seat is held for you at this table")
        return Decision(Left(now, seat))

    def fill(self, user: str, level: str, now: int, near: Collection[str] = ()) -> Decision | None:
        """The next house bot that is needed before the host's game can start; None if it can."""
        self._must_host(user)
        if self.status == "running":
            raise Again(self.n)
        self.must_be("open")
        for seat, chair in enumerate(self.chairs):
            if chair.user is None or chair.held:
                return self._house_bot(seat, level, now, near)
        return None

    def _house_bot(self, seat: int, level: str, now: int, near: Collection[str]) -> Decision:
        bot, name = house.pick(self.id, self.users, near)
        return Decision(Sat(now, seat, bot, name, True, level))

    def move(self, user: str, asked: Move, now: int) -> Decision:
        """A move by the owner of a seat or its stand-in."""
        self.must_be("running")
        seat = self._own_seat(user)
        by: By = "seat" if user == self.chairs[seat].user else "stand_in"
        ask, aside = self.asks.get(seat), self.asides.get(seat)
        if asked.ask not in (ask.n if ask else None, aside.n if aside else None):
            if ask is None:
                raise ProtocolError("not_asked", "nothing is asked of your seat now", field="ask")
            text = f"this answers ask {asked.ask}, and ask {ask.n} is current"
            raise ProtocolError("stale_ask", text, field="ask", ask=ask.n)
        if self.game.limit is not no_limit:
            self._must_have_paused(seat, now)
        try:
            move = codec(self.opened.game).move.decode(asked.move)
        except msgspec.ValidationError as fault:
            raise bad_value(fault, "move") from None
        except (msgspec.DecodeError, RecursionError, ValueError) as fault:
            raise ProtocolError("bad_field", f"a move is a map: {fault}", field="move") from None
        offers = ask.offers if ask and ask.n == asked.ask else ()
        said = aside.offers if aside and aside.n == asked.ask else ()
        try:
            events = judge(self.game, self.state, seat, move, self._chance(), offers + said)
        except IllegalMove as no:
            raise ProtocolError("illegal_move", no.why, field="move", rule=no.rule) from None
        is_aside = bool(said) and move.__struct_config__.tag in {offer.move for offer in said}
        raw, packed = msgspec.Raw(encode(move)), msgspec.Raw(encode(events))
        return Decision(Moved(now, seat, by, user, asked.key, raw, packed, asked.note, is_aside), events)

    def _must_have_paused(self, seat: int, now: int) -> None:
        limit = self.game.limit(self.state)
        if limit is not None and limit.pause_ms is not None and now < self.moved_at[seat] + limit.pause_ms:
            wait = self.moved_at[seat] + limit.pause_ms - now
            raise ProtocolError("too_soon", f"your seat may move again in {wait} ms", retry_after_ms=wait)

    def join_rematch(self, table: str, now: int) -> Decision:
        """The same seats play again at another table."""
        self.must_be("ended")
        if self.rematch is not None:
            raise Again(self.n)
        return Decision(Rematched(now, table))

    # What happens by itself.

    def follow_up(self, now: int) -> Decision | None:
        """What follows from the last entry, if anything: a start, a stand-in, an end."""
        if self.status == "open":
            return self._start(now) if self.full else None
        if self.status == "running":
            for seat, chair in enumerate(self.chairs):
                if chair.absences >= ABSENCES and chair.stand_in is None and not chair.level:
                    return Decision(self._relay(seat, now))
        return None

    def tick(self, now: int, outages: tuple[tuple[int, int], ...]) -> Decision | None:
        """What time has brought about, if anything."""
        if self.status != "running":
            return None
        since = min((ask.at for ask in self.asks.values()), default=now)
        if outages and outages[-1][1] > since:  # P5: nobody's clock runs while the service is away
            for seat, ask in self.asks.items():
                away = sum(max(0, end - max(begin, ask.at)) for begin, end in outages)
                if away > ask.credit_ms:
                    return Decision(Resumed(now, seat, away - ask.credit_ms))
        late = [(due, seat) for seat, due in self.dues().items() if due is not None and now > due]
        if not late:
            return Decision(Closed(now, "nobody moved for a day")) if now > self.at + IDLE_MS else None
        seat = min(late)[1]
        move = self.game.absent(self.state, seat)
        events = self.game.play(self.state, seat, move, self._chance())
        key = f"clock-{self.n + 1}"
        raw, packed = msgspec.Raw(encode(move)), msgspec.Raw(encode(events))
        return Decision(Moved(now, seat, "clock", CLOCK, key, raw, packed), events)

    def _start(self, now: int) -> Decision:
        options = msgspec.convert(self.opened.options, self.game.options)
        events = self.game.setup(len(self.chairs), options, self._chance())
        return Decision(Started(now, msgspec.Raw(encode(events))), events)

    def _relay(self, seat: int, now: int) -> Relayed:
        user, name = house.pick(self.id, self.users)
        return Relayed(now, seat, user, name, "rookie")

    def _chance(self) -> Chance:
        """Chance for the next entry."""
        return Chance(self.opened.seed, self.n + 1)

    def _own_seat(self, user: str) -> int:
        seat = self.seat_of(user)
        if seat is None or self.chairs[seat].held:
            raise ProtocolError("not_seated", "you have no seat at this table")
        return seat

    def _seat_exists(self, seat: int) -> None:
        if seat >= len(self.chairs):
            raise ProtocolError("bad_field", f"this table has seats 0 to {len(self.chairs) - 1}", field="seat")

    def _must_host(self, user: str) -> None:
        if user != self.host:
            raise ProtocolError("not_host", "only the host of the table may do this")

    def must_be(self, status: Status) -> None:
        """Refuse what can only be done while the table is so."""
        if self.status != status:
            raise ProtocolError(f"not_{status}", f"the table is {self.status}, not {status}")


def opened(table: str, entry: Entry) -> Table:
    """The table that entry 1 opens."""
    assert isinstance(entry, Opened)
    chairs, moved_at = (Chair(),) * entry.seats, (0,) * entry.seats
    game, host = GAMES[entry.game], entry.host
    return Table(table, 1, entry.at, entry, game, host, chairs, "open", None, None, {}, {}, None, moved_at)


def folded(table: str, entries: list[tuple[int, Entry]], so_far: Table | None = None) -> Table:
    """The table after these entries."""
    for n, entry in entries:
        so_far = opened(table, entry) if so_far is None else so_far.after(entry)
        if so_far.n != n:
            raise ValueError(f"entry {n} of table {table} comes after entry {so_far.n - 1}")
    assert so_far
    return so_far
