"""The table of a situation: a game with its real rules, and the server's messages about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import msgspec

from games import GAMES
from games.chance import Chance
from games.core import fold, judge, option_choices, read_move
from games.offers import Offer, fill
from protocol.messages import SPEEDS

LIMITS = {
    "frame_bytes": 16384,
    "requests_per_second": 20,
    "burst": 60,
    "chats_per_10_s": 5,
    "feeds": 64,
    "feeds_bot": 1000,
}
NOW = 1_767_225_600_000  # milliseconds since 1970
LEFT_MS = 20_000  # of every ask
SPEEDS_MS: dict[str, int | None] = {speed: None if speed == "untimed" else LEFT_MS for speed in SPEEDS}


def catalogue() -> list[dict[str, Any]]:
    """The games as `welcome` lists them."""
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
    """What a seat may do, and the number of the entry since which the offers are these."""

    n: int
    offers: tuple[Offer, ...]


class KitTable:
    """A table with the bot on the last seat and random players on the others."""

    def __init__(self, game: str, table: str, code: str) -> None:
        self.game = GAMES[game]
        self.id = table
        self.code = code
        self.seats = min(max(3, self.game.seats[0]), self.game.seats[-1])
        self.bot_seat = self.seats - 1
        self.n = self.seats  # entries: opened, and one for each other seat
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
        """The bot's current ask."""
        return self._asks.get(self.bot_seat)

    @property
    def asides(self) -> Ask | None:
        """The bot's current asides."""
        return self._asides

    def sit(self) -> None:
        """Seat the bot."""
        self.seated = True
        self.n += 1

    def start_game(self) -> dict[str, Any]:
        """Start the game; returns its first update."""
        self.status = "running"
        events = self.game.setup(self.seats, self.game.options(), Chance(self._seed, 0))
        return self._entry(events, None, "house")

    def play_others(self) -> Iterator[dict[str, Any]]:
        """Play the other seats until the bot is asked or the game is over; yields an update for each entry."""
        while self.status == "running" and self.ask is None:
            yield self.play_another_seat()

    def play_another_seat(self) -> dict[str, Any]:
        """Let another seat make a random move; add an entry without a move if none may act."""
        chance = Chance(self._seed, 1_000_000 + self.n)
        acting = [seat for seat in self._asks if seat != self.bot_seat]
        if not acting:
            return self.add_entry("house")
        seat = chance.pick(acting)
        move = fill(chance.pick(self._asks[seat].offers), chance)
        return self._moved(seat, move)

    def play(self, move: dict[str, Any]) -> dict[str, Any]:
        """Make the bot's move; raises IllegalMove or ValidationError."""
        return self._moved(self.bot_seat, move)

    def time_out(self) -> dict[str, Any]:
        """Let the bot's time run out: the game's `absent` move is made."""
        seat = self.bot_seat
        move = self.game.absent(self.state, seat)  # it need not be offered, so it is not judged
        events = self.game.play(self.state, seat, move, Chance(self._seed, self.n + 1))
        return self._entry(events, seat, "clock", seat)

    def lower_number(self) -> dict[str, Any]:
        """The whole table under a lower entry number, as after the loss of a node (P25)."""
        self.n -= 1
        ask = self.ask
        if ask is not None:
            self._asks[self.bot_seat] = Ask(self.n, ask.offers)
        return self.fresh_view()

    def _moved(self, seat: int, move: dict[str, Any]) -> dict[str, Any]:
        read = read_move(self.game, move)
        events = judge(self.game, self.state, seat, read, Chance(self._seed, self.n + 1))
        aside = self.game.asides(self.state, seat) and not self._answers(seat, read)
        return self._entry(events, None if aside else seat, "seat", seat)

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
        said, before = self.game.asides(self.state, self.bot_seat), self._asides
        self._asides = None if not said else before if before and before.offers == said else Ask(self.n, said)
        if self.game.outcome(self.state) is not None:
            self.status, self._asks, self._asides = "ended", {}, None
        shown = [one for event in events if (one := self.game.show(event, self.bot_seat)) is not None]
        return self.add_entry(by, seat, shown, count=False)

    def add_entry(self, by: str, seat: int | None = None, events: Any = (), *, count: bool = True) -> dict[str, Any]:
        """Add an entry to the log; returns its update."""
        self.n += count
        past: dict[str, Any] = {"type": "update", "table": self.id, "n": self.n, "by": by, "at": NOW + self.n}
        if seat is not None:
            past["seat"] = seat
        past["events"] = msgspec.to_builtins(tuple(events))
        self.past.append(past)
        return {**past, **self.current()}

    # The server's messages about the table.

    def current(self) -> dict[str, Any]:
        """The fields of an update that describe the present state: view, ask, asides, acting."""
        if self.state is None:
            return {}
        so: dict[str, Any] = {"view": msgspec.to_builtins(self.game.view(self.state, self.bot_seat))}
        if self.ask is not None:
            so["ask"] = {"n": self.ask.n, "offers": msgspec.to_builtins(self.ask.offers)}
            if self.left_ms is not None:
                so["ask"]["left_ms"] = self.left_ms
        if self._asides is not None:
            so["asides"] = {"n": self._asides.n, "offers": msgspec.to_builtins(self._asides.offers)}
        so["acting"] = [[seat, self.left_ms] for seat in self._asks]
        return so

    def fresh_view(self) -> dict[str, Any]:
        """An update with the present state and no events (P24)."""
        return {"type": "update", "table": self.id, "n": self.n, "by": "house", **self.current()}

    def since(self, last: int | None) -> list[dict[str, Any]]:
        """The updates that a client with entry `last` has missed (P27)."""
        missed = [past for past in self.past if last is not None and past["n"] > last]
        if last is None or not missed or missed[0]["n"] != last + 1:
            return [self.fresh_view()]
        return [*missed[:-1], {**missed[-1], **self.current()}]

    def info(self) -> dict[str, Any]:
        """The `table` message."""
        seats: list[dict[str, Any]] = [
            {"kind": "bot", "user": f"house-{seat}", "name": f"House {seat}", "level": "random", "here": True}
            for seat in range(self.bot_seat)
        ]
        own = {"kind": "bot", "user": "b00conform", "name": "Candidate", "owner": "conform", "here": True}
        if self.stand_in:
            own["stand_in"] = self.stand_in
        seats.append(own if self.seated else {"kind": "free"})
        info: dict[str, Any] = {
            "type": "table",
            "table": self.id,
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
            info["you"] = self.bot_seat
        outcome = None if self.state is None else self.game.outcome(self.state)
        if outcome is not None:
            info |= {"result": msgspec.to_builtins(outcome), "seed": self._seed.hex()}
        return info
