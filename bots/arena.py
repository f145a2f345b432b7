"""The local arena: bots play many games against each other by the real rules, without a network.

A deal is the seed of a table. Each deal is played once for every rotation of the bots round the seats, so every
bot plays every seat of it and all bots have the same luck.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from bots.arena_table import ArenaTable, view_and_offers
from bots.entrants import Entrant, Fault, labels, make_entrant
from bots.offers import Move, fill
from games.core import judge, read_move
from games.refusals import IllegalMove

MAX_ENTRIES = 50_000
DEALS_BETWEEN = 10  # looks at a sequential test


@dataclass(frozen=True)
class Contest:
    """What to play: the bots in the order of the seats, and the number of deals."""

    game: str
    bots: tuple[str, ...]
    deals: int
    seed: int
    options: tuple[tuple[str, Any], ...] = ()
    timeout_s: float = 10.0
    save: str = ""  # the folder for replays, if they are wanted


@dataclass
class Tally:
    """What a bot did in one game."""

    decisions: int = 0
    seconds: float = 0.0
    faults: dict[str, int] = field(default_factory=dict)
    example: str | None = None  # the text of the first fault


@dataclass(frozen=True)
class PlayedGame:
    """The result of one game. Tuples are in the order of the contest's bots, not of the seats."""

    deal: int
    rotation: int
    places: tuple[int, ...]
    points: tuple[int, ...] | None
    entries: int
    cpu_s: float  # of this process: rules and house bots, but not bots in processes of their own
    tallies: tuple[Tally, ...]


def bots_by_seat(bots: int, rotation: int) -> tuple[int, ...]:
    """The index of the bot on each seat in this rotation."""
    return tuple((seat + rotation) % bots for seat in range(bots))


def play_deal(contest: Contest, deal: int, entrants: list[Entrant]) -> list[PlayedGame]:
    """Play the deal once for every rotation."""
    return [play_game(contest, deal, rotation, entrants) for rotation in range(len(contest.bots))]


def play_game(contest: Contest, deal: int, rotation: int, entrants: list[Entrant]) -> PlayedGame:
    """Play one game to its end."""
    started = time.process_time()
    name = f"{contest.seed}/{contest.game}/{deal}"
    order = random.Random(f"{name}/order")
    bot_at = bots_by_seat(len(entrants), rotation)
    chances = [random.Random(f"{name}/{rotation}/{bot}") for bot in range(len(entrants))]
    tallies = tuple(Tally() for _ in entrants)
    left_ms = round(contest.timeout_s * 1000)
    table = ArenaTable(contest.game, len(bot_at), dict(contest.options), f"{name}/{rotation}", name, left_ms)
    for entry in range(MAX_ENTRIES):
        outcome = table.game.outcome(table.state)
        if outcome is not None:
            places = tuple(outcome.places[bot_at.index(bot)] for bot in range(len(bot_at)))
            points = outcome.points and tuple(outcome.points[bot_at.index(bot)] for bot in range(len(bot_at)))
            if contest.save:
                _save(contest, table, bot_at)
            cpu_s = time.process_time() - started
            return PlayedGame(deal, rotation, places, points, entry, cpu_s, tallies)
        acting = table.game.to_act(table.state)
        seat = acting[0] if len(acting) == 1 else order.choice(acting)
        bot = bot_at[seat]
        _decide(table, seat, entrants[bot], chances[bot], tallies[bot])
    raise RuntimeError(f"deal {deal} of {contest.game} did not end in {MAX_ENTRIES} entries")


def _save(contest: Contest, table: ArenaTable, bot_at: tuple[int, ...]) -> None:
    names = labels(contest.bots)
    path = Path(contest.save) / f"{table.name.replace('/', '-')}.jsonl"
    path.write_text(table.replay([names[contest.bots[bot]] for bot in bot_at]), encoding="utf-8")


def _decide(table: ArenaTable, seat: int, bot: Entrant, own: random.Random, tally: Tally) -> None:
    """Make the bot's move, or a random move if the bot has made none that is legal."""
    view, offers = view_and_offers(table.game, table.state, seat)
    started = time.perf_counter()
    try:
        move = bot.decide(view, offers, own, lambda: table.turn(seat))
        tally.seconds += time.perf_counter() - started
        tally.decisions += 1
        table.commit(seat, move, _judge(table, seat, move))
        return
    except Fault as fault:
        tally.faults[fault.kind] = tally.faults.get(fault.kind, 0) + 1
        tally.example = tally.example or f"{fault.kind}: {fault}"
    move = fill(own.choice(offers), own)
    table.commit(seat, move, _judge(table, seat, move))


def _judge(table: ArenaTable, seat: int, move: Move) -> tuple[Any, ...]:
    try:
        return judge(table.game, table.state, seat, read_move(table.game, move), table.next_chance())
    except (IllegalMove, msgspec.ValidationError) as no:
        raise Fault("illegal", f"{move}: {no}") from None


def _play_in_worker(contest: Contest, deals: range) -> list[PlayedGame]:
    """Play some deals in a worker process, with bots of its own."""
    entrants = [make_entrant(bot, contest.game, contest.timeout_s) for bot in contest.bots]
    try:
        return [played for deal in deals for played in play_deal(contest, deal, entrants)]
    finally:
        for one in entrants:
            one.close()


Stop = Callable[[list[PlayedGame]], int | None]


def run(contest: Contest, jobs: int, progress: Callable[[int], None]) -> list[PlayedGame]:
    """Play all games of the contest, sorted by deal; `progress` is called with the number of games played so far."""
    return run_deals(contest, range(contest.deals), jobs, progress)


def run_until(contest: Contest, jobs: int, progress: Callable[[int], None], stop: Stop) -> list[PlayedGame]:
    """Play deals until `stop`, which gets all games so far, returns the number of deals that are enough.

    What was played beyond that number is left out, so the result does not depend on the number of processes.
    """
    played: list[PlayedGame] = []
    size = max(DEALS_BETWEEN, 2 * jobs)
    for first in range(0, contest.deals, size):
        before = len(played)
        deals = range(first, min(first + size, contest.deals))
        played += run_deals(contest, deals, jobs, lambda done, before=before: progress(before + done))  # type: ignore[misc]
        enough = stop(played)
        if enough is not None:
            return [one for one in played if one.deal < enough]
    return played


def run_deals(contest: Contest, deals: range, jobs: int, progress: Callable[[int], None]) -> list[PlayedGame]:
    """Play these deals."""
    played: list[PlayedGame] = []
    if jobs == 1:
        entrants = [make_entrant(bot, contest.game, contest.timeout_s) for bot in contest.bots]
        with contextlib.ExitStack() as closing:
            for one in entrants:
                closing.callback(one.close)
            for deal in deals:
                played += play_deal(contest, deal, entrants)
                progress(len(played))
        return played
    with ProcessPoolExecutor(jobs) as pool:
        waiting = {pool.submit(_play_in_worker, contest, part) for part in _batches(deals, jobs)}
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for part in done:
                played += part.result()
            progress(len(played))
    return sorted(played, key=lambda one: (one.deal, one.rotation))


def _batches(deals: range, jobs: int) -> Iterator[range]:
    """The deals in batches, small enough to be spread evenly over the workers and to show progress."""
    size = max(1, min(25, len(deals) // (jobs * 4)))
    return (deals[first : first + size] for first in range(0, len(deals), size))
