"""What the seats of a table are asked, and how long pages still play out what has led to it."""

from __future__ import annotations

from typing import Any

from games.core import AnyGame, Beat
from games.offers import Offer
from server.tables.state.local_struct import LocalStruct

MAX_BEAT_MS = 6_000  # a page that is further behind leaves beats out


class Asked(LocalStruct, frozen=True):
    """What a seat may do, since entry `n` at the time `at`.

    `credit_ms` is how much of the time since then does not count because the service was at fault. `renewed` is
    whether the seat's time was already restarted for a stand-in or a returning owner: that happens once per ask, so
    that changing hands cannot delay it for ever.
    `beat_ms` is how long pages still play out what has led to the ask; while that lasts, a seat that is `held` may not
    move, and no seat loses time.
    """

    n: int
    offers: tuple[Offer, ...]
    at: int
    credit_ms: int = 0
    renewed: bool = False
    beat_ms: int = 0
    held: bool = False


def ask_seats(game: AnyGame, state: Any, new: Asked, before: dict[int, Asked], actor: int | None) -> dict[int, Asked]:
    """Ask the seats that may act.

    A seat whose offers are unchanged keeps its ask number; the seat that just acted always gets a new one.
    """
    asks = {}
    for seat in game.to_act(state):
        offers = game.offers(state, seat)
        old = before.get(seat)
        kept = old is not None and seat != actor and old.offers == offers
        asks[seat] = old if kept and old else Asked(new.n, offers, new.at, beat_ms=new.beat_ms, held=new.held)
    return asks


def beat_end(before: int, at: int, beat: Beat | None) -> int:
    """When pages have played out what has happened up to the time `at`: beats follow each other."""
    return before if beat is None else min(max(before, at) + beat.ms, at + MAX_BEAT_MS)
