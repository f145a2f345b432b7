"""Computer analysis of a finished game: house bots play it out again and again from its own moments.

Every moment is looked at as the seat to act knew it: what that seat could not know is dealt anew (`imagine`) for each
game that is played out. Rookies play on, because they answer at once. How much is computed is fixed, so a replay has
the same analysis on every machine, unless the time limit ends it first.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import msgspec

from bots.analysis import judge_alternatives
from bots.arena_table import view_and_offers
from bots.budget import Budget
from bots.memory import Memory, recall
from bots.offers import Choose, Move, finished
from bots.players import player, quick_player
from bots.recorded import NoReplay, read_rows, steps
from games.chance import Chance
from games.core import AnyGame, Outcome, fold, judge, read_move
from games.offers import count_fillings, fill, fillings

MAX_GAMES = 100  # played out from one moment
WHOLE_GAMES = 200  # played out from each decision of a whole game, if MAX_MOVES allows it
MAX_MOVES = 1_000_000  # simulated for the analysis of a whole game, unless the operator sets another number
MAX_CPU_S = 100.0  # for one analysis; what is known by then is the result
MAX_WALL_S = 400.0  # on the clock: live games may leave little CPU, and the analyst ends jobs after ten minutes
MAX_PLAYOUT = 3_000  # moves: a game that takes longer counts as a tie of all seats
MAX_COMPARED = 8  # moves of one decision
MAX_LISTED = 200  # fillings of an offer: of more, some are drawn at random
COMPARED_GAMES = 60  # played out after each of them
MASTERS_BUDGET = Budget(deals=200, wall_s=MAX_WALL_S / 2)  # of the master who is asked about one decision
SWINGS = 3

Progress = Callable[[float], None]


class BadAnalysis(Exception):  # noqa: N818
    """The file is not a replay, or has no such moment."""


@dataclass(frozen=True)
class Moment:
    """The state before entry `n`, and the seat that moves in it; `move` is what it did."""

    n: int
    seat: int
    state: Any
    move: Any


@dataclass(frozen=True)
class Recorded:
    """A recorded game: its decisions, its states by entry, how it ended, and its events with their entries.

    The events are empty if the game plays on from another one: nobody knows what was seen before.
    """

    game: AnyGame
    seats: int
    seed: bytes
    moments: list[Moment]
    states: dict[int, Any]
    outcome: Outcome
    events: list[tuple[int, Any]]


def read(text: Iterable[str]) -> Recorded:
    """Read a replay file (docs/replay.md)."""
    try:
        rows, game = read_rows(text)
    except NoReplay as fault:
        raise BadAnalysis(str(fault)) from None
    head, state = rows[0], None
    moments: list[Moment] = []
    states: dict[int, Any] = {}
    events: list[tuple[int, Any]] = []
    for step in steps(rows, game):
        row, n, state = step.row, step.row["n"], step.after
        if row["type"] == "moved" and not row.get("aside"):
            moments.append(Moment(n, row["seat"], step.before, read_move(game, row["move"])))
        events += [(n, event) for event in step.events]
        states[n] = state
    outcome = None if state is None else game.outcome(state)
    if outcome is None:
        raise BadAnalysis("the game has not ended")
    seed = sha256(f"analysis {head['table']} {head['seed']}".encode()).digest()
    return Recorded(game, head["seats"], seed, moments, states, outcome, [] if "source" in head else events)


# Playing out.


class Playouts:
    """Plays games out, and counts the moves that it makes."""

    def __init__(self, recorded: Recorded) -> None:
        self.game = recorded.game
        self.seed = recorded.seed
        self.moves = 0
        self._choose: Choose = quick_player(recorded.game.name)
        self._ends_at = time.process_time() + MAX_CPU_S
        self._wall_ends_at = time.monotonic() + MAX_WALL_S

    @property
    def late(self) -> bool:
        """Whether the time is over."""
        return time.process_time() > self._ends_at or time.monotonic() > self._wall_ends_at

    def imagined(self, state: Any, seat: int, number: int) -> Any:
        """The state with everything dealt anew that this seat does not know."""
        return self.game.imagine(self.game.view(state, seat), seat, Chance(self.seed, 2 * number))

    def play_out(self, state: Any, number: int) -> Outcome | None:
        """Let rookies play from this state to the end; None if that takes too long."""
        game, chance, own = self.game, Chance(self.seed, 2 * number + 1), random.Random(number)
        outcome = game.outcome(state)
        for _ in range(MAX_PLAYOUT):
            if outcome is not None:
                return outcome
            acting = game.to_act(state)
            seat = acting[0] if len(acting) == 1 else chance.pick(acting)
            move, _ = finished(self._choose(*view_and_offers(game, state, seat), own))
            state = fold(game, game.play(state, seat, read_move(game, move), chance), state)
            outcome = game.outcome(state)
            self.moves += 1
        return outcome


def shares(outcome: Outcome | None, seats: int) -> list[float]:
    """What each seat has of the first place: all, nothing, or an equal share of a tie."""
    if outcome is None:
        return [1 / seats] * seats
    firsts = outcome.places.count(1)
    return [(place == 1) / firsts for place in outcome.places]


# The whole game.


def whole(recorded: Recorded, progress: Progress, max_moves: int = MAX_MOVES) -> dict[str, Any]:
    """The chances of every seat before each decision, and the moves after which they changed most."""
    playing, moments = Playouts(recorded), recorded.moments
    sums = [[0.0] * recorded.seats for _ in moments]
    games = 0
    while games < WHOLE_GAMES and playing.moves < max_moves and not (games and playing.late):
        for index, moment in enumerate(moments):
            number = games * len(moments) + index
            state = playing.imagined(moment.state, moment.seat, number)
            for seat, share in enumerate(shares(playing.play_out(state, number), recorded.seats)):
                sums[index][seat] += share
        games += 1
        progress(min(1.0, max(games / WHOLE_GAMES, playing.moves / max_moves)))
    chances = [[round(one / games, 3) for one in row] for row in sums]
    return {
        "games": games,
        "decisions": [
            {"n": one.n, "seat": one.seat, "chances": row} for one, row in zip(moments, chances, strict=True)
        ],
        "swings": swings(moments, [*chances, shares(recorded.outcome, recorded.seats)], games),
    }


def swings(moments: list[Moment], chances: list[list[float]], games: int) -> list[dict[str, Any]]:
    """The decisions after which the chance of a seat changed most, and by more than two standard errors."""
    noise = 2 * math.sqrt(2 * 0.25 / max(1, games))
    found = []
    for moment, before, after in zip(moments, chances, chances[1:], strict=False):
        of = max(range(len(before)), key=lambda seat: abs(after[seat] - before[seat]))
        if abs(after[of] - before[of]) > noise:
            found.append({"n": moment.n, "seat": moment.seat, "of": of, "from": before[of], "to": after[of]})
    return sorted(found, key=lambda one: -abs(one["to"] - one["from"]))[:SWINGS]


# One decision.


def decision(recorded: Recorded, n: int, progress: Progress) -> dict[str, Any]:
    """What the master would do instead of entry n, and the mover's chance after each of some moves."""
    moment = next((one for one in recorded.moments if one.n == n), None)
    if moment is None:
        raise BadAnalysis(f"entry {n} is not a decision")
    playing, game = Playouts(recorded), recorded.game
    view, offers = view_and_offers(game, moment.state, moment.seat)
    thought = judge_alternatives(game.name, view, offers, MASTERS_BUDGET, n, memory_of(recorded, moment))
    master = thought[0][0] if thought else finished(player(game.name, "master")(view, offers, random.Random(n)))[0]
    played = msgspec.to_builtins(moment.move)
    moves = alternatives(game, moment, [master, played], Chance(recorded.seed, n))
    sums, games = [0.0] * len(moves), 0
    while games < COMPARED_GAMES and not (games and playing.late):
        number = games
        state = playing.imagined(moment.state, moment.seat, number)
        for index, move in enumerate(moves):
            chance = Chance(recorded.seed, n + number)
            try:
                after = fold(game, judge(game, state, moment.seat, read_move(game, move), chance), state)
            except Exception:  # a move may depend on what is dealt anew: it counts as it does in a tie
                sums[index] += 1 / recorded.seats
                continue
            sums[index] += shares(playing.play_out(after, number), recorded.seats)[moment.seat]
        games += 1
        progress(games / COMPARED_GAMES)
    best = sorted(zip(moves, sums, strict=True), key=lambda pair: -pair[1])
    compared = [{"move": move, "chance": round(one / games, 3)} for move, one in best]
    return {
        "n": n,
        "seat": moment.seat,
        "played": played,
        "master": master,
        "thought": [{"move": move, "value": round(value, 3)} for move, value in thought],
        "games": games,
        "moves": compared,
    }


