"""How long house bots wait before a move that somebody watches, in units of BOT_PAUSE_MS.

They wait until people have been shown what just happened, and longer over a harder decision. The server says how long
pages play out dice, a gavel or a hidden card (`shown_ms` of an ask); other events get a short moment each. Nothing is
random here: a pause says something about the decision, as a person's does.
"""

from __future__ import annotations

import math

from bots.offers import Info, Offer

SHOWN = 0.2  # for each event of the last entry, if the page plays out nothing longer
MOST_SHOWN = 6  # events that are waited for
ONLY_MOVE = 0.4  # for a move without an alternative
DOUBLED = 0.2  # more, each time that the number of alternatives doubles
HARDEST = 1.6  # for the largest number of alternatives
CLOSE = 0.04  # of the value: alternatives nearer to each other make a master hesitate
HESITATION = 1.0  # of a master whose best alternatives are equally good


def is_watched(info: Info) -> bool:
    """Whether somebody sees the moves: a person who plays or watches, or who has just opened a table of bots."""
    people = [seat for seat in info["seats"] if seat["kind"] == "person"]
    if info.get("watchers", 0) > 0 or (not people and info["host"].startswith("u")):
        return True
    return any("stand_in" not in seat or seat.get("here") for seat in people)


def pause(info: Info, shown: int, offers: list[Offer], beat: float = 0.0) -> float:
    """The wait before a decision with these offers; none if nobody watches.

    The last entry had `shown` events, and pages still play out what has happened for the time `beat`.
    """
    if not is_watched(info):
        return 0.0
    ways = sum(_ways(offer) for offer in offers)
    thinking = min(HARDEST, ONLY_MOVE + DOUBLED * math.log2(max(1, ways)))
    return (beat or SHOWN * min(MOST_SHOWN, shown)) + thinking


def hesitation(margin: float) -> float:
    """The further wait of a master that found its move better than the next one by this margin."""
    return HESITATION * max(0.0, 1 - max(0.0, margin) / CLOSE)


def _ways(offer: Offer) -> int:
    """Roughly the number of moves that an offer allows: a range of amounts or a set counts little."""
    ways = 1
    for blank in offer["fill"].values():
        if isinstance(blank, dict):
            sizes = len(blank["of"]) if "of" in blank else blank["most"] - blank["least"] + 1
            ways *= max(1, min(8, sizes))
    return ways
