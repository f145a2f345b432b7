"""The house bots of 16 November 2026, unchanged, to measure newer ones against.

    cheeseboard arena chesterfield --seats master,bench.old_bots:old_rookie,...

They play the games that have a bot of their own.
"""

from __future__ import annotations

from bench.old_bots import cheesedog, cheesonomics, chesterfield, do_my_bidding
from bots.offers import Choose

BOTS = {
    "chesterfield": chesterfield,
    "do_my_bidding": do_my_bidding,
    "cheesedog": cheesedog,
    "cheesonomics": cheesonomics,
}


def old_rookie(game: str) -> Choose:
    """The rookie of that day."""
    choose: Choose = BOTS[game].rookie
    return choose


def old_master(game: str) -> Choose:
    """The master of that day."""
    choose: Choose = BOTS[game].master
    return choose