def memory_of(recorded: Recorded, moment: Moment) -> Memory | None:
    """What the mover remembers beyond its view, if masters of the game use that."""
    game = recorded.game
    if not recorded.events:
        return None
    shown = (game.show(event, moment.seat) for n, event in recorded.events if n < moment.n)
    return recall(game.name, (msgspec.to_builtins(event) for event in shown if event is not None))


def alternatives(game: AnyGame, moment: Moment, first: list[Move], chance: Chance) -> list[Move]:
    """Moves to compare: these, and others of all offers in turn, up to MAX_COMPARED."""
    lists = []
    for offer in game.offers(moment.state, moment.seat):
        few = count_fillings(offer) <= MAX_LISTED
        lists.append(list(fillings(offer)) if few else [fill(offer, chance) for _ in range(MAX_COMPARED)])
    found: dict[bytes, Move] = {}
    for move in first:
        found.setdefault(_key(game, move), move)
    spread = [list(chance.shuffled(one)) for one in lists]
    while len(found) < MAX_COMPARED and any(spread):
        for one in spread:
            if one and len(found) < MAX_COMPARED:
                move = one.pop()
                found.setdefault(_key(game, move), msgspec.to_builtins(move))
    return list(found.values())


def _key(game: AnyGame, move: Move) -> bytes:
    return msgspec.json.encode(read_move(game, msgspec.to_builtins(move)))


# One moment, played out.


def playouts(recorded: Recorded, n: int, progress: Progress) -> dict[str, Any]:
    """How the game ends when rookies play on from the position after entry n, each time with another deal."""
    state = recorded.states.get(n)
    if state is None or recorded.game.outcome(state) is not None:
        raise BadAnalysis(f"the game was not running after entry {n}")
    playing = Playouts(recorded)
    seat = recorded.game.to_act(state)[0]
    wins = [0.0] * recorded.seats
    points: list[tuple[int, ...]] = []
    games = 0
    while games < MAX_GAMES and not (games and playing.late):
        outcome = playing.play_out(playing.imagined(state, seat, games), games)
        for other, share in enumerate(shares(outcome, recorded.seats)):
            wins[other] += share
        if outcome is not None and outcome.points is not None:
            points.append(outcome.points)
        games += 1
        progress(games / MAX_GAMES)
    by_seat = [sorted(one[other] for one in points) for other in range(recorded.seats)] if points else None
    return {"n": n, "seat": seat, "games": games, "wins": [round(one, 2) for one in wins], "points": by_seat}
