"""Round robin: every group of bots that fits at a table plays, with a cross-table and ratings."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean
from typing import Any
from xml.sax.saxutils import escape

from bots.arena import Contest, PlayedGame, run
from bots.arena_report import Estimate, clamped, estimate
from bots.entrants import labels

Results = list[tuple[tuple[str, ...], list[PlayedGame]]]


@dataclass(frozen=True)
class Rating:
    """A rating of openskill: the skill and its uncertainty. About two thirds of the truth is within one `sigma`."""

    mu: float
    sigma: float


@dataclass(frozen=True)
class CrossTable:
    """The results: `ahead[i][j]` is how often bot i was ahead of bot j at the same table, None for i = j.

    `score` is the mean of that over all other bots, with its 95 % interval. Bots are sorted by it, the best first.
    """

    game: str
    seats: int
    games: int
    seed: int
    bots: tuple[str, ...]
    score: tuple[Estimate, ...]
    ahead: tuple[tuple[float | None, ...], ...]
    ratings: tuple[Rating, ...] | None


def groups(bots: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """Every group of this many different bots."""
    return list(itertools.combinations(bots, seats))


def play_all(contest: Contest, seats: int, jobs: int, progress: Callable[[int], None]) -> Results:
    """Let every group of the contest's bots play its deals."""
    results: Results = []
    done = 0
    for number, group in enumerate(groups(contest.bots, seats)):
        before = done
        part = replace(contest, bots=group, seed=contest.seed * 1000 + number)
        played = run(part, jobs, lambda games, before=before: progress(before + games))  # type: ignore[misc]
        done += len(played)
        results.append((group, played))
    return results


def make_table(contest: Contest, seats: int, results: Results) -> CrossTable:
    """The cross-table of these results."""
    scores: dict[str, list[float]] = {bot: [] for bot in contest.bots}
    ahead: dict[tuple[str, str], list[float]] = {pair: [] for pair in itertools.permutations(contest.bots, 2)}
    for group, played in results:
        for _, deal in itertools.groupby(played, key=lambda one: one.deal):
            games = list(deal)
            for bot in group:
                shares = {other: _share(games, group, bot, other) for other in group if other != bot}
                scores[bot].append(fmean(shares.values()))
                for other, share in shares.items():
                    ahead[bot, other].append(share)
    order = sorted(contest.bots, key=lambda bot: -fmean(scores[bot]))
    names, rated = labels(contest.bots), ratings(contest.bots, results)
    return CrossTable(
        game=contest.game,
        seats=seats,
        games=sum(len(played) for _, played in results),
        seed=contest.seed,
        bots=tuple(names[bot] for bot in order),
        score=tuple(clamped(estimate(scores[bot]), 0, 1) for bot in order),
        ahead=tuple(tuple(None if bot == other else fmean(ahead[bot, other]) for other in order) for bot in order),
        ratings=None if rated is None else tuple(rated[bot] for bot in order),
    )


def _share(games: list[PlayedGame], group: tuple[str, ...], bot: str, other: str) -> float:
    mine, theirs = group.index(bot), group.index(other)
    places = [(one.places[mine], one.places[theirs]) for one in games]
    return fmean((a < b) + (a == b) / 2 for a, b in places)


def ratings(bots: Sequence[str], results: Results) -> dict[str, Rating] | None:
    """Ratings by openskill (Plackett-Luce), game by game; None if it is not installed."""
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        return None
    model = PlackettLuce()
    rated: dict[str, Any] = {bot: model.rating(name=bot) for bot in bots}
    for group, played in results:
        for one in played:
            new = model.rate([[rated[bot]] for bot in group], ranks=list(one.places))
            rated.update(zip(group, (team[0] for team in new), strict=True))
    return {bot: Rating(one.mu, one.sigma) for bot, one in rated.items()}


def as_dict(found: CrossTable) -> dict[str, object]:
    """The table for JSON."""
    return asdict(found)


def as_text(found: CrossTable) -> str:
    """The table as text."""
    head = ["", "bot", "rating", "ahead of others % [95 %]", *(str(number) for number in range(1, len(found.bots) + 1))]
    rows = [head]
    for number, bot in enumerate(found.bots):
        rating = found.ratings[number] if found.ratings else None
        one = found.score[number]
        interval = "" if one.low is None or one.high is None else f" [{100 * one.low:.1f}, {100 * one.high:.1f}]"
        cells = ["-" if cell is None else f"{100 * cell:.0f}" for cell in found.ahead[number]]
        rated = f"{rating.mu:.1f} ± {rating.sigma:.1f}" if rating else "-"
        rows.append([str(number + 1), bot, rated, f"{100 * one.mean:.1f}{interval}", *cells])
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    text = [
        f"{found.game}: round robin of {len(found.bots)} bots, {found.games} games of {found.seats} seats,"
        f" seed {found.seed}",
        "A cell is how often the bot of the row was ahead of that of the column, in per cent.",
        "",
        *("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows),
    ]
    if found.ratings is None:
        text += ["", "For ratings, install openskill."]
    return "\n".join(text) + "\n"


CELL, LEFT, TOP = 54, 190, 80


def as_svg(found: CrossTable) -> str:
    """The table as a plot: the stronger the colour, the more often the row is ahead of the column."""
    size = len(found.bots)
    wide, high = LEFT + size * CELL + 20, TOP + size * CELL + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}"'
        ' font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="12" y="24" font-size="15">{escape(found.game)}: round robin, {found.games} games,'
        f" seed {found.seed}</text>",
        '<text x="12" y="44">how often the row is ahead of the column, in per cent</text>',
    ]
    for row, bot in enumerate(found.bots):
        middle = TOP + row * CELL + CELL / 2 + 5
        parts.append(f'<text x="{LEFT - 8}" y="{middle}" text-anchor="end">{row + 1} {escape(bot)}</text>')
        parts.append(f'<text x="{LEFT + row * CELL + CELL / 2}" y="{TOP - 8}" text-anchor="middle">{row + 1}</text>')
        for column, share in enumerate(found.ahead[row]):
            if share is not None:
                parts += _cell(LEFT + column * CELL, TOP + row * CELL, share)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _cell(x: int, y: int, share: float) -> list[str]:
    size = CELL - 2
    return [
        f'<rect x="{x}" y="{y}" width="{size}" height="{size}" fill="#e0b83c" fill-opacity="{share:.2f}"/>',
        f'<text x="{x + size / 2}" y="{y + size / 2 + 5}" text-anchor="middle">{100 * share:.0f}</text>',
    ]
