"""Positions of Cheesonomics with four seats. Seat 1 started, so that seat 0 has the last turn of a round."""

from __future__ import annotations

from games import GAMES
from games.chance import Chance
from games.cheesonomics import phases
from games.cheesonomics.pieces import CHEESE
from games.cheesonomics.table import State
from games.core import fold
from games.kit import replace
from tests.bots.positions.position import Pattern, Position

GAME = GAMES["cheesonomics"]
# Prices: red 1, orange 2, yellow 3, green 4, blue 5; one of the blue ones has a ribbon.
MARKET = ("red", *("orange",) * 2, *("yellow",) * 3, *("green",) * 4, *("blue",) * 3, "blue+")
SMALL = ("cow-red", "sheep-orange", "goat-yellow", "yak-green", "reindeer-red*")  # a hand without two alike but red


def table(phase: phases.Phase, hand: tuple[str, ...], wheel: tuple[str, ...], pile: int, **more: object) -> State:
    """Seat 0 has this hand and this wheel; nobody has sold anything."""
    start = fold(GAME, GAME.setup(4, GAME.options(), Chance(b"positions", 0)))
    assert isinstance(start, State)
    left = list(CHEESE)
    for wedge in (*hand, *wheel):
        left.remove(wedge)
    mixed = [left[number * 7 % len(left)] for number in range(len(left))] if len(left) % 7 else left[::2] + left[1::2]
    hands = (hand, *(tuple(sorted(mixed[5 * seat : 5 * seat + 5])) for seat in range(3)))
    wheels = (wheel, *(tuple(sorted(mixed[15 + 2 * seat : 17 + 2 * seat])) for seat in range(3)))
    state = replace(
        start,
        start=1,
        turn=0,
        phase=phase,
        market=(*MARKET, *("red",) * (15 - len(MARKET))),
        hands=hands,
        wheels=wheels,
        sold=((),) * 4,
        pile=tuple(mixed[21 : 21 + pile]),
        out=tuple(mixed[21 + pile :]),
        tray=(None,) * 4,
        **more,
    )
    assert isinstance(state, State)
    return state


BLUES = ("cow-blue", "sheep-blue", "goat-blue")
SALES = [  # the wheel, and what to sell of it
    ((*BLUES, "yak-red"), BLUES),
    (("cow-green", "sheep-green", "goat-green", "cow-red"), ("cow-green", "sheep-green", "goat-green")),
    (("cow-blue", "cow-green", "cow-yellow", "sheep-red"), ("cow-blue", "cow-green", "cow-yellow")),
    (("yak-blue", "yak-blue*", "yak-green", "goat-orange"), ("yak-blue", "yak-blue*", "yak-green")),
    ((*BLUES, "yak-blue"), None),
    (("cow-blue", "sheep-red"), ("cow-blue",)),
]
ENDING = [((*BLUES, "yak-red"), 1), ((*BLUES, "yak-green"), 2), (("yak-green", "goat-green", "cow-green"), 1)]
HANDS = [  # four of a trait, and one wedge that does not belong to them
    ("cow", ("cow-red", "cow-blue", "cow-green", "cow-yellow", "yak-orange")),
    ("sheep", ("sheep-red", "sheep-blue", "sheep-green", "sheep-yellow", "goat-orange")),
    ("blue", ("cow-blue", "sheep-blue", "goat-blue", "yak-blue", "reindeer-red")),
    ("green", ("cow-green", "sheep-green", "goat-green", "yak-green", "reindeer-orange")),
    ("yellow", ("cow-yellow", "sheep-yellow", "goat-yellow", "yak-yellow", "reindeer-blue")),
]


def positions() -> list[Position]:
    return [
        *last_sales(),
        *before_the_end(),
        *what_to_produce(),
        *what_to_flip(),
        *what_to_give(),
        *sharp_market(),
    ]


def last_sales() -> list[Position]:
    found = []
    for wheel, sale in SALES:
        state = table(phases.LastSale(), SMALL, wheel, 0)
        best: list[Pattern] = [{"type": "sell", "wedges": list(sale)}] if sale else [{"type": "sell", "trait": "blue"}]
        name = f"the dearest wedges in the last sale of {', '.join(wheel)}"
        found.append(Position(name, "cheesonomics", state, best=best, beginner=True))
    return found


def before_the_end() -> list[Position]:
    """A produce would empty the pile and end the game at once: wedges could never be sold any more."""
    found = []
    for wheel, pile in ENDING:
        state = table(phases.Turn(), SMALL, wheel, pile, curds=(30, 32, 31, 30))
        name = f"sell {', '.join(wheel)} before the last {pile} of the pile are gone"
        found.append(Position(name, "cheesonomics", state, bad=[{"type": "produce"}], beginner=True))
    return found


