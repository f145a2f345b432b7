"""Random games: `python -m tests.playout GAME... --games 2000` plays them and says how they ended.

Each game must end. Until then every seat that may act must have an offer, and no piece or dollar may be lost.

A random player fills a random offer of a random seat that may act. Now and then a seat makes an aside or lets its time
run out. The same seed plays the same games.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from games import GAMES
from games.chance import Chance
from games.core import AnyGame, Seat, fold, judge, option_choices, read_move
from games.offers import fill

SEED = os.environ.get("CHEESEBOARD_TEST_SEED", "cheeseboard")
MOST_ENTRIES = 50_000  # a game that needs more does not end


class Step(NamedTuple):
    """One entry of a log, with the states before and after it."""

    entry: int
    state: Any
    seat: Seat
    move: Any
    absent: bool
    events: tuple[Any, ...]
    after: Any


class Case(NamedTuple):
    """A game with a number of seats and its options."""

    game: AnyGame
    seats: int
    options: Any

    def __str__(self) -> str:
        chosen = (f"{name}={getattr(self.options, name)}" for name in self.options.__struct_fields__)
        return "-".join((self.game.name, str(self.seats), *chosen))

    def __repr__(self) -> str:
        return str(self)


def table_size(game: AnyGame, wanted: int = 3) -> int:
    """Return the number of seats that the game allows and that is nearest to the wanted one."""
    return min(max(wanted, game.seats[0]), game.seats[-1])


def all_options(game: AnyGame) -> list[Any]:
    """Return every combination of the game's options, the default first."""
    choices = option_choices(game)
    return [game.options(**dict(zip(choices, chosen, strict=True))) for chosen in itertools.product(*choices.values())]


def cases(game: AnyGame) -> list[Case]:
    """Return every number of seats with every combination of options."""
    return [Case(game, seats, options) for seats in game.seats for options in all_options(game)]


def steps(case: Case, seed: str, absences: bool = True) -> Iterator[Step]:
    """Play a random game to its end. Yield its steps; the set-up is not a step."""
    game = case.game
    state = fold(game, game.setup(case.seats, case.options, Chance(seed.encode(), 0)))
    yield from steps_from(case, state, seed, absences)


def steps_from(case: Case, state: Any, seed: str, absences: bool = True) -> Iterator[Step]:
    """Play a random game from this state to its end. Raise AssertionError if it does not end."""
    game = case.game
    table, players = seed.encode(), f"{seed}/players".encode()
    for entry in range(1, MOST_ENTRIES):
        if game.outcome(state) is not None:
            return
        player = Chance(players, entry)
        seat, move, absent = _choose(case, state, player, absences)
        chance = Chance(table, entry)
        events = game.play(state, seat, move, chance) if absent else judge(game, state, seat, move, chance)
        after = fold(game, events, state)
        yield Step(entry, state, seat, move, absent, events, after)
        state = after
    raise AssertionError(f"{game.name} did not end in {MOST_ENTRIES} entries, seed {seed!r}")


def _choose(case: Case, state: Any, player: Chance, absences: bool) -> tuple[Seat, Any, bool]:
    game = case.game
    acting = game.to_act(state)
    assert acting, f"nobody may act and {game.name} is not over"
    kind = player.below(16)
    if kind == 0:
        asides = [(seat, one) for seat in range(case.seats) for one in game.asides(state, seat)]
        if asides:
            seat, one = player.pick(asides)
            return seat, read_move(game, fill(one, player)), False
    seat = player.pick(acting)
    if kind == 1 and absences:
        return seat, game.absent(state, seat), True
    return seat, read_move(game, fill(player.pick(game.offers(state, seat)), player)), False


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.playout", description=__doc__)
    parser.add_argument("games", nargs="*", choices=[*GAMES, []], metavar="GAME", help="all if none is named")
    parser.add_argument("--games", type=int, default=100, dest="count", help="for every number of seats")
    parser.add_argument("--of-each", type=int, default=0, help="of a game at least so many in all")
    parser.add_argument("--seats", type=int, help="only this number of seats")
    parser.add_argument("--seed", default=SEED)
    chosen = parser.parse_args(arguments)
    for name in chosen.games or list(GAMES):
        game = GAMES[name]
        count = max(chosen.count, -(-chosen.of_each // len(game.seats)))
        for seats in game.seats:
            if chosen.seats in (None, seats):
                print(_report(game, seats, count, chosen.seed), flush=True)
    return 0


def _report(game: AnyGame, seats: int, count: int, seed: str) -> str:
    """Play the games, with each combination of options in turn. Return a line about their lengths and ends."""
    started = time.process_time()
    lengths: list[int] = []
    rules: Counter[str] = Counter()
    options = all_options(game)
    pieces = importlib.import_module(f"tests.games.test_{game.name}").pieces
    for number in range(count):
        case = Case(game, seats, options[number % len(options)])
        own = f"{seed}/{case}/{number}"
        first: Any = None
        for step in steps(case, own):
            first = first or pieces(step.state)
            assert pieces(step.after) == first, f"entry {step.entry} of {own!r} loses or doubles something"
        lengths.append(step.entry)
        outcome = game.outcome(step.after)
        assert outcome
        rules[outcome.rule] += 1
    taken_s = time.process_time() - started
    lengths.sort()
    ends = " ".join(f"{rule}:{times}" for rule, times in sorted(rules.items()))
    return (
        f"{game.name} {seats} seats: {count} games ended, entries median {lengths[count // 2]}, "
        f"99th percentile {lengths[count * 99 // 100]}, most {lengths[-1]}; "
        f"{int(sum(lengths) / taken_s)} entries/s, by {ends} (seed {seed!r})"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
