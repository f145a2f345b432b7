"""A sequential test: play until it is sure which of two bots is better, and no longer.

Wald's sequential probability ratio test of two hypotheses about the mean score of bot A against bot B over a deal:
0.5 - EDGE against 0.5 + EDGE. The log likelihood ratio is that of normal observations with the variance found so far,
which is what tests of chess engines use. A deal, over all its rotations, is one observation, because both bots then
have had the same luck.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from bots.arena import PlayedGame

MIN_DEALS = 10  # before which the variance is not known well enough
PRIOR_DEALS = 5  # the variance begins as if so many deals had had the greatest one, or few deals would decide too often
MAX_VARIANCE = 0.25  # of a score between 0 and 1


@dataclass(frozen=True)
class ErrorRates:
    """The error rates: `alpha` of taking the worse bot for better, `beta` of the reverse, at least `edge` apart."""

    alpha: float = 0.05
    beta: float = 0.05
    edge: float = 0.03


@dataclass(frozen=True)
class Verdict:
    """The state of a test after so many deals: 1 if A is better, -1 if B is, 0 if that is not sure."""

    deals: int
    score: float
    llr: float
    lower: float
    upper: float

    @property
    def better(self) -> int:
        """Which bot is better, as far as it is sure."""
        return (self.llr >= self.upper) - (self.llr <= self.lower)


def score(games: Sequence[PlayedGame], a: Sequence[int], b: Sequence[int]) -> float:
    """How often A is ahead of B in the games of one deal, over all pairs of their seats; a tie counts half."""
    pairs = [(one.places[mine], one.places[other]) for one in games for mine in a for other in b]
    return fmean((mine < other) + (mine == other) / 2 for mine, other in pairs)


def judge(scores: Sequence[float], rates: ErrorRates) -> Verdict:
    """The verdict on the scores of A over all these deals."""
    return _verdict(len(scores), sum(scores), sum(one * one for one in scores), rates)


def first_verdict(scores: Sequence[float], rates: ErrorRates) -> Verdict:
    """The verdict at the first deal that decides, or after all of them."""
    total = squares = 0.0
    for deals, one in enumerate(scores, 1):
        total += one
        squares += one * one
        found = _verdict(deals, total, squares, rates)
        if found.better:
            return found
    return judge(scores, rates)


def _verdict(deals: int, total: float, squares: float, rates: ErrorRates) -> Verdict:
    lower, upper = math.log(rates.beta / (1 - rates.alpha)), math.log((1 - rates.beta) / rates.alpha)
    if deals < MIN_DEALS:
        return Verdict(deals, total / deals if deals else 0.5, 0.0, lower, upper)
    mean = total / deals
    variance = (squares - deals * mean * mean + PRIOR_DEALS * MAX_VARIANCE) / (deals + PRIOR_DEALS)
    return Verdict(deals, mean, 2 * rates.edge * deals * (mean - 0.5) / variance, lower, upper)
