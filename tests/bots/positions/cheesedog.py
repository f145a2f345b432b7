"""Positions of Cheesedog. Cards that lie nowhere are in the discard."""

from __future__ import annotations

from games.cheesedog.values import DECK, State
from tests.bots.positions.position import Position

FREE, MASTER = True, False  # for whom a position is: beginners too, or masters alone


def table(hand: str, pile: str, others: tuple[int, ...], *, low: bool = False, ups: str = "", downs: int = 0) -> State:
    """Seat 0 has this hand, and perhaps cards before it; the others have so many cards in their hands and no more.

    A seat without cards has escaped.
    """
    left = list(DECK)
    mine, lying, rows = hand.split(), pile.split(), ups.split()
    for card in (*mine, *lying, *rows):
        left.remove(card)
    left = left[7:] + left[:7]  # other hands have all ranks
    hands, place = [tuple(mine)], 0
    step = 11  # takes ranks and suits in turn
    mixed = [left[(number * step) % len(left)] for number in range(len(left))] if len(left) % step else left
    for size in others:
        hands.append(tuple(mixed[place : place + size]))
        place += size
    down = tuple(mixed[place : place + downs]) + (None,) * (4 - downs)
    rest = mixed[place + downs :]
    n = len(hands)
    return State(
        dealer=n - 1,
        hands=tuple(hands),
        ups=(tuple(rows), *((),) * (n - 1)),
        downs=(down, *((None,) * 4,) * (n - 1)),
        turn=0,
        pile=tuple(lying),
        discard=tuple(rest),
        low=low,
        turns=40,
        escaped=tuple(seat for seat, size in enumerate(others, 1) if not size),
    )


def play(rank: int, count: int = 1) -> dict[str, int]:
    return {"rank": rank, "count": count}


LAST_CARDS = [
    ("5h 5d", "", 5, 2, "a pair is the whole hand"),
    ("Kh Kd", "Qs", 13, 2, "a pair of kings on a queen"),
    ("7h 7d 7c", "4s", 7, 3, "three sevens"),
    ("9h 9d", "9s", 9, 2, "two nines on a nine"),
    ("6h 6d 6s 6c", "Th", 6, 4, "four sixes at the start of a pile"),
    ("Jh Jd Js", "Js", 11, 3, "three jacks make four"),
]
CLEARING = [
    ("Th Kh", "", 10, 1, "a ten first, then the king", MASTER),
    ("Td Ah", "4s 4c 6h", 10, 1, "a ten clears, then the ace", MASTER),
    ("Tc 3h", "", 10, 1, "a ten first, then the three, while the other has one card", MASTER),
    ("Qh Ah", "Qs Qc Qd", 12, 1, "the fourth queen clears, then the ace", FREE),
    ("8h Kd", "8s 8c 8d", 8, 1, "the fourth eight clears, then the king", FREE),
    ("5h 5d 5s 5c Kh", "", 5, 4, "four fives clear, then the king", FREE),
]
SKIPPING = [
    ("7h Kh", "5s", (1,), 7, 1, "with two left a seven gives another turn", FREE),
    ("7h 9h", "6s", (3,), 7, 1, "with two left a seven, then the nine", FREE),
    ("7h 7d Ah", "4s", (2, 2), 7, 2, "with three left two sevens give another turn", FREE),
]
BLOCKING = [
    ("6h Ah", "5s 5c", (1,), 14, "the ace before the last card of the other"),
    ("5h Kh", "4s 4c", (1,), 13, "the king before the last card of the other"),
    ("4h Ad", "3s", (1,), 14, "the ace on a three before the last card of the other"),
    ("6h Kc", "6s", (1,), 13, "the king on a six before the last card of the other"),
]


def positions() -> list[Position]:
    found = []
    for hand, pile, rank, count, name in LAST_CARDS:
        state = table(hand, pile if pile != "Th" else "", (3, 4))
        found.append(Position(f"escape: {name}", "cheesedog", state, best=[play(rank, count)], beginner=True))
    for hand, pile, rank, count, name, beginner in CLEARING:
        state = table(hand, pile, (1, 5))
        found.append(Position(f"clear: {name}", "cheesedog", state, best=[play(rank, count)], beginner=beginner))
    for hand, pile, others, rank, count, name, beginner in SKIPPING:
        state = table(hand, pile, others)
        found.append(Position(f"skip: {name}", "cheesedog", state, best=[play(rank, count)], beginner=beginner))
    for hand, pile, others, rank, name in BLOCKING:
        state = table(hand, pile, others)
        found.append(Position(f"block: {name}", "cheesedog", state, best=[play(rank)]))
    low = table("8h 6h", "5s", (1,))
    found.append(Position("block: an eight demands a low card", "cheesedog", low, best=[play(8)]))
    many = table("3h 4h 6d Jc Ah", "", (6, 6, 6), ups="5h 5d 9c Kd", downs=4)
    found.append(Position("no ace at the start of a pile", "cheesedog", many, bad=[play(14)], beginner=True))
    two = table("2h 3h 5d 9c Kc", "", (6, 6, 6), ups="5h 6d 9d Kd", downs=4)
    found.append(Position("no two at the start of a pile", "cheesedog", two, bad=[play(2)], beginner=True))
    return found