def what_to_produce() -> list[Position]:
    found = []
    for trait, hand in HANDS:
        state = table(phases.Turn(), hand, (), 40)
        singles = [
            {"type": "produce", "trait": one} for wedge in hand for one in wedge.rstrip("*").split("-") if one != trait
        ]
        found.append(Position(f"produce four {trait}", "cheesonomics", state, bad=singles, beginner=True))
    return found


def what_to_flip() -> list[Position]:
    found = []
    plain, ribbon = MARKET.index("blue"), MARKET.index("blue+")
    blue_hand = ("cow-blue", "sheep-blue", "goat-red", "yak-red", "reindeer-red")
    for wheel in (("yak-blue", "yak-blue*"), ("cow-blue*", "reindeer-blue"), ("goat-blue", "goat-blue*", "yak-blue")):
        state = table(phases.Flipping(("blue",), False), blue_hand, wheel, 30)
        name = f"no ribbon of the own colour is flipped: {', '.join(wheel)}"
        found.append(Position(name, "cheesonomics", state, bad=[{"place": ribbon}], beginner=True))
    state = table(phases.Flipping(("blue", "red"), False), blue_hand, ("yak-blue", "yak-blue*"), 30)
    bad = [{"place": plain}, {"place": ribbon}]
    found.append(Position("flip what is not held", "cheesonomics", state, bad=bad, beginner=True))
    return found


def what_to_give() -> list[Position]:
    found = []
    for keep, give in (("cow-red", "reindeer-red"), ("cow-blue", "yak-blue"), ("cow-green", "goat-green")):
        hand = tuple(sorted({"cow-yellow", "cow-orange", "cow-red", keep, give, "cow-blue*"}))[:5]
        hand = hand if give in hand and keep in hand else (keep, give, "cow-yellow", "cow-orange", "cow-blue*")
        phase = phases.Gifts(keep.split("-")[1], (0,), ())
        state = table(phase, tuple(sorted(hand)), (), 30, gifts=(None,) * 4)
        state = replace(state, turn=2)
        name = f"give the {give}, not one of four cows"
        found.append(Position(name, "cheesonomics", state, best=[{"type": "give", "wedge": give}], beginner=True))
    return found


def sharp(
    phase: phases.Phase, supply: tuple[str, ...], discard: tuple[str, ...] = ("red/green", "red/yellow")
) -> State:
    """A sharp table. Seat 0 has blue wedges in hand and wheel, and these market wedges."""
    hand = ("cow-blue", "goat-blue", "reindeer-blue", "sheep-blue", "yak-red")
    state = table(phase, hand, ("cow-blue*", "goat-blue*", "yak-blue*"), 30)
    others = (("orange/yellow", "red/orange"), ("green/blue", "yellow/green"), ("orange/green", "red/orange"))
    replaced = ("red", "orange") if isinstance(phase, phases.Taking) else None
    market = ("green", *state.market[1:])
    changed = replace(state, sharp=True, market=market, supplies=(supply, *others), discard=discard, replaced=replaced)
    assert isinstance(changed, State)
    return changed


def sharp_market() -> list[Position]:
    """ECO-22 to ECO-25, for a seat that has blue wedges only."""
    found = []
    for supply in (("red/blue+", "orange/yellow"), ("yellow/blue+", "red/orange")):
        state = sharp(phases.Replacing(("green", "blue"), swap=False), supply)
        bad: list[Pattern] = [{"place": place} for place, side in enumerate(state.market) if "blue" in side]
        name = f"no blue wedge leaves the market for one of {', '.join(supply)}"
        found.append(Position(name, "cheesonomics", state, bad=bad, beginner=True))
        best: list[Pattern] = [{"type": "replace", "up": "blue+"}]
        name = f"the blue side with the ribbon comes up, of {', '.join(supply)}"
        found.append(Position(name, "cheesonomics", state, best=best, beginner=True))
    for discard in (("red/blue+", "red/orange"), ("green/blue", "orange/yellow")):
        state = sharp(phases.Taking(swap=False), ("red/orange", "red/green"), discard)
        best = [{"type": "take", "wedge": next(wedge for wedge in discard if "blue" in wedge)}]
        found.append(
            Position(f"take the blue one of {', '.join(discard)}", "cheesonomics", state, best=best, beginner=True)
        )
    state = sharp(phases.Swapping(), ("red/blue+", "yellow/blue+"))
    swaps: list[Pattern] = [{"type": "swap_seat"}, {"type": "swap_discard"}]
    found.append(Position("no swap of the best market wedges", "cheesonomics", state, bad=swaps, beginner=True))
    state = sharp(phases.Swapping(), ("red/orange", "red/green"))
    bad = [{"type": "decline"}]
    found.append(Position("a swap of useless market wedges", "cheesonomics", state, bad=bad, beginner=True))
    return found
