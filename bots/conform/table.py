"""The table of a situation: a real game by its real rules, and what the server would say of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import msgspec

from games import GAMES
from games.chance import Chance
from games.core import Offer, fill, fold, judge, option_choices, read_move

SPEEDS = {"relaxed": 120_000, "normal": 45_000, "blitz": 10_000, "untimed": None}
LIMITS = {
    "frame_bytes": 16384,
    "requests_per_second": 20,
    "burst": 60,
    "chats_per_10_s": 5,
    "feeds": 64,
    "feeds_bot": 1000,
}
NOW = 1_767_225_600_000
LEFT_MS = 20_000


def catalogue() -> list[dict[str, Any]]:
    """The games as welcome lists them."""
    return [
        {
            "name": game.name,
            "title": game.title,
            "blurb": game.blurb,
            "seats": [game.seats.start, game.seats.stop - 1],
            "options": option_choices(game),
        }
        for game in GAMES.values()
    ]


@dataclass(frozen=True)
class Ask:
    """What a seat may do, and the entry since which it is asked just this."""

    n: int
    offers: tuple[Offer, ...]


class Board:
    """A table with the bot on its last seat and players by chance on the others."""

    def __init__(self, game: str, table: str, code: str) -> None:
        self.game = GAMES[game]
        self.table = table
        self.code = code
        self.seats = max(3, self.game.seats.start)
        self.mine = self.seats - 1
        self.n = self.seats  # opened, and the others sat down
        self.status = "open"
        self.seated = False
        self.stand_in: str | None = None
        self.left_ms: int | None = LEFT_MS
        self.state: Any = None
        self.past: list[dict[str, Any]] = []
        self._seed = sha256(f"{table}/{game}".encode()).digest()
        self._asks: dict[int, Ask] = {}
        self._asides: Ask | None = None

    # The game.

    @property
    def ask(self) -> Ask | None:
        """What the bot is asked."""
        return self._asks.get(self.mine)

    @property
    def asides(self) -> Ask | None:
        """What the bot may say besides."""
        return self._asides

    def sit(self) -> None:
        """The bot takes its seat."""
        self.seated = True
        self.n += 1

    def begin(self) -> dict[str, Any]:
        """Start the game; its first update."""
        self.status = "running"
        events = self.game.setup(self.seats, self.game.options(), Chance(self._seed, 0))
        return self._entry(events, None, "house")

    def others(self) -> Iterator[dict[str, Any]]:
        """The other seats play until the bot is asked or all is over; an update for each entry."""
        while self.status == "running" and self.ask is None:
            yield self.other()

    def other(self) -> dict[str, Any]:
        """One of the other seats makes a move, if one of them may; an entry in any case."""
        chance = Chance(self._seed, 1_000_000 + self.n)
        acting = [seat for seat in self._asks if seat != self.mine]
        if not acting:
            return self.note("house")
        seat = chance.pick(acting)
        move = fill(chance.pick(self._asks[seat].offers), chance)
        return self._moved(seat, move, "seat")

    def play(self, move: dict[str, Any]) -> dict[str, Any]:
        """The bot's move; IllegalMove or ValidationError if it is none."""
        return self._moved(self.mine, move, "seat")

    def run_out(self) -> dict[str, Any]:
        """The bot's time is over: the game's own move for the absent is made."""
        absent = msgspec.to_builtins(self.game.absent(self.state, self.mine))
        return self._moved(self.mine, absent, "clock")

    def go_back(self) -> dict[str, Any]:
        """The table as a whole under a lower number, as after the loss of a node (P25)."""
        self.n -= 1
        ask = self.ask
        if ask is not None:
            self._asks[self.mine] = Ask(self.n, ask.offers)
        return self.whole()

    def _moved(self, seat: int, move: dict[str, Any], by: str) -> dict[str, Any]:
        read = read_move(self.game, move)
        events = judge(self.game, self.state, seat, read, Chance(self._seed, self.n + 1))
        aside = self.game.asides(self.state, seat) and not self._answers(seat, read)
        return self._entry(events, None if aside else seat, by, seat)

    def _answers(self, seat: int, read: Any) -> bool:
        tag = read.__struct_config__.tag
        return seat in self._asks and any(offer.move == tag for offer in self._asks[seat].offers)

    def _entry(self, events: Any, actor: int | None, by: str, seat: int | None = None) -> dict[str, Any]:
        self.n += 1
        self.state = fold(self.game, events, self.state)
        asks = {}
        for other in () if self.game.outcome(self.state) else self.game.to_act(self.state):
            offers, before = self.game.offers(self.state, other), self._asks.get(other)
            kept = before is not None and other != actor and before.offers == offers
            asks[other] = before if kept and before else Ask(self.n, offers)
        self._asks = asks
        said, before = self.game.asides(self.state, self.mine), self._asides
        self._asides = None if not said else before if before and before.offers == said else Ask(self.n, said)
        if self.game.outcome(self.state) is not None:
            self.status, self._asks, self._asides = "ended", {}, None
        shown = [one for event in events if (one := self.game.show(event, self.mine)) is not None]
        return self.note(by, seat, shown, count=False)

    def note(self, by: str, seat: int | None = None, events: Any = (), *, count: bool = True) -> dict[str, Any]:
        """An entry of the log, and what is so after it."""
        self.n += count
        past: dict[str, Any] = {"type": "update", "table": self.table, "n": self.n, "by": by, "at": NOW + self.n}
        if seat is not None:
            past["seat"] = seat
        past["events"] = msgspec.to_builtins(tuple(events))
        self.past.append(past)
        return {**past, **self.now()}

    # What the server says of it.

    def now(self) -> dict[str, Any]:
        """The view and what is asked."""
        if self.state is None:
            return {}
        so: dict[str, Any] = {"view": msgspec.to_builtins(self.game.view(self.state, self.mine))}
        if self.ask is not None:
            so["ask"] = {"n": self.ask.n, "offers": msgspec.to_builtins(self.ask.offers)}
            if self.left_ms is not None:
                so["ask"]["left_ms"] = self.left_ms
        if self._asides is not None:
            so["asides"] = {"n": self._asides.n, "offers": msgspec.to_builtins(self._asides.offers)}
        so["acting"] = [[seat, self.left_ms] for seat in self._asks]
        return so

    def whole(self) -> dict[str, Any]:
        """All that is so, without what led to it (P24)."""
        return {"type": "update", "table": self.table, "n": self.n, "by": "house", **self.now()}

    def since(self, last: int | None) -> list[dict[str, Any]]:
        """What a client that has entry `last` has missed (P27)."""
        missed = [past for past in self.past if last is not None and past["n"] > last]
        if last is None or not missed or missed[0]["n"] != last + 1:
            return [self.whole()]
        return [*missed[:-1], {**missed[-1], **self.now()}]

    def info(self) -> dict[str, Any]:
        """The table and who sits there."""
        seats: list[dict[str, Any]] = [
            {"kind": "bot", "user": f"house-{seat}", "name": f"House {seat}", "level": "random", "here": True}
            for seat in range(self.mine)
        ]
        own = {"kind": "bot", "user": "b00conform", "name": "Candidate", "owner": "conform", "here": True}
        if self.stand_in:
            own["stand_in"] = self.stand_in
        seats.append(own if self.seated else {"kind": "free"})
        info: dict[str, Any] = {
            "type": "table",
            "table": self.table,
            "code": self.code,
            "game": self.game.name,
            "options": msgspec.to_builtins(self.game.options()),
            "speed": "normal",
            "public": True,
            "status": self.status,
            "host": "u0conform",
            "seats": seats,
            "commitment": sha256(self._seed).hexdigest(),
        }
        if self.seated:
            info["you"] = self.mine
        outcome = None if self.state is None else self.game.outcome(self.state)
        if outcome is not None:
            info |= {"result": msgspec.to_builtins(outcome), "seed": self._seed.hex()}
        return info
