"""Measures the masters against the bots that they have to beat, in duplicate games.

    python -m bench.masters [--games 500] [--seed 77] [--deals 240] [--jobs 2] [--only TEXT] [GAME ...]

Each line names the seats and the seed, so that `cheeseboard arena` can play the same games. Shares have 95 % intervals,
with a deal in all its rotations as one observation. "Ahead" counts pairs of seats at the same table; a tie counts half.
Masters play to be first, so the share of the first places that they get stands beside it. In Cheesedog, which has no
winner, "ahead" is how often one of the others loses.
What has been found so far goes to standard error after every 100 games.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

from bots.arena import Contest, PlayedGame, run_deals
from bots.arena_report import clamped, estimate, share
from bots.budget import Budget
from bots.generic import generic_bot
from bots.offers import Choose
from bots.players import player
from bots.sequential import score

OLD_ROOKIE, OLD_MASTER = "bench.old_bots:old_rookie", "bench.old_bots:old_master"
FIRST = {"chesterfield": 65, "do_my_bidding": 78, "cheesonomics": 60, "cheesonomics sharp": 60}  # per cent, at least
LAST = {"cheesedog": 7}  # per cent, at most
PLAIN = Budget(cpu_s=0.01)  # of each side of the comparison with plain search
DEALS_BETWEEN = 25  # reports
TABLES = ("chesterfield", "do_my_bidding", "cheesedog", "cheesonomics", "cheesonomics sharp")


def plain(game: str) -> Choose:
    """Plain search without our models and judgement, with 10 ms of CPU time for a decision."""
    return generic_bot(game, "master", PLAIN)


def master_10_ms(game: str) -> Choose:
    """A master with 10 ms of CPU time for a decision."""
    return player(game, "master", PLAIN)


@dataclass(frozen=True)
class Comparison:
    """One kind of contest: who sits where, what is measured of each deal, and the least or most that is wanted."""

    name: str
    bots: tuple[str, ...]
    measure: Callable[[Sequence[PlayedGame]], float]
    wanted: float | None = None
    at_most: bool = False
    beside: Callable[[Sequence[PlayedGame]], float] | None = None  # is printed, too


def place_share(place: str) -> Callable[[Sequence[PlayedGame]], float]:
    """The share of first or last places of the first bot."""

    def measure(games: Sequence[PlayedGame]) -> float:
        wanted = min if place == "first" else max
        return fmean(share(one.places, 0, wanted(one.places)) for one in games)

    return measure


def ahead(games: Sequence[PlayedGame]) -> float:
    """How often the bots on the even seats are ahead of those on the odd ones."""
    return score(games, (0, 2), (1, 3))


def won(games: Sequence[PlayedGame]) -> float:
    """The share of first places of the bots on the even seats."""
    return fmean(share(one.places, seat, 1) for one in games for seat in (0, 2)) * 2


def spared(games: Sequence[PlayedGame]) -> float:
    """How often a bot on the odd seats is last."""
    return fmean(share(one.places, seat, max(one.places)) for one in games for seat in (1, 3)) * 2


def comparisons(table: str, deals: int) -> list[Comparison]:
    """What is measured at a kind of table."""
    new, less = f"master:{deals}", f"master:{deals // 4}"
    goal, place = (LAST[table], "last") if table in LAST else (FIRST[table], "first")
    rookies, equal = (OLD_ROOKIE,) * 3, ("bench.masters:master_10_ms", "bench.masters:plain")
    better, first = (spared, None) if table in LAST else (ahead, won)
    return [
        Comparison(f"master {place} of three old rookies", (new, *rookies), place_share(place), goal, place == "last"),
        Comparison(f"rookie {place} of three old rookies", ("rookie", *rookies), place_share(place)),
        Comparison("master ahead of old master", (new, OLD_MASTER) * 2, better, 60, beside=first),
        Comparison("master ahead of plain search", equal * 2, better, 60, beside=first),
        Comparison("four times the budget ahead of once", (new, less) * 2, better, 54, beside=first),
    ]


def measure(table: str, what: Comparison, games: int, seed: int, jobs: int) -> str:
    """Play one contest; a line with its result."""
    game, _, variant = table.partition(" ")
    options = (("variant", variant),) if variant else ()
    contest = Contest(game, what.bots, -(-games // 4), seed, options)
    played: list[PlayedGame] = []
    for first in range(0, contest.deals, DEALS_BETWEEN):
        deals = range(first, min(first + DEALS_BETWEEN, contest.deals))
        played += run_deals(contest, deals, jobs, lambda done: None)
        found = result(table, what, played, seed)
        print(found, file=sys.stderr, flush=True)
    return found


def result(table: str, what: Comparison, played: list[PlayedGame], seed: int) -> str:
    """A line with what these games show."""
    deals = [list(group) for _, group in itertools.groupby(played, key=lambda one: one.deal)]
    mean, found = interval(what.measure, deals)
    verdict = ""
    if what.wanted is not None:
        met = mean <= what.wanted if what.at_most else mean >= what.wanted
        verdict = f", wanted {'at most' if what.at_most else 'at least'} {what.wanted}: {'met' if met else 'NOT MET'}"
    beside = f", first places {interval(what.beside, deals)[1]}" if what.beside else ""
    return (
        f"{table}: {what.name} {found}{verdict}{beside} ({len(played)} games, seed {seed}, seats {','.join(what.bots)})"
    )


def interval(measure: Callable[[Sequence[PlayedGame]], float], deals: list[list[PlayedGame]]) -> tuple[float, str]:
    """The mean of a measure over these deals in per cent, and as text with its interval."""
    found = clamped(estimate([100 * measure(deal) for deal in deals]), 0, 100)
    return found.mean, f"{found.mean:.1f} % [{found.low or 0:.1f}, {found.high or 100:.1f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the masters.")
    parser.add_argument("tables", nargs="*", choices=[*TABLES, []], help="default: all")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--deals", type=int, default=240, help="imagined deals of a master for a decision")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="measure only what contains this text")
    chosen = parser.parse_args()
    for table in chosen.tables or TABLES:
        for what in comparisons(table, chosen.deals):
            if chosen.only in what.name:
                print(measure(table, what, chosen.games, chosen.seed, chosen.jobs), flush=True)


if __name__ == "__main__":
    main()
