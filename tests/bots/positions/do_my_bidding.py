"""Positions of Do My Bidding with four seats. All have their start cards only, and the same score unless said."""

from __future__ import annotations

from games.do_my_bidding.values import ARTS, DECK, STARTS, Art, Lot, State
from games.kit import Auction
from tests.bots.positions.position import Position

ROUND_3 = (3, 0, 1, 2)  # the agent of each seat: seat 0 is the agent of seat 1
ROUND_4 = (0, 1, 2, 3)


def art(value: int, number: int = 0) -> Art:
    """A painting of this value that matches no start card of seat 0 or 1 if possible."""
    starts = STARTS[:2]
    fits = [
        one
        for one in ARTS
        if one.value == value and all(one.artist != s.artist and one.colour != s.colour for s in starts)
    ]
    return fits[number]


def table(
    lots: tuple[Art, ...],
    purses: tuple[int, ...],
    bid: int,
    bidder: int,
    out: tuple[int, ...] = (),
    scores: tuple[int, ...] = (30, 30, 30, 30),
    agents: tuple[int, ...] = ROUND_4,
) -> State:
    """These single paintings are left in the round, and it is seat 0's turn to raise the standing bid or to drop."""
    bids = tuple(bid if seat == bidder else None for seat in range(4))
    dropped = tuple(seat in out for seat in range(4))
    return State(
        purses=purses,
        collections=tuple((one,) for one in STARTS[:4]),
        box=STARTS[4:],
        deck=tuple(one for one in DECK if one not in lots),
        token=0,
        envelopes=(0, 0, 0, 0),
        scores=scores,
        advice=(None,) * 4,
        round=4 if agents == ROUND_4 else 3,
        agents=agents,
        lots=tuple(Lot((one,)) for one in lots),
        auction=Auction(0, bids, dropped, bid, bidder),
    )


LAST_LOTS = [  # value, purses, standing bid
    (3, (9, 8, 7, 6), 2),
    (4, (12, 8, 8, 8), 3),
    (5, (10, 9, 4, 4), 6),
    (6, (15, 9, 9, 9), 7),
    (7, (9, 9, 9, 9), 4),
    (7, (20, 12, 3, 3), 9),
    (2, (6, 5, 2, 2), 1),
    (6, (5, 12, 12, 12), 1),
]
TOO_DEAR = [  # the value now, the value of the last lot, purses, standing bid
    (2, 7, (10, 9, 9, 9), 8),
    (2, 6, (12, 11, 11, 11), 10),
    (3, 7, (10, 9, 9, 9), 8),
    (2, 7, (16, 15, 15, 15), 14),
    (2, 5, (9, 8, 8, 8), 7),
]
FOR_OTHERS = [  # the value, purses, standing bid: seat 0 bids with the purse of seat 1
    (6, (5, 12, 5, 5), 2),
    (7, (3, 15, 6, 6), 3),
    (5, (8, 9, 4, 4), 2),
    (7, (2, 10, 8, 3), 4),
]
BEST_NOW = [  # the value now, the value of the last lot, purses, standing bid
    (7, 2, (12, 8, 8, 8), 3),
    (6, 2, (10, 9, 9, 9), 2),
    (7, 3, (15, 9, 9, 9), 4),
    (5, 2, (9, 6, 6, 6), 1),
]


def positions() -> list[Position]:
    found = []
    drop, bid = [{"type": "drop"}], [{"type": "bid"}]
    for value, purses, standing in LAST_LOTS:
        state = table((art(value),), purses, standing, 1, out=(3,))
        name = f"money is worth nothing after the last lot: {value} for more than {standing}"
        found.append(Position(name, "do_my_bidding", state, bad=drop, beginner=True))
    for value, last, purses, standing in TOO_DEAR:
        state = table((art(value), art(last, 1)), purses, standing, 1, out=(2, 3))
        name = f"keep {purses[0]} for the {last} instead of more than {standing} for the {value}"
        found.append(Position(name, "do_my_bidding", state, bad=bid))
    for value, purses, standing in FOR_OTHERS:
        state = table((art(value),), purses, standing, 2, out=(3,), scores=(30, 5, 30, 30), agents=ROUND_3)
        name = f"earn {value} with the purse of the last seat, which has {purses[1]}"
        found.append(Position(name, "do_my_bidding", state, bad=drop, beginner=True))
    for value, last, purses, standing in BEST_NOW:
        state = table((art(value), art(last, 1)), purses, standing, 1, out=(3,))
        name = f"the {value} for {standing + 1} is better than the {last} to come"
        found.append(Position(name, "do_my_bidding", state, bad=drop, beginner=True))
    return found
