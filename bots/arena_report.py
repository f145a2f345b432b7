"""The arena's report: shares of places, means and their 95 % confidence intervals, as text, JSON and a plot.

The games of one deal are not independent, so a deal is one observation: the mean over its rotations (and over all
seats of a bot that was entered more than once). A shared place counts as a fraction, so an average bot among n is
first in 1/n of the games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, stdev
from xml.sax.saxutils import escape

from bots.arena import Contest, PlayedGame
from bots.entrants import labels

Z95 = 1.959964
STUDENT = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622)  # 1 to 9 degrees of freedom


@dataclass(frozen=True)
class Estimate:
    """A mean and the ends of its 95 % confidence interval, which are None for a single observation."""

    mean: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class BotLine:
    """The results of one bot; `entered` is the number of its seats."""

    bot: str
    entered: int
    first: Estimate
    last: Estimate
    place: Estimate
    points: Estimate | None
    decisions: int
    ms_per_decision: float
    faults: dict[str, int]
    example: str | None


@dataclass(frozen=True)
class Report:
    """The results of a contest."""

    game: str
    seats: int
    deals: int
    games: int
    seed: int
    even: float
    lines: tuple[BotLine, ...]
    seconds: float
    jobs: int
    decisions: int
    games_per_s_core: float
    decisions_per_s_core: float


def estimate(observations: Sequence[float]) -> Estimate:
    """The mean with Student's confidence interval."""
    mean, n = fmean(observations), len(observations)
    if n < 2:
        return Estimate(mean, None, None)
    half = student95(n - 1) * stdev(observations) / math.sqrt(n)
    return Estimate(mean, mean - half, mean + half)


def student95(freedom: int) -> float:
    """The 97.5 % quantile of Student's distribution: from a table below ten, then by an expansion in 1 / freedom."""
    if freedom <= len(STUDENT):
        return STUDENT[freedom - 1]
    z, f = Z95, freedom
    return z + (z**3 + z) / (4 * f) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * f**2)


def share(places: Sequence[int], bot: int, wanted: int) -> float:
    """1 if this bot alone has the wanted place, 1/k if it shares it with k - 1 others, else 0."""
    return 1 / places.count(wanted) if places[bot] == wanted else 0.0


def make_report(contest: Contest, played: Sequence[PlayedGame], seconds: float, jobs: int) -> Report:
    """The report on these games."""
    by_deal: dict[int, list[PlayedGame]] = {}
    for one in played:
        by_deal.setdefault(one.deal, []).append(one)
    names = list(dict.fromkeys(contest.bots))
    lines = tuple(_bot_line(contest, name, list(by_deal.values()), played) for name in names)
    decisions = sum(line.decisions for line in lines)
    busy_s = sum(one.cpu_s for one in played)
    return Report(
        game=contest.game,
        seats=len(contest.bots),
        deals=len(by_deal),
        games=len(played),
        seed=contest.seed,
        even=1 / len(contest.bots),
        lines=lines,
        seconds=seconds,
        jobs=jobs,
        decisions=decisions,
        games_per_s_core=len(played) / busy_s,
        decisions_per_s_core=decisions / busy_s,
    )


def _bot_line(contest: Contest, name: str, deals: list[list[PlayedGame]], played: Sequence[PlayedGame]) -> BotLine:
    own = [bot for bot, other in enumerate(contest.bots) if other == name]

    def over(measure: str) -> Estimate:
        return estimate([fmean(_measure(one, bot, measure) for one in deal for bot in own) for deal in deals])

    tallies = [one.tallies[bot] for one in played for bot in own]
    faults: dict[str, int] = {}
    for tally in tallies:
        for kind, times in tally.faults.items():
            faults[kind] = faults.get(kind, 0) + times
    decisions = sum(tally.decisions for tally in tallies)
    return BotLine(
        bot=labels(contest.bots)[name],
        entered=len(own),
        first=clamped(over("first"), 0, 1),
        last=clamped(over("last"), 0, 1),
        place=clamped(over("place"), 1, len(contest.bots)),
        points=over("points") if played[0].points else None,
        decisions=decisions,
        ms_per_decision=1000 * sum(tally.seconds for tally in tallies) / max(1, decisions),
        faults=faults,
        example=next((tally.example for tally in tallies if tally.example), None),
    )


def clamped(one: Estimate, least: int, most: int) -> Estimate:
    """Limit the interval to the possible values of a share or a place."""
    if one.low is None or one.high is None:
        return one
    return Estimate(one.mean, max(least, one.low), min(most, one.high))


