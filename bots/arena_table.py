"""One table of the arena: its state, what each seat has seen, and its replay."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec

from bots.offers import Move, Offer, View
from bots.turn import Turn
from games import GAMES
from games.chance import Chance
from games.core import AnyGame, fold


class ArenaTable:
    """A game from its start to its end. Entries are numbered as in the log of the service, so that replays verify.

    `left_ms` is the time for a decision, which bots are told.
    """

    def __init__(self, game: str, seats: int, options: dict[str, Any], name: str, deal: str, left_ms: int) -> None:
        self.game: AnyGame = GAMES[game]
        self.name = name
        self._seats = seats
        self._options = self.game.options(**options)
        self._left_ms = left_ms
        self.seed = sha256(deal.encode()).digest()
        self.n = seats + 1  # entry 1 opens the table, and each seat has an entry; the next one starts the game
        self._events: list[Any] = []
        self._seen = [0] * seats
        self._moves: list[tuple[int, Move, tuple[Any, ...], bool]] = []
        self._setup = self.game.setup(seats, self._options, self.next_chance())
        self.state: Any = None
        self._append(self._setup)

    def next_chance(self) -> Chance:
        """The chance of the next entry."""
        return Chance(self.seed, self.n + 1)

    def _append(self, events: tuple[Any, ...]) -> None:
        self.n += 1
        self.state = fold(self.game, events, self.state) if self._events else fold(self.game, events)
        self._events += events

    def commit(self, seat: int, move: Move, events: tuple[Any, ...]) -> None:
        """Append a move."""
        aside = move["type"] in {offer.move for offer in self.game.asides(self.state, seat)}
        self._moves.append((seat, move, events, aside))
        self._append(events)

    def turn(self, seat: int) -> Turn:
        """The circumstances of the decision of a seat, with the events since its last turn."""
        new, self._seen[seat] = self._events[self._seen[seat] :], len(self._events)
        shown = (self.game.show(event, seat) for event in new)
        return Turn(
            game=self.game.name,
            table=self.name,
            seat=seat,
            options=msgspec.to_builtins(self._options),
            ask=self.n,
            events=[msgspec.to_builtins(event) for event in shown if event is not None],
            left_ms=self._left_ms,
            asides=[msgspec.to_builtins(offer) for offer in self.game.asides(self.state, seat)],
        )

    def replay(self, names: list[str]) -> str:
        """The game so far as a replay file (docs/replay.md), with these names on the seats."""
        head = {
            "type": "table",
            "format": "cheeseboard-replay",
            "version": 1,
            "n": 1,
            "table": self.name,
            "game": self.game.name,
            "options": self._options,
            "seats": self._seats,
            "speed": "untimed",
            "seed": self.seed.hex(),
            "at": 0,
        }
        rows: list[dict[str, Any]] = [head]
        for seat, name in enumerate(names):
            rows.append({"type": "sat", "at": 0, "seat": seat, "user": f"arena-{seat}", "name": name, "bot": True})
        rows.append({"type": "started", "at": 0, "events": self._setup})
        for seat, move, events, aside in self._moves:
            user = f"arena-{seat}"
            moved = {"seat": seat, "by": "seat", "user": user, "key": str(len(rows)), "move": move, "events": events}
            rows.append({"type": "moved", "at": 0, **moved, **({"aside": True} if aside else {})})
        numbered = [{"n": n, **row} for n, row in enumerate(rows, 1)]
        result = {"type": "result", "outcome": self.game.outcome(self.state), "state": self.state}
        return "".join(f"{msgspec.json.encode(row).decode()}\n" for row in [*numbered, result])


def view_and_offers(game: AnyGame, state: Any, seat: int) -> tuple[View, list[Offer]]:
    """What a seat is asked, in the form that it has on the wire."""
    view = msgspec.to_builtins(game.view(state, seat))
    return view, [msgspec.to_builtins(offer) for offer in game.offers(state, seat)]
