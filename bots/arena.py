"""The local arena: bots play many games against each other, without a network, by the same rules.

A deal is a table's seed. Each deal is played once for every rotation of the bots round the seats, so that
every bot has had every seat of it: what is left of luck is the same for all.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import msgspec

from bots.entrants import Entrant, Fault, entrant
from bots.players import by_chance
from bots.sdk import Move, Offer, View
from games import GAMES
from games.chance import Chance
from games.core import AnyGame, IllegalMove, fold, judge, read_move

MOST_ENTRIES = 50_000


@dataclass(frozen=True)
class Contest:
    """What is to be played: the bots in the order of the seats, and how often."""

    game: str
    bots: tuple[str, ...]
    deals: int
    seed: int
    options: tuple[tuple[str, Any], ...] = ()
    timeout_s: float = 10.0


@dataclass
class Tally:
    """What a bot did in one game."""

    decisions: int = 0
    seconds: float = 0.0
    faults: dict[str, int] = field(default_factory=dict)
    example: str | None = None  # the first fault, in words


@dataclass(frozen=True)
class Played:
    """One game: by bot, in the order of the contest, not by seat."""

    deal: int
    rotation: int
    places: tuple[int, ...]
    points: tuple[int, ...] | None
    entries: int
    cpu_s: float  # of the arena's own process, house bots included
    tallies: tuple[Tally, ...]


def seated(bots: int, rotation: int) -> tuple[int, ...]:
    """For each seat, which bot has it in this rotation."""
    return tuple((seat + rotation) % bots for seat in range(bots))


def play_deal(contest: Contest, deal: int, entrants: list[Entrant]) -> list[Played]:
    """The same deal once for every rotation."""
    return [play_game(contest, deal, rotation, entrants) for rotation in range(len(contest.bots))]


def play_game(contest: Contest, deal: int, rotation: int, entrants: list[Entrant]) -> Played:
    """One whole game."""
    game = GAMES[contest.game]
    started = time.process_time()
    name = f"{contest.seed}/{contest.game}/{deal}"
    table = sha256(name.encode()).digest()
    order = random.Random(f"{name}/order")
    at = seated(len(entrants), rotation)
    chances = [random.Random(f"{name}/{rotation}/{bot}") for bot in range(len(entrants))]
    tallies = tuple(Tally() for _ in entrants)
    state = fold(game, game.setup(len(at), game.options(**dict(contest.options)), Chance(table, 0)))
    for entry in range(1, MOST_ENTRIES):
        outcome = game.outcome(state)
        if outcome is not None:
            places = tuple(outcome.places[at.index(bot)] for bot in range(len(at)))
            points = outcome.points and tuple(outcome.points[at.index(bot)] for bot in range(len(at)))
            cpu_s = time.process_time() - started
            return Played(deal, rotation, places, points, entry - 1, cpu_s, tallies)
        acting = game.to_act(state)
        seat = acting[0] if len(acting) == 1 else order.choice(acting)
        bot = at[seat]
        events = _step(game, state, seat, entrants[bot], chances[bot], tallies[bot], Chance(table, entry))
        state = fold(game, events, state)
    raise RuntimeError(f"deal {deal} of {game.name} did not end in {MOST_ENTRIES} entries")


def asked(game: AnyGame, state: Any, seat: int) -> tuple[View, list[Offer]]:
    """The view and the offers of a seat as they come over the wire."""
    view = msgspec.to_builtins(game.view(state, seat))
    return view, [msgspec.to_builtins(offer) for offer in game.offers(state, seat)]


def _step(
    game: AnyGame, state: Any, seat: int, bot: Entrant, own: random.Random, tally: Tally, chance: Chance
) -> tuple[Any, ...]:
    """What the bot's decision makes happen; a move by chance in place of a bad one."""
    view, offers = asked(game, state, seat)
    started = time.perf_counter()
    try:
        move = bot.decide(game.name, view, offers, own)
        tally.seconds += time.perf_counter() - started
        tally.decisions += 1
        return _judge(game, state, seat, move, chance)
    except Fault as fault:
        tally.faults[fault.kind] = tally.faults.get(fault.kind, 0) + 1
        tally.example = tally.example or f"{fault.kind}: {fault}"
    stand_in = by_chance(view, offers, own)
    assert isinstance(stand_in, dict)
    return judge(game, state, seat, read_move(game, stand_in), chance)


def _judge(game: AnyGame, state: Any, seat: int, move: Move, chance: Chance) -> tuple[Any, ...]:
    try:
        return judge(game, state, seat, read_move(game, move), chance)
    except (IllegalMove, msgspec.ValidationError) as no:
        raise Fault("illegal", f"{move}: {no}") from None


def _play_apart(contest: Contest, deals: range) -> list[Played]:
    """Some deals in a process of its own, with bots of its own."""
    entrants = [entrant(bot, contest.game, contest.timeout_s) for bot in contest.bots]
    try:
        return [played for deal in deals for played in play_deal(contest, deal, entrants)]
    finally:
        for one in entrants:
            one.close()


def run(contest: Contest, jobs: int, progress: Callable[[int], None]) -> list[Played]:
    """All games of the contest in the order of deals; `progress` is told how many have been played."""
    played: list[Played] = []
    if jobs == 1:
        entrants = [entrant(bot, contest.game, contest.timeout_s) for bot in contest.bots]
        with contextlib.ExitStack() as leaving:
            for one in entrants:
                leaving.callback(one.close)
            for deal in range(contest.deals):
                played += play_deal(contest, deal, entrants)
                progress(len(played))
        return played
    with ProcessPoolExecutor(jobs) as pool:
        waiting = {pool.submit(_play_apart, contest, part) for part in _parts(contest.deals, jobs)}
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for part in done:
                played += part.result()
            progress(len(played))
    return sorted(played, key=lambda one: (one.deal, one.rotation))


def _parts(deals: int, jobs: int) -> Iterator[range]:
    """The deals in parts: small enough to share out evenly, and to show progress."""
    size = max(1, min(25, deals // (jobs * 4)))
    return (range(first, min(first + size, deals)) for first in range(0, deals, size))