def _measure(one: PlayedGame, bot: int, measure: str) -> float:
    match measure:
        case "first":
            return share(one.places, bot, 1)
        case "last":
            return share(one.places, bot, max(one.places))
        case "place":
            return one.places[bot] + (one.places.count(one.places[bot]) - 1) / 2
        case _:
            assert one.points
            return one.points[bot]


def as_dict(found: Report) -> dict[str, object]:
    """The report for JSON; what depends on the speed of the machine is under `speed`."""
    whole = asdict(found)
    timed = ("seconds", "jobs", "games_per_s_core", "decisions_per_s_core")
    speed = {key: whole.pop(key) for key in timed}
    speed["ms_per_decision"] = [line.pop("ms_per_decision") for line in whole["lines"]]
    return {**whole, "speed": speed}


def as_text(found: Report) -> str:
    """The report as text."""
    rows = [("bot", "seats", "first %", "last %", "mean place", "points", "ms/decision")]
    for line in found.lines:
        rows.append(
            (
                line.bot,
                str(line.entered),
                _percent(line.first),
                _percent(line.last),
                _number(line.place, 2),
                _number(line.points, 1) if line.points else "-",
                f"{line.ms_per_decision:.2f}",
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    text = [
        f"{found.game}: {found.games} games, {found.deals} deals in every rotation of {found.seats} seats,"
        f" seed {found.seed}",
        f"Even is {100 * found.even:.1f} % for first and for last. In brackets: 95 % confidence, by deals.",
        "",
        *("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows),
        "",
        f"{found.decisions:,} decisions in {found.seconds:.1f} s"
        f" with {found.jobs} process{'es'[: 2 * (found.jobs > 1)]}; for each second of CPU"
        f" {_rate(found.games_per_s_core)} games and {_rate(found.decisions_per_s_core)} decisions",
    ]
    for line in found.lines:
        if line.faults:
            counts = ", ".join(f"{times} x {kind}" for kind, times in sorted(line.faults.items()))
            text.append(f"{line.bot} made bad decisions, replaced by random moves: {counts}. The first: {line.example}")
    return "\n".join(text) + "\n"


def _rate(each_s: float) -> str:
    return f"{each_s:,.0f}" if each_s >= 100 else f"{each_s:.3g}"


def _percent(one: Estimate) -> str:
    return _number(Estimate(*(None if x is None else 100 * x for x in (one.mean, one.low, one.high))), 1)  # type: ignore[arg-type]


def _number(one: Estimate, digits: int) -> str:
    if one.low is None or one.high is None:
        return f"{one.mean:.{digits}f}"
    return f"{one.mean:.{digits}f} [{one.low:.{digits}f}, {one.high:.{digits}f}]"


ROW, LEFT, WIDE, TOP = 34, 150, 420, 56


def as_svg(found: Report) -> str:
    """A plot of each bot's share of first and of last places with its interval, and a line at 1/n."""
    lines = found.lines
    high = TOP + 2 * (len(lines) * ROW + 46)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDE + 60}" height="{high}"'
        ' font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="12" y="24" font-size="15">{escape(found.game)}: {found.games} duplicate games,'
        f" seed {found.seed}</text>",
    ]
    for panel, title in enumerate(("first", "last")):
        top = TOP + panel * (len(lines) * ROW + 46)
        parts.append(f'<text x="12" y="{top}">share of {title} places, 95 % confidence; dashed: even</text>')
        for row, line in enumerate(lines):
            parts += _bar(line.bot, getattr(line, title), top + 12 + row * ROW)
        x = LEFT + WIDE * found.even
        bottom = top + 12 + len(lines) * ROW
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top + 6}" y2="{bottom}" stroke="#444" stroke-dasharray="4 3"/>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def _bar(name: str, one: Estimate, top: int) -> list[str]:
    middle = top + ROW / 2
    parts = [
        f'<text x="{LEFT - 8}" y="{middle + 4:.1f}" text-anchor="end">{escape(name)}</text>',
        f'<rect x="{LEFT}" y="{top + 6}" width="{WIDE * one.mean:.1f}" height="{ROW - 12}" fill="#e0b83c"/>',
        f'<text x="{LEFT + WIDE + 8}" y="{middle + 4:.1f}">{100 * one.mean:.1f} %</text>',
    ]
    if one.low is not None and one.high is not None:
        low, high = (LEFT + WIDE * min(1.0, max(0.0, end)) for end in (one.low, one.high))
        parts.append(f'<path d="M{low:.1f} {middle}H{high:.1f}" stroke="black" stroke-width="2"/>')
    return parts
